"""Slow figures are computed in processes of their own, whatever happens to these."""

from __future__ import annotations

import asyncio
import operator
import os
import signal
from collections.abc import Iterator

import pytest

from houseway.web.server import background_compute
from houseway.web.server.background_compute import Counting, counted


@pytest.fixture(autouse=True)
def _processes() -> Iterator[None]:
    yield
    background_compute.stop()


def test_a_killed_process_is_replaced() -> None:
    """As when the system is short of memory: the page says that it counts, and the next answer is there."""

    async def asked() -> int:
        process = await counted(os.getpid, patience=60)
        os.kill(process, signal.SIGKILL)
        for _ in range(20):
            try:
                return await counted(operator.add, 1, 1, patience=60)
            except Counting:
                await asyncio.sleep(0.1)
        raise AssertionError("nothing is computed any more")

    assert asyncio.run(asked()) == 2
