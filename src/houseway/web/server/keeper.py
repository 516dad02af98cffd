"""Keeps the record while a house is open: anchors, checks on a schedule, and what they found."""

from __future__ import annotations

import asyncio
import contextlib
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
        self.last = started
        #: what could not be done, such as an anchor that could not be written
        self.trouble: Refused | None = None
        self._task: asyncio.Task[None] | None = None
        self.restarted = 0

    def ensure(self) -> None:
        """Restart the task if it ended with an error; asyncio logs the error itself."""
        if self._task is not None and self._task.done() and not self._task.cancelled():
            self.restarted += 1
            self.start()

    def start(self) -> None:
        if self._casino.log.keys is not None:
            self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._task is None:
            return
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        await self._try(self.anchor)

    async def _run(self) -> None:
        await self._try(self._software)
        left = 0.0 if self.last is not None and self.last.what != "every event" else integrity.WHOLE
        while True:
            await self._try(self.anchor)
            await asyncio.sleep(integrity.ANCHORS)
            left -= integrity.ANCHORS
            if left <= 0:
                left = integrity.WHOLE
                await self._try(self.check)
                await self._try(self._software)

    async def _try(self, what: object) -> None:
        try:
            await asyncio.to_thread(what)  # type: ignore[arg-type]
            self.trouble = None
        except Refused as refusal:
            self.trouble = refusal

    def _software(self) -> None:
        integrity.check_software(self._casino.log)

    def anchor(self) -> None:
        keys = self._casino.log.keys
        if keys is not None:
            integrity.anchor_now(self._casino.log, keys, self._second)

    def check(self) -> None:
        """Check the whole record, and record what was found."""
        self.last = integrity.check_whole(self._casino.log)
        integrity.put_on_record(self._casino.log, self.last)

    @property
    def well(self) -> bool:
        return (self.last is None or self.last.well) and self.trouble is None
