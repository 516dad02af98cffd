"""PAR sheets as they are counted.

Most chapters are counted in a moment. Down Under is a solution for every number of decks and every
reading, some seconds each the first time: the game of the usual table is counted first and shown
at once, the others follow while the page is read.
"""

from __future__ import annotations

import contextlib
from functools import lru_cache
from typing import NamedTuple

from houseway.law import DOWN_UNDER, chapter, choose
from houseway.maths.sheet import Sheet, WagerOut
from houseway.web.server.background_compute import Counting, counted


class SheetSoFar(NamedTuple):
    """The entries counted so far, in the order of the sheet, and how many of its games they are."""

    wagers: list[WagerOut]
    done: int = 1
    of: int = 1


@lru_cache(maxsize=16)
def counted_sheet(id: str) -> list[WagerOut]:
    """A chapter's sheet, every wager and paytable; the bet of Down Under is counted by the game."""
    from houseway.maths.par import Asked, entries_of, wager_ids

    law = chapter(id)
    wagers = [one for one in wager_ids(law) if (id, one) != (DOWN_UNDER, "bet")]
    entries = [entry for one in wagers for entry in entries_of(Asked(law), one)]
    return Sheet(law, None, entries).out().wagers


def counted_game(number: int) -> WagerOut:
    """One game of Down Under: its bet, solved or read from the cache."""
    from houseway.games.down_under.maths.entries import entry_of
    from houseway.games.down_under.maths.figures import games
    from houseway.maths.par import Asked

    law = chapter(DOWN_UNDER)
    return Sheet(law, None, [entry_of(Asked(law), list(games())[number])]).out().wagers[0]


@lru_cache(maxsize=1)
def _usual() -> tuple[int, ...]:
    """The numbers of Down Under's games, the one of the usual table first."""
    from houseway.games.down_under.maths.figures import games
    from houseway.games.down_under.maths.variant import variant_of

    usual = variant_of(choose(DOWN_UNDER))
    found = list(games())
    return tuple(sorted(range(len(found)), key=lambda number: found[number] != usual))


async def begin() -> None:
    """Count the usual game before somebody asks, so that its edge is there; once for the cache."""
    from houseway.games.down_under.maths.figures import missing

    if missing(choose(DOWN_UNDER)):
        with contextlib.suppress(Counting):
            await usual_game(0.01)


async def usual_game(patience: float) -> WagerOut:
    """The bet of Down Under at the usual table; `Counting` while it is not there."""
    found: WagerOut = await counted(counted_game, _usual()[0], patience=patience)
    return found


async def sheet_of(id: str, patience: float = 5.0) -> SheetSoFar:
    """What is counted of a chapter's sheet; `Counting` while there is nothing to show yet."""
    if id != DOWN_UNDER:
        return SheetSoFar(await counted(counted_sheet, id, patience=patience))
    # all of it is begun, what is quick and the usual game first; only these are waited for
    others: list[WagerOut] = []
    games: dict[int, WagerOut] = {}
    with contextlib.suppress(Counting):
        others = await counted(counted_sheet, id, patience=patience)
    for at, number in enumerate(_usual()):
        with contextlib.suppress(Counting):
            wait = patience if at == 0 and not others else 0.01
            games[number] = await counted(counted_game, number, patience=wait)
    if not games and not others:
        raise Counting
    bets = [games[number] for number in sorted(games)]
    return SheetSoFar([*bets, *others], len(games), len(_usual()))
