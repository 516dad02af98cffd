"""The commands that only Down Under Blackjack has."""

from __future__ import annotations

from houseway.table.commands import Command


class Insure(Command, frozen=True, kw_only=True):
    seat: int
    amount: str


class DeclineInsurance(Command, frozen=True, kw_only=True):
    seat: int


class TakeEvenMoney(Command, frozen=True, kw_only=True):
    seat: int


class CloseInsurance(Command, frozen=True, kw_only=True):
    pass


class ReadHoleCard(Command, frozen=True, kw_only=True):
    """Slide the hole card through the reader: its light, and the area in which the hand is laid.

    Without an area the hand lies in the one that the light calls for.
    """

    light: str = ""
    card: str = ""
    #: small, medium or large
    area: str = ""


class Hit(Command, frozen=True, kw_only=True):
    seat: int
    card: str = ""


class Stand(Command, frozen=True, kw_only=True):
    seat: int


class Double(Command, frozen=True, kw_only=True):
    seat: int
    amount: str
    card: str = ""


class Split(Command, frozen=True, kw_only=True):
    seat: int
    card: str = ""


class DealerDraws(Command, frozen=True, kw_only=True):
    card: str = ""


class RefuseCard(Command, frozen=True, kw_only=True):
    """A player will not have the exposed card, and gets no more cards in this round."""

    seat: int


class NoCardDealt(Command, frozen=True, kw_only=True):
    """A box with a bet was passed over; with one card, at the player's option, the second comes
    after all others.
    """

    seat: int
    second_card: bool = False


class MissedHit(Command, frozen=True, kw_only=True):
    """A player who asked for a card got none; at the player's option a late card or a dead hand."""

    seat: int
    late_card: bool
    #: which hand of a split
    hand: int = 0


class DealerDrewInError(Command, frozen=True, kw_only=True):
    """The dealer, standing, drew a card."""

    card: str = ""


class WrongLight(Command, frozen=True, kw_only=True):
    """The reader showed the wrong light, or the dealer's hand lies in the wrong area: `area`."""

    cause: str = "light"
    #: the area in which the hand was found: small, medium or large
    area: str = ""


class HandGoesOn(Command, frozen=True, kw_only=True):
    seat: int


class CallHandDead(Command, frozen=True, kw_only=True):
    seat: int
    #: one hand of a split, where the other goes on; 0: all that the seat has
    hand: int = 0


class InspectReader(Command, frozen=True, kw_only=True):
    pass
