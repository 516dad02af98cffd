"""The clause key: a number at everything the chapter asks for, and a list with its clause."""

from __future__ import annotations

from math import ceil

from houseway.drawing.layout.geometry import FELT, RAIL, Band, Box, Shape, polar, turned
from houseway.drawing.layout.places import Layout
from houseway.drawing.lettering import fitted, line, width
from houseway.drawing.svg import group, num
from houseway.drawing.theme import Theme
from houseway.law import Rules

_COLUMNS = 2
_ROW = 27.0
_TITLE = 84.0


def entries(rules: Rules, layout: Layout) -> list[tuple[str, str, tuple[float, float]]]:
    """What has a clause: what it is, the clause, where its number stands."""
    found = []
    seat = (layout.seats + 1) // 2
    for place in layout.position:
        if place.clause:
            at = turned(_corner(place.shape), layout.turn(seat))
            found.append((f"{place.label or place.says} (each position)", place.clause, at))
    for place in (*layout.table, *layout.devices):
        if place.clause:
            name = place.label or place.id.replace("_", " ")
            found.append((f"{name}: {place.says}", place.clause, _corner(place.shape)))
    for words in layout.words:
        if words.clause:
            band = words.band
            # beside the line's left end
            x, y = polar((band.inner + band.outer) / 2, band.middle + band.half + 950 / band.outer)
            found.append((f"“{words.words}”", words.clause, (x, y + band.centre)))
    posted = next((i.clause for i in rules.chapter.about.inscriptions if i.id == "payouts"), "")
    for placed in layout.panels:
        panel = placed.panel
        clause = f"{posted}, {panel.clause}" if posted else panel.clause
        found.append((f"{panel.title} pays", clause, _corner(placed.box)))
    return found


def _corner(shape: Shape) -> tuple[float, float]:
    """Where a number stands beside a shape without hiding it."""
    if isinstance(shape, Band):
        return polar(shape.outer, shape.middle)
    if isinstance(shape, Box):
        if not shape.width:
            return -shape.y * 0.94, shape.y * 0.34
        dx, dy = turned((-shape.width / 2 + 4, -shape.height / 2 + 4), shape.angle)
        return shape.x + dx, shape.y + dy
    return shape.x - shape.radius * 0.72, shape.y - shape.radius * 0.72


def marks(rules: Rules, layout: Layout, prefix: str) -> str:
    """The numbers on the picture."""
    return group(
        "".join(
            f'<circle cx="{num(x)}" cy="{num(y)}" r="12"/>'
            f'<text x="{num(x)}" y="{num(y + 5)}" font-size="14" text-anchor="middle">{at}</text>'
            for at, (_, _, (x, y)) in enumerate(entries(rules, layout), 1)
        ),
        id=f"{prefix}key",
        cls="key sans",
    )


def key_height(rules: Rules, layout: Layout) -> float:
    """How much the list makes the picture taller."""
    return _TITLE + _ROW * ceil(len(entries(rules, layout)) / _COLUMNS) + 20


def legend(rules: Rules, layout: Layout, top: float, theme: Theme, prefix: str) -> str:
    """The list below the table, with a scale bar."""
    listed = entries(rules, layout)
    rows = ceil(len(listed) / _COLUMNS)
    left, wide = -(FELT + RAIL), 2 * (FELT + RAIL)
    column = wide / _COLUMNS
    about = rules.chapter.about
    parts = [
        line(f"{about.game}, {about.jurisdiction}: what the layout must have", left, top + 26, 27,
             cls="out", bold=True),
        line(f"{about.citation}, edition {about.edition}", left, top + 54, 17, cls="out quiet"),
        _scale(FELT + RAIL - 500, top + 34, theme),
    ]  # fmt: skip
    for at, (name, clause, _) in enumerate(listed):
        x, y = left + column * (at // rows), top + _TITLE + _ROW * (at % rows)
        size = 17.0
        cite = fitted(clause, size, column * 0.3)
        words = _cut(name, size, column * 0.66 - 34)
        parts.append(
            group(
                f'<circle cx="{num(x + 12)}" cy="{num(y - 5)}" r="12"/><text x="{num(x + 12)}" '
                f'y="{num(y)}" font-size="14" text-anchor="middle">{at + 1}</text>',
                cls="key sans",
            )
            + line(words, x + 32, y, size, cls="out")
            + line(clause, x + column - 18, y, cite, cls="out quiet", anchor="end")
        )
    return group("".join(parts), id=f"{prefix}legend")


def _cut(words: str, size: float, room: float) -> str:
    """Words shortened to their room."""
    if width(words, size) <= room:
        return words
    while width(words + "…", size) > room:
        words = words[:-1]
    return words.rstrip(" ,.:;") + "…"


def _scale(x: float, y: float, theme: Theme) -> str:
    """A bar of 500 mm."""
    ticks = "".join(f"M{num(x + at * 100)} {num(y - 6)}v12" for at in range(6))
    return (
        f'<path d="M{num(x)} {num(y)}h500{ticks}" stroke="{theme.room_ink}" stroke-width="2" '
        'fill="none"/>'
        + line("0", x, y + 24, 14, cls="out", anchor="middle")
        + line("500 mm", x + 500, y + 24, 14, cls="out", anchor="end")
    )
