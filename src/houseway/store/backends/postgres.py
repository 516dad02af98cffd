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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, LiteralString

import psycopg
from psycopg import errors

from houseway.errors import Refused
from houseway.store.backends.block_log import PAGE, BlockLog, LastBlock
from houseway.store.backends.blocks import (
    Added,
    Block,
    decided,
    dictionary_entry,
    packed_streams,
    to_add,
)
from houseway.store.backends.postgres_connections import Connections, Prepared, clear
from houseway.store.backends.postgres_locks import SessionLocks
from houseway.store.backends.schema import missing, steps
from houseway.store.event import EMPTY, Batch, Event, Head, Row, recorded
from houseway.store.log import NO_BASES, Conflict, Linked, Outcome, SignedAppend, Unavailable
from houseway.store.security.signing import LastSignatures, signed_append

#: in `events` is what was written one by one, before there were blocks; nothing is added to it
_COLUMNS = "stream, version, time, actor, kind, schema, body, previous, hash"
_OLD_READ = f"""select {_COLUMNS} from houseway.events
where stream = %s and version > %s and version <= %s order by version limit %s"""
_OLD_LAST = f"""select {", ".join(f"e.{name}" for name in _COLUMNS.split(", "))}
from unnest(%s::text[]) as named(name)
cross join lateral (select * from houseway.events e where e.stream = named.name collate "C"
  order by e.version desc limit 1) e"""
# from the last event of the last stream to the last event of the stream before it, and so on
_OLD_HEADS = """with recursive head as (
  (select stream, version, hash from houseway.events where stream >= %s
    and stream < %s order by stream desc, version desc limit 1)
  union all
  select e.stream, e.version, e.hash from head cross join lateral (
    select stream, version, hash from houseway.events e where e.stream < head.stream
      and e.stream >= %s order by e.stream desc, e.version desc limit 1) e)
select stream, version, hash from head order by stream"""
_OLD_ROWS = f"select {_COLUMNS} from houseway.events order by stream, version"

_BLOCK = "first, version, hash, body"
_APPEND = Prepared(
    b"houseway_append", b"select houseway.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    "int4[]", "bytea[]", "int8[]", "int8[]", "bytea[]", "bytea[]", "text", "text", "bytea", "int8[]",
)  # fmt: skip
_ADD_STREAMS = """insert into houseway.streams (name) select distinct name collate "C"
from unnest(%s::text[]) as new (name) order by 1 on conflict do nothing"""
_STREAMS = "select id, name from houseway.streams where name = any(%s)"
#: from the block before the one that holds an event, whose hash the next one is linked to
_READ = f"""select {_BLOCK} from houseway.blocks where stream = %s and first >= coalesce(
  (select first from houseway.blocks where stream = %s and first <= %s and version <= %s
   order by first desc limit 1), 0) and first <= %s order by first limit %s"""
_LAST = f"""select name, last.*, before.hash from houseway.streams
cross join lateral (select {_BLOCK} from houseway.blocks where stream = id
  order by first desc limit 1) last
left join lateral (select hash from houseway.blocks where stream = id and first < last.first
  order by first desc limit 1) before on true
where name = any(%s)"""
_HEADS = """select name, last.* from houseway.streams
cross join lateral (select version, hash from houseway.blocks where stream = id
  order by first desc limit 1) last
where name >= %s and name < %s order by name"""
_BASES = "select name, version, hash from houseway.bases join houseway.streams on id = stream"
_NAMES = "select id, name from houseway.streams order by name"
_ROWS = f"select {_BLOCK} from houseway.blocks where stream = %s order by first"
_SIGN = "insert into houseway.appends (heads, key, signature) values (%s, %s, %s)"
_CHANNEL = "houseway"
_PAUSE = 0.05
#: sorts after the longest possible name of a stream (200 characters)
_BEYOND = chr(0x10FFFF) * 201
#: the schema from which on appends are signed
_SIGNED_SINCE = 5
#: the schema from which on events are kept in blocks
_BLOCKS_SINCE = 6
_REMEMBERED = 10_000
#: how often an append is tried while others are quicker
_ATTEMPTS = 50
#: the key of the advisory lock under which one process upgrades the schema
_UPGRADE = 0x68776179


