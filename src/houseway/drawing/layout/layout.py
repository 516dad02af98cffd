"""The layout of a chapter under chosen rules, in millimetres.

`lay_out` reads the areas, inscriptions and equipment that the chapter asks for and gives each its
place. A position is laid out once, straight below the dealer, and turned to every seat. Nothing is
drawn here; a test takes every combination of options and looks for two places that overlap.
"""

from __future__ import annotations

from functools import lru_cache

from houseway.drawing.layout.equipment import devices
from houseway.drawing.layout.geometry import Box, Circle, seat_width
from houseway.drawing.layout.inscription_layout import inscribe, insurance_words
from houseway.drawing.layout.inscriptions import in_force
from houseway.drawing.layout.places import Layout, Place
from houseway.drawing.layout.positions import (
    before_the_dealer,
    blackjack_position,
    kind_of,
    label_of,
    poker_position,
)
from houseway.errors import Refused
from houseway.law import Rules


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


@lru_cache(maxsize=64)
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
    areas = [area for area in rules.chapter.about.areas if in_force(rules, area.when)]
    at_position = [
        Place(a.id, kind_of(rules, a.id), Circle(0, 0, 0), label_of(rules, a.id), a.says, a.clause)
        for a in areas
        if a.at == "position"
    ]
    blackjack = any(a.id == "insurance" for a in areas)
    # never wider than on a table with six positions
    spread = seat_width(max(count, 6))
    if blackjack:
        position, inner = blackjack_position(at_position)
        ring: tuple[float, float] | None = (inner - 62, inner)
        inner -= 62
    else:
        position, inner = poker_position(rules, at_position, spread)
        ring = None
    table = before_the_dealer(rules, [(a.id, a.says, a.clause) for a in areas if a.at == "table"])
    stand = devices(rules)
    words, panels = inscribe(rules, house, table, inner - 14, signs)
    if ring:
        words = (*words, insurance_words(rules, ring))
        insured = next(a for a in areas if a.id == "insurance")
        box = Box(0, (ring[0] + ring[1]) / 2, 0, 0)
        table = (*table, Place("insurance", "bet", box, "", insured.says, insured.clause))
    return Layout(count, position, table, stand, words, panels, ring)
