"""Group commit: many tables append at once, with a single wait for the disk.

While one commit is on its way to the disk the appends that arrive wait; then all of them go
together. Each is still whole or not at all, and a conflict of one is its own.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from concurrent.futures import Future
from typing import TypeAlias

from houseway.store.event import Batch, Event, Write, checked
from houseway.store.log import Conflict, Log, Unavailable

_MOST = 1000
#: short beside a sync, long beside the work of a table between two appends
_MOMENT = 0.001

_Entry: TypeAlias = tuple[Batch, Future[tuple[Event, ...]]]


class GroupCommitter:
    """Appends to `log` from any number of threads or tasks, in as few commits as possible."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._waiting: queue.SimpleQueue[_Entry | None] = queue.SimpleQueue()
        self.restarted = 0
        self._closed = False
        self._start()

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="houseway-commit", daemon=True)
        self._thread.start()

    def ensure(self) -> None:
        """Replace the thread if it has died."""
        if not self._thread.is_alive() and not self._closed:
            self.restarted += 1
            self._start()

    def submit(self, *writes: Write) -> Future[tuple[Event, ...]]:
        """An append whose result comes when it is on disk; `asyncio.wrap_future` awaits it."""
        # what cannot be recorded is refused here and does not spoil the others' commit
        batch = checked(*writes)
        future: Future[tuple[Event, ...]] = Future()
        self.ensure()
        self._waiting.put((batch, future))
        return future

    def append(self, *writes: Write) -> tuple[Event, ...]:
        return self.submit(*writes).result()

    def _run(self) -> None:
        before = 1
        while (entry := self._waiting.get()) is not None:
            group = [entry]
            # as many as came the last time are likely to come again: wait a moment for them
            until = time.monotonic() + _MOMENT
            while len(group) < _MOST:
                left = until - time.monotonic() if len(group) < before else 0
                try:
                    entry = (
                        self._waiting.get(timeout=left) if left > 0 else self._waiting.get_nowait()
                    )
                except queue.Empty:
                    break
                if entry is None:
                    break
                group.append(entry)
            before = len(group)
            try:
                self._commit(group)
            except BaseException as error:
                # this thread ends, and itself begins the one that takes its place: an append that
                # came meanwhile waits in the queue, and nobody else would look for it
                for one in group:
                    with contextlib.suppress(Exception):
                        one[1].set_exception(
                            Unavailable(
                                "record_unreachable", f"the events were not saved ({error})"
                            )
                        )
                if entry is not None:
                    self.restarted += 1
                    self._start()
                raise
            if entry is None:
                return

    def _commit(self, group: list[_Entry]) -> None:
        # a caller that gave up before the commit began has nothing on record
        group = [entry for entry in group if entry[1].set_running_or_notify_cancel()]
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
        self._closed = True
        self._waiting.put(None)
        self._thread.join()
