"""Many lines answered by several processes, in their order and with bounded memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from houseway.errors import Refused

T = TypeVar("T")
R = TypeVar("R")
#: lines that travel to a process together
CHUNK = 500


def in_parallel(function: Callable[[list[T]], R], items: Iterable[T], cores: int) -> Iterator[R]:
    """What a function of a module says of each chunk of items, in their order.

    Where the items cannot be read on, that is refused after all before them are answered.
    """
    if cores < 1:
        raise Refused("no_cores", "at least one core is needed", field="cores")
    if cores == 1:
        # each is answered as it comes
        yield from (function([item]) for item in items)
        return
    from concurrent.futures import Future, ProcessPoolExecutor

    waiting: deque[Future[R]] = deque()
    faults: list[Refused] = []
    with ProcessPoolExecutor(max_workers=cores) as pool:
        for chunk in _chunks(iter(items), faults):
            waiting.append(pool.submit(function, chunk))
            if len(waiting) > 2 * cores:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    if faults:
        raise faults[0]


def _chunks(items: Iterator[T], faults: list[Refused]) -> Iterator[list[T]]:
    """The items in chunks; where they cannot be read on, those before that, and the fault."""
    chunk: list[T] = []
    try:
        for item in items:
            chunk.append(item)
            if len(chunk) == CHUNK:
                yield chunk
                chunk = []
    except Refused as fault:
        faults.append(fault)
    if chunk:
        yield chunk
