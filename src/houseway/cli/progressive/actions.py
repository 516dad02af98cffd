"""What is done to a link from the terminal: opened, joined, left, adjusted, shut down, taken over.

Whoever does it is known to the record and gives a password: asked for at a terminal, otherwise from
HOUSEWAY_PASSWORD and, for the one who signs second, HOUSEWAY_SECOND_PASSWORD.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from houseway.cli.output import GOLD, console, print_json
from houseway.cli.record_options import Database, Flag, proved, record
from houseway.errors import Refused
from houseway.store import Log

if TYPE_CHECKING:
    from houseway.floor.links.operations import Link
    from houseway.floor.links.record import Reading
    from houseway.floor.people.signing import By, Signed

Who = Annotated[str, Parameter(help="The floorperson who does it.")]
First = Annotated[str, Parameter(help="The dealer or floorperson who does it.")]
Second = Annotated[str, Parameter(help="The second floorperson, who signs with the first.")]
Reason = Annotated[str, Parameter(help="Why; it goes on the record.")]

_AMOUNT = re.compile(r"-?\d{1,12}(?:\.\d{1,9}|/[1-9]\d{0,11})?", re.ASCII)


#: where the passwords come from where nobody can be asked
FIRST_PASSWORD, SECOND_PASSWORD = "HOUSEWAY_PASSWORD", "HOUSEWAY_SECOND_PASSWORD"


@contextmanager
def _link(database: str | None, name: str) -> Iterator[Link]:
    from houseway.floor.links.operations import Link

    with record(database, readonly=False) as log:
        yield Link(log, name)


def _by(log: Log, who: str) -> By:
    from houseway.floor import clock
    from houseway.floor.people.signing import By

    return By(proved(log, who, FIRST_PASSWORD).id, clock.now())


def _signed(log: Log, by: str, second: str, reason: str) -> Signed:
    from houseway.floor import clock
    from houseway.floor.people.signing import sign

    first = proved(log, by, FIRST_PASSWORD)
    return sign(first, proved(log, second, SECOND_PASSWORD), reason, clock.now())


def _say(reading: Reading, *, json: bool) -> int:
    from houseway.floor.links.history import shown

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
        return _say(found.open(played, wager, _by(found.log, by)), json=json)


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
        return _say(found.join(table, played, _by(found.log, by)), json=json)


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
        return _say(found.leave(table, _by(found.log, by)), json=json)


def adjust(
    link: str,
    meter: str,
    /,
    *,
    amount: str,
    by: First,
    second: Second,
    reason: Reason,
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
    with _link(database, link) as found:
        signed = _signed(found.log, by, second, reason)
        return _say(found.adjust(meter, Fraction(amount) * 100, signed), json=json)


def shut_down(
    link: str,
    /,
    *,
    by: First,
    second: Second,
    reason: Reason,
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
        return _say(found.shut_down(_signed(found.log, by, second, reason)), json=json)


def take_over(
    link: str,
    /,
    *,
    by: First,
    second: Second,
    reason: Reason,
    from_link: str | None = None,
    from_table: str | None = None,
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
    from houseway.floor.links.operations import Link

    if (from_link is None) == (from_table is None):
        raise Refused("which", "say --from-link or --from-table")
    with _link(database, link) as found:
        signed = _signed(found.log, by, second, reason)
        if from_table is not None:
            return _say(found.take_over_table(from_table, signed), json=json)
        assert from_link is not None
        return _say(found.take_over(Link(found.log, from_link), signed), json=json)
