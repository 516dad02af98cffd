"""Track who has a table's page open, so that the others do not wait long for somebody who left.

A player whose last page of a table has been closed for a moment is away, and that is on record with
the people, so that every worker knows it. The house waits only briefly for a decision of somebody
who is away, and bets are closed without waiting for their wager. Whoever acts or opens the page
again is back. A program has no page and is never away.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from houseway.floor.casino import Casino

#: seconds without a page after which somebody is away: longer than a reload or a lost connection
GRACE = 10.0
#: seconds without a press after which nobody sits before an open page
IDLE = 600.0
#: seconds without an answer after which a page's connection has stalled; pages answer every five
STALLED = 12.0


class Presence:
    """The pages open at this worker, and what follows from their closing."""

    def __init__(self, casino: Casino, *, grace: float = GRACE) -> None:
        self._casino = casino
        self._grace = grace
        self._open: Counter[tuple[str, str]] = Counter()
        self._known: frozenset[tuple[str, str]] = frozenset()
        self._tasks: set[asyncio.Task[None]] = set()
        #: when a page last said that it hears the house
        self._answered: dict[tuple[str, str], float] = {}
        #: when somebody with an open page last acted there, or opened it
        self._acted: dict[tuple[str, str], float] = {}

    def start(self) -> None:
        self._known = self._casino.people.away
        self._unwatch = self._casino.watch("people", lambda _: self._heard())

    async def stop(self) -> None:
        """Stop tracking when the house closes, without marking anybody as away."""
        self._unwatch()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @contextmanager
    def at(self, table: str, person: str) -> Iterator[None]:
        """While somebody has a page of a table open."""
        self._open[table, person] += 1
        self.seen(table, person)
        try:
            yield
        finally:
            self._open[table, person] -= 1
            if not self._open[table, person]:
                del self._open[table, person]
                self._answered.pop((table, person), None)
                self._acted.pop((table, person), None)
                self._later(self._leave(table, person))

    def heard(self, table: str, person: str) -> None:
        """Note that a page has answered: its connection works in both directions."""
        if self._open[table, person]:
            self._answered[table, person] = monotonic()

    def is_stalled(self, table: str, person: str) -> bool:
        """Whether somebody has a page open that has stopped answering."""
        last = self._answered.get((table, person))
        return last is not None and self._open[table, person] > 0 and monotonic() - last > STALLED

    def is_idle(self, table: str, person: str) -> bool:
        """Whether somebody has a page open and has done nothing there for long."""
        last = self._acted.get((table, person))
        return last is not None and monotonic() - last > IDLE

    def seen(self, table: str, person: str) -> None:
        """Note that somebody acted at a table or opened its page."""
        if self._open[table, person]:
            self._acted[table, person] = monotonic()
        if (table, person) in self._casino.people.away:
            self._later(self._write(table, person, away=False))

    def _later(self, coroutine: object) -> None:
        task = asyncio.ensure_future(coroutine)  # type: ignore[call-overload]
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _leave(self, table: str, person: str) -> None:
        await asyncio.sleep(self._grace)
        gone = not self._open[table, person]
        if gone and table in self._casino.tables and self._casino.seat_of(table, person):
            await self._write(table, person, away=True)

    async def _write(self, table: str, person: str, *, away: bool) -> None:
        await asyncio.to_thread(self._casino.people.set_away, table, person, away=away)
        self._heard()

    def _heard(self) -> None:
        """Handle somebody's leaving or return, here or at another worker."""
        before, now = self._known, self._casino.people.away
        self._known = now
        for table, person in before ^ now:
            self._casino.tell(table)
            if (table, person) in now and self._open[table, person]:
                # another worker saw a page close; there is one open here
                self.seen(table, person)
