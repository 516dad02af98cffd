"""The felt: a table's picture from its layout, its theme and what is being played on it.

`draw(rules)` is the empty layout; `draw(rules, view)` has a round in play on it. Ids are stable
(`seat-3-ante`, `seat-3-hand-1-card-2`, `discard_rack`), so that a page can move what it finds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from houseway.drawing import chips as chip
from houseway.drawing.cards import Deck
from houseway.drawing.furniture import shades, table_top, tray, tray_patterns
from houseway.drawing.geometry import ABOVE, AIR, BACK, FELT, RAIL, Box, Circle
from houseway.drawing.key import key_height, legend, marks
from houseway.drawing.layout import LEADING, TITLE, Layout, Place, PlacedPanel, lay_out, two_lines
from houseway.drawing.lettering import arc, fitted, line, on_arc
from houseway.drawing.play import devices, in_play
from houseway.drawing.svg import group, num, picture, rotated
from houseway.drawing.theme import style, theme_of
from houseway.drawing.view import TableView
from houseway.law.rules import Rules


@dataclass(frozen=True, slots=True)
class Look:
    """How a picture is to look, whatever it shows."""

    theme: str = "green"
    four_colour: bool = False
    #: number what the chapter asks for and list it below with its clause
    key: bool = False
    #: positions to draw; the chapter's number where none is given
    seats: int | None = None
    #: the operator's name on the felt
    house: str = "Houseway"
    #: before every id, for several tables on one page
    prefix: str = ""
    #: leave the symbols of cards and chips to the page
    symbols: bool = True


WIDTH = 2 * (FELT + RAIL + AIR)
HEIGHT = BACK + FELT + RAIL + ABOVE + AIR
LEFT, TOP = -WIDTH / 2, -BACK - ABOVE


def draw(rules: Rules, view: TableView | None = None, look: Look | None = None) -> str:
    """The table as an SVG of its own."""
    look = look or Look()
    theme = theme_of(look.theme)
    layout = lay_out(rules, look.seats, look.house)
    view = view or TableView()
    deck = Deck(look.four_colour)
    moving, faces, backs, laid = in_play(layout, view, look.prefix, deck, theme)
    defs = tray_patterns(look.prefix) + shades(theme, look.prefix)
    if look.symbols:
        defs += deck.symbols(faces, backs) + chip.symbols(laid)
    extra = key_height(rules, layout) if look.key else 0.0
    ground = _ground(rules, layout, look)
    key = marks(layout) + legend(rules, layout, TOP + HEIGHT, theme) if look.key else ""
    about = rules.chapter.about
    return picture(
        WIDTH,
        HEIGHT + extra,
        f"<style>{style(theme)}</style><defs>{defs}</defs>{_room(extra)}{ground}"
        f"{devices(rules, layout, view, look.prefix, theme)}{moving}{key}",
        title=f"{about.game}, {about.jurisdiction}: the table",
        left=LEFT,
        top=TOP,
        cls=f"felt {theme.name}",
        id=f"{look.prefix}felt",
    )


def _room(extra: float) -> str:
    return (
        f'<rect class="room" x="{num(LEFT)}" y="{num(TOP)}" width="{num(WIDTH)}" '
        f'height="{num(HEIGHT + extra)}"/>'
    )


@lru_cache(maxsize=128)
def _ground(rules: Rules, layout: Layout, look: Look) -> str:
    """What does not move: rail, felt, areas, inscriptions."""
    theme = theme_of(look.theme)
    parts = [table_top(theme, look.prefix)]
    if layout.insurance:
        parts.append(_insurance(layout.insurance, look.prefix))
    parts += [
        on_arc(
            words.words, words.radius, words.size, id=f"{look.prefix}words-{words.id}",
            cls="words", bold=words.bold, spacing=words.spacing,
        )
        for words in layout.words
    ]  # fmt: skip
    parts += [_panel(placed, look.prefix) for placed in layout.panels]
    parts += [_area(place, f"{look.prefix}{place.id}", place.says) for place in layout.table]
    for seat in range(1, layout.seats + 1):
        inside = "".join(
            _area(
                place,
                f"{look.prefix}seat-{seat}-{place.id}",
                f"Seat {seat}, {place.label or place.says}",
            )
            for place in layout.position
        )
        number = line(
            str(seat), 0, FELT + RAIL - 26, 19, cls="rail quiet", anchor="middle"
        )
        parts.append(
            group(
                inside + number,
                id=f"{look.prefix}seat-{seat}",
                cls="seat",
                turn=rotated(0, 0, layout.turn(seat)),
            )
        )
    tray_place = layout.at("inventory_container")
    assert tray_place is not None
    assert isinstance(tray_place.shape, Box)
    parts.append(
        group(
            tray(tray_place.shape, theme, look.prefix),
            id=f"{look.prefix}inventory_container",
            title="The dealer's tray of chips",
        )
    )
    return "".join(parts)


def _insurance(ring: tuple[float, float], prefix: str) -> str:
    inner, outer = ring
    return group(
        f'<path class="line" d="{arc(inner + 5, 90, 80)}"/>'
        f'<path class="line" d="{arc(outer - 5, 90, 80)}"/>',
        id=f"{prefix}insurance",
        title="The insurance line",
    )


def _area(place: Place, id: str, title: str) -> str:
    shape = place.shape
    if isinstance(shape, Box) and not shape.width:
        return ""
    if isinstance(shape, Circle):
        return group(_circle(place, shape), id=id, cls=f"area {place.kind}-area", title=title)
    assert isinstance(shape, Box)
    inside = (
        f'<rect class="{"card-place" if place.kind == "cards" else "place"}" x="{num(-shape.width / 2)}" y="{num(-shape.height / 2)}" '
        f'width="{num(shape.width)}" height="{num(shape.height)}" rx="7"/>'
    )
    if place.label:
        size = fitted(place.label, 15, shape.width - 10)
        low = shape.height / 2 - 9 if place.id in ("small", "medium", "large") else size * 0.3
        inside += line(place.label, 0, low, size, cls="label quiet", anchor="middle")
    return group(
        inside, id=id, cls=f"area {place.kind}-area", title=title,
        turn=rotated(shape.x, shape.y, shape.angle),
    )  # fmt: skip


def _circle(place: Place, circle: Circle) -> str:
    """A betting area: a ring with its name; a sensor has an eye that lights up."""
    x, y, r = num(circle.x), num(circle.y), circle.radius
    inside = f'<circle class="bet" cx="{x}" cy="{y}" r="{num(r)}"/>'
    if place.id in ("ante", "bet"):
        inside += f'<circle class="fine" cx="{x}" cy="{y}" r="{num(r - 5)}"/>'
    if place.kind == "sensor":
        inside += f'<circle class="fine eye" cx="{x}" cy="{num(circle.y - r + 9)}" r="4"/>'
    return inside + _name(place.label.upper(), circle)


def _name(label: str, circle: Circle) -> str:
    """A name inside a ring, in up to three lines."""
    words = label.replace("-", " ").split()
    lines = [label] if len(words) == 1 else words if len(words) == 3 else list(two_lines(label))
    room = circle.radius * (1.62 if len(lines) < 3 else 1.46)
    size = min(fitted(part, 18, room, bold=True, spacing=0.03) for part in lines)
    top = circle.y - size * 1.08 * (len(lines) - 1) / 2 + size * 0.34
    return "".join(
        line(part, circle.x, top + size * 1.08 * at, size, cls="label", anchor="middle",
             bold=True, spacing=0.03)
        for at, part in enumerate(lines)
    )  # fmt: skip


def _panel(placed: PlacedPanel, prefix: str) -> str:
    """A small table of payouts: title, a rule, rows with the odds at the right."""
    panel, box, size = placed.panel, placed.box, placed.size
    left, top = -box.width / 2, -box.height / 2
    inside = line(
        panel.title.upper(), 0, top + size * 1.15, size * 1.02, cls="label", anchor="middle",
        bold=True, spacing=0.06,
    )  # fmt: skip
    y = top + size * TITLE
    inside += f'<path class="rule" d="M{num(left + 4)} {num(y - size * 0.16)}h{num(box.width - 8)}"/>'
    if panel.head:
        for column, heading in enumerate(panel.head):
            for at, part in enumerate(two_lines(heading)):
                if part:
                    stop = left + placed.columns[column]
                    inside += line(
                        part, stop, y + size * (0.62 + 0.74 * at), size * 0.74,
                        cls="label quiet", anchor="end" if column else "",
                    )  # fmt: skip
        y += size * LEADING * 1.35
    for row in panel.rows:
        y += size * LEADING
        inside += line(row[0], left + placed.columns[0], y - size * 0.3, size, cls="label")
        for column, cell in enumerate(row[1:], 1):
            if cell:
                inside += line(
                    cell, left + placed.columns[column if len(row) > 2 else -1], y - size * 0.3,
                    size, cls="label", anchor="end", bold=True,
                )  # fmt: skip
    return group(
        inside, id=f"{prefix}panel-{panel.wager}", cls="panel", title=f"{panel.title} pays",
        turn=rotated(box.x, box.y, box.angle),
    )  # fmt: skip


