"""How many tables a worker, a machine and a PostgreSQL carry: `python bench/scale.py [--write]`.

Measures, with the page of every player open: the processor time of a command, of an update that a
page is sent, and of a page that is open; memory and bytes; on SQLite with one worker, and on
PostgreSQL with one and with two. All of it at a rate at which no version is skipped. From these it
fits what a table costs, and what floors of several sizes need. With `--write` the tables go into
docs/reference/scale.md, which has no figure that was typed.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import time
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

import web

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "scale.md"
#: rounds an hour at a full table: seven players and a dealer in no hurry
PACE = 60
PLAYERS = 7
#: the share of a core that is planned for; the rest is for moments
PLANNED = 0.6
FLOORS = (100, 1000, 10_000)


class Cost(NamedTuple):
    """What was measured of one house; times are processor time in milliseconds."""

    command: float
    database: float
    update: float
    #: of an open page, each second
    page: float
    #: bytes of an update
    sent: float
    #: MB of the house with its tables, and of an open page
    memory: float
    page_memory: float
    #: of a house in which nothing happens, each second
    idle: float
    #: updates sent for a command
    updates: float
    load: float


async def measure(
    house: web.House, tokens: dict[str, str], commands: list[Any], asked: argparse.Namespace
) -> Cost:
    tables, load = asked.tables, os.getloadavg()[0]
    floor = web.Floor(house.port, tables, tokens, commands, "/api/tables/{}/commands")
    watching = web.Watching(house.port, tables, tokens)

    def used() -> tuple[float, float]:
        return web.processor(house.pid), web.processor(house.database) if house.database else 0.0

    async def paced(own_idle: float = 0.0, database_idle: float = 0.0) -> tuple[int, float, float]:
        await floor.open()  # the house closes what was quiet for long
        before, began = used(), time.perf_counter()
        count = len(await web.paced(floor, asked.rate, asked.seconds))
        await asyncio.sleep(1)
        own, database = (1000 * (after - was) for after, was in zip(used(), before, strict=True))
        took = time.perf_counter() - began
        return count, own - own_idle * took, database - database_idle * took

    await paced()  # the first of everything is not counted
    before = used()
    await asyncio.sleep(asked.seconds)
    idle = [1000 * (now - was) / asked.seconds for now, was in zip(used(), before, strict=True)]
    memory, (count, bare, database) = _memory(house.pid), await paced(*idle)
    await watching.open()
    pages = PLAYERS * tables
    page_memory = (_memory(house.pid) - memory) / pages
    was, began = used()[0], time.perf_counter()
    await asyncio.sleep(asked.seconds)
    page = (1000 * (used()[0] - was) / (time.perf_counter() - began) - idle[0]) / pages
    watching.bytes = watching.messages = 0
    watched, own, more = await paced(*idle)
    update = (own - bare * watched / count - page * pages * (asked.seconds + 1)) / watching.messages
    sent, updates = watching.bytes / watching.messages, watching.messages / watched
    await watching.close()
    if floor.refused:
        raise SystemExit(f"a command was refused: {floor.refused[0]}")
    return Cost(
        bare / count, (database + more) / (count + watched), update, page, sent, memory,
        page_memory, sum(idle), updates, load,
    )  # fmt: skip


def _memory(pid: int) -> float:
    """Of a process and all that it started, in MB."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return web.memory(pid) + sum(map(_memory, map(int, children)))


def recorded(rounds: int, commands: list[Any], first: int) -> float:
    """Bytes that a round of a full table adds to a SQLite record."""
    sizes = []
    for count in (1, rounds):
        upto = first + count * (len(commands) - first) // rounds
        with web.record(False) as (database, _):
            asyncio.run(web.prepare(database, 4, commands[:upto]))
            sizes.append(Path(database).stat().st_size)
    return (sizes[1] - sizes[0]) / 4 / (rounds - 1)


