"""The record's speed beside the raw speed of its engine, interleaved in one run.

    python bench/store.py [--events N] [--quick] [--no-postgres] [--write]

The speed of a sync drifts by an order of magnitude from minute to minute, so raw inserts and appends
take turns one by one and are compared by their medians. Raw is the least an engine can do: the same
bytes in one INSERT and one commit, with the same sync setting, into a plain table. PostgreSQL is a
server of our own in a temporary directory.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from figures import Figure, show, write

from houseway.floor.recorded_table import FOLDING, RecordedTable
from houseway.store import Event, Log, New, Write
from houseway.store.backends.memory import MemoryLog
from houseway.store.backends.sqlite import SQLiteLog
from houseway.store.group_commit import GroupCommitter
from houseway.store.snapshots import keep, open_at
from houseway.store.verify import verify

TESTS = Path(__file__).parents[1] / "tests"
sys.path[:0] = [str(TESTS / "floor"), str(TESTS / "store")]

NOON = "2026-03-01T12:00:00Z"
BODY = {
    "event": "wager_placed", "version": 57, "at": NOON, "role": "player", "who": "ann",
    "clause": "11.C(1)", "seat": 3, "wager": "pair_plus", "amount": "25.00",
    "cards": ["As", "Kd", "7c"], "tray": {"5.00": -3, "25.00": 1},
}  # fmt: skip
ONE = New("wager_placed", BODY, "player ann", NOON)
COLUMNS = "stream, version, time, actor, kind, schema, body, previous, hash"


def turns(works: dict[str, Callable[[], object]], count: int) -> dict[str, list[float]]:
    """Seconds for each call of each work, taken in turns in a random order, for half a minute at
    most: a sync may take ten milliseconds today."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    order = list(works)
    until = time.monotonic() + 30
    for done in range(count):
        if done >= 100 and time.monotonic() > until:
            break
        random.shuffle(order)
        for name in order:
            start = time.perf_counter()
            works[name]()
            taken[name].append(time.perf_counter() - start)
    return taken


def appender(log: Log, stream: str) -> Callable[[], object]:
    at = log.head(stream).version

    def append() -> None:
        nonlocal at
        log.append(Write(stream, at, (ONE,)))
        at += 1

    return append


def compare(
    name: str,
    raw: Callable[[], object],
    log: Log,
    count: int,
    share: int | None,
    barest: Callable[[], object] | None = None,
) -> list[Figure]:
    """Appends beside raw inserts. What is our own is seen best where nothing is synced: the
    difference of two medians of a sync that drifts is mostly drift."""
    works = {"raw": raw, "append": appender(log, "table/1")}
    taken = turns(works if barest is None else {**works, "barest": barest}, count)
    found = {work: statistics.median(times) for work, times in taken.items()}
    own = 1e6 * (found["append"] - found["raw"])
    if share is None:
        figures = [Figure(f"{name}, nothing synced: our own for an append", own, "us", most=60)]
        if barest is not None:
            figures.append(
                Figure(
                    f"{name}, nothing synced: the same beside an insert by libpq alone",
                    1e6 * (found["append"] - found["barest"]),
                    "us",
                )
            )
        return figures
    return [
        Figure(f"{name}: raw inserts", 1 / found["raw"], "/s"),
        Figure(f"{name}: appends", 1 / found["append"], "/s"),
        Figure(f"{name}: appends of raw", 100 * found["raw"] / found["append"], "%", least=share),
        Figure(f"{name}: difference of an append and a raw insert", own, "us"),
    ]


def grouped(name: str, log: Log, tables: int, count: int) -> list[Figure]:
    """One hundred tables, each with one append on its way, against one table by itself."""
    together = GroupCommitter(log)
    at = 0

    def all_tables() -> None:
        nonlocal at
        waiting = [together.submit(Write(f"group/{n}", at, (ONE,))) for n in range(tables)]
        for future in waiting:
            future.result()
        at += 1

    taken = turns({"single": appender(log, "single"), "group": all_tables}, count)
    together.close()
    one, many = (statistics.median(taken[work]) for work in ("single", "group"))
    return [
        Figure(f"{name}: appends of {tables} tables in groups", tables / many, "/s"),
        Figure(f"{name}: groups, times one table's rate", tables * one / many, "", least=5),
    ]


def raw_sqlite(path: Path, event: Event, sync: str = "full") -> Callable[[], object]:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("pragma page_size = 8192")
    connection.execute("pragma journal_mode = wal")
    connection.execute(f"pragma synchronous = {sync}")
    connection.execute(
        "create table events (stream text, version integer, time text, actor text, kind text,"
        " schema integer, body text, previous blob, hash blob)"
    )
    row = msgspec.structs.astuple(event)
    insert = f"insert into events ({COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)"
    return lambda: connection.execute(insert, row)


def raw_postgres(url: str, event: Event, sync: str = "on") -> Callable[[], object]:
    """Inserts as one writes them with psycopg."""
    import psycopg

    connection = psycopg.connect(url, autocommit=True, prepare_threshold=0)
    connection.execute(f"set synchronous_commit = {sync}")
    connection.execute(
        "create table if not exists raw_events (stream text, version bigint, time text, actor text, kind text,"
        " schema integer, body text, previous bytea, hash bytea)"
    )
    row = msgspec.structs.astuple(event)
    insert = f"insert into raw_events ({COLUMNS}) values (%b, %b, %b, %b, %b, %b, %b, %b, %b)"
    return lambda: connection.execute(insert, row)


@contextmanager
def on_one_core(server: int) -> Iterator[None]:
    """This process, and what the server starts for it, on the same core."""
    cores = os.sched_getaffinity(0)
    for process in (0, server):
        os.sched_setaffinity(process, {min(cores)})
    yield
    for process in (0, server):
        os.sched_setaffinity(process, cores)


