"""The names of a table's streams on the record, in one place."""

from __future__ import annotations

#: every table's own stream begins with this
PREFIX = "table/"


def stream(table: str) -> str:
    """The stream of a table."""
    return PREFIX + table
