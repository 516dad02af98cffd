"""The web casino under load, on loopback: `python bench/web.py [--postgres] [--workers 2]`.

A house in processes of its own, its record on SQLite or on a PostgreSQL server that is started for
it. From outside it whole rounds are played at 100 tables with 7 players each, every command of
players, dealer and floor over HTTP, begun at a fixed rate whatever the answers do; then as fast as
it goes. The time of a command runs from the
moment it was due. Beside it stand the same requests to an endpoint of the same server that does
nothing, so that the share of our own work can be seen; and the same commands while the page of every
player holds its stream open, as it does in a house. Then many spectators, and the first paint in
Chromium. At the end every figure stands beside its goal. On a machine that others use, go by the
processor time, which is of the house and its database together: the load is said beside it.
`bench/scale.py` fits the model of capacity to the same measurements.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

DEALER, FLOOR = "bench-dealer", "bench-floor"


class Figure(NamedTuple):
    """What was measured, beside its goal; without a goal it is only told."""

    says: str
    value: float
    unit: str
    goal: float | None = None

    def line(self) -> str:
        goal = "" if self.goal is None else f"< {self.goal:g} {self.unit}"
        met = "" if self.goal is None else "met" if self.value < self.goal else "MISSED"
        return f"{self.says:<62}{self.value:>10.1f} {self.unit:<10}{goal:<12}{met}"


# the rounds


def script(rounds: int) -> tuple[list[tuple[str, dict[str, Any]]], int]:
    """Whole rounds as commands, the cards keyed in as a reading shoe would; how many come first.

    Played once on a table of our own: the same cards at every table, so the same commands.
    """
    from houseway.cards import SeededSource, shuffled, standard_deck
    from houseway.law import MD
    from houseway.table.driver import Driver

    class Keyed(Driver):
        def fields_of(self, step: Any) -> dict[str, Any]:
            if step.command == "shuffle":
                self.deck = [str(card) for card in shuffled(standard_deck(), self.source)]
                return dict(step.choices[0]) if step.choices else {}
            if step.command == "deal":
                return {"cards": (self.deck.pop(),)}
            return super().fields_of(step)

        def house(self, steps: Any = None) -> bool:
            for step in self.steps() if steps is None else steps:
                if step.kind == "next" and step.role != "player":
                    self.send(step.command, step.role, seat=step.seat, **self.fields_of(step))
                    return True
            return False

        def steps(self) -> Any:
            from houseway.table import next_steps

            return next_steps(self.table)

    driver = Keyed(MD, source=SeededSource(1), limits={"ante": {"min": "1.00", "max": "500.00"}})
    driver.people.update(dealer=DEALER, floorperson=FLOOR)
    driver.send("change_dealer", "dealer", dealer=DEALER)
    for seat in range(1, 8):
        driver.seat_player(seat, f"player-{seat}")
        driver.send("buy_in", "dealer", seat=seat, amount="5000.00")
    driver.until("betting")
    before = len(driver.commands)
    for _ in range(rounds):
        driver.until("betting")
        for seat in range(1, 8):
            driver.wager(seat, {"ante": "10.00", "pair_plus": "5.00"})
        driver.finish(lambda _table, _seat, steps: (steps[0].command, {}))
    return [told(command) for command in driver.commands[1:]], before - 1


def told(command: Any) -> tuple[str, dict[str, Any]]:
    """The sender of a command and its fields; a player is given by seat number."""
    import msgspec

    fields = msgspec.to_builtins(command)
    who = str(fields["seat"]) if command.role == "player" else command.who
    for name in ("role", "who", "at", "version"):
        fields.pop(name, None)
    if command.role == "player":
        fields.pop("player", None)
    if fields["command"] == "shuffle":
        fields["real"] = True  # cards on a real table: the house supplies no order
    return who, {**fields, "role": command.role}


async def prepare(
    database: str, tables: int, first: list[tuple[str, dict[str, Any]]]
) -> dict[str, str]:
    """Tables with seven seated players each, ready for wagers; the token of everybody."""
    from houseway.floor import clock
    from houseway.floor.casino import Casino, command_of
    from houseway.floor.people.directory import digest
    from houseway.law import MD, choose
    from houseway.store import New, Write, open_log
    from houseway.table.procedure.opening import float_of

    log = open_log(database)
    people = {
        f"bench-{number}-{seat}": "player" for number in range(tables) for seat in range(1, 8)
    }
    people |= {DEALER: "dealer", FLOOR: "floorperson"}
    tokens, news = {}, []
    for id, role in people.items():
        tokens[id] = f"token-of-{id}"
        told = {"id": id, "name": id, "roles": [role]}
        session = {"token": digest(tokens[id]), "person": id, "kind": "api"}
        news.append(New("person_added", told, "bench", clock.now()))
        session["expires"] = clock.later(86400)
        news.append(New("session_opened", session, id, clock.now()))
    log.append(Write("people", 0, tuple(news)))
    casino = Casino(log)
    for person in casino.people.everybody():
        if person.may("player"):
            casino.give(person, 10_000_000, by="bench")
    rules = choose(MD, limits={"ante": {"min": "1.00", "max": "500.00"}})

    async def table(number: int) -> None:
        name = f"bench-{number}"
        await casino.open(name, rules, float_of("50000.00"), by="")
        for who, sent in first:
            id = f"bench-{number}-{who}" if who.isdecimal() else who
            fields = {k: v for k, v in sent.items() if k not in ("command", "role", "real")}
            if sent["command"] == "sit_down":
                fields["player"] = id
            made = command_of(sent["command"], fields, role=sent["role"], who=id)
            await casino.act(name, made)

    await asyncio.gather(*(table(number) for number in range(tables)))
    casino.close()
    return tokens


# the wire


class Wire:
    """One keep-alive connection, as little around it as there can be; one request at a time."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def open(self) -> None:
        self._lock = asyncio.Lock()
        self._read, self._write = await asyncio.open_connection("127.0.0.1", self._port)

    async def ask(self, path: str, token: str, data: bytes) -> tuple[int, bytes]:
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        )
        async with self._lock:
            self._write.write(head.encode() + data)
            answer = await self._read.readuntil(b"\r\n\r\n")
            status, length = int(answer[9:12]), 0
            for line in answer.lower().split(b"\r\n"):
                if line.startswith(b"content-length:"):
                    length = int(line[15:])
            return status, await self._read.readexactly(length)


