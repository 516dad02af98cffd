"""The faces of a deal: what each wager depends on, with its net result for each case.

Net results are kept as whole numbers of a part of the stake, so that tens of thousands of counts
are added up without a single fraction until the end.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb, lcm
from operator import mul
from typing import TYPE_CHECKING

from houseway.games.three_card.maths.ante_play import DEALER_HANDS, DEALS, Strategy
from houseway.maths import tallies
from houseway.maths.counts import COLUMNS

if TYPE_CHECKING:
    from houseway.games.saigon.maths.ante import Settings

HANDS = comb(52, 3)
WITH_COMMUNITY = HANDS * comb(49, 2)
EIGHT_CARDS = WITH_COMMUNITY * comb(47, 3)


def _whole(nets: Sequence[Fraction]) -> tuple[list[int], int]:
    """Net results as whole numbers of a common part of the stake, and how many make the stake."""
    part = lcm(*(net.denominator for net in nets))
    return [int(net * part) for net in nets], part


class Face(ABC):
    """A wager by what it depends on: net results as whole numbers of 1/`part` of the stake."""

    part: int

    @abstractmethod
    def mean(self) -> Fraction:
        """The mean net result."""

    @abstractmethod
    def square(self) -> Fraction:
        """The mean of the squared net result."""


class Duel(Face):
    """Ante and play: both hands of three cards."""

    def __init__(self, best: Strategy) -> None:
        self.qualifies = best.pays.qualifies
        self.spread = best.spread
        self.played = best.played
        nets = [net for line in best.pays.nets.values() for net in line]
        whole, self.part = _whole([*nets, best.pays.fold])
        width = len(COLUMNS)
        by_outcome = {
            outcome: whole[place * width : (place + 1) * width]
            for place, outcome in enumerate(best.pays.nets)
        }
        folded = [whole[-1]] * width
        #: for each row of the duel the net result in each column
        self.nets = [
            by_outcome[outcome] if best.played[row] else folded
            for outcome, rows in tallies.groups(self.qualifies)
            for row in rows
        ]

    def mean(self) -> Fraction:
        return self.spread.mean

    def square(self) -> Fraction:
        return self.spread.square

    def by_row(self) -> list[int]:
        """For one hand of each row, the net results over all dealer's hands together."""
        dealer = tallies.duel(self.qualifies).dealer
        return [dot(nets, counts) for nets, counts in zip(self.nets, dealer, strict=True)]


class Three(Face):
    """The player's three cards: a net result for each row of the duel."""

    def __init__(
        self,
        qualifies: int,
        by_outcome: Mapping[str, Fraction],
        kept: Sequence[bool] | None = None,
    ) -> None:
        whole, self.part = _whole([*by_outcome.values(), Fraction(-1)])
        nets = dict(zip(by_outcome, whole, strict=False))
        self.qualifies = qualifies
        self.nets = [
            nets[outcome] if kept is None or kept[row] else whole[-1]
            for outcome, rows in tallies.groups(qualifies)
            for row in rows
        ]

    def mean(self) -> Fraction:
        return Fraction(dot(tallies.duel(self.qualifies).ways, self.nets), HANDS * self.part)

    def square(self) -> Fraction:
        ways = tallies.duel(self.qualifies).ways
        total = sum(w * net * net for w, net in zip(ways, self.nets, strict=True))
        return Fraction(total, HANDS * self.part**2)


class _Rare(Face):
    """A wager that is lost unless a rare hand comes: what is given back is counted, then the loss
    is taken off again.
    """

    def __init__(self, nets: Sequence[Fraction]) -> None:
        self.back, self.part = _whole([net + 1 for net in nets])

    @abstractmethod
    def mean_back(self) -> Fraction:
        """What is given back on average, the stake included."""

    @abstractmethod
    def square_back(self) -> Fraction:
        """The mean of the square of what is given back."""

    def mean(self) -> Fraction:
        return self.mean_back() - 1

    def square(self) -> Fraction:
        return self.square_back() - 2 * self.mean_back() + 1


class Six(_Rare):
    """The player's three cards and the dealer's: a net result for each outcome that is paid."""

    def __init__(self, qualifies: int, nets: Sequence[Fraction]) -> None:
        super().__init__(nets)
        self.splits = tallies.splits(qualifies)
        #: what is given back for each entry of the splits
        self.entry = [self.back[six] for six in self.splits.six]

    def mean_back(self) -> Fraction:
        return self.over(self.splits.deals)

    def square_back(self) -> Fraction:
        total = sum(n * back * back for n, back in zip(self.splits.deals, self.entry, strict=True))
        return Fraction(total, DEALS * self.part**2)

    def over(self, counts: Sequence[int]) -> Fraction:
        """What is given back, each entry of the splits weighed by these counts."""
        return Fraction(dot(counts, self.entry), DEALS * self.part)


