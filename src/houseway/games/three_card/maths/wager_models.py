"""What each wager of the three-card games depends on, with its net result for each case."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any, ClassVar

from houseway.games.three_card.maths.ante_play import DEALER_HANDS, DEALS, Strategy
from houseway.games.three_card.maths.counting import tallies
from houseway.games.three_card.maths.counting.counts import COLUMNS
from houseway.maths.joint.covariance import WagerModel, dot, whole_parts

HANDS = comb(52, 3)
WITH_COMMUNITY = HANDS * comb(49, 2)
EIGHT_CARDS = WITH_COMMUNITY * comb(47, 3)


class _Model(WagerModel):
    """A wager of the three-card games; `products` has how each two of them meet."""

    products: ClassVar[dict[tuple[type, type], Callable[[Any, Any], Fraction]]] = {}


class Duel(_Model):
    """Ante and play: both hands of three cards."""

    def __init__(self, best: Strategy) -> None:
        self.qualifies = best.pays.qualifies
        self.spread = best.spread
        self.played = best.played
        nets = [net for line in best.pays.nets.values() for net in line]
        whole, self.part = whole_parts([*nets, best.pays.fold])
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


class Three(_Model):
    """The player's three cards: a net result for each row of the duel."""

    def __init__(
        self,
        qualifies: int,
        by_outcome: Mapping[str, Fraction],
        kept: Sequence[bool] | None = None,
    ) -> None:
        whole, self.part = whole_parts([*by_outcome.values(), Fraction(-1)])
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


class _Rare(_Model):
    """A wager that is lost unless a rare hand comes: what is given back is counted, then the loss
    is taken off again.
    """

    def __init__(self, nets: Sequence[Fraction]) -> None:
        self.back, self.part = whole_parts([net + 1 for net in nets])

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


class Colors(_Model):
    """Whether the player's cards are of one color, and the dealer's of the same."""

    def __init__(self, qualifies: int, none: Fraction, one: Fraction, both: Fraction) -> None:
        self.tally = tallies.primes(qualifies)
        (self.none, self.one, self.both), self.part = whole_parts([none, one, both])

    def weigh(self, deals: int, one: int, both: int) -> int:
        """The net results of deals, given how many are of one color, and how many with both hands
        in it.
        """
        return self.none * (deals - one) + self.one * (one - both) + self.both * both

    def counts(self) -> tuple[int, int]:
        one = sum(self.tally.one_color) * DEALER_HANDS
        both = sum(
            hands * sum(same)
            for hands, same in zip(self.tally.one_color, self.tally.same_color, strict=True)
        )
        return one, both

    def mean(self) -> Fraction:
        return Fraction(self.weigh(DEALS, *self.counts()), DEALS * self.part)

    def square(self) -> Fraction:
        one, both = self.counts()
        squares = self.none**2 * (DEALS - one) + self.one**2 * (one - both) + self.both**2 * both
        return Fraction(squares, DEALS * self.part**2)


UNSEEN = 46  # cards from which the fourth is dealt when both hands are known


