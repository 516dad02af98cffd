"""The record in PostgreSQL: several workers on several machines.

An append is one call of a function on the server, in one round trip with its commit. What it locks
are the heads of the streams it writes. Followers are woken by NOTIFY, which is sent beside the
append and not in it: a transaction that notifies holds one lock of the whole server until it is on
disk, and all tables would queue for it. Should a notice be lost, followers look by themselves too.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, LiteralString, TypeAlias

import msgspec
import psycopg
from psycopg import errors

from houseway.refusal import Refused
from houseway.store.event import Batch, Event, Head, Row, recorded
from houseway.store.log import Conflict, Log, Outcome, Unavailable
from houseway.store.schema import missing, steps

_COLUMNS = "stream, version, time, actor, kind, schema, body, previous, hash"
_APPEND = "select item, stands, linked, chained from houseway.append(%b)"
_READ = f"""select {_COLUMNS} from houseway.events
where stream = %s and version > %s and version <= %s order by version limit %s"""
_LAST = f"""select {", ".join(f"e.{name}" for name in _COLUMNS.split(", "))}
from unnest(%s::text[]) as named(name)
join houseway.heads h on h.stream = named.name collate "C"
join houseway.events e on e.stream = h.stream and e.version = h.version"""
_CHANNEL = "houseway"
_PAGE = 4096
_PAUSE = 0.01
_FOREVER = 2**62
#: the key of the advisory lock under which one process upgrades the schema
_UPGRADE = 0x68776179


#: which write, the version found in a conflict, the hash before the event and its own
_Answer: TypeAlias = tuple[int, int | None, bytes | None, bytes | None]


class PostgresLog(Log):
    """A database on a server, named by a URL or a libpq connection string."""

    def __init__(self, url: str, *, readonly: bool = False, connections: int = 8) -> None:
        self._url = url
        self._readonly = readonly
        self._spare: deque[psycopg.Connection] = deque()
        self._places = threading.Semaphore(connections)
        self._notices = _Notices(self)
        try:
            with self._connection() as connection:
                self._prepare(connection)
                self.id = _meta(connection, "record")
        except BaseException:
            self.close()
            raise

    # connections

    def connect(self) -> psycopg.Connection:
        """A connection of one's own."""
        try:
            connection = psycopg.connect(
                self._url, autocommit=True, prepare_threshold=0, connect_timeout=10,
                application_name="houseway", client_encoding="utf8",
            )  # fmt: skip
            connection.execute("set synchronous_commit = on")
            if self._readonly:
                connection.execute("set default_transaction_read_only = on")
        except psycopg.Error as error:
            raise _clear(error) from error
        return connection

    @contextmanager
    def _connection(self) -> Iterator[psycopg.Connection]:
        """One of at most a few connections; a broken one is closed and not used again."""
        with self._places:
            try:
                connection = self._spare.pop()
            except IndexError:
                connection = self.connect()
            try:
                yield connection
            except psycopg.Error as error:
                raise _clear(error) from error
            finally:
                if connection.closed or connection.broken:
                    connection.close()
                else:
                    self._spare.append(connection)

    def _prepare(self, connection: psycopg.Connection) -> None:
        """Make the schema, or bring an older one up to date; one process at a time does it."""
        version = _version(connection)
        if self._readonly:
            if version == 0:
                raise Refused("no_record", "there is no record in this database")
            missing("postgres", version)
            return
        if version == len(steps("postgres")):
            return
        with connection.transaction():
            connection.execute("select pg_advisory_xact_lock(%s)", (_UPGRADE,))
            connection.execute("create schema if not exists houseway")
            connection.execute(
                "create table if not exists houseway.meta (key text primary key, value text not null)"
            )
            connection.execute(
                "insert into houseway.meta values ('schema', '0'), ('record', %s) on conflict do nothing",
                (uuid.uuid4().hex,),
            )
            for number, sql in missing("postgres", _version(connection)):
                connection.execute(sql.encode(), prepare=False)
                connection.execute(
                    "update houseway.meta set value = %s where key = 'schema'", (str(number),)
                )

    # writing

    def append_all(self, batches: Sequence[Batch]) -> list[Outcome]:
        written = _lines(batches)
        try:
            rows = self._call(written)
        except Unavailable as lost:
            if lost.code != "record_unreachable":
                raise
            # the server may have been restarted, or the answer lost after the commit
            self._drop_spares()
            rows = self._call(written)
            outcomes = [
                self._written(batch) or outcome
                for batch, outcome in zip(batches, _outcomes(batches, rows), strict=True)
            ]
        else:
            outcomes = _outcomes(batches, rows)
        self._notices.send(
            {event.stream for done in outcomes if isinstance(done, tuple) for event in done}
        )
        return outcomes

    def _call(self, written: str) -> list[_Answer]:
        with self._connection() as connection:
            return connection.cursor(binary=True).execute(_APPEND, (written,)).fetchall()

    def _written(self, batch: Batch) -> tuple[Event, ...] | None:
        """The events of a batch, if exactly they stand on record where they were to stand."""
        there: list[Event] = []
        for write, bodies in zip(*batch, strict=True):
            last = write.expected + len(bodies)
            events = list(self.read(write.stream, write.expected, last))
            if len(events) < len(bodies) or any(
                event
                != recorded(event.stream, event.version, new, body, event.previous, event.hash)
                for event, new, body in zip(events, write.events, bodies, strict=True)
            ):
                return None
            there += events
        return tuple(there)

    def _drop_spares(self) -> None:
        while self._spare:
            with suppress(IndexError):  # another thread took the last one
                self._spare.pop().close()

    def load(self, events: Iterable[Event], id: str) -> None:
        with self._connection() as connection, connection.transaction():
            connection.execute("lock table houseway.heads in exclusive mode")
            if connection.execute("select 1 from houseway.events limit 1").fetchone():
                raise Refused("record_not_empty", "this record is not empty; restore elsewhere")
            with connection.cursor().copy(f"copy houseway.events ({_COLUMNS}) from stdin") as copy:
                for event in events:
                    copy.write_row(msgspec.structs.astuple(event))
            connection.execute("""insert into houseway.heads
                select distinct on (stream) stream, version, hash from houseway.events
                order by stream, version desc
                on conflict (stream) do update set version = excluded.version, hash = excluded.hash""")
            connection.execute("update houseway.meta set value = %s where key = 'record'", (id,))
        self.id = id

    # reading

    def _ask(self, sql: LiteralString, *values: object) -> list[Any]:
        """The answer to a question; after a restart of the server it is asked for once more."""
        try:
            with self._connection() as connection:
                return connection.cursor(binary=True).execute(sql, values).fetchall()
        except Unavailable as lost:
            if lost.code != "record_unreachable":
                raise
            self._drop_spares()
            with self._connection() as connection:
                return connection.cursor(binary=True).execute(sql, values).fetchall()

    def read(self, stream: str, after: int = 0, upto: int | None = None) -> Iterator[Event]:
        last = _FOREVER if upto is None else upto
        while True:
            rows = self._ask(_READ, stream, after, last, _PAGE)
            for row in rows:
                yield Event(*row)
            if len(rows) < _PAGE:
                return
            after = rows[-1][1]

    def heads(self, streams: Iterable[str] | None = None, prefix: str = "") -> dict[str, Head]:
        if streams is None:
            rows = self._ask(
                "select stream, version, hash from houseway.heads"
                " where version > 0 and starts_with(stream, %s) order by stream",
                prefix,
            )
        else:
            rows = self._ask(
                "select stream, version, hash from houseway.heads"
                " where version > 0 and stream = any(%s)",
                list(streams),
            )
        return {name: Head(version, hash) for name, version, hash in rows}

    def last(self, streams: Iterable[str]) -> dict[str, Event]:
        rows = self._ask(_LAST, list(dict.fromkeys(streams)))
        return {row[0]: Event(*row) for row in rows}

    def rows(self) -> Iterator[Row]:
        with (
            self._connection() as connection,
            connection.transaction(),
            connection.cursor("scan", binary=True) as cursor,
        ):
            cursor.itersize = _PAGE
            cursor.execute(f"select {_COLUMNS} from houseway.events order by stream, version")
            yield from cursor

    # watching, snapshots

    def watch(self) -> _PostgresWatch:
        return _PostgresWatch(self)

    def save_snapshot(
        self, stream: str, maker: str, version: int, hash: bytes, state: bytes
    ) -> None:
        with self._connection() as connection:
            connection.execute(
                """insert into houseway.snapshots values (%s, %s, %s, %s, %s)
                on conflict (stream, maker) do update
                set version = excluded.version, hash = excluded.hash, state = excluded.state""",
                (stream, maker, version, hash, state),
            )

    def snapshot(self, stream: str, maker: str) -> tuple[int, bytes, bytes] | None:
        rows = self._ask(
            "select version, hash, state from houseway.snapshots where stream = %s and maker = %s",
            stream, maker,
        )  # fmt: skip
        return rows[0] if rows else None

    def close(self) -> None:
        self._notices.close()
        self._drop_spares()


