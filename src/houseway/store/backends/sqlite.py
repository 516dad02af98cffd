"""The record in one SQLite file: write-ahead log, full sync, several processes on one machine."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from houseway.errors import Refused
from houseway.store.backends.block_log import FOREVER, BlockLog, LastBlock
from houseway.store.backends.blocks import (
    Added,
    Block,
    decided,
    dictionary_entry,
    packed_streams,
    to_add,
)
from houseway.store.backends.schema import missing
from houseway.store.event import EMPTY, Batch, Event, Head, Row
from houseway.store.log import NO_BASES, Conflict, Outcome, SignedAppend, Unavailable
from houseway.store.security.private_file import create_private
from houseway.store.security.signing import LastSignatures, signed_append

#: in `events` is what was written one by one, before there were blocks; nothing is added to it
_COLUMNS = "stream, version, time, actor, kind, schema, body, previous, hash"
_OLD_READ = f"""select {_COLUMNS} from events
where stream = ? and version > ? and version <= ? order by version limit ?"""
_OLD_ROWS = f"select {_COLUMNS} from events order by stream, version"
_OLD_HEAD = "select version, hash from events where stream = ? order by version desc limit 1"
#: every stream once, by skipping along the primary key
_OLD_STREAMS = """with recursive names(name) as (
  select min(stream) from events where stream >= ?
  union all
  select (select min(stream) from events where stream > name) from names where name is not null
) select name from names where name is not null"""

_BLOCK = "first, version, hash, body"
_STREAM_ID = "select id from streams where name = ?"
#: a block is added only after the hash that it was made to follow
_ADD = f"""insert into blocks (stream, {_BLOCK})
with given (stream, link, {_BLOCK}) as (values (?, ?, ?, ?, ?, ?))
select stream, {_BLOCK} from given where link is coalesce(
  (select b.hash from blocks b where b.stream = given.stream order by b.first desc limit 1),
  (select e.hash from events e where e.stream = (select name from streams where id = given.stream)
   order by e.version desc limit 1), zeroblob(32))"""
_SIGN = "insert into appends (heads, key, signature) values (?, ?, ?)"
_HEAD = f"""select version, hash from blocks where stream = ({_STREAM_ID})
order by first desc limit 1"""
#: from the block before the one that holds an event, whose hash the next one is linked to
_READ = f"""with given (name, after) as (values (?, ?)),
here as (select id, after from streams join given using (name))
select {_BLOCK} from blocks where stream = (select id from here) and first >= coalesce(
  (select first from blocks where stream = (select id from here)
   and first <= (select after from here) and version <= (select after from here)
   order by first desc limit 1), 0) and first <= ? order by first limit ?"""
_MANIFEST = "select value from meta where key = 'archive'"
_BASES = "select name, version, hash from bases join streams on id = stream"
#: one statement, so all of it is seen at one moment
_LAST = f"""select name, {_BLOCK}, (select hash from blocks before where before.stream = s.id
  and before.first < b.first order by before.first desc limit 1)
