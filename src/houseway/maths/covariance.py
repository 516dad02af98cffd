"""Wagers of one seat taken together: they share the cards, so their deviations do not simply add.

The variance of a sum of wagers is the sum of their variances and of twice their covariances, and a
covariance needs the mean of a product of two net results. Each wager depends on one part of the
deal (a *face* of it): the ante on both hands, Pair Plus on the player's, the Six Card Bonus on all
six cards, and so on. For each two faces there is a tally of how they meet, and one function here.

The ante is played by its own best strategy. What a fold forfeits in the chapter is forfeited.
Cover All and envy look at other seats and are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import comb

import msgspec

from houseway.games.three_card.maths.ante_play import DEALER_HANDS, DEALS
from houseway.maths import tallies
from houseway.maths.wager_models import (
    EIGHT_CARDS,
    HANDS,
    UNSEEN,
    WITH_COMMUNITY,
    Colours,
    Duel,
    Face,
    Five,
    Fourth,
    SaigonAnte,
    SaigonBonus,
    Six,
    Three,
    dot,
)


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


def _duel_colours(a: Duel, b: Colours) -> Fraction:
    dealer = tallies.duel(a.qualifies)
    total = 0
    for row, nets in enumerate(a.nets):
        whole = dot(nets, dealer.dealer[row])
        one = b.tally.one_colour[row]
        both = one * dot(nets, b.tally.same_colour[row])
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


def _six_colours(a: Six, b: Colours) -> Fraction:
    s = a.splits
    counts = [
        b.weigh(*entry) for entry in zip(s.deals, s.one_colour, s.both_one_colour, strict=True)
    ]
    return a.over(counts) / b.part - b.mean()


def _six_fourth(a: Six, b: Fourth) -> Fraction:
    s = a.splits
    counts = [b.weigh(*entry) for entry in zip(s.row, s.deals, s.twos, strict=True)]
    return a.over(counts) / (b.part * UNSEEN) - b.mean()


def _colours_fourth(a: Colours, b: Fourth) -> Fraction:
    ways = tallies.duel(b.qualifies).ways
    t = a.tally
    total = 0
    for row, times in enumerate(ways):
        twos, same = sum(t.dealer_twos[row]), sum(t.same_colour[row])
        one = t.one_colour[row]
        each = b.weigh(row, DEALER_HANDS, twos)
        both = b.weigh(row, same, t.same_colour_twos[row])
        total += a.weigh(times * each, one * each, one * both)
    return Fraction(total, DEALS * UNSEEN * a.part * b.part)


def _saigon(a: SaigonAnte, b: SaigonBonus) -> Fraction:
    tally = tallies.kinds()
    whole, part = a.settings.pays.whole, a.settings.pays.part
    total = sum(
        dot(whole[state], dealer) * dot(b.nets, bonus)
        for state, dealer, bonus in zip(a.settings.state, tally.dealer, tally.bonus, strict=True)
    )
    return Fraction(total, comb(53, 5) * comb(48, 5) * part * b.part)


_PRODUCTS: dict[tuple[type, type], Callable[..., Fraction]] = {
    (Duel, Three): _duel_three,
    (Duel, Six): _duel_six,
    (Duel, Five): _duel_five,
    (Duel, Colours): _duel_colours,
    (Duel, Fourth): _duel_fourth,
    (Three, Three): _three_three,
    (Three, Six): _three_six,
    (Three, Five): _three_five,
    (Six, Five): _six_five,
    (Six, Colours): _six_colours,
    (Six, Fourth): _six_fourth,
    (Colours, Fourth): _colours_fourth,
    (SaigonAnte, SaigonBonus): _saigon,
}


def product(first: Face, second: Face) -> Fraction:
    """The mean of the product of two net results."""
    function = _PRODUCTS.get((type(first), type(second)))
    if function is None:
        return _PRODUCTS[type(second), type(first)](second, first)
    return function(first, second)


class Together(msgspec.Struct, frozen=True, dict=True):
    """Wagers of one unit each, made together."""

    means: Mapping[str, Fraction]
    variances: Mapping[str, Fraction]
    covariances: Mapping[tuple[str, str], Fraction]

    @property
    def edge(self) -> Fraction:
        """What the house keeps of all that is wagered before the deal."""
        return -sum(self.means.values(), Fraction(0)) / len(self.means)

    @property
    def variance(self) -> Fraction:
        """Of the sum of the net results."""
        return sum(self.variances.values(), Fraction(0)) + 2 * sum(
            self.covariances.values(), Fraction(0)
        )


def together(faces: Mapping[str, Face]) -> Together:
    """Put the wagers of one seat together, one unit on each."""
    means = {name: face.mean() for name, face in faces.items()}
    variances = {name: face.square() - means[name] ** 2 for name, face in faces.items()}
    names = list(faces)
    covariances = {
        (first, second): product(faces[first], faces[second]) - means[first] * means[second]
        for place, first in enumerate(names)
        for second in names[place + 1 :]
    }
    return Together(means, variances, covariances)
