"""How players of Down Under Blackjack decide: the best way, named alternatives, and custom strategies.

A custom function is called as `decide(cards, up, range, open)`, where `cards` are values
`"A23456789T"` (a hand from a split begins with `"/"`); it answers one of the decisions that are open.
A file has the changes it makes to the chart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from houseway.errors import Refused
from houseway.games.down_under.maths.solver.hands import player_hands
from houseway.games.down_under.maths.solver.solve import Play, solve
from houseway.games.down_under.maths.solver.states import AS_DEALT, MAY_DOUBLE, MAY_HIT, MAY_STAND
from houseway.games.down_under.maths.solver.variant import Variant
from houseway.games.down_under.maths.strategy import (
    by_total,
    chart_of,
    mimics_the_dealer,
    never_busts,
)
from houseway.law import Rules
from houseway.simulate.strategies import answer, file_at, function_at, is_file, is_function, unknown


@lru_cache(maxsize=4)
def _solved(decks: int, soft_22: str) -> Any:
    return solve(Variant(decks=decks, dealer_soft_22=soft_22))  # type: ignore[arg-type]


@lru_cache(maxsize=4)
def _chart(decks: int, soft_22: str) -> Any:
    return chart_of(_solved(decks, soft_22))


def strategy(rules: Rules, name: str) -> Any:
    """How every hand is played in every case: a `Play` of the exact mathematics."""
    game = (rules["decks"], rules["dealer_soft_22"])
    if name == "optimal":
        return _solved(*game)
    if name == "chart":
        return _chart(*game).on(_solved(*game).table)
    if name == "mimic_the_dealer":
        return by_total(_solved(*game).table, mimics_the_dealer)
    if name == "never_bust":
        return by_total(_solved(*game).table, never_busts)
    if is_file(name):
        return _played(game, name, _changes(game, name))
    if is_function(name):
        return _played(game, name, function_at(name))
    raise unknown(rules, name)


_VALUES = "A23456789T"


def _points(hand: str) -> tuple[int, bool]:
    hard = sum(_VALUES.index(card) + 1 for card in hand.lstrip("/"))
    soft = "A" in hand and hard + 10 <= 21
    return hard + 10 * soft, soft


def _changes(game: tuple[int, str], name: str) -> Callable[..., str]:
    """The chart with changes: `[[change]]` of `hand`, `up`, `range` and `do`."""
    changes = {}
    for number, row in enumerate(file_at(name).get("change", []), 1):
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
        code = chart.code(total, soft, case)
        if "split" in open_:  # only a pair as dealt has a cell of its own
            code = chart.pair_code(_VALUES.index(hand[0]), case)
            if code == "P":
                return "split"
        if code.startswith("D") and "double" in open_:
            return "double"
        return "hit" if code in ("H", "D") else "stand"

    return decide


def _played(game: tuple[int, str], name: str, ask: Callable[..., Any]) -> Any:
    """A function asked about every hand in every case, as a `Play`."""
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
                found = answer(name, ask, open_, hand, _VALUES[seen.up], seen.range, open_)
                if found == "split":
                    pairs[_VALUES.index(text[0]), case] = 2
                    found = allowed[0]
                policy[position, case] = actions[found]
    return Play(table, policy, pairs)
