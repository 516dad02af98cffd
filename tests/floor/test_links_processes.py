"""One meter fed by tables in processes of their own, and by tables that are killed at any moment.

A meter never loses a contribution whose wager stood, never keeps one whose round was void, never
pays twice: the reconciliation adds all of it up again from what the tables themselves recorded.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest
from linked import BY, RATE, RESET, ROYAL, SEED, LinkedTable, cents_of, open_link, rules

from children import child
from houseway.floor.links.history import follow
from houseway.floor.links.operations import Link
from houseway.floor.links.reconcile import reconcile
from houseway.store import open_log
from houseway.store.verify import verify


def worker(
    database: str, name: str, game: str = "progressive"
) -> AbstractContextManager[subprocess.Popen[str]]:
    return child(Path(__file__).with_name("link_worker.py"), database, name, game)


def begin(process: subprocess.Popen[str], rounds: int, seed: int) -> int:
    process.stdin.write(f"{rounds} {seed}\n")
    process.stdin.flush()
    return int(process.stdout.readline().split()[1])


def linked(database: str, names: str, game: str = "progressive") -> None:
    log = open_log(database)
    link = open_link(log, game=game)
    for name in names:
        link.join(name, rules(game), BY)
    log.close()


#: two seats of a table wager a dollar each
MOST_IN_PLAY = 200


class Added(NamedTuple):
    """A link added up again, by the program and beside it."""

    departs: tuple
    unbroken: bool
    holds: Fraction
    #: the same from the feeds and the wins alone
    comes_to: Fraction
    wins: list[dict]
    #: what each win found in the meter and was paid
    paid: list[tuple[Fraction, int]]
    #: and what it should have, by the wins before it and the wagers it names
    owed: list[tuple[Fraction, int]]


def added_up(database: str) -> Added:
    log = open_log(database)
    set_aside: dict[tuple[str, int], int] = {}
    wins, paid, owed = [], [], []
    gone = kept = Fraction(0)
    shown = resets = 0
    for event in log.read("link/wide"):
        body = event.data
        if event.kind == "contribution_kept":
            # the wagers of a void round leave no meter below its reset amount
            assert 0 < Fraction(body["amount"]) <= MOST_IN_PLAY * RATE
            kept += Fraction(body["amount"])
        elif event.kind == "claim_withdrawn":
            # the share that was set aside for a round that is void goes back
            gone -= set_aside.pop((body["table"], body["seat"]), 0)
        elif event.kind == "share_paid":
            del set_aside[body["table"], body["seat"]]
        elif event.kind == "meter_paid":
            wins.append(body)
            held = SEED + resets * RESET + sum(body["wagered"].values()) * RATE + kept - gone
            number, winners = body.get("number", 0), body.get("winners", 1)
            # those who share get the same of what was shown to the first of them
            shown = shown if number else int(held)
            owed.append((held, shown // winners))
            paid.append((Fraction(body["held"]), body["amount"]))
            gone += body["amount"]
            resets += number == winners - 1
            if body.get("set_aside"):
                set_aside[body["table"], body["seat"]] = body["amount"]
    feeds = [event.data["wagered"] for event in log.last(log.heads(prefix="feed/")).values()]
    found = Added(
        reconcile(log, "wide").departs, verify(log).unbroken, cents_of(Link(log, "wide")),
        SEED + sum(feeds) * RATE + resets * RESET + kept - gone, wins, paid, owed,
    )  # fmt: skip
    log.close()
    return found


@pytest.fixture(params=["sqlite", "postgres"])
def database(request, tmp_path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "r.db")
    return request.getfixturevalue("postgres").new_database()


#: Massachusetts' winners who share, beside Maryland's who are paid one after the other
GAMES = ["progressive", pytest.param("shared", marks=pytest.mark.slow)]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_tables_in_processes_of_their_own_feed_and_empty_one_meter(database, game) -> None:
    names = "abcd"
    linked(database, names, game)
    with ExitStack() as stack:
        processes = [stack.enter_context(worker(database, name, game)) for name in names]
        for seed, process in enumerate(processes):
            begin(process, 8, seed)
        for process in processes:
            heard = []
            while (line := process.stdout.readline().split())[0] != "dead":
                heard.append(line[0])
            assert heard == ["ack"] * 8 + ["done"]
    found = added_up(database)
    assert found.departs == ()
    assert found.unbroken
    assert found.holds == found.comes_to
    assert found.paid == found.owed
    assert len({win["table"] for win in found.wins}) > 1


@pytest.mark.slow
@pytest.mark.parametrize("game", ["progressive", "shared"])
def test_wins_at_one_instant_are_paid_one_after_the_other_or_shared(database, game) -> None:
    """Every table stands before its payment, and all of them go at once."""
    names = "abcde"
    linked(database, names, game)
    logs = [open_log(database) for _ in names]
    tables = [LinkedTable(log, name, game, seed=7) for log, name in zip(logs, names, strict=True)]
    for table in tables:
        table.sit()
        table.up_to("settling", {1: ROYAL})
    together = threading.Barrier(len(tables))

    def go(table: LinkedTable) -> None:
        together.wait()
        table.on_to("betting")

    with ThreadPoolExecutor(len(tables)) as pool:
        list(pool.map(go, tables))
    found = added_up(database)
    assert {win["table"] for win in found.wins if win["seat"] == 1} == set(names)
    assert found.departs == ()
    assert found.unbroken
    assert found.holds == found.comes_to
    assert found.paid == found.owed
    amounts = [win["amount"] for win in found.wins]
    if game == "shared":
        assert amounts == [amounts[0]] * len(names)
    else:
        assert amounts[1:] == [RESET] * (len(names) - 1)
    for log in logs:
        log.close()


class Kill(NamedTuple):
    """What is on record after both tables were killed."""

    found: Added
    #: what each table had been told that it wagered, and what of its feed stands
    told: dict[str, int]
    stands: dict[str, int]


def kills(database: str, times: int, seed: int, game: str) -> Iterator[Kill]:
    """Tables are killed in the middle of their rounds, and other processes go on with them."""
    chance = random.Random(seed)
    linked(database, "ab", game)
    told = dict.fromkeys("ab", 0)
    with worker(database, "a", game) as a, worker(database, "b", game) as b:
        for number in range(times):
            both = {"a": a, "b": b}
            pids = {name: begin(both[name], 1000, seed + number) for name in both}
            for name, process in both.items():
                if chance.random() < 0.8:
                    told[name] = int(process.stdout.readline().split()[1])
            time.sleep(chance.random() * 0.1)
            for pid in pids.values():
                os.kill(pid, signal.SIGKILL)
            for name, process in both.items():
                while (line := process.stdout.readline().split())[0] != "dead":
                    told[name] = int(line[1])
            log = open_log(database)
            feeds = {name: log.last([f"feed/{name}/wide"]).popitem()[1].data for name in both}
            log.close()
            stands = {name: feed["wagered"] - feed["in_play"] for name, feed in feeds.items()}
            yield Kill(added_up(database), dict(told), stands)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["progressive"])
def test_tables_that_are_killed_lose_and_double_nothing(database, game) -> None:
    for kill in kills(database, 4, 5, game):
        assert kill.found.departs == ()
        assert kill.found.unbroken
        assert kill.found.holds == kill.found.comes_to
        assert kill.found.paid == kill.found.owed
        assert all(kill.stands[name] >= kill.told[name] for name in "ab"), "a contribution is gone"
    assert sum(kill.told.values()) > 0


@pytest.mark.slow
@pytest.mark.full
@pytest.mark.parametrize("game", ["progressive", "shared"])
@pytest.mark.parametrize("seed", [100, 200])
def test_many_kills(database, seed, game) -> None:
    paid = 0
    for kill in kills(database, 30, seed, game):
        assert kill.found.departs == ()
        assert kill.found.unbroken
        assert kill.found.holds == kill.found.comes_to
        assert kill.found.paid == kill.found.owed
        assert all(kill.stands[name] >= kill.told[name] for name in "ab"), "a contribution is gone"
        paid = len(kill.found.wins)
    assert paid > 0


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