class _Notices:
    """Sends NOTIFY from a thread and a connection of its own, which does not wait for the disk."""

    def __init__(self, log: PostgresLog) -> None:
        self._log = log
        self._waiting: set[str] = set()
        self._more = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None

    def send(self, streams: set[str]) -> None:
        if not streams:
            return
        with self._more:
            if self._closed:
                return
            self._waiting |= streams
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="houseway-notify", daemon=True
                )
                self._thread.start()
            self._more.notify()

    def _run(self) -> None:
        connection: psycopg.Connection | None = None
        while True:
            with self._more:
                while not self._waiting and not self._closed:
                    self._more.wait()
                streams, self._waiting = self._waiting, set()
                closed = self._closed
            try:
                if streams:
                    if connection is None or connection.closed:
                        connection = self._log.connect()
                        connection.execute("set synchronous_commit = off")
                    connection.execute(
                        "select count(pg_notify(%s, s)) from unnest(%s::text[]) s",
                        (_CHANNEL, sorted(streams)),
                    )
            except (psycopg.Error, Unavailable):
                # followers look by themselves; the next notice opens a new connection
                connection = None
            # what is appended in the next moment goes out in one notice
            time.sleep(_PAUSE)
            if closed:
                if connection is not None:
                    connection.close()
                return

    def close(self) -> None:
        with self._more:
            self._closed = True
            self._more.notify()
        if self._thread is not None:
            self._thread.join(timeout=5)


