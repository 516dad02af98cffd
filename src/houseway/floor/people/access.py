"""Who looked into what is not for everybody, and who took what away.

One stream, `access`, beside that of the people. A download is on record before its first byte goes
out. A look is written once in a while for the same person and thing: whoever steps through a round
or follows a table has looked at it once.
"""

from __future__ import annotations

import threading
import time

from houseway.floor import clock
from houseway.store import Log, New, Write, retrying

ACCESS = "access"
LOOKED, TAKEN, NOT_LET_IN = "looked", "taken", "not_let_in"

#: seconds in which the same look is the same
SAME = 600.0
_MOST = 10_000
_LONGEST = 160


class Access:
    """The looks and downloads of one house, as this worker writes them."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._lock = threading.Lock()
        self._lately: dict[tuple[str, str, str], float] = {}

    def is_new(self, person: str, what: str, of: str = "") -> bool:
        """Whether this look would be written: it was not, for a while."""
        at = self._lately.get((person, what, _short(of)))
        return at is None or time.monotonic() - at > SAME

    def looked(self, person: str, what: str, of: str = "") -> None:
        """Somebody looked at what not everybody may see."""
        with self._lock:
            if self.is_new(person, what, of):
                self._write(LOOKED, person, what, of)
                if len(self._lately) >= _MOST:
                    self._lately.clear()
                self._lately[person, what, _short(of)] = time.monotonic()

    def taken(self, person: str, what: str, of: str) -> None:
        """Somebody took a file away."""
        with self._lock:
            self._write(TAKEN, person, what, of)

    def not_let_in(self, person: str, address: str) -> None:
        """Somebody tried a wrong password in a known name."""
        with self._lock:
            self._write(NOT_LET_IN, person, "", address)

    def _write(self, kind: str, person: str, what: str, of: str) -> None:
        body = {"person": person, "what": what, "of": _short(of)}

        def decide() -> list[Write]:
            at = self._log.head(ACCESS).version
            return [Write(ACCESS, at, (New(kind, body, person, clock.now()),))]

        retrying(self._log, decide)


def _short(text: str) -> str:
    return " ".join(text.split())[:_LONGEST]
