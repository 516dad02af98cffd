"""Counting on several cores: the compiled kernels run without the interpreter's lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def side_by_side(make: Callable[[Given], Made], given: Iterable[Given]) -> list[Made]:
    """What is made of each, in order, as many at a time as there are cores."""
    each = list(given)
    if len(each) < 2:
        return [make(one) for one in each]
    with ThreadPoolExecutor(min(cores(), len(each))) as threads:
        return list(threads.map(make, each))