class Five(_Rare):
    """The player's three cards and the community's two; a fold may forfeit it."""

    def __init__(
        self, qualifies: int, nets: Sequence[Fraction], kept: Sequence[bool] | None = None
    ) -> None:
        super().__init__(nets)
        self.tally = tallies.five_cards(qualifies)
        #: what is given back for each entry of the tally
        self.entry = [
            self.back[five] if kept is None or kept[row] else 0
            for row, five in zip(self.tally.row, self.tally.five, strict=True)
        ]

    def mean_back(self) -> Fraction:
        return Fraction(dot(self.tally.deals, self.entry), WITH_COMMUNITY * self.part)

    def square_back(self) -> Fraction:
        total = sum(n * back * back for n, back in zip(self.tally.deals, self.entry, strict=True))
        return Fraction(total, WITH_COMMUNITY * self.part**2)


class Colours(Face):
    """Whether the player's cards are of one colour, and the dealer's of the same."""

    def __init__(self, qualifies: int, none: Fraction, one: Fraction, both: Fraction) -> None:
        self.tally = tallies.primes(qualifies)
        (self.none, self.one, self.both), self.part = _whole([none, one, both])

    def weigh(self, deals: int, one: int, both: int) -> int:
        """The net results of deals of which so many are of one colour, and so many both."""
        return self.none * (deals - one) + self.one * (one - both) + self.both * both

    def counts(self) -> tuple[int, int]:
        one = sum(self.tally.one_colour) * DEALER_HANDS
        both = sum(
            hands * sum(same)
            for hands, same in zip(self.tally.one_colour, self.tally.same_colour, strict=True)
        )
        return one, both

    def mean(self) -> Fraction:
        return Fraction(self.weigh(DEALS, *self.counts()), DEALS * self.part)

    def square(self) -> Fraction:
        one, both = self.counts()
        squares = self.none**2 * (DEALS - one) + self.one**2 * (one - both) + self.both**2 * both
        return Fraction(squares, DEALS * self.part**2)


UNSEEN = 46  # cards from which the fourth is dealt when both hands are known


class Fourth(Face):
    """The player's three cards and a fourth, which is a two or not."""

    def __init__(
        self, qualifies: int, plain: Mapping[str, Fraction], with_two: Mapping[str, Fraction]
    ) -> None:
        self.tally = tallies.primes(qualifies)
        self.qualifies = qualifies
        whole, self.part = _whole([*plain.values(), *with_two.values()])
        nets = dict(zip(plain, zip(whole, whole[len(plain) :], strict=False), strict=False))
        #: for each row of the duel: the net result without a two and with one
        self.nets = [nets[name] for name, rows in tallies.groups(qualifies) for _ in rows]

    def weigh(self, row: int, deals: int, dealer_twos: int) -> int:
        """Net results, times the cards the fourth may be, of deals in which the dealer holds so
        many twos altogether.
        """
        plain, two = self.nets[row]
        twos = (4 - self.tally.twos[row]) * deals - dealer_twos
        return plain * (deals * UNSEEN - twos) + two * twos

    def _mean_of(self, nets: Sequence[tuple[int, int]]) -> Fraction:
        total = 0
        ways = tallies.duel(self.qualifies).ways
        for times, twos, (plain, two) in zip(ways, self.tally.twos, nets, strict=True):
            total += times * (plain * (49 - 4 + twos) + two * (4 - twos))
        return Fraction(total, HANDS * 49)

    def mean(self) -> Fraction:
        return self._mean_of(self.nets) / self.part

    def square(self) -> Fraction:
        return self._mean_of([(a * a, b * b) for a, b in self.nets]) / self.part**2


class SaigonAnte(Face):
    """The ante of Saigon 5 Card."""

    def __init__(self, set_so: Settings) -> None:
        self.settings = set_so

    def mean(self) -> Fraction:
        return self.settings.spread.mean

    def square(self) -> Fraction:
        return self.settings.spread.square


class SaigonBonus(Face):
    """The player's five cards as a poker hand."""

    def __init__(self, nets: Sequence[Fraction]) -> None:
        self.nets, self.part = _whole(nets)

    def _mean_of(self, nets: Sequence[int]) -> Fraction:
        return Fraction(sum(dot(nets, bonus) for bonus in tallies.kinds().bonus), comb(53, 5))

    def mean(self) -> Fraction:
        return self._mean_of(self.nets) / self.part

    def square(self) -> Fraction:
        return self._mean_of([net * net for net in self.nets]) / self.part**2


def dot(first: Sequence[int], second: Sequence[int]) -> int:
    return sum(map(mul, first, second))
