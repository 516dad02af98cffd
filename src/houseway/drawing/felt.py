"""The felt: a table's picture from its layout, its theme and what is being played on it.

`draw(rules)` is the empty layout; `draw(rules, view)` has a round in play on it. Ids are stable
(`seat-3-ante`, `seat-3-hand-1-card-2`, `discard_rack`), so that a page can move what it finds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from houseway.cards import deck_with_joker
from houseway.drawing.clause_key import key_height, legend, marks, scale_bar
from houseway.drawing.dimensions import ABOVE as MEASURED_ABOVE
from houseway.drawing.dimensions import BESIDE as MEASURED_BESIDE
from houseway.drawing.dimensions import dimension_lines
from houseway.drawing.layout.geometry import ABOVE, AIR, BACK, FELT, RAIL, Box, Circle
from houseway.drawing.layout.inscription_layout import LEADING, TITLE, head_rows, two_lines
from houseway.drawing.layout.layout import lay_out
from houseway.drawing.layout.places import HAND, CommonLine, Layout, Place, PlacedPanel
from houseway.drawing.lettering import WIDER, arc, fitted, line, on_arc, width
from houseway.drawing.pieces import chips as chip
from houseway.drawing.pieces.cards import Deck
from houseway.drawing.pieces.devices import devices
from houseway.drawing.pieces.furniture import shades, table_top, tray, tray_patterns
from houseway.drawing.round_layer import in_play
from houseway.drawing.svg import NAMESPACE, group, num, picture, rotated
from houseway.drawing.theme import style, theme_of
from houseway.law import Rules
from houseway.present.view import TableView


@dataclass(frozen=True, slots=True)
class Look:
    """How a picture is to look, whatever it shows."""

    theme: str = "green"
    four_color: bool = False
    #: number what the chapter asks for and list it below with its clause
    key: bool = False
    #: with dimension lines, and with the numbers of the key alone: its list stands beside the picture
    measured: bool = False
    #: positions to draw; the chapter's number where none is given
    seats: int | None = None
    #: the operator's name on the felt
    house: str = "Houseway"
    #: inscriptions that stand on a sign at the table and not on the felt
    signs: frozenset[str] = frozenset()
    #: before every id, for several tables on one page
    prefix: str = ""
    #: for a page that has the style sheet and the symbols of cards and chips itself
    page: bool = False


WIDTH = 2 * (FELT + RAIL + AIR)
HEIGHT = BACK + FELT + RAIL + ABOVE + AIR
LEFT, TOP = -WIDTH / 2, -BACK - ABOVE


def draw(rules: Rules, view: TableView | None = None, look: Look | None = None) -> str:
    """The table as an SVG of its own."""
    look = look or Look()
    theme = theme_of(look.theme)
    layout = lay_out(rules, look.seats, look.house, look.signs)
    view = view or TableView()
    deck = Deck(look.four_color)
    standing = devices(rules, layout, view, look.prefix, theme)
    moving, faces, backs, laid = in_play(layout, view, look.prefix, deck)
    if look.page:
        standing, moving = _layers(standing, moving, look.prefix).values()
    defs = tray_patterns(look.prefix) + shades(theme, look.prefix)
    if not look.page:
        defs += deck.symbols(faces, backs) + chip.symbols(laid)
    extra = above = beside = 0.0
    key = ""
    if look.key or look.measured:
        key = marks(rules, layout, look.prefix)
        above = 14.0  # room for the numbers at what stands farthest up
    if look.measured:
        above, beside = MEASURED_ABOVE, MEASURED_BESIDE - AIR
        key += dimension_lines(layout, look.prefix) + scale_bar(FELT + RAIL - 500, FELT + 60, theme)
    elif look.key:
        extra = key_height(rules, layout)
        key += legend(rules, layout, TOP + HEIGHT, theme, look.prefix)
    about = rules.chapter.about
    ground = _ground(layout, look)
    frame = (LEFT - beside, TOP - above, WIDTH + beside, HEIGHT + extra + above)
    return picture(
        *frame[2:],
        f"{sheet(look)}<defs>{defs}</defs>{_room(frame)}{ground}{standing}{moving}{key}",
        title=f"{about.game}, {about.jurisdiction}: the table",
        left=frame[0],
        top=frame[1],
        cls=f"felt {theme.name}",
        id=f"{look.prefix}felt",
    )


def layers(rules: Rules, view: TableView, look: Look) -> dict[str, str]:
    """What moves in a picture for a page, by the id of its group: the page can replace each."""
    layout = lay_out(rules, look.seats, look.house, look.signs)
    standing = devices(rules, layout, view, look.prefix, theme_of(look.theme))
    moving = in_play(layout, view, look.prefix, Deck(look.four_color))[0]
    return _layers(standing, moving, look.prefix)


def _layers(standing: str, moving: str, prefix: str) -> dict[str, str]:
    found = {f"{prefix}layer-devices": standing, f"{prefix}layer-play": moving}
    return {id: group(inside, id=id) for id, inside in found.items()}


def sheet(look: Look) -> str:
    """The style sheet in a picture; a page has it at an address of its own."""
    return "" if look.page else f"<style>{style(theme_of(look.theme))}</style>"


@cache
def symbols(*, four_color: bool = False) -> str:
    """Every card, back and chip, for a page that draws several tables without them."""
    inside = Deck(four_color).symbols(deck_with_joker(), ("red", "blue", "cover"))
    return (
        f'<svg xmlns="{NAMESPACE}" class="symbols" width="0" height="0" aria-hidden="true">'
        f"<defs>{inside}{chip.symbols(chip.CHIPS)}</defs></svg>"
    )


def _room(frame: tuple[float, float, float, float]) -> str:
    x, y, wide, tall = map(num, frame)
    return f'<rect class="room" x="{x}" y="{y}" width="{wide}" height="{tall}"/>'


@lru_cache(maxsize=512)
def _ground(layout: Layout, look: Look) -> str:
    """What does not move: rail, felt, areas, inscriptions."""
    theme, prefix = theme_of(look.theme), look.prefix
    parts = [table_top(theme, prefix)]
    if layout.line is not None:
        parts.append(_line(layout.line, prefix))
    parts += [
        on_arc(
            words.words, words.radius, words.size, id=f"{prefix}words-{words.id}", cls="words",
            bold=words.bold, spacing=words.spacing, center=words.center,
        )
        for words in layout.words
    ]  # fmt: skip
    parts += [panel_drawing(placed, prefix) for placed in layout.panels]
    parts += [
        group(_area(place), id=f"{prefix}{place.id}", cls="area", title=place.says)
        for place in layout.table
        if layout.line is None or place.id != layout.line.place.id
    ]
    # every position is the same drawing; what differs is where a hand or a wager is laid
    position = "".join(_area(place) for place in layout.position)
    parts.append(f'<defs><g id="{prefix}position">{position}</g></defs>')
    for seat in range(1, layout.seats + 1):
        inside = f'<use href="#{prefix}position"/>' + "".join(
            _touch(
                place, f"{prefix}seat-{seat}-{place.id}", f"Seat {seat}, {place.label or 'cards'}"
            )
            for place in layout.position
        )
        inside += line(str(seat), -104, FELT + 36, 20, cls="rail quiet", held=False)
        parts.append(
            group(
                inside, id=f"{prefix}seat-{seat}", cls="seat",
                turn=rotated(0, 0, layout.turn(seat)),
            )
        )  # fmt: skip
    tray_place = layout.at("inventory_container")
    assert tray_place is not None
    assert isinstance(tray_place.shape, Box)
    parts.append(
        group(
            tray(tray_place.shape, theme, prefix), id=f"{prefix}{tray_place.id}", cls="device",
            title="The dealer's tray of chips",
        )
    )  # fmt: skip
    return "".join(parts)


def _touch(place: Place, id: str, title: str) -> str:
    """The part of an area that a page finds, names and lights up."""
    shape = place.shape
    if isinstance(shape, Circle):
        body = f'<circle id="{id}" class="hit" cx="{num(shape.x)}" cy="{num(shape.y)}" r="{num(shape.radius)}"'
        return f"{body}><title>{title}</title></circle>"
    assert isinstance(shape, Box)
    return (
        f'<rect id="{id}" class="hit" x="{num(-shape.width / 2)}" y="{num(-shape.height / 2)}" '
        f'width="{num(shape.width)}" height="{num(shape.height)}" '
        f'transform="{rotated(shape.x, shape.y, shape.angle)}"><title>{title}</title></rect>'
    )


def _line(shared: CommonLine, prefix: str) -> str:
    return group(
        f'<path class="line" d="{arc(shared.inner + 5, 90, 80)}"/>'
        f'<path class="line" d="{arc(shared.outer - 5, 90, 80)}"/>',
        id=f"{prefix}{shared.place.id}",
        title=f"The {shared.place.label.lower()} line",
    )


def _area(place: Place) -> str:
    """An area's outline and its name."""
    shape = place.shape
    if isinstance(shape, Circle):
        return _circle(place, shape)
    assert isinstance(shape, Box)
    if not shape.width:
        return ""
    inside = (
        f'<rect class="{"card-place" if place.kind == "cards" else "place"}" '
        f'x="{num(-shape.width / 2)}" y="{num(-shape.height / 2)}" '
        f'width="{num(shape.width)}" height="{num(shape.height)}" rx="7"/>'
    )
    if place.label:
        size = fitted(place.label, 16, shape.width - 10)
        y = size * 0.3 if shape.height < HAND + 10 else -shape.height / 2 + 18
        inside += line(place.label, 0, y, size, cls="label", anchor="middle")
    return group(inside, turn=rotated(shape.x, shape.y, shape.angle))


