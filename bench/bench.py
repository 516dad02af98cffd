"""Houseway and its peers on the same work, on this machine, in one run.

Every figure is work per second of processor time on one core, so that other programs on the machine
disturb it as little as they can; runs on two cores are by the clock on the wall. All of it takes some
ten minutes. `bench/run` starts this; `--write` puts the table into the guide.
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
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, thread_time

import numpy as np

HERE = Path(__file__).parent
GUIDE = HERE.parent / "docs" / "reference" / "benchmarks.md"
BEGIN, END = "<!-- bench: made by bench/run -->", "<!-- bench: end -->"
PACKAGES = ["treys", "eval7", "phevaluator", "pokerkit", "rlcard", "gymnasium", "open_spiel"]
EVALUATORS = ("treys", "eval7", "phevaluator", "pokerkit evaluator")
SIMULATORS = ("open_spiel", "gymnasium", "rlcard", "pokerkit")
OFFERED = {"six_card_bonus": "C", "progressive": "A", "five_card_progressive": "A"}
ALL_WAGERS = dict.fromkeys(
    ("ante", "pair_plus", "six_card_bonus", "progressive", "five_card_progressive"), 100
)


@dataclass(frozen=True)
class Row:
    """One line of the table: the work, who did it, how fast, and Houseway's rate beside it.

    A goal is what Houseway's rate should be at least, in its own line, or its ratio in another's.
    """

    work: str
    who: str
    rate: float
    houseway: float | None = None
    goal: float | None = None

    @property
    def ratio(self) -> float | None:
        return None if self.houseway is None else self.houseway / self.rate

    def cells(self) -> tuple[str, ...]:
        ratio, goal = self.ratio, ""
        if self.goal is not None:
            found = self.rate if ratio is None else ratio
            wanted = number(self.goal) if ratio is None else f"{self.goal:,g} times"
            goal = f"{wanted}: {'met' if found >= self.goal else 'missed'}"
        times = "" if ratio is None else f"{ratio:,.2f} times as fast"
        return self.work, self.who, number(self.rate), times, goal


@dataclass(frozen=True)
class Other:
    """A line that is no rate: what it is, the figure, and whether it is as it should be."""

    work: str
    who: str
    figure: str
    goal: str
    met: bool

    def cells(self) -> tuple[str, ...]:
        return (
            self.work,
            self.who,
            "",
            self.figure,
            f"{self.goal}: {'met' if self.met else 'missed'}",
        )


def best(work: Callable[[], float], times: int = 3) -> float:
    return max(work() for _ in range(times))


def kernel(
    chapter: str, options: dict, wagers: dict, players: int, seconds: float, **more
) -> float:
    """Rounds a second of one core, the kernel compiled before the clock starts."""
    from houseway.law import choose
    from houseway.simulate.kernels.random_streams import start
    from houseway.simulate.plan import plan_of
    from houseway.simulate.prepared import playing

    plan = plan_of(choose(chapter, options), players=players, wagers=wagers, **more)
    game = playing(plan.encode())
    counts, stream, room = game.empty(), start(1, 0), game.new_table()
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
    from houseway.games.three_card.simulation.bulk_hands import three_card_values
    from houseway.simulate.kernels.five_of_six import best_of

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
    """The C program's rates, or None without a compiler."""
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


