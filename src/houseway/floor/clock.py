"""The current time. No other module reads the clock.

Time runs by the machine's monotonic clock, from the wall clock at the start. A wall clock that is set
back changes nothing: time goes on as before. One that is set forward, as after the machine slept, is
followed, but brings no deadline nearer (`steady`). Either step is kept until somebody puts it on the record (`steps`).
"""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

#: a smaller difference between the two clocks is not a step
_TOLERANCE = timedelta(seconds=2)


class Step(NamedTuple):
    """The wall clock was set: what it should have shown, and what it showed."""

    expected: str
    shown: str


class Clock:
    """A wall clock that never runs back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wall, self._monotonic = _wall(), time.monotonic()
        #: how far the wall clock is behind, since it was set back
        self._behind = timedelta()
        self._steps: list[Step] = []
        #: when the wall clock was set forward, and by how many seconds
        self._jumps: list[tuple[datetime, float]] = []

    def now(self) -> datetime:
        with self._lock:
            wall = _wall()
            expected = self._wall + timedelta(seconds=time.monotonic() - self._monotonic)
            step = wall - (expected - self._behind)
            if abs(step) <= _TOLERANCE:
                return expected
            self._steps.append(Step(text(expected - self._behind), text(wall)))
            if wall >= expected:
                self._jumps.append((expected, (wall - expected).total_seconds()))
                self._wall, self._monotonic = wall, time.monotonic()
                self._behind = timedelta()
                return wall
            self._behind = expected - wall
            return expected

    def steady(self, at: datetime) -> float:
        """A time in seconds of a scale without jumps: differences are the time that really passed."""
        with self._lock:
            return at.timestamp() + sum(jump for when, jump in self._jumps if at <= when)

    def steps(self) -> list[Step]:
        """The steps that were not asked for yet."""
        with self._lock:
            found, self._steps = self._steps, []
        return found


def _wall() -> datetime:
    return datetime.now(UTC)


_CLOCK = Clock()


def now() -> str:
    """The moment in UTC, as the record writes it: `2026-01-31T21:05:09.250Z`."""
    return text(_CLOCK.now())


def later(seconds: float) -> str:
    """The time this many seconds from now."""
    return text(_CLOCK.now() + timedelta(seconds=seconds))


def steady(at: str) -> float:
    """A time on the record, for a deadline: no step of the wall clock makes it come earlier."""
    return _CLOCK.steady(datetime.fromisoformat(at))


def steps() -> list[Step]:
    """How the wall clock was set since this was last asked."""
    return _CLOCK.steps()


def text(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
