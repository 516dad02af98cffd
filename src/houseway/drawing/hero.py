"""The table from my chair: my cards and my bets largest, the dealer across, the others beside me.

A layout of its own for a desktop or a tablet. In a window of 1440 by 900 one
unit is about nine tenths of a pixel: my cards are 112 pixels wide and the dealer's 83. What does not move is
the ground; what does is a layer that a page replaces.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import product
from math import sqrt

from houseway.drawing.felt import Look, panel_drawing, sheet
from houseway.drawing.layout.geometry import Box, Circle
from houseway.drawing.layout.inscription_layout import panel_grid
from houseway.drawing.layout.inscriptions import Panel, limits_text, payouts, phrases
from houseway.drawing.layout.layout import lay_out
from houseway.drawing.layout.places import Layout, Place, PlacedPanel
from houseway.drawing.lettering import fitted, line, on_arc, width
from houseway.drawing.phone import (
    SPREAD,
    mini_card,
    my_seat,
    name_in_ring,
    needed_symbols,
    row_of_cards,
    shortened,
    sized,
)
from houseway.drawing.pieces import chips as chip
from houseway.drawing.pieces.cards import HEIGHT as CARD_HEIGHT
from houseway.drawing.pieces.cards import WIDTH as CARD_WIDTH
from houseway.drawing.pieces.cards import Deck
from houseway.drawing.pieces.devices import meters_shown
from houseway.drawing.pieces.furniture import lamp
from houseway.drawing.round_layer import plate
from houseway.drawing.svg import attr, group, num, picture, text_of
from houseway.drawing.theme import Theme, theme_of
from houseway.law import Rules
from houseway.money import spoken
from houseway.present.game import PRESENTATION
from houseway.present.view import ChipsView, HandView, SeatView, TableView

WIDTH, HEIGHT = 1120.0, 700.0
#: how wide a card of mine is, one of the dealer's, and where each row begins
MINE, DEALERS = 124.0, 92.0
_MINE_TOP, _DEALER_TOP, _BETS = 354.0, 26.0, 614.0
#: how far below a row of cards its plate lies, and where my total does
_UNDER, _TOTAL = 14.0, 330.0
_TALL = CARD_HEIGHT / CARD_WIDTH
_MIDDLE = WIDTH / 2
#: the columns of payouts at both sides
_COLUMN, _MARGIN, _LARGEST = 250.0, 16.0, 20.0
#: the other seats: a tile's width and height, and where the payouts end above them
_TILE, _TILE_HIGH, _PANELS_TO = 132.0, 80.0, 406.0
#: the room of an inscription before the dealer
_WORDS = 440.0
#: hands that lie in rows
Rows = tuple[tuple[HandView, ...], ...]
#: the edge of the felt, a flat arc: its radius, and where it passes below me
_RADIUS, _EDGE = 3000.0, 668.0


def draw_hero(rules: Rules, view: TableView | None = None, look: Look | None = None) -> str:
    """The table as one player sees it from their chair."""
    look, view = look or Look(), view or TableView()
    theme, deck = theme_of(look.theme), Deck(look.four_color)
    faces, backs, laid = needed_symbols(view)
    defs = "" if look.page else deck.symbols(faces, backs) + chip.symbols(laid)
    parts = "".join(map("".join, hero_layers(rules, view, look).values()))
    about = rules.chapter.about
    return picture(
        WIDTH,
        HEIGHT,
        f"{sheet(look)}<defs>{defs}{_lamp(theme, look.prefix)}</defs>{parts}",
        title=f"{about.game}, {about.jurisdiction}: from seat {my_seat(view).seat}",
        cls=f"felt hero {theme.name}",
        id=f"{look.prefix}felt",
    )


def hero_layers(rules: Rules, view: TableView, look: Look) -> dict[str, tuple[str, ...]]:
    """The ground, which changes with my seat alone, and what moves; by the ids of their groups.

    Each in pieces, so that a page can be told which of them have changed.
    """
    layout = lay_out(rules, look.seats, look.house, look.signs)
    mine, prefix = my_seat(view), look.prefix
    deck = Deck(look.four_color)
    rows = _rows(view)
    moving = [
        *_dealer(rows, view.devices.light, rules, deck, prefix),
        *_meters(rules, view, prefix),
        *_others(layout, view, mine.seat, deck, prefix),
        _own(rules, look, mine),
    ]
    if view.notice:
        moving.append(
            group(plate(view.notice, _MIDDLE, _TOTAL, 520, size=26), id=f"{prefix}notice", cls="notice", title=view.notice)
        )  # fmt: skip
    return {
        f"{prefix}layer-ground": (_ground(rules, look, mine.seat, len(rows) > 1),),
        f"{prefix}layer-play": (f'<g id="{prefix}layer-play">', *moving, "</g>"),
    }


def _lamp(theme: Theme, prefix: str) -> str:
    if theme.flat:
        return ""
    return (
        f'<radialGradient id="{prefix}lamp" gradientUnits="userSpaceOnUse" cx="{num(_MIDDLE)}" '
        f'cy="400" r="640"><stop offset="0" stop-color="{theme.lamp}"/><stop offset="1" '
        f'stop-color="{theme.edge}"/></radialGradient><linearGradient id="{prefix}rail" x1="0" y1="0" '
        f'x2="0" y2="1"><stop offset="0" stop-color="{theme.rail}"/><stop offset=".45" '
        f'stop-color="{theme.crown}"/><stop offset="1" stop-color="{theme.rail}"/></linearGradient>'
    )


# ---- the ground ------------------------------------------------------------------------------


@lru_cache(maxsize=128)
def _ground(rules: Rules, look: Look, mine: int, crowded: bool) -> str:
    """Rail, felt, inscriptions, payouts, and my betting areas."""
    theme, prefix = theme_of(look.theme), look.prefix
    layout = lay_out(rules, look.seats, look.house, look.signs)
    fill = theme.lamp if theme.flat else f"url(#{prefix}lamp)"
    rail = theme.rail if theme.flat else f"url(#{prefix}rail)"
    seam = f'stroke="{theme.seam}" stroke-width="1.4"'
    side = _arc_at(0)
    parts = [
        f'<rect width="{num(WIDTH)}" height="{num(HEIGHT)}" rx="18" fill="{rail}"/>',
        (
            f'<path d="M0 18Q0 0 18 0H{num(WIDTH - 18)}Q{num(WIDTH)} 0 {num(WIDTH)} 18V{num(side)}'
            f'A{num(_RADIUS)} {num(_RADIUS)} 0 0 1 0 {num(side)}Z" fill="{fill}" {seam}/>'
        ),
        (
            f'<path fill="none" {seam} stroke-dasharray="7 6" d="M0 {num(side + 16)}'
            f'A{num(_RADIUS)} {num(_RADIUS)} 0 0 0 {num(WIDTH)} {num(side + 16)}"/>'
        ),
        _tray(prefix),
        _shoe(layout, theme, prefix),
        *([] if crowded else _inscriptions(rules, look)),
        *(panel_drawing(placed, prefix) for placed in placed_panels(rules)),
    ]
    for place, x in _my_areas(layout):
        ring = f'<circle class="bet" cx="{num(x)}" cy="{num(_BETS)}" r="40"/>'
        ring += name_in_ring(place.label.upper(), x, _BETS)
        ring += f'<circle class="hit" cx="{num(x)}" cy="{num(_BETS)}" r="46"/>'
        parts.append(
            f'<g id="{prefix}seat-{mine}-{place.id}" class="area" aria-label="{attr(place.label)}">'
            f"<title>{text_of(place.label)}</title>{ring}</g>"
        )
    return group("".join(parts), id=f"{prefix}layer-ground")


def _arc_at(x: float) -> float:
    """The height of the felt's edge."""
    return _EDGE - _RADIUS + sqrt(_RADIUS**2 - (x - _MIDDLE) ** 2)


