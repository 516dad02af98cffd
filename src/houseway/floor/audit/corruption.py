"""Find and name the event at which a record was changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from houseway.errors import Refused
from houseway.store import Log
from houseway.store.verify import verify

#: the errors that reading a changed event may raise
DAMAGE = (
    Refused, msgspec.MsgspecError, LookupError, ValueError, TypeError, AttributeError,
    ArithmeticError, sqlite3.IntegrityError,
)  # fmt: skip
#: the refusals that a changed event causes, and never a request
_UNREADABLE = ("not_an_event", "no_such_card")


@contextmanager
def naming_corruption(log: Log) -> Iterator[None]:
    """Turn an error caused by a changed event into a refusal that names the event."""
    try:
        yield
    except DAMAGE as error:
        if isinstance(error, Refused) and error.code not in _UNREADABLE:
            raise
        raise Refused("damaged", where(log, None, error)) from error


def where(log: Log, stream: str | None, error: Exception) -> str:
    """The first event that was changed; None means that the error is a bug, not damage."""
    for fault in verify(log).faults:
        if stream in (None, fault.stream):
            return f"the record is damaged at {fault.stream}, event {fault.version}: {fault.says}"
    raise error
