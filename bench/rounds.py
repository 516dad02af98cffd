"""How fast rounds are found among a million, and how many bytes a round takes.

    python bench/rounds.py [--rounds N] [--keep FILE] [--write]

A few hundred rounds are really played and put on a record; their projections give the shape of the
million, of which every round then has cards, players, amounts and a time of its own. The record's own
share, bytes and events for each round, and the speed of making projections from nothing, are measured
on the rounds that were played.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from figures import Figure, show, write

from houseway.cards import standard_deck
from houseway.floor.audit.projections import Projections
from houseway.floor.audit.rounds import Filters, search
from houseway.store.backends.sqlite import SQLiteLog

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "floor"))

DECK = [str(card) for card in standard_deck()]
TABLES, PLAYERS, EVERY = 40, 5000, 30
START = 1_767_225_600


def played_rounds(folder: Path, count: int) -> tuple[Projections, list[Figure]]:
    """Rounds of Three Card Poker really played, on a record, and their projections."""
    from playing import played, record

    path = folder / "played.db"
    log = SQLiteLog(path)
    # a deck is limited to hours of play, so a new table is opened before it is too old
    for number in range(count // 50):
        record(log, played(0, rounds=50, name=str(number), seed=number), str(number))
    log.settle()
    events = sum(1 for _ in log.scan())
    found = Projections(folder / "played.audit")
    start = time.process_time()
    found.update(log)
    rate = count / (time.process_time() - start)
    log.close()
    return found, [
        Figure("bytes of a round on the record", path.stat().st_size / count, "B"),
        Figure("events of a round", events / count, ""),
        Figure("projections from nothing, rounds a second", rate, "/s", least=5000),
    ]


def fill(into: Projections, model: Projections, count: int) -> None:
    """As many rounds as are wanted in the shape of those that were played."""
    chance = random.Random(1)
    shapes = []
    for round in model.rows("select * from rounds"):
        of = (round["id"],)
        hands = model.sql.execute("select * from hands where round = ?", of).fetchall()
        lines = model.sql.execute("select * from lines where round = ?", of).fetchall()
        shapes.append((round, hands, lines))
    inserts = {
        name: f"insert into {name} values ({', '.join('?' * width)})"
        for name, width in (("rounds", 17), ("hands", 6), ("lines", 12))
    }
    rows: dict[str, list[tuple[object, ...]]] = {name: [] for name in inserts}
    into.sql.execute("begin")
    for number in range(count):
        table = number % TABLES + 1
        at = START + number // TABLES * EVERY
        began = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))
        id = f"{table}.1.{number // TABLES + 1}"
        round, hands, lines = shapes[number % len(shapes)]
        cards = chance.sample(DECK, 9)
        win = chance.randrange(-5000, 5000)
        rows["rounds"].append(
            (number, id, str(table), round["chapter"], began, began, began[:10], 1, number,
             number + 40, round["dealer"], " ".join(cards[:3]), "", "", round["wagered"],
             round["paid"], win)
        )  # fmt: skip
        facets = {f"card {card}" for card in cards}
        for place, (_, seat, _, _, decision, net) in enumerate(hands, 1):
            held = " ".join(cards[3 * place : 3 * place + 3])
            player = f"player {chance.randrange(PLAYERS)}"
            rows["hands"].append((id, seat, player, held, decision, net))
            facets.add(f"seat {seat}")
        for line in lines:
            outcome = "straight_flush" if chance.random() < 0.0005 else line[10]
            rows["lines"].append((id, *line[1:10], outcome, line[11]))
            facets |= {f"wager {line[3]}", f"result {line[6]}", f"outcome {outcome}"}
        into.facets.add(number, facets)
        if len(rows["rounds"]) == 20_000 or number == count - 1:
            for name, waiting in rows.items():
                into.sql.executemany(inserts[name], waiting)
                waiting.clear()
    into.facets.flush()
    into.sql.execute("commit")


SEARCHES = {
    "the latest": Filters(),
    "a table": Filters(table="7"),
    "a table in an hour": Filters(
        table="7", since="2026-01-03T12:00:00Z", until="2026-01-03T13:00:00Z"
    ),
    "a gaming day": Filters(day="2026-01-03"),
    "a player": Filters(player="player 77"),
    "a player at a seat": Filters(player="player 77", seat=2),
    "a card at a table": Filters(cards=("As",), table="7"),
    "three cards": Filters(cards=("As", "Kd", "7c")),
    "five cards": Filters(cards=("As", "Kd", "7c", "2h", "9s")),
    "nine cards": Filters(cards=tuple(DECK[:9])),
    "a rare outcome": Filters(outcome="straight_flush"),
    "a rare outcome of a player": Filters(outcome="straight_flush", player="player 77"),
    "a wager lost at a seat": Filters(wager="pair_plus", result="lose", seat=1),
    "a wager that nobody made": Filters(wager="cover_all"),
    "the house lost 49.90 or more": Filters(loss=4990),
    "the house won 10.00, three cards": Filters(win=1000, cards=("As", "Kd", "7c")),
    "a payment of 200.00 or more": Filters(paid=20_000),
    "a payment of 5.00 or more": Filters(paid=500),
    "nothing fits": Filters(player="nobody", cards=("As",)),
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--keep", type=Path, help="make the projections here, or use those there")
    parser.add_argument(
        "--write", action="store_true", help="put the figures into docs/reference/benchmarks.md"
    )
    chosen = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="houseway-bench-"))
    try:
        model, figures = played_rounds(folder, 300)
        path = chosen.keep or folder / "projections"
        found = Projections(path)
        if not found.rows("select number from rounds limit 1"):
            fill(found, model, chosen.rounds)
        found.sql.execute("pragma wal_checkpoint(truncate)")
        (count,) = found.rows("select count(*) as n from rounds")[0].values()
        figures.append(
            Figure("bytes of a round in the projections", path.stat().st_size / count, "B")
        )
        for name, filters in SEARCHES.items():
            times = []
            for _ in range(7):
                start = time.perf_counter()
                rows = search(found, filters)
                times.append(time.perf_counter() - start)
            milliseconds = statistics.median(times) * 1000
            says = f"search {count:,} rounds: {name} ({len(rows)} found)"
            figures.append(Figure(says, milliseconds, "ms", most=100))
        found.close()
        model.close()
    finally:
        shutil.rmtree(folder)
    show(figures)
    if chosen.write:
        write("rounds", figures)


if __name__ == "__main__":
    main()
