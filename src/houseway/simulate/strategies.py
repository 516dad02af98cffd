"""How players decide: the best way, named others, and ways of one's own.

A way of one's own is a TOML file or a Python function, named as `file.py`, `file.py:function` or
`module:function`. It is asked once for every situation before the first round is dealt, never during
play, so it may be as slow as it likes. What it is given:

- three cards: `decide(cards)`, one hand for all that differ by the names of suits; it answers
  `"play"` or `"fold"`, in Massachusetts also `"forfeit"`;
- Saigon: `decide(cards, settings)` with the settings open to the hand; it answers one of them;
- Down Under: `decide(cards, up, range, open)`, where `cards` are values `"A23456789T"` (a hand from
  a split begins with `"/"`), and it answers one of the decisions that are open.
"""

from __future__ import annotations

import importlib
import importlib.util
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from houseway.cards import RANKS, Card
from houseway.errors import Refused
from houseway.games.saigon.hands import Setting
from houseway.games.three_card import hands as three_card
from houseway.law import DOWN_UNDER, MA, SAIGON, Rules

THREE_CARD = ("optimal", "always_play", "play_any_queen", "mimic_the_dealer")
OF_SAIGON = ("optimal", "as_the_dealer", "avoid_five")
OF_DOWN_UNDER = ("optimal", "chart", "mimic_the_dealer", "never_bust")


def names(rules: Rules) -> tuple[str, ...]:
    """The strategies known by name in a chapter."""
    return {SAIGON: OF_SAIGON, DOWN_UNDER: OF_DOWN_UNDER}.get(rules.chapter.id, THREE_CARD)


def _unknown(rules: Rules, name: str) -> Refused:
    return Refused(
        "no_such_strategy",
        f"there is no strategy {name!r}; there are {', '.join(names(rules))}, a TOML file, or a "
        "function as file.py:name or module:name",
        field="strategy",
    )


def _is_own(name: str) -> bool:
    return name.endswith((".py", ".toml")) or ":" in name


def _function(name: str) -> Callable[..., Any]:
    """A Python function by file or module."""
    place, _, attribute = name.partition(":")
    try:
        if place.endswith(".py"):
            spec = importlib.util.spec_from_file_location(Path(place).stem, place)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        else:
            module = importlib.import_module(place)
        found = getattr(module, attribute or "decide")
    except (ImportError, OSError, AttributeError, SyntaxError) as error:
        raise Refused("no_such_strategy", f"{name}: {error}", field="strategy") from None
    if not callable(found):
        raise Refused("no_such_strategy", f"{name} is not a function", field="strategy")
    return found  # type: ignore[no-any-return]


