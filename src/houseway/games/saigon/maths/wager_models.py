"""What the wagers of Saigon 5 Card depend on, with their net results for each case."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb
from typing import Any, ClassVar

from houseway.games.saigon.maths import tallies
from houseway.games.saigon.maths.ante import DEALS, Settings
from houseway.maths.joint.covariance import WagerModel, dot, whole_parts


class _Model(WagerModel):
    """A wager of Saigon 5 Card."""

    products: ClassVar[dict[tuple[type, type], Callable[[Any, Any], Fraction]]] = {}


class Ante(_Model):
    """The ante of Saigon 5 Card."""

    def __init__(self, set_so: Settings) -> None:
        self.settings = set_so

    def mean(self) -> Fraction:
        return self.settings.spread.mean

    def square(self) -> Fraction:
        return self.settings.spread.square


class Bonus(_Model):
    """The player's five cards as a poker hand."""

    def __init__(self, nets: Sequence[Fraction]) -> None:
        self.nets, self.part = whole_parts(nets)

    def _mean_of(self, nets: Sequence[int]) -> Fraction:
        return Fraction(sum(dot(nets, bonus) for bonus in tallies.kinds().bonus), comb(53, 5))

    def mean(self) -> Fraction:
        return self._mean_of(self.nets) / self.part

    def square(self) -> Fraction:
        return self._mean_of([net * net for net in self.nets]) / self.part**2


def _ante_bonus(a: Ante, b: Bonus) -> Fraction:
    tally = tallies.kinds()
    whole, part = a.settings.pays.whole, a.settings.pays.part
    total = sum(
        dot(whole[state], dealer) * dot(b.nets, bonus)
        for state, dealer, bonus in zip(a.settings.state, tally.dealer, tally.bonus, strict=True)
    )
    return Fraction(total, DEALS * part * b.part)


_Model.products[Ante, Bonus] = _ante_bonus