from json_each(?) as named join streams s on s.name = named.value join blocks b on b.stream = s.id
and b.first = (select max(first) from blocks where stream = s.id)"""
_ROWS = f"""select name, {_BLOCK} from streams cross join blocks on stream = id
order by name, first"""
_STREAMS = "select name from streams where name >= ? order by name"

_STRANGE = "select 1 from sqlite_schema where type = 'view' or sql like 'create virtual %'"

_REMEMBERED = 10_000
#: the schema from which on events are kept in blocks
_BLOCKS_SINCE = 5

#: 'hway', so that `file houseway.db` knows it
_APPLICATION = 0x68776179


class SQLiteLog(BlockLog):
    """One file. With `readonly` it is never created, upgraded or written to."""

    signs = True

    def __init__(self, path: str | Path, *, readonly: bool = False, patience: float = 5.0) -> None:
        self._path = Path(path)
        self.place = os.path.realpath(self._path)  # of links in a circle too
        self._readonly = readonly
        self._patience = patience
        self._local = threading.local()
        self._opened: set[sqlite3.Connection] = set()
        self._closed = False
        self._lock = threading.Lock()
        self._changed = threading.Condition()
        self._watched = False
        #: where streams stood when this process last wrote to them, the numbers of streams, and the
        #: signatures made here
        self._heads: dict[str, Head] = {}
        self._ids: dict[str, int] = {}
        self._signed = LastSignatures()
        if readonly and not self._path.is_file():
            folder = ", which is a folder" if self._path.is_dir() else ""
            raise Refused("no_record", f"there is no record at {self._path}{folder}")
        try:
            with _clear_errors(self._path):
                self._writer = self._connect()
                self._prepare()
                self._has_blocks = self._version() >= _BLOCKS_SINCE
                self._has_events = bool(self._one("select exists (select 1 from events)"))
                self.id = self._id()
                for (said,) in self._writer.execute(_MANIFEST):
                    self.manifest = said
            if not readonly and self.manifest is not None:
                raise Refused("archive", f"{self._path} is an archive; it is only read")
        except BaseException:
            self.close()
            raise

    # connections

    def _connect(self) -> sqlite3.Connection:
        if not self._readonly:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        uri = self._path.absolute().as_uri() + ("?mode=ro" if self._readonly else "?mode=rwc")
        connection = self._open(uri)
        try:
            connection.execute("pragma schema_version").fetchone()
        except sqlite3.OperationalError:
            if not self._readonly:
                raise
            # a file on a medium that cannot be written has no room for SQLite's shared memory
            self._release(connection)
            connection = self._open(uri + "&immutable=1")
        connection.execute("pragma trusted_schema = off")
        connection.execute("pragma synchronous = full")
        # a checkpoint every 4 MB of pages keeps the log short and the sync cheap
        connection.execute("pragma wal_autocheckpoint = 1000")
        return connection

    def _open(self, uri: str) -> sqlite3.Connection:
        self._private()
        connection = sqlite3.connect(
            uri, uri=True, timeout=self._patience, isolation_level=None, check_same_thread=False
        )
        with self._changed:
            self._opened.add(connection)
            closed = self._closed
        if closed:
            self._release(connection)
            raise Unavailable("record_closed", f"the record {self._path} was closed")
        return connection

    def _private(self) -> None:
        """Make a new record accessible to its owner only; SQLite gives its other files the same
        mode.
        """
        if not self._readonly and not self._path.exists():
            create_private(self._path)

    def _release(self, connection: sqlite3.Connection) -> None:
        with self._changed:
            self._opened.discard(connection)
        connection.close()

    def _reader(self) -> sqlite3.Connection:
        """A connection of the calling thread's own."""
        own: _ThreadConnection | None = getattr(self._local, "own", None)
        if own is None:
            own = self._local.own = _ThreadConnection(self._connect(), self._release)
        return own.connection

    def _id(self) -> str:
        row = self._writer.execute("select value from meta where key = 'record'").fetchone()
        if row is None:
            raise Refused("not_a_record", f"{self._path} does not say which record it is")
        return str(row[0])

    def _one(self, sql: str) -> Any:
        return self._writer.execute(sql).fetchone()[0]

    def _version(self) -> int:
        return int(self._one("pragma user_version"))

    def _prepare(self) -> None:
        """Make the schema, or bring an older one up to date, one step a transaction."""
        version = self._version()
        if version == 0:
            (tables,) = self._writer.execute("select count(*) from sqlite_schema").fetchone()
            (mark,) = self._writer.execute("pragma application_id").fetchone()
            if tables and mark != _APPLICATION:
                raise Refused("not_a_record", f"{self._path} is another program's database")
        if self._writer.execute(_STRANGE).fetchone():
            # reading a view or a virtual table runs whatever its author wrote, without an end
            raise Refused("not_a_record", f"{self._path} has views, which no record has")
        if self._readonly:
            if version == 0:
                raise Refused("no_record", f"{self._path} is not a record")
            missing("sqlite", version)
            return
        if version == 0:
            self._writer.execute("pragma page_size = 4096")
            self._writer.execute("pragma journal_mode = wal")
        while True:
            with self._transaction():
                todo = missing("sqlite", self._version())
                if not todo:
                    return
                number, sql = todo[0]
                for statement in _statements(sql):
                    self._writer.execute(statement)
                if number == 1:
                    self._writer.execute(f"pragma application_id = {_APPLICATION}")
                    self._writer.execute(
                        "insert into meta values ('record', ?)", (uuid.uuid4().hex,)
                    )
                if number == _BLOCKS_SINCE:
                    self._writer.execute("insert into meta values (?, ?)", dictionary_entry())
                self._writer.execute(f"pragma user_version = {number}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._writer.execute("begin immediate")
        try:
            yield
            self._writer.execute("commit")
        except BaseException:
            if self._writer.in_transaction:
                self._writer.execute("rollback")
            raise

    # writing

    def append_all(self, batches: Sequence[Batch]) -> list[Outcome]:
        try:
            with self._lock:
                outcomes = self._from_memory(batches) or self._from_disk(batches)
        except BaseException as error:
            self._forget()
            if isinstance(error, sqlite3.Error | OSError):
                self.failed = _clear(self._path, error)
                raise self.failed from error
            raise
        self.note(outcomes)
        if self._watched:
            with self._changed:
                self._changed.notify_all()
        return outcomes

    def _from_memory(self, batches: Sequence[Batch]) -> list[Outcome] | None:
        """Append after the remembered heads; None if one is unknown or has moved on.

        The record itself refuses a block that does not follow the last one of its stream.
        """
        heads: dict[str, Head] = {}
        for batch in batches:
            for write in batch.writes:
                head = self._heads.get(write.stream)
                if head is None:
                    return None
                heads[write.stream] = head
        outcomes = decided(batches, heads)
        if any(isinstance(one, Conflict) for one in outcomes):
            return None
        added = to_add(outcomes)
        try:
            if len(added) == 1 and self.keys is None:
                self._add(added)
            else:
                with self._transaction():
                    self._add(added)
                    self._sign(heads)
        except sqlite3.IntegrityError:
            self._forget()
            return None
        self._remember(heads)
        return outcomes

    def _from_disk(self, batches: Sequence[Batch]) -> list[Outcome]:
        """Append after the current heads, and tell which batches conflict with them."""
        with self._transaction():
            named = {write.stream for batch in batches for write in batch.writes}
            heads = {name: self._head(self._writer, name) or EMPTY for name in named}
            outcomes = decided(batches, heads)
            added = to_add(outcomes)
            for name in {one.stream for one in added} - self._ids.keys():
                self._ids[name] = self._id_of(name)
            self._add(added)
            self._sign({one.stream: heads[one.stream] for one in added})
        self._remember(heads)
        return outcomes

    def _id_of(self, stream: str) -> int:
        """The number of a stream, which gets one with its first event."""
        self._writer.execute("insert or ignore into streams (name) values (?)", (stream,))
        found = self._writer.execute("select id from streams where name = ?", (stream,))
        return int(found.fetchone()[0])

    def _add(self, added: list[Added]) -> None:
        rows = [(self._ids[name], link, *block) for name, link, block in added]
        if len(rows) == 1:
            done = self._writer.execute(_ADD, rows[0])
        else:
            done = self._writer.executemany(_ADD, rows)
        if done.rowcount != len(rows) and rows:
            raise sqlite3.IntegrityError("an event follows the last one of its stream")

    def _sign(self, heads: dict[str, Head]) -> None:
        """Store the signature of an append: its author's signature of the resulting stream heads."""
        if self.keys is not None and heads:
            done = self._writer.execute(_SIGN, signed_append(self.keys, heads))
            gone = [(number,) for number in self._signed.superseded(heads)]
            self._writer.executemany("delete from appends where number = ?", gone)
            self._signed.add(int(done.lastrowid or 0), heads)

    def _remember(self, heads: dict[str, Head]) -> None:
        if len(self._heads) > _REMEMBERED:
            self._forget()
        self._heads.update((name, head) for name, head in heads.items() if name in self._ids)

    def _forget(self) -> None:
        """Forget where streams stand and what their numbers are, so that both are read again."""
        self._heads.clear()
        self._ids.clear()
        self._signed = LastSignatures()

    def load(
        self,
        events: Iterable[Event],
        id: str,
        bases: Mapping[str, Head] = NO_BASES,
        *,
        manifest: str = "",
    ) -> None:
        """Fill an empty record; with a `manifest` it becomes an archive, densely packed."""
        ids: dict[str, int] = {}
        with self._lock, _clear_errors(self._path), self._transaction():
            for table in ("events", "blocks"):
                if self._writer.execute(f"select 1 from {table} limit 1").fetchone():
                    raise Refused(
                        "record_not_empty", f"{self._path} is not empty; restore elsewhere"
                    )
            for name, at in bases.items():
                ids[name] = self._id_of(name)
                self._writer.execute(
                    "insert into bases values (?, ?, ?)", (ids[name], at.version, at.hash)
                )
            insert = f"insert into blocks (stream, {_BLOCK}) values (?, ?, ?, ?, ?)"
            for name, block in packed_streams(events, dense=bool(manifest)):
                if name not in ids:
                    ids[name] = self._id_of(name)
                self._writer.execute(insert, (ids[name], *block))
            self._writer.execute("update meta set value = ? where key = 'record'", (id,))
            if manifest:
                self._writer.execute("insert into meta values ('archive', ?)", (manifest,))
                self.manifest = manifest
        self.id = id

    # reading

    def _old_page(self, stream: str, after: int, upto: int, most: int) -> list[Row]:
        return self._all(_OLD_READ, stream, after, upto, most)

    def _old_last(self, names: list[str]) -> list[Row]:
        found = ((name, self._all(_OLD_HEAD, name)) for name in names)
        return [
            self._all(_OLD_READ, name, head[0][0] - 1, FOREVER, 1)[0]
            for name, head in found
            if head
        ]

    def _page(self, stream: str, after: int, upto: int, most: int) -> list[Block]:
        return [Block(*row) for row in self._all(_READ, stream, after, upto, most)]

    def _last_blocks(self, names: list[str]) -> list[LastBlock]:
        rows = self._all(_LAST, msgspec.json.encode(names).decode())
        return [LastBlock(name, Block(*row), link) for name, *row, link in rows]

    def _all_rows(self) -> Iterator[Row] | None:
        return self._each(_OLD_ROWS) if self._has_events else None

    def _all_blocks(self) -> Iterator[tuple[str, Block]]:
        return ((name, Block(*row)) for name, *row in self._each(_ROWS))

    def _each(self, sql: str) -> Iterator[Any]:
        with _clear_errors(self._path):
            yield from self._reader().execute(sql)

    def bases(self, streams: Iterable[str] | None = None) -> dict[str, Head]:
        if not self._has_blocks:
            return {}
        if streams is None:
            rows = self._all(_BASES)
        else:
            rows = [row for name in streams for row in self._all(f"{_BASES} where name = ?", name)]
        return {name: Head(version, hash) for name, version, hash in rows}

    def remove_archived(self, bases: Mapping[str, Head]) -> None:
        with self._lock, _clear_errors(self._path), self._transaction():
            for name, at in bases.items():
                ((id,),) = self._writer.execute(_STREAM_ID, (name,)).fetchall()
                self._writer.execute(
                    "insert into bases values (?, ?, ?) on conflict (stream) do update"
                    " set version = excluded.version, hash = excluded.hash", (id, at.version, at.hash),
                )  # fmt: skip
                self._writer.execute(
                    "delete from blocks where stream = ? and first <= ?", (id, at.version)
                )

    def _all(self, sql: str, *values: object) -> list[Any]:
        with _clear_errors(self._path):
            return self._reader().execute(sql, values).fetchall()

    def _head(self, connection: sqlite3.Connection, stream: str) -> Head | None:
        row = connection.execute(_HEAD, (stream,)).fetchone() if self._has_blocks else None
        if row is None and self._has_events:
            row = connection.execute(_OLD_HEAD, (stream,)).fetchone()
        return Head(*row) if row else None

    def heads(self, streams: Iterable[str] | None = None, prefix: str = "") -> dict[str, Head]:
        with _clear_errors(self._path):
            reader = self._reader()
            if streams is None:
                streams = []
                names = _STREAMS if self._has_blocks else _OLD_STREAMS
                for (name,) in reader.execute(names, (prefix,)):
                    if not name.startswith(prefix):
                        break
                    streams.append(name)
            found = ((name, self._head(reader, name)) for name in streams)
            return {name: head for name, head in found if head}

    def signatures(self) -> Iterator[SignedAppend]:
        try:
            found = self._reader().execute(
                "select heads, key, signature from appends order by number"
            )
            yield from (SignedAppend(*row) for row in found)
        except sqlite3.OperationalError:
            return  # a record of an earlier version, opened for reading only

    def load_signatures(self, signatures: Iterable[SignedAppend]) -> None:
        with self._lock, _clear_errors(self._path), self._transaction():
            self._writer.executemany(_SIGN, signatures)

    # watching, snapshots

    def watch(self) -> _SQLiteWatch:
        self._watched = True
        return _SQLiteWatch(self._connect(), self._changed, self._release)

    def save_snapshot(
        self, stream: str, maker: str, version: int, hash: bytes, state: bytes
    ) -> None:
        with self._lock, _clear_errors(self._path):
            self._writer.execute(
                "insert or replace into snapshots values (?, ?, ?, ?, ?)",
                (stream, maker, version, hash, state),
            )

    def snapshot(self, stream: str, maker: str) -> tuple[int, bytes, bytes] | None:
        with _clear_errors(self._path):
            row: tuple[int, bytes, bytes] | None = self._reader().execute(
                "select version, hash, state from snapshots where stream = ? and maker = ?",
                (stream, maker),
            ).fetchone()  # fmt: skip
        return row

    def copy_to(self, path: Path) -> None:
        """The whole file as it stands, while others go on writing (SQLite's online backup)."""
        with _clear_errors(path):
            create_private(path)
            with closing(sqlite3.connect(path)) as target:
                self._reader().backup(target)

    def settle(self) -> None:
        """Put everything into the one file, so that it can be copied by itself."""
        with self._lock, _clear_errors(self._path):
            self._writer.execute("pragma wal_checkpoint(truncate)").fetchone()

    def close(self) -> None:
        if self.archives is not None:
            self.archives.close()
        with self._changed:
            self._closed = True
            opened = tuple(self._opened)
        for connection in opened:
            self._release(connection)


_Release: TypeAlias = Callable[[sqlite3.Connection], None]


class _ThreadConnection:
    """The connection with which one thread reads; released when the thread ends."""

    def __init__(self, connection: sqlite3.Connection, release: _Release) -> None:
        self.connection = connection
        self._release = release

    def __del__(self) -> None:
        self._release(self.connection)


class _SQLiteWatch:
    """Woken at once by this process, and within milliseconds by another."""

    def __init__(
        self, connection: sqlite3.Connection, changed: threading.Condition, release: _Release
    ) -> None:
        self._connection = connection
        self._changed = changed
        self._release = release
        self._seen = self._look()

    def _look(self) -> int:
        (seen,) = self._connection.execute("pragma data_version").fetchone()
        return int(seen)

    def wait(self, seconds: float) -> bool:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            seen = self._look()
            if seen != self._seen:
                self._seen = seen
                return True
            with self._changed:
                if self._changed.wait(min(left, 0.02)):
                    return True
        return False

    def close(self) -> None:
        self._release(self._connection)


def _statements(script: str) -> Iterator[str]:
    """The statements of a script one by one, so that a step stays inside its transaction."""
    part = ""
    for line in script.splitlines(keepends=True):
        part += line
        if sqlite3.complete_statement(part):
            yield part
            part = ""


_SAYS = {
    "SQLITE_FULL": ("record_full", "the disk is full"),
    "SQLITE_READONLY": ("record_read_only", "it cannot be written to"),
    "SQLITE_BUSY": ("record_busy", "another program has it locked"),
    "SQLITE_LOCKED": ("record_busy", "another program has it locked"),
    "SQLITE_CANTOPEN": ("record_unreachable", "it cannot be opened"),
    "SQLITE_NOTADB": ("not_a_record", "it is not a database"),
    "SQLITE_CORRUPT": ("record_damaged", "the file is damaged; restore a backup"),
    "SQLITE_IOERR": ("record_unreachable", "the disk reports an error"),
    "SQLITE_CONSTRAINT": ("record_rule", "a rule of the record forbids it"),
    "SQLITE_PERM": ("record_unreachable", "it may not be opened"),
    "SQLITE_AUTH": ("record_unreachable", "it may not be opened"),
}


@contextmanager
def _clear_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
        raise _clear(path, error) from error


def _clear(path: Path, error: sqlite3.Error | OSError | UnicodeDecodeError) -> Unavailable:
    """An error of SQLite as a refusal that says what happened to the record."""
    if isinstance(error, UnicodeDecodeError):
        return Unavailable(*_SAYS["SQLITE_CORRUPT"][:1], f"the record {path}: the file is damaged")
    if isinstance(error, OSError):
        return Unavailable("record_unreachable", f"the record {path}: {error.strerror}")
    name = getattr(error, "sqlite_errorname", "")
    for start, (code, sentence) in _SAYS.items():
        if name.startswith(start):
            return Unavailable(code, f"the record {path}: {sentence} ({error})")
    return Unavailable("record_unreachable", f"the record {path}: {error}")
