"""Projections: a searchable copy of the record in a SQLite file, which can be deleted at any time.

The file is filled from the record, resumes each stream at its own version, and is made again from
nothing when it is missing, when its shape has changed or when it is of another history. It is never
evidence: the record is. So an inspector may search a record that cannot be written to.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from hashlib import sha256
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

import msgspec

from houseway.floor.audit.corruption import DAMAGE
from houseway.floor.audit.hold_rows import Row
from houseway.floor.audit.project_events import SILENT, Pending, project
from houseway.floor.audit.round_index import Facets
from houseway.floor.editions import learn_edition
from houseway.floor.gaming_day import FacilityTime
from houseway.floor.recorded_table import read_table_content
from houseway.floor.streams import PREFIX
from houseway.law.library import EditionRef
from houseway.store import Head, Log, default_path
from houseway.store.security.private_file import close_to_others, create_private

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
        #: the round that was added last
        self._number: int | None = None
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
        """Empty the projections, so that they are rebuilt; nothing of them stays in the file."""
        self._drop()
        self.sql.execute("pragma secure_delete = on")
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
            stream: (version, hash)
            for stream, version, hash in self.sql.execute(
                "select stream, version, hash from positions"
            )
        }
        for stream, (version, hash) in at.items():
            there = next(log.read(stream, version - 1, version), None)
            if there is None or there.hash != hash:
                # the history differs: an old copy was restored, or it is another record
                self.forget()
                return self.update(log)
        taken, self.unread = 0, {}
        news = [name for name, head in heads.items() if head.version > at.get(name, (0, b""))[0]]
        while news:
            taken += self._take_some(log, news, heads)
        for row in self.rows("select distinct chapter, edition, edition_hash as hash from rules"):
            learn_edition(log, EditionRef(**row))
        return taken

    def _take_some(self, log: Log, streams: list[str], heads: dict[str, Head]) -> int:
        """Add what the first of these streams have gained, in a transaction of bearable length."""
        taken = 0
        self.sql.execute("begin immediate")
        try:
            (self._number,) = self.sql.execute("select max(number) from rounds").fetchone()
            while streams and taken < _AT_ONCE:
                taken += self._take(log, name := streams.pop(0), heads[name])
            self._flush()
            self.sql.execute("commit")
        except BaseException:
            self._drop()
            self.sql.execute("rollback")
            raise
        return taken

    def _take(self, log: Log, stream: str, head: Head) -> int:
        # another process may have added it since
        version, packed = self.sql.execute(
            "select version, pending from positions where stream = ?", (stream,)
        ).fetchone() or (0, b"")
        pending = msgspec.json.decode(packed, type=Pending) if packed else Pending()
        before = version
        try:
            for at, time, kind, schema, body in log.contents(stream, version, head.version):
                if at != version + 1:
                    raise LookupError("this event does not follow the one before it")
                if kind not in SILENT or pending.owed:
                    event = read_table_content(log, stream, at, kind, schema, body)
                    if event is not None:
                        pending, rows = project(pending, at, time, event, self.when)
                        for row in rows:
                            self._write(row)
                version = at
                if version % _AT_ONCE == 0:
                    self._flush()
        except DAMAGE as error:
            self.unread[stream] = version + 1, error
        if version > before:
            hash = head.hash if version == head.version else log.at(stream, version).hash
            self.sql.execute(
                "insert or replace into positions values (?, ?, ?, ?)",
                (stream, version, hash, msgspec.json.encode(pending)),
            )
        return version - before

    def _write(self, row: Row) -> None:
        """Take a row; most are written together with others when the stream has been read."""
        if row.adds:
            self._add(row)
        elif row.table == "facets":
            # of the round that came last
            self.facets.add(self._number or 0, row.values["names"])
        else:
            if row.table == "rounds":
                self._number = row.values["number"] = (self._number or 0) + 1
            self._waiting.setdefault(row.table, []).append(row)

    def _add(self, row: Row) -> None:
        """Rows that differ in their sums alone are one."""
        key = row.table, *tuple(row.values.values())[: -len(row.adds)]
        last = self._sums.setdefault(key, row)
        if last is not row:
            for name in row.adds:
                one, other = row.values[name], last.values[name]
                last.values[name] = _plus(one, other) if isinstance(one, str) else one + other

    def _flush(self) -> None:
        """Write what waits: the rows of each table in their order, then what is added to them."""
        for rows in (*self._waiting.values(), self._sums.values()):
            for sql, same in groupby(rows, _insert):
                self.sql.executemany(sql, [tuple(row.values.values()) for row in same])
        self.facets.flush()
        self._drop()

    def _drop(self) -> None:
        self._waiting.clear()
        self._sums.clear()
        self.facets.drop()

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


#: the statements that write rows; rows of a table that change it in the same way have the same columns
_INSERTS: dict[tuple[object, ...], str] = {}


def _insert(row: Row) -> str:
    key = row.table, row.adds, row.replaces
    found = _INSERTS.get(key)
    if found is None:
        found = _INSERTS[key] = _sql(row)
    return found


def _sql(row: Row) -> str:
    """The statement that writes a row with these columns."""
    columns = ", ".join(f'"{name}"' for name in row.values)
    # whole numbers of any size are kept as text
    changes = [
        f"{name} = plus({name}, excluded.{name})"
        if isinstance(row.values[name], str)
        else f"{name} = {name} + excluded.{name}"
        for name in row.adds
    ]
    changes += [f"{name} = excluded.{name}" for name in row.replaces]
    then = f"update set {', '.join(changes)}" if changes else "nothing"
    marks = ", ".join("?" * len(row.values))
    return f"insert into {row.table} ({columns}) values ({marks}) on conflict do {then}"


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
