"""How fast rounds are found among a million, and how many bytes a round takes.

    python bench/rounds.py [--rounds N]

The rounds are made up, with the shape of a table of Three Card Poker with two players; the record's
own share, bytes and events for each round, is measured on rounds that were really played.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

from houseway.cards import standard_deck
from houseway.floor.projections import Projections
from houseway.floor.rounds import Filters, search
from houseway.store.sqlite import SQLiteLog

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "floor"))

DECK = [str(card) for card in standard_deck()]


def fill(found: Projections, count: int) -> None:
    chance = random.Random(1)
    rounds, hands, lines, dealt = [], [], [], []
    sql = found.sql
    sql.execute("begin")
    for number in range(count):
        table = str(number % 40 + 1)
        second = number // 40 * 30
        began = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_767_225_600 + second))
        id = f"{table}.1.{number // 40 + 1}"
        cards = chance.sample(DECK, 9)
        win = chance.randrange(-5000, 5000)
        rounds.append(
            (id, table, "md-three-card-poker", began, began, began[:10], 1, number, number + 40,
             "ann", " ".join(cards[:3]), "", "", 4000, max(0, -win), win)
        )  # fmt: skip
        for seat in (1, 2):
            held = cards[3 * seat : 3 * seat + 3]
            player = f"player {chance.randrange(5000)}"
            hands.append((id, seat, player, " ".join(held), "play", -win // 2))
            outcome = "straight_flush" if chance.random() < 0.002 else ""
            for at, wager in enumerate(("ante", "play", "pair_plus")):
                lines.append(
                    (id, seat * 3 + at, seat, wager, 0, 1000, "win", 1000, 0, "", outcome, "x")
                )
            dealt += [(card, id, f"seat.{seat}") for card in held]
        dealt += [(card, id, "dealer") for card in cards[:3]]
        if len(rounds) == 20_000 or number == count - 1:
            for name, rows in (
                ("rounds", rounds),
                ("hands", hands),
                ("lines", lines),
                ("dealt", dealt),
            ):
                marks = ", ".join("?" * len(rows[0]))
                sql.executemany(f"insert into {name} values ({marks})", rows)
                rows.clear()
    sql.execute("commit")
    sql.execute("analyze")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000_000)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="houseway-bench-") as folder:
        path = Path(folder) / "projections"
        found = Projections(path)
        fill(found, chosen.rounds)
        size = path.stat().st_size / chosen.rounds
        print(f"{chosen.rounds:,} rounds, {size:.0f} bytes each in the projections")
        for name, filters in {
            "the latest": Filters(),
            "a table": Filters(table="7"),
            "a table in an hour": Filters(
                table="7", since="2026-01-03T12:00:00Z", until="2026-01-03T13:00:00Z"
            ),
            "a player": Filters(player="player 77"),
            "a player at a seat": Filters(player="player 77", seat=2),
            "three cards": Filters(cards=("As", "Kd", "7c")),
            "a card at a table": Filters(cards=("As",), table="7"),
            "a rare outcome": Filters(outcome="straight_flush"),
            "a rare outcome of a player": Filters(outcome="straight_flush", player="player 77"),
            "the house lost 49.90": Filters(loss=4990),
            "nothing fits": Filters(player="nobody", cards=("As",)),
        }.items():
            times = []
            for _ in range(7):
                start = time.perf_counter()
                rows = search(found, filters)
                times.append(time.perf_counter() - start)
            print(f"  {name:28} {statistics.median(times) * 1000:8.1f} ms  {len(rows)} rounds")
        found.close()
        from playing import played, record

        log = SQLiteLog(Path(folder) / "r.db")
        record(log, played(0, rounds=40))
        log.settle()
        events = sum(1 for _ in log.scan())
        size = (Path(folder) / "r.db").stat().st_size
        log.close()
        print(f"a round on record: {events / 40:.0f} events, {size / 40:,.0f} bytes")


if __name__ == "__main__":
    main()