def _circle(place: Place, circle: Circle) -> str:
    """A betting area: a ring with its name; a sensor has an eye that lights up."""
    x, y, r = num(circle.x), num(circle.y), circle.radius
    inside = f'<circle class="bet" cx="{x}" cy="{y}" r="{num(r)}"/>'
    if place.rank == 0:
        inside += f'<circle class="fine" cx="{x}" cy="{y}" r="{num(r - 5)}"/>'
    if place.kind == "sensor":
        inside += f'<circle class="fine eye" cx="{x}" cy="{num(circle.y - r + 9)}" r="4"/>'
    return inside + _name(place.label.upper(), circle)


def _name(label: str, circle: Circle) -> str:
    """A name inside a ring, in up to three lines."""
    words = label.replace("-", " ").split()
    # a long word has most room across the middle, so a name with one takes two lines
    long = max(map(len, words)) > 9
    stacked = len(words) == 3 and len(words[0]) > 1 and not long
    lines = words if stacked else list(two_lines(label))
    room = circle.radius * (1.46 if stacked else 1.84 if long else 1.62)
    size = min(fitted(part, 18, room, bold=True, spacing=0.03) for part in lines)
    top = circle.y - size * 1.08 * (len(lines) - 1) / 2 + size * 0.34
    return "".join(
        line(part, circle.x, top + size * 1.08 * at, size, cls="label", anchor="middle",
             bold=True, spacing=0.03)
        for at, part in enumerate(lines)
    )  # fmt: skip