class Floor:
    """Every table with its connection, and the commands that come next at each."""

    def __init__(
        self, port: int, tables: int, tokens: dict[str, str], commands: list[Any], path: str
    ) -> None:
        self.wires = [Wire(port) for _ in range(tables)]
        self._tokens, self._commands, self._path = tokens, commands, path
        self._at = [0] * tables
        self.refused: list[str] = []

    async def open(self) -> None:
        for wire in self.wires:
            await wire.open()

    async def send(self, number: int) -> None:
        """The next command of a table."""
        at = self._at[number]
        self._at[number] += 1
        who, sent = self._commands[at]
        id = f"bench-{number}-{who}" if who.isdecimal() else who
        data = json.dumps({**sent, "key": f"{number}-{at}"}).encode()
        path = self._path.format(f"bench-{number}")
        status, body = await self.wires[number].ask(path, self._tokens[id], data)
        if status >= 400:
            self.refused.append(body.decode())

    def left(self, number: int) -> bool:
        return self._at[number] < len(self._commands)


async def paced(floor: Floor, rate: float, seconds: float) -> list[float]:
    """Requests begun at a fixed rate, whatever the answers do; each timed from when it was due."""
    times: list[float] = []
    running: set[asyncio.Task[None]] = set()
    start = time.perf_counter()

    async def one(table: int, due: float) -> None:
        await floor.send(table)
        times.append(time.perf_counter() - due)

    for number in range(int(rate * seconds)):
        due = start + number / rate
        wait = due - time.perf_counter()
        if wait > 0:
            await asyncio.sleep(wait)
        task = asyncio.create_task(one(number % len(floor.wires), due))
        running.add(task)
        task.add_done_callback(running.discard)
    await asyncio.gather(*running)
    return times


async def fast(floor: Floor, seconds: float) -> tuple[float, int]:
    """As fast as it goes: every table sends the next when the last is answered."""
    began = time.perf_counter()
    count = 0

    async def run(table: int) -> None:
        nonlocal count
        while time.perf_counter() < began + seconds and floor.left(table):
            await floor.send(table)
            count += 1

    await asyncio.gather(*(run(table) for table in range(len(floor.wires))))
    return count / (time.perf_counter() - began), count


def percentiles(times: list[float]) -> tuple[float, float]:
    ordered = sorted(times)
    return 1000 * statistics.median(ordered), 1000 * ordered[int(len(ordered) * 0.99)]


class Watching:
    """The open pages of all players: a compressed stream each, of the table from their chair."""

    def __init__(self, port: int, tables: int, tokens: dict[str, str]) -> None:
        self._port, self._tables, self._tokens = port, tables, tokens
        self._reading: list[asyncio.Task[None]] = []
        self.bytes = self.messages = 0

    async def open(self) -> None:
        for number in range(self._tables):
            for seat in range(1, 8):
                reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
                writer.write(
                    f"GET /tables/bench-{number}/stream?as=player&at=&drawings=hero HTTP/1.1\r\n"
                    "Host: 127.0.0.1\r\nAccept-Encoding: gzip\r\n"
                    f"Authorization: Bearer {self._tokens[f'bench-{number}-{seat}']}\r\n\r\n".encode()
                )
                await reader.readuntil(b"\r\n\r\n")
                self._reading.append(asyncio.create_task(self._read(reader, writer)))
        await asyncio.sleep(2)
        self.bytes = self.messages = 0

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        unpacking = zlib.decompressobj(31)
        try:
            while size := int(await reader.readline(), 16):
                data = await reader.readexactly(size + 2)
                self.bytes += len(data)
                self.messages += unpacking.decompress(data[:-2]).count(b"event: parts")
        finally:
            writer.close()

    async def close(self) -> None:
        for reading in self._reading:
            reading.cancel()
        await asyncio.gather(*self._reading, return_exceptions=True)
        self._reading.clear()


