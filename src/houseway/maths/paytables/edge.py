"""One paytable changed, its edge read at once: for designers and for searches."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, lru_cache

from houseway.errors import Refused
from houseway.law import Chapter, Paytable, chapter
from houseway.maths.game import MATHS, EdgeReader


@cache
def _chapter_of(wager: str, rows: frozenset[str]) -> str:
    """The first chapter with a table for this wager that has these rows, or any table for it."""
    known = [
        id for id in MATHS.chapters() if any(name == wager for name, _ in chapter(id).paytables)
    ]
    if not known:
        raise Refused("no_such_wager", f"no chapter has a paytable for {wager}", field="wager")
    for id in known:
        tables = chapter(id).paytable_data
        if rows <= {row.hand for data in tables if data.wager == wager for row in data.rows}:
            return id
    return known[0]


@lru_cache(maxsize=64)
def _reader(law: Chapter, wager: str, players: int | None, decks: int | None) -> EdgeReader | None:
    return MATHS.of(law).edge_reader(law, wager, players, decks)


def edge_of(
    table: Paytable, law: Chapter | str | None, players: int | None, decks: int | None
) -> Fraction:
    """The house edge of a paytable, everything else being as the chapter's defaults have it."""
    if not isinstance(law, Chapter):
        law = chapter(law or _chapter_of(table.wager, frozenset(table.pays)))
    reader = _reader(law, table.wager, players, decks)
    if reader is None:
        raise Refused(
            "depends_on_more",
            f"the edge of {table.wager} depends on more than its paytable; ask for its PAR sheet",
            field="wager",
        )
    return reader(table)
