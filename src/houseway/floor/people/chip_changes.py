"""What an event of a table does to the chips of a player."""

from __future__ import annotations

from houseway.game_api.round import LOST
from houseway.money import Cents, cents, signed
from houseway.table import Event
from houseway.table import events as e


def chips_of(event: Event) -> tuple[int, Cents]:
    """The seat whose player's chips an event changes, and by how much; seat 0: no seat."""
    match event:
        case e.WagerPlaced():
            return event.seat, -cents(event.amount)
        case e.WagerTakenBack() | e.WagerReturned() | e.ProgressiveStruck():
            return event.seat, cents(event.amount)
        case e.WagerSettled():
            lost = event.result in LOST
            return event.seat, 0 if lost else cents(event.stake) + signed(event.paid)
        case e.ChipsSold():
            return event.seat, cents(event.amount)
        case e.TipGiven():
            return event.seat, -cents(event.amount)
        case e.PaymentCorrected():
            return event.seat, signed(event.amount)
    return 0, 0
