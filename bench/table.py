"""Commands a second at a full table, decided and evolved, on one core, by processor time: the machine may be busy with other work.

    PYTHONPATH=src python bench/table.py

The same recorded commands are run through the engine again, new table and old: a table with many
rounds behind it must cost no more per command than a new one.
"""

from __future__ import annotations

import time

import msgspec

from houseway.cards import SeededSource
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON
from houseway.table import Table, run
from houseway.table.driver import Driver

WAGERS = {
    MD: {"ante": "10.00", "pair_plus": "5.00"},
    MA: {"ante": "10.00", "pair_plus": "5.00"},
    PRIME: {"ante": "10.00"},
    SAIGON: {"ante": "10.00"},
    DOWN_UNDER: {"bet": "10.00"},
}


def choose(_table, seat, steps):
    names = [step.command for step in steps if step.seat == seat]
    for name in ("stand", "decline_insurance"):
        if name in names:
            return name, {}
    return names[0], {}


def recorded(chapter: str, rounds: int) -> Driver:
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


if __name__ == "__main__":
    for chapter in WAGERS:
        driver = recorded(chapter, 20)
        size = len(msgspec.json.encode(driver.table))
        print(f"{chapter:<26} {rate(driver.commands):>9,.0f} commands/s   state {size:,} bytes")
    long = recorded(MD, 300)
    table = Table()
    times = []
    for part in range(3):
        chunk = long.commands[part * len(long.commands) // 3 : (part + 1) * len(long.commands) // 3]
        start = time.process_time()
        for command in chunk:
            _, table = run(table, command)
        times.append(len(chunk) / (time.process_time() - start))
    print("first, second, last third of 300 rounds:", *(f"{value:,.0f}" for value in times))
