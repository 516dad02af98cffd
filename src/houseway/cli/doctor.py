"""`houseway doctor`: what is installed, where things are, and what would not work."""

from __future__ import annotations

import os
import platform
import socket
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from houseway.cli.record_options import Database, Flag, Port
from houseway.cli.terminal.output import GOLD, RED, plain, print_json, print_table


class Finding(NamedTuple):
    check: str
    ok: bool
    says: str


def doctor(
    *,
    database: Database = None,
    port: Port = 8321,
    json: Flag = False,
) -> int:
    """Check versions, extras, paths, the cache, the port and the record. Exit status 1 on a problem.

    Parameters
    ----------
    database
        The record: a file or postgresql://…; houseway.db in your data folder by default.
    port
        The port that `serve` would use.
    json
        As JSON.
    """
    found = [*_versions(), *_extras(), _chapters(), _cache(), _port(port), _record(database)]
    bad = [one for one in found if not one.ok]
    if json:
        print_json({"ok": not bad, "checks": [one._asdict() for one in found]})
        return 1 if bad else 0
    marks = {True: f"[{GOLD}]OK[/]", False: f"[{RED}]problem[/]"}
    rows = [(one.check, marks[one.ok], plain(one.says)) for one in found]
    print_table(("check", "", "~found"), rows)
    return 1 if bad else 0


def _versions() -> Iterator[Finding]:
    import houseway

    where = Path(houseway.__file__).parent
    yield Finding("houseway", True, f"{houseway.__version__} in {where}")
    python = platform.python_version()
    yield Finding("python", sys.version_info >= (3, 11), f"{python} at {sys.executable}")


def _extras() -> Iterator[Finding]:
    from houseway.extras import libraries_by_extra

    for extra, libraries in libraries_by_extra().items():
        missing = sorted(name for name in libraries if not _is_installed(name))
        says = f"not installed: {', '.join(missing)}" if missing else "installed"
        # an extra that was not asked for is no problem
        yield Finding(f"extra {extra}", True, says)


def _is_installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True


def _chapters() -> Finding:
    from houseway.errors import Refused
    from houseway.law import chapter, chapters

    try:
        ids = [chapter(id).id for id in chapters()]
    except Refused as refusal:
        return Finding("chapters", False, str(refusal))
    return Finding("chapters", True, ", ".join(ids))


def _cache() -> Finding:
    from houseway.maths.counting.cache import folder

    kept = folder()
    if kept is None:
        return Finding("cache", True, "off (HOUSEWAY_CACHE)")
    there = kept if kept.exists() else next(one for one in kept.parents if one.exists())
    size = sum(file.stat().st_size for file in kept.rglob("*") if file.is_file())
    says = f"{kept}, {size / 1e6:.1f} MB" if os.access(there, os.W_OK) else f"cannot write {kept}"
    return Finding("cache", os.access(there, os.W_OK), says)


def _port(port: int) -> Finding:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            return Finding("port", False, f"{port}: {error.strerror}; use serve --port 0")
    return Finding("port", True, f"{port} is free")


def _record(database: str | None) -> Finding:
    from houseway.errors import Refused
    from houseway.store import open_log
    from houseway.store.open_log import default_path

    name = database or str(default_path())
    try:
        with open_log(database, readonly=True) as log:
            return Finding("record", True, f"{name}, {len(log.heads()):,} streams")
    except Refused as refusal:
        if refusal.code == "no_such_record" or not Path(name).exists():
            return Finding("record", True, f"{name}: none yet; serve creates it")
        return Finding("record", False, str(refusal))
