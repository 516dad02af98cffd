"""Separation of duties: what needs two people, and what is never allowed.

`DUTIES` is the table that `docs/reference/security.md` shows; the functions below and the places that it
names hold people to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from houseway.errors import Refused
from houseway.money import Cents, cents
from houseway.table import Table
from houseway.table import commands as c

#: what one person moves alone by fills and credits while a table is open; more takes two people
FILL_LIMIT: Cents = 500_000


class Duty(NamedTuple):
    """One rule: what it is about, how it is kept, and by which code."""

    what: str
    rule: str
    where: str


DUTIES = (
    Duty("play and deal, or supervise, at one table", "never the same person", "duties.check_separate"),
    Duty("give roles", "never to oneself", "directory.People.change_roles"),
    Duty("give somebody a role of the staff", "an administrator and a second person of the staff, once there was one", "web.pages.account"),
    Duty("disable an account", "never one's own", "directory.People.disable"),
    Duty("reset a password", "an administrator and a second person of the staff", "directory.People.reset"),
    Duty("correct a payment, or a card that was keyed in", "with a second floorperson", "duties.needs_second"),
    Duty("fill and credit above $5,000.00 in all while a table is open", "with a second floorperson", "duties.needs_second"),
    Duty("seat somebody else, or sell chips on their account", "with a second floorperson", "duties.needs_second"),
    Duty("deal real cards at a table, or cards that came preshuffled", "with a second floorperson", "duties.needs_second"),
    Duty("sign as the second person", "never a player of that table", "web.table.command_routes.check_duties"),
    Duty("adjust, transfer or shut down a linked meter", "a dealer or floorperson and a second floorperson", "signing.Signed"),
    Duty("approve a Rules Submission", "never the person who filed it", "submission.lifecycle"),
    Duty("system players", "only in the demonstration", "web.table.command_routes.company"),
)  # fmt: skip


def plays(table: Table, person: str) -> bool:
    """Whether somebody sits at a table, or has wagers there in a round that is going on."""
    return bool(person) and any(
        box.player == person
        or (box.wagers and box.seat in table.hands and table.holders.get(box.seat) == person)
        for box in table.boxes
    )


def check_separate(table: Table, command: c.Command) -> None:
    """Refuse a command by which one person plays and deals, or plays and supervises, at one table.

    Every command of a house passes here, on the table that it is carried out at.
    """
    if command.role != "player" and plays(table, command.who):
        raise Refused("two_duties", "a player at a table may not deal or supervise there")
    match command:
        case c.SitDown() if command.player and command.player == table.dealer:
            raise Refused("two_duties", "the dealer of a table may not play there")
        case c.ChangeDealer() if plays(table, command.dealer):
            raise Refused("two_duties", "a player at a table may not deal there")
        case c.CorrectPayment() if table.holders.get(command.seat) == command.who:
            raise Refused("two_duties", "you cannot correct a payment to yourself")


def needs_second(
    table: Table, person: str, role: str, command: str, fields: Mapping[str, Any]
) -> bool:
    """Whether a command of the house takes a second person outside the demonstration."""
    if role == "player":
        return False
    if command in ("correct_payment", "correct_card", "buy_in", "sit_down"):
        return True
    if command in ("fill", "credit"):
        # several small ones are one large one
        return table.filled.get(person, 0) + _worth(fields.get("chips")) > FILL_LIMIT
    return bool(fields.get("real")) or bool(fields.get("preshuffled"))


def _worth(chips: Any) -> Cents:
    """The value of chips; an unreadable value is refused later and counts as large here."""
    try:
        return sum(cents(value) * abs(int(count)) for value, count in dict(chips).items())
    except (Refused, TypeError, ValueError, OverflowError):
        return FILL_LIMIT + 1
