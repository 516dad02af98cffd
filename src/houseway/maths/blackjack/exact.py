"""The worth of a way to play as an exact fraction, and near ties decided exactly.

The kernels run once for each of several primes. The bet's value, times all the orders in which the
longest round can lay its cards, is a whole number; its residues give it back (Chinese remainder
theorem) as soon as the primes together exceed twice its size, and one prime more checks it.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import perm

import numpy as np
from numpy.typing import NDArray

from houseway.maths.blackjack.kernels import Floats
from houseway.maths.blackjack.solve import Play, bet_value, split_values
from houseway.maths.blackjack.table import Table, dealer_arrays


def is_prime(number: int) -> bool:
    """Miller and Rabin's test; these bases are proven to suffice below 3.3e24."""
    if number < 2 or any(number % small == 0 for small in (2, 3, 5, 7, 11, 13)):
        return number in (2, 3, 5, 7, 11, 13)
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41):
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


class Remainders:
    """A whole number put together from its residues."""

    def __init__(self) -> None:
        self.modulus = 1
        self.residue = 0

    def add(self, residue: int, prime: int) -> None:
        step = (residue - self.residue) * pow(self.modulus, -1, prime) % prime
        self.residue += self.modulus * step
        self.modulus *= prime

    @property
    def nearest_zero(self) -> int:
        return self.residue - self.modulus if 2 * self.residue > self.modulus else self.residue


def reached(play: Play) -> NDArray[np.bool_]:
    """The positions that this way to play can come to in any case."""
    keep = play.came.any(axis=(1, 2))
    follows = play.table.states.follows
    kept: NDArray[np.bool_] = keep | (keep[follows] & (follows >= 0))
    return kept


def exact_value(play: Play) -> Fraction:
    """What one unit bet wins on average, exactly."""
    table = play.table
    keep = reached(play)
    # every deal must find its position, be it split or not
    keep[[deal.position for deal in table.deals]] = True
    narrow = Table(table.rules, table.shoe, table.states.only(keep))
    policy = play.policy[keep]
    dealer = dealer_arrays(table.rules.dealer_soft_22 == "stands", table.rules.soft_17 == "hits")
    longest = int(narrow.states.removed.sum(axis=1).max()) + dealer.most_cards
    in_shoe = sum(table.shoe)
    denominator = table.rules.blackjack_pays.denominator * perm(in_shoe, min(longest, in_shoe))

    whole = Remainders()
    # a round wins or loses at most eight bets (four hands, doubled)
    which = 0
    while True:
        modulus = prime(which)
        values = narrow.values(policy, prime=modulus)
        splits = split_values(narrow, values, policy, modulus)
        played = Play(narrow, policy, play.hands, values, splits)
        residue = int(bet_value(played, values, splits, modulus)) * denominator % modulus
        if whole.modulus > 16 * denominator:
            if whole.nearest_zero % modulus != residue:
                raise ArithmeticError("the primes do not agree")
            return Fraction(whole.nearest_zero, denominator)
        whole.add(residue, modulus)
        which += 1
