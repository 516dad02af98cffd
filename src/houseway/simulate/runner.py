"""Runs: blocks of rounds on threads, or on a cluster, added up in their order.

A result depends on the plan and the number of rounds, never on who played which block: blocks are
numbered, each has a stream of its own, and they are added in the order of their numbers. A
checkpoint holds what has been added and the blocks that came early; a run that goes on from it
plays every other block once and none twice.
"""

from __future__ import annotations

import json
import os
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

import numpy as np

from houseway.errors import Refused
from houseway.maths.counting.threads import cores
from houseway.simulate.kernels.counts import Counts
from houseway.simulate.kernels.random_streams import BLOCKS
from houseway.simulate.plan import Plan
from houseway.simulate.prepared import Playing, play_block, playing
from houseway.simulate.results.tally import Tally, of_wager
from houseway.untrusted import parse_json, read_file

#: blocks given out for each core, so that none waits while another's block is awaited
_AHEAD = 3
_CHECKPOINT_SECONDS = 2.0


class Workers(Protocol):
    """Plays blocks; yields each block's number with its counts as soon as it is done."""

    @property
    def count(self) -> int: ...

    #: how many blocks to hand out, so that no worker waits
    @property
    def ahead(self) -> int: ...

    def submit(self, number: int, block: Callable[..., Any], *given: Any) -> None: ...

    def next(self) -> tuple[int, Any]: ...

    def close(self) -> None: ...


class Threads:
    """Cores of this machine: kernels run without the interpreter's lock."""

    def __init__(self, cores: int) -> None:
        self.count, self.ahead = cores, _AHEAD * cores
        self._pool = ThreadPoolExecutor(cores)
        self._waiting: dict[Future[Any], int] = {}

    def submit(self, number: int, block: Callable[..., Any], *given: Any) -> None:
        self._waiting[self._pool.submit(block, *given)] = number

    def next(self) -> tuple[int, Any]:
        done, _ = wait(self._waiting, return_when=FIRST_COMPLETED)
        future = min(done, key=lambda one: self._waiting[one])
        return self._waiting.pop(future), future.result()

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    rounds: int
    of: int
    seconds: float
    tally: Tally


