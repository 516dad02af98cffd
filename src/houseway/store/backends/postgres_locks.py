"""Names that one process holds: advisory locks of one session, which end with its connection.

No clock is involved. When a process is killed or cut off, its names are free as soon as the server
notices; until then nobody else can hold them. A process that wrongly believes it still holds a name
cannot overwrite what another has written: every append names the version it follows.
"""

from __future__ import annotations

import contextlib
import threading
from zlib import crc32

import psycopg

from houseway.store.backends.postgres_connections import Connections
from houseway.store.log import Unavailable

#: the first half of every key, 'hway'
_SPACE = 0x68776179


class SessionLocks:
    """The names held by this process."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._connection: psycopg.Connection | None = None
        self._names: frozenset[str] = frozenset()
        self._lock = threading.Lock()

    def holds(self, name: str) -> bool:
        return name in self._names

    def hold(self, name: str) -> bool:
        """Hold a name if nobody else does; two that share a key are held by one process or none."""
        with self._lock:
            try:
                if self._connection is None:
                    self._connection = self._connections.connect()
                key = crc32(name.encode()) - (1 << 31)
                row = self._connection.execute(
                    "select pg_try_advisory_lock(%s, %s)", (_SPACE, key)
                ).fetchone()
            except (psycopg.Error, Unavailable):
                self._lose()
                return False
            if row is None or not row[0]:
                return False
            self._names |= {name}
            return True

    def look(self) -> None:
        """Forget the names if the session has ended."""
        with self._lock:
            try:
                if self._connection is not None:
                    self._connection.execute("select 1")
            except psycopg.Error:
                self._lose()

    def _lose(self) -> None:
        self._names = frozenset()
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                # the session ends a moment after its connection
                with contextlib.suppress(psycopg.Error):
                    self._connection.execute("select pg_advisory_unlock_all()")
            self._lose()