def lines(costs: dict[str, Cost], per_round: float, round_bytes: float) -> list[str]:
    """The tables of the page."""
    rows = (
        ("a command decided and put on record", "ms", lambda one: one.command),
        ("the same, of the database", "ms", lambda one: one.database),
        ("an update drawn and sent to a player's page", "ms", lambda one: one.update),
        ("an open page, each second", "ms", lambda one: one.page),
        ("updates for a command, 7 if no version is skipped", "", lambda one: one.updates),
        ("bytes of an update", "B", lambda one: one.sent),
        ("sent to a player for a round", "kB", lambda one: _per_player(one, per_round) / 1000),
        ("a house in which nothing happens, each second", "ms", lambda one: one.idle),
        ("memory of the house with these tables", "MB", lambda one: one.memory),
        ("memory of an open page", "kB", lambda one: 1000 * one.page_memory),
        ("load of the machine before it", "", lambda one: one.load),
    )
    found = [f"| | {' | '.join(costs)} |", f"| --- |{' --: |' * len(costs)}"]
    for says, unit, value in rows:
        cells = (f"{value(one):,.2f} {unit}".strip() for one in costs.values())
        found.append(f"| {says} | {' | '.join(cells)} |")
    one, two = costs["PostgreSQL, 1 worker"], costs["PostgreSQL, 2 workers"]
    rate = 100 * _rate(per_round)
    ratio, base = (each.command + each.database + each.idle / rate for each in (two, one))
    ratio /= base
    met = "met" if ratio <= 1.15 else "missed"
    found.append(
        f"\nA command with two workers takes {ratio:.2f} times the processor time of a command with "
        f"one, house and database together, with what they cost by themselves at the rate of 100 "
        f"tables (goal: at most 1.15; {met}).\n\n"
        f"A full table with {PACE} rounds an hour has {_rate(per_round):.2f} commands a second "
        f"({per_round:.0f} a round). By these costs, with {100 * PLANNED:.0f}% of a core planned "
        "for:\n\n"
        "| tables | commands a second | pages | workers (cores) | cores of PostgreSQL | sent | "
        "memory | record a day |\n| --: | --: | --: | --: | --: | --: | --: | --: |"
    )
    for tables in FLOORS:
        rate = tables * _rate(per_round)
        house = _house(two, per_round) * tables / 1000
        mbit = rate * PLAYERS * two.sent * 8 / 1e6
        workers = ceil(house / PLANNED)
        memory = (workers * one.memory + tables * PLAYERS * one.page_memory) / 1000
        day = tables * PACE * 24 * round_bytes / 1e9
        found.append(
            f"| {tables:,} | {rate:,.0f} | {PLAYERS * tables:,} | {workers} | "
            f"{ceil(rate * two.database / 1000 / PLANNED)} | {mbit:,.1f} Mbit/s | "
            f"{memory:,.1f} GB | {day:,.1f} GB |"
        )
    most = int(PLANNED * 1000 / _house(one, per_round))
    appends = int(PLANNED * 1000 / one.database)
    found.append(
        f"\nOne worker carries {most:,} full tables at that pace, and one core of PostgreSQL "
        f"{appends:,} commands a second, which are those of {int(appends / _rate(per_round)):,} "
        f"tables. A round of a full table adds {round_bytes / 1000:.1f} kB to the record."
    )
    return found


def _rate(per_round: float) -> float:
    """Commands a second of a full table."""
    return PACE * per_round / 3600


def _per_player(one: Cost, per_round: float) -> float:
    return one.sent * one.updates * per_round / PLAYERS


def _house(one: Cost, per_round: float) -> float:
    """Milliseconds of a worker that a full, watched table takes each second, nothing skipped."""
    return _rate(per_round) * (one.command + PLAYERS * one.update) + PLAYERS * one.page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--rate", type=float, default=48)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    rounds = 4
    commands, first = web.script(rounds)
    per_round = (len(commands) - first) / rounds
    # each part plays one round, so that no part of a round counts more than another
    asked.seconds = per_round * asked.tables / asked.rate
    costs: dict[str, Cost] = {}
    for name, postgres, workers in (
        ("SQLite, 1 worker", False, 1),
        ("PostgreSQL, 1 worker", True, 1),
        ("PostgreSQL, 2 workers", True, 2),
    ):
        given = {"postgres": postgres, "workers": workers}
        with web.house_of(asked.tables, commands[:first], **given) as (house, tokens):
            costs[name] = asyncio.run(measure(house, tokens, commands[first:], asked))
    table = "\n".join(lines(costs, per_round, recorded(rounds, commands, first)))
    print(table)
    if asked.write:
        begin, end = "<!-- bench: scale -->", "<!-- bench: scale end -->"
        machine = (
            f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
        )
        told = (
            f"Measured with `python bench/scale.py` on {machine}: {asked.tables} tables with "
            f"{PLAYERS} open pages each, {asked.rate:.0f} commands a second."
        )
        before, _, rest = PAGE.read_text("utf-8").partition(begin)
        after = rest.partition(end)[2]
        PAGE.write_text(f"{before}{begin}\n{told}\n\n{table}\n{end}{after}", "utf-8")


if __name__ == "__main__":
    main()
