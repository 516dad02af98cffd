"""Keeps the record while a house is open: anchors, checks on a schedule, and what they found.

One worker does that. What it found is on the record, so that every worker can tell.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path

from houseway.errors import Refused
from houseway.floor import integrity
from houseway.floor.casino import Casino
from houseway.floor.integrity import Checked


class Keeper:
    """The checks of one house. `last` is what the last one found."""

    def __init__(self, casino: Casino, started: Checked | None = None, anchors: str = "") -> None:
        self._casino = casino
        self._second = Path(anchors) if anchors else None
        self._last = started
        #: what could not be done here, by what it was
        self._troubles: dict[str, Refused] = {}
        self._task: asyncio.Task[None] | None = None
        self.restarted = 0

    def ensure(self) -> None:
        """Restart the task if it ended with an error; asyncio logs the error itself."""
        if self._task is not None and self._task.done() and not self._task.cancelled():
            self.restarted += 1
            self.start()

    def start(self) -> None:
        if self._casino.log.keys is not None:
            self._troubles |= integrity.troubles(self._casino.log)
            self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._task is None:
            return
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        await self._try("an anchor", self.anchor)

    async def _run(self) -> None:
        await self._try("the software", self._software)
        last = self._last
        left = 0.0 if last is not None and last.what != "every event" else integrity.WHOLE
        while True:
            await self._try("an anchor", self.anchor)
            await asyncio.sleep(integrity.ANCHORS)
            left -= integrity.ANCHORS
            if left <= 0:
                left = integrity.WHOLE
                await self._try("the whole record", self.check)
                await self._try("the software", self._software)

    async def _try(self, what: str, do: Callable[[], None]) -> None:
        try:
            await asyncio.to_thread(do)
        except Exception as error:  # noqa: BLE001 - whatever it was, it is told and tried again
            if not isinstance(error, Refused):
                error = Refused("not_checked", f"{what}: {error!r}")
            before = self._troubles.get(what)
            self._troubles[what] = error
            if before is None:
                await self._tell(what, error.message)
        else:
            if self._troubles.pop(what, None) is not None:
                await self._tell(what, "")

    async def _tell(self, what: str, says: str) -> None:
        """Put on record that something could not be done, or can be done again."""
        with contextlib.suppress(Refused):
            await asyncio.to_thread(integrity.put_trouble, self._casino.log, what, says)

    def _software(self) -> None:
        integrity.check_software(self._casino.log)

    def anchor(self) -> None:
        keys = self._casino.log.keys
        if keys is not None:
            integrity.anchor_next(self._casino.log, keys, self._second)

    def check(self) -> None:
        """Check the whole record, and record what was found."""
        self._last = integrity.check_whole(self._casino.log)
        integrity.put_on_record(self._casino.log, self._last)

    @property
    def last(self) -> Checked | None:
        """What the last check found, by whichever worker."""
        found = integrity.last_check(self._casino.log)
        own = self._last
        return found if found is not None and (own is None or found.time > own.time) else own

    @property
    def trouble(self) -> Refused | None:
        """What could not be done, such as an anchor that could not be written, by any worker."""
        found = self._troubles if self._task is not None else integrity.troubles(self._casino.log)
        return next(iter(found.values()), None)
