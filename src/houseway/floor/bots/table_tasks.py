"""One task at each table that needs it: what the system's dealer and its players share."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod

from houseway.floor.casino import Casino
from houseway.floor.streams import home_of


class TableTasks(ABC):
    """Runs `run` at every table of this worker for which `wanted` holds."""

    def __init__(self, casino: Casino, *, worker: int, workers: int) -> None:
        self._casino = casino
        self._worker, self._workers = worker, workers
        self._tasks: dict[str, asyncio.Task[None]] = {}
        #: how many tasks ended by an error and were begun again
        self.restarted = 0

    def wanted(self, table: str) -> bool:  # noqa: ARG002
        """Whether a table that is open now needs a task."""
        return True

    @abstractmethod
    async def run(self, table: str) -> None:
        """What the task does at a table."""

    def start(self) -> None:
        """Look at the tables that are open now, and at those that open later."""
        self._unwatch = self._casino.watch("*", self._see)
        for name in self._casino.tables:
            self._see(name)

    def _see(self, name: str) -> None:
        if name in self._tasks or name not in self._casino.tables:
            return
        # each table is one worker's
        if home_of(name, self._workers) == self._worker and self.wanted(name):
            self._tasks[name] = asyncio.create_task(self.run(name))

    def ensure(self) -> None:
        """Restart a table's task if it ended with an error; asyncio logs the error itself."""
        for name, task in tuple(self._tasks.items()):
            if task.done() and not task.cancelled():
                self.restarted += 1
                del self._tasks[name]
                self._see(name)

    async def stop(self) -> None:
        """Cancel every task."""
        self._unwatch()
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
