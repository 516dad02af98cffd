"""Snapshots kept aside: nobody waits for the disk over what can always be folded again."""

from __future__ import annotations

import contextlib
import threading

from houseway.errors import Refused
from houseway.store.log import Log

#: seconds between two of them, in which appends have the disk for themselves
_PAUSE = 0.02


class Aside:
    """Keeps snapshots of `log` in a thread of its own; of one stream only the last that waits."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._waiting: dict[tuple[str, str], tuple[int, bytes, bytes]] = {}
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="houseway-aside", daemon=True)
        self._thread.start()

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
            # a record that takes no snapshot now is opened from an older one
            with contextlib.suppress(Refused):
                self._log.save_snapshot(stream, maker, *kept)
            with self._changed:
                self._changed.wait_for(lambda: self._closed, _PAUSE)

    def close(self) -> None:
        """Keep what waits, then stop."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()