# the process


def memory(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


def processor(*pids: int) -> float:
    """Seconds of processor time that processes and their children have used, ended ones too."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += sum(map(int, fields[11:15]))
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        ticks += round(processor(*map(int, children)) * os.sysconf("SC_CLK_TCK"))
    return ticks / os.sysconf("SC_CLK_TCK")


class House(NamedTuple):
    """A house that is open, and all processes whose time counts: its own, and the database's."""

    port: int
    pid: int
    database: int | None

    @property
    def pids(self) -> tuple[int, ...]:
        return (self.pid,) if self.database is None else (self.pid, self.database)


@contextmanager
def record(postgres: bool) -> Iterator[tuple[str, int | None]]:
    """An empty record, and the process of its server if it has one."""
    if not postgres:
        with tempfile.TemporaryDirectory() as folder:
            yield f"{folder}/bench.db", None
        return
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "store"))
    from postgres_server import Server

    server = Server()
    try:
        yield server.new_database(), server.pid
    finally:
        server.remove()


@contextmanager
def house_of(
    tables: int, first: list[Any], *, postgres: bool = False, workers: int = 1
) -> Iterator[tuple[House, dict[str, str]]]:
    """A house with seated players on a record of its own; the token of everybody."""
    with record(postgres) as (database, server):
        tokens = asyncio.run(prepare(database, tables, first))
        house = subprocess.Popen(
            [sys.executable, "-m", "houseway", "serve", "--database", database, "--port", "0", "--demo-rounds", "0",
             "--json", "--no-open", "--workers", str(workers)],
            stdout=subprocess.PIPE, text=True, env=os.environ,
        )  # fmt: skip
        try:
            assert house.stdout is not None
            port = int(json.loads(house.stdout.readline())["address"].rpartition(":")[2])
            time.sleep(2)
            yield House(port, house.pid, server), tokens
        finally:
            house.terminate()
            house.wait(20)


# what is measured


async def measure_commands(
    asked: argparse.Namespace, pids: tuple[int, ...], nothing: Floor, real: Floor
) -> Iterator[Figure]:
    found = []
    for floor, says, goals, seconds in (
        (nothing, "an endpoint that does nothing", (None, None), min(3.0, asked.seconds)),
        (real, "commands acknowledged durably", (20.0, 100.0), asked.seconds),
    ):
        await floor.open()
        used = processor(*pids)
        times = await paced(floor, asked.rate, seconds)
        each = 1000 * (processor(*pids) - used) / len(times)
        middle, late = percentiles(times)
        at = f"{says}, {asked.rate:.0f}/s"
        found += [
            Figure(f"{at}: median", middle, "ms", goals[0]),
            Figure(f"{at}: 99th percentile", late, "ms", goals[1]),
            Figure("  processor time of house and database for each", each, "ms"),
        ]
    for floor, says in ((real, "commands as fast as it goes"), (nothing, "the same, nothing done")):
        await floor.open()  # the house closes what was quiet for long
        used = processor(*pids)
        rate, count = await fast(floor, min(5.0, asked.seconds))
        each = 1000 * (processor(*pids) - used) / count
        found += [Figure(says, rate, "a second"), Figure("  processor time for each", each, "ms")]
    if real.refused:
        print(f"{len(real.refused)} commands were refused, the first: {real.refused[0]}")
    return iter(found)


async def measure_watched(
    asked: argparse.Namespace,
    pids: tuple[int, ...],
    floor: Floor,
    watching: Watching,
    per_round: float,
) -> Iterator[Figure]:
    """More commands of the same rounds while every player's page is open."""
    await watching.open()
    await floor.open()
    used = processor(*pids)
    began = time.perf_counter()
    times = await paced(floor, asked.rate, asked.seconds)
    rate = len(times) / (time.perf_counter() - began)
    await asyncio.sleep(1)
    each = 1000 * (processor(*pids) - used) / len(times)
    played = len(times) / asked.tables / per_round
    sent = watching.bytes / (7 * asked.tables) / played / 1000
    await watching.close()
    if floor.refused:
        print(f"{len(floor.refused)} commands were refused, the first: {floor.refused[0]}")
    middle, late = percentiles(times)
    return iter(
        [
            Figure(f"with {7 * asked.tables} open pages, {asked.rate:.0f}/s asked: answered", rate, "a second"),
            Figure("  median", middle, "ms", 20.0),
            Figure("  99th percentile", late, "ms", 100.0),
            Figure("  processor time of house and database for each", each, "ms"),
            Figure("  sent to a player for a round", sent, "kB", 25.0),
        ]
    )  # fmt: skip


