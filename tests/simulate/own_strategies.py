"""Ways to play that nobody would choose, so that every decision is met with every hand."""

from __future__ import annotations

from zlib import crc32


def any_way(*given: object) -> str:
    """Play, fold or forfeit, as the ranks and the number of suits happen to hash."""
    (hand,) = given
    ranks = sorted(card >> 2 for card in hand)  # type: ignore[attr-defined]
    text = f"{ranks} {len({card & 3 for card in hand})}"  # type: ignore[attr-defined]
    return ("play", "fold", "forfeit")[crc32(text.encode()) % 3]


def play_or_fold(*given: object) -> str:
    found = any_way(*given)
    return "play" if found == "forfeit" else found


def always_fold(*_: object) -> str:
    return "fold"


def set_any_way(hand: object, settings: list[object]) -> object:
    """Any point count that can be had, as the ranks happen to hash."""
    counts = sorted({setting.point_count for setting in settings})  # type: ignore[attr-defined]
    ranks = sorted(card >> 2 for card in hand)  # type: ignore[attr-defined]
    wanted = counts[crc32(str(ranks).encode()) % len(counts)]
    return next(setting for setting in settings if setting.point_count == wanted)  # type: ignore[attr-defined]


def hit_or_whatever(hand: str, up: str, range_: str, open_: tuple[str, ...]) -> str:
    """Anything open, a stand least often, so that long hands come up."""
    ordered = sorted(open_, key=lambda name: name == "stand")
    return ordered[crc32(f"{hand} {up} {range_}".encode()) % len(ordered)]


def not_an_answer(*_: object) -> str:
    return "perhaps"


def fails(*_: object) -> str:
    raise ValueError("no idea")


def lowest(cards, settings):
    del cards
    return min(settings, key=lambda setting: setting.point_count)


def _lowest_with(rank):
    def decide(cards, settings):
        pick = min if any(str(card)[0] == rank for card in cards) else max
        return pick(settings, key=lambda setting: setting.point_count)

    return decide


lowest_with_a_ten, lowest_with_a_king = _lowest_with("T"), _lowest_with("K")