def barest_postgres(url: str, event: Event) -> Callable[[], object]:
    """The same insert without what psycopg does around it, nothing synced."""
    import psycopg
    from psycopg import pq

    connection = psycopg.connect(url, autocommit=True)
    connection.execute("set synchronous_commit = off")
    server = connection.pgconn
    values = ", ".join(f"${number}" for number in range(1, 10))
    server.prepare(b"raw", f"insert into raw_events values ({values})".encode())
    row = [
        str(one).encode() if isinstance(one, int) else one for one in msgspec.structs.astuple(event)
    ]
    sent = [one.encode() if isinstance(one, str) else one for one in row]
    formats = [pq.Format.BINARY if number > 6 else pq.Format.TEXT for number in range(9)]

    def insert() -> None:
        assert (
            connection.pgconn.exec_prepared(b"raw", sent, formats).status
            == pq.ExecStatus.COMMAND_OK
        )

    return insert


def long_table(log: Log, events: int) -> None:
    """A table that played the same night over and over, with the snapshot its last night left."""
    from playing import played, record

    one = MemoryLog()
    record(one, played(0, rounds=40))
    night = tuple(
        New(event.kind, event.data, event.actor, event.time, event.schema)
        for event in one.read("table/1")
    )
    at = 0
    while at < events:
        log.append(Write("table/1", at, night))
        at += len(night)
    state = open_at(one, "table/1", FOLDING)
    head = log.head("table/1")
    keep(log, "table/1", FOLDING, state._replace(version=head.version, hash=head.hash))
    # and the beginning of the next night, which is to be folded: a snapshot is kept every 200 events
    log.append(Write("table/1", at, night[:199]))


def round_on_record(path: Path) -> list[Figure]:
    """What a round of two players takes of the file: everything in it, divided by the rounds."""
    from playing import played, record

    rounds = 100
    with SQLiteLog(path) as log:
        log._writer.execute("pragma synchronous = off")  # noqa: SLF001 - only its size counts
        record(log, played(0, rounds=rounds))
        events = sum(head.version for head in log.heads().values())
        log.settle()
    says = f"SQLite: bytes of a round of two players ({events / rounds:.0f} events)"
    return [Figure(says, path.stat().st_size / rounds, "B", most=8000)]


def opening(name: str, log: Log) -> list[Figure]:
    head = log.head("table/1").version
    times = []
    for _ in range(15):
        start = time.perf_counter()
        table = RecordedTable(log, "1")
        times.append(time.perf_counter() - start)
    assert table.version == head
    says = f"{name}: open a table of {head:,} events"
    return [Figure(says, statistics.median(times) * 1000, "ms", most=50)]


def verifying(name: str, log: Log) -> list[Figure]:
    rates = []
    for _ in range(2):
        start = time.process_time()
        verdict = verify(log)
        rates.append(verdict.events / (time.process_time() - start))
        assert verdict.unbroken
    says = f"{name}: verify {verdict.events:,} events, on one core"
    return [Figure(says, max(rates), "/s", least=200_000)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000, help="of the long table")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--no-postgres", action="store_true")
    parser.add_argument(
        "--write", action="store_true", help="put the figures into docs/reference/benchmarks.md"
    )
    chosen = parser.parse_args()
    count = 400 if chosen.quick else 3000
    folder = Path(tempfile.mkdtemp(prefix="houseway-bench-"))
    server = None
    try:
        log: Log = SQLiteLog(folder / "houseway.db")
        (event,) = log.append(Write("first", 0, (ONE,)))
        figures = compare("SQLite", raw_sqlite(folder / "raw.db", event), log, count, 80)
        figures += grouped("SQLite", log, 100, count // 10)
        log._writer.execute("pragma synchronous = off")  # noqa: SLF001 - no user may
        unsynced = raw_sqlite(folder / "unsynced.db", event, "off")
        figures += compare("SQLite", unsynced, log, count, None)
        log.close()
        path = folder / "long.db"
        long = SQLiteLog(path)
        long_table(long, chosen.events)
        figures += opening("SQLite", long) + verifying("SQLite", long)
        long.settle()
        size = path.stat().st_size / long.head("table/1").version
        figures.append(Figure("SQLite: bytes of an event on disk", size, "B"))
        figures += round_on_record(folder / "round.db")
        if not chosen.no_postgres:
            from postgres_server import Server

            from houseway.store.backends.postgres import PostgresLog

            server = Server()
            url = server.new_database()
            log = PostgresLog(url)
            figures += compare("PostgreSQL", raw_postgres(url, event), log, count, 70)
            figures += grouped("PostgreSQL", log, 100, count // 10)
            log.close()
            # on one core, client and server: to wake another takes longer than what is measured
            with on_one_core(server.pid):
                log = PostgresLog(url)
                with log._connections.one() as connection:  # noqa: SLF001 - no user may
                    connection.execute("set synchronous_commit = off")
                unsynced = raw_postgres(url, event, "off")
                barest = barest_postgres(url, event)
                figures += compare("PostgreSQL", unsynced, log, count, None, barest)
                log.close()
            log = PostgresLog(server.new_database())
            log.load(long.scan(), long.id)
            # the snapshot is a cache and does not travel with the record
            head = long.head("table/1").version
            keep(log, "table/1", FOLDING, open_at(long, "table/1", FOLDING, head - 199))
            figures += opening("PostgreSQL", log) + verifying("PostgreSQL", log)
            log.close()
        long.close()
    finally:
        if server is not None:
            server.remove()
        shutil.rmtree(folder)
    show(figures)
    if chosen.write:
        write("store", figures)


if __name__ == "__main__":
    main()
