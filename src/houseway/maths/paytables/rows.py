"""Which rows a paytable must have and may have."""

from __future__ import annotations

from houseway.law import Chapter
from houseway.maths.game import MATHS


def rows_of(law: Chapter, wager: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The rows that some printed table of a wager has, and those that every one has."""
    fixed = MATHS.of(law).fixed_tables
    tables = [
        [row.hand for row in data.rows]
        for data in law.paytable_data
        if data.wager == wager and data.id not in fixed
    ]
    every = tuple(dict.fromkeys(hand for table in tables for hand in table))
    return every, tuple(hand for hand in every if all(hand in table for table in tables))


def possible(law: Chapter, wager: str) -> tuple[str, ...]:
    """The printed rows that can be paid: those whose names the game gives to hands."""
    every, _ = rows_of(law, wager)
    names = MATHS.of(law).row_names(law, wager)
    return tuple(hand for hand in every if names is None or hand in names)
