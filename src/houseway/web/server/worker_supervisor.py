"""Several workers on one port: started one after another, replaced if one dies, stopped together.

Each worker holds one end of a pipe. It says there that it is open, or why it cannot be; and when
the other end goes away, however the house ended, the worker leaves too.
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

import msgspec

from houseway.errors import Refused

#: seconds in which a worker ends its streams and its record before it is ended
GRACE = 8.0
#: a worker that lives shorter than this is replaced later and later, up to the longest pause
_SHORT, _LONGEST = 5.0, 5.0
_LOOK = 0.2


class _Worker(msgspec.Struct, eq=False):
    number: int
    process: BaseProcess
    line: Connection
    since: float
    short: int = 0


class Crew:
    """A number of processes of `target`, called with the arguments, a number and a pipe."""

    def __init__(self, count: int, target: Callable[..., None], *given: Any) -> None:
        self._count, self._target, self._given = count, target, given
        self._context = get_context("spawn")
        self._workers: list[_Worker] = []
        self._stopping = 0.0

    def run(self, opened: Callable[[Any], None]) -> None:
        """Run until stopped; `opened` is called once with what the first worker reported."""
        before = {one: signal.signal(one, self._stop) for one in (signal.SIGTERM, signal.SIGINT)}
        try:
            # the first makes the record and furnishes the house; the others find it so
            said = [self._open(number) for number in range(self._count) if not self._stopping]
            if not self._stopping:
                opened(said[0])
            while self._workers:
                self._look()
        finally:
            for worker in self._workers:
                worker.process.kill()
                worker.process.join()
            for one, handler in before.items():
                signal.signal(one, handler)

    def _start(self, number: int, short: int = 0) -> _Worker:
        ours, its = self._context.Pipe()
        # not daemonic: a worker has processes of its own that count
        process = self._context.Process(target=self._target, args=(*self._given, number, its))
        # Ctrl-C goes to every process of a terminal: the house alone hears it and tells the workers
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        process.start()
        signal.signal(signal.SIGINT, before)
        its.close()
        worker = _Worker(number, process, ours, time.monotonic(), short)
        self._workers.append(worker)
        if self._stopping:
            process.terminate()
        return worker

    def _open(self, number: int) -> Any:
        """Start one of the first workers; without it the house does not open."""
        worker = self._start(number)
        try:
            said = worker.line.recv()
        except EOFError:
            if self._stopping:
                return None
            worker.process.join()
            raise Refused(
                "worker_ended", f"worker {number} {_ended(worker)} before it was open"
            ) from None
        if "error" in said:
            raise Refused(*said["error"])
        return said

    def _look(self) -> None:
        """Wait a moment; replace workers that died."""
        wait([worker.process.sentinel for worker in self._workers], _LOOK)
        if self._stopping and time.monotonic() > self._stopping + GRACE:
            self._each("kill")
        for worker in [one for one in self._workers if not one.process.is_alive()]:
            pause = 0.0
            if time.monotonic() - worker.since < _SHORT:
                pause = min(0.2 * 2**worker.short, _LONGEST)
            if not self._stopping and time.monotonic() < worker.since + pause:
                continue
            self._workers.remove(worker)
            worker.line.close()
            worker.process.join()
            if not self._stopping:
                print(
                    f"worker {worker.number} {_ended(worker)}; another takes its place",
                    file=sys.stderr,
                    flush=True,
                )
                self._start(worker.number, worker.short + 1 if pause else 0)

    def _stop(self, _signal: int, _frame: object) -> None:
        # once: leave in good order; twice: at once
        self._each("kill" if self._stopping else "terminate")
        self._stopping = self._stopping or time.monotonic()

    def _each(self, what: str) -> None:
        for worker in self._workers:
            if worker.process.is_alive():
                getattr(worker.process, what)()


def _ended(worker: _Worker) -> str:
    code = worker.process.exitcode or 0
    return f"was ended by signal {-code}" if code < 0 else f"ended with status {code}"
