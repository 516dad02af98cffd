"""Wagers of one seat taken together: they share the cards, so their deviations do not simply add.

The variance of a sum of wagers is the sum of their variances and of twice their covariances, and a
covariance needs the mean of a product of two net results. Each wager depends on one part of the
deal; a game has a model of each, which knows its mean results, alone and beside another wager's.

Net results are kept as whole numbers of a part of the stake, so that tens of thousands of counts
are added up without a single fraction until the end.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from operator import mul
from typing import Any, ClassVar

import msgspec


class WagerModel(ABC):
    """A wager by what it depends on: net results as whole numbers of 1/`part` of the stake."""

    part: int
    #: the mean of the product of two net results, by the models of both; filled by each game
    products: ClassVar[dict[tuple[type, type], Callable[[Any, Any], Fraction]]]

    @abstractmethod
    def mean(self) -> Fraction:
        """The mean net result."""

    @abstractmethod
    def square(self) -> Fraction:
        """The mean of the squared net result."""

    def product(self, other: WagerModel) -> Fraction:
        """The mean of the product of this and another wager's net results."""
        function = self.products.get((type(self), type(other)))
        if function is None:
            return self.products[type(other), type(self)](other, self)
        return function(self, other)


def whole_parts(nets: Sequence[Fraction]) -> tuple[list[int], int]:
    """Net results as whole numbers of a common part of the stake, and how many make the stake."""
    part = lcm(*(net.denominator for net in nets))
    return [int(net * part) for net in nets], part


def dot(first: Sequence[int], second: Sequence[int]) -> int:
    return sum(map(mul, first, second))


class Together(msgspec.Struct, frozen=True, dict=True):
    """Wagers made together, of one unit each or at `stakes`; each in units of its own stake."""

    means: Mapping[str, Fraction]
    variances: Mapping[str, Fraction]
    covariances: Mapping[tuple[str, str], Fraction]
    #: in cents, where the figures hold at these stakes alone
    stakes: Mapping[str, int] = {}

    def _times(self, name: str) -> Fraction:
        """How much is wagered: units, or dollars where there are stakes."""
        return Fraction(self.stakes[name], 100) if self.stakes else Fraction(1)

    @property
    def wagered(self) -> Fraction:
        return sum(map(self._times, self.means), Fraction(0))

    @property
    def edge(self) -> Fraction:
        """What the house keeps of all that is wagered before the deal."""
        won = sum((self._times(name) * mean for name, mean in self.means.items()), Fraction(0))
        return -won / self.wagered

    @property
    def variance(self) -> Fraction:
        """Of the sum of the net results."""
        return sum(
            (self._times(name) ** 2 * value for name, value in self.variances.items()), Fraction(0)
        ) + 2 * sum(
            (self._times(a) * self._times(b) * v for (a, b), v in self.covariances.items()),
            Fraction(0),
        )

    @property
    def if_independent(self) -> Fraction:
        """What the variance would be without the covariances."""
        return sum(
            (self._times(name) ** 2 * value for name, value in self.variances.items()), Fraction(0)
        )


def together(models: Mapping[str, WagerModel]) -> Together:
    """Put the wagers of one seat together, one unit on each."""
    means = {name: model.mean() for name, model in models.items()}
    variances = {name: model.square() - means[name] ** 2 for name, model in models.items()}
    names = list(models)
    covariances = {
        (first, second): models[first].product(models[second]) - means[first] * means[second]
        for place, first in enumerate(names)
        for second in names[place + 1 :]
    }
    return Together(means, variances, covariances)
