"""A meter that many tables feed: its terms, and what moved it apart from the wagers.

The wagers add their sum times the rate, so nothing is rounded and their order does not matter.
Everything else that ever moved the meter is in its ledger. The meter holds both together:

    seed + wagers x rate + resets + released + adjusted + moved - paid

A part of the rate may go to a hidden reserve. When the meter is paid out in full, it restarts at its
reset amount, and the reserve is released into it.
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
    """Everything that moved a meter except the wagers."""

    seed: Cents
    #: house money with which it was restarted
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
        """The ledger after a win was paid; a meter that is paid out restarts."""
        after = replace(self, paid=self.paid + amount, hits=self.hits + 1)
        if not whole:
            return after
        return replace(after, resets=self.resets + terms.reset, released=self.released + released)

    def take_back(self, amount: Cents) -> Ledger:
        """Return a share that was set aside for a winner whose win was undone."""
        return replace(self, paid=self.paid - amount, hits=self.hits - 1)

    def adjust(self, by: Fraction) -> Ledger:
        return replace(self, adjusted=self.adjusted + by)

    def move(self, amount: Fraction, reserve: Fraction) -> Ledger:
        """Add what came from another meter; negative amounts went to one."""
        return replace(self, moved=self.moved + amount, reserve_moved=self.reserve_moved + reserve)