def _tray(prefix: str) -> str:
    """The dealer's tray seen from the front: rows of chips."""
    colors = ("#e9e9e4", "#b3202a", "#17764a", "#22252a", "#5b2a86", "#e6bd2c")
    left, wide = _MIDDLE - 150, 300 / 12
    # chips on edge, tube by tube
    cells = "".join(
        f'<path d="M{num(left + wide * at + 2)} 8.5h{num(wide - 4)}" stroke="{colors[at % len(colors)]}" '
        f'stroke-width="12" stroke-dasharray="2.6 .5" fill="none"/>'
        for at in range(12)
    )
    frame = f'<rect class="rim" x="{num(left - 4)}" y="-2" width="308" height="20" rx="4"/>'
    return group(frame + cells, id=f"{prefix}inventory_container", title="The dealer's tray")


def _shoe(layout: Layout, theme: Theme, prefix: str) -> str:
    """Where the cards come from, at the dealer's left hand."""
    known = {place.id: place for place in layout.devices}
    place = known.get("dealing_shoe") or known.get("stub") or known.get("shuffler")
    name = place.label if place else "Cards"
    x = 800.0
    body = (
        f'<path class="rim" d="M{num(x)} 4h52v24l-14 12h-38z"/>'
        f'<path d="M{num(x + 5)} 32l12 -8h24" fill="none" stroke="{theme.seam}"/>'
    )
    words = line(name, x + 26, 19, fitted(name, 13, 46), cls="dev", anchor="middle")
    return group(body + words, id=f"{prefix}dealing_shoe", cls="device", title=name)


