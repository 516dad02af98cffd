"""Houseway and its peers on the same work, on this machine, in one run.

Every figure is work per second of processor time on one core, so that other programs on the machine
disturb it as little as they can. `bench/run` starts this; `--write` puts the table into the guide.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, thread_time

import numpy as np

HERE = Path(__file__).parent
GUIDE = HERE.parent / "docs" / "simulation.md"
BEGIN, END = "<!-- bench: made by bench/run -->", "<!-- bench: end -->"
PACKAGES = ["treys", "eval7", "phevaluator", "pokerkit", "rlcard", "gymnasium", "open_spiel"]
EVALUATORS = ("treys", "eval7", "phevaluator", "pokerkit evaluator")
SIMULATORS = ("pokerkit", "rlcard", "gymnasium", "open_spiel")


@dataclass(frozen=True)
class Row:
    """One line of the table: the work, who did it, how fast, and Houseway's rate beside it."""

    work: str
    who: str
    rate: float
    houseway: float


def best(work: Callable[[], float], times: int = 3) -> float:
    return max(work() for _ in range(times))


def kernel(
    chapter: str, options: dict, wagers: dict, players: int, seconds: float, **more
) -> float:
    """Rounds a second of one core, the kernel compiled before the clock starts."""
    from houseway.law import choose
    from houseway.simulate.plan import plan_of
    from houseway.simulate.playing import playing
    from houseway.simulate.streams import start

    plan = plan_of(choose(chapter, options), players=players, wagers=wagers, **more)
    game = playing(plan.encode())
    counts, stream, room = game.empty(), start(1, 0), game.new_room()
    room.rounds(1000, stream, counts)

    def once(rounds: int) -> float:
        began = thread_time()
        room.rounds(rounds, stream, counts)
        counts.events[0, 0] = 0
        return rounds / (thread_time() - began)

    rounds = max(1000, int(once(20_000) * seconds / 3))
    return best(lambda: once(rounds))


def evaluators(seconds: float) -> tuple[float, float]:
    """Three-card hands and best fives of six from arrays."""
    from houseway.simulate.bulk import three_card_values
    from houseway.simulate.five_of_six import best_of

    source = np.random.default_rng(1)
    rates = []
    for size, kind, evaluate in ((3, np.int16, three_card_values), (6, np.int8, best_of)):
        hands = np.argsort(source.random((1 << 16, 52)), axis=1)[:, :size].astype(np.uint8)
        hands, into = np.ascontiguousarray(hands), np.zeros(len(hands), kind)
        evaluate(hands, into)

        def once(evaluate=evaluate, hands=hands, into=into) -> float:
            times = max(1, int(400 * seconds))
            began = thread_time()
            for _ in range(times):
                evaluate(hands, into)
            return times * len(hands) / (thread_time() - began)

        rates.append(best(once))
    return rates[0], rates[1]


def twins(scale: float) -> dict[str, float]:
    """The C program's rates, or nothing where there is no compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "twins"
        source = HERE / "twins.c"
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
        runs = [
            json.loads(
                subprocess.run([program, str(scale)], check=True, capture_output=True).stdout
            )
            for _ in range(2)
        ]
    return {name: max(run[name] for run in runs) for name in runs[0]}


def peers_python(folder: Path) -> Path:
    """An environment of the peers' own, made on first use."""
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        for package in PACKAGES:
            install = [python, "-m", "pip", "install", "--quiet", package]
            done = subprocess.run(install, check=False, capture_output=True)
            if done.returncode:
                print(f"bench: {package} could not be installed and is left out", file=sys.stderr)
        (folder / "ready").touch()
    return python


