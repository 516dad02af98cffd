"""The web casino under load, on loopback: `python bench/web.py [--tables 100] [--seconds 10]`.

A house of its own process with SQLite; from outside it 100 tables with 7 seats each are opened,
seated and driven with wagers and take-backs at a fixed rate, then as fast as they go; spectators
hold event streams open. Beside each figure stands the same request to an empty endpoint of the same
server, so that the share of our own work can be seen.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any


class Wire:
    """One keep-alive connection, as little around it as there can be."""

    def __init__(self, port: int, token: str) -> None:
        self._port, self._token = port, token
        self._lock = asyncio.Lock()

    async def open(self) -> None:
        self._read, self._write = await asyncio.open_connection("127.0.0.1", self._port)

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        data = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self._token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        )
        async with self._lock:
            self._write.write(head.encode() + data)
            status = int((await self._read.readline()).split()[1])
            length = 0
            while (line := await self._read.readline()) != b"\r\n":
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            return status, await self._read.readexactly(length)


def percentiles(times: list[float]) -> str:
    ordered = sorted(times)
    return (
        f"median {1000 * statistics.median(ordered):.1f} ms, 99th "
        f"{1000 * ordered[int(len(ordered) * 0.99)]:.1f} ms, worst {1000 * ordered[-1]:.1f} ms"
    )


async def paced(
    wires: list[Wire], jobs: Any, rate: float, seconds: float
) -> tuple[list[float], int]:
    """Requests begun at a fixed rate, whatever the answers do; their times, and how many failed."""
    times: list[float] = []
    failed = 0
    running: set[asyncio.Task[None]] = set()

    async def one(wire: Wire, job: tuple[str, str, Any]) -> None:
        nonlocal failed
        began = time.perf_counter()
        status, _ = await wire.ask(*job)
        times.append(time.perf_counter() - began)
        failed += status >= 400

    start = time.perf_counter()
    for number in range(int(rate * seconds)):
        late = start + number / rate - time.perf_counter()
        if late > 0:
            await asyncio.sleep(late)
        task = asyncio.create_task(one(wires[number % len(wires)], next(jobs)))
        running.add(task)
        task.add_done_callback(running.discard)
    await asyncio.gather(*running)
    return times, failed


async def fast(wires: list[Wire], jobs: Any, seconds: float) -> tuple[float, int]:
    """As fast as it goes: every connection sends the next when the last is answered."""
    until, count = time.perf_counter() + seconds, 0

    async def run(wire: Wire) -> None:
        nonlocal count
        while time.perf_counter() < until:
            await wire.ask(*next(jobs))
            count += 1

    began = time.perf_counter()
    await asyncio.gather(*(run(wire) for wire in wires))
    return count / (time.perf_counter() - began), count


async def spectators(port: int, count: int, table: str) -> list[tuple[asyncio.StreamReader, Any]]:
    found = []
    for _ in range(count):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
        writer.write(
            f"GET /tables/{table}/stream?as=public&at= HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
        )
        found.append((reader, writer))
    return found


def memory(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


def processor(pid: int) -> float:
    """Seconds of processor time that the house has used, all its threads together."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rate", type=float, default=500)
    parser.add_argument("--streams", type=int, default=2000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = f"{folder}/bench.db"
        seated = asyncio.run(prepare(database, asked.tables))
        house = subprocess.Popen(
            [sys.executable, "-m", "houseway", "serve", "--database", database, "--port", "0",
             "--json", "--no-open", "--pace", "1"],
            stdout=subprocess.PIPE, text=True, env=os.environ,
        )  # fmt: skip
        try:
            assert house.stdout is not None
            port = int(json.loads(house.stdout.readline())["address"].rpartition(":")[2])
            asyncio.run(measure(asked, port, house.pid, seated))
        finally:
            house.terminate()
            house.wait(10)


async def prepare(database: str, tables: int) -> list[tuple[str, int, str]]:
    """Tables with seven seated players each, ready for wagers: table, seat and token."""
    from houseway.floor.casino import Casino, command_of
    from houseway.floor.dealer import SYSTEM, SystemDealer
    from houseway.law import MD, choose
    from houseway.store import open_log
    from houseway.table.opening import float_of

    casino = Casino(open_log(database))
    dealer = SystemDealer(casino, pace=0)
    dealer.start()
    rules = choose(MD, limits={"ante": {"min": "1.00", "max": "500.00"}})
    people = []
    for seat in range(1, 8):
        person = casino.people.add(f"bench-{seat}", f"Bench {seat}", ["player"], by="bench")
        casino.give(person, 10**9, by="bench")
        people.append((person, casino.people.open_session(person, "api")))
    found = []

    async def table(number: int) -> None:
        name = f"bench-{number}"
        await casino.open(name, rules, float_of("50000.00"), by="")
        for seat, (person, token) in enumerate(people, 1):
            sit = {"seat": seat, "player": person.id}
            await casino.act(name, command_of("sit_down", sit, role="player", who=person.id))
            buy = {"seat": seat, "amount": "500.00"}
            await casino.act(name, command_of("buy_in", buy, role="dealer", who=SYSTEM))
            found.append((name, seat, token))
        changed = asyncio.Event()
        casino.watch(name, lambda _: changed.set())
        while casino.table(name).state.phase != "betting":
            changed.clear()
            await changed.wait()

    for number in range(tables):
        await table(number)
    await dealer.stop()
    casino.close()
    # one seat of every table after the other, as a floor full of people would
    return sorted(found, key=lambda one: one[1])


def commands(seated: list[tuple[str, int, str]]) -> Any:
    """A wager at each seat in turn, then the same taken back, for ever."""
    number = 0
    while True:
        for turn in ("place_wager", "take_back_wager"):
            for table, seat, token in seated:
                number += 1
                body = {"command": turn, "seat": seat, "wager": "ante", "key": f"{number}"}
                if turn == "place_wager":
                    body["amount"] = "5.00"
                yield token, ("POST", f"/api/tables/{table}/commands", body)


async def measure(
    asked: argparse.Namespace, port: int, pid: int, seated: list[tuple[str, int, str]]
) -> None:
    tokens = sorted({token for _, _, token in seated})
    wires = {token: [Wire(port, token) for _ in range(8)] for token in tokens}
    for some in wires.values():
        for wire in some:
            await wire.open()

    source = commands(seated)
    every = [wire for some in wires.values() for wire in some]

    class Mine(Wire):
        def __init__(self) -> None:
            self.number = 0

        async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
            del method, path, body
            token, job = next(source)
            self.number += 1
            return await wires[token][self.number % 8].ask(*job)

    def empty() -> Any:
        while True:
            yield "GET", "/health", None

    print(f"{asked.tables} tables with 7 players each; record on SQLite, every answer durable")
    times, failed = await paced(every, empty(), asked.rate, 3)
    print(f"  an endpoint that does nothing, {asked.rate:.0f} a second: {percentiles(times)}")
    times, failed = await paced([Mine()], empty(), asked.rate, asked.seconds)
    print(f"  commands, {asked.rate:.0f} a second: {percentiles(times)}; {failed} refused")
    used = processor(pid)
    rate, count = await fast([Mine() for _ in range(48)], empty(), 5)
    each = 1000 * (processor(pid) - used) / count
    used = processor(pid)
    bare, many = await fast(every, empty(), 3)
    nothing = 1000 * (processor(pid) - used) / many
    print(
        f"  as fast as it goes: {rate:.0f} commands a second, {each:.2f} ms of processor time each;"
    )
    print(f"    the endpoint that does nothing: {bare:.0f} a second, {nothing:.2f} ms each")
    before = memory(pid)
    table, seat, token = seated[0]
    watching = await spectators(port, asked.streams, table)
    await asyncio.sleep(3)
    print(
        f"  {asked.streams} open event streams: {memory(pid):.0f} MB, {before:.0f} MB without them"
    )
    reader = watching[len(watching) // 2][0]
    while True:
        try:
            await asyncio.wait_for(reader.read(1 << 20), 0.5)
        except TimeoutError:
            break
    began = time.perf_counter()
    await wires[token][0].open()
    body = {"command": "tip", "seat": seat, "amount": "1.00", "key": "seen"}
    await wires[token][0].ask("POST", f"/api/tables/{table}/commands", body)
    done = time.perf_counter() - began
    await reader.read(1 << 16)
    print(
        f"  a spectator among them sees a command after {1000 * (time.perf_counter() - began):.0f} ms; it was acknowledged after {1000 * done:.0f} ms"
    )
    for _, writer in watching:
        writer.close()


if __name__ == "__main__":
    main()
