"""A log of who viewed restricted data and who downloaded it.

One stream, `access`, beside that of the people. A download is on record before its first byte goes
out. A look is written once in a while for the same person and thing: whoever steps through a round
or follows a table has looked at it once.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from weakref import WeakValueDictionary

from houseway.floor import clock
from houseway.floor.people.directory import monotonic_of
from houseway.store import Log, New, Write, retrying

ACCESS = "access"
LOOKED, TAKEN, NOT_LET_IN = "looked", "taken", "not_let_in"
REFUSED, PROBING, SIGNED = "refused", "probing", "signed"

#: seconds during which repeated views count as one
SAME = 600.0
_MOST = 10_000
#: how many of the latest entries are read for those of the last minute
_BACK = 2000
_LONGEST = 160
#: refusals of one person in a minute: how many are recorded, and how many count as probing
WRITTEN, MANY = 40, 30


class Access:
    """The views and downloads of one house, as this worker records them."""

    def __init__(self, log: Log, *, slow: bool = True) -> None:
        self._log = log
        #: whether people who are refused repeatedly have to wait
        self.slow = slow
        self._lock = threading.Lock()
        self._lately: dict[tuple[str, str, str], float] = {}
        #: when each person was refused, at any worker, and how far the stream was read for it
        self._refused: dict[str, deque[float]] = {}
        self._at = 0
        #: held by whoever waits for the answer to a refused command, by person
        self.turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def is_new(self, person: str, what: str, of: str = "") -> bool:
        """Whether this view would be recorded: the same one was not recorded recently."""
        at = self._lately.get((person, what, _short(of)))
        return at is None or time.monotonic() - at > SAME

    def looked(self, person: str, what: str, of: str = "") -> None:
        """Record that somebody viewed restricted data."""
        with self._lock:
            if self.is_new(person, what, of):
                self._write(LOOKED, person, what, of)
                if len(self._lately) >= _MOST:
                    self._lately.clear()
                self._lately[person, what, _short(of)] = time.monotonic()

    def taken(self, person: str, what: str, of: str) -> None:
        """Record that somebody downloaded a file."""
        with self._lock:
            self._write(TAKEN, person, what, of)

    def refused(self, person: str, what: str, of: str) -> float:
        """A command that was refused; the seconds that its sender waits for the answer.

        Somebody who is refused again and again is flagged once in a while and answered later and
        later. The number recorded for one person in a minute is limited.
        """
        with self._lock:
            self._catch_up()
            now = time.monotonic()
            lately = self._refused.setdefault(person, deque())
            while lately and lately[0] < now - 60:
                lately.popleft()
            if len(lately) < WRITTEN:
                self._write(REFUSED, person, what, of)
                self._catch_up()
            else:
                lately.append(now)
            if len(lately) < MANY:
                return 0.0
            if self.is_new(person, PROBING):
                self._write(PROBING, person, "", str(len(lately)))
                self._catch_up()
            return self.slow * min(0.05 * 2.0 ** min(len(lately) - MANY, 10), 2.0)

    def _catch_up(self) -> None:
        """Count what any worker refused."""
        if len(self._refused) >= _MOST:
            self._refused.clear()
        self._at = max(self._at, self._log.head(ACCESS).version - _BACK)
        for event in self._log.read(ACCESS, self._at):
            self._at = event.version
            person = event.actor
            if event.kind == REFUSED:
                self._refused.setdefault(person, deque()).append(monotonic_of(event.time))
            elif event.kind == PROBING:
                self._lately[person, PROBING, ""] = monotonic_of(event.time)

    def signed(self, person: str, what: str, of: str) -> None:
        """Record that somebody signed for another person's act."""
        with self._lock:
            self._write(SIGNED, person, what, of)

    def not_let_in(self, person: str, address: str) -> None:
        """Record a wrong password for a known name."""
        with self._lock:
            self._write(NOT_LET_IN, person, "", address)

    def _write(self, kind: str, person: str, what: str, of: str) -> None:
        body = {"person": person, "what": what, "of": _short(of)}

        def decide() -> list[Write]:
            at = self._log.head(ACCESS).version
            return [Write(ACCESS, at, (New(kind, body, person, clock.now()),))]

        # many are refused at once, at all workers: each of them is written
        retrying(self._log, decide, attempts=50)


def _short(text: str) -> str:
    return " ".join(text.split())[:_LONGEST]
