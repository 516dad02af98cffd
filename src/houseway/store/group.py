"""Group commit: many tables append at once, and the disk is waited for once.

While one commit is on its way to the disk the appends that arrive wait; then all of them go
together. Each is still whole or not at all, and a conflict of one is its own.
"""

from __future__ import annotations

import queue
import threading
from concurrent.futures import Future

from houseway.store.event import Event, Write, checked
from houseway.store.log import Batch, Conflict, Log

_MOST = 1000


class Together:
    """Appends to `log` from any number of threads or tasks, in as few commits as possible."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._waiting: queue.SimpleQueue[tuple[Batch, Future[tuple[Event, ...]]] | None]
        self._waiting = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="houseway-commit", daemon=True)
        self._thread.start()

    def submit(self, *writes: Write) -> Future[tuple[Event, ...]]:
        """An append whose result comes when it is on disk; `asyncio.wrap_future` awaits it."""
        # what cannot go on record is refused here and spoils nobody else's commit
        checked(writes)
        future: Future[tuple[Event, ...]] = Future()
        self._waiting.put((writes, future))
        return future

    def append(self, *writes: Write) -> tuple[Event, ...]:
        return self.submit(*writes).result()

    def _run(self) -> None:
        while True:
            group = []
            entry = self._waiting.get()
            while entry is not None:
                if entry[1].set_running_or_notify_cancel():
                    group.append(entry)
                if len(group) == _MOST or self._waiting.empty():
                    break
                entry = self._waiting.get()
            self._commit(group)
            if entry is None:
                return

    def _commit(self, group: list[tuple[Batch, Future[tuple[Event, ...]]]]) -> None:
        if not group:
            return
        try:
            outcomes = self._log.append_all([batch for batch, _ in group])
        except Exception as error:  # noqa: BLE001 - each waiting append gets the error
            for _, future in group:
                future.set_exception(error)
            return
        for (_, future), outcome in zip(group, outcomes, strict=True):
            if isinstance(outcome, Conflict):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)

    def close(self) -> None:
        """Commit what waits, then stop."""
        self._waiting.put(None)
        self._thread.join()
