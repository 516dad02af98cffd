"""A progressive meter: what it holds, what it shows, how it grows, pays and starts again.

It holds fractions of a cent exactly and shows whole cents, rounded down. A share of it is taken
from what it shows, rounded down to the cent; whatever is not paid stays in it. Paid whole, it
starts again at its reset amount, keeping the fraction of a cent it did not show; what was put by
in its reserve is added to it then.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from houseway.law import MeterTerms
from houseway.money import Cents


@dataclass(frozen=True, slots=True)
class Meter:
    """An amount in cents, and where it starts again."""

    holds: Fraction
    reset: Cents
    #: what nobody is shown; it is added when the meter starts again
    reserve: Fraction = Fraction(0)

    @property
    def shows(self) -> Cents:
        return self.holds.numerator // self.holds.denominator

    def grown(self, stake: Cents, terms: MeterTerms) -> Meter:
        """After a wager of `stake` has added its share."""
        return replace(
            self,
            holds=self.holds + stake * terms.rate,
            reserve=self.reserve + stake * terms.reserve,
        )

    def taken_back(self, stake: Cents, terms: MeterTerms, *, paid: bool) -> Meter:
        """After a wager of `stake` was returned with its void round, and its share left the meter.

        If the meter has `paid` since, the share may have gone with the payment: then what it holds
        is not taken below its reset amount, nor the reserve below zero.
        """
        holds = self.holds - stake * terms.rate
        reserve = self.reserve - stake * terms.reserve
        if paid:
            holds = max(holds, min(self.holds, Fraction(self.reset)))
            reserve = max(reserve, Fraction(0))
        return replace(self, holds=holds, reserve=reserve)

    def paid(self, share: Fraction, winners: int = 1) -> tuple[Cents, Meter]:
        """What each of so many winners of this share receives, and the meter after all of them.

        Winners who share get the same to the cent; what does not divide stays in the meter.
        """
        amount = self.shows * share.numerator // (share.denominator * winners)
        left = self.holds - amount * winners
        if share != 1:
            return amount, replace(self, holds=left)
        return amount, Meter(left + self.reset + self.reserve, self.reset)
