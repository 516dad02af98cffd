"""What is done to a link from the terminal: opened, joined, left, adjusted, shut down, taken over.

The people who sign are known to the record and give their passwords: asked for at a terminal,
otherwise taken from HOUSEWAY_PASSWORD and, for the second person, HOUSEWAY_SECOND_PASSWORD.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from houseway.cli.record_options import Database, proved, record
from houseway.cli.terminal.output import GOLD, console, print_json
from houseway.errors import Refused
from houseway.store import Log

if TYPE_CHECKING:
    from houseway.floor.links.operations import Link
    from houseway.floor.links.record import Reading
    from houseway.floor.people.signing import By, Signed

Name = Annotated[str, Parameter(help="The link's name.")]
Table = Annotated[str, Parameter(help="The table's name.")]
Who = Annotated[str, Parameter(help="The floorperson who does it.")]
First = Annotated[str, Parameter(help="The dealer or floorperson who does it.")]
Second = Annotated[str, Parameter(help="The second floorperson, who signs with the first.")]
Reason = Annotated[str, Parameter(help="Why; it goes on the record.")]
Json = Annotated[bool, Parameter(negative="", help="The link as JSON.")]

_AMOUNT = re.compile(r"-?\d{1,12}(?:\.\d{1,9}|/[1-9]\d{0,11})?", re.ASCII)


#: where passwords come from if there is no terminal to ask at
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
    link: Annotated[str, Parameter(help="Its name: lowercase letters, digits and hyphens.")],
    /,
    *,
    rules: Annotated[
        str, Parameter(help="The rules file or Rules Submission that its tables play by.")
    ],
    wager: Annotated[str, Parameter(help="Which progressive it is for.")] = "progressive",
    by: Who,
    database: Database = None,
    json: Json = False,
) -> int:
    """Open a link under the meters of a rules file."""
    from houseway.law import read_rules

    played = read_rules(rules)
    with _link(database, link) as found:
        return _say(found.open(played, wager, _by(found.log, by)), json=json)


def join(
    link: Name,
    table: Table,
    /,
    *,
    rules: Annotated[
        str,
        Parameter(help="The rules file the table plays by: the same paytable, rates and resets."),
    ],
    by: Who,
    database: Database = None,
    json: Json = False,
) -> int:
    """Let a closed table feed a link from its next opening on."""
    from houseway.law import read_rules

    played = read_rules(rules)
    with _link(database, link) as found:
        return _say(found.join(table, played, _by(found.log, by)), json=json)


def leave(
    link: Name, table: Table, /, *, by: Who, database: Database = None, json: Json = False
) -> int:
    """Take a table off a link, between two of its rounds; what it has added stays."""
    with _link(database, link) as found:
        return _say(found.leave(table, _by(found.log, by)), json=json)


def adjust(
    link: Name,
    meter: Annotated[str, Parameter(help="The meter, as `progressive list` names it.")],
    /,
    *,
    amount: Annotated[
        str,
        Parameter(help="The change in dollars, such as 12.50; -0.003 or -1/3 lowers the meter."),
    ],
    by: First,
    second: Second,
    reason: Reason,
    database: Database = None,
    json: Json = False,
) -> int:
    """Correct a meter, with two people and a reason."""
    if not _AMOUNT.fullmatch(amount):
        raise Refused("not_an_amount", f"{amount!r} is not an exact amount", field="amount")
    with _link(database, link) as found:
        signed = _signed(found.log, by, second, reason)
        return _say(found.adjust(meter, Fraction(amount) * 100, signed), json=json)


def shut_down(
    link: Name,
    /,
    *,
    by: First,
    second: Second,
    reason: Reason,
    database: Database = None,
    json: Json = False,
) -> int:
    """Shut a link down, between the rounds of its tables, with two people and a reason."""
    with _link(database, link) as found:
        return _say(found.shut_down(_signed(found.log, by, second, reason)), json=json)


def take_over(
    link: Annotated[str, Parameter(help="The link that receives it.")],
    /,
    *,
    by: First,
    second: Second,
    reason: Reason,
    from_link: Annotated[str | None, Parameter(help="The link that was shut down.")] = None,
    from_table: Annotated[str | None, Parameter(help="The closed table.")] = None,
    database: Database = None,
    json: Json = False,
) -> int:
    """Move what a closed link or table holds to this link."""
    from houseway.floor.links.operations import Link

    if (from_link is None) == (from_table is None):
        raise Refused("which", "say --from-link or --from-table")
    with _link(database, link) as found:
        signed = _signed(found.log, by, second, reason)
        if from_table is not None:
            return _say(found.take_over_table(from_table, signed), json=json)
        assert from_link is not None
        return _say(found.take_over(Link(found.log, from_link), signed), json=json)
