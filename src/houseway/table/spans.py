"""Spans: from which moment of a round to which something can be discovered.

An irregularity declares its span once, for every game. Its ends are moments that every game can
place on its `round_line` (`TableGame.moments`), or phases of a family's own line. The engine derives
the phases in between. An interruption (a cut in mid-round, hands being put right after a wrong
light) stands at the place of the line where the round goes on afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from houseway.table.state import Table

if TYPE_CHECKING:
    from houseway.table.game import TableGame

#: the moments that a span can name in any game, and the phase in which each lies by default
MOMENTS: Mapping[str, str] = {
    #: the bets are closed, and no card is dealt yet
    "bets_closed": "chips",
    "first_card": "dealing",
    #: the last phase in which a card is drawn for a hand
    "last_card": "dealing",
    #: the last phase in which the shoe holds cards of the round
    "shoe_in_use": "stub",
    #: the last phase before the dealer's hidden cards are shown
    "reveal": "revealing",
    "settlement": "settling",
    "end": "clearing",
}


class Span(NamedTuple):
    """A stretch of a round: the moments with which it begins and ends, both included."""

    first: str
    last: str


#: from the first card until the round is cleared away
WHOLE_ROUND = Span("first_card", "end")
#: while cards are drawn for hands
DRAWING = Span("first_card", "last_card")
#: from the close of the bets, while cards are awaited
CARDS_TO_COME = Span("bets_closed", "last_card")
#: until the dealer's hidden cards are shown
BEFORE_REVEAL = Span("first_card", "reveal")
#: from the close of the bets, while the shoe holds cards that the round may need
SHOE_IN_USE = Span("bets_closed", "shoe_in_use")


def phases_of(game: TableGame, span: Span) -> frozenset[str]:
    """The phases of a game's line that a span covers."""
    first, last = (_place(game, end) for end in span)
    if first > last:
        raise TypeError(f"{type(game).__name__}: {span} ends before it begins")
    return frozenset(game.round_line[first : last + 1])


def _place(game: TableGame, end: str) -> int:
    phase = game.moments.get(end, end)
    if phase not in game.round_line:
        raise TypeError(f"{type(game).__name__} has no moment {end!r} on its round_line")
    return game.round_line.index(phase)


def place(game: TableGame, table: Table) -> str:
    """Where on its line a round stands; in an interruption, the phase in which it goes on.

    Between rounds it is the table's phase, which is on no line.
    """
    if not table.hands or table.phase in game.round_line:
        return table.phase
    return next((phase for phase in table.resume.split() if phase in game.round_line), table.phase)
