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
import time
from contextlib import AbstractContextManager
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest
from writer import STREAMS

from children import child
from houseway.store import open_log
from houseway.store.backends.sqlite import SQLiteLog
from houseway.store.verify import Fault, verify


def writer(database: str) -> AbstractContextManager[subprocess.Popen[str]]:
    return child(Path(__file__).with_name("writer.py"), database)


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


class Left(NamedTuple):
    """What a death left on the record, seen at one moment, and the last append that was acknowledged."""

    acknowledged: int
    #: events of each stream; every append adds one to each
    counts: set[int]
    events: int
    money: int
    faults: tuple[Fault, ...]


def left(database: str, acknowledged: int) -> Left:
    log = open_log(database)
    # one look at one moment: PostgreSQL may still be busy with the last words of the dead
    events = list(log.scan())
    faults = verify(log).faults
    log.close()
    counts = {sum(event.stream == name for event in events) for name in STREAMS}
    return Left(
        acknowledged, counts, len(events), sum(event.data["cents"] for event in events), faults
    )


def lost(found: Left) -> list[str]:
    """What a death took or broke; nothing, as it should be."""
    wrong = []
    if len(found.counts) != 1 or found.events != len(STREAMS) * max(found.counts):
        wrong.append("an append is half there")
    if max(found.counts) < found.acknowledged:
        wrong.append("an acknowledged append is gone")
    if found.money:
        wrong.append("money does not add up")
    return wrong + [f"{fault.stream} {fault.version}: {fault.says}" for fault in found.faults]


def kill_writers(database: str, times: int, seed: int) -> list[Left]:
    """What each of a number of killed writers left."""
    chance = random.Random(seed)
    found, most = [], 0
    with writer(database) as process:
        for number in range(times):
            most = max(most, run_and_kill(process, seed * 1000 + number, chance))
            found.append(left(database, most))
    return found


def test_what_a_death_could_have_taken_is_told() -> None:
    whole = Left(5, {5}, 15, 0, ())
    assert lost(whole) == []
    assert lost(whole._replace(acknowledged=6)) == ["an acknowledged append is gone"]
    assert lost(whole._replace(counts={4, 5}, events=14)) == ["an append is half there"]
    assert lost(whole._replace(money=1)) == ["money does not add up"]


def test_sqlite_keeps_what_it_acknowledged(tmp_path) -> None:
    found = kill_writers(str(tmp_path / "r.db"), 12, seed=1)
    assert [lost(one) for one in found] == [[]] * 12
    assert found[-1].acknowledged > 6


@pytest.mark.slow
def test_postgres_keeps_what_it_acknowledged(shared_server) -> None:
    found = kill_writers(shared_server.new_database(), 12, seed=2)
    assert [lost(one) for one in found] == [[]] * 12
    assert found[-1].acknowledged > 6


def kill_servers(server, times: int, seed: int) -> tuple[list[tuple[int, int]], list[int], Left]:
    """The server dies under the writer, which goes on by itself when the server is back.

    For each death what was acknowledged and what was there; every number that the writer said; and
    what is left when the writer dies too.
    """
    chance = random.Random(seed)
    database = server.new_database()
    open_log(database).close()
    deaths, said = [], []

    def hear() -> bool:
        word, *number = process.stdout.readline().split()
        said.extend(map(int, number))
        return word != "dead"

    with writer(database) as process:
        process.stdin.write(f"{seed}\n")
        process.stdin.flush()
        pid = int(process.stdout.readline().split()[1])
        for _ in range(times):
            hear()
            time.sleep(chance.random() * 0.1)
            server.kill()
            server.start()
            log = open_log(database)
            deaths.append((said[-1], log.head("table").version))
            log.close()
            for _ in range(100):
                hear()
        os.kill(pid, signal.SIGKILL)
        while hear():
            pass
    return deaths, said, left(database, said[-1])


def is_kept(deaths: list[tuple[int, int]], said: list[int]) -> bool:
    """Whether all that was acknowledged was there after each death, and no number came twice."""
    rising = all(one < other for one, other in pairwise(said))
    return rising and all(there >= acknowledged for acknowledged, there in deaths)


@pytest.mark.slow
def test_a_killed_server_keeps_what_it_acknowledged(server) -> None:
    deaths, said, after = kill_servers(server, 2, seed=3)
    assert is_kept(deaths, said)
    assert lost(after) == []
    assert len(said) > 200


@pytest.mark.slow
@pytest.mark.full
@pytest.mark.parametrize("seed", range(10, 14))
def test_hundreds_of_kills_on_sqlite(tmp_path, seed) -> None:
    found = kill_writers(str(tmp_path / "r.db"), 75, seed)
    assert [lost(one) for one in found] == [[]] * 75
    assert found[-1].acknowledged > 37


@pytest.mark.slow
@pytest.mark.full
@pytest.mark.parametrize("seed", range(20, 24))
def test_hundreds_of_kills_on_postgres(shared_server, seed) -> None:
    found = kill_writers(shared_server.new_database(), 75, seed)
    assert [lost(one) for one in found] == [[]] * 75
    assert found[-1].acknowledged > 37


@pytest.mark.slow
@pytest.mark.full
def test_many_kills_of_the_server(server) -> None:
    deaths, said, after = kill_servers(server, 10, seed=30)
    assert is_kept(deaths, said)
    assert lost(after) == []
    assert len(said) > 1000


def test_both_databases_wait_for_the_disk(tmp_path, shared_server) -> None:
    log = SQLiteLog(tmp_path / "r.db")
    assert log._writer.execute("pragma synchronous").fetchone() == (2,)
    assert log._writer.execute("pragma journal_mode").fetchone() == ("wal",)
    log.close()
    url = shared_server.new_database()
    log = open_log(url)
    with log._connections.one() as connection:
        assert connection.execute("show synchronous_commit").fetchone() == ("on",)
    log.close()
    with psycopg.connect(url) as connection:
        assert connection.execute("show fsync").fetchone() == ("on",)
