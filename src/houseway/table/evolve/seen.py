"""Who has seen which cards that lie face down now, or in the rack, where real cards are keyed in.

`""` stands for everybody. A named card is refused only because of what its sender has seen. Where
the system knows the order, nobody names cards and none of this is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from houseway.table.state import UNKNOWN, Table, cards_known

Seen = Mapping[str, Mapping[str, tuple[str, ...]]]


def with_cards(table: Table, seen: Seen, who: str, place: str, cards: Iterable[str]) -> Seen:
    """Somebody has seen these cards of a place."""
    more = tuple(text for text in cards if text and text != UNKNOWN)
    if not more or cards_known(table):
        return seen
    held = seen.get(who, {})
    return {**seen, who: {**held, place: held.get(place, ()) + more}}


def without(seen: Seen, places: Iterable[str]) -> Seen:
    """The piles lie face up for all to see, or were shuffled."""
    gone = {*places}
    if all(gone.isdisjoint(held) for held in seen.values()):
        return seen
    left = {
        who: {place: cards for place, cards in held.items() if place not in gone}
        for who, held in seen.items()
    }
    return {who: held for who, held in left.items() if held}


def moved_along(table: Table, source: str, to: str, going: tuple[str, ...]) -> Seen:
    """Whoever knew cards before they moved knows them in their new place."""
    seen = table.seen
    if source in table.shown:
        return with_cards(table, seen, "", to, going)
    for who, held in table.seen.items():
        seen = with_cards(
            table, seen, who, to, [text for text in held.get(source, ()) if text in going]
        )
    return seen