def peers(python: Path, names: tuple[str, ...], seconds: float) -> Iterator[tuple[str, str, float]]:
    """Name, version and rate of each; one that fails is left out, and it is said why."""
    for name in names:
        command = [python, HERE / "peers.py", name, str(seconds)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            last = done.stderr.strip().splitlines()[-1:] or ["no reason given"]
            print(f"bench: {name} is left out: {last[0]}", file=sys.stderr)
            continue
        found = json.loads(done.stdout)
        yield name, found["version"], found["rate"]


THREE = "Three Card Poker, one hand with Pair Plus"
PRIME = "Three Card Prime, one hand, all wagers"
SAIGON = "Saigon 5 Card, one hand with Bonus"
SHOE = "blackjack, hands from a shoe to the cover card"
ROUND = "one player against the dealer, the nearest game of each"
EVALUATED = "best five of six evaluated"


def measure(seconds: float, *, with_peers: bool, environment: Path) -> list[Row]:
    before = twins(seconds)
    duel = kernel("md-three-card-poker", {}, {"ante": 100, "pair_plus": 100}, 1, seconds)
    table = kernel("md-three-card-poker", OFFERED, ALL_WAGERS, 7, seconds)
    prime = kernel(
        "pa-three-card-prime", {"prime": True, "pair_bonus": "A", "all_six": "A"},
        dict.fromkeys(("ante", "prime", "pair_bonus", "all_six"), 100), 1, seconds,
    )  # fmt: skip
    saigon = kernel("pa-saigon-5-card", {"bonus": "A"}, {"ante": 100, "bonus": 100}, 1, seconds)
    shoe = kernel("pa-down-under-blackjack", {}, {"bet": 1000}, 1, seconds)
    full = 6 * kernel("pa-down-under-blackjack", {}, {"bet": 1000}, 6, seconds)
    three, six = evaluators(seconds)
    # the twins run before and after, so that a busy moment of the machine favors neither side
    after = twins(seconds)
    c = {name: max(rate, after[name]) for name, rate in before.items()}
    rows = [
        Row(THREE, "Houseway", duel, goal=100e6),
        Row("Three Card Poker, seven seats, all side wagers", "Houseway", table, goal=4e6),
        Row(PRIME, "Houseway", prime),
        Row(SAIGON, "Houseway", saigon),
        Row(SHOE, "Houseway, Down Under, one seat", shoe, goal=10e6),
        Row(SHOE, "Houseway, Down Under, six seats", full, goal=10e6),
        Row(SHOE, "hhoppe/blackjack, Numba (its own figure)", 6e6, shoe, 1.5),
        Row("three-card hands evaluated", "Houseway", three, goal=300e6),
        Row(EVALUATED, "Houseway", six, goal=50e6),
    ]
    if c:
        rows += [
            Row(THREE, "C, picking hands", c["three_by_hand"], duel, 1),
            Row(THREE, "C, card by card", c["three_by_card"], duel, 1),
            Row(PRIME, "C, one word a round, hands by table", c["prime_by_table"], prime, 1),
            Row(PRIME, "C, card by card", c["prime_by_card"], prime, 1),
            Row(SAIGON, "C, one word a round, hands by table", c["saigon_by_table"], saigon, 1),
            Row(SAIGON, "C, trying every setting", c["saigon_by_trying"], saigon, 1),
            Row("three-card hands evaluated", "C", c["evaluate_three"], three),
            Row(EVALUATED, "C", c["evaluate_six"], six),
        ]
    if with_peers:
        python = peers_python(environment)
        rows += [
            Row(EVALUATED, f"{name} {version}", rate, six)
            for name, version, rate in peers(python, EVALUATORS, seconds)
        ]
        rows.append(Row(ROUND, "Houseway, Three Card Poker", duel))
        for name, version, rate in peers(python, SIMULATORS, seconds):
            plays = "hold'em, two players" if name == "pokerkit" else "blackjack"
            goal = 1000 if name == "open_spiel" else None
            rows.append(Row(ROUND, f"{name} {version}, {plays}", rate, duel, goal))
            if plays == "blackjack":
                rows.append(Row(SHOE, f"{name} {version}", rate, shoe))
    order = list(dict.fromkeys(row.work for row in rows))
    return sorted(rows, key=lambda row: order.index(row.work))


def scaling(seconds: float, times: int = 3) -> list[Other]:
    """Two cores and two Dask workers beside one core, by the clock on the wall.

    Workers are started, and have their kernels, before the clock starts: what is measured is the
    run. The three take turns and the quickest run of each counts, since other programs can only
    make one longer; beside it stands what all processes together took of the processors, which
    others disturb less.
    """
    import psutil

    from houseway.law import choose
    from houseway.simulate.cluster import Cluster
    from houseway.simulate.plan import plan_of
    from houseway.simulate.prepared import playing
    from houseway.simulate.runner import Threads, run

    plan = plan_of(choose("md-three-card-poker", OFFERED), players=7, wagers=ALL_WAGERS)
    block = playing(plan.encode()).block

    def processors() -> float:
        every = [psutil.Process(), *psutil.Process().children(recursive=True)]
        return sum(sum(one.cpu_times()[:2]) for one in every)

    def timed(workers, blocks: int) -> tuple[float, float]:
        run(plan, 8 * workers.count * block, workers=workers)
        began, busy = perf_counter(), processors()
        run(plan, blocks * block, workers=workers)
        took = perf_counter() - began, processors() - busy
        workers.close()
        return took

    makers = {
        "one core": lambda: Threads(1),
        "two threads": lambda: Threads(2),
        "two local Dask workers": lambda: Cluster("local", 2),
    }
    blocks = max(4, round(4 * seconds / timed(Threads(1), 4)[0]))
    runs: dict[str, list[tuple[float, float]]] = {who: [] for who in makers}
    for _ in range(times):
        for who, make in makers.items():
            runs[who].append(timed(make(), blocks))
    (one, alone), *_ = best_runs = [tuple(map(min, zip(*of, strict=True))) for of in runs.values()]
    work = f"a run of {one:.0f} s on one core, quickest of {times}: Three Card Poker, seven seats"
    found = []
    for who, goal, (took, busy) in zip(list(makers)[1:], (1.8, 1.7), best_runs[1:], strict=True):
        figure = f"{one / took:.2f} times one core, for {busy / alone:.2f} of its processor time"
        found.append(Other(work, who, figure, f"{goal} times", one / took >= goal))
    return found


GAMES = {
    "Three Card Poker": ("md-three-card-poker", OFFERED),
    "Three Card Prime": ("pa-three-card-prime", {"pair_bonus": "A", "all_six": "A"}),
    "Saigon 5 Card": ("pa-saigon-5-card", {"bonus": "A"}),
    "Down Under": ("pa-down-under-blackjack", {}),
}
_COMPILE = """
import json, sys
from time import process_time
from houseway.law import choose
from houseway.simulate.plan import plan_of
from houseway.simulate.prepared import playing, warm
from houseway.simulate.kernels import random_streams as streams
import numpy as np
streams.words(streams.start(1, 0), np.zeros(1, np.uint64))  # what Numba needs to get going
chapter, options = json.loads(sys.argv[1])
plan = plan_of(choose(chapter, options), players=2)
began = process_time()
playing(plan.encode())
ready = process_time()
warm(plan)
print(ready - began, process_time() - ready)
"""


def compiling() -> list[Other]:
    """The first round in a new process: kernels compiled, then fetched, by processor time; and what
    tables and strategy take before.
    """
    rows = []
    for game, given in GAMES.items():
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-c", _COMPILE, json.dumps(given)]
            environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
            runs = [
                subprocess.run(command, check=True, capture_output=True, env=environment).stdout
                for _ in range(2)
            ]
        work = f"{game}, the first round in a new process"
        for who, most, run in (("kernels compiled", 10, runs[0]), ("kernels kept", 0.5, runs[1])):
            ready, kernel = map(float, run.split())
            figure = f"{kernel:.2f} s, after {ready:.1f} s for tables and strategy"
            rows.append(Other(work, who, figure, f"under {most} s", ready + kernel < most))
    return rows


def number(rate: float) -> str:
    for size, name in ((1e6, " M"), (1e3, " k")):
        if rate >= size:
            return f"{rate / size:,.1f}{name}"
    return f"{rate:,.0f}"


def table_of(rows: list[Row | Other]) -> str:
    from importlib.metadata import version

    where = (
        f"Python {platform.python_version()}, NumPy {version('numpy')}, Numba {version('numba')}; "
        f"{processor()}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores when it ended. "
        "Rates are of one core, by its processor time; goals are what this project set itself."
    )
    lines = [
        where,
        "",
        "| work | who | a second, one core | Houseway is | goal |",
        "| --- | --- | ---: | ---: | --- |",
    ]
    return "\n".join([*lines, *(f"| {' | '.join(row.cells())} |" for row in rows)])


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
        "--scaling",
        type=float,
        default=60,
        help="seconds of the runs on one core and two, 0 for none and no compiling either",
    )
    parser.add_argument("--write", action="store_true", help=f"put the table into {GUIDE.name}")
    parser.add_argument("--environment", type=Path, default=HERE / ".venv", help="of the peers")
    given = parser.parse_args()
    rows: list[Row | Other] = [
        *measure(
            given.seconds, with_peers=not given.no_peers, environment=given.environment.resolve()
        )
    ]
    if given.scaling:
        rows += [*compiling(), *scaling(given.scaling)]
    table = table_of(rows)
    print(table)
    if given.write:
        text = GUIDE.read_text(encoding="utf-8")
        head, rest = text.split(BEGIN)
        GUIDE.write_text(f"{head}{BEGIN}\n\n{table}\n\n{END}{rest.split(END)[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
