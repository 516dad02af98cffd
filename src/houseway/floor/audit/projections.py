"""Projections: a searchable copy of the record in a SQLite file, which can be deleted at any time.

The file is filled from the record, resumes each stream at its own version, and is made again from
nothing when it is missing, when its shape has changed or when it is of another history. It is never
evidence: the record is. So an inspector may search a record that cannot be written to.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

import msgspec

from houseway.floor.audit.corruption import DAMAGE
from houseway.floor.audit.hold_rows import Row
from houseway.floor.audit.project_events import Pending, project
from houseway.floor.audit.round_index import Facets
from houseway.floor.editions import learn_edition
from houseway.floor.gaming_day import FacilityTime
from houseway.floor.recorded_table import read_table_event
from houseway.floor.streams import PREFIX
from houseway.law.library import EditionRef
from houseway.store import NOTHING, Log, default_path
from houseway.store.private_file import close_to_others, create_private

_SCHEMA = files("houseway.floor.audit").joinpath("projections.sql").read_text("utf-8")
#: a file with another schema version is rebuilt
_SHAPE = int.from_bytes(sha256(_SCHEMA.encode()).digest()[:3], "big")


#: events whose rows are written together
_AT_ONCE = 20_000
#: projections of more events than this are not rebuilt for comparison
_MOST = 500_000


def wrong_projections(log: Log, path: Path | str) -> list[str]:
    """The tables of a projections file that differ from the record."""
    heads = log.heads(prefix=PREFIX).values()
    if not Path(path).is_file() or sum(head.version for head in heads) > _MOST:
        return []
    with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as kept:
        try:
            (shape,) = kept.execute("pragma user_version").fetchone()
            at = dict(kept.execute("select stream, version from positions"))
            when = FacilityTime(*kept.execute("select * from facility").fetchone())
        except (sqlite3.Error, TypeError):
            return []
        if shape != _SHAPE or at != {
            name: head.version for name, head in log.heads(prefix=PREFIX).items()
        }:
            return []  # it is brought up to date before it is read
        with Projections(":memory:", when) as fresh:
            fresh.update(log)
            names = [row["name"] for row in fresh.rows(
                "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")]  # fmt: skip
            return [
                name for name in sorted(names)
                if name != "positions"
                and sorted(map(repr, kept.execute(f'select * from "{name}"')))
                != sorted(map(repr, fresh.sql.execute(f'select * from "{name}"')))
            ]  # fmt: skip


class Projections:
    """The searchable side of a record."""

    def __init__(self, path: Path | str, when: FacilityTime | None = None) -> None:
        self.when = when or FacilityTime()
        #: streams that could not be read to their end: at which event, and why
        self.unread: dict[str, tuple[int, Exception]] = {}
        self._waiting: dict[str, list[Row]] = {}
        self._sums: dict[tuple[object, ...], Row] = {}
        if path != ":memory:":
            # it tells what the record tells: it is its owner's alone, as the record is
            with suppress(OSError):  # SQLite says what is wrong with the path
                create_private(Path(path))
                close_to_others(Path(path))
        self.sql = sqlite3.connect(path, isolation_level=None)
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        self.sql.create_function("plus", 2, _plus, deterministic=True)
        self.sql.create_function("gaming_day", 1, self.when.day, deterministic=True)
        self.facets = Facets(self.sql)
        self.sql.execute("pragma journal_mode = wal")
        # a cache: a power cut may cost it, never the record
        self.sql.execute("pragma synchronous = off")
        (shape,) = self.sql.execute("pragma user_version").fetchone()
        if shape != _SHAPE or self.rows("select zone, begins from facility") != [
            {"zone": self.when.zone, "begins": self.when.begins}
        ]:
            self.forget()

    def forget(self) -> None:
        """Empty the projections, so that they are rebuilt."""
        self._waiting.clear()
        self._sums.clear()
        names = self.sql.execute(
            "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'"
        ).fetchall()
        for (name,) in names:
            self.sql.execute(f'drop table "{name}"')
        self.sql.executescript(_SCHEMA)
        self.sql.execute("insert into facility values (?, ?)", (self.when.zone, self.when.begins))
        self.sql.execute(f"pragma user_version = {_SHAPE}")

    def update(self, log: Log) -> int:
        """Add what the record has gained; returns the number of events added."""
        heads = log.heads(prefix=PREFIX)
        at = {
            stream: (version, hash, pending)
            for stream, version, hash, pending in self.sql.execute("select * from positions")
        }
        for stream, (version, hash, _) in at.items():
            there = next(log.read(stream, version - 1, version), None)
            if there is None or there.hash != hash:
                # the history differs: an old copy was restored, or it is another record
                self.forget()
                return self.update(log)
        taken, self.unread = 0, {}
        for stream, head in heads.items():
            version, hash, pending = at.get(stream, (0, NOTHING, b""))
            if head.version > version:
                taken += self._take(log, stream, version, hash, pending)
        for row in self.rows("select distinct chapter, edition, edition_hash as hash from rules"):
            learn_edition(log, EditionRef(**row))
        return taken

    def _take(self, log: Log, stream: str, version: int, hash: bytes, packed: bytes) -> int:
        pending = msgspec.json.decode(packed, type=Pending) if packed else Pending()
        taken = 0
        self.sql.execute("begin")
        try:
            for recorded in log.read(stream, version):
                if (recorded.version, recorded.previous) != (version + 1, hash):
                    raise LookupError("this event does not follow the one before it")
                event = read_table_event(recorded)
                if event is not None:
                    at = recorded.version, recorded.time
                    pending, rows = project(pending, *at, event, self.when)
                    for row in rows:
                        self._write(row)
                version, hash = recorded.version, recorded.hash
                taken += 1
                if taken % _AT_ONCE == 0:
                    self._flush()
        except DAMAGE as error:
            self.unread[stream] = version + 1, error
        self._flush()
        if taken:
            self.sql.execute(
                "insert or replace into positions values (?, ?, ?, ?)",
                (stream, version, hash, msgspec.json.encode(pending)),
            )
        self.sql.execute("commit")
        return taken

    def _write(self, row: Row) -> None:
        """Take a row; most are written together with others when the stream has been read."""
        if row.table == "rounds":
            # the round's number is that of its row
            self.sql.execute(_insert(row), tuple(row.values.values()))
        elif row.table == "facets":
            # of the round that was written last
            (number,) = self.sql.execute("select max(number) from rounds").fetchone()
            self.facets.add(number, row.values["names"])
        elif row.adds:
            self._add(row)
        else:
            self._waiting.setdefault(row.table, []).append(row)

    def _add(self, row: Row) -> None:
        """Rows that differ in their sums alone are one."""
        key = (
            row.table,
            *((name, row.values[name]) for name in row.values if name not in row.adds),
        )
        last = self._sums.get(key)
        if last is not None:
            for name in row.adds:
                one, other = row.values[name], last.values[name]
                row.values[name] = _plus(one, other) if isinstance(one, str) else one + other
        self._sums[key] = row

    def _flush(self) -> None:
        """Write what waits: the rows of each table in their order, then what is added to them."""
        for rows in (*self._waiting.values(), self._sums.values()):
            for sql, same in groupby(rows, _insert):
                self.sql.executemany(sql, [tuple(row.values.values()) for row in same])
        self._waiting.clear()
        self._sums.clear()
        self.facets.flush()

    def rows(self, sql: str, *values: Any) -> list[dict[str, Any]]:
        """The answer to a query, each row by the names of its columns."""
        cursor = self.sql.execute(sql, values)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor]

    def close(self) -> None:
        self.sql.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _insert(row: Row) -> str:
    as_text = tuple(isinstance(row.values[name], str) for name in row.adds)
    return _sql(row.table, tuple(row.values), row.adds, as_text, row.replaces)


@cache
def _sql(
    table: str, names: tuple[str, ...], adds: tuple[str, ...], as_text: tuple[bool, ...],
    replaces: tuple[str, ...],
) -> str:  # fmt: skip
    """The statement that writes a row with these columns."""
    columns, marks = ", ".join(f'"{name}"' for name in names), ", ".join("?" * len(names))
    # whole numbers of any size are kept as text
    changes = [
        f"{name} = plus({name}, excluded.{name})" if text else f"{name} = {name} + excluded.{name}"
        for name, text in zip(adds, as_text, strict=True)
    ]
    changes += [f"{name} = excluded.{name}" for name in replaces]
    then = f"update set {', '.join(changes)}" if changes else "nothing"
    return f"insert into {table} ({columns}) values ({marks}) on conflict do {then}"


def _plus(one: str, other: str) -> str:
    return str(int(one) + int(other))


def projections_path(log: Log, database: str | Path | None) -> str | Path:
    """Where the projections of a record are kept: beside its file, or in the user's cache."""
    from houseway.store.backends.sqlite import SQLiteLog

    if isinstance(log, SQLiteLog):
        path = Path(database) if database is not None else default_path()
        if os.access(path.parent, os.W_OK):
            return path.with_name(path.name + ".audit")
    elif database == ":memory:":
        return ":memory:"
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "houseway"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return ":memory:"
    return folder / f"{log.id}.audit"