def _inscriptions(rules: Rules, look: Look) -> list[str]:
    """The name of the house and the game, and what the chapter wants written, on flat arcs."""
    lines, _ = payouts(rules) if "payouts" not in look.signs else ((), ())
    # a line that all positions share is a ring of mine here: what it pays stands with the rest
    common = lay_out(rules, look.seats, look.house, look.signs).line
    shared = {common.place.id} if common else set()
    elsewhere = {area.id for area in rules.chapter.about.areas} - shared | look.signs
    said = [phrase.words for phrase in phrases(rules) if phrase.id not in elsewhere]
    wished = [
        (look.house.upper(), 17.0, True, 0.16),
        (rules.chapter.about.game.upper(), 28.0, True, 0.06),
        *((words, 17.0, True, 0.0) for words in _joined(sorted(said, key=len))),
        *((phrase.words, 16.0, False, 0.0) for phrase in lines),
    ]
    room = 303 - 184.0
    tall = sum(size * 1.24 for _, size, _, _ in wished)
    share = min(1.0, room / tall)
    y, radius, found = 184.0, 1500.0, []
    for at, (words, size, bold, spacing) in enumerate(wished):
        size = fitted(words, size * share, _WORDS, bold=bold, spacing=spacing)
        y += size * 1.24
        found.append(
            on_arc(words, radius, size, id=f"{look.prefix}hero-words-{at}", cls="words", bold=bold,
                   spacing=spacing, center=y - radius)
        )  # fmt: skip
    return [f'<g transform="translate({num(_MIDDLE)} 0)">{"".join(found)}</g>']


def _joined(said: list[str]) -> list[str]:
    """Short phrases side by side, as far as a line has room for them."""
    found: list[str] = []
    for words in said:
        both = f"{found[-1]}  ·  {words}" if found else words
        if found and width(both, 15, bold=True) <= _WORDS:
            found[-1] = both
        else:
            found.append(words)
    return found


@lru_cache(maxsize=128)
def placed_panels(rules: Rules) -> tuple[PlacedPanel, ...]:
    """The payouts in two columns, as large as they go."""
    _, panels = payouts(rules)
    tall = [panel_grid(panel)[2] + 0.6 for panel in panels]

    def rated(sides: tuple[int, ...]) -> tuple[int, float]:
        """A table with several columns of its own lies at the left; then the higher column counts."""
        right = sum(high for high, side in zip(tall, sides, strict=True) if side)
        wide = sum(len(panel.head) > 0 and side for panel, side in zip(panels, sides, strict=True))
        return wide, max(right, sum(tall) - right)

    sides = min(product((0, 1), repeat=len(panels)), key=rated)
    columns = [
        [panel for panel, side in zip(panels, sides, strict=True) if side == at] for at in (0, 1)
    ]
    for column in columns:
        if not column and (limits := _limits(rules)):
            column.append(limits)
    placed: list[PlacedPanel] = []
    for at, column in enumerate(columns):
        top = 14.0
        grids = [panel_grid(panel) for panel in column]
        needed = sum(grid[2] for grid in grids) + 0.6 * len(grids)
        common = min(_LARGEST, (_PANELS_TO - top) / needed if needed else _LARGEST)
        for panel, grid in zip(column, grids, strict=True):
            room = _COLUMN if at else _COLUMN + (66 if panel.head else 40)
            size = min(common, room / grid[1])
            wide, high = grid[1] * size, grid[2] * size
            x = _MARGIN + wide / 2 if at == 0 else WIDTH - _MARGIN - wide / 2
            box = Box(x, top + high / 2, wide, high)
            placed.append(PlacedPanel(panel, box, size, tuple(edge * size for edge in grid[0])))
            top += high + 0.6 * size
    return tuple(placed)


