"""Play money: what a person has outside the tables, and the chips in front of a player.

Chips are bought at a table for cash and cashed when the player leaves it. The purse is a stream of
its own, written together with the table's, so that the two never disagree. What lies in front of a
player follows from the table's events alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from houseway.floor.moves import chips_of
from houseway.money import Cents, cents, dollars
from houseway.refusal import Refused
from houseway.store import Log
from houseway.table import events as e

#: what a new player is given
ALLOWANCE: Cents = 500_000


def stream(person: str) -> str:
    return f"purse/{person}"


def balance(log: Log, person: str) -> tuple[Cents, int]:
    """What is in a purse, and the version that says so."""
    held, version = 0, 0
    for event in log.read(stream(person)):
        amount = cents(event.data["amount"])
        held += -amount if event.kind == "chips_bought" else amount
        version = event.version
    return held, version


def after(racks: dict[int, Cents], events: Iterable[e.Event]) -> dict[int, Cents]:
    """The chips in front of each seat after these events."""
    new = racks
    for event in events:
        if isinstance(event, e.PlayerSat):
            new = {**new, event.seat: 0}
        elif isinstance(event, e.PlayerLeft):
            new = {seat: held for seat, held in new.items() if seat != event.seat}
        else:
            seat, amount = chips_of(event)
            if amount:
                new = {**new, seat: new.get(seat, 0) + amount}
    return new


def check(racks: Mapping[int, Cents], before: Mapping[int, Cents]) -> None:
    """Nobody wagers chips that do not lie in front of the player."""
    for seat, held in racks.items():
        if held < 0 and held < before.get(seat, 0):
            raise Refused(
                "not_enough_chips",
                f"that takes {dollars(before.get(seat, 0) - held)} and there are "
                f"{dollars(before.get(seat, 0))} in chips; buy more",
                seat=seat,
            )
