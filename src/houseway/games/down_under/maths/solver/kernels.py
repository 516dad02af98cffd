"""The compiled loops: where the dealer ends for many compositions, and the player's play.

`dealer_ways` works in two arithmetics with the same code. With `prime` 0 numbers are ordinary
doubles. With a prime below 2**43 every number is a whole number modulo that prime, kept in a double:
a sum over the cards left is at most 1,000 times a residue, below 2**53, so no sum is ever rounded and
the loops stay as wide as the machine's vectors. Several primes together give the exact number of ways
(see `exact`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numba import njit

from houseway.games.down_under.maths.solver.arrays import (
    DOUBLE,
    HIT,
    STAND,
    Actions,
    Floats,
    Ints,
)

P = ParamSpec("P")
T = TypeVar("T")

#: compositions worked on side by side: enough to fill vectors, few enough to stay in the cache
LANES = 64


def compiled(function: Callable[P, T]) -> Callable[P, T]:
    """Compile, keeping the machine code where a directory for it can be written."""
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    try:
        done: Callable[P, T] = njit(cache=True, **options)(function)
    except RuntimeError:
        done = njit(**options)(function)
    return done


@compiled
def reduced(number: float, prime: float, over: float) -> float:
    """A whole number below 2**53 in size, modulo the prime; `over` is one over the prime.

    It may come out a few units below 0 or above the prime: good enough to go on with.
    """
    rest: float = number - np.floor(number * over) * prime
    return rest


@compiled
def dealer_ways(
    left: Ints,
    unseen: Ints,
    falling: Floats,
    pad: Floats,
    up: int,
    holes: Ints,
    before_from: Ints,
    before: Ints,
    sums_from: Ints,
    terms_from: Ints,
    terms: Ints,
    uses_from: Ints,
    uses: Ints,
    primes: Floats,
) -> Floats:
    """In how many ways the dealer ends where, for each composition left and each prime.

    `left` are compositions without the player's cards, the dealer's two still among them. The ways
    to a composition are those to take the missing cards from those `unseen` (`falling`, by card and
    number) times `pad` by how many are missing. The other arrays are those of `dealer.Dealer`.

    Many compositions are worked on side by side, since the same is done to all of them.
    """
    rows, hands, sizes = left.shape[0], before_from.shape[0] - 1, sums_from.shape[0]
    out = np.zeros((rows, primes.shape[0], 7))
    ways = np.zeros((hands, LANES))
    shoe = np.full((11, LANES), -1.0)
    cards = np.zeros(LANES)
    whole = np.zeros(LANES)
    ends = np.zeros((6, LANES))
    one = np.zeros(LANES)
    used = np.zeros(LANES, dtype=np.int64)
    hidden = np.zeros(LANES)
    for first in range(0, rows, LANES):
        for lane in range(LANES):
            row = min(first + lane, rows - 1)
            cards[lane] = 0.0
            used[lane] = 0
            hidden[lane] = -holes[up]
            for card in range(10):
                shoe[card, lane] = left[row, card]
                cards[lane] += left[row, card]
                used[lane] += unseen[card] - left[row, card]
                hidden[lane] += left[row, card] * holes[card]
        for number in range(primes.shape[0]):
            prime = primes[number]
            over = 1.0 / prime if prime > 0.0 else 0.0
            start = ways[0]
            whole_prime = np.int64(prime)
            for lane in range(LANES):
                start[lane] = pad[number, used[lane]] if prime > 0.0 else 1.0
            if prime > 0.0:
                # a product does not fit a double, but its remainder does: both products wrap around
                # in 64 bits in the same way, and their difference is about as small as the prime
                for card in range(10):
                    taken, copies, most = falling[number, card], shoe[card], float(unseen[card])
                    for lane in range(LANES):
                        one[lane] = taken[np.uint64(most - copies[lane])]
                    for lane in range(LANES):
                        quotient = np.int64(start[lane] * one[lane] * over)
                        start[lane] = (
                            np.int64(start[lane]) * np.int64(one[lane]) - quotient * whole_prime
                        )
            for lane in range(LANES):
                whole[lane] = start[lane] * max(hidden[lane], 0)
            for hand in range(1, hands):
                into = ways[hand]
                for lane in range(LANES):
                    one[lane] = 0.0
                for line in range(before_from[hand], before_from[hand + 1]):
                    what, copies = ways[before[line, 0]], shoe[before[line, 1]]
                    has = float(before[line, 2])
                    for lane in range(LANES):
                        one[lane] += what[lane] * (copies[lane] - has)
                for lane in range(LANES):
                    into[lane] = reduced(one[lane], prime, over)
            for end in range(6):
                for lane in range(LANES):
                    ends[end, lane] = 0.0
            for size in range(1, sizes):
                for end in range(6):
                    into = ends[end]
                    for lane in range(LANES):
                        into[lane] *= max(cards[lane] - size, 1.0)
                for each in range(sums_from[size - 1], sums_from[size]):
                    for lane in range(LANES):
                        one[lane] = 0.0
                    for line in range(terms_from[each], terms_from[each + 1]):
                        what = ways[terms[line, 0]]
                        factor = float(terms[line, 1])
                        for lane in range(LANES):
                            one[lane] += factor * what[lane]
                    for lane in range(LANES):
                        one[lane] = reduced(one[lane], prime, over)
                    for line in range(uses_from[each], uses_from[each + 1]):
                        into, copies = ends[uses[line, 0]], shoe[uses[line, 1]]
                        for lane in range(LANES):
                            into[lane] += copies[lane] * one[lane]
                for end in range(6):
                    into = ends[end]
                    for lane in range(LANES):
                        into[lane] = reduced(into[lane], prime, over)
                if size > 1:
                    for lane in range(LANES):
                        whole[lane] *= max(cards[lane] - size, 1.0)
                for lane in range(LANES):
                    whole[lane] = reduced(whole[lane], prime, over)
            for lane in range(min(LANES, rows - first)):
                bust = whole[lane]
                for end in range(6):
                    out[first + lane, number, end] = ends[end, lane]
                    bust -= ends[end, lane]
                out[first + lane, number, 6] = reduced(bust, prime, over)
                for end in range(7):
                    rest = out[first + lane, number, end]
                    if rest < 0.0:
                        out[first + lane, number, end] = rest + prime
                    elif prime > 0.0 and rest >= prime:
                        out[first + lane, number, end] = rest - prime
    return out


@compiled
def play(
    left: Ints,
    ends: Floats,
    row: Ints,
    child: Ints,
    pays: Ints,
    may: Ints,
    follows: Ints,
    plain: Floats,
    doubled: Floats,
    is_up: Floats,
    is_hole: Floats,
    policy: Actions,
    choose: bool,
) -> tuple[Floats, Floats]:
    """What each position is worth in each case, and the value of standing, hitting, doubling, and of
    standing doubled; hitting and doubling only where the hand may.

    With `choose` the best action is written into `policy` (an earlier one wins a tie), or copied
    from the position that it `follows`; without it the policy is as given.

    The next card is any card left except the hole card, so a card of the hole card's range is that
    much less likely: with r cards left in the range and n in all, each of them comes with chance
    (r - 1) / r / (n - 1).
    """
    positions, cases = policy.shape
    values = np.zeros((positions, 4, cases))
    best = np.zeros((positions, cases))
    hidden = np.zeros(cases)
    weight = np.zeros((10, cases))
    # a bust loses what the lowest total loses to a 17
    lost = np.full((2, cases), plain[0, 0])
    lost[1, :] = doubled[0, 0]
    for position in range(positions):
        shoe = left[row[position]]
        total = 0
        possible = True
        for card in range(10):
            total += shoe[card]
            possible &= shoe[card] >= 0
        if not possible:
            continue
        stand, hit = values[position, STAND], values[position, HIT]
        double, standing = values[position, DOUBLE], values[position, 3]
        for end in range(7):
            chance = ends[row[position], end]
            wins, wins_doubled = plain[pays[position], end], doubled[pays[position], end]
            for case in range(cases):
                stand[case] += chance[case] * wins
            for case in range(cases):
                standing[case] += chance[case] * wins_doubled
        if may[position] & ((1 << HIT) | (1 << DOUBLE)):
            for case in range(cases):
                hidden[case] = 0.0
            for card in range(10):
                mine, copies = is_hole[card], weight[card]
                for case in range(cases):
                    copies[case] = max(0.0, shoe[card] - is_up[card, case])
                for case in range(cases):
                    hidden[case] += copies[case] * mine[case]
            for card in range(10):
                to = child[position, card]
                mine, copies = is_hole[card], weight[card]
                won, won_doubled = lost[0], lost[1]
                if to >= 0:
                    won, won_doubled = best[to], values[to, 3]
                # short loops with few arrays: those become vectors
                for case in range(cases):
                    copies[case] *= hidden[case] - mine[case]
                for case in range(cases):
                    hit[case] += copies[case] * won[case]
                if may[position] & (1 << DOUBLE):
                    for case in range(cases):
                        double[case] += copies[case] * won_doubled[case]
            for case in range(cases):
                # the total counts the up card and the hole card too
                orders = max(1.0, hidden[case] * (total - 2))
                hit[case] /= orders
                double[case] /= orders
        for case in range(cases):
            action = policy[position, case]
            if choose:
                action = -1
                if follows[position] >= 0:
                    action = policy[follows[position], case]
                else:
                    for other in range(3):
                        if may[position] & (1 << other) and (
                            action < 0 or values[position, other, case] > best[position, case]
                        ):
                            action = other
                            best[position, case] = values[position, other, case]
                policy[position, case] = action
            best[position, case] = values[position, action, case] if action >= 0 else 0.0
    return best, values


@compiled
def orders(child: Ints, policy: Actions, starts: Floats) -> tuple[Floats, Floats]:
    """In how many orders of cards play comes to each position and case: undoubled, and doubled.

    Positions are taken from the end here, so that one is complete before its cards go on.
    """
    positions, cases = starts.shape
    drawn = starts.copy()
    doubled = np.zeros((positions, cases))
    for position in range(positions - 1, -1, -1):
        comes = False
        for case in range(cases):
            comes |= drawn[position, case] > 0.0 and policy[position, case] >= HIT
        if not comes:
            continue
        for card in range(10):
            to = child[position, card]
            if to < 0:
                continue
            for case in range(cases):
                if policy[position, case] == HIT:
                    drawn[to, case] += drawn[position, case]
                elif policy[position, case] == DOUBLE:
                    doubled[to, case] += drawn[position, case]
    return drawn, doubled


@compiled
def sums_of(first: Ints, second: Ints, same: bool) -> tuple[Ints, Ints]:
    """All different sums of one number of each kind, and which of them each pair makes.

    Where both kinds are the `same`, only pairs are looked at whose second does not come later. A set
    of cards is one whole number, five bits for each value, so that the cards of two hands together
    are the sum of two numbers.
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
def together(
    which: Ints, ends: Ints, orders: Ints, kind: Ints, pair: Ints, pairs: int, primes: Ints
) -> Ints:
    """In how many ways two last hands of each pair of kinds meet each end of the dealer.

    The last hands come in so many `orders`; `which` says where in `ends` the ways of two of them are
    (modulo each prime, all ends of one prime after those of another), and `pair` numbers two kinds.
    Two different hands come in two orders. No sum overflows: see `distribution`.
    """
    kinds, width = pair.shape[0], ends.shape[1]
    out = np.zeros((pairs, width), dtype=np.int64)
    sums = np.zeros((kinds, width), dtype=np.int64)
    for first in range(which.shape[0]):
        last = kind[first]
        for other in range(last + 1):
            for place in range(width):
                sums[other, place] = 0
        for second in range(first + 1):
            often = orders[second] * (2 if second < first else 1)
            into, what = sums[kind[second]], ends[which[first, second]]
            for place in range(width):
                into[place] += often * what[place]
        for other in range(last + 1):
            into, what = out[pair[last, other]], sums[other]
            for place in range(width):
                into[place] += what[place] % primes[place // 7] * orders[first]
    for one in range(pairs):
        for place in range(width):
            out[one, place] %= primes[place // 7]
    return out
