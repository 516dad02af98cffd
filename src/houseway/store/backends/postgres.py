"""The record in PostgreSQL: several workers on several machines.

An append is one call of a function on the server, in one round trip with its commit. Two writers of
one stream meet in the key of the events, and nowhere else. Followers are woken by NOTIFY, which is sent beside the
append and not in it: a transaction that notifies holds one lock of the whole server until it is on
disk, and all tables would queue for it. If a notice is lost, followers still poll.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import msgspec
import psycopg
from psycopg import errors

from houseway.errors import Refused
from houseway.store.backends.postgres_connections import Connections, Prepared, clear
from houseway.store.backends.postgres_locks import SessionLocks
from houseway.store.event import Batch, Event, Head, Row, chained, recorded
from houseway.store.log import Conflict, Log, Outcome, SignedAppend, Unavailable
from houseway.store.schema import missing, steps
from houseway.store.signing import signed_append

if TYPE_CHECKING:
    from houseway.store.house_keys import HouseKeys

_COLUMNS = "stream, version, time, actor, kind, schema, body, previous, hash"
_APPEND = Prepared(
    b"houseway_append", b"select houseway.append($1, $2, $3, $4, $5, $6, $7)",
    "text", "int8", "text", "text", "text", "int4", "text",
)  # fmt: skip
_APPEND_ALL = "select found, linked from houseway.append_all(%b)"
_SIGN = "insert into houseway.appends (heads, key, signature) values (%s, %s, %s)"
_READ = f"""select {_COLUMNS} from houseway.events
where stream = %s and version > %s and version <= %s order by version limit %s"""
_LAST = f"""select {", ".join(f"e.{name}" for name in _COLUMNS.split(", "))}
from unnest(%s::text[]) as named(name)
cross join lateral (select * from houseway.events e where e.stream = named.name collate "C"
  order by e.version desc limit 1) e"""
# from the last event of the last stream to the last event of the stream before it, and so on
_HEADS = """with recursive head as (
  (select stream, version, hash from houseway.events where stream >= %s
    and stream < %s order by stream desc, version desc limit 1)
  union all
  select e.stream, e.version, e.hash from head cross join lateral (
    select stream, version, hash from houseway.events e where e.stream < head.stream
      and e.stream >= %s order by e.stream desc, e.version desc limit 1) e)
