"""Blocks on a Dask cluster: one that is there, or one started on this machine.

If a worker dies, Dask gives its blocks to another worker. A block is the same wherever it is played,
so the result does not change. Blocks are sent in groups of about a second's work, because sending
one costs about ten milliseconds.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from importlib import import_module
from time import monotonic, perf_counter
from typing import Any

from houseway.errors import Refused

#: for workers on this machine: no profiling, and no moving of blocks between workers
_QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.scheduler.work-stealing": False,
}
#: seconds of work that are sent together, and the maximum number of blocks
_TOGETHER, _MOST = 1.0, 64
#: tasks sent ahead for each thread, so that none is idle
_AHEAD = 3
#: seconds after which the workers are counted again, since they come and go
_COUNTED = 2.0

_Block = Callable[..., Any]


def several(blocks: list[tuple[_Block, tuple[Any, ...]]]) -> tuple[list[Any], float]:
    """The counts of some blocks, and the seconds per block; called on a worker."""
    began = perf_counter()
    results = [block(*given) for block, given in blocks]
    return results, (perf_counter() - began) / len(blocks)


class Cluster:
    """Workers of a Dask cluster, for `runner.run`."""

    def __init__(self, address: str, workers: int = 2, wait: float = 10) -> None:
        """`address` is a scheduler's, like `tcp://10.0.0.5:8786`, or `local` to start one here."""
        dask: Any = import_module("dask")
        distributed: Any = import_module("distributed")
        self._cluster: Any = None
        self._client: Any = None
        try:
            if address == "local":
                # one thread a process: kernels fill a core each
                with dask.config.set(_QUIET):
                    self._cluster = distributed.LocalCluster(
                        n_workers=workers,
                        threads_per_worker=1,
                        dashboard_address=None,
                        silence_logs=logging.ERROR,
                    )
                self._client = distributed.Client(self._cluster)
            else:
                self._client = distributed.Client(address, timeout=wait)
        except (OSError, ValueError, TimeoutError) as error:
            raise Refused(
                "no_such_cluster",
                f"no Dask scheduler answers at {address}: {error}",
                field="cluster",
            ) from None
        self._done: Any = distributed.as_completed(with_results=True, raise_errors=True)
        self._numbers: dict[str, list[int]] = {}
        self._waiting: list[tuple[int, tuple[_Block, tuple[Any, ...]]]] = []
        self._ready: deque[tuple[int, Any]] = deque()
        self._together = 1
        self._threads, self._counted = 0, 0.0

    @property
    def count(self) -> int:
        """How many blocks can be played at a time."""
        if not self._threads or monotonic() - self._counted > _COUNTED:
            self._threads = sum(self._client.nthreads().values())
            self._counted = monotonic()
        return max(1, self._threads)

    @property
    def ahead(self) -> int:
        """How many blocks should be given out."""
        return _AHEAD * self.count * self._together

    def submit(self, number: int, block: _Block, *given: Any) -> None:
        self._waiting.append((number, (block, given)))
        if len(self._waiting) >= self._together:
            self._send()

    def _send(self) -> None:
        numbers, blocks = zip(*self._waiting, strict=True)
        self._waiting = []
        future = self._client.submit(several, list(blocks), pure=False)
        self._numbers[future.key] = list(numbers)
        self._done.add(future)

    def next(self) -> tuple[int, Any]:
        if not self._ready:
            if self._waiting:
                self._send()
            future, (results, seconds) = next(self._done)
            self._ready.extend(zip(self._numbers.pop(future.key), results, strict=True))
            self._together = max(1, min(_MOST, round(_TOGETHER / max(seconds, 1e-9))))
        return self._ready.popleft()

    def close(self) -> None:
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()
