"""A record that is not as it was written: whoever stumbles over it is told at which event."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from houseway.errors import Refused
from houseway.store import Log
from houseway.store.verify import verify

#: what an event that is not as it was written may do to whoever reads it
DAMAGE = (
    Refused, msgspec.MsgspecError, LookupError, ValueError, TypeError, AttributeError,
    ArithmeticError, sqlite3.IntegrityError,
)  # fmt: skip
#: of refusals, those that an event brings about and nobody's request
_UNREADABLE = ("not_an_event", "no_such_card")


@contextmanager
def damage_named(log: Log) -> Iterator[None]:
    """Refuse what rests on an event that was changed with that event; other errors are left alone."""
    try:
        yield
    except DAMAGE as error:
        if isinstance(error, Refused) and error.code not in _UNREADABLE:
            raise
        raise Refused("damaged", where(log, None, error)) from error


def where(log: Log, stream: str | None, error: Exception) -> str:
    """The first event that was changed; where none was, the error is ours and is no damage."""
    for fault in verify(log).faults:
        if stream in (None, fault.stream):
            return f"the record is damaged at {fault.stream}, event {fault.version}: {fault.says}"
    raise error