async def measure_streams(
    asked: argparse.Namespace, port: int, pid: int, tokens: dict[str, str]
) -> Iterator[Figure]:
    """Spectators at every table, and how soon those of one table see what happens there."""
    before = memory(pid)
    watching = []
    for number in range(asked.streams):
        table = f"bench-{number % asked.tables}"
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
        head = f"GET /tables/{table}/stream?as=public&at= HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        writer.write(head.encode())
        watching.append((reader, writer))
    for reader, _ in watching:
        await reader.readuntil(b"event: parts")
        await reader.readuntil(b"\n\n")
    after = memory(pid)
    wire = Wire(port)
    await wire.open()
    seen: list[float] = []

    async def look(reader: asyncio.StreamReader, began: float) -> None:
        await reader.readuntil(b"event: parts")
        seen.append(time.perf_counter() - began)

    tip = json.dumps({"command": "tip", "seat": 1, "amount": "1.00"}).encode()
    for number in range(min(20, asked.tables)):
        began = time.perf_counter()
        readers = [reader for reader, _ in watching[number :: asked.tables]]
        looking = [asyncio.create_task(look(reader, began)) for reader in readers]
        path, token = f"/api/tables/bench-{number}/commands", tokens[f"bench-{number}-1"]
        status, said = await wire.ask(path, token, tip)
        assert status == 200, said
        async with asyncio.timeout(10):
            await asyncio.gather(*looking)
    for _, writer in watching:
        writer.close()
    middle, late = percentiles(seen)
    return iter(
        [
            Figure(f"{asked.streams} open event streams: memory", after, "MB"),
            Figure("  without them", before, "MB"),
            Figure("a spectator's view after a command was sent: median", middle, "ms", 200),
            Figure("  99th percentile", late, "ms", 200),
        ]
    )


def measure_paint(port: int) -> Iterator[Figure]:
    """The table page in Chromium: Paint Timing, and what script and style weigh."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("Chromium is not installed; no paint is measured")
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        browser.new_page().goto("about:blank")
        paints, weight = [], 0
        for _ in range(5):
            context = browser.new_context(viewport={"width": 1360, "height": 860})
            page = context.new_page()
            page.goto(f"http://127.0.0.1:{port}/tables/maryland", wait_until="load")
            painted = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
            while (paint := page.evaluate(painted)) is None:
                page.wait_for_timeout(20)
            paints.append(paint)
            weight = page.evaluate(
                """performance.getEntriesByType('resource')
                .filter(e => ['script', 'link', 'css'].includes(e.initiatorType))
                .reduce((sum, e) => sum + e.decodedBodySize, 0)"""
            )
            context.close()
        browser.close()
    middle = statistics.median(paints)
    yield Figure("first paint of the table page, nothing kept: median of 5", middle, "ms", 500)
    yield Figure("script and style of the table page", weight / 1000, "kB", 150)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rate", type=float, default=500)
    parser.add_argument("--streams", type=int, default=500)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--workers", type=int, default=1)
    asked = parser.parse_args()
    each = 2 * asked.rate * asked.seconds / asked.tables + 5 * 4000 / asked.tables
    rounds = max(1, int(each / 60) + 1)
    commands, first = script(rounds)
    given = {"postgres": asked.postgres, "workers": asked.workers}
    with house_of(asked.tables, commands[:first], **given) as (house, tokens):
        where = "PostgreSQL" if asked.postgres else "SQLite"
        load = os.getloadavg()[0]
        print(f"{asked.tables} tables with 7 players each, {asked.workers} workers, the record on "
              f"{where}; load {load:.1f} before it")  # fmt: skip
        of_rounds = (house.port, asked.tables, tokens, commands[first:])
        nothing, real = (
            Floor(*of_rounds, "/alive"),
            Floor(*of_rounds, "/api/tables/{}/commands"),
        )
        figures = [*asyncio.run(measure_commands(asked, house.pids, nothing, real))]
        watching = Watching(house.port, asked.tables, tokens)
        per_round = (len(commands) - first) / rounds
        figures += asyncio.run(measure_watched(asked, house.pids, real, watching, per_round))
        figures += asyncio.run(measure_streams(asked, house.port, house.pid, tokens))
        figures += measure_paint(house.port)
    for figure in figures:
        print(figure.line())


if __name__ == "__main__":
    main()
