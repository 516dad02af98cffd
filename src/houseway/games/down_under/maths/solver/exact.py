"""The worth of a way to play as an exact fraction, and near ties decided exactly.

The kernels run once for each of several primes. A value, times all the orders in which the longest
round can lay its cards, is a whole number; its residues give it back (Chinese remainder theorem) as
soon as the primes together exceed twice its size, and one prime more checks it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import lcm, perm

import numpy as np

from houseway.games.down_under.maths.solver.game_arrays import Table
from houseway.games.down_under.maths.solver.hands import ACE, TEN
from houseway.games.down_under.maths.solver.kernels import DOUBLE, HIT, STAND
from houseway.games.down_under.maths.solver.quantities import Counted, net
from houseway.games.down_under.maths.solver.solve import Play, average, evaluate, split_values


def is_prime(number: int) -> bool:
    """Miller and Rabin's test; these bases are proven to suffice below 3.3e24."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
    if number < 2 or any(number % base == 0 for base in bases):
        return number in bases
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in bases:
        power = pow(base, odd, number)
        if power in (1, number - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True


@cache
def prime(which: int) -> int:
    """The largest primes below 2**43, the size that the kernels can carry without rounding."""
    below = 2**43 if which == 0 else prime(which - 1)
    return next(number for number in range(below - 1, 0, -1) if is_prime(number))


def from_residues(
    residues_of: Callable[[int], Sequence[int]], sizes: Sequence[int], *, check: bool = True
) -> list[int]:
    """Whole numbers no larger than `sizes`, positive or negative, from their residues.

    `residues_of` gives the residues of all of them for a prime. Unless the caller has a check of
    his own, the prime after the last that is needed must agree.
    """
    modulus, found = 1, [0] * len(sizes)
    which = 0
    while modulus <= 2 * max(sizes, default=0):
        back = pow(modulus, -1, prime(which))
        for number, residue in enumerate(residues_of(prime(which))):
            found[number] += modulus * ((residue - found[number]) * back % prime(which))
        modulus *= prime(which)
        which += 1
    signed = [one - modulus if 2 * one > modulus else one for one in found]
    if check:
        more = zip(signed, residues_of(prime(which)), strict=True)
        if any((one - other) % prime(which) for one, other in more):
            raise ArithmeticError("the primes do not agree on a whole number")
    return signed


def longest(table: Table) -> int:
    """Most cards that a player's hand, the other cards of its pair and the dealer can use."""
    cards = int(table.states.removed.sum(axis=1).max()) + table.dealer.most_cards
    return min(cards, sum(table.shoe))


def exactly(*asked: tuple[Play, Sequence[Counted]]) -> list[list[Fraction]]:
    """Averages over all rounds of what is counted, exact, for ways to play at one table.

    Only positions are looked at that one of them comes to, and the two cards of every deal.
    """
    table = asked[0][0].table
    keep = np.zeros(len(table.states.row), dtype=np.bool_)
    keep[[deal.position for deal in table.deals]] = True
    for play, _ in asked:
        keep |= np.any(play.came > 0, axis=(1, 2))
    keep |= (table.states.follows >= 0) & keep[table.states.follows]
    narrow = Table(
        table.rules, table.shoe, only_cases=table.cases, positions=table.states.only(keep)
    )
    orders = perm(sum(table.shoe), longest(narrow))
    denominators = [
        orders
        * lcm(*(share.denominator for share in count.blackjacks))
        * _weighed_in(narrow, count)
        for _, counted in asked
        for count in counted
    ]

    def residues(modulus: int) -> list[int]:
        ends = narrow.ends(narrow.left, modulus)
        means = []
        for play, counted in asked:
            worth = narrow.tally(ends, play.policy[keep], counted, modulus)
            for place, count in enumerate(counted):
                splits = split_values(narrow, worth[:, :, place], modulus)
                means.append(
                    average(narrow, play.hands, count, worth[:, :, place], splits, modulus)
                )
        return [int(mean) * one % modulus for mean, one in zip(means, denominators, strict=True)]

    wholes = from_residues(residues, [Counted.most * one for one in denominators])
    found = iter(zip(wholes, denominators, strict=True))
    return [[Fraction(*next(found)) for _ in counted] for _, counted in asked]


def _weighed_in(table: Table, counted: Counted) -> int:
    """A whole number that makes every factor of what is counted one."""
    weigh = counted.weigh
    if weigh is None:
        return 1
    dealt = {table.dealt(deal) for deal in table.deals}
    dealt |= {(up, ACE, TEN) for up in range(10)}
    return lcm(*(weigh(*cards).denominator for cards in dealt))


def exact_value(play: Play) -> Fraction:
    """What one unit bet wins on average, exactly."""
    return exactly((play, [net(play.table.rules)]))[0][0]


@dataclass(frozen=True, slots=True)
class Tie:
    """Two choices too close for doubles: at a position, or (`pair`) whether to split."""

    case: int
    position: int
    pair: int
    #: actions, or numbers of hands, the chosen one first
    choices: tuple[int, int]


def near_ties(play: Play, within: float = 1e-9) -> list[Tie]:
    """The decisions of this play that doubles cannot be trusted with. Where it never comes, none."""
    found = []
    table = play.table
    comes = play.came[:, :, 0] > 0
    for other in (STAND, HIT, DOUBLE):
        may = (table.states.may & (1 << other) != 0)[:, None] & (play.policy != other)
        close = comes & may & (play.worth - play.values[:, :, other] < within)
        found += [
            Tie(case, position, -1, (int(play.policy[position, case]), other))
            for position, case in np.argwhere(close).tolist()
        ]
    for deal in table.deals:
        if deal.pair < 0:
            continue
        worth = [play.by_itself(deal), 0.0, *play.splits[deal.pair, deal.case].tolist()]
        chosen = play.hands[deal.pair, deal.case]
        found += [
            Tie(deal.case, -1, deal.pair, (int(chosen), other))
            for other in (0, 2, 3, 4)
            if other != chosen and worth[chosen] - worth[other] < within
        ]
    return found


def decided(play: Play, within: float = 1e-9) -> Play:
    """The same play with its near ties decided by the exact worth of the game."""
    for tie in near_ties(play, within):
        policy, hands = play.policy.copy(), play.hands.copy()
        if tie.position >= 0:
            policy[tie.position, tie.case] = tie.choices[1]
        else:
            hands[tie.pair, tie.case] = tie.choices[1]
        other = evaluate(play.table, policy, hands)
        if exact_value(other) > exact_value(play):
            play = other
    return play
