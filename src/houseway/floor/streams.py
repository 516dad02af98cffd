"""The names of a table's streams on the record, in one place."""

from __future__ import annotations

from zlib import crc32

#: every table's own stream begins with this
PREFIX = "table/"


def stream(table: str) -> str:
    """The stream of a table."""
    return PREFIX + table


def home_of(table: str, workers: int) -> int:
    """The worker that a table has its home at: there it is decided and drawn."""
    return crc32(table.encode()) % workers