class PostgresLog(BlockLog):
    """A database on a server, named by a URL or a libpq connection string."""

    signs = True

    def __init__(self, url: str, *, readonly: bool = False, connections: int = 8) -> None:
        self.url = url
        self._readonly = readonly
        self._connections = Connections(url, readonly=readonly, most=connections)
        self._notices = _Notices(self._connections)
        #: where streams stood when this process last wrote to them, the numbers of streams, and the
        #: signatures made here
        self._heads: dict[str, Head] = {}
        self._ids: dict[str, int] = {}
        self._signed = LastSignatures()
        self._signing = threading.Lock()
        self._scanning = threading.local()
        self._locks = SessionLocks(self._connections)
        try:
            with self._connections.one() as connection:
                self._prepare(connection)
                self._has_blocks = _version(connection) >= _BLOCKS_SINCE
                found = connection.execute("select exists (select from houseway.events)").fetchone()
                self._has_events = found == (True,)
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
                if number == _BLOCKS_SINCE:
                    connection.execute(
                        "insert into houseway.meta values (%s, %s)", dictionary_entry()
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
            return self._added(batches)
        except Unavailable as lost:
            if lost.code != "record_unreachable":
                raise
            # the server may have been restarted, or the answer lost after the commit
            self._connections.close_free()
            return [
                self._written(batch) or outcome
                for batch, outcome in zip(batches, self._added(batches), strict=True)
            ]

    def _added(self, batches: Sequence[Batch]) -> list[Outcome]:
        """Append after the heads that this process remembers, or else after those on the record.

        The record itself refuses a block that does not follow the last one of its stream.
        """
        named = sorted({write.stream for batch in batches for write in batch.writes})
        known = {name: head for name in named if (head := self._heads.get(name)) is not None}
        for attempt in range(_ATTEMPTS):
            if attempt or len(known) < len(named):
                known = dict.fromkeys(named, EMPTY) | self.heads(named)
            heads = dict(known)
            outcomes = decided(batches, heads)
            if not attempt and any(isinstance(one, Conflict) for one in outcomes):
                continue
            added = to_add(outcomes)
            try:
                if added:
                    self._add(added, {one.stream: heads[one.stream] for one in added})
            except Unavailable as lost:
                self._heads = {}
                if lost.code != "record_rule" or attempt == _ATTEMPTS - 1:
                    raise
                continue  # another writer was quicker
            if len(self._heads) > _REMEMBERED:
                self._heads, self._ids = {}, {}
            self._heads.update(heads)
            break
        return outcomes

    def _add(self, added: list[Added], heads: dict[str, Head]) -> None:
        """Add blocks and their signature, in one round trip with the commit."""
        ids = self._ids_of(list(heads))
        values = [
            _array(b"%d" % ids[one.stream] for one in added),
            _array(b'"\\\\x%s"' % one.link.hex().encode() for one in added),
            _array(b"%d" % one.block.first for one in added),
            _array(b"%d" % one.block.version for one in added),
            _array(b'"\\\\x%s"' % one.block.hash.hex().encode() for one in added),
            _array(b'"\\\\x%s"' % one.block.body.hex().encode() for one in added),
        ]
        if self.keys is None:
            self._connections.call(_APPEND, *values, b"", b"", b"", b"{}")
            return
        signed = signed_append(self.keys, heads)
        values += [signed.heads.encode(), signed.key.encode()]
        values += [b"\\x" + signed.signature.hex().encode()]
        with self._signing:
            gone = _array(b"%d" % number for number in self._signed.superseded(heads))
        number = self._connections.call(_APPEND, *values, gone)
        with self._signing:
            self._signed.add(int.from_bytes(number or b"", "big"), heads)

    def _ids_of(self, names: list[str]) -> dict[str, int]:
        """The numbers of streams; a new one gets its number before its first event."""
        known = self._ids
        if missing := [name for name in names if name not in known]:
            with self._connections.one() as connection:
                known |= _number(connection, missing)
        return known

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

    def load(self, events: Iterable[Event], id: str, bases: Mapping[str, Head] = NO_BASES) -> None:
        ids: dict[str, int] = {}
        with self._connections.one() as connection, connection.transaction():
            connection.execute("lock table houseway.blocks in exclusive mode")
            for table in ("events", "blocks"):
                if connection.execute(f"select 1 from houseway.{table} limit 1").fetchone():
                    raise Refused("record_not_empty", "this record is not empty; restore elsewhere")
            with (
                self._connections.one() as other,
                connection.cursor().copy(
                    f"copy houseway.blocks (stream, {_BLOCK}) from stdin"
                ) as copy,
            ):
                for name, block in packed_streams(events):
                    if name not in ids:
                        ids |= _number(other, [name])
                    copy.write_row((ids[name], *block))
            for name, at in bases.items():
                connection.execute(
                    "insert into houseway.bases values (%s, %s, %s)",
                    (ids[name], at.version, at.hash),
                )
            connection.execute("update houseway.meta set value = %s where key = 'record'", (id,))
        self.id = id

    # reading

    def _old_page(self, stream: str, after: int, upto: int, most: int) -> list[Row]:
        return self._connections.ask(_OLD_READ, stream, after, upto, most)

    def _old_last(self, names: list[str]) -> list[Row]:
        return self._connections.ask(_OLD_LAST, names)

    def _page(self, stream: str, after: int, upto: int, most: int) -> list[Block]:
        if (id := self._id_of(stream)) is None:
            return []
        rows = self._connections.ask(_READ, id, id, after, after, upto, most)
        return [Block(*row) for row in rows]

    def _last_blocks(self, names: list[str]) -> list[LastBlock]:
        rows = self._connections.ask(_LAST, names)
        return [LastBlock(name, Block(*row), link) for name, *row, link in rows]

    def bases(self, streams: Iterable[str] | None = None) -> dict[str, Head]:
        if not self._has_blocks:
            return {}
        if streams is None:
            rows = self._connections.ask(_BASES)
        else:
            rows = self._connections.ask(f"{_BASES} where name = any(%s)", list(streams))
        return {name: Head(version, hash) for name, version, hash in rows}

    def remove_archived(self, bases: Mapping[str, Head]) -> None:
        with self._connections.one() as connection, connection.transaction():
            for name, at in bases.items():
                (id,) = _number(connection, [name]).values()
                connection.execute(
                    "insert into houseway.bases values (%s, %s, %s) on conflict (stream) do update"
                    " set version = excluded.version, hash = excluded.hash",
                    (id, at.version, at.hash),
                )
                connection.execute(
                    "delete from houseway.blocks where stream = %s and first <= %s",
                    (id, at.version),
                )

    def _id_of(self, stream: str) -> int | None:
        if stream not in self._ids:
            for id, name in self._connections.ask(_STREAMS, [stream]):
                self._ids[name] = id
        return self._ids.get(stream)

    def heads(self, streams: Iterable[str] | None = None, prefix: str = "") -> dict[str, Head]:
        if streams is not None:
            return {
                name: Head(last.version, last.hash) for name, last in self.last(streams).items()
            }
        rows = []
        if self._has_events:
            rows += self._connections.ask(_OLD_HEADS, prefix, prefix + _BEYOND, prefix)
        if self._has_blocks:
            rows += self._connections.ask(_HEADS, prefix, prefix + _BEYOND)
        return {name: Head(version, hash) for name, version, hash in sorted(rows)}

    def linked(self) -> Iterator[Linked]:
        with self._connections.one() as connection, connection.transaction():
            connection.execute("set transaction isolation level repeatable read")
            self._scanning.connection = connection
            yield from super().linked()

    def _all_rows(self) -> Iterator[Row] | None:
        if not self._has_events:
            return None
        return _each(self._scanning.connection, "old", _OLD_ROWS)

    def _all_blocks(self) -> Iterator[tuple[str, Block]]:
        connection = self._scanning.connection
        for id, name in connection.execute(_NAMES).fetchall():
            for row in _each(connection, f"blocks {id}", _ROWS, id):
                yield name, Block(*row)

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
        if self.archives is not None:
            self.archives.close()
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


def _number(connection: psycopg.Connection, names: list[str]) -> dict[str, int]:
    """The numbers of streams; a new one gets its number before its first event."""
    connection.execute(_ADD_STREAMS, (names,))
    return {name: id for id, name in connection.execute(_STREAMS, (names,))}


def _each(
    connection: psycopg.Connection, name: str, sql: LiteralString, *values: object
) -> Iterator[Any]:
    """The rows of a query, a page at a time."""
    with connection.cursor(name, binary=True) as cursor:
        cursor.itersize = PAGE
        yield from cursor.execute(sql, values)


def _array(items: Iterable[bytes]) -> bytes:
    """An array as the server reads it."""
    return b"{" + b",".join(items) + b"}"
