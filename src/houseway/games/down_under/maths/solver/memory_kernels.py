"""Compiled loops over both hands of a split at once, for one who remembers the first."""

from __future__ import annotations

import numpy as np

from houseway.games.down_under.maths.solver.arrays import DOUBLE, HIT, STAND, Floats, Ints
from houseway.games.down_under.maths.solver.kernels import compiled


@compiled
def closure(child: Ints, options: Ints, start: int) -> tuple[Ints, Ints]:
    """Positions that play can come to from a start by any of these options: drawing, and doubled."""
    drawn = np.zeros(child.shape[0], dtype=np.int64)
    doubled = np.zeros(child.shape[0], dtype=np.int64)
    drawn[start] = 1
    for position in range(start, -1, -1):
        if drawn[position] == 0:
            continue
        for card in range(10):
            to = child[position, card]
            if to >= 0:
                drawn[to] |= (options[position] >> HIT) & 1
                doubled[to] |= (options[position] >> DOUBLE) & 1
    return drawn, doubled


@compiled
def second_hand(
    which: Ints,
    left: Ints,
    ends: Floats,
    child: Ints,
    pays: Ints,
    may: Ints,
    plain: Floats,
    doubled: Floats,
    up: int,
    hole: Ints,
) -> Floats:
    """What the second hand is worth at its best after each possible first hand.

    Lines of `which` are first hands, its columns the positions of the second in an order in which a
    position follows all it can become; it says which composition is left.
    """
    firsts, positions = which.shape
    worth = np.zeros(firsts)
    best = np.zeros(positions)
    standing_doubled = np.zeros(positions)
    for first in range(firsts):
        for position in range(positions):
            row = which[first, position]
            shoe = left[row]
            total = 0
            holes = 0
            possible = shoe[up] > 0
            for card in range(10):
                possible &= shoe[card] >= 0
                total += shoe[card]
                if hole[card]:
                    holes += shoe[card] - (card == up)
            best[position] = 0.0
            standing_doubled[position] = 0.0
            if not possible or holes <= 0:
                continue
            value = -np.inf
            stand, stand_doubled = 0.0, 0.0
            for end in range(7):
                stand += ends[row, end] * plain[pays[position], end]
                stand_doubled += ends[row, end] * doubled[pays[position], end]
            standing_doubled[position] = stand_doubled
            if may[position] & (1 << STAND):
                value = stand
            if may[position] & ((1 << HIT) | (1 << DOUBLE)):
                hit, double = 0.0, 0.0
                for card in range(10):
                    copies = float(max(0, shoe[card] - (card == up)))
                    if hole[card]:
                        copies *= (holes - 1) / holes
                    to = child[position, card]
                    if to >= 0:
                        hit += copies * best[to]
                        double += copies * standing_doubled[to]
                    else:
                        hit += copies * plain[0, 0]
                        double += copies * doubled[0, 0]
                if may[position] & (1 << HIT):
                    value = max(value, hit / (total - 2))
                if may[position] & (1 << DOUBLE):
                    value = max(value, double / (total - 2))
            best[position] = value
        worth[first] = best[positions - 1]
    return worth


@compiled
def first_hand(
    left: Ints,
    ends: Floats,
    row: Ints,
    child: Ints,
    pays: Ints,
    options: Ints,
    keys: Ints,
    last: Ints,
    worth: Floats,
    plain: Floats,
    doubled: Floats,
    up: int,
    hole: Ints,
) -> float:
    """What both hands are worth together, the first played for the sake of both.

    `last` are the cards that the first hand can end with, sorted, and `worth` what the second hand
    is worth after each.
    """
    positions = row.shape[0]
    best = np.zeros(positions)
    for position in range(positions):
        shoe = left[row[position]]
        total = 0
        holes = 0
        possible = shoe[up] > 0
        for card in range(10):
            possible &= shoe[card] >= 0
            total += shoe[card]
            if hole[card]:
                holes += shoe[card] - (card == up)
        if not possible or holes <= 0:
            continue
        value = -np.inf
        if options[position] & (1 << STAND):
            value = worth[np.searchsorted(last, keys[position])]
            for end in range(7):
                value += ends[row[position], end] * plain[pays[position], end]
        if options[position] & ((1 << HIT) | (1 << DOUBLE)):
            hit, double = 0.0, 0.0
            for card in range(10):
                copies = float(max(0, shoe[card] - (card == up)))
                if hole[card]:
                    copies *= (holes - 1) / holes
                if copies == 0.0:
                    continue
                to = child[position, card]
                after = keys[position] + (1 << (5 * card))
                if options[position] & (1 << HIT):
                    if to >= 0:
                        hit += copies * best[to]
                    else:
                        hit += copies * (plain[0, 0] + worth[np.searchsorted(last, after)])
                if options[position] & (1 << DOUBLE):
                    double += copies * worth[np.searchsorted(last, after)]
                    if to >= 0:
                        for end in range(7):
                            double += copies * ends[row[to], end] * doubled[pays[to], end]
                    else:
                        double += copies * doubled[0, 0]
            if options[position] & (1 << HIT):
                value = max(value, hit / (total - 2))
            if options[position] & (1 << DOUBLE):
                value = max(value, double / (total - 2))
        best[position] = value
    whole: float = best[positions - 1]
    return whole
