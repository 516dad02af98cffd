"""Whether two shapes overlap: convex pieces and separating axes, nothing of the drawing's own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

Point = tuple[float, float]
Polygon = Sequence[Point]


Bounds = tuple[float, float, float, float]


def bounds(polygon: Polygon) -> Bounds:
    xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
    return min(xs), min(ys), max(xs), max(ys)


def apart(a: Bounds, b: Bounds) -> bool:
    return a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def _separated(first: Polygon, second: Polygon) -> bool:
    """Whether an edge of the first has all of the second on its far side."""
    for (x1, y1), (x2, y2) in zip(first, (*first[1:], first[0]), strict=True):
        nx, ny = y2 - y1, x1 - x2
        mine = [nx * x + ny * y for x, y in first]
        theirs = [nx * x + ny * y for x, y in second]
        if max(mine) <= min(theirs) or max(theirs) <= min(mine):
            return True
    return False


def polygons_overlap(first: Polygon, second: Polygon) -> bool:
    if apart(bounds(first), bounds(second)):
        return False
    return not _separated(first, second) and not _separated(second, first)


class Piece:
    """A named shape as convex polygons, with the bounds of each and of all."""

    def __init__(self, name: str, polygons: Sequence[Polygon]) -> None:
        self.name = name
        self.parts = [(bounds(polygon), polygon) for polygon in polygons]
        self.bounds = bounds([point for polygon in polygons for point in polygon])

    def overlaps(self, other: Piece) -> bool:
        if apart(self.bounds, other.bounds):
            return False
        return any(
            not apart(a, b) and not _separated(p, q) and not _separated(q, p)
            for a, p in self.parts
            for b, q in other.parts
        )


def between_groups(first: Iterable[Piece], second: Sequence[Piece]) -> list[tuple[str, str]]:
    """Pairs of names, one from each group, whose shapes overlap."""
    return [(one.name, other.name) for one in first for other in second if one.overlaps(other)]


def within_group(group: Sequence[Piece]) -> list[tuple[str, str]]:
    """Pairs of names in one group whose shapes overlap."""
    return [(one.name, two.name) for one, two in combinations(group, 2) if one.overlaps(two)]
