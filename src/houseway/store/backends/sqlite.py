"""The record in one SQLite file: write-ahead log, full sync, several processes on one machine."""

from __future__ import annotations

import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeAlias

import msgspec

from houseway.errors import Refused
from houseway.store.event import EMPTY, Batch, Event, Head, Row, chained
from houseway.store.log import Conflict, Log, Outcome, SignedAppend, Unavailable
from houseway.store.private_file import create_private
from houseway.store.schema import missing
from houseway.store.signing import signed_append

_COLUMNS = "stream, version, time, actor, kind, schema, body, previous, hash"
_INSERT = f"insert into events ({_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_APPEND = "insert into appends (heads, key, signature) values (?, ?, ?)"
_HEAD = "select version, hash from events where stream = ? order by version desc limit 1"
_READ = f"""select {_COLUMNS} from events
where stream = ? and version > ? and version <= ? order by version limit ?"""
#: one statement, so all of it is seen at one moment
_LAST = f"""select {_COLUMNS} from json_each(?) as named join events on stream = named.value
and version = (select max(version) from events where stream = named.value)"""
#: every stream once, by skipping along the primary key
_STREAMS = """with recursive names(name) as (
  select min(stream) from events where stream >= ?
  union all
  select (select min(stream) from events where stream > name) from names where name is not null
) select name from names where name is not null"""

_STRANGE = "select 1 from sqlite_schema where type = 'view' or sql like 'create virtual %'"

_PAGE = 4096
_FOREVER = 2**62
_REMEMBERED = 10_000

#: 'hway', so that `file houseway.db` knows it
_APPLICATION = 0x68776179


