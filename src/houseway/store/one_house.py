"""One house at a time on a SQLite file: a second would miss the first one's changes."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from houseway.errors import Refused, file_problem
from houseway.store.log import Log
from houseway.store.open_log import default_path


@contextmanager
def alone(database: str | None) -> Iterator[None]:
    """While this holds, no other house opens the record; refused where one is open."""
    name = str(database or default_path())
    if name.startswith(("postgres://", "postgresql://", ":memory:")):
        yield
        return
    path = Path(os.path.realpath(name))
    # a link is the same record; under a second name of its own SQLite would not find its journal
    if path.is_file() and path.stat().st_nlink > 1:
        raise Refused(
            "two_names", f"{name} has another name too (a hard link); a record has only one",
            field="database",
        )  # fmt: skip
    path = path.with_name(path.name + ".serving")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise Refused("cannot_write", file_problem(path, error)) from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        raise Refused(
            "already_open",
            f"another house is open on {name}",
            remedy="stop it first; for several processes of one house use --workers",
            field="database",
        ) from None
    try:
        yield
    finally:
        os.close(file)


def check_closed(log: Log, tables: str) -> None:
    """Refuse what is for a closed house where workers hold its tables, the streams of this prefix."""
    if not all(map(log.hold, log.heads(prefix=tables))):
        raise Refused("already_open", "a house is open on this record; close it first")
