"""Writers and servers killed with SIGKILL at any moment: what was acknowledged is there.

A SIGKILL leaves what the kernel was given, so this proves our order of work and the recovery of
both databases; that the disk keeps what it was told to sync is the business of `synchronous=full`
and of PostgreSQL's `fsync`, which are checked to be on.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from writer import STREAMS

from houseway.store import open_log
from houseway.store.sqlite import SQLiteLog
from houseway.store.verify import verify


@contextmanager
def writer(database: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("writer.py"), database],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        yield process
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(20)
        process.stdin.close()
        process.stdout.close()


def run_and_kill(process: subprocess.Popen[str], seed: int, chance: random.Random) -> int:
    """One child's life; the number of the last append it was told is on disk."""
    process.stdin.write(f"{seed}\n")
    process.stdin.flush()
    pid = int(process.stdout.readline().split()[1])
    acknowledged = 0
    # some die while they open the record, most in the middle of their work
    if chance.random() < 0.9:
        acknowledged = int(process.stdout.readline().split()[1])
    time.sleep(chance.random() * 0.03)
    os.kill(pid, signal.SIGKILL)
    while (line := process.stdout.readline().split())[0] != "dead":
        acknowledged = int(line[1])
    return acknowledged


def check(database: str, acknowledged: int) -> None:
    log = open_log(database)
    # one look at one moment: PostgreSQL may still be busy with the last words of the dead
    events = list(log.scan())
    versions = {sum(event.stream == name for event in events) for name in STREAMS}
    assert len(versions) == 1, "an append is half there"
    assert max(versions) >= acknowledged, "an acknowledged append is gone"
    assert len(events) == 3 * max(versions)
    assert sum(event.data["cents"] for event in events) == 0
    assert verify(log).faults == ()
    log.close()


def kill_writers(database: str, times: int, seed: int) -> None:
    chance = random.Random(seed)
    most = 0
    with writer(database) as process:
        for number in range(times):
            most = max(most, run_and_kill(process, seed * 1000 + number, chance))
            check(database, most)
    assert most > times / 2


def test_sqlite_keeps_what_it_acknowledged(tmp_path) -> None:
    kill_writers(str(tmp_path / "r.db"), 12, seed=1)


def test_postgres_keeps_what_it_acknowledged(shared_server) -> None:
    kill_writers(shared_server.new_database(), 12, seed=2)


def _next(process: subprocess.Popen[str], before: int) -> int:
    number = int(process.stdout.readline().split()[1])
    assert number > before, "an acknowledged append is gone"
    return number


def kill_servers(server, times: int, seed: int) -> None:
    """The server dies under the writer, which goes on by itself when the server is back."""
    chance = random.Random(seed)
    database = server.new_database()
    open_log(database).close()
    with writer(database) as process:
        process.stdin.write(f"{seed}\n")
        process.stdin.flush()
        pid = int(process.stdout.readline().split()[1])
        acknowledged = 0
        for _ in range(times):
            acknowledged = _next(process, acknowledged)
            time.sleep(chance.random() * 0.1)
            server.kill()
            server.start()
            log = open_log(database)
            assert log.head("table").version >= acknowledged
            log.close()
            # the writer goes on by itself, and never says a number twice: none was lost
            for _ in range(100):
                acknowledged = _next(process, acknowledged)
        os.kill(pid, signal.SIGKILL)
        while (line := process.stdout.readline().split())[0] != "dead":
            assert int(line[1]) > acknowledged
            acknowledged = int(line[1])
    check(database, acknowledged)


def test_a_killed_server_keeps_what_it_acknowledged(server) -> None:
    kill_servers(server, 2, seed=3)


@pytest.mark.slow
@pytest.mark.full
@pytest.mark.parametrize("seed", range(10, 14))
def test_hundreds_of_kills_on_sqlite(tmp_path, seed) -> None:
    kill_writers(str(tmp_path / "r.db"), 75, seed)


@pytest.mark.slow
@pytest.mark.full
@pytest.mark.parametrize("seed", range(20, 24))
def test_hundreds_of_kills_on_postgres(shared_server, seed) -> None:
    kill_writers(shared_server.new_database(), 75, seed)


@pytest.mark.slow
@pytest.mark.full
def test_many_kills_of_the_server(server) -> None:
    kill_servers(server, 10, seed=30)


def test_both_databases_wait_for_the_disk(tmp_path, shared_server) -> None:
    log = SQLiteLog(tmp_path / "r.db")
    assert log._writer.execute("pragma synchronous").fetchone() == (2,)
    assert log._writer.execute("pragma journal_mode").fetchone() == ("wal",)
    log.close()
    url = shared_server.new_database()
    log = open_log(url)
    with log._connection() as connection:
        assert connection.execute("show synchronous_commit").fetchone() == ("on",)
    log.close()
    with psycopg.connect(url) as connection:
        assert connection.execute("show fsync").fetchone() == ("on",)
