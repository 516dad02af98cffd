"""What is done to a link from the terminal: opened, joined, left, adjusted, shut down, taken over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from houseway.cli.output import GOLD, console, print_json
from houseway.refusal import Refused
from houseway.store import open_log

if TYPE_CHECKING:
    from houseway.floor.link_record import Reading
    from houseway.floor.linked_meters import By, Link, Signed

Flag = Annotated[bool, Parameter(negative="")]
Database = Annotated[
    str | None,
    Parameter(
        help="The record: a file or postgresql://…; houseway.db in your data folder by default."
    ),
]
Who = Annotated[str, Parameter(help="The floorperson who does it.")]
First = Annotated[str, Parameter(help="The dealer or floorperson who does it.")]
Role = Annotated[str, Parameter(help="What the first person is: dealer or floorperson.")]
Second = Annotated[str, Parameter(help="The second floorperson, who signs with the first.")]
Reason = Annotated[str, Parameter(help="Why; it goes on the record.")]

_AMOUNT = re.compile(r"-?\d{1,12}(?:\.\d{1,9}|/[1-9]\d{0,11})?", re.ASCII)


@contextmanager
def _link(database: str | None, name: str) -> Iterator[Link]:
    from houseway.floor.linked_meters import Link

    log = open_log(database)
    try:
        yield Link(log, name)
    finally:
        log.close()


def _by(who: str) -> By:
    from houseway.floor import clock
    from houseway.floor.linked_meters import By

    return By(who, clock.now())


def _signed(role: str, by: str, second: str, reason: str) -> Signed:
    from houseway.floor import clock
    from houseway.floor.linked_meters import Signed

    return Signed(role, by, second, reason, clock.now())


def _say(reading: Reading, *, json: bool) -> int:
    from houseway.floor.link_history import shown

    one = shown(reading)
    if json:
        print_json(one)
    else:
        meters = ", ".join(f"{name} [{GOLD}]${amount}[/]" for name, amount in one.meters.items())
        console().print(f"{one.link}: {meters}", soft_wrap=True)
    return 0


def register(app: App) -> None:
    """Add the acts to `houseway progressive`."""
    for act, name in (
        (open_, "open"), (join, "join"), (leave, "leave"), (adjust, "adjust"),
        (shut_down, "shut-down"), (take_over, "take-over"),
    ):  # fmt: skip
        app.command(act, name=name)


def open_(
    link: str,
    /,
    *,
    rules: str,
    wager: str = "progressive",
    by: Who,
    database: Database = None,
    json: Flag = False,
) -> int:
    """Open a link under the meters of a rules file.

    Parameters
    ----------
    link
        Its name: small letters, digits and hyphens.
    rules
        The rules file or Rules Submission that its tables play by.
    wager
        Which progressive it is for.
    json
        The link as JSON.
    """
    from houseway.law import read_rules

    played = read_rules(rules)
    with _link(database, link) as found:
        return _say(found.open(played, wager, _by(by)), json=json)


def join(
    link: str, table: str, /, *, rules: str, by: Who, database: Database = None, json: Flag = False
) -> int:
    """Let a closed table feed a link from its next opening on.

    Parameters
    ----------
    link
        The link.
    table
        The table.
    rules
        The rules file the table plays by: the same paytable, rates and resets.
    json
        The link as JSON.
    """
    from houseway.law import read_rules

    played = read_rules(rules)
    with _link(database, link) as found:
        return _say(found.join(table, played, _by(by)), json=json)


def leave(
    link: str, table: str, /, *, by: Who, database: Database = None, json: Flag = False
) -> int:
    """Take a table off a link, between two of its rounds; what it fed stays.

    Parameters
    ----------
    link
        The link.
    table
        The table.
    json
        The link as JSON.
    """
    with _link(database, link) as found:
        return _say(found.leave(table, _by(by)), json=json)


def adjust(
    link: str,
    meter: str,
    /,
    *,
    amount: str,
    by: First,
    second: Second,
    reason: Reason,
    role: Role = "floorperson",
    database: Database = None,
    json: Flag = False,
) -> int:
    """Put a meter right, with two people and a reason.

    Parameters
    ----------
    link
        The link.
    meter
        The meter, as `progressive list` names it.
    amount
        Dollars more, or with a minus less, exactly: 12.50, -0.003, 1/3.
    json
        The link as JSON.
    """
    if not _AMOUNT.fullmatch(amount):
        raise Refused("not_an_amount", f"{amount!r} is not an exact amount", field="amount")
    signed = _signed(role, by, second, reason)
    with _link(database, link) as found:
        return _say(found.adjust(meter, Fraction(amount) * 100, signed), json=json)


def shut_down(
    link: str,
    /,
    *,
    by: First,
    second: Second,
    reason: Reason,
    role: Role = "floorperson",
    database: Database = None,
    json: Flag = False,
) -> int:
    """Shut a link down, between the rounds of its tables, with two people and a reason.

    Parameters
    ----------
    link
        The link.
    json
        The link as JSON.
    """
    with _link(database, link) as found:
        return _say(found.shut_down(_signed(role, by, second, reason)), json=json)


def take_over(
    link: str,
    /,
    *,
    by: First,
    second: Second,
    reason: Reason,
    from_link: str | None = None,
    from_table: str | None = None,
    role: Role = "floorperson",
    database: Database = None,
    json: Flag = False,
) -> int:
    """Move all that a link that was shut down, or a closed table's own meters, hold to this link.

    Parameters
    ----------
    link
        The link that gets it.
    from_link
        The link that was shut down.
    from_table
        The closed table.
    json
        The link as JSON.
    """
    from houseway.floor.linked_meters import Link

    signed = _signed(role, by, second, reason)
    with _link(database, link) as found:
        if (from_link is None) == (from_table is None):
            raise Refused("which", "say --from-link or --from-table")
        if from_table is not None:
            return _say(found.take_over_table(from_table, signed), json=json)
        assert from_link is not None
        return _say(found.take_over(Link(found.log, from_link), signed), json=json)
