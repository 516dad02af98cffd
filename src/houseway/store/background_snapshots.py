"""Snapshots written in the background, so that no command waits for the disk."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING

from houseway.errors import Refused
from houseway.store.log import Log

if TYPE_CHECKING:
    from houseway.store.security.house_keys import HouseKeys

#: seconds between two snapshots, in which appends have the disk to themselves
_PAUSE = 0.02


class BackgroundSnapshots:
    """Writes snapshots of `log` in a thread of its own; only the last one waiting for each stream."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._waiting: dict[tuple[str, str], tuple[int, bytes, bytes]] = {}
        self._changed = threading.Condition()
        self._closed = False
        self.restarted = 0
        self._start()

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="houseway-aside", daemon=True)
        self._thread.start()

    def ensure(self) -> None:
        """Replace the thread if it has died."""
        if not self._thread.is_alive() and not self._closed:
            self.restarted += 1
            self._start()

    @property
    def keys(self) -> HouseKeys | None:
        return self._log.keys

    def save_snapshot(
        self, stream: str, maker: str, version: int, hash: bytes, state: bytes
    ) -> None:
        with self._changed:
            self._waiting[stream, maker] = (version, hash, state)
            self._changed.notify()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                if not self._waiting:
                    return
                (stream, maker), kept = self._waiting.popitem()
            # if no snapshot can be written now, the record is opened from an older one
            with contextlib.suppress(Refused):
                self._log.save_snapshot(stream, maker, *kept)
            with self._changed:
                self._changed.wait_for(lambda: self._closed, _PAUSE)

    def close(self) -> None:
        """Write what is waiting, then stop."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()
