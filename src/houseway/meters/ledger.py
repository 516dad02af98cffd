"""A meter that many tables feed: its terms, and what moved it apart from the wagers.

What the wagers add is their sum times the rate, so nothing is rounded and the order in which they
came does not matter. Everything else that ever moved the meter stands in its ledger. What it holds
is the two together:

    seed + wagers x rate + resets + released + adjusted + moved - paid

A part of the rate may go to a reserve that nobody is shown. When the meter is paid whole it starts
again at its reset amount, and the reserve is released into it.
"""

from __future__ import annotations

from fractions import Fraction

import msgspec
from msgspec.structs import replace

from houseway.law import MeterTerms
from houseway.meters.meter import Meter
from houseway.money import Cents

NONE = Fraction(0)


class Ledger(msgspec.Struct, frozen=True):
    """All that moved a meter but the wagers."""

    seed: Cents
    #: house money that it was started again with
    resets: Cents = 0
    #: out of the reserve, into the meter
    released: Fraction = NONE
    adjusted: Fraction = NONE
    #: from other meters, and with a minus to them
    moved: Fraction = NONE
    #: the same for the reserve
    reserve_moved: Fraction = NONE
    paid: Cents = 0
    hits: int = 0

    def holds(self, terms: MeterTerms, wagered: Cents) -> Fraction:
        """What the meter holds after so much was wagered on it, exactly, in cents."""
        beside = self.seed + self.resets + self.released + self.adjusted + self.moved - self.paid
        return wagered * terms.rate + beside

    def reserve(self, terms: MeterTerms, wagered: Cents) -> Fraction:
        return wagered * terms.reserve + self.reserve_moved - self.released

    def meter(self, terms: MeterTerms, wagered: Cents) -> Meter:
        return Meter(self.holds(terms, wagered), terms.reset, self.reserve(terms, wagered))

    def hit(
        self, terms: MeterTerms, amount: Cents, *, whole: bool, released: Fraction = NONE
    ) -> Ledger:
        """After a win was paid; paid whole, the meter starts again."""
        after = replace(self, paid=self.paid + amount, hits=self.hits + 1)
        if not whole:
            return after
        return replace(after, resets=self.resets + terms.reset, released=self.released + released)

    def take_back(self, amount: Cents) -> Ledger:
        """A share that was set aside for a winner whose win did not stand comes back."""
        return replace(self, paid=self.paid - amount, hits=self.hits - 1)

    def adjust(self, by: Fraction) -> Ledger:
        return replace(self, adjusted=self.adjusted + by)

    def move(self, amount: Fraction, reserve: Fraction) -> Ledger:
        """What came from another meter, or with minus signs went to one."""
        return replace(self, moved=self.moved + amount, reserve_moved=self.reserve_moved + reserve)