def _toml(name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(Path(name).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Refused("no_such_strategy", f"{name}: {error}", field="strategy") from None


def _answer(name: str, ask: Callable[..., Any], allowed: Sequence[Any], *given: Any) -> Any:
    """What a function of the user's answers, or a refusal that says what it should have."""
    try:
        found = ask(*given)
    except Exception as error:  # noqa: BLE001  it is the user's code
        raise Refused(
            "strategy_failed", f"{name}: {type(error).__name__}: {error}", field="strategy"
        ) from None
    if found not in allowed:
        raise Refused(
            "strategy_failed",
            f"{name} answered {found!r} to {' '.join(map(str, given[:1]))}; open are "
            f"{', '.join(map(str, allowed))}",
            field="strategy",
        )
    return found


Decide = Callable[[tuple[Card, ...]], str]


def three_cards(rules: Rules, name: str) -> Decide:
    """Play or fold, for any three cards."""
    if _is_own(name):
        allowed = ("play", "fold", "forfeit") if rules.chapter.id == MA else ("play", "fold")
        ask = _from(name) if name.endswith(".toml") else _function(name)
        return lambda hand: str(_answer(name, ask, allowed, hand))
    from houseway.games.three_card.maths.ante_play import payoffs, qualifying_value, strategy
    from houseway.games.three_card.maths.tallies import QUEEN_HIGH

    if name == "optimal":
        played = strategy(payoffs(rules)).played
        return lambda hand: "play" if played[rows_of([hand])[0]] else "fold"
    least = {
        "always_play": 0,
        "play_any_queen": QUEEN_HIGH,
        "mimic_the_dealer": qualifying_value(rules),
    }.get(name)
    if least is None:
        raise _unknown(rules, name)
    return lambda hand: "play" if three_card.value(hand) >= least else "fold"


def _from(name: str) -> Decide:
    """`play_from = "Q64"`: that hand or better."""
    given = _toml(name)
    text = str(given.get("play_from", ""))
    ranks = [RANKS.find(rank) for rank in text.upper().replace("10", "T") if rank.isalnum()]
    if set(given) != {"play_from"} or len(ranks) != 3 or min(ranks) < 0:
        raise Refused(
            "no_such_strategy", f'{name}: write play_from = "Q64"', field="strategy.play_from"
        )
    least = three_card.value([Card(4 * rank + suit) for suit, rank in enumerate(ranks)])
    return lambda hand: "play" if three_card.value(hand) >= least else "fold"


@cache
def rows() -> tuple[tuple[Card, ...], ...]:
    """A hand for each row of the exact mathematics' duel."""
    from houseway.games.three_card.maths.duel import Patterns

    return tuple(tuple(map(Card, hand)) for hand in Patterns().cards.tolist())


@cache
def _threes() -> Any:
    from houseway.games.three_card.maths.six_cards import Threes

    return Threes()


def rows_of(hands: Sequence[Sequence[Card]]) -> list[int]:
    """The rows of hands in any order."""
    import numpy as np

    threes = _threes()
    found: list[int] = threes.row[threes.number(np.sort(np.array(hands), axis=1))].tolist()
    return found


def played_rows(decide: Decide) -> tuple[bool, ...]:
    """Which rows of the duel a strategy plays, for its exact worth."""
    return rows_where(decide, ("play",))


def rows_where(decide: Decide, decisions: Sequence[str]) -> tuple[bool, ...]:
    """The rows of the duel on which one of these is decided; the last again, for spades."""
    every = rows()
    return tuple(decide(hand) in decisions for hand in (*every, every[-1]))


Choose = Callable[[tuple[Card, ...], Sequence[Setting]], Setting]


def saigon(rules: Rules, name: str) -> Choose:
    """How five cards are set, among the settings open to them."""
    if _is_own(name) and not name.endswith(".toml"):
        ask = _function(name)
        return lambda hand, open_: _answer(name, ask, list(open_), hand, list(open_))
    from houseway.games.saigon.maths import ante as saigon_ante
    from houseway.games.saigon.maths import tallies

    picks: dict[str, Any] = {
        "optimal": None,
        "as_the_dealer": saigon_ante.highest,
        "avoid_five": saigon_ante.avoid_five,
    }
    if name not in picks:
        raise _unknown(rules, name)
    states = saigon_ante.settings(saigon_ante.payoffs(rules), picks[name]).state
    by_values = dict(zip(map(tuple, tallies.kinds().values), states, strict=True))
    worth = saigon_values(rules)

    def choose(hand: tuple[Card, ...], open_: Sequence[Setting]) -> Setting:
        state = by_values[tuple(sorted(worth[card] for card in hand))]
        return next((s for s in open_ if s.qualifies and s.point_count == state), open_[0])

    return choose


def saigon_values(rules: Rules) -> list[int]:
    """What every card is worth, 11 for the joker."""
    by_rank = rules.chapter.fact("card_values").value
    assert isinstance(by_rank, Mapping)
    return [int(by_rank[rank]) for rank in RANKS for _ in range(4)] + [11]


@lru_cache(maxsize=4)
def _solved(decks: int, soft_22: str) -> Any:
    from houseway.games.down_under.maths.solve import solve
    from houseway.games.down_under.maths.variant import Variant as Game

    return solve(Game(decks=decks, dealer_soft_22=soft_22))  # type: ignore[arg-type]


@lru_cache(maxsize=4)
def _chart(decks: int, soft_22: str) -> Any:
    from houseway.games.down_under.maths.strategy import chart_of

    return chart_of(_solved(decks, soft_22))


def down_under(rules: Rules, name: str) -> Any:
    """How every hand is played in every case: a `Play` of the exact mathematics."""
    game = (rules["decks"], rules["dealer_soft_22"])
    if name == "optimal":
        return _solved(*game)
    if name == "chart":
        return _chart(*game).on(_solved(*game).table)
    if name == "mimic_the_dealer":
        return _played(game, name, lambda hand, *_: "hit" if _total(hand) < 17 else "stand")
    if name == "never_bust":
        return _played(game, name, lambda hand, *_: "hit" if _can_never_bust(hand) else "stand")
    if name.endswith(".toml"):
        return _played(game, name, _changes(game, name))
    if _is_own(name):
        return _played(game, name, _function(name))
    raise _unknown(rules, name)


_VALUES = "A23456789T"


def _points(hand: str) -> tuple[int, bool]:
    hard = sum(_VALUES.index(card) + 1 for card in hand.lstrip("/"))
    soft = "A" in hand and hard + 10 <= 21
    return hard + 10 * soft, soft


def _total(hand: str) -> int:
    return _points(hand)[0]


def _can_never_bust(hand: str) -> bool:
    total, soft = _points(hand)
    return total < 12 or (soft and total < 18)


def _changes(game: tuple[int, str], name: str) -> Callable[..., str]:
    """The chart with changes: `[[change]]` of `hand`, `up`, `range` and `do`."""
    changes = {}
    for number, row in enumerate(_toml(name).get("change", []), 1):
        if not isinstance(row, dict) or set(row) != {"hand", "up", "range", "do"}:
            raise Refused(
                "no_such_strategy",
                f"{name}: change {number} has hand, up, range and do",
                field="strategy.change",
            )
        changes[str(row["hand"]), str(row["up"]), str(row["range"])] = str(row["do"])
    chart = _chart(*game)

    def decide(hand: str, up: str, range_: str, open_: Sequence[str]) -> str:
        total, soft = _points(hand)
        called = [f"{'soft' if soft else 'hard'} {total}"]
        if len(hand) == 2 and hand[0] == hand[1]:
            called.insert(0, f"pair {hand[0]}")
        for one in called:
            if (one, up, range_) in changes:
                return changes[one, up, range_]
        case = next(
            case for case in chart.cases if case.up == _VALUES.index(up) and case.range == range_
        )
        if "split" in open_ and chart.pair_code(_VALUES.index(hand[0]), case) == "P":
            return "split"
        code = chart.code(total, soft, case)
        if code.startswith("D") and "double" in open_:
            return "double"
        return "hit" if code in ("H", "D") else "stand"

    return decide


def _played(game: tuple[int, str], name: str, ask: Callable[..., Any]) -> Any:
    """A function asked about every hand in every case, as a `Play`."""
    import numpy as np

    from houseway.games.down_under.maths.hands import player_hands
    from houseway.games.down_under.maths.solve import evaluate
    from houseway.games.down_under.maths.states import AS_DEALT, MAY_DOUBLE, MAY_HIT, MAY_STAND

    table = _solved(*game).table
    at, graph = table.states, player_hands()
    actions = {"stand": 0, "hit": 1, "double": 2}
    policy = np.full((len(at.row), len(table.cases)), -1, np.int8)
    pairs = np.zeros((10, len(table.cases)), np.int8)
    for (card, gone), first in at.first.items():
        for number, position in enumerate(first.tolist()):
            if position < 0:
                continue
            may = int(at.may[position])
            counts = graph.hands[number]
            text = "".join(value * count for value, count in zip(_VALUES, counts, strict=True))
            hand = text if (card, gone) == AS_DEALT else f"/{text}"
            allowed = [
                decision
                for decision, flag in (
                    ("stand", MAY_STAND), ("hit", MAY_HIT), ("double", MAY_DOUBLE),
                )
                if may & flag
            ]  # fmt: skip
            if not allowed:
                continue
            pair = (card, gone) == AS_DEALT and sum(counts) == 2 and max(counts) == 2
            for case, seen in enumerate(table.cases):
                if len(allowed) == 1 and not pair:
                    policy[position, case] = actions[allowed[0]]
                    continue
                open_ = (*allowed, "split") if pair else tuple(allowed)
                found = _answer(name, ask, open_, hand, _VALUES[seen.up], seen.range, open_)
                if found == "split":
                    pairs[_VALUES.index(text[0]), case] = 2
                    found = allowed[0]
                policy[position, case] = actions[found]
    return evaluate(table, policy, pairs)
