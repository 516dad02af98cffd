"""Short ways to write what tests append."""

from __future__ import annotations

from typing import Any

from houseway.store import Log, New, Write

NOON = "2026-03-01T12:00:00Z"


def new(number: int = 0, **more: Any) -> New:
    body = {"number": number, **more}
    return New(kind="counted", body=body, actor="dealer ann", time=NOON)


def write(stream: str, expected: int, *numbers: int) -> Write:
    return Write(stream, expected, tuple(new(number) for number in numbers))


def fill(log: Log, stream: str, count: int) -> None:
    at = log.head(stream).version
    log.append(write(stream, at, *range(at + 1, at + count + 1)))