def _limits(rules: Rules) -> Panel | None:
    """The posted limits, where a side of the table has no payouts."""
    rows = tuple(
        (name, f"{least} to {most}" if least and most else least or most)
        for name, least, most in limits_text(rules)
        if least or most
    )
    return Panel("limits", "Table limits", (), rows, "") if rows else None


def _meters(rules: Rules, view: TableView, prefix: str) -> list[str]:
    """The meters on the rail at my left hand."""
    found, x = [], _MARGIN + 4
    meters = meters_shown(rules, view)
    for at, (name, amount) in enumerate(meters):
        words = f"{name}  {amount}"
        room = 440 / len(meters)
        size = fitted(words, 22, room - 18, bold=True)
        found.append(
            group(line(words, x, HEIGHT - 10, size, cls="shown", bold=True),
                  id=f"{prefix}meter-{at}", cls="meter", title=f"{name}: {amount}")
        )  # fmt: skip
        x += room
    return found


# ---- what everybody shares -------------------------------------------------------------------


def _rows(view: TableView) -> Rows:
    """The dealer's hand and common ones in one row; more than two in a second row."""
    hands = tuple(hand for hand in view.table if hand.cards)
    return (hands,) if len(hands) < 3 else (hands[:1], hands[1:])


@lru_cache(maxsize=512)
def _dealer(rows: Rows, light_on: str, rules: Rules, deck: Deck, prefix: str) -> tuple[str, ...]:
    found: list[str] = []
    y = _DEALER_TOP
    for row in rows:
        room = 500.0
        if not row:
            tall = DEALERS * _TALL
            found.append(
                f'<rect class="place" x="{num(_MIDDLE - 140)}" y="{num(y)}" width="280" '
                f'height="{num(tall)}" rx="8"/>'
                + line("Dealer", _MIDDLE, y + tall / 2 + 6, 18, cls="label", anchor="middle")
            )
            continue
        wide = DEALERS if len(rows) == 1 else DEALERS * 0.82
        counts = [max(1, len(hand.cards)) for hand in row]
        gap = 26.0
        share = [(room - gap * (len(row) - 1)) * count / sum(counts) for count in counts]
        # a hand that has room lies close, whatever lies beside it
        share = [
            min(own, count * wide * SPREAD + 20) for own, count in zip(share, counts, strict=True)
        ]
        left = _MIDDLE - (sum(share) + gap * (len(row) - 1)) / 2
        for hand, own in zip(row, share, strict=True):
            found.append(
                row_of_cards(hand, left, y, own, wide, deck, f"{prefix}{hand.place}", 17, _UNDER)
            )
            left += own + gap
        y += wide * _TALL + 2 * _UNDER
    for light in PRESENTATION.of(rules.chapter).lights(rules):
        if light.range == light_on:
            x, fill = _MIDDLE + 284, lamp(light.color)[0]
            inside = f'<circle cx="{num(x)}" cy="70" r="13" fill="{fill}" stroke="#fff" stroke-width="2"/>'
            name = light.range.capitalize()
            inside += line(name, x, 106, 19, cls="label", anchor="middle", bold=True)
            inside += line("hole card", x, 124, 14, cls="label", anchor="middle")
            found.append(
                group(inside, id=f"{prefix}light-{light.range}", cls="light", title=f"hole card: {name}")
            )  # fmt: skip
    return tuple(found)


def _others(layout: Layout, view: TableView, mine: int, deck: Deck, prefix: str) -> list[str]:
    """The other seats along the curve: after mine to the left, before mine to the right."""
    known = {seat.seat: seat for seat in view.seats}
    return [
        _tile(known.get(number) or SeatView(number), *place, deck, prefix)
        for number, place in _tiles(layout.seats, mine)
    ]


@cache
def _tiles(seats: int, mine: int) -> tuple[tuple[int, tuple[float, float, float]], ...]:
    """The seats beside mine, each with its place."""
    around = [(mine - 1 + step) % seats + 1 for step in range(1, seats)]
    half = (len(around) + 1) // 2
    return tuple(
        (number, _tile_at(side, at, len(row)))
        for side, row in ((0, around[:half]), (1, around[half:][::-1]))
        for at, number in enumerate(reversed(row))
    )


