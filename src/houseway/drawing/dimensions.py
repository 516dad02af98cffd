"""Dimension lines: the overall size, the spacing of positions and the height of lettering on the
layout, and one position in detail with its circles and areas. All in millimeters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import atan2, cos, degrees, hypot, radians, sin, sqrt

from houseway.drawing.layout.geometry import AIR, BACK, FELT, RAIL, Band, Box, Circle, Shape
from houseway.drawing.layout.inscription_layout import LEADING, TITLE, head_rows, two_lines
from houseway.drawing.layout.places import Layout, PlacedPanel, Words
from houseway.drawing.lettering import arc, fitted, line, on_arc, width
from houseway.drawing.svg import group, num, picture, rotated
from houseway.drawing.theme import style, theme_of

#: the room that dimension lines need beside and above a table
BESIDE, ABOVE = 102.0, 84.0
#: a capital of the serif in multiples of its size
CAPITAL = 0.662
_SIZE = 15.0
_HEAD = 9.0


def letter_height(words: Words | PlacedPanel) -> float:
    """How tall the capitals of an inscription are."""
    return words.size * CAPITAL


def size_text(shape: Shape) -> str:
    """The size of an area: a diameter, or width and depth."""
    if isinstance(shape, Circle):
        return f"Ø {2 * shape.radius:.0f}"
    if isinstance(shape, Box) and shape.width:
        return f"{shape.width:.0f} × {shape.height:.0f}"
    return ""


# ---- on the layout --------------------------------------------------------------------------


def dimension_lines(layout: Layout, prefix: str = "") -> str:
    """The dimension lines of a whole layout."""
    out = FELT + RAIL
    left, top = -out - 40, -BACK - 100
    foot = -sqrt(out**2 - FELT**2) - 6  # outside the rail at the height of the felt's edge
    parts = [
        _across(-FELT, FELT, top, f"felt {2 * FELT:,.0f}", from_y=-BACK - 6),
        _across(-out, out, top - 36, f"table with its rail {2 * out:,.0f}", from_y=-BACK - 6),
        _upright(-BACK, FELT, left, f"felt {FELT + BACK:,.0f}", from_x=(-out - 6, foot)),
        _upright(-BACK, out, left - 36, f"table {out + BACK:,.0f}", from_x=(-out - 6, -30.0)),
        *_spacing(layout, prefix),
        *_letters(layout),
        *_panel_letters(layout),
    ]
    return _marks(parts, f"{prefix}dimensions")


def _marks(parts: Iterable[str], id: str = "") -> str:
    ink = theme_of("paper").next
    body = "".join(parts)
    head = f'<g id="{id}"' if id else "<g"
    return f'{head} fill="{ink}" stroke="{ink}" stroke-width="0">{body}</g>'


def _path(d: str, weight: float = 1.2) -> str:
    return f'<path d="{d}" fill="none" stroke-width="{num(weight)}"/>'


def _head(x: float, y: float, towards: float) -> str:
    """An arrowhead with its point at x, y; `towards` is where it points, in degrees."""
    inside = f"M0 0L{num(-_HEAD)} -3.2V3.2Z"
    return f'<path d="{inside}" transform="{rotated(x, y, towards)}"/>'


def _across(x1: float, x2: float, y: float, says: str, *, from_y: float) -> str:
    """A dimension from left to right at a height, with lines up to it from what it measures."""
    past = -5 if y < from_y else 5
    ticks = "".join(f"M{num(x)} {num(from_y)}V{num(y + past)}" for x in (x1, x2))
    middle, half = (x1 + x2) / 2, width(says, _SIZE) / 2 + 6
    narrow = x2 - x1 < 2 * half + 2 * _HEAD
    if narrow:  # the figure stands above its line
        bar = f"M{num(x1)} {num(y)}H{num(x2)}"
        words = line(says, middle, y - 5, _SIZE, anchor="middle")
    else:
        bar = f"M{num(x1)} {num(y)}H{num(middle - half)}M{num(middle + half)} {num(y)}H{num(x2)}"
        words = line(says, middle, y + 5, _SIZE, anchor="middle")
    return _path(ticks, 0.7) + _path(bar) + _head(x1, y, 180) + _head(x2, y, 0) + words


def _upright(
    y1: float, y2: float, x: float, says: str, *, from_x: tuple[float, float]
) -> str:  # fmt: skip
    """A dimension from top to bottom, read from the right; it may be shorter than its figure."""
    ticks = "".join(
        f"M{num(start)} {num(y)}H{num(x - 5)}" for y, start in zip((y1, y2), from_x, strict=True)
    )
    middle, half = (y1 + y2) / 2, width(says, _SIZE) / 2 + 6
    if y2 - y1 < 2 * half + 2 * _HEAD:
        bar = f"M{num(x)} {num(y1)}V{num(y2)}"
        words = line(says, x - 6, middle + 5, _SIZE, anchor="end")
    else:
        bar = f"M{num(x)} {num(y1)}V{num(middle - half)}M{num(x)} {num(middle + half)}V{num(y2)}"
        words = group(
            line(says, 0, 5, _SIZE, anchor="middle"), turn=rotated(x, middle, -90)
        )  # fmt: skip
    return _path(ticks, 0.7) + _path(bar) + _head(x, y1, -90) + _head(x, y2, 90) + words


def spacing(layout: Layout) -> float | None:
    """How far the middles of two positions are apart along the edge of the felt."""
    if layout.seats < 2:
        return None
    return FELT * radians(abs(layout.turn(2) - layout.turn(1)))


def _spacing(layout: Layout, prefix: str) -> list[str]:
    """Two positions on the rail, and how far they are apart."""
    apart = spacing(layout)
    if apart is None:
        return []
    last = layout.turn(layout.seats)
    half = abs(last - layout.turn(layout.seats - 1)) / 2
    radius = FELT + 66
    says = f"{apart:,.0f} along the felt’s edge"
    room = 2 * radius * radians(half) - 2 * _HEAD - 30
    size = fitted(says, _SIZE, room)
    free = half - degrees((width(says, size) / 2 + 8) / radius)
    parts = ""
    for side in (1, -1):
        tick = _path(f"M0 {num(FELT + 4)}V{num(radius + 8)}", 0.7)
        head = _head(0, radius, 180 if side > 0 else 0)
        parts += group(tick + head, turn=f"rotate({num(side * half)})")
        parts += _path(arc(radius, 90 + side * (half - free / 2), free / 2))
    parts += on_arc(says, radius + size * 0.32, size, id=f"{prefix}dimension-spacing", cls="")
    return [group(parts, turn=rotated(0, 0, last - half))]


def _bar(tall: float) -> str:
    """A short upright line with feet, its lower end at the origin."""
    return _path(f"M-4 0H4M0 0V{num(-tall)}M-4 {num(-tall)}H4")


def _sizes(lines: Sequence[Words]) -> list[Words]:
    """One line for each height of lettering, the shortest: at its end there is most room."""
    found: dict[str, Words] = {}
    for one in sorted(lines, key=lambda one: one.band.half):
        found.setdefault(f"{letter_height(one):.0f}", one)
    return list(found.values())


def height_numbers(layout: Layout) -> list[tuple[Words, float, tuple[float, float], Box]]:
    """Where the height of a line's capitals is written: the line, its turn, the place, its box.

    The mark is at the right-hand end of the line, its number where nothing else stands: beside it,
    else above it, else below it.
    """
    found: list[tuple[Words, float, tuple[float, float], Box]] = []
    taken: list[Box] = []
    for words in _sizes(layout.words):
        tall = letter_height(words)
        turn = -(words.band.half + degrees(9 / words.radius))
        wide = width(f"{tall:.0f}", _SIZE)
        ways = ((7 + wide / 2, -tall / 2 + 5), (0.0, -tall - 5), (0.0, 15.0))
        there = [Box(*_turned(words, turn, x, y - 5), wide + 8, 16, turn) for x, y in ways]
        shapes: list[Shape] = [*(placed.box for placed in layout.panels), *taken]
        shapes += [other.band for other in layout.words if other is not words]
        free = [at for at, box in enumerate(there) if not any(touches(box, one) for one in shapes)]
        at = free[0] if free else 0
        found.append((words, turn, ways[at], there[at]))
        taken += [there[at], Box(*_turned(words, turn, 0, -tall / 2), 8, tall, turn)]
    return found


def _letters(layout: Layout) -> list[str]:
    """The heights of the capitals at the right-hand ends of lines."""
    found = []
    for words, turn, (x, y), _ in height_numbers(layout):
        tall = letter_height(words)
        mark = _bar(tall) + line(f"{tall:.0f}", x, y, _SIZE, anchor="middle")
        inside = group(mark, turn=rotated(0, words.radius))
        found.append(group(inside, turn=rotated(0, words.center, turn)))
    return found


def _turned(words: Words, turn: float, x: float, y: float) -> tuple[float, float]:
    """A point beside the arc of a line, as it lies on the table."""
    c, s = cos(radians(turn)), sin(radians(turn))
    return x * c - (words.radius + y) * s, words.center + x * s + (words.radius + y) * c


def touches(box: Box, other: Shape) -> bool:
    """Whether a corner, an edge's middle or the center of a box lies in another shape."""
    c, s = cos(radians(box.angle)), sin(radians(box.angle))
    points = [
        (box.x + x * c - y * s, box.y + x * s + y * c)
        for x in (-box.width / 2, 0, box.width / 2)
        for y in (-box.height / 2, 0, box.height / 2)
    ]
    return any(_inside(other, point) for point in points)


