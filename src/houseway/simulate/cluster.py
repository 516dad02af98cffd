"""Blocks on a Dask cluster: one that is there, or one started on this machine.

Dask gives the block of a worker that dies to another one; nothing else is lost, and since a block
is the same wherever it is played, neither is the result.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from importlib import import_module
from typing import Any

from houseway.refusal import Refused

#: for workers on this machine, which have its cores to themselves: no watching of what takes its
#: time, and no moving of blocks that are all alike
_QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.scheduler.work-stealing": False,
}


class Cluster:
    """Workers of a Dask cluster, for `runner.run`."""

    def __init__(self, address: str, workers: int = 2, wait: float = 10) -> None:
        """`address` is a scheduler's, like `tcp://10.0.0.5:8786`, or `local` to start one here."""
        try:
            dask: Any = import_module("dask")
            distributed: Any = import_module("distributed")
        except ImportError:
            raise Refused(
                "cluster_not_installed", "a cluster needs Dask: install houseway[cluster]"
            ) from None
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
        self._numbers: dict[str, int] = {}

    @property
    def count(self) -> int:
        """How many blocks can be played at a time."""
        threads: int = sum(self._client.nthreads().values())
        return max(1, threads)

    def submit(self, number: int, block: Callable[..., Any], *given: Any) -> None:
        future = self._client.submit(block, *given, pure=False)
        self._numbers[future.key] = number
        self._done.add(future)

    def next(self) -> tuple[int, Any]:
        future, result = next(self._done)
        return self._numbers.pop(future.key), result

    def close(self) -> None:
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()
