"""What commands on the record share: where it is, and who uses it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from cyclopts import Group, Parameter
from cyclopts.validators import Number

from houseway.errors import Refused, printable
from houseway.store import Log, open_log
from houseway.store.open_log import keys_folder

if TYPE_CHECKING:
    from houseway.floor.audit.projections import Projections
    from houseway.floor.people.directory import Person

Flag = Annotated[bool, Parameter(negative="", show_default=False)]
Database = Annotated[
    str | None,
    Parameter(
        help="The record: a file or postgresql://…; houseway.db in your data folder by default."
    ),
]

Port = Annotated[int, Parameter(validator=Number(gte=0, lte=65535))]
AtTable = Annotated[str | None, Parameter(help="At this table.")]
GamingDay = Annotated[str | None, Parameter(help="On this gaming day: 2026-03-01.")]
_WHEN = Parameter(group=Group("Where and when", sort_key=1))
_HOW = Parameter(group=Group("The answer", sort_key=2))


@Parameter(name="*")
@dataclass(frozen=True)
class Looked:
    """What every search of the record can be asked: where and when; how much, and in which form."""

    table: Annotated[AtTable, _WHEN] = None
    since: Annotated[str | None, _WHEN, Parameter(help="At this time or later, UTC.")] = None
    until: Annotated[str | None, _WHEN, Parameter(help="Before this time, UTC.")] = None
    day: Annotated[GamingDay, _WHEN] = None
    limit: Annotated[int, _HOW, Parameter(help="Show at most this many, the latest first.")] = 50
    json: Annotated[Flag, _HOW, Parameter(help="As JSON, amounts in dollars.")] = False
    database: Annotated[Database, _HOW] = None

    def narrowed(self) -> bool:
        """Whether less was asked for than all there is."""
        return any(x is not None for x in (self.table, self.since, self.until, self.day))


#: no search is narrowed until it is asked to be
EVERYWHERE = Looked()


@contextmanager
def searchable(database: str | None) -> Iterator[tuple[Log, Projections]]:
    """A record with its projections, brought up to date.

    A damaged record is searched as far as it can be read, and a line says how far.
    """
    from houseway.floor.audit.corruption import where
    from houseway.floor.audit.projections import Projections, projections_path
    from houseway.floor.gaming_day import facility_time

    with (
        record(database) as log,
        Projections(projections_path(log, database), facility_time(log)) as found,
    ):
        found.update(log)
        for stream, (version, error) in found.unread.items():
            why = where(log, stream, error)
            print(f"houseway: {why}; searched up to event {version - 1}", file=sys.stderr)
        yield log, found


@contextmanager
def record(database: str | None, *, readonly: bool = True, new: bool = False) -> Iterator[Log]:
    """A record, opened for reading or writing; it is created only if `new` says so.

    A command that depends on a damaged event is refused, and the event is named.
    """
    from houseway.floor.audit.corruption import naming_corruption

    if not (readonly or new):
        _existing(database).close()
    with (
        _existing(database) if readonly else open_log(database) as log,
        naming_corruption(log),
    ):
        if not readonly:
            _has_keys(log)
        yield log


def _has_keys(log: Log) -> None:
    """Refuse to write without a key what a house signs: it would not open on that any more."""
    if log.keys is None and any(True for _ in log.signatures()):
        raise Refused(
            "no_keys",
            f"the keys of this record are not in {printable(str(keys_folder()), 200)}, and a house does not open on"
            " what it did not sign",
            remedy="run this where they are, or name their folder in HOUSEWAY_KEYS; if they are"
            " lost, open the house first",
        )


def _existing(database: str | None) -> Log:
    """A record for reading; if there is none, say how to get one."""
    try:
        return open_log(database, readonly=True)
    except Refused as refusal:
        if refusal.code != "no_record":
            raise
        raise Refused(
            refusal.code,
            refusal.fault,
            remedy="name yours with --database, or make one with houseway demo",
        ) from None


def password(who: str, variable: str) -> str:
    """A password from the environment, or asked for at a terminal; never an argument."""
    found = os.environ.get(variable)
    if found is not None:
        return found
    if not sys.stdin.isatty():
        raise Refused(
            "no_password",
            f"a password is needed for {who}: run this at a terminal, or set {variable}",
        )
    from getpass import getpass

    return getpass(f"Password for {who}: ")


def proved(log: Log, who: str, variable: str = "HOUSEWAY_PASSWORD") -> Person:
    """The person of this name, who gives the password."""
    from houseway.floor.people.directory import People

    return People(log).check_password(who, password(who, variable))
