"""PAR sheets as they are counted.

Most wagers are counted in a moment. Some are solved for every choice that a table has, some seconds
each the first time: the game of the usual table is counted first and shown at once, the others
follow while the page is read.
"""

from __future__ import annotations

import contextlib
from functools import lru_cache
from typing import NamedTuple

from houseway.law import chapter, choose
from houseway.maths.game import MATHS
from houseway.maths.sheet import Sheet, TogetherOut, WagerOut
from houseway.web.server.background_compute import Counting, counted


class SheetSoFar(NamedTuple):
    """The entries counted so far, in the order of the sheet, and how many of its games they are."""

    wagers: list[WagerOut]
    done: int = 1
    of: int = 1
    together: TogetherOut | None = None
    #: which of them a second program has recomputed; nothing while some are missing
    checked: tuple[str, ...] = ()


@lru_cache(maxsize=16)
def counted_sheet(id: str) -> list[WagerOut]:
    """The entries of a chapter's sheet that are counted in a moment."""
    from houseway.maths.par import Asked, entries_of, quick_wagers

    law = chapter(id)
    entries = [entry for one in quick_wagers(law) for entry in entries_of(Asked(law), one)]
    return Sheet(law, None, entries).out(confidence=True).wagers


@lru_cache(maxsize=16)
def counted_rest(id: str) -> tuple[TogetherOut | None, tuple[str, ...]]:
    """What is said of the sheet as a whole: the wagers together, and what was checked."""
    from houseway.maths.par import par

    out = par(id).out(confidence=True)
    return out.together, (out.checked,)


def counted_game(id: str, number: int) -> WagerOut:
    """One of the entries that are solved by themselves, or read from the cache."""
    law = chapter(id)
    return (
        Sheet(law, None, [MATHS.of(law).separate_entry(law, number)]).out(confidence=True).wagers[0]
    )


def games(id: str) -> int:
    """How many entries of a chapter are solved by themselves; the first is of the usual table."""
    law = chapter(id)
    return MATHS.of(law).separate_entries(law)


async def begin() -> None:
    """Count the usual games before somebody asks, so that their edge is there; once for the cache."""
    for id in MATHS.chapters():
        law = chapter(id)
        if games(id) and MATHS.of(law).missing(law, choose(law)):
            with contextlib.suppress(Counting):
                await usual_game(id, 0.01)


async def usual_game(id: str, patience: float) -> WagerOut:
    """The main wager at the usual table of a solved game; `Counting` while it is not there."""
    found: WagerOut = await counted(counted_game, id, 0, patience=patience)
    return found


async def sheet_of(id: str, patience: float = 5.0) -> SheetSoFar:
    """What is counted of a chapter's sheet; `Counting` while there is nothing to show yet."""
    if not games(id):
        wagers = await counted(counted_sheet, id, patience=patience)
        return SheetSoFar(wagers, 1, 1, *await counted(counted_rest, id, patience=patience))
    # all of it is begun, what is quick and the usual game first; only these are waited for
    others: list[WagerOut] = []
    solved: list[WagerOut] = []
    with contextlib.suppress(Counting):
        others = await counted(counted_sheet, id, patience=patience)
    for number in range(games(id)):
        with contextlib.suppress(Counting):
            wait = patience if number == 0 and not others else 0.01
            solved.append(await counted(counted_game, id, number, patience=wait))
    if not solved and not others:
        raise Counting
    if len(solved) < games(id):
        return SheetSoFar([*solved, *others], len(solved), games(id))
    rest: tuple[TogetherOut | None, tuple[str, ...]] = (None, ())
    with contextlib.suppress(Counting):
        rest = await counted(counted_rest, id, patience=patience)
    return SheetSoFar([*solved, *others], len(solved), games(id), *rest)
