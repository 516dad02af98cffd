"""What commands on the record share: where it is, and who uses it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from houseway.refusal import Refused
from houseway.store import Log, open_log

if TYPE_CHECKING:
    from houseway.floor.people import Person

Flag = Annotated[bool, Parameter(negative="")]
Database = Annotated[
    str | None,
    Parameter(
        help="The record: a file or postgresql://…; houseway.db in your data folder by default."
    ),
]


@contextmanager
def record(database: str | None, *, readonly: bool = True, new: bool = False) -> Iterator[Log]:
    """A record, opened for reading or writing; only where a `new` one will do is it made."""
    if not (readonly or new):
        open_log(database, readonly=True).close()
    log = open_log(database, readonly=readonly)
    try:
        yield log
    finally:
        log.close()


def password(who: str, variable: str) -> str:
    """A password from the environment, or asked for where somebody sits; never an argument."""
    found = os.environ.get(variable)
    if found is not None:
        return found
    if not sys.stdin.isatty():
        raise Refused("no_password", f"no password of {who}: be at a terminal, or set {variable}")
    from getpass import getpass

    return getpass(f"Password of {who}: ")


def proved(log: Log, who: str, variable: str = "HOUSEWAY_PASSWORD") -> Person:
    """The person of this name, who gives the password."""
    from houseway.floor.people import People

    return People(log).check_password(who, password(who, variable))
