"""Compute slow figures in a separate process, so that no table waits for them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context, parent_process
from typing import Any


class Counting(Exception):
    """Raised while a figure is being computed; ask again in a moment."""


@cache
def _pool() -> ProcessPoolExecutor:
    # fresh processes: a fork would take the house's threads and open files with it
    return ProcessPoolExecutor(
        max_workers=2, mp_context=get_context("spawn"), initializer=_step_back
    )


def _step_back() -> None:
    """Run at low priority, and leave Ctrl-C to the main process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(AttributeError, OSError):
        os.nice(10)
    threading.Thread(target=_leave_with_the_house, daemon=True).start()


def _leave_with_the_house() -> None:
    house = parent_process()
    assert house is not None
    house.join()
    os._exit(0)


def _submitted(function: Callable[..., Any], *given: Any) -> Future[Any]:
    """Ask the processes for a result; others take the place of those of which one was killed."""
    try:
        return _pool().submit(function, *given)
    except BrokenExecutor:
        _pool.cache_clear()
        return _pool().submit(function, *given)


_asked: dict[tuple[Any, ...], asyncio.Future[Any]] = {}


async def counted(function: Callable[..., Any], *given: Any, patience: float = 0.7) -> Any:
    """The result of a function, computed once; raises `Counting` while it is not ready."""
    key = (function.__module__, function.__qualname__, *given)
    future = _asked.get(key)
    if future is None or (future.done() and future.exception() is not None):
        future = asyncio.wrap_future(_submitted(function, *given))
        # nobody may be waiting any more when it fails, as when the house closes
        future.add_done_callback(lambda done: done.cancelled() or done.exception())
        _asked[key] = future
    try:
        async with asyncio.timeout(patience):
            return await asyncio.shield(future)
    except (TimeoutError, BrokenExecutor):
        raise Counting from None


def stop() -> None:
    """Stop all computations."""
    if _pool.cache_info().currsize:
        pool = _pool()
        for process in (pool._processes or {}).values():  # noqa: SLF001 - no public way to end it
            process.terminate()
        pool.shutdown(wait=True, cancel_futures=True)
        _pool.cache_clear()
    _asked.clear()