select stream, version, hash from head order by stream"""
_CHANNEL = "houseway"
_PAGE = 4096
_PAUSE = 0.05
_FOREVER = 2**62
#: sorts after the longest possible name of a stream (200 characters)
_BEYOND = chr(0x10FFFF) * 201
#: the schema from which on appends are signed
_SIGNED_SINCE = 5
#: the key of the advisory lock under which one process upgrades the schema
_UPGRADE = 0x68776179


#: for each write the version found in a conflict, or the hash that its first event was linked to
_Answer: TypeAlias = tuple[int | None, bytes | None]


class PostgresLog(Log):
    """A database on a server, named by a URL or a libpq connection string."""

    signs = True

    def __init__(self, url: str, *, readonly: bool = False, connections: int = 8) -> None:
        self.url = url
        self._readonly = readonly
        self._connections = Connections(url, readonly=readonly, most=connections)
        self._notices = _Notices(self._connections)
        self._locks = SessionLocks(self._connections)
        try:
            with self._connections.one() as connection:
                self._prepare(connection)
                self.id = _meta(connection, "record")
                at = connection.info
                self.place = f"postgresql://{at.host}:{at.port}/{at.dbname}"
        except BaseException:
            self.close()
            raise

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
        try:
            outcomes = self._append(batches)
        except Unavailable as lost:
            self.failed = lost
            raise
        self.note(outcomes)
        self._notices.send(
            {event.stream for done in outcomes if isinstance(done, tuple) for event in done}
        )
        return outcomes

    def _append(self, batches: Sequence[Batch]) -> list[Outcome]:
        try:
            return _outcomes(batches, self._call(batches))
        except Unavailable as lost:
            if lost.code != "record_unreachable":
                raise
            # the server may have been restarted, or the answer lost after the commit
            self._connections.close_free()
            return [
                self._written(batch) or outcome
                for batch, outcome in zip(
                    batches, _outcomes(batches, self._call(batches)), strict=True
                )
            ]

    def _call(self, batches: Sequence[Batch]) -> list[_Answer]:
        if self.keys is not None:
            return self._call_signed(self.keys, batches)
        if (alone := _alone(batches)) is not None:
            try:
                link = self._connections.call(_APPEND, *alone)
            except Unavailable as lost:
                if lost.code != "record_rule":  # another writer was quicker
                    raise
            else:
                if link is not None:
                    return [(None, link)]
        # several events, or a conflict, which is reported with the version found
        with self._connections.one() as connection:
            cursor = connection.cursor(binary=True)
            return cursor.execute(_APPEND_ALL, (_lines(batches),)).fetchall()

    def _call_signed(self, keys: HouseKeys, batches: Sequence[Batch]) -> list[_Answer]:
        """Append, and sign where that leaves the streams: both in one transaction."""
        with self._connections.one() as connection, connection.transaction():
            cursor = connection.cursor(binary=True)
            answers: list[_Answer] = cursor.execute(_APPEND_ALL, (_lines(batches),)).fetchall()
            heads = {
                event.stream: Head(event.version, event.hash)
                for done in _outcomes(batches, answers)
                if isinstance(done, tuple)
                for event in done
            }
            if heads:
                connection.execute(_SIGN, signed_append(keys, heads))
        return answers

    def _written(self, batch: Batch) -> tuple[Event, ...] | None:
        """The events of a batch, if exactly these are on the record at their places."""
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

    def load(self, events: Iterable[Event], id: str) -> None:
        with self._connections.one() as connection, connection.transaction():
            connection.execute("lock table houseway.events in exclusive mode")
            if connection.execute("select 1 from houseway.events limit 1").fetchone():
                raise Refused("record_not_empty", "this record is not empty; restore elsewhere")
            with connection.cursor().copy(f"copy houseway.events ({_COLUMNS}) from stdin") as copy:
                for event in events:
                    copy.write_row(msgspec.structs.astuple(event))
            connection.execute("update houseway.meta set value = %s where key = 'record'", (id,))
        self.id = id

    # reading

    def read(self, stream: str, after: int = 0, upto: int | None = None) -> Iterator[Event]:
        last = _FOREVER if upto is None else upto
        while True:
            rows = self._connections.ask(_READ, stream, after, last, _PAGE)
            for row in rows:
                yield Event(*row)
            if len(rows) < _PAGE:
                return
            after = rows[-1][1]

    def heads(self, streams: Iterable[str] | None = None, prefix: str = "") -> dict[str, Head]:
        if streams is not None:
            return {
                name: Head(last.version, last.hash) for name, last in self.last(streams).items()
            }
        rows = self._connections.ask(_HEADS, prefix, prefix + _BEYOND, prefix)
        return {name: Head(version, hash) for name, version, hash in rows}

    def last(self, streams: Iterable[str]) -> dict[str, Event]:
        rows = self._connections.ask(_LAST, list(dict.fromkeys(streams)))
        return {row[0]: Event(*row) for row in rows}

    def rows(self) -> Iterator[Row]:
        with (
            self._connections.one() as connection,
            connection.transaction(),
            connection.cursor("scan", binary=True) as cursor,
        ):
            cursor.itersize = _PAGE
            cursor.execute(f"select {_COLUMNS} from houseway.events order by stream, version")
            yield from cursor

    def signatures(self) -> Iterator[SignedAppend]:
        with self._connections.one() as connection:
            if _version(connection) < _SIGNED_SINCE:
                return  # a record of an earlier version, opened for reading only
            sql = "select heads, key, signature from houseway.appends order by number"
            found = connection.execute(sql).fetchall()
        yield from (SignedAppend(*row) for row in found)

    def load_signatures(self, signatures: Iterable[SignedAppend]) -> None:
        with self._connections.one() as connection, connection.transaction():
            connection.cursor().executemany(_SIGN, signatures)

    # watching, snapshots

    def watch(self) -> _PostgresWatch:
        return _PostgresWatch(self._connections)

    def save_snapshot(
        self, stream: str, maker: str, version: int, hash: bytes, state: bytes
    ) -> None:
        with self._connections.one() as connection:
            connection.execute(
                """insert into houseway.snapshots values (%s, %s, %s, %s, %s)
                on conflict (stream, maker) do update
                set version = excluded.version, hash = excluded.hash, state = excluded.state""",
                (stream, maker, version, hash, state),
            )

    def snapshot(self, stream: str, maker: str) -> tuple[int, bytes, bytes] | None:
        rows = self._connections.ask(
            "select version, hash, state from houseway.snapshots where stream = %s and maker = %s",
            stream, maker,
        )  # fmt: skip
        return rows[0] if rows else None

    def hold(self, name: str) -> bool:
        return self._locks.hold(name)

    def holds(self, name: str) -> bool:
        return self._locks.holds(name)

    def look_held(self) -> None:
        self._locks.look()

    def close(self) -> None:
        self._locks.close()
        self._notices.close()
        self._connections.close_free()


class _Notices:
    """Sends NOTIFY from a thread and a connection of its own, which does not wait for the disk."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
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
            if self._thread is None or not self._thread.is_alive():
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
                        connection = self._connections.connect("set synchronous_commit = off")
                    connection.execute(
                        "select count(pg_notify(%s, s)) from unnest(%s::text[]) s",
                        (_CHANNEL, sorted(streams)),
                    )
            except (psycopg.Error, Unavailable):
                # followers poll as well; the next notice opens a new connection
                if connection is not None:
                    connection.close()
            # appends within the next moment share one notice
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
    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._connection: psycopg.Connection | None = None
        self._listen()

    def _listen(self) -> psycopg.Connection:
        if self._connection is None or self._connection.closed:
            self._connection = self._connections.connect(f"listen {_CHANNEL}")
        return self._connection

    def wait(self, seconds: float) -> bool:
        try:
            return any(True for _ in self._listen().notifies(timeout=seconds, stop_after=1))
        except psycopg.Error as error:
            self.close()
            raise clear(error) from error

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


def _alone(batches: Sequence[Batch]) -> tuple[bytes, ...] | None:
    """The only event that is to be written, if it is only one, as the server takes it."""
    if len(batches) != 1 or len(batches[0].writes) != 1 or len(batches[0].bodies[0]) != 1:
        return None
    (write,), ((body,),) = batches[0]
    (new,) = write.events
    return (
        write.stream.encode(), b"%d" % write.expected, new.time.encode(), new.actor.encode(),
        new.kind.encode(), b"%d" % new.schema, body.encode(),
    )  # fmt: skip


def _outcomes(batches: Sequence[Batch], answers: list[_Answer]) -> list[Outcome]:
    """What the server answered, put together with what was sent."""
    outcomes: list[Outcome] = []
    answer = iter(answers)
    for batch in batches:
        done: list[Event] = []
        clash: Conflict | None = None
        for write, bodies in zip(*batch, strict=True):
            found, link = next(answer)
            if found is not None:
                clash = clash or Conflict(write.stream, write.expected, found)
            elif link is not None:
                done += chained(write, bodies, Head(write.expected, link))
        outcomes.append(clash or tuple(done))
    return outcomes