def _panel_letters(layout: Layout) -> list[str]:
    """The height of the capitals of the payout tables, at the first side that is free."""
    for placed in layout.panels:
        box, tall = placed.box, letter_height(placed)
        top = box.y - box.height / 2
        head = head_rows(placed.panel)
        y = top + placed.size * (TITLE + LEADING * (head + 1) - 0.3)
        for side in (1, -1):
            x = box.x + side * (box.width / 2 + 8)
            room = [
                (x + side * step, y + down) for step in (-4, 4, 14, 24) for down in (4, -8, -20)
            ]
            if not any(_inside(shape, point) for _, shape in layout.everything() for point in room):
                words = line(f"{tall:.0f}", side * 7, -tall / 2 + 5, _SIZE,
                             anchor="start" if side > 0 else "end")  # fmt: skip
                return [group(_bar(tall) + words, turn=rotated(x, y))]
    return []


def _inside(shape: Shape, point: tuple[float, float]) -> bool:
    x, y = point
    if isinstance(shape, Circle):
        return hypot(x - shape.x, y - shape.y) <= shape.radius + 3
    if isinstance(shape, Band):
        if not shape.inner <= hypot(x, y - shape.center) <= shape.outer:
            return False
        return abs(degrees(atan2(x, y - shape.center))) <= shape.half
    dx, dy = x - shape.x, y - shape.y
    c, s = cos(radians(-shape.angle)), sin(radians(-shape.angle))
    return (
        abs(dx * c - dy * s) <= shape.width / 2 + 2 and abs(dx * s + dy * c) <= shape.height / 2 + 2
    )


