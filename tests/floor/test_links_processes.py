"""One meter fed by tables in processes of their own, and by tables that are killed at any moment.

A meter never loses a contribution whose wager stood, never keeps one whose round was void, never
pays twice: the reconciliation adds all of it up again from what the tables themselves recorded.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from pathlib import Path

import pytest
from linked import BY, ROYAL, LinkedTable, cents_of, open_link, rules

from houseway.floor.link_history import follow
from houseway.floor.link_reconcile import reconcile
from houseway.floor.linked_meters import Link
from houseway.store import open_log
from houseway.store.verify import verify

RATE, SEED, RESET = Fraction(147, 1000), 250_000, 100_000


@contextmanager
def worker(database: str, name: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("link_worker.py"), database, name],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        yield process
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(20)
        process.stdin.close()
        process.stdout.close()


def begin(process: subprocess.Popen[str], rounds: int, seed: int) -> int:
    process.stdin.write(f"{rounds} {seed}\n")
    process.stdin.flush()
    return int(process.stdout.readline().split()[1])


def linked(database: str, names: str) -> None:
    log = open_log(database)
    link = open_link(log)
    for name in names:
        link.join(name, rules(), BY)
    log.close()


def check(database: str) -> tuple[Fraction, list[dict]]:
    """Everything adds up, and the wins follow each other, each on what the one before left."""
    log = open_log(database)
    found = reconcile(log, "wide")
    assert found.departs == ()
    assert verify(log).unbroken
    wins = [event.data for event in log.read("link/wide") if event.kind == "meter_paid"]
    left = paid = Fraction(0)
    for number, win in enumerate(wins):
        held = SEED + number * RESET + sum(win["wagered"].values()) * RATE - paid
        assert Fraction(win["held"]) == held
        assert win["amount"] == int(held)
        paid += win["amount"]
    left = cents_of(Link(log, "wide"))
    feeds = [event.data["wagered"] for event in log.last(log.heads(prefix="feed/")).values()]
    assert left == SEED + sum(feeds) * RATE + len(wins) * RESET - paid
    log.close()
    return left, wins


@pytest.fixture(params=["sqlite", "postgres"])
def database(request, tmp_path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "r.db")
    return request.getfixturevalue("postgres").new_database()


def test_tables_in_processes_of_their_own_feed_and_empty_one_meter(database) -> None:
    names = "abcd"
    linked(database, names)
    with ExitStack() as stack:
        processes = [stack.enter_context(worker(database, name)) for name in names]
        for seed, process in enumerate(processes):
            begin(process, 8, seed)
        for process in processes:
            heard = []
            while (line := process.stdout.readline().split())[0] != "dead":
                heard.append(line[0])
            assert heard == ["ack"] * 8 + ["done"]
    _, wins = check(database)
    assert len({win["table"] for win in wins}) > 1


def test_wins_at_one_instant_are_paid_one_after_the_other(database) -> None:
    """Every table stands before its payment, and all of them go at once."""
    names = "abcde"
    linked(database, names)
    logs = [open_log(database) for _ in names]
    tables = [LinkedTable(log, name, seed=7) for log, name in zip(logs, names, strict=True)]
    for table in tables:
        table.sit()
        table.up_to("settling", {1: ROYAL})
    together = threading.Barrier(len(tables))

    def go(table: LinkedTable) -> None:
        together.wait()
        table.on_to("betting")

    with ThreadPoolExecutor(len(tables)) as pool:
        list(pool.map(go, tables))
    _, wins = check(database)
    assert {win["table"] for win in wins if win["seat"] == 1} == set(names)
    for log in logs:
        log.close()


def killed(database: str, times: int, seed: int) -> list[tuple[int, int]]:
    """A table is killed in the middle of its rounds, and another process goes on with it.

    After each death, for each table, what was acknowledged and what is on record.
    """
    deaths = []
    chance = random.Random(seed)
    linked(database, "ab")
    most = dict.fromkeys("ab", 0)
    with worker(database, "a") as a, worker(database, "b") as b:
        for number in range(times):
            both = {"a": a, "b": b}
            pids = {name: begin(both[name], 1000, seed + number) for name in both}
            for name, process in both.items():
                if chance.random() < 0.8:
                    most[name] = int(process.stdout.readline().split()[1])
            time.sleep(chance.random() * 0.1)
            for pid in pids.values():
                os.kill(pid, signal.SIGKILL)
            for name, process in both.items():
                while (line := process.stdout.readline().split())[0] != "dead":
                    most[name] = int(line[1])
            check(database)
            log = open_log(database)
            for name in both:
                feed = log.last([f"feed/{name}/wide"])[f"feed/{name}/wide"].data
                deaths.append((most[name], feed["wagered"] - feed["in_play"]))
            log.close()
    return deaths


def test_tables_that_are_killed_lose_and_double_nothing(database) -> None:
    deaths = killed(database, 4, seed=5)
    assert len(deaths) == 8
    assert all(there >= acknowledged for acknowledged, there in deaths)
    assert any(acknowledged for acknowledged, _ in deaths)


@pytest.mark.slow
@pytest.mark.full
@pytest.mark.parametrize("seed", [100, 200])
def test_many_kills(database, seed) -> None:
    deaths = killed(database, 30, seed)
    assert len(deaths) == 60
    assert all(there >= acknowledged for acknowledged, there in deaths)
    assert any(acknowledged for acknowledged, _ in deaths)


def test_the_wall_sees_what_another_process_wagers(database) -> None:
    linked(database, "a")
    log = open_log(database)
    stop = threading.Event()
    seen = []
    with worker(database, "a") as process:
        begin(process, 1000, 1)
        for now in follow(log, stop):
            seen.append(now[0].meters["progressive"])
            if len(seen) == 4:
                break
    stop.set()
    log.close()
    assert seen[0] == "2500.00"
    assert len(set(seen)) == 4
