"""The compiled loops: where the dealer ends for many compositions, and the player's play.

They work in two arithmetics with the same code. With `prime` 0 numbers are ordinary doubles. With a
prime below 2**43 every number is a whole number modulo that prime, kept in a double: a sum over the
cards left is at most 512 times a residue, below 2**53, so no sum is ever rounded and the loops stay
as wide as the machine's vectors. Several primes together give the exact fraction (see `exact`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

P = ParamSpec("P")
T = TypeVar("T")
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Actions = NDArray[np.int8]

STAND, HIT, DOUBLE = range(3)
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
    """A whole number below 2**53 in size, modulo the prime; `over` is one over the prime."""
    rest: float = number - np.floor(number * over) * prime
    # the quotient may be one off, never more
    rest = rest + prime if rest < 0.0 else rest
    return rest - prime if rest >= prime else rest


@compiled
def times(left: float, right: float, prime: float, over: float) -> float:
    """The product of two residues, modulo the prime.

    It does not fit a double, but its remainder does: both products below wrap around in 64 bits in
    the same way, and their difference is small.
    """
    quotient = np.int64(left * right * over)
    rest = np.int64(left) * np.int64(right) - quotient * np.int64(prime)
    rest = rest + np.int64(prime) if rest < 0 else rest
    return np.float64(rest - np.int64(prime) if rest >= np.int64(prime) else rest)


@compiled
def dealer_ends(
    left: Ints,
    cards_of: Ints,
    end_card: Ints,
    end_has: Ints,
    goes_from: Ints,
    goes: Ints,
    starts: Ints,
    case_up: Ints,
    case_hole: Ints,
    scale: Floats,
    unscale: Floats,
    inverse: Floats,
    prime: float,
) -> Floats:
    """How likely the dealer ends where, for each composition left and each case of up and hole.

    `left` are compositions without the player's cards, the dealer's two still among them. A node is
    an unfinished hand of the dealer: the sum over the next card of how many are left of it times
    what it leads to. Nothing is divided until the end, because an end reached with k cards counts
    `scale[cards left, k]`, all the ways to lay out the cards that longer hands would have used.
    To each end but a bust leads one card at most: `end_card`, of which the hand has `end_has`
    (card 10 is none). Lines of `goes` are next card, how many of it the hand has, and the node it
    goes on to; a node's lines start at `goes_from`. What is missing to one is the bust.

    Many compositions are worked on side by side, since the same is done to all of them.
    """
    rows, nodes, cases = left.shape[0], cards_of.shape[0], case_up.shape[0]
    over = 1.0 / prime if prime > 0.0 else 0.0
    out = np.zeros((rows, cases, 7))
    ways = np.zeros((nodes, 6, LANES))
    shoe = np.zeros((11, LANES))
    total = np.zeros(LANES, dtype=np.int64)
    sums = np.zeros((6, LANES))
    one = np.zeros(LANES)
    copies = np.zeros(LANES)
    for first in range(0, rows, LANES):
        for lane in range(LANES):
            row = min(first + lane, rows - 1)
            count = 0
            for card in range(10):
                # a composition that cannot be is worked on too, and left out below
                shoe[card, lane] = max(0, left[row, card])
                count += max(0, left[row, card])
            total[lane] = count
        for node in range(nodes):
            for lane in range(LANES):
                one[lane] = scale[total[lane], cards_of[node] + 1]
            for end in range(6):
                has = float(end_has[node, end])
                card = end_card[node, end]
                for lane in range(LANES):
                    sums[end, lane] = max(0.0, shoe[card, lane] - has) * one[lane]
            for line in range(goes_from[node], goes_from[node + 1]):
                card, to = goes[line, 0], goes[line, 2]
                has = float(goes[line, 1])
                for lane in range(LANES):
                    copies[lane] = max(0.0, shoe[card, lane] - has)
                for end in range(6):
                    into, what = sums[end], ways[to, end]
                    for lane in range(LANES):
                        into[lane] += copies[lane] * what[lane]
            if prime > 0.0:
                for end in range(6):
                    into, what = ways[node, end], sums[end]
                    for lane in range(LANES):
                        into[lane] = reduced(what[lane], prime, over)
            else:
                # by hand: for `ways[node] = sums` Numba compiles what it would say if shapes differed
                for end in range(6):
                    into, what = ways[node, end], sums[end]
                    for lane in range(LANES):
                        into[lane] = what[lane]
        for lane in range(min(LANES, rows - first)):
            row = first + lane
            possible = True
            for card in range(10):
                possible &= left[row, card] >= 0
            if not possible:
                continue
            for case in range(cases):
                up = case_up[case]
                holes = 0
                sums[:, 0] = 0.0
                for hole in range(10):
                    if case_hole[case, hole] == 0:
                        continue
                    count = max(0, left[row, hole] - (hole == up))
                    holes += count
                    to = starts[up, hole]
                    if to < 0:
                        sums[-1 - to, 0] += count * scale[total[lane], 2]
                    else:
                        for end in range(6):
                            sums[end, 0] += count * ways[to, end, lane]
                if holes == 0 or left[row, up] == 0:
                    continue
                bust = 1.0
                if prime > 0.0:
                    back = times(unscale[total[lane]], inverse[holes], prime, over)
                    for end in range(6):
                        share = reduced(sums[end, 0], prime, over)
                        out[row, case, end] = times(share, back, prime, over)
                        bust -= out[row, case, end]
                    bust = reduced(bust, prime, over)
                else:
                    back = unscale[total[lane]] * inverse[holes]
                    for end in range(6):
                        out[row, case, end] = sums[end, 0] * back
                        bust -= out[row, case, end]
                out[row, case, 6] = bust
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
    case_up: Ints,
    case_hole: Ints,
    inverse: Floats,
    prime: float,
    policy: Actions,
    choose: bool,
) -> Floats:
    """The value of standing, hitting, doubling, and of standing doubled, at each position and case.

    With `choose` the best action is written into `policy` (an earlier one wins a tie), or copied
    from the position that it `follows`; without it the policy is as given.

    The next card is any card left except the hole card, so a card of the hole card's range is that
    much less likely: with r cards left in the range and n in all, each of them comes with chance
    (r - 1) / r / (n - 1).
    """
    positions, cases = row.shape[0], case_up.shape[0]
    over = 1.0 / prime if prime > 0.0 else 0.0
    values = np.zeros((positions, cases, 4))
    best = np.zeros((positions, cases))
    # a bust loses what the lowest total loses to a 17
    lost, lost_doubled = plain[0, 0], doubled[0, 0]
    for position in range(positions):
        shoe = left[row[position]]
        total = 0
        possible = True
        for card in range(10):
            total += shoe[card]
            possible &= shoe[card] >= 0
        if not possible:
            continue
        for case in range(cases):
            up = case_up[case]
            holes = 0
            for card in range(10):
                if case_hole[case, card]:
                    holes += max(0, shoe[card] - (card == up))
            if holes == 0 or shoe[up] == 0:
                continue
            stand, stand_doubled = 0.0, 0.0
            for end in range(7):
                chance = ends[row[position], case, end]
                stand += chance * plain[pays[position], end]
                stand_doubled += chance * doubled[pays[position], end]
            if prime > 0.0:
                stand = reduced(stand, prime, over)
                stand_doubled = reduced(stand_doubled, prime, over)
            values[position, case, 0] = stand
            values[position, case, 3] = stand_doubled
            hit_in, hit_out, double_in, double_out = 0.0, 0.0, 0.0, 0.0
            for card in range(10):
                copies = float(max(0, shoe[card] - (card == up)))
                to = child[position, card]
                won, won_doubled = lost, lost_doubled
                if to >= 0:
                    won, won_doubled = best[to, case], values[to, case, 3]
                if case_hole[case, card]:
                    hit_in += copies * won
                    double_in += copies * won_doubled
                else:
                    hit_out += copies * won
                    double_out += copies * won_doubled
            # the total counts the up card and the hole card too
            if prime > 0.0:
                hit_in, hit_out = reduced(hit_in, prime, over), reduced(hit_out, prime, over)
                double_in = reduced(double_in, prime, over)
                double_out = reduced(double_out, prime, over)
                hit = reduced(hit_out * holes + hit_in * (holes - 1), prime, over)
                double = reduced(double_out * holes + double_in * (holes - 1), prime, over)
                chance = times(inverse[total - 2], inverse[holes], prime, over)
                hit, double = times(hit, chance, prime, over), times(double, chance, prime, over)
            else:
                chance = inverse[total - 2] * inverse[holes]
                hit = (hit_out * holes + hit_in * (holes - 1)) * chance
                double = (double_out * holes + double_in * (holes - 1)) * chance
            values[position, case, 1] = hit
            values[position, case, 2] = double
            action = policy[position, case]
            if choose:
                action = -1
                if follows[position] >= 0:
                    action = policy[follows[position], case]
                else:
                    for other in range(3):
                        if may[position] & (1 << other) and (
                            action < 0
                            or values[position, case, other] > values[position, case, action]
                        ):
                            action = other
                policy[position, case] = action
            if action >= 0:
                best[position, case] = values[position, case, action]
    return values


@compiled
def tally(
    left: Ints,
    ends: Floats,
    row: Ints,
    child: Ints,
    pays: Ints,
    plain: Floats,
    doubled: Floats,
    case_up: Ints,
    case_hole: Ints,
    inverse: Floats,
    prime: float,
    policy: Actions,
) -> Floats:
    """Averages of several things at once under a given policy, at each position and case.

    `plain` and `doubled` have one table for each thing counted. A doubled hand is counted where it
    was doubled; nothing is worked out but what the policy does.
    """
    positions, cases, things = row.shape[0], case_up.shape[0], plain.shape[0]
    over = 1.0 / prime if prime > 0.0 else 0.0
    out = np.zeros((positions, cases, things))
    inside = np.zeros(things)
    outside = np.zeros(things)
    for position in range(positions):
        shoe = left[row[position]]
        total = 0
        possible = True
        for card in range(10):
            total += shoe[card]
            possible &= shoe[card] >= 0
        if not possible:
            continue
        for case in range(cases):
            up = case_up[case]
            action = policy[position, case]
            if action < 0 or shoe[up] == 0:
                continue
            if action == STAND:
                for thing in range(things):
                    number = 0.0
                    for end in range(7):
                        number += ends[row[position], case, end] * plain[thing, pays[position], end]
                    if prime > 0.0:
                        number = reduced(number, prime, over)
                    out[position, case, thing] = number
                continue
            holes = 0
            inside[:] = 0.0
            outside[:] = 0.0
            for card in range(10):
                copies = max(0, shoe[card] - (card == up))
                hidden = case_hole[case, card] > 0
                if hidden:
                    holes += copies
                if copies == 0:
                    continue
                to = child[position, card]
                for thing in range(things):
                    if action == HIT:
                        number = out[to, case, thing] if to >= 0 else plain[thing, 0, 0]
                    elif to >= 0:
                        number = 0.0
                        for end in range(7):
                            number += ends[row[to], case, end] * doubled[thing, pays[to], end]
                        if prime > 0.0:
                            number = reduced(number, prime, over)
                    else:
                        number = doubled[thing, 0, 0]
                    if hidden:
                        inside[thing] += copies * number
                    else:
                        outside[thing] += copies * number
            if holes == 0:
                continue
            if prime > 0.0:
                chance = times(inverse[total - 2], inverse[holes], prime, over)
                for thing in range(things):
                    drawn = reduced(outside[thing], prime, over) * holes
                    drawn += reduced(inside[thing], prime, over) * (holes - 1)
                    out[position, case, thing] = times(
                        reduced(drawn, prime, over), chance, prime, over
                    )
            else:
                chance = inverse[total - 2] * inverse[holes]
                for thing in range(things):
                    drawn = outside[thing] * holes + inside[thing] * (holes - 1)
                    out[position, case, thing] = drawn * chance
    return out


@compiled
def reach(
    left: Ints,
    row: Ints,
    child: Ints,
    case_up: Ints,
    case_hole: Ints,
    policy: Actions,
    dealt: Floats,
) -> Floats:
    """How likely play comes to each position and case: undoubled, and as a doubled hand's last.

    `dealt` is the chance with which play starts at a position. Positions are taken from the other
    end here, so that one is complete before its cards go on to the next.
    """
    positions, cases = dealt.shape
    came = np.zeros((positions, cases, 2))
    for position in range(positions - 1, -1, -1):
        shoe = left[row[position]]
        total = shoe.sum()
        for case in range(cases):
            came[position, case, 0] += dealt[position, case]
            here = came[position, case, 0]
            action = policy[position, case]
            if here <= 0.0 or action < HIT:
                continue
            up = case_up[case]
            holes = 0
            for card in range(10):
                if case_hole[case, card]:
                    holes += shoe[card] - (card == up)
            for card in range(10):
                to = child[position, card]
                if to < 0:
                    continue
                copies = float(shoe[card] - (card == up))
                if case_hole[case, card]:
                    copies *= (holes - 1) / holes
                came[to, case, action - HIT] += here * copies / (total - 2)
    return came
