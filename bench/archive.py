"""The record for years: a week of a floor, archived, verified and figured up to a year.

    python bench/archive.py [--tables 2] [--rounds 40] [--write]

Tables with four players each are played on seven gaming days, signed as a house signs, and archived
day by day. A floor of 100 tables that each deal 560 rounds a day (14 hours of 40) has 1,400 times the
rounds of a day of this one; what grows with rounds is multiplied, and what an empty file has is not.
Times are processor time of one core.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

from figures import Figure, show, write

TESTS = Path(__file__).parents[1] / "tests"
sys.path[:0] = [str(TESTS / "floor")]

#: the floor that the week stands for
TABLES, ROUNDS_A_DAY, YEAR = 100, 560, 365
PLAYERS = 4


def play(log: Any, name: str, days: int, rounds: int) -> None:
    from playing import GAMES, decide

    from houseway.cards import SeededSource
    from houseway.floor.recorded_table import RecordedTable
    from houseway.table.driver import Driver

    chapter, rules, wagers = GAMES[0]
    table = RecordedTable(log, name)

    class Recording(Driver):
        def carry_out(self, command: Any) -> Any:
            return table.send(command), table.table

    driver = Recording(
        chapter, rules, source=SeededSource(int(name)), name=name, start="2026-03-02T15:00:00"
    )
    for seat in range(1, PLAYERS + 1):
        driver.seat_player(seat, f"player {name}-{seat}")
    for _ in range(days):
        for _ in range(rounds):
            driver.ready()
            for seat in range(1, PLAYERS + 1):
                driver.wager(seat, wagers)
            driver.finish(decide)
        driver.clock = driver.clock.replace(hour=15) + timedelta(days=1)


def empty(folder: Path) -> int:
    """Bytes of a record without events."""
    from houseway.store import open_log

    with open_log(folder / "empty.db") as log:
        log.settle()  # type: ignore[attr-defined]
    return (folder / "empty.db").stat().st_size


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=40, help="of a table and day")
    parser.add_argument("--write", action="store_true", help="into docs/reference/benchmarks.md")
    chosen = parser.parse_args()
    from houseway.floor.archiving import archive
    from houseway.floor.integrity import open_checked
    from houseway.store import open_log
    from houseway.store.archives import Archives
    from houseway.store.verify import verify

    with tempfile.TemporaryDirectory(prefix="houseway-bench-") as name:
        folder = Path(name)
        os.environ["HOUSEWAY_KEYS"] = str(folder / "keys")
        nothing = empty(folder)
        with open_log(folder / "week.db") as log:
            open_checked(log)
            log._writer.execute("pragma synchronous = off")  # type: ignore[attr-defined] # noqa: SLF001
            for table in range(1, chosen.tables + 1):
                play(log, str(table), 7, chosen.rounds)
            log.settle()  # type: ignore[attr-defined]
            live = (folder / "week.db").stat().st_size - nothing
            begun = time.process_time()
            done = archive(log, folder / "archives", "bench")
            archiving = time.process_time() - begun
            begun = time.process_time()
            assert verify(log).unbroken
            verifying_live = time.process_time() - begun
            with Archives(folder / "archives", log.id) as archives:
                begun = time.process_time()
                assert not list(archives.faults())
                verifying = time.process_time() - begun
    assert len(done) == 7, done
    rounds = 7 * chosen.tables * chosen.rounds
    packed = sum(one.bytes - nothing for one in done)
    year = TABLES * ROUNDS_A_DAY * YEAR
    floor = f"{TABLES} tables, a year ({year / 1e6:.1f} million rounds)"
    figures = [
        Figure("rounds generated", rounds, ""),
        Figure("events of a round", sum(one.events for one in done) / rounds, ""),
        Figure("bytes of a round in the record", live / rounds, "B"),
        Figure("bytes of a round in an archive", packed / rounds, "B"),
        Figure("archive, one core", rounds / archiving, "rounds/s"),
        Figure("verify the record, one core", rounds / verifying_live, "rounds/s"),
        Figure("verify archives, one core", rounds / verifying, "rounds/s"),
        Figure(f"{floor}: archives", year * packed / rounds / 1e9, "GB"),
        Figure(f"{floor}: verify every archive, one core", year / rounds * verifying / 3600, "h"),
        Figure(f"{TABLES} tables, one day: the archive", year / YEAR * packed / rounds / 1e6, "MB"),
        Figure(f"{TABLES} tables, one day: write it", year / YEAR / rounds * archiving / 60, "min"),
        Figure(f"{TABLES} tables, one day: verify it", year / YEAR / rounds * verifying / 60, "min"),
        Figure(f"{TABLES} tables, 30 days in the record", 30 * year / YEAR * live / rounds / 1e9, "GB"),
    ]  # fmt: skip
    show(figures)
    if chosen.write:
        write("archive", figures)


if __name__ == "__main__":
    main()
