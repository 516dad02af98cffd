"""A player's account: chips at the tables, and play money in the purse outside them.

It is one stream, `chips/PLAYER`, written together with the tables' own, so that they never disagree.
Chips are bought out of the purse and go back into it when the player leaves a table. Every event says
what moved and what the player has after it: the last one is the balance. What lies in front of a
seat follows from the table's events alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from houseway.errors import Refused
from houseway.floor.people.chip_changes import chips_of
from houseway.money import Cents, cents, spoken
from houseway.store import Event as Recorded
from houseway.store import Log
from houseway.table import Event, Table
from houseway.table import events as e

#: the play money of a new player
ALLOWANCE: Cents = 500_000

#: from this schema version on, an account event holds the balance
SCHEMA = 2


class Account(msgspec.Struct, frozen=True):
    """What a player has: chips at all tables together, and money in the bankroll."""

    chips: Cents = 0
    purse: Cents = 0


class Moved(NamedTuple):
    """The changes of chips and purse."""

    chips: Cents = 0
    purse: Cents = 0


def stream(person: str) -> str:
    return f"chips/{person}"


def account(log: Log, person: str, last: Recorded | None = None) -> Account:
    """A player's account; `last` is its last event, if the caller has it."""
    last = last or log.last([stream(person)]).get(stream(person))
    if last is not None and last.schema >= SCHEMA:
        return Account(last.data["chips"], last.data["purse"])
    return _older(log, person)


def _older(log: Log, person: str) -> Account:
    """The balance on a record of an earlier version, where purses were separate streams and cashed
    chips were recorded only there. The next event of the account takes it over.
    """
    chips = sum(event.data["cents"] for event in log.read(stream(person)))
    purse = 0
    for event in log.read(f"purse/{person}"):
        amount = cents(event.data["amount"])
        purse += -amount if event.kind == "chips_bought" else amount
        chips -= amount if event.kind == "chips_cashed" else 0
    return Account(chips, purse)


def moved(
    table: Table, events: Iterable[Event], racks: Mapping[int, Cents] | None
) -> dict[str, Moved]:
    """The change of each player's chips by these events; `table` and `racks` are those before them.

    Without racks there are no purses: chips are sold for cash and carried away.
    """
    found: dict[str, Moved] = {}
    players = {box.seat: box.player for box in table.boxes}

    def move(seat: int, chips: Cents, purse: Cents) -> None:
        player = players.get(seat, "")
        if player and (chips or purse):
            before = found.get(player, Moved())
            found[player] = Moved(before.chips + chips, before.purse + purse)

    for event in events:
        if isinstance(event, e.PlayerSat):
            players[event.seat] = event.player
        seat, amount = chips_of(event)
        bought = racks is not None and isinstance(event, e.ChipsSold)
        move(seat, amount, -amount if bought else 0)
        if racks is not None:
            if isinstance(event, e.PlayerLeft):
                held = max(0, racks.get(event.seat, 0))
                move(event.seat, -held, held)
            racks = after(racks, (event,))
    return {player: one for player, one in found.items() if one != Moved()}


def after(racks: Mapping[int, Cents], events: Iterable[Event]) -> dict[int, Cents]:
    """The chips in front of each seat after these events."""
    new = dict(racks)
    for event in events:
        if isinstance(event, e.PlayerSat):
            new[event.seat] = 0
        elif isinstance(event, e.PlayerLeft):
            new.pop(event.seat, None)
        else:
            seat, amount = chips_of(event)
            if amount:
                new[seat] = new.get(seat, 0) + amount
    return new


def check(racks: Mapping[int, Cents], before: Mapping[int, Cents]) -> None:
    """Refuse a wager of chips that the player does not have at the table."""
    for seat, held in racks.items():
        if held < 0 and held < before.get(seat, 0):
            raise Refused(
                "not_enough_chips",
                f"that takes {spoken(before.get(seat, 0) - held)} and there are "
                f"{spoken(before.get(seat, 0))} in chips; buy more",
                seat=seat,
            )


def check_purse(before: Account, move: Moved) -> None:
    """Refuse a purchase of chips for more than the purse holds."""
    if move.purse < 0 and before.purse + move.purse < 0:
        raise Refused(
            "not_enough_money",
            f"{spoken(-move.purse)} is more than the bankroll of {spoken(before.purse)}",
        )
