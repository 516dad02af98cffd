"""How players of Saigon 5 Card set their cards: the best way, named alternatives, and custom strategies.

A custom function is called as `decide(cards, settings)` with the settings open to the hand; it
answers one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from houseway.cards import RANKS, Card
from houseway.games.saigon.hands import Setting
from houseway.games.saigon.maths import ante as saigon_ante
from houseway.games.saigon.maths import tallies
from houseway.law import Rules
from houseway.simulate.strategies import answer, function_at, is_function, unknown

Choose = Callable[[tuple[Card, ...], Sequence[Setting]], Setting]


def strategy(rules: Rules, name: str) -> Choose:
    """How five cards are set, among the settings open to them."""
    if is_function(name):
        ask = function_at(name)
        return lambda hand, open_: answer(name, ask, list(open_), hand, list(open_))
    picks: dict[str, Any] = {
        "optimal": None,
        "as_the_dealer": saigon_ante.highest,
        "avoid_five": saigon_ante.avoid_five,
    }
    if name not in picks:
        raise unknown(rules, name)
    states = saigon_ante.settings(saigon_ante.payoffs(rules), picks[name]).state
    by_values = dict(zip(map(tuple, tallies.kinds().values), states, strict=True))
    worth = card_values(rules)

    def choose(hand: tuple[Card, ...], open_: Sequence[Setting]) -> Setting:
        state = by_values[tuple(sorted(worth[card] for card in hand))]
        return next((s for s in open_ if s.qualifies and s.point_count == state), open_[0])

    return choose


def aims(rules: Rules) -> dict[str, Choose]:
    """A strategy for each point count: it sets that count where the hand can, else the highest."""
    most = rules.chapter.number("point_count_most")

    def aim(count: int) -> Choose:
        def choose(_hand: tuple[Card, ...], open_: Sequence[Setting]) -> Setting:
            wanted = (one for one in open_ if one.qualifies and one.point_count == count)
            return next(wanted, max(open_, key=attrgetter("point_count")))

        return choose

    return {f"set to {count}": aim(count) for count in range(1, most + 1)}


def card_values(rules: Rules) -> list[int]:
    """What every card is worth, 11 for the joker."""
    by_rank = rules.chapter.fact("card_values").value
    assert isinstance(by_rank, Mapping)
    return [int(by_rank[rank]) for rank in RANKS for _ in range(4)] + [11]