def run(
    plan: Plan,
    rounds: int,
    *,
    workers: Workers | None = None,
    until_se: float | None = None,
    checkpoint: Path | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Tally:
    """Play a number of rounds, or fewer if `until_se` is reached earlier.

    `until_se` is a standard error of the mean of the first wager, in units of its stake. It is
    looked at after every block in their order, so it too ends a run at the same round everywhere.
    """
    if rounds < 1:
        raise Refused("no_rounds", "the number of rounds must be at least 1", field="rounds")
    game = playing(plan.encode())
    if rounds > BLOCKS * game.block:
        raise Refused(
            "too_many_rounds",
            f"a run has at most {BLOCKS * game.block:,} rounds: random words for more would repeat",
            field="rounds",
        )
    keep = _Checkpoint(checkpoint, plan, game) if checkpoint else None
    tally, early = keep.read() if keep else (Tally.none(game), {})
    mine = workers is None
    players: Workers = Threads(cores()) if workers is None else workers
    began = monotonic()
    with _between_blocks() as stop_here:
        try:
            for done in _blocks(game, rounds, players, tally, early):
                if progress:
                    progress(Progress(done.rounds, rounds, monotonic() - began, done))
                if keep:
                    keep.write(done, early)
                if until_se is not None and _error(game, done) <= until_se:
                    break
                stop_here()
        finally:
            if keep:
                keep.write(tally, early, now=True)
            if mine:
                players.close()
    return tally


@contextmanager
def _between_blocks() -> Iterator[Callable[[], None]]:
    """Ctrl-C takes effect where the returned function is called, between two blocks; a second one
    at once.

    Anywhere else it would leave a sum half added, and that in the checkpoint, or a lock held that
    the threads wait for.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is None:
        yield lambda: None  # signals are not ours
        return
    asked = False

    def ask(*_: object) -> None:
        nonlocal asked
        asked = True
        signal.signal(signal.SIGINT, before)

    def stop_here() -> None:
        if asked:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, ask)
    try:
        yield stop_here
    finally:
        signal.signal(signal.SIGINT, before)


def _error(game: Playing, tally: Tally) -> float:
    """The standard error of the first wager of the first position, per unit staked on it."""
    name, column = game.wagers[0]
    return of_wager(game, tally, 0, column).error / game.stake_of(0, name)


def _blocks(
    game: Playing, rounds: int, workers: Workers, tally: Tally, early: dict[int, Counts]
) -> Iterator[Tally]:
    """Give blocks out, and yield the tally each time the next in order has been added."""
    size = game.block
    encoded = game.plan.encode()
    count = -(-rounds // size)

    def length(number: int) -> int:
        return min(size, rounds - number * size)

    added, rest = divmod(tally.rounds, size)
    if rest:
        if tally.rounds != rounds:
            raise Refused(
                "checkpoint_of_another_run",
                f"the checkpoint ends within a block, at {tally.rounds:,} rounds: it was a whole "
                "run and cannot go on",
                field="checkpoint",
            )
        return
    given = added
    out: set[int] = set()
    while added < count:
        while given < count and len(out) < workers.ahead:
            if given not in early:
                workers.submit(given, play_block, encoded, given, length(given))
                out.add(given)
            given += 1
        if added not in early:
            number, counts = workers.next()
            out.discard(number)
            early[number] = counts
        while added in early:
            tally.add(early.pop(added), length(added))
            added += 1
            yield tally


def in_order(
    workers: Workers, blocks: int, block: Callable[..., Any], encoded: bytes, *given: Any
) -> Iterator[Any]:
    """What `block(encoded, number, *given)` gives for every number, in their order."""
    sent = 0
    early: dict[int, Any] = {}
    with _between_blocks() as stop_here:
        for number in range(blocks):
            while number not in early:
                while sent < blocks and sent < number + workers.ahead:
                    workers.submit(sent, block, encoded, sent, *given)
                    sent += 1
                which, result = workers.next()
                early[which] = result
                stop_here()
            yield early.pop(number)


#: bytes of a checkpoint that are read
_LARGEST = 1 << 28


class _Checkpoint:
    """A file beside a run: written in one step, read only by the run it belongs to."""

    def __init__(self, path: Path, plan: Plan, game: Playing) -> None:
        self._path, self._hash, self._game = path, plan.hash, game
        self._written = monotonic()

    def read(self) -> tuple[Tally, dict[int, Counts]]:
        if not self._path.exists():
            return Tally.none(self._game), {}
        try:
            data = parse_json(read_file(self._path, _LARGEST), "not_a_checkpoint", _LARGEST)
            tally = Tally.decode(data["tally"])
            early = {int(number): _counts(parts) for number, parts in data["early"].items()}
            belongs = data["plan"] == self._hash
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Refused(
                "not_a_checkpoint", f"{self._path} is not a checkpoint: {error}", field="checkpoint"
            ) from None
        if not belongs:
            raise Refused(
                "checkpoint_of_another_run",
                f"{self._path} belongs to a run of another plan, strategy or seed",
                field="checkpoint",
            )
        return tally, early

    def write(self, tally: Tally, early: dict[int, Counts], *, now: bool = False) -> None:
        if not now and monotonic() - self._written < _CHECKPOINT_SECONDS:
            return
        others = {number: [part.tolist() for part in one] for number, one in early.items()}
        text = f'{{"plan":"{self._hash}","tally":{tally.encode()},"early":{json.dumps(others)}}}\n'
        handle, beside = tempfile.mkstemp(dir=self._path.parent, prefix=f".{self._path.name}-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(beside).replace(self._path)
        except OSError:
            with suppress(OSError):
                Path(beside).unlink()
            raise
        self._written = monotonic()


def _counts(parts: list[Any]) -> Counts:
    return Counts(*(np.array(part, np.int64) for part in parts))
