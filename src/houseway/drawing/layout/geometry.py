"""The table in millimeters, and the shapes that lie on it.

A blackjack-shaped table, 1830 by 1070: a half disc towards the players and a straight strip towards
the dealer. The origin is the middle of the half disc's straight side; x grows to the right and y
towards the players, as a player across from the dealer sees it. Angles are degrees from the x axis
towards the players, so seat 1, farthest to the dealer's left, is at the right-hand end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import asin, atan, cos, degrees, radians, sin

Point = tuple[float, float]

#: radius of the felt, depth of the strip before the dealer, width of the rail
FELT = 822.0
BACK = 155.0
RAIL = 93.0
#: what lies outside the table in a picture: the boxes on the dealer's side, some air
ABOVE = 78.0
AIR = 26.0
#: degrees kept clear at both ends of the half disc
_ENDS = 4.5


def polar(radius: float, angle: float) -> Point:
    """The point at a distance from the origin in a direction."""
    return radius * cos(radians(angle)), radius * sin(radians(angle))


def turned(point: Point, angle: float) -> Point:
    """A point turned about the origin."""
    x, y = point
    c, s = cos(radians(angle)), sin(radians(angle))
    return x * c - y * s, x * s + y * c


@dataclass(frozen=True, slots=True)
class Circle:
    x: float
    y: float
    radius: float

    def turn(self, angle: float) -> Circle:
        return Circle(*turned((self.x, self.y), angle), self.radius)

    def pieces(self) -> tuple[tuple[Point, ...], ...]:
        """Convex polygons that cover the shape."""
        outer = self.radius / cos(radians(7.5))
        return (
            tuple(
                (self.x + dx, self.y + dy)
                for dx, dy in (polar(outer, a) for a in range(0, 360, 15))
            ),
        )


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle about its center, turned by an angle."""

    x: float
    y: float
    width: float
    height: float
    angle: float = 0

    def turn(self, angle: float) -> Box:
        x, y = turned((self.x, self.y), angle)
        return Box(x, y, self.width, self.height, self.angle + angle)

    def pieces(self) -> tuple[tuple[Point, ...], ...]:
        w, h = self.width / 2, self.height / 2
        corners = ((-w, -h), (w, -h), (w, h), (-w, h))
        return (
            tuple(
                (self.x + dx, self.y + dy) for dx, dy in (turned(c, self.angle) for c in corners)
            ),
        )


@dataclass(frozen=True, slots=True)
class Band:
    """A piece of a ring: where a line of lettering lies. Its center is on the y axis."""

    inner: float
    outer: float
    middle: float
    half: float
    center: float = 0

    def pieces(self) -> tuple[tuple[Point, ...], ...]:
        steps = max(2, int(self.half * 2 / 4) + 1)
        edges = [self.middle - self.half + 2 * self.half * i / steps for i in range(steps + 1)]
        # the outer edge is a chord of a slightly larger ring, so that the piece covers the arc
        outer = self.outer / cos(radians(self.half / steps))
        return tuple(
            (
                self._at(self.inner, a),
                self._at(outer, a),
                self._at(outer, b),
                self._at(self.inner, b),
            )
            for a, b in pairwise(edges)
        )

    def _at(self, radius: float, angle: float) -> Point:
        x, y = polar(radius, angle)
        return x, y + self.center


Shape = Circle | Box | Band


def between(left: float, top: float, right: float, bottom: float) -> Box:
    """A box that is not turned, by its edges."""
    return Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)


def seat_angle(seats: int, seat: int) -> float:
    """The direction of a seat; seat 1 is farthest to the dealer's left, the picture's right."""
    return _ENDS + seat_width(seats) * (seat - 0.5)


def seat_turn(seats: int, seat: int) -> float:
    """How far a position drawn straight below the dealer is turned to lie at its seat."""
    return seat_angle(seats, seat) - 90


def seat_width(seats: int) -> float:
    """The degrees that one position has."""
    return (180 - 2 * _ENDS) / seats


def row_of_boxes(sizes: Sequence[Point], inner: float, gap: float) -> list[Box]:
    """Boxes side by side on a ring, their near sides at `inner`, left to right, centered below.

    Each lies within its own wedge, so neighbors never touch.
    """
    wedges = [degrees(2 * atan(width / 2 / inner)) for width, _ in sizes]
    between_them = degrees(gap / inner)
    at = 90 + (sum(wedges) + between_them * (len(sizes) - 1)) / 2
    boxes = []
    for (width, height), wedge in zip(sizes, wedges, strict=True):
        middle = at - wedge / 2
        boxes.append(Box(*polar(inner + height / 2, middle), width, height, middle - 90))
        at -= wedge + between_them
    return boxes


def row_of_circles(radii: Sequence[float], center: float, gap: float) -> list[Circle]:
    """Circles side by side on a ring, left to right, centered below."""
    wedges = [degrees(2 * asin(radius / center)) for radius in radii]
    between_them = degrees(gap / center)
    at = 90 + (sum(wedges) + between_them * (len(radii) - 1)) / 2
    circles = []
    for radius, wedge in zip(radii, wedges, strict=True):
        circles.append(Circle(*polar(center, at - wedge / 2), radius))
        at -= wedge + between_them
    return circles