def _tile_at(side: int, at: int, count: int) -> tuple[float, float, float]:
    """Where a tile lies: the seat beside mine is the most inside, the others lie on one another."""
    stacked = max(1, count - 1)
    tall = min(_TILE_HIGH, (_arc_at(0) - 6 - _PANELS_TO) / stacked - 6)
    from_me = count - 1 - at
    x = _MARGIN - 2 if from_me else _MARGIN + 4 + _TILE
    # nothing hangs over the rail
    y = _arc_at(x) - 6 - tall - (tall + 6) * max(0, from_me - 1)
    return (x if side == 0 else WIDTH - x - _TILE), y, tall


@lru_cache(maxsize=4096)
def _tile(seat: SeatView, x: float, y: float, tall: float, deck: Deck, prefix: str) -> str:
    frame = "glow" if seat.active else "fine"
    inside = (
        f'<rect class="{frame}" x="{num(x)}" y="{num(y)}" width="{num(_TILE)}" '
        f'height="{num(tall)}" rx="9"{"" if seat.player else " opacity=" + chr(34) + ".4" + chr(34)}/>'
    )
    name = f"{seat.seat} {seat.player.partition(' (')[0]}".strip()
    inside += line(shortened(name, _TILE - 12, 14), x + 7, y + 17, 14, cls="label")
    cards = [card for hand in seat.hands for card in hand.cards]
    if cards:
        wide = min(30.0, (tall - 44) / _TALL)
        step = min(wide + 2, (_TILE - 12 - wide) / max(1, len(cards) - 1))
        start = x + (_TILE - wide - step * (len(cards) - 1)) / 2
        shown = "".join(
            mini_card(card, start + step * n, y + 23, wide, deck) for n, card in enumerate(cards)
        )
        folded = any(hand.folded for hand in seat.hands)
        inside += f'<g class="folded"><g class="hand">{shown}</g></g>' if folded else shown
    staked = sum(pile.amount for pile in seat.chips if pile.state != "paid")
    words = seat.note or (spoken(staked) if staked else "")
    if words:
        kind = {"+": "win", "−": "lose"}.get(words[0], "label")
        size = fitted(words, 16, _TILE - 12, bold=True)
        inside += line(
            words, x + _TILE / 2, y + tall - 7, size, cls=kind, anchor="middle", bold=True
        )
    return group(
        inside, id=f"{prefix}seat-{seat.seat}", cls="tile", title=f"Seat {seat.seat}", whole=False
    )


# ---- what is mine ----------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _own(rules: Rules, look: Look, seat: SeatView) -> str:
    """My cards and my bets."""
    layout = lay_out(rules, look.seats, look.house, look.signs)
    mine = _mine(layout, seat, Deck(look.four_color), look.prefix)
    return "".join((*mine, *_bets(layout, seat, look.prefix)))


def _mine(layout: Layout, seat: SeatView, deck: Deck, prefix: str) -> list[str]:
    """My cards in the middle; my name on the rail, and what the round brought above the cards."""
    id = f"{prefix}seat-{seat.seat}"
    who = f"Seat {seat.seat}" + (f" · {seat.player}" if seat.player else "")
    found = [line(who, _MIDDLE, HEIGHT - 8, 17, cls="rail", anchor="middle", bold=True, held=False)]
    hands = list(seat.hands)
    if len(hands) == 2 and hands[0].place == hands[1].place:
        # the first hand of a split is the one on the player's right
        hands.reverse()
    gap = 24.0
    room = 720.0 - gap * max(0, len(hands) - 1)
    counts = [max(1, len(hand.cards)) for hand in hands]
    share = [min(room * count / sum(counts), count * MINE * SPREAD + 8) for count in counts]
    left = _MIDDLE - (sum(share) + gap * max(0, len(hands) - 1)) / 2
    for at, (hand, own) in enumerate(zip(hands, share, strict=True)):
        place = layout.at(hand.place)
        if seat.active and (hand.active or len(hands) == 1):
            found.append(
                f'<rect class="glow" x="{num(left - 6)}" y="{num(_MINE_TOP - 8)}" '
                f'width="{num(own + 12)}" height="{num(MINE * _TALL + 16)}" rx="14">'
                "<title>You act</title></rect>"
            )
        if place and place.label and len(hands) > 1:
            found.append(
                line(place.label, left + own / 2, _MINE_TOP - 14, 15, cls="label", anchor="middle")
            )
        which = len(hands) - at if len(hands) == 2 and hands[0].place == hands[1].place else at + 1
        found.append(
            row_of_cards(
                hand, left, _MINE_TOP, own, MINE, deck, f"{id}-{hand.place}-{which}", 19, _UNDER
            )
        )
        left += own + gap
    if seat.note:
        kind = {"+": "win", "−": "lose"}.get(seat.note[0], "")
        found.append(
            group(plate(seat.note, _MIDDLE, _TOTAL, 360, kind, size=30),
                  id=f"{id}-total", cls="total", title=f"This round: {seat.note}")
        )  # fmt: skip
    return found


