"""The live table: commands a second decided and evolved, on one core, by processor time.

    PYTHONPATH=src python bench/table.py                 a full table of every chapter
    PYTHONPATH=src python bench/table.py --rounds 100000 and a table with so many rounds behind it
    … --write                                            put the figures into the documentation

Processor time, since the machine may be busy with other work. The long run is a Maryland table with
one player, an automated shoe and a counting shuffler: about a dozen commands a round, each decided
and evolved, so that a hundred thousand rounds are over a million commands. What a command costs at
its end is set beside what it cost at its beginning, and the size of the state likewise.
"""

from __future__ import annotations

import argparse
import time

import msgspec
from figures import Figure, show, write

from houseway.cards import SeededSource, shuffled
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON
from houseway.table import COMMANDS, Table, rules_of, run
from houseway.table.card_source import pack
from houseway.table.driver import Driver

WAGERS = {
    MD: {"ante": "10.00", "pair_plus": "5.00"},
    MA: {"ante": "10.00", "pair_plus": "5.00"},
    PRIME: {"ante": "10.00"},
    SAIGON: {"ante": "10.00"},
    DOWN_UNDER: {"bet": "10.00"},
}
SMALL = {"dealing": "automated_shoe", "shuffler": "counting"}


def choose(_table, seat, steps):
    names = [step.command for step in steps if step.seat == seat]
    for name in ("stand", "decline_insurance"):
        if name in names:
            return name, {}
    return names[0], {}


def recorded(chapter: str, rounds: int) -> Driver:
    """A full table: every box taken, every player wagering and playing."""
    driver = Driver(chapter, source=SeededSource(1))
    seats = range(1, len(driver.table.boxes) + 1)
    for seat in seats:
        driver.seat_player(seat, f"player {seat}")
    for _ in range(rounds):
        driver.until("betting")
        for seat in seats:
            driver.wager(seat, WAGERS[chapter])
        driver.finish(choose)
    return driver


def rate(commands) -> float:
    best = 0.0
    for _ in range(5):
        table = Table()
        start = time.process_time()
        for command in commands:
            _, table = run(table, command)
        best = max(best, len(commands) / (time.process_time() - start))
    return best


def size(table: Table) -> int:
    return len(msgspec.json.encode(table))


class Long:
    """One small table, played round after round by a script that knows its procedure."""

    def __init__(self) -> None:
        driver = Driver(MD, SMALL, source=SeededSource(1))
        driver.seat_player(1, "player 1")
        driver.ready()
        self.table = driver.table
        self.at = driver.clock.isoformat()
        whole = pack(rules_of(self.table))
        self.orders = [tuple(shuffled(whole, driver.source)) for _ in range(50)]
        self.commands = 0

    def send(self, name: str, role: str, **fields) -> None:
        command = COMMANDS[name](
            role=role, who=role, at=self.at, version=self.table.version, **fields
        )
        _, self.table = run(self.table, command)
        self.commands += 1

    def round(self) -> None:
        send = self.send
        send("place_wager", "dealer", seat=1, wager="ante", amount="10.00")
        send("no_more_bets", "dealer")
        send("deal", "dealer")
        send("deal", "dealer")
        send("remove_stub", "dealer")
        send("play", "dealer", seat=1)
        send("reveal_dealer", "dealer")
        send("turn_hand", "dealer", seat=1)
        while self.table.phase == "settling":
            send("settle_next", "dealer")
        send("clear_hands", "dealer")
        send("shuffle", "system", order=self.orders[self.table.round % len(self.orders)])

    def play(self, rounds: int) -> float:
        """Play a number of rounds; returns microseconds per command."""
        before, start = self.commands, time.process_time()
        for _ in range(rounds):
            self.round()
        return (time.process_time() - start) / (self.commands - before) * 1e6


def long_run(rounds: int) -> list[Figure]:
    """The first and the last twentieth of a long life."""
    played = Long()
    played.play(50)
    new = size(played.table)
    part = max(1, rounds // 20)
    first = min(played.play(part // 5) for _ in range(5))
    while played.table.round < rounds - part:
        played.play(part)
    last = min(played.play(part // 5) for _ in range(5))
    old = size(played.table)
    return [
        Figure("rounds behind the table", played.table.round, ""),
        Figure("commands decided and evolved for them", played.commands, ""),
        Figure("a command at a new table", first, "µs"),
        Figure("a command at the end", last, "µs", most=first * 1.1),
        Figure("the state at the end", old / 1000, "kB", most=100),
        Figure("what it grew by", old - new, "bytes", most=100),
    ]


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--rounds", type=int, default=0)
    asked.add_argument("--write", action="store_true")
    given = asked.parse_args()
    found = []
    for chapter in WAGERS:
        driver = recorded(chapter, 20)
        found.append(Figure(chapter, rate(driver.commands), "commands/s", least=20_000))
        found.append(Figure(f"{chapter}, its state", size(driver.table) / 1000, "kB", most=100))
    if given.rounds:
        found += long_run(given.rounds)
    show(found)
    if given.write:
        write("table", found)
