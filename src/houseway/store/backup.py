"""Backup while tables play on, and restore, both proved.

A backup of any record, PostgreSQL's too, is one SQLite file that is a record itself: it can be
verified, read and audited where it lies, and restored into either kind of database.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from houseway.errors import Refused
from houseway.store.backends.sqlite import SQLiteLog
from houseway.store.log import Log
from houseway.store.verify import Verdict, verify

if TYPE_CHECKING:
    from houseway.store.anchor import Anchor


def backup(log: Log, path: Path) -> Verdict:
    """Copy a record to a new file, as it stands at one moment, and verify the copy."""
    if path.exists():
        raise Refused("file_exists", f"{path} exists; a backup does not overwrite")
    draft = path.with_name(path.name + ".part")
    draft.unlink(missing_ok=True)
    if isinstance(log, SQLiteLog):
        log.copy_to(draft)
    with SQLiteLog(draft) as copy:
        if not isinstance(log, SQLiteLog):
            copy.load(log.scan(), log.id)
        verdict = verify(copy)
        copy.settle()
    draft.rename(path)
    return verdict


def restore(path: Path, target: Log, anchors: Iterable[Anchor] = ()) -> Verdict:
    """Fill an empty record from a backup; a backup that is broken is not restored."""
    with SQLiteLog(path, readonly=True) as source:
        verdict = verify(source, anchors)
        if not verdict.unbroken:
            return verdict
        target.load(source.scan(), source.id)
    return verify(target)
