"""What it is worth to remember the first hand of a split while playing the second.

`solve` plays each hand by its own cards. Here the second hand is played knowing every card of the
first, and the first knowing that: the best play there is, for one split (two hands). To keep it
short, choices are left out that are worse by more than `margin` when nothing is remembered; with an
infinite margin none is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from houseway.games.down_under.maths.solver.arrays import DOUBLE, HIT, STAND, Ints
from houseway.games.down_under.maths.solver.dealer import chances
from houseway.games.down_under.maths.solver.hands import hand_of
from houseway.games.down_under.maths.solver.kernels import sums_of
from houseway.games.down_under.maths.solver.memory_kernels import (
    closure,
    first_hand,
    second_hand,
)
from houseway.games.down_under.maths.solver.quantities import net
from houseway.games.down_under.maths.solver.solve import Play
from houseway.games.down_under.maths.solver.states import cards_of, hand_keys

MARGIN = 0.1


@dataclass(frozen=True, slots=True)
class Remembered:
    """One split in one case: what it is worth by each hand's own cards, and by all cards seen."""

    pair: int
    case: int
    by_itself: float
    remembering: float


def remembered(play: Play, pair: int, case: int, margin: float = MARGIN) -> Remembered:
    """One split played with memory."""
    table, states = play.table, play.table.states
    start = states.at((pair, 1), hand_of(pair))
    values = play.values[: start + 1, case, :3]
    allowed = np.stack([states.may[: start + 1] >> action & 1 for action in (STAND, HIT, DOUBLE)])
    worth = np.where(allowed.T > 0, values, -np.inf)
    near = worth >= worth.max(axis=1, keepdims=True) - margin
    options: Ints = ((near & (allowed.T > 0)) @ np.array([1, 2, 4])).astype(np.int64)
    drawn, doubled = closure(states.child[: start + 1], options, start)

    # positions of either hand, and every set of cards the first can end with
    kept = (drawn | doubled) > 0
    mine = states.only(np.append(kept, np.zeros(len(states.row) - len(kept), dtype=np.bool_)))
    options = np.where(drawn[kept] > 0, options[kept], 0)
    keys = hand_keys()[mine.hand]
    one_more = keys[:, None] + (1 << 5 * np.arange(10, dtype=np.int64))
    bust = one_more[(options & (1 << HIT) > 0)[:, None] & (mine.child < 0)]
    last = np.unique(
        np.concatenate(
            [keys[options & (1 << STAND) > 0], bust, one_more[options & (1 << DOUBLE) > 0].ravel()]
        )
    )

    known = table.cases[case]
    gone, which = sums_of(last, keys, False)
    left, first = (np.array(table.shoe) - rows for rows in (cards_of(gone), mine.removed))
    ends, first_ends = (chances(table.rules, known, rows) for rows in (left, first))
    plain, twice = net(table.rules).arrays
    hole = table.case_hole[case]
    second = second_hand(
        which, left, ends, mine.child, mine.pays, options, plain, twice, known.up, hole
    )
    both = first_hand(
        first, first_ends, mine.row, mine.child, mine.pays, options, keys, last, second, plain,
        twice, known.up, hole,
    )  # fmt: skip
    return Remembered(pair, case, float(play.splits[pair, case, 0]), both)


def gain(play: Play, splits: Iterable[Remembered]) -> float:
    """What memory adds to the value of the game, over all deals."""
    found = {(one.pair, one.case): one for one in splits}
    total = 0.0
    for deal in play.table.deals:
        one = found.get((deal.pair, deal.case))
        if one is not None:
            whole = play.by_itself(deal)
            total += deal.ways * (max(one.remembering, whole) - max(one.by_itself, whole))
    return total / play.table.ways