def panel_row(placed: PlacedPanel, at: int) -> Box:
    """The room of one row of payouts."""
    size = placed.size
    top = placed.box.y - placed.box.height / 2 + size * TITLE
    low = top + size * LEADING * (head_rows(placed.panel) + 1 + at) - size * 0.3
    return Box(placed.box.x, low - size * 0.34, placed.box.width, size * LEADING)


def panel_drawing(placed: PlacedPanel, prefix: str) -> str:
    """A small table of payouts: title, a rule, rows with the odds at the right."""
    panel, box, size = placed.panel, placed.box, placed.size
    left, top = box.x - box.width / 2, box.y - box.height / 2
    inside = line(
        panel.title.upper(), box.x, top + size * 1.15, size * 1.02, anchor="middle",
        bold=True, spacing=0.06,
    )  # fmt: skip
    y = top + size * TITLE
    inside += (
        f'<path class="rule" d="M{num(left + 4)} {num(y - size * 0.16)}h{num(box.width - 8)}"/>'
    )
    small = size * 0.74
    heads = "".join(
        line(part, left + placed.columns[column], y + size * (0.62 + 0.74 * at), small,
             anchor="end" if column else "")
        for column, heading in enumerate(panel.head)
        for at, part in enumerate(two_lines(heading))
        if part
    )  # fmt: skip
    if heads:
        inside += f'<g class="quiet">{heads}</g>'
    y += size * LEADING * (head_rows(panel) + 1) - size * 0.3
    step = size * LEADING
    names = odds = ""
    # rows that fit with any serif need not be held to their measure; all of a panel look alike
    held = any(
        sum(width(cell, size, bold=True) for cell in row) * WIDER + size * len(row) > box.width
        or len(row) > 2
        for row in panel.rows
    )
    for at, row in enumerate(panel.rows):
        low = y + step * at
        names += line(row[0], left + placed.columns[0], low, size, plain=True, held=held)
        for column, cell in enumerate(row[1:], 1):
            if cell:
                stop = left + placed.columns[column if len(row) > 2 else -1]
                odds += line(cell, stop, low, size, bold=True, plain=True, held=held)
    inside += (
        f'<g font-size="{num(size)}">{names}<g font-weight="700" text-anchor="end">{odds}</g></g>'
    )
    return group(
        inside, id=f"{prefix}panel-{panel.wager}", cls="panel", title=f"{panel.title} pays"
    )
