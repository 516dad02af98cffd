"""What is wrong with a layout: pieces that overlap or leave the felt."""

from __future__ import annotations

from functools import cache
from math import hypot

from overlaps import Piece, between_groups, within_group

from houseway.drawing import Layout
from houseway.drawing.layout.geometry import BACK, FELT, Box, Circle, Point, seat_turn
from houseway.drawing.layout.places import Place

#: outside the felt by intention: boxes that hang on the table's side
HUNG = {"drop_box", "tip_box"}


@cache
def positions(seats: int, places: tuple[Place, ...]) -> tuple[list[Piece], list[str]]:
    """The positions of a table and what is wrong among them; the same ones are looked at once."""
    pieces = []
    for seat in range(1, seats + 1):
        for place in places:
            assert isinstance(place.shape, Box | Circle)
            shape = place.shape.turn(seat_turn(seats, seat))
            pieces.append(Piece(f"seat-{seat}-{place.id}", shape.pieces()))
    wrong = [f"{a} and {b} overlap" for a, b in within_group(pieces)]
    wrong += [f"{p.name} leaves the felt" for p in pieces if not lies_on_felt(p)]
    return pieces, wrong


def on_felt(point: Point) -> bool:
    """Whether a point lies on the felt: a half disc and the strip before the dealer."""
    x, y = point
    return hypot(x, y) <= FELT if y >= 0 else abs(x) <= FELT and y >= -BACK


def lies_on_felt(piece: Piece) -> bool:
    return all(on_felt(point) for _, polygon in piece.parts for point in polygon)


def faults(layout: Layout) -> list[str]:
    """Everything wrong with a layout."""
    seats, found = positions(layout.seats, layout.position)
    others = [
        Piece(name, shape.pieces())
        for name, shape in layout.everything()
        # the insurance line is a ring; its lettering is looked at
        if not name.startswith("seat-") and name != "insurance"
    ]
    return [
        *found,
        *(
            f"{p.name} leaves the felt"
            for p in others
            if p.name not in HUNG and not lies_on_felt(p)
        ),
        *(f"{a} and {b} overlap" for a, b in within_group(others)),
        *(f"{a} and {b} overlap" for a, b in between_groups(others, seats)),
    ]