class SQLiteLog(Log):
    """One file. With `readonly` it is never created, upgraded or written to."""

    signs = True

    def __init__(self, path: str | Path, *, readonly: bool = False, patience: float = 5.0) -> None:
        self._path = Path(path)
        self.place = str(self._path.resolve())
        self._readonly = readonly
        self._patience = patience
        self._local = threading.local()
        self._opened: set[sqlite3.Connection] = set()
        self._closed = False
        self._lock = threading.Lock()
        self._changed = threading.Condition()
        self._watched = False
        #: where streams stood when this process last wrote to them
        self._heads: dict[str, Head] = {}
        if readonly and not self._path.is_file():
            raise Refused("no_record", f"there is no record at {self._path}")
        try:
            with _clear_errors(self._path):
                self._writer = self._connect()
                self._prepare()
                self.id = self._id()
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
        """A new record is its owner's alone; SQLite gives its other files the same mode."""
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

    def _prepare(self) -> None:
        """Make the schema, or bring an older one up to date, one step a transaction."""
        (version,) = self._writer.execute("pragma user_version").fetchone()
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
            self._writer.execute("pragma page_size = 8192")
            self._writer.execute("pragma journal_mode = wal")
        while True:
            with self._transaction():
                (version,) = self._writer.execute("pragma user_version").fetchone()
                todo = missing("sqlite", version)
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
        except (sqlite3.Error, OSError) as error:
            self.failed = _clear(self._path, error)
            raise self.failed from error
        self.note(outcomes)
        if self._watched:
            with self._changed:
                self._changed.notify_all()
        return outcomes

    def _from_memory(self, batches: Sequence[Batch]) -> list[Outcome] | None:
        """Append after the remembered heads; None if one is unknown or has moved on.

        The record itself refuses an event that does not follow and link to the last of its stream.
        """
        rows: list[Row] = []
        outcomes: list[Outcome] = []
        moved: dict[str, Head] = {}
        for batch in batches:
            done: list[Event] = []
            for write, bodies in zip(*batch, strict=True):
                stream = write.stream
                head = moved.get(stream) or self._heads.get(stream)
                if head is None or head.version != write.expected:
                    return None
                done += chained(write, bodies, head)
                moved[stream] = Head(done[-1].version, done[-1].hash)
            rows += map(msgspec.structs.astuple, done)
            outcomes.append(tuple(done))
        try:
            if len(rows) == 1 and self.keys is None:
                self._writer.execute(_INSERT, rows[0])
            else:
                with self._transaction():
                    self._writer.executemany(_INSERT, rows)
                    self._sign(moved)
        except sqlite3.IntegrityError:
            self._heads.clear()
            return None
        self._remember(moved)
        return outcomes

    def _from_disk(self, batches: Sequence[Batch]) -> list[Outcome]:
        """Append after the current heads, and tell which batches conflict with them."""
        heads: dict[str, Head] = {}
        with self._transaction():
            outcomes = [self._chained(batch, heads) for batch in batches]
            self._writer.executemany(
                _INSERT,
                (
                    msgspec.structs.astuple(event)
                    for done in outcomes
                    if isinstance(done, tuple)
                    for event in done
                ),
            )
            written = {
                event.stream: Head(event.version, event.hash)
                for done in outcomes
                if isinstance(done, tuple)
                for event in done
            }
            self._sign(written)
        self._remember(heads)
        return outcomes

    def _sign(self, heads: dict[str, Head]) -> None:
        """Store the signature of an append: its author's signature of the resulting stream heads."""
        if self.keys is not None and heads:
            self._writer.execute(_APPEND, signed_append(self.keys, heads))

    def _remember(self, heads: dict[str, Head]) -> None:
        if len(self._heads) > _REMEMBERED:
            self._heads.clear()
        self._heads.update(heads)

    def _chained(self, batch: Batch, heads: dict[str, Head]) -> Outcome:
        """The events of a batch after the heads, which are updated."""
        for write in batch.writes:
            head = heads.get(write.stream)
            if head is None:
                row = self._writer.execute(_HEAD, (write.stream,)).fetchone()
                head = heads[write.stream] = Head(*row) if row else EMPTY
            if head.version != write.expected:
                return Conflict(write.stream, write.expected, head.version)
        done: list[Event] = []
        for write, bodies in zip(*batch, strict=True):
            done += chained(write, bodies, heads[write.stream])
            heads[write.stream] = Head(done[-1].version, done[-1].hash)
        return tuple(done)

    def load(self, events: Iterable[Event], id: str) -> None:
        with self._lock, _clear_errors(self._path), self._transaction():
            if self._writer.execute("select 1 from events limit 1").fetchone():
                raise Refused("record_not_empty", f"{self._path} is not empty; restore elsewhere")
            self._writer.executemany(_INSERT, map(msgspec.structs.astuple, events))
            self._writer.execute("update meta set value = ? where key = 'record'", (id,))
        self.id = id

    # reading

    def read(self, stream: str, after: int = 0, upto: int | None = None) -> Iterator[Event]:
        # a page at a time, so that no reader holds an old state of the file open
        last = _FOREVER if upto is None else upto
        while True:
            with _clear_errors(self._path):
                rows = self._reader().execute(_READ, (stream, after, last, _PAGE)).fetchall()
            for row in rows:
                yield Event(*row)
            if len(rows) < _PAGE:
                return
            after = rows[-1][1]

    def heads(self, streams: Iterable[str] | None = None, prefix: str = "") -> dict[str, Head]:
        with _clear_errors(self._path):
            reader = self._reader()
            if streams is None:
                streams = []
                for (name,) in reader.execute(_STREAMS, (prefix,)):
                    if not name.startswith(prefix):
                        break
                    streams.append(name)
            found = ((name, reader.execute(_HEAD, (name,)).fetchone()) for name in streams)
            return {name: Head(*row) for name, row in found if row}

    def last(self, streams: Iterable[str]) -> dict[str, Event]:
        names = msgspec.json.encode(list(dict.fromkeys(streams))).decode()
        with _clear_errors(self._path):
            rows = self._reader().execute(_LAST, (names,)).fetchall()
        return {row[0]: Event(*row) for row in rows}

    def rows(self) -> Iterator[Row]:
        with _clear_errors(self._path):
            reader = self._reader()
            yield from reader.execute(f"select {_COLUMNS} from events order by stream, version")

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
            self._writer.executemany(_APPEND, signatures)

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
