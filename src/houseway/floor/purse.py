"""Play money: what a person has outside the tables, and the chips in front of a player.

Chips are bought at a table for cash and cashed when the player leaves it. The purse is a stream of
its own, written together with the table's, so that the two never disagree. What lies in front of a
player follows from the table's events alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from houseway.money import Cents, cents, dollars
from houseway.refusal import Refused
from houseway.store import Log
from houseway.table import events as e

#: what a new player is given
ALLOWANCE: Cents = 500_000


def stream(person: str) -> str:
    return f"purse.{person}"


def balance(log: Log, person: str) -> tuple[Cents, int]:
    """What is in a purse, and the version that says so."""
    held, version = 0, 0
    for event in log.read(stream(person)):
        amount = cents(event.data["amount"])
        held += -amount if event.kind == "chips_bought" else amount
        version = event.version
    return held, version


def _sat(racks: dict[int, Cents], event: e.PlayerSat) -> None:
    racks[event.seat] = 0


def _left(racks: dict[int, Cents], event: e.PlayerLeft) -> None:
    racks.pop(event.seat, None)


def _add(racks: dict[int, Cents], seat: int, amount: Cents) -> None:
    racks[seat] = racks.get(seat, 0) + amount


def _signed(text: str) -> Cents:
    return -cents(text[1:]) if text.startswith("-") else cents(text)


def _settled(racks: dict[int, Cents], event: e.WagerSettled) -> None:
    back = cents(event.stake) if event.result in ("win", "push", "returned") else 0
    _add(racks, event.seat, back + cents(event.paid))


_CHANGES: Mapping[type[e.Event], Callable[[dict[int, Cents], Any], None]] = {
    e.PlayerSat: _sat,
    e.PlayerLeft: _left,
    e.ChipsSold: lambda racks, event: _add(racks, event.seat, cents(event.amount)),
    e.WagerPlaced: lambda racks, event: _add(racks, event.seat, -cents(event.amount)),
    e.WagerTakenBack: lambda racks, event: _add(racks, event.seat, cents(event.amount)),
    e.WagerReturned: lambda racks, event: _add(racks, event.seat, cents(event.amount)),
    e.ProgressiveStruck: lambda racks, event: _add(racks, event.seat, cents(event.amount)),
    e.TipGiven: lambda racks, event: _add(racks, event.seat, -cents(event.amount)),
    e.PaymentCorrected: lambda racks, event: _add(racks, event.seat, _signed(event.amount)),
    e.WagerSettled: _settled,
}


def after(racks: Mapping[int, Cents], events: Iterable[e.Event]) -> Mapping[int, Cents]:
    """The chips in front of each seat after these events."""
    new: dict[int, Cents] | None = None
    for event in events:
        change = _CHANGES.get(type(event))
        if change is not None:
            new = dict(racks) if new is None else new
            change(new, event)
    return racks if new is None else new


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
