"""What a table of Down Under Blackjack keeps beside what every table does."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from houseway.money import Cents
from houseway.table import events as e
from houseway.table.state import Box, OwnBox, OwnState, Table, hand_pile


class DownUnderState(msgspec.Struct, OwnState, frozen=True, tag="down_under", tag_field="family"):
    """What went wrong or was answered in this round."""

    #: seats that have answered the offer of insurance
    answered: tuple[int, ...] = ()
    #: seats whose second card comes after the others', and hands owed a late card, by pile
    dealt_late: tuple[int, ...] = ()
    late_cards: tuple[str, ...] = ()
    #: hands for which the dealer has yet to choose after a wrong light
    light_seats: tuple[int, ...] = ()
    #: what was found wrong about the reading in this round: the light, the area
    light_causes: tuple[str, ...] = ()
    #: the area in which the dealer's hand lies: small, medium or large
    area: str = ""

    def after(self, event: e.Event) -> DownUnderState | None:
        """A late card is dealt, a hand is dead, the round is over."""
        waiting = self.light_seats
        match event:
            case e.RoundEnded():
                return None
            case e.CardsDealt() if event.to in self.late_cards:
                gone = {event.to}
            case e.HandOut():
                gone = {hand_pile(event.seat, hand) for hand in (event.hand or 1, event.hand or 2)}
                if not event.hand:
                    waiting = tuple(seat for seat in waiting if seat != event.seat)
            case e.Decided(decision="refused") if self.late_cards:
                gone = {hand_pile(event.seat, event.hand)}
            case _:
                return self
        owed = tuple(place for place in self.late_cards if place not in gone)
        return replace(self, late_cards=owed, light_seats=waiting)


class PlayedBox(msgspec.Struct, OwnBox, frozen=True, tag="down_under.box", tag_field="family"):
    """How a box is played in this round."""

    #: the hand as it was dealt is the first of a split, the second lies beside it
    split: bool = False
    #: what was added to double each hand
    doubled: Mapping[int, Cents] = {}
    even_money: bool = False


_AS_DEALT = PlayedBox()
_NOTHING_YET = DownUnderState()


def played(box: Box) -> PlayedBox:
    """How a box is played in this round."""
    return box.own if isinstance(box.own, PlayedBox) else _AS_DEALT


def own(table: Table) -> DownUnderState:
    """The state of a table of this game."""
    return table.own if isinstance(table.own, DownUnderState) else _NOTHING_YET
