"""Which record is meant: a file, a PostgreSQL URL, or the user's own by default."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from weakref import WeakSet

from houseway.errors import Refused
from houseway.store.log import Log

#: the records that this process has open
OPEN_LOGS: WeakSet[Log] = WeakSet()


def default_path() -> Path:
    """`houseway.db` in the user's data directory, where the platform keeps such things."""
    home = Path.home()
    if sys.platform == "darwin":
        folder = home / "Library" / "Application Support"
    elif os.name == "nt":
        folder = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    else:
        folder = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return folder / "houseway" / "houseway.db"


def keys_folder() -> Path:
    """Where the keys of this user's houses are: apart from their records."""
    if named := os.environ.get("HOUSEWAY_KEYS"):
        return Path(named)
    home = Path.home()
    if sys.platform == "darwin":
        folder = home / "Library" / "Preferences"
    elif os.name == "nt":
        folder = Path(os.environ.get("APPDATA") or home / "AppData" / "Roaming")
    else:
        folder = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    return folder / "houseway" / "keys"


def anchors_folder(record: str) -> Path:
    """Where the anchors of a record are kept: with its keys, away from the database."""
    return keys_folder() / f"{record}.anchors"


def key_files(record: str) -> list[Path]:
    """The files with the keys of a record, the newest first."""
    return sorted(keys_folder().glob(f"{record}.*.pem"), reverse=True)


def open_log(database: str | Path | None = None, *, readonly: bool = False) -> Log:
    """Open a record, making or upgrading it unless it is only to be read.

    Where this machine has the house's keys, they come with it.
    """
    log = _open(database, readonly=readonly)
    OPEN_LOGS.add(log)
    if key_files(log.id):
        from houseway.store.security.house_keys import find_keys

        log.keys = find_keys(log.id)
    if (folder := archives_folder(database)) is not None and log.bases():
        from houseway.store.archives import Archives

        log.archives = Archives(folder, log.id)
    return log


def archives_folder(database: str | Path | None = None) -> Path | None:
    """Where the archives of a record are: beside its file, or where HOUSEWAY_ARCHIVES says."""
    if named := os.environ.get("HOUSEWAY_ARCHIVES"):
        return Path(named)
    name = str(database if database is not None else default_path())
    folder = Path(name).parent if name.endswith(".archive.db") else Path(f"{name}.archives")
    return folder if "://" not in name and folder.is_dir() else None


def _open(database: str | Path | None, *, readonly: bool) -> Log:
    name = str(database) if database is not None else str(default_path())
    if name.startswith(("postgresql://", "postgres://")):
        from houseway.store.backends.postgres import PostgresLog

        return PostgresLog(name, readonly=readonly)
    if name == ":memory:":
        from houseway.store.backends.memory import MemoryLog

        return MemoryLog()
    kind, found, _ = name.partition("://")
    if found or not name:
        raise Refused(
            "no_such_database",
            f"a record is a file or postgresql://…, not {kind + found or 'nothing'}",
            field="database",
        )
    from houseway.store.backends.sqlite import SQLiteLog

    return SQLiteLog(name, readonly=readonly)