def peer(python: Path, name: str, seconds: float) -> tuple[str, float] | None:
    done = subprocess.run(
        [python, HERE / "peers.py", name, str(seconds)], check=False, capture_output=True, text=True
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["no reason given"]
        print(f"bench: {name} is left out: {last[0]}", file=sys.stderr)
        return None
    found = json.loads(done.stdout)
    return found["version"], found["rate"]


def measure(seconds: float, *, with_peers: bool, environment: Path) -> list[Row]:
    rows: list[Row] = []
    c = twins(seconds)
    duel = kernel("md-three-card-poker", {}, {"ante": 100, "pair_plus": 100}, 1, seconds)
    offered = {"six_card_bonus": "C", "progressive": "A", "five_card_progressive": "A"}
    all_wagers = dict.fromkeys(
        ("ante", "pair_plus", "six_card_bonus", "progressive", "five_card_progressive"), 100
    )
    table = kernel("md-three-card-poker", offered, all_wagers, 7, seconds)
    prime = kernel(
        "pa-three-card-prime", {"prime": True, "pair_bonus": "A", "all_six": "A"},
        dict.fromkeys(("ante", "prime", "pair_bonus", "all_six"), 100), 1, seconds,
    )  # fmt: skip
    saigon = kernel("pa-saigon-5-card", {"bonus": "A"}, {"ante": 100, "bonus": 100}, 1, seconds)
    shoe = kernel("pa-down-under-blackjack", {}, {"bet": 1000}, 1, seconds)
    full = 6 * kernel("pa-down-under-blackjack", {}, {"bet": 1000}, 6, seconds)
    three, six = evaluators(seconds)
    rows += [
        Row("Three Card Poker, one hand with Pair Plus", "Houseway", duel, duel),
        *(
            Row("Three Card Poker, one hand with Pair Plus", who, c[key], duel)
            for key, who in (("three_by_hand", "C, by hands"), ("three_by_card", "C, by cards"))
            if c
        ),
        Row("Three Card Poker, seven seats, all side wagers", "Houseway", table, table),
        Row("Three Card Prime, one hand, all wagers", "Houseway", prime, prime),
        *(
            Row("Three Card Prime, one hand, all wagers", who, c[key], prime)
            for key, who in (("prime_by_table", "C, the same way"), ("prime_by_card", "C, plainly"))
            if c
        ),
        Row("Saigon 5 Card, one hand with Bonus", "Houseway", saigon, saigon),
        *([Row("Saigon 5 Card, one hand with Bonus", "C", c["saigon"], saigon)] if c else []),
        Row("blackjack, hands from a shoe", "Houseway, Down Under, one seat", shoe, shoe),
        Row("blackjack, hands from a shoe", "Houseway, Down Under, six seats", full, full),
        Row("three-card hands evaluated", "Houseway", three, three),
        *([Row("three-card hands evaluated", "C", c["evaluate_three"], three)] if c else []),
        Row("best five of six evaluated", "Houseway", six, six),
        *([Row("best five of six evaluated", "C", c["evaluate_six"], six)] if c else []),
    ]
    if with_peers:
        python = peers_python(environment)
        for name in (*EVALUATORS, *SIMULATORS):
            found = peer(python, name, seconds)
            if found:
                work, mine = (
                    ("best five of six evaluated", six)
                    if name in EVALUATORS
                    else ("blackjack, hands from a shoe", shoe)
                )
                if name == "pokerkit":
                    work = "hold'em hands, two players (nearest work)"
                rows.append(Row(work, f"{name} {found[0]}", found[1], mine))
    order = list(dict.fromkeys(row.work for row in rows))
    return sorted(rows, key=lambda row: order.index(row.work))


def scaling(seconds: float) -> list[tuple[str, float]]:
    """Two cores and two Dask workers beside one core, by the clock on the wall."""
    from houseway.law import choose
    from houseway.simulate.cluster import Cluster
    from houseway.simulate.plan import plan_of
    from houseway.simulate.runner import Threads, run

    plan = plan_of(choose("pa-saigon-5-card", {"bonus": "A"}), players=6)
    blocks = max(4, int(2 * seconds)) * (1 << 20)

    def timed(workers) -> float:
        run(plan, 1 << 20, workers=workers)
        began = perf_counter()
        run(plan, blocks, workers=workers)
        workers.close()
        return perf_counter() - began

    one = timed(Threads(1))
    return [
        ("two threads beside one", one / timed(Threads(2))),
        ("two local Dask workers beside one thread", one / timed(Cluster("local", 2))),
    ]


def number(rate: float) -> str:
    for size, name in ((1e6, " M"), (1e3, " k")):
        if rate >= size:
            return f"{rate / size:,.1f}{name}"
    return f"{rate:,.0f}"


def table_of(rows: list[Row], scaled: list[tuple[str, float]]) -> str:
    from importlib.metadata import version

    where = (
        f"Python {platform.python_version()}, NumPy {version('numpy')}, Numba {version('numba')}; "
        f"{processor()}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores when it ran."
    )
    lines = [
        where,
        "",
        "| work | who | a second, one core | Houseway is |",
        "| --- | --- | ---: | ---: |",
    ]
    for row in rows:
        ratio = (
            ""
            if row.who.startswith("Houseway")
            else f"{row.houseway / row.rate:,.2f} times as fast"
        )
        lines.append(f"| {row.work} | {row.who} | {number(row.rate)} | {ratio} |")
    lines += [f"| {name} | Houseway | | {ratio:.2f} times |" for name, ratio in scaled]
    return "\n".join(lines)


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench/run", description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement")
    parser.add_argument("--no-peers", action="store_true", help="Houseway and C alone")
    parser.add_argument(
        "--scaling", type=float, default=0, help="seconds for the runs on two cores"
    )
    parser.add_argument("--write", action="store_true", help=f"put the table into {GUIDE.name}")
    parser.add_argument("--environment", type=Path, default=HERE / ".venv", help="of the peers")
    given = parser.parse_args()
    rows = measure(
        given.seconds, with_peers=not given.no_peers, environment=given.environment.resolve()
    )
    scaled = scaling(given.scaling) if given.scaling else []
    table = table_of(rows, scaled)
    print(table)
    if given.write:
        text = GUIDE.read_text(encoding="utf-8")
        head, rest = text.split(BEGIN)
        GUIDE.write_text(f"{head}{BEGIN}\n\n{table}\n\n{END}{rest.split(END)[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
