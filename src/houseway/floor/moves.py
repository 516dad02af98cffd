"""What an event moves besides the table: the players' chips and the meters, each on its stream."""

from __future__ import annotations

from collections.abc import Iterable

from houseway.money import Cents, cents, signed
from houseway.table import Event, Table
from houseway.table import events as e


def chips_of(event: Event) -> tuple[int, Cents]:
    """The seat whose player's chips an event changes, and by how much; seat 0: nobody's."""
    match event:
        case e.WagerPlaced():
            return event.seat, -cents(event.amount)
        case e.WagerTakenBack() | e.WagerReturned() | e.ProgressiveStruck():
            return event.seat, cents(event.amount)
        case e.WagerSettled():
            lost = event.result in ("lose", "forfeit")
            return event.seat, 0 if lost else cents(event.stake) + signed(event.paid)
        case e.ChipsSold():
            return event.seat, cents(event.amount)
        case e.TipGiven():
            return event.seat, -cents(event.amount)
        case e.PaymentCorrected():
            return event.seat, signed(event.amount)
    return 0, 0


def chips_moved(table: Table, events: Iterable[Event]) -> dict[str, Cents]:
    """What each player is up or down by these events; `table` is the table before them."""
    moved: dict[str, Cents] = {}
    players = {box.seat: box.player for box in table.boxes}
    for event in events:
        if isinstance(event, e.PlayerSat):
            players[event.seat] = event.player
        seat, amount = chips_of(event)
        player = players.get(seat, "")
        if player and amount:
            moved[player] = moved.get(player, 0) + amount
    return {player: amount for player, amount in moved.items() if amount}