class _PostgresWatch:
    def __init__(self, log: PostgresLog) -> None:
        self._log = log
        self._connection: psycopg.Connection | None = None
        self._listen()

    def _listen(self) -> psycopg.Connection:
        if self._connection is None or self._connection.closed:
            self._connection = self._log.connect()
            self._connection.execute(f"listen {_CHANNEL}")
        return self._connection

    def wait(self, seconds: float) -> None:
        try:
            for _ in self._listen().notifies(timeout=seconds, stop_after=1):
                return
        except psycopg.Error as error:
            self._connection = None
            raise _clear(error) from error

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()


def _meta(connection: psycopg.Connection, key: str) -> str:
    try:
        row = connection.execute(
            "select value from houseway.meta where key = %s", (key,), prepare=False
        ).fetchone()
    except (errors.UndefinedTable, errors.InvalidSchemaName):
        return ""
    return str(row[0]) if row else ""


def _version(connection: psycopg.Connection) -> int:
    return int(_meta(connection, "schema") or 0)


def _lines(batches: Sequence[Batch]) -> str:
    """Everything to be written as lines; no field of an event holds a line feed."""
    lines = []
    for number, batch in enumerate(batches):
        for write, bodies in zip(*batch, strict=True):
            lines += [str(number), write.stream, str(write.expected), str(len(bodies))]
            for new, body in zip(write.events, bodies, strict=True):
                lines += [new.time, new.actor, new.kind, str(new.schema), body]
    return "\n".join(lines)


def _outcomes(batches: Sequence[Batch], rows: list[_Answer]) -> list[Outcome]:
    """What the server answered, put together with what was sent."""
    answers = iter(rows)
    clashes = {number: stands for number, stands, _, _ in rows if stands is not None}
    outcomes: list[Outcome] = []
    first = 1
    for batch in batches:
        clash = [n for n in range(first, first + len(batch.writes)) if n in clashes]
        if clash:
            for _ in clash:
                next(answers)
            write = batch.writes[clash[0] - first]
            outcomes.append(Conflict(write.stream, write.expected, clashes[clash[0]]))
        else:
            outcomes.append(tuple(_events(batch, answers)))
        first += len(batch.writes)
    return outcomes


def _events(batch: Batch, answers: Iterator[_Answer]) -> Iterator[Event]:
    for write, bodies in zip(*batch, strict=True):
        version = write.expected
        for new, body in zip(write.events, bodies, strict=True):
            version += 1
            _, _, previous, hash = next(answers)
            assert previous is not None
            assert hash is not None
            yield recorded(write.stream, version, new, body, previous, hash)


def _clear(error: psycopg.Error) -> Unavailable:
    """PostgreSQL's errors as refusals that say what happened to the record."""
    said = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, errors.DiskFull):
        return Unavailable("record_full", f"the database server's disk is full ({said})")
    if isinstance(error, errors.ReadOnlySqlTransaction):
        return Unavailable("record_read_only", "the database can only be read")
    if isinstance(error, errors.IntegrityConstraintViolation | errors.UniqueViolation):
        return Unavailable("record_rule", f"a rule of the record forbids it ({said})")
    if isinstance(error, errors.LockNotAvailable | errors.QueryCanceled | errors.DeadlockDetected):
        return Unavailable("record_busy", f"the database did not answer in time ({said})")
    if isinstance(error, errors.InsufficientPrivilege | errors.InvalidPassword):
        return Unavailable("record_forbidden", f"the database does not let this user in ({said})")
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return Unavailable("record_unreachable", f"the database cannot be reached ({said})")
    return Unavailable("record_error", f"the database refuses ({said})")
