"""From counts and payouts to figures: exact fractions, with roundings for people beside them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from math import isqrt, lcm
from operator import mul

import msgspec


class Spread(msgspec.Struct, frozen=True, dict=True):
    """Net results in units of the stake, and in how many of `total` deals each comes.

    `staked` is what the player puts up on average, for wagers that grow after the deal.
    """

    ways: Mapping[Fraction, int]
    total: int
    staked: Fraction = Fraction(1)

    @cached_property
    def parts(self) -> tuple[list[int], int]:
        """The net results as whole numbers of a part of the stake, and how many make the stake."""
        part = lcm(*(net.denominator for net in self.ways))
        return [net.numerator * (part // net.denominator) for net in self.ways], part

    @cached_property
    def mean(self) -> Fraction:
        nets, part = self.parts
        return Fraction(sum(map(mul, nets, self.ways.values())), self.total * part)

    @property
    def edge(self) -> Fraction:
        """What the house keeps of one unit wagered."""
        return -self.mean

    @property
    def element_of_risk(self) -> Fraction:
        """What the house keeps of everything that is put up."""
        return self.edge / self.staked

    @cached_property
    def square(self) -> Fraction:
        """The mean of the squared net result."""
        nets, part = self.parts
        squares = sum(net * net * ways for net, ways in zip(nets, self.ways.values(), strict=True))
        return Fraction(squares, self.total * part**2)

    @property
    def variance(self) -> Fraction:
        return self.square - self.mean**2

    @cached_property
    def hit_frequency(self) -> Fraction:
        """How often the player comes out ahead."""
        return Fraction(sum(ways for net, ways in self.ways.items() if net > 0), self.total)

    @cached_property
    def distribution(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """Net results from the lowest, each with its probability."""
        return tuple((net, Fraction(self.ways[net], self.total)) for net in sorted(self.ways))


def exact(number: Fraction) -> str:
    """As n/d in lowest terms; a whole number stands alone."""
    return str(number)


def decimal(number: Fraction, places: int) -> str:
    """Rounded to a number of places, halves away from zero."""
    scaled = abs(number) * 10**places
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    digits = str(whole).rjust(places + 1, "0")
    sign = "-" if number < 0 and whole else ""
    return sign + (digits if places == 0 else f"{digits[:-places]}.{digits[-places:]}")


def percent(number: Fraction, places: int = 6) -> str:
    """A fraction as a percentage without the sign."""
    return decimal(number * 100, places)


def one_in(chance: Fraction) -> str:
    """A probability as the x of "1 in x": a whole number, or with two places below 100."""
    if chance == 0:
        return ""
    often = 1 / chance
    return decimal(often, 0 if often >= 100 or often.denominator == 1 else 2)


def chance_text(chance: Fraction, places: int = 2) -> str:
    """A probability for people: a percentage, or "1 in x" if that would be too small."""
    if chance == 0:
        return "never"
    if chance < Fraction(1, 1000):
        return f"1 in {int(one_in(chance)):,}"
    return f"{percent(chance, places)}%"


def root(number: Fraction, places: int = 4) -> str:
    """A square root rounded to a number of places, computed in whole numbers."""
    scale = 10 ** (2 * places + 2)
    digits = isqrt(number.numerator * scale // number.denominator)
    return decimal(Fraction(digits, 10 ** (places + 1)), places)