def _my_areas(layout: Layout) -> list[tuple[Place, float]]:
    """My betting areas from left to right, the game's first wager in the middle."""
    areas = [place for place in layout.position if isinstance(place.shape, Circle)]
    if layout.line is not None:
        areas.append(layout.line.place)
    areas.sort(key=lambda place: (place.kind == "sensor", place.rank == 2))
    step = _step(len(areas))
    left = _MIDDLE - step * (len(areas) - 1) / 2
    return [(place, left + step * at) for at, place in enumerate(areas)]


def _step(areas: int) -> float:
    """How far one of my betting areas is from the next: they lie between the tiles."""
    return min(112.0, 450.0 / max(1, areas - 1))


def _bets(layout: Layout, seat: SeatView, prefix: str) -> list[str]:
    """What lies in my betting areas, and which of them are open."""
    where = {place.id: x for place, x in _my_areas(layout)}
    step = _step(len(where))
    piles: dict[str, list[ChipsView]] = {}
    for pile in seat.chips:
        # what lies in the area of another wager is laid beside that one's chips
        piles.setdefault(pile.area if pile.area in where else pile.id, []).append(pile)
    id = f"{prefix}seat-{seat.seat}"
    found = []
    for area, x in where.items():
        if area in seat.open:
            found.append(f'<circle class="glow" cx="{num(x)}" cy="{num(_BETS)}" r="43"/>')
        if area in seat.sensed:
            found.append(
                f'<circle class="sensed" cx="{num(x + 29)}" cy="{num(_BETS - 29)}" r="7">'
                "<title>The sensor has seen the wager</title></circle>"
            )
        laid = piles.get(area, [])
        if laid:
            found.append(_piles(laid, x, step, f"{id}-{area}"))
    return found


_SIGN = {"placed": "", "paid": "+", "collected": "−", "returned": ""}
_SAID = {"placed": "", "paid": " paid", "collected": " collected", "returned": " back"}


def _piles(piles: list[ChipsView], x: float, room: float, id: str) -> str:
    """Every stack of one area side by side, with one plate of amounts below them."""
    states = {pile.state for pile in piles}
    lit = "win" if "paid" in states else "lose" if states == {"collected"} else ""
    apart = min(34.0, 60.0 / len(piles))
    # the name of the area does not shine through
    inside = f'<circle class="under" cx="{num(x)}" cy="{num(_BETS)}" r="37"/>'
    for at, pile in enumerate(piles):
        left = x + apart * (at - (len(piles) - 1) / 2)
        stack = chip.stack(pile.amount, 0, 0)
        inside += sized(
            f'<g id="{id}-{pile.id}-{pile.hand}-{pile.state}" class="pile chips {pile.state}">{stack}</g>',
            left, _BETS + 4, 1.3,
        )  # fmt: skip
    sums: dict[str, int] = {}
    for pile in piles:
        sums[pile.state] = sums.get(pile.state, 0) + pile.amount
    words = "  ".join(f"{_SIGN[state]}{spoken(amount)}" for state, amount in sums.items())
    said = ", ".join(f"{spoken(amount)}{_SAID[state]}" for state, amount in sums.items())
    if lit:
        inside = f'<circle class="ring {lit}" cx="{num(x)}" cy="{num(_BETS)}" r="43"/>' + inside
    inside += plate(words, x, _BETS + 36, room + 6, lit, size=17)
    name = piles[0].name or piles[0].id.replace("_", " ")
    return group(inside, id=f"{id}-chips", cls=f"bets {lit}".strip(), title=f"{name}: {said}")
