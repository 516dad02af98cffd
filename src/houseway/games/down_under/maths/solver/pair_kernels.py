"""Compiled loops over both hands of a split at once.

A set of cards is one whole number, five bits for each value, so that the cards of two hands together
are the sum of two numbers.
"""

from __future__ import annotations

import numpy as np

from houseway.games.down_under.maths.solver.kernels import (
    DOUBLE,
    HIT,
    STAND,
    Actions,
    Floats,
    Ints,
    compiled,
    reduced,
    times,
)


@compiled
def sums_of(first: Ints, second: Ints, same: bool) -> tuple[Ints, Ints]:
    """All different sums of one number of each kind, and which of them each pair makes.

    Where both kinds are the `same`, only pairs are looked at whose second does not come later.
    """
    which = np.empty((first.shape[0], second.shape[0]), dtype=np.int64)
    size = 1 << 16
    slots = np.full(size, -1, dtype=np.int64)
    found = np.empty(size // 2, dtype=np.int64)
    count = 0
    for i in range(first.shape[0]):
        for j in range(i + 1 if same else second.shape[0]):
            number = first[i] + second[j]
            slot = ((number * 0x9E3779B97F4A7C1) >> 20) & (size - 1)
            while slots[slot] >= 0 and found[slots[slot]] != number:
                slot = (slot + 1) & (size - 1)
            if slots[slot] < 0:
                slots[slot] = count
                found[count] = number
                count += 1
            which[i, j] = slots[slot]
            if count == size // 2:
                size *= 4
                slots = np.full(size, -1, dtype=np.int64)
                more = np.empty(size // 2, dtype=np.int64)
                for old in range(count):
                    more[old] = found[old]
                found = more
                for old in range(count):
                    slot = ((found[old] * 0x9E3779B97F4A7C1) >> 20) & (size - 1)
                    while slots[slot] >= 0:
                        slot = (slot + 1) & (size - 1)
                    slots[slot] = old
    return found[:count].copy(), which


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
                stand += ends[row, 0, end] * plain[pays[position], end]
                stand_doubled += ends[row, 0, end] * doubled[pays[position], end]
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
                value += ends[row[position], 0, end] * plain[pays[position], end]
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
                            double += copies * ends[row[to], 0, end] * doubled[pays[to], end]
                    else:
                        double += copies * doubled[0, 0]
            if options[position] & (1 << HIT):
                value = max(value, hit / (total - 2))
            if options[position] & (1 << DOUBLE):
                value = max(value, double / (total - 2))
        best[position] = value
    whole: float = best[positions - 1]
    return whole


@compiled
def both_kinds(which: Ints, rows: int, ways: Floats, kind: Ints, pair: Ints, pairs: int) -> Floats:
    """In how many orders two last hands of these kinds leave each composition.

    The last hands are `ways` orders of cards of a `kind`, and `pair` numbers two kinds. Two
    different hands come in two orders.
    """
    counts = np.zeros((rows, pairs))
    for first in range(which.shape[0]):
        for second in range(first + 1):
            often = ways[first] * ways[second] * (2.0 if second < first else 1.0)
            counts[which[first, second], pair[kind[first], kind[second]]] += often
    return counts


@compiled
def together(
    counts: Floats,
    ends: Floats,
    drawn: Ints,
    hidden: Ints,
    holes: int,
    falling: Floats,
    unseen: Floats,
    prime: float,
) -> Floats:
    """How likely two last hands of each pair of kinds meet each end of the dealer, modulo a prime.

    One order of the cards `drawn` by both has the chance that `falling` (ways to take so many of a
    value) and `unseen` (one over the ways to take so many of all) give; `hidden` values may lie
    under the up card, which leaves them that much fewer. Every count is below the prime.
    """
    rows, pairs = counts.shape
    over = 1.0 / prime
    out = np.zeros((pairs, 7))
    for row in range(rows):
        size = 0
        gone = 0
        chance = 1.0
        for card in range(10):
            size += drawn[row, card]
            gone += drawn[row, card] * hidden[card]
            chance = times(chance, falling[card, drawn[row, card]], prime, over)
        if gone >= holes or chance == 0.0:
            continue
        chance = reduced(times(chance, unseen[size], prime, over) * (holes - gone), prime, over)
        for one in range(pairs):
            if counts[row, one] == 0.0:
                continue
            often = times(chance, counts[row, one], prime, over)
            for end in range(7):
                if ends[row, 0, end] > 0.0:
                    total = out[one, end] + times(often, ends[row, 0, end], prime, over)
                    out[one, end] = total - prime if total >= prime else total
    return out


@compiled
def orders(child: Ints, policy: Actions, start: int) -> tuple[Floats, Floats]:
    """In how many orders of cards play comes to each position: undoubled, and doubled."""
    drawn = np.zeros(child.shape[0])
    doubled = np.zeros(child.shape[0])
    drawn[start] = 1.0
    for position in range(start, -1, -1):
        for card in range(10):
            to = child[position, card]
            if to >= 0 and policy[position] == HIT:
                drawn[to] += drawn[position]
            elif to >= 0 and policy[position] == DOUBLE:
                doubled[to] += drawn[position]
    return drawn, doubled