# ---- one position ---------------------------------------------------------------------------


def position_detail(layout: Layout) -> str:
    """One position with the size of its circles and areas and how far apart they are, as an SVG."""
    theme = theme_of("paper")
    circles = [p for p in layout.position if isinstance(p.shape, Circle)]
    boxes = [p for p in layout.position if isinstance(p.shape, Box) and p.shape.width]
    rows = _rows([p.shape for p in circles if isinstance(p.shape, Circle)])
    shapes = [place.shape for place in (*circles, *boxes)]
    assert all(not isinstance(shape, Band) for shape in shapes)
    corners = [point for shape in shapes for piece in shape.pieces() for point in piece]
    left, right = min(x for x, _ in corners), max(x for x, _ in corners)
    high = min(y for _, y in corners)
    ground = "".join(_area(place.shape, place.label, circle=True) for place in circles)
    for place in boxes:
        assert isinstance(place.shape, Box)
        # lines to the dimensions: up from the row nearest the dealer, down from the others
        passing = [
            circle.x for at, row in enumerate(rows) for circle in row
            if (circle.y < place.shape.y) == (at > 0)
        ]  # fmt: skip
        ground += _area(place.shape, place.label or "Cards", circle=False, passing=passing)
    wide = max(-left, right) + 14
    ground += f'<path class="line" d="{arc(FELT, 90, degrees(wide / FELT))}"/>'
    parts = []
    # how far the middles of a row are apart: the row nearest the dealer above, the others below
    for at, row in enumerate(rows):
        y = high - 26 if at == 0 else FELT + 30 * at
        for one, other in pairwise(row):
            edge = one.y + (-one.radius if at == 0 else one.radius)
            parts.append(_across(one.x, other.x, y, f"{other.x - one.x:.0f}", from_y=edge))
    # how far each is from the edge of the felt, which is lowest straight below the dealer
    levels = sorted({round(row[0].y, 1) for row in rows}, reverse=True)
    near = {round(row[0].y, 1): min(one.x for one in row) for row in rows}
    for at, y in enumerate(levels):
        x = left - 34 - 34 * at
        parts.append(_upright(y, FELT, x, f"{FELT - y:.0f}", from_x=(near[y], -wide)))
    most = 34 * len(levels) + 34
    top, foot = high - 58, FELT + 30 * max(len(rows) - 1, 0) + 40
    # beside the end of the edge, where no dimension line passes
    beside = [
        line(part, wide + 5, FELT - wide**2 / FELT / 2 + drop, 12, anchor="start")
        for part, drop in (("edge of", -2), ("the felt", 11))
    ]
    body = f"<style>{style(theme)}</style>" + ground + _marks([*parts, *beside])
    frame = left - most
    return picture(
        wide + 5 + width("the felt", 12) + AIR - frame, foot - top, body, title="One position in detail", left=frame, top=top,
        cls="felt paper",
    )  # fmt: skip