class Fourth(_Model):
    """The player's three cards and a fourth, which is a two or not."""

    def __init__(
        self, qualifies: int, plain: Mapping[str, Fraction], with_two: Mapping[str, Fraction]
    ) -> None:
        self.tally = tallies.primes(qualifies)
        self.qualifies = qualifies
        whole, self.part = whole_parts([*plain.values(), *with_two.values()])
        nets = dict(zip(plain, zip(whole, whole[len(plain) :], strict=False), strict=False))
        #: for each row of the duel: the net result without a two and with one
        self.nets = [nets[name] for name, rows in tallies.groups(qualifies) for _ in rows]

    def weigh(self, row: int, deals: int, dealer_twos: int) -> int:
        """Net results, times the cards the fourth may be, of deals by the number of twos that the
        dealer holds.
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


# the mean of the product of two net results: for each two models a tally of how they meet


def _duel_three(a: Duel, b: Three) -> Fraction:
    ways = tallies.duel(a.qualifies).ways
    total = sum(w * x * y for w, x, y in zip(ways, a.by_row(), b.nets, strict=True))
    return Fraction(total, DEALS * a.part * b.part)


def _duel_six(a: Duel, b: Six) -> Fraction:
    s, nets = b.splits, a.nets
    counts = [n * nets[row][c] for n, row, c in zip(s.deals, s.row, s.column, strict=True)]
    return b.over(counts) / a.part - a.mean()


def _duel_five(a: Duel, b: Five) -> Fraction:
    total = sum(
        back * dot(a.nets[row], dealer)
        for row, dealer, back in zip(b.tally.row, b.tally.dealer, b.entry, strict=True)
        if back
    )
    return Fraction(total, EIGHT_CARDS * a.part * b.part) - a.mean()


def _duel_colors(a: Duel, b: Colors) -> Fraction:
    dealer = tallies.duel(a.qualifies)
    total = 0
    for row, nets in enumerate(a.nets):
        whole = dot(nets, dealer.dealer[row])
        one = b.tally.one_color[row]
        both = one * dot(nets, b.tally.same_color[row])
        total += b.weigh(dealer.ways[row] * whole, one * whole, both)
    return Fraction(total, DEALS * a.part * b.part)


def _duel_fourth(a: Duel, b: Fourth) -> Fraction:
    tally = tallies.duel(a.qualifies)
    total = 0
    for row, nets in enumerate(a.nets):
        for column, net in enumerate(nets):
            deals = b.weigh(row, tally.dealer[row][column], b.tally.dealer_twos[row][column])
            total += tally.ways[row] * net * deals
    return Fraction(total, DEALS * UNSEEN * a.part * b.part)


def _three_three(a: Three, b: Three) -> Fraction:
    ways = tallies.duel(a.qualifies).ways
    total = sum(w * x * y for w, x, y in zip(ways, a.nets, b.nets, strict=True))
    return Fraction(total, HANDS * a.part * b.part)


def _three_six(a: Three, b: Six) -> Fraction:
    counts = [n * a.nets[row] for n, row in zip(b.splits.deals, b.splits.row, strict=True)]
    return b.over(counts) / a.part - a.mean()


def _three_five(a: Three, b: Five) -> Fraction:
    total = sum(
        n * back * a.nets[row]
        for n, row, back in zip(b.tally.deals, b.tally.row, b.entry, strict=True)
    )
    return Fraction(total, WITH_COMMUNITY * a.part * b.part) - a.mean()


def _six_five(a: Six, b: Five) -> Fraction:
    total = sum(
        back * dot(a.back[: len(six)], six)
        for six, back in zip(b.tally.six, b.entry, strict=True)
        if back
    )
    met = Fraction(total, EIGHT_CARDS * a.part * b.part)
    return met - a.mean_back() - b.mean_back() + 1


def _six_colors(a: Six, b: Colors) -> Fraction:
    s = a.splits
    counts = [b.weigh(*entry) for entry in zip(s.deals, s.one_color, s.both_one_color, strict=True)]
    return a.over(counts) / b.part - b.mean()


def _six_fourth(a: Six, b: Fourth) -> Fraction:
    s = a.splits
    counts = [b.weigh(*entry) for entry in zip(s.row, s.deals, s.twos, strict=True)]
    return a.over(counts) / (b.part * UNSEEN) - b.mean()


def _colors_fourth(a: Colors, b: Fourth) -> Fraction:
    ways = tallies.duel(b.qualifies).ways
    t = a.tally
    total = 0
    for row, times in enumerate(ways):
        twos, same = sum(t.dealer_twos[row]), sum(t.same_color[row])
        one = t.one_color[row]
        each = b.weigh(row, DEALER_HANDS, twos)
        both = b.weigh(row, same, sum(t.same_color_twos[row]))
        total += a.weigh(times * each, one * each, one * both)
    return Fraction(total, DEALS * UNSEEN * a.part * b.part)


_Model.products.update(
    {
        (Duel, Three): _duel_three,
        (Duel, Six): _duel_six,
        (Duel, Five): _duel_five,
        (Duel, Colors): _duel_colors,
        (Duel, Fourth): _duel_fourth,
        (Three, Three): _three_three,
        (Three, Six): _three_six,
        (Three, Five): _three_five,
        (Six, Five): _six_five,
        (Six, Colors): _six_colors,
        (Six, Fourth): _six_fourth,
        (Colors, Fourth): _colors_fourth,
    }
)
