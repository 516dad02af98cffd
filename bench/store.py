"""The record's speed beside the raw speed of its engine, interleaved in one run.

    python bench/store.py [--postgres URL] [--events N] [--quick]

The speed of a sync drifts by an order of magnitude from minute to minute, so raw inserts and
appends take turns one by one and are compared by their medians. Raw is the least an engine can
do: the same bytes in one INSERT and one commit, with the same sync setting, into a plain table.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from houseway.store import Event, Log, New, Write
from houseway.store.group import Together
from houseway.store.snapshots import Folding, keep, open_at
from houseway.store.sqlite import SQLiteLog
from houseway.store.verify import verify

NOON = "2026-03-01T12:00:00Z"
BODY = {
    "event": "wager_placed", "version": 57, "at": NOON, "role": "player", "who": "ann",
    "clause": "11.C(1)", "seat": 3, "wager": "pair_plus", "amount": "25.00",
    "cards": ["As", "Kd", "7c"], "tray": {"5.00": -3, "25.00": 1},
}  # fmt: skip
ONE = New("wager_placed", BODY, "player ann", NOON)
COLUMNS = "stream, version, time, actor, kind, schema, body, previous, hash"


def turns(works: dict[str, Callable[[], object]], count: int) -> dict[str, float]:
    """Median seconds for one call of each work, taken in turns in a random order."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    order = list(works)
    for _ in range(count):
        random.shuffle(order)
        for name in order:
            start = time.perf_counter()
            works[name]()
            taken[name].append(time.perf_counter() - start)
    return {name: statistics.median(times) for name, times in taken.items()}


def appender(log: Log, stream: str) -> Callable[[], object]:
    at = log.head(stream).version

    def append() -> None:
        nonlocal at
        log.append(Write(stream, at, (ONE,)))
        at += 1

    return append


def compare(name: str, raw: Callable[[], object], log: Log, count: int) -> None:
    found = turns({"raw": raw, "append": appender(log, "table/1")}, count)
    share = found["raw"] / found["append"]
    own = (found["append"] - found["raw"]) * 1e6
    print(
        f"{name:10} raw {1 / found['raw']:8,.0f}/s   append {1 / found['append']:8,.0f}/s"
        f"   {share:6.1%} of raw   {own:+.0f} us of our own"
    )


def grouped(name: str, log: Log, tables: int, count: int) -> None:
    """One hundred tables, each with one append on its way, against one table by itself."""
    together = Together(log)
    at = 0

    def all_tables() -> None:
        nonlocal at
        waiting = [together.submit(Write(f"group/{n}", at, (ONE,))) for n in range(tables)]
        for future in waiting:
            future.result()
        at += 1

    found = turns({"single": appender(log, "single"), "group": all_tables}, count)
    one, many = 1 / found["single"], tables / found["group"]
    together.close()
    print(
        f"{name:10} group commit of {tables} tables {many:8,.0f}/s, {many / one:.1f} times one table's"
    )


def raw_sqlite(path: Path, event: Event) -> Callable[[], object]:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("pragma page_size = 8192")
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = full")
    connection.execute(
        "create table events (stream text, version integer, time text, actor text, kind text,"
        " schema integer, body text, previous blob, hash blob)"
    )
    row = msgspec.structs.astuple(event)
    insert = f"insert into events ({COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)"
    return lambda: connection.execute(insert, row)


def raw_postgres(url: str, event: Event) -> Callable[[], object]:
    import psycopg

    connection = psycopg.connect(url, autocommit=True, prepare_threshold=0)
    connection.execute("set synchronous_commit = on")
    connection.execute("drop table if exists raw_events")
    connection.execute(
        "create table raw_events (stream text, version bigint, time text, actor text, kind text,"
        " schema integer, body text, previous bytea, hash bytea)"
    )
    row = msgspec.structs.astuple(event)
    insert = f"insert into raw_events ({COLUMNS}) values (%b, %b, %b, %b, %b, %b, %b, %b, %b)"
    return lambda: connection.execute(insert, row)


COUNT = Folding(
    maker="bench/1",
    start={"events": 0},
    step=lambda state, _: {"events": state["events"] + 1, "pad": "x" * 20_000},
    pack=msgspec.json.encode,
    unpack=msgspec.json.decode,
)


def long_stream(log: Log, events: int, size: Callable[[], int] | None) -> None:
    """Verify and open a table of many events."""
    before = size() if size else 0
    chunk = tuple(ONE for _ in range(5000))
    for at in range(0, events, 5000):
        log.append(Write("long", at, chunk))
    if size:
        print(
            f"{'':10} {(size() - before) / events:.0f} bytes an event on disk, body {len(msgspec.json.encode(BODY))}"
        )
    for _ in range(2):
        start, cpu = time.perf_counter(), time.process_time()
        verdict = verify(log)
        wall, cpu = time.perf_counter() - start, time.process_time() - cpu
        print(
            f"{'':10} verify {verdict.events:,} events: {verdict.events / wall:,.0f}/s by the clock,"
            f" {verdict.events / cpu:,.0f}/s of one core"
        )
    keep(log, "long", COUNT, open_at(log, "long", COUNT))
    log.append(Write("long", events, chunk[:50]))
    times = []
    for _ in range(20):
        start = time.perf_counter()
        opened = open_at(log, "long", COUNT)
        times.append(time.perf_counter() - start)
    print(
        f"{'':10} open a table of {opened.version:,} events, {opened.folded} after its snapshot:"
        f" {statistics.median(times) * 1000:.1f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgres", help="URL of an empty database")
    parser.add_argument("--events", type=int, default=1_000_000, help="of the long stream")
    parser.add_argument("--quick", action="store_true")
    chosen = parser.parse_args()
    count = 400 if chosen.quick else 3000
    folder = Path(tempfile.mkdtemp(prefix="houseway-bench-"))
    try:
        path = folder / "houseway.db"
        log = SQLiteLog(path)
        (event,) = log.append(Write("first", 0, (ONE,)))
        compare("SQLite", raw_sqlite(folder / "raw.db", event), log, count)
        grouped("SQLite", log, 100, count // 5)
        log.settle()
        long_stream(log, chosen.events, lambda: (log.settle(), path.stat().st_size)[1])
        log.close()
        if chosen.postgres:
            from houseway.store.postgres import PostgresLog

            log = PostgresLog(chosen.postgres)
            compare("PostgreSQL", raw_postgres(chosen.postgres, event), log, count)
            grouped("PostgreSQL", log, 100, count // 5)
            long_stream(log, chosen.events, None)
            log.close()
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
