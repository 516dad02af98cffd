"""The clause key: a number at everything the chapter asks for, and a list with its clause."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from houseway.drawing.dimensions import letter_height, size_text
from houseway.drawing.layout.geometry import FELT, RAIL, Band, Box, Shape, polar, turned
from houseway.drawing.layout.places import Layout
from houseway.drawing.lettering import fitted, line
from houseway.drawing.svg import group, num
from houseway.drawing.theme import Theme
from houseway.law import Rules

_COLUMNS = 2
_ROW = 27.0
_TITLE = 84.0


class KeyEntry(NamedTuple):
    """One number of the key: what it is, the clause, where the number stands, how large it is."""

    name: str
    clause: str
    at: tuple[float, float]
    size: str = ""
    #: the device, by its id on the layout
    device: str = ""
    #: of the ring around the number; between lines of lettering there is less room
    radius: float = 12.0


def entries(rules: Rules, layout: Layout) -> list[KeyEntry]:
    """What has a clause, and every device."""
    found = []
    seat = (layout.seats + 1) // 2
    for place in layout.position:
        if place.clause:
            at = turned(_corner(place.shape), layout.turn(seat))
            name = f"{place.label or place.says} (each position)"
            found.append(KeyEntry(name, place.clause, at, size_text(place.shape)))
    for place in layout.table:
        if place.clause:
            name = place.label or place.id.replace("_", " ").capitalize()
            found.append(
                KeyEntry(f"{name}: {place.says}", place.clause, _corner(place.shape),
                         size_text(place.shape))
            )  # fmt: skip
    for place in layout.devices:
        clause = place.clause or _chosen_clause(rules, place.id)
        x, y = _corner(place.shape)
        name = f"{place.label}: {place.says}" if place.says else place.label
        found.append(
            KeyEntry(name, clause, (x, y - 6), size_text(place.shape), place.id)
        )  # fmt: skip
    for words in layout.words:
        # the operator's name is on every felt, asked for or not
        if words.clause or words.id == "name":
            band = words.band
            # beside the line's left end
            x, y = polar((band.inner + band.outer) / 2, band.middle + band.half + 950 / band.outer)
            size = f"letters {letter_height(words):.0f}"
            radius = min(12.0, (band.outer - band.inner) * 0.6)
            found.append(
                KeyEntry(f"“{words.words}”", words.clause, (x, y + band.center), size, "", radius)
            )
    posted = next((i.clause for i in rules.chapter.about.inscriptions if i.id == "payouts"), "")
    for placed in layout.panels:
        panel = placed.panel
        clause = ", ".join(dict.fromkeys(filter(None, (posted, *panel.clauses))))
        x, y = _corner(placed.box)
        size = f"letters {letter_height(placed):.0f}"
        found.append(KeyEntry(f"{panel.title} pays", clause, (x - 16, y), size))
    return found


#: devices whose clause is that of an option
_OPTION_OF = {"dealing_shoe": "dealing", "stub": "dealing", "shuffler": "shuffler"}


def _chosen_clause(rules: Rules, device: str) -> str:
    """The clause of the choice that brings a device, where the chapter asks for none by itself."""
    option = rules.chapter.options.get(_OPTION_OF.get(device, ""))
    if option is None:
        return ""
    chosen = next((one for one in option.choices if one.value == rules[option.id]), None)
    return (chosen.clause if chosen else "") or option.clause


def _corner(shape: Shape) -> tuple[float, float]:
    """Where a number stands beside a shape without hiding it."""
    if isinstance(shape, Band):
        return polar(shape.outer, shape.middle)
    if isinstance(shape, Box):
        if not shape.width:
            return -shape.y * 0.94, shape.y * 0.34
        dx, dy = turned((-shape.width / 2 + 4, -shape.height / 2 + 4), shape.angle)
        return shape.x + dx, shape.y + dy
    return shape.x - shape.radius * 0.86, shape.y - shape.radius * 0.86


def marks(rules: Rules, layout: Layout, prefix: str) -> str:
    """The numbers on the picture."""
    parts = []
    for number, one in enumerate(entries(rules, layout), 1):
        (x, y), r = one.at, one.radius
        parts.append(
            f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(r)}"/><text x="{num(x)}" '
            f'y="{num(y + r * 0.42)}" font-size="{num(r * 1.17)}" text-anchor="middle">{number}</text>'
        )
    return group("".join(parts), id=f"{prefix}key", cls="key sans")


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
        scale_bar(FELT + RAIL - 500, top + 34, theme),
    ]  # fmt: skip
    for at, (name, clause, *_) in enumerate(listed):
        x, y = left + column * (at // rows), top + _TITLE + _ROW * (at % rows)
        size = 17.0
        cite = fitted(clause, size, column * 0.3)
        room = column * 0.66 - 34
        fits = fitted(name, size, room)
        parts.append(
            group(
                f'<circle cx="{num(x + 12)}" cy="{num(y - 5)}" r="12"/><text x="{num(x + 12)}" '
                f'y="{num(y)}" font-size="14" text-anchor="middle">{at + 1}</text>',
                cls="key sans",
            )
            + line(name, x + 32, y, fits, cls="out")
            + line(clause, x + column - 18, y, cite, cls="out quiet", anchor="end")
        )
    return group("".join(parts), id=f"{prefix}legend")


def scale_bar(x: float, y: float, theme: Theme) -> str:
    """A bar of 500 mm."""
    ticks = "".join(f"M{num(x + at * 100)} {num(y - 6)}v12" for at in range(6))
    return (
        f'<path d="M{num(x)} {num(y)}h500{ticks}" stroke="{theme.room_ink}" stroke-width="2" '
        'fill="none"/>'
        + line("0", x, y + 24, 14, cls="out", anchor="middle")
        + line("500 mm", x + 500, y + 24, 14, cls="out", anchor="end")
    )
