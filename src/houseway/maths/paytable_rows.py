"""Which rows a paytable must have and may have."""

from __future__ import annotations

from houseway.law import Chapter
from houseway.maths.counts import BONUS, COVERED, FIVE
from houseway.maths.wagers import THREE_EXAMPLES, three_names

#: Tables that stand beside the one that is chosen, and are no choice themselves.
BESIDE = {("play", "not_qualified"), ("pair_bonus", "not_2")}


def rows_of(law: Chapter, wager: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The rows that some printed table of a wager has, and those that every one has."""
    tables = [
        [row.hand for row in data.rows]
        for data in law.paytable_data
        if data.wager == wager and (wager, data.id) not in BESIDE
    ]
    every = tuple(dict.fromkeys(hand for table in tables for hand in table))
    return every, tuple(hand for hand in every if all(hand in table for table in tables))


def possible(law: Chapter, wager: str) -> tuple[str, ...]:
    """The rows that can ever be paid: the names that the game gives, of those that are printed."""
    every, _ = rows_of(law, wager)
    three = {name for outcome in THREE_EXAMPLES for name in three_names(outcome)}
    names = {
        "five_card_progressive": set(FIVE),
        "bonus": set(BONUS),
        "cover_all": set(COVERED),
        "play": three,
        "bad_beat": three,
        "ante_bonus": three,
        "pair_plus": three,
        "progressive": three,
        "pair_bonus": three,
    }.get(wager)
    return tuple(hand for hand in every if names is None or hand in names)
