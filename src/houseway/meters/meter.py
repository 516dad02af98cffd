"""A progressive meter: what it holds and shows, and how it grows, pays and restarts.

It holds fractions of a cent exactly and shows whole cents, rounded down. A share of it is taken
from what it shows, rounded down to the cent; the rest stays in it. Paid out in full, it restarts at
its reset amount, keeping the fraction of a cent it did not show; its reserve is added then.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from houseway.law import MeterTerms
from houseway.money import Cents


@dataclass(frozen=True, slots=True)
class Meter:
    """An amount in cents, and the amount at which it restarts."""

    holds: Fraction
    reset: Cents
    #: the hidden reserve; it is added when the meter restarts
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
        """What each of the winners of this share receives, and the meter afterwards.

        Winners who share receive the same amount; what does not divide evenly stays in the meter.
        """
        amount = self.shows * share.numerator // (share.denominator * winners)
        left = self.holds - amount * winners
        if share != 1:
            return amount, replace(self, holds=left)
        return amount, Meter(left + self.reset + self.reserve, self.reset)
