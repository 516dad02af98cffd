"""What can be counted over a round: its net result, what was staked, or how often something happens.

A count says what a hand left standing adds for each end of the dealer, plain and doubled, and what a
round adds that a blackjack ends. Its average over all rounds is then one run of the solver.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import numpy as np

from houseway.games.down_under.maths.solver.arrays import Floats
from houseway.games.down_under.maths.solver.hands import TEN
from houseway.games.down_under.maths.solver.variant import Variant, payoffs

#: up card, and the player's two cards, the lower value first -> a factor
Weigh: TypeAlias = Callable[[int, int, int], Fraction]


@dataclass(frozen=True)
class Counted:
    """Tables as `rules.payoffs` lays them out; blackjack of the player alone, the dealer alone, both."""

    plain: tuple[tuple[int, ...], ...]
    doubled: tuple[tuple[int, ...], ...]
    blackjacks: tuple[Fraction, Fraction, Fraction]
    #: what a round with a split adds, where that is not the sum over its hands
    split: int | None = None
    #: what a round counts by its up card and the player's two cards, where not all count alike
    weigh: Weigh | None = None

    @cached_property
    def arrays(self) -> tuple[Floats, Floats]:
        return np.array(self.plain, dtype=np.float64), np.array(self.doubled, dtype=np.float64)

    #: no average is larger than this: four hands, doubled, and both of two cards counted
    most = 16


def net(rules: Variant) -> Counted:
    """What the round wins, in bets."""
    plain, doubled = payoffs(rules)
    return Counted(plain, doubled, (rules.blackjack_pays, Fraction(-1), Fraction(0)))


def staked() -> Counted:
    """All that is put down on the hands: the bet, and what doubling and splitting add."""
    return Counted(((1,) * 7,) * 12, ((2,) * 7,) * 12, (Fraction(1),) * 3)


def unsplit(rules: Variant, net_of: int, doubled: bool) -> Counted:
    """How often a round without split or blackjack ends with so many bets won, doubled or not."""
    none = ((0,) * 7,) * 12
    tables = [
        tuple(tuple(int(won == net_of) for won in line) for line in table)
        for table in payoffs(rules)
    ]
    return Counted(
        none if doubled else tables[0],
        tables[1] if doubled else none,
        (Fraction(0),) * 3,
        split=0,
    )


def splits_happen() -> Counted:
    """How often a pair is split."""
    none = ((0,) * 7,) * 12
    return Counted(none, none, (Fraction(0),) * 3, split=1)


def net_by_matches(rules: Variant) -> list[Counted]:
    """The net result times the cards that match the up card suited, those unsuited, and times 1
    where none matches (685a.11(c)). Cards of one value differ in suit, tens in rank too.
    """
    decks = rules.decks

    def alike(up: int) -> int:
        """How many other cards have the value of the up card."""
        return (16 if up == TEN else 4) * decks - 1

    def each(copies: int) -> Weigh:
        return lambda up, low, high: Fraction(((low == up) + (high == up)) * copies, alike(up))

    def none(up: int, low: int, high: int) -> Fraction:
        found = Fraction(1)
        for place in range((low == up) + (high == up)):
            found *= Fraction(alike(up) + 1 - 4 * decks - place, alike(up) - place)
        return found

    plain = net(rules)
    return [replace(plain, weigh=one) for one in (each(decks - 1), each(3 * decks), none)]
