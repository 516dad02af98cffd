"""The layout of a chapter under chosen rules, in millimeters.

`lay_out` reads the areas, inscriptions and equipment that the chapter asks for and gives each its
place. A position is laid out once, straight below the dealer, and turned to every seat. Nothing is
drawn here; a test takes every combination of options and looks for two places that overlap.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from houseway.drawing.layout.equipment import devices
from houseway.drawing.layout.geometry import Box, seat_width
from houseway.drawing.layout.inscription_layout import inscribe, line_words
from houseway.drawing.layout.places import CommonLine, Layout
from houseway.drawing.layout.positions import (
    area_place,
    before_the_dealer,
    blackjack_position,
    poker_position,
)
from houseway.errors import Refused
from houseway.law import Rules
from houseway.law.required import required_areas


def seats_of(rules: Rules, wanted: int | None) -> int:
    """How many positions to draw: the chapter's number unless fewer are wanted."""
    most = rules.chapter.number("seats")
    if wanted is None:
        return most
    if not 1 <= wanted <= most:
        raise Refused(
            "too_many_seats",
            f"the table has 1 to {most} positions, not {wanted}",
            clause=rules.chapter.fact("seats").clause,
            field="seats",
        )
    return wanted


@lru_cache(maxsize=512)
def lay_out(
    rules: Rules,
    seats: int | None = None,
    house: str = "Houseway",
    signs: frozenset[str] = frozenset(),
) -> Layout:
    """The layout of a table that plays by these rules.

    `signs` are inscriptions that stand on a sign at the table, and so not on the felt.
    """
    count = seats_of(rules, seats)
    areas = required_areas(rules)
    at_position = [area_place(rules, area) for area in areas if area.at == "position"]
    # a wager that lies before the dealer, on a line that all positions share
    shared = next((a for a in areas if a.at == "table" and a.id in rules.chapter.wagers), None)
    # never wider than on a table with six positions
    spread = seat_width(max(count, 6))
    line = None
    if shared is not None:
        position, inner = blackjack_position(at_position)
        line = CommonLine(area_place(rules, shared), inner - 62, inner)
        inner = line.inner
    else:
        position, inner = poker_position(rules, at_position, spread)
    table = before_the_dealer(rules, [(a.id, a.says, a.clause) for a in areas if a.at == "table"])
    stand = devices(rules)
    words, panels = inscribe(rules, house, table, inner - 14, signs)
    if line is not None:
        words = (*words, line_words(rules, line))
        table = (*table, replace(line.place, shape=Box(0, line.middle, 0, 0), label=""))
    return Layout(count, position, table, stand, words, panels, line)