def _rows(circles: list[Circle]) -> list[list[Circle]]:
    """Circles side by side, the row nearest the dealer first, each from left to right."""
    rows: list[list[Circle]] = []
    for circle in sorted(circles, key=lambda one: one.y):
        if rows and abs(rows[-1][0].y - circle.y) < 30:
            rows[-1].append(circle)
        else:
            rows.append([circle])
    return [sorted(row, key=lambda one: one.x) for row in rows]


def _area(shape: Shape, label: str, *, circle: bool, passing: Sequence[float] = ()) -> str:
    """An area, its name and its size inside it, beside the lines that pass through it."""
    if circle:
        assert isinstance(shape, Circle)
        x, y, r = shape.x, shape.y, shape.radius
        names = [part for part in two_lines(label) if part]
        size = min(fitted(part, 12, r * 1.45) for part in names)
        named = "".join(
            line(part, x, y - 6 - size * 1.05 * (len(names) - 1 - at), size, cls="label",
                 anchor="middle")
            for at, part in enumerate(names)
        )  # fmt: skip
        across = (
            _path(f"M{num(x - r)} {num(y)}H{num(x + r)}", 0.8) + _head(x - r, y, 180) + _head(x + r, y, 0)
            + line(size_text(shape), x, y + 17, _SIZE, anchor="middle")
        )  # fmt: skip
        return (
            f'<circle class="bet" cx="{num(x)}" cy="{num(y)}" r="{num(r)}"/>'
            + named
            + _marks([across])
        )
    assert isinstance(shape, Box)
    half = shape.width / 2
    edges = [-half, *sorted(x - shape.x for x in passing if abs(x - shape.x) < half), half]
    left, right = max(pairwise(edges), key=lambda gap: (round(gap[1] - gap[0], 1), -gap[0]))
    size, aside = fitted(label, 12, right - left - 8), (left + right) / 2
    told = size_text(shape)
    inside = (
        f'<rect class="place" x="{num(-shape.width / 2)}" y="{num(-shape.height / 2)}" '
        f'width="{num(shape.width)}" height="{num(shape.height)}" rx="7"/>'
        + line(label, aside, -6, size, cls="label", anchor="middle")
        + _marks([line(told, aside, 16, fitted(told, _SIZE, right - left - 8), anchor="middle")])
    )
    return group(inside, turn=rotated(shape.x, shape.y, shape.angle))
