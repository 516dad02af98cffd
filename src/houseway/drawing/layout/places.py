"""What a layout is made of: places, lines of lettering, tables of payouts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import degrees
from typing import Literal

from houseway.drawing.layout.geometry import Band, Box, Shape, seat_turn
from houseway.drawing.layout.inscriptions import Panel
from houseway.drawing.lettering import width
from houseway.drawing.pieces.cards import HEIGHT, WIDTH

Kind = Literal["wager", "sensor", "cards", "hand", "device", "box", "panel", "words"]

#: air between a card and the edge of the area that holds it
_PAD = 4.0
#: how tall an area for cards is
HAND = HEIGHT + 2 * _PAD


@dataclass(frozen=True, slots=True)
class Place:
    """Something with a place of its own on the table."""

    id: str
    kind: Kind
    shape: Shape
    label: str = ""
    says: str = ""
    clause: str = ""
    #: how many cards lie in it side by side before they overlap
    cards: int = 0
    #: of a betting area: 0 for the game's first wager, 1 for what is figured with it, 2 for others
    rank: int = 2


@dataclass(frozen=True, slots=True)
class Words:
    """A line of lettering on an arc: its baseline's radius, its size."""

    id: str
    words: str
    radius: float
    size: float
    bold: bool
    spacing: float
    clause: str
    #: how far above the origin the arc's center is: the lines before the dealer are flatter
    center: float = 0

    @property
    def band(self) -> Band:
        length = width(self.words, self.size, bold=self.bold, spacing=self.spacing)
        half = degrees(length / self.radius / 2)
        inner, outer = self.radius - self.size * 0.74, self.radius + self.size * 0.23
        return Band(inner, outer, 90, half, self.center)


@dataclass(frozen=True, slots=True)
class CommonLine:
    """A ring across all positions on which a wager is laid, such as insurance."""

    place: Place
    inner: float
    outer: float

    @property
    def middle(self) -> float:
        return (self.inner + self.outer) / 2


@dataclass(frozen=True, slots=True)
class PlacedPanel:
    """A table of payouts, its place, and the size of its lettering."""

    panel: Panel
    box: Box
    size: float
    columns: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """A whole layout. `position` is the one straight below the dealer."""

    seats: int
    position: tuple[Place, ...]
    table: tuple[Place, ...]
    devices: tuple[Place, ...]
    words: tuple[Words, ...]
    panels: tuple[PlacedPanel, ...]
    #: the line that a wager of every position is laid on, where there is one
    line: CommonLine | None = None

    def turn(self, seat: int) -> float:
        return seat_turn(self.seats, seat)

    def at(self, id: str) -> Place | None:
        """A place of the position or of the table."""
        return next((p for p in (*self.position, *self.table, *self.devices) if p.id == id), None)

    def everything(self) -> Iterator[tuple[str, Shape]]:
        """Every shape where it lies, to look for overlaps."""
        for seat in range(1, self.seats + 1):
            for place in self.position:
                shape = place.shape
                assert not isinstance(shape, Band)
                yield f"seat-{seat}-{place.id}", shape.turn(self.turn(seat))
        for place in (*self.table, *self.devices):
            yield place.id, place.shape
        for words in self.words:
            yield words.id, words.band
        for placed in self.panels:
            yield f"panel-{placed.panel.wager}", placed.box


def hand_size(cards: int, step: float = WIDTH + 3) -> tuple[float, float]:
    """The size of an area that holds this many cards, each one step from the last."""
    return WIDTH + step * (cards - 1) + 2 * _PAD, HAND
