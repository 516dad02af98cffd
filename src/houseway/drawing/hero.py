"""The table from my chair: my cards and my bets largest, the dealer across, the others beside me.

A layout of its own for a desktop or a tablet. In a window of 1440 by 900 one
unit is about nine tenths of a pixel: my cards are 112 pixels wide and the dealer's 83. What does not move is
the ground; what does is a layer that a page replaces.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import product

from houseway.drawing.felt import Look, panel_drawing, panel_row, sheet
from houseway.drawing.hero_bets import (
    COMMON_ROOM,
    bets,
    common_middles,
    my_spots,
    rings,
)
from houseway.drawing.hero_table import HEIGHT, MIDDLE, WIDTH, arc_at, shades, shoe, table_top, tray
from houseway.drawing.layout.geometry import Box
from houseway.drawing.layout.inscription_layout import panel_grid
from houseway.drawing.layout.inscriptions import Panel, limits_text, payouts, phrases
from houseway.drawing.layout.layout import lay_out
from houseway.drawing.layout.places import Layout, PlacedPanel
from houseway.drawing.lettering import fitted, line, on_arc, width
from houseway.drawing.phone import (
    SPREAD,
    common_numbers,
    mini_card,
    my_seat,
    needed_symbols,
    row_of_cards,
    shortened,
)
from houseway.drawing.pieces import chips as chip
from houseway.drawing.pieces.cards import HEIGHT as CARD_HEIGHT
from houseway.drawing.pieces.cards import WIDTH as CARD_WIDTH
from houseway.drawing.pieces.cards import Deck
from houseway.drawing.pieces.devices import meters_shown
from houseway.drawing.pieces.furniture import lamp
from houseway.drawing.round_layer import plate
from houseway.drawing.svg import group, num, picture
from houseway.drawing.theme import theme_of
from houseway.law import Rules
from houseway.money import spoken
from houseway.present.game import PRESENTATION
from houseway.present.view import HandView, SeatView, TableView

#: how wide a card of mine is, one of the dealer's, and where each row begins
MINE, DEALERS = 124.0, 92.0
_MINE_TOP, _DEALER_TOP = 354.0, 26.0
#: how far below a row of cards its plate lies, and where my total does
_UNDER, _TOTAL = 14.0, 330.0
_TALL = CARD_HEIGHT / CARD_WIDTH
#: the columns of payouts at both sides
_COLUMN, _MARGIN, _LARGEST = 250.0, 16.0, 23.0
_PANELS_FROM = 14.0
#: the other seats: how wide a tile may be, how narrow, and how high
_TILE, _TILE_LEAST, _TILE_HIGH = 132.0, 80.0, 80.0
#: the room of an inscription before the dealer
_WORDS = 440.0


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
        f"{sheet(look)}<defs>{defs}{shades(theme, look.prefix)}</defs>{parts}",
        title=f"{about.game}, {about.jurisdiction}: from seat {my_seat(view).seat}",
        cls=f"felt hero {theme.name}{' several' if common_numbers(rules) else ''}",
        id=f"{look.prefix}felt",
    )


def hero_layers(rules: Rules, view: TableView, look: Look) -> dict[str, tuple[str, ...]]:
    """The ground, which changes with my seat alone, and what moves; by the ids of their groups.

    Each in pieces, so that a page can be told which of them have changed.
    """
    layout = lay_out(rules, look.seats, look.house, look.signs)
    mine, prefix = my_seat(view), look.prefix
    deck = Deck(look.four_color)
    common = tuple(hand for hand in view.table if hand.number)
    shown = tuple(hand for hand in view.table if hand.cards and not hand.number)
    own = _own(rules, look, mine, common)
    if view.notice:
        own += group(plate(view.notice, MIDDLE, _TOTAL, 520, size=26), id=f"{prefix}notice", cls="notice", title=view.notice)  # fmt: skip
    moving = [
        *_dealer(shown, view.devices.light, rules, deck, prefix),
        *_meters(rules, view, prefix),
        *_others(rules, layout, view, mine.seat, deck, prefix),
        f'<g class="near">{own}</g>',
    ]
    return {
        f"{prefix}layer-ground": (_ground(rules, look, mine.seat),),
        f"{prefix}layer-play": (f'<g id="{prefix}layer-play">', *moving, "</g>"),
    }


# ---- the ground ------------------------------------------------------------------------------


@lru_cache(maxsize=128)
def _ground(rules: Rules, look: Look, mine: int) -> str:
    """Rail, felt, inscriptions, payouts, and my betting areas."""
    theme, prefix = theme_of(look.theme), look.prefix
    layout = lay_out(rules, look.seats, look.house, look.signs)
    parts = [
        # what a low window moves up to the dealer's cards
        group(table_top(theme, prefix), cls="near"),
        tray(theme, prefix),
        shoe(layout, prefix),
        *_inscriptions(rules, look),
        *_columns(rules, prefix),
        *rings(my_spots(rules), f"{prefix}seat-{mine}"),
    ]
    return group("".join(parts), id=f"{prefix}layer-ground")


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
    return [f'<g transform="translate({num(MIDDLE)} 0)">{"".join(found)}</g>']


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
        top = _PANELS_FROM
        grids = [panel_grid(panel) for panel in column]
        rooms = [_COLUMN if at else _COLUMN + (66 if panel.head else 40) for panel in column]
        needed = sum(grid[2] for grid in grids) + 0.6 * len(grids)
        widest = [room / grid[1] for room, grid in zip(rooms, grids, strict=True)]
        # all of a column look alike, however wide one of them is
        common = min([_LARGEST, *(1.1 * size for size in widest)])
        if needed:
            common = min(common, (_panels_to(rules) - top) / needed)
        for panel, grid, most in zip(column, grids, widest, strict=True):
            size = min(common, most)
            wide, high = grid[1] * size, grid[2] * size
            x = _MARGIN + wide / 2 if at == 0 else WIDTH - _MARGIN - wide / 2
            box = Box(x, top + high / 2, wide, high)
            placed.append(PlacedPanel(panel, box, size, tuple(edge * size for edge in grid[0])))
            top += high + 0.6 * size
    return tuple(placed)


def _panels_to(rules: Rules) -> float:
    """Where the payouts end: above the other seats, and above my cards where these lie as far out."""
    cards = rules.chapter.number("hand_cards") * MINE * SPREAD
    if MIDDLE - cards / 2 - 16 < _MARGIN + _COLUMN + 66:
        return _MINE_TOP - 14
    return min(top for _, (_, top, _) in _tiles(rules, lay_out(rules).seats, 1)) - 8


def _columns(rules: Rules, prefix: str) -> list[str]:
    """The payouts at each side, with what a page that has more room needs to make them larger."""
    found = []
    for side in ("left", "right"):
        column = [one for one in placed_panels(rules) if _side(one) == side]
        if column:
            drawn = "".join(panel_drawing(one, prefix) for one in column)
            high = max(one.box.y + one.box.height / 2 for one in column) - _PANELS_FROM
            most = (_panels_to(rules) - _PANELS_FROM) / high
            wide = max(one.box.width for one in column)
            found.append(
                f'<g class="payouts {side}" data-most="{num(most)}" data-wide="{num(wide)}">{drawn}</g>'
            )
    return found


def _side(placed: PlacedPanel) -> str:
    return "left" if placed.box.x < MIDDLE else "right"


def _limits(rules: Rules) -> Panel | None:
    """The posted limits, where a side of the table has no payouts."""
    rows = tuple(
        (name, f"{least} to {most}" if least and most else least or most)
        for name, least, most in limits_text(rules)
        if least or most
    )
    return Panel("limits", "Table limits", (), rows, ()) if rows else None


def _meters(rules: Rules, view: TableView, prefix: str) -> list[str]:
    """The meters as displays set into the rail, at my left hand and then at my right."""
    meters, found = meters_shown(rules, view), []
    most = (len(meters) + 1) // 2
    # below the amounts of my bets
    wide, top, tall = min(166.0, 300.0 / max(1, most)), 664.0, 35.0
    for at, (name, amount) in enumerate(meters):
        x = _MARGIN - 4 + (wide + 6) * (at // 2)
        if at % 2:
            x = WIDTH - x - wide
        glass = (
            f'<rect class="glass" x="{num(x)}" y="{num(top)}" width="{num(wide)}" '
            f'height="{num(tall)}" rx="7"/>'
        )
        said = line(name, x + wide / 2, top + 12, fitted(name, 12, wide - 10), cls="shown quiet",
                    anchor="middle")  # fmt: skip
        size = fitted(amount, 23, wide - 18, bold=True)
        said += line(amount, x + wide / 2, top + 31, size, cls="shown", anchor="middle", bold=True)
        found.append(
            group(glass + said, id=f"{prefix}meter-{at}", cls="meter", title=f"{name}: {amount}")
        )
    return found


# ---- what everybody shares -------------------------------------------------------------------


@lru_cache(maxsize=512)
def _dealer(
    hands: tuple[HandView, ...], light_on: str, rules: Rules, deck: Deck, prefix: str
) -> tuple[str, ...]:
    """The dealer's hand, and beside it the cards that all share."""
    found: list[str] = []
    y, gap = _DEALER_TOP, 26.0
    if not hands:
        found.append(_places(rules, y, DEALERS))
        found.append(line("Dealer", MIDDLE, y + 148, 17, cls="label quiet", anchor="middle"))
    counts = [len(hand.cards) for hand in hands]
    room = 476.0 - gap * (len(hands) - 1)
    # a hand that has room lies close, whatever lies beside it
    share = [min(room * count / sum(counts), count * DEALERS * SPREAD + 20) for count in counts]
    left = MIDDLE - (sum(share) + gap * (len(hands) - 1)) / 2
    areas = PRESENTATION.of(rules.chapter).common_areas(rules)
    for hand, own in zip(hands, share, strict=True):
        found.append(
            row_of_cards(hand, left, y, own, DEALERS, deck, f"{prefix}{hand.place}", 17, _UNDER)
        )
        if hand.place in areas and not hand.says:
            low = y + DEALERS * _TALL + 20
            name = areas[hand.place].label
            found.append(line(name, left + own / 2, low, 17, cls="label quiet", anchor="middle"))
        left += own + gap
    for light in PRESENTATION.of(rules.chapter).lights(rules):
        if light.range == light_on:
            x, fill = MIDDLE + 284, lamp(light.color)[0]
            inside = f'<circle cx="{num(x)}" cy="70" r="22" fill="{fill}" opacity=".3"/>'
            inside += f'<circle cx="{num(x)}" cy="70" r="13" fill="{fill}" stroke="#fff" stroke-width="2"/>'
            name = light.range.capitalize()
            inside += line(name, x, 106, 19, cls="label", anchor="middle", bold=True)
            inside += line("hole card", x, 124, 14, cls="label", anchor="middle")
            found.append(
                group(inside, id=f"{prefix}light-{light.range}", cls="light", title=f"hole card: {name}")
            )  # fmt: skip
    return tuple(found)


def _places(rules: Rules, top: float, wide: float) -> str:
    """Where the cards of a hand will lie."""
    count = min(rules.chapter.number("hand_cards"), 5)
    step = wide * SPREAD
    left = MIDDLE - (step * (count - 1) + wide) / 2
    return "".join(
        f'<rect class="card-place" x="{num(left + step * at)}" y="{num(top)}" width="{num(wide)}" '
        f'height="{num(wide * _TALL)}" rx="{num(wide * 0.06)}"/>'
        for at in range(count)
    )


def _others(
    rules: Rules, layout: Layout, view: TableView, mine: int, deck: Deck, prefix: str
) -> list[str]:
    """The other seats along the curve: after mine to the left, before mine to the right."""
    known = {seat.seat: seat for seat in view.seats}
    return [
        _tile(known.get(number) or SeatView(number), *place, deck, prefix)
        for number, place in _tiles(rules, layout.seats, mine)
    ]


@cache
def _tiles(
    rules: Rules, seats: int, mine: int
) -> tuple[tuple[int, tuple[float, float, float]], ...]:
    """The seats beside mine, each with its place: left, top and width.

    They lie along the edge, as far as my betting areas leave room, and then above one another.
    """
    around = [(mine - 1 + step) % seats + 1 for step in range(1, seats)]
    half = (len(around) + 1) // 2
    # hands that all wager on lie as far out as their rings
    inner = MIDDLE - COMMON_ROOM / 2 if common_numbers(rules) else my_spots(rules)[0].x - 54
    room = inner - _MARGIN
    fit = max(1, min(half, int(room / (_TILE_LEAST + 4))))
    wide = min(_TILE, room / fit - 4)
    found = []
    for side, numbers in ((0, around[:half]), (1, around[half:][::-1])):
        row = min(fit, len(numbers))
        for at, number in enumerate(numbers):
            # the seat beside mine is the most inside
            x = _MARGIN - 2 + (wide + 4) * (row - 1 - at % row)
            # nothing hangs over the rail
            y = arc_at(x) - 6 - _TILE_HIGH - (_TILE_HIGH + 6) * (at // row)
            found.append((number, (WIDTH - x - wide if side else x, y, wide)))
    return tuple(found)


@lru_cache(maxsize=4096)
def _tile(seat: SeatView, x: float, y: float, room: float, deck: Deck, prefix: str) -> str:
    tall = _TILE_HIGH
    if not (seat.player or seat.hands or seat.chips):
        return _free(seat.seat, x + room / 2, y + tall / 2, prefix)
    inside = "".join(
        f'<rect class="{kind}" x="{num(x)}" y="{num(y)}" width="{num(room)}" height="{num(tall)}" rx="9"/>'
        for kind in ("shade", "glow" if seat.active else "fine")
    )
    name = f"{seat.seat} {seat.player.partition(' (')[0]}".strip()
    inside += line(shortened(name, room - 12, 15), x + 7, y + 17, 15, cls="label", bold=True)
    cards = [card for hand in seat.hands for card in hand.cards]
    if cards:
        wide = min(30.0, (tall - 44) / _TALL)
        step = min(wide + 2, (room - 12 - wide) / max(1, len(cards) - 1))
        start = x + (room - wide - step * (len(cards) - 1)) / 2
        shown = "".join(
            mini_card(card, start + step * n, y + 23, wide, deck) for n, card in enumerate(cards)
        )
        folded = any(hand.folded for hand in seat.hands)
        inside += f'<g class="folded"><g class="hand">{shown}</g></g>' if folded else shown
    staked = sum(pile.amount for pile in seat.chips if pile.state != "paid")
    words = seat.note or (spoken(staked) if staked else "")
    if words:
        kind = {"+": "win", "−": "lose"}.get(words[0], "label")
        size = fitted(words, 16, room - 12, bold=True)
        inside += line(
            words, x + room / 2, y + tall - 7, size, cls=kind, anchor="middle", bold=True
        )
    return group(
        inside, id=f"{prefix}seat-{seat.seat}", cls="tile", title=f"Seat {seat.seat}", whole=False
    )


def _free(number: int, x: float, y: float, prefix: str) -> str:
    """The number of a seat in a ring, where nobody sits and nothing lies."""
    inside = f'<circle class="fine" cx="{num(x)}" cy="{num(y)}" r="19" opacity=".5"/>'
    inside += line(str(number), x, y + 6, 17, cls="label quiet", anchor="middle")
    return group(inside, id=f"{prefix}seat-{number}", cls="tile", title=f"Seat {number}, free")


# ---- what is mine ----------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _own(rules: Rules, look: Look, seat: SeatView, common: tuple[HandView, ...]) -> str:
    """My cards and my bets."""
    layout = lay_out(rules, look.seats, look.house, look.signs)
    deck, id = Deck(look.four_color), f"{look.prefix}seat-{seat.seat}"
    if common_numbers(rules):
        mine = _common(rules, seat, common, deck, look.prefix)
    else:
        mine = _mine(rules, layout, seat, deck, id)
    told = [*_who(seat, id), *_won(rules, seat), *bets(my_spots(rules), seat, id)]
    return "".join((*mine, *told))


def _won(rules: Rules, seat: SeatView) -> list[str]:
    """A frame around each payout that I was paid, where the table has it once."""
    found = []
    for placed in placed_panels(rules):
        odds = {paid for wager, paid in seat.won if wager == placed.panel.wager}
        # odds are posted with commas, and settled without
        rows = [
            at
            for at, row in enumerate(placed.panel.rows)
            if odds & {cell.replace(",", "") for cell in row[1:]}
        ]
        if len(rows) == 1:
            box = panel_row(placed, rows[0])
            found.append(
                f'<rect class="bid {_side(placed)}" x="{num(box.x - box.width / 2 - 2)}" y="{num(box.y - box.height / 2)}" '
                f'width="{num(box.width + 4)}" height="{num(box.height)}" rx="5"/>'
            )
    return found


def _who(seat: SeatView, id: str) -> list[str]:
    """My name on the rail, and what the round brought above my cards."""
    who = f"Seat {seat.seat}" + (f" · {seat.player}" if seat.player else "")
    found = [plate(who, MIDDLE, HEIGHT - 14, 340, size=15)]
    if seat.note:
        kind = {"+": "win", "−": "lose"}.get(seat.note[0], "")
        found.append(
            group(plate(seat.note, MIDDLE, _TOTAL, 360, kind, size=30),
                  id=f"{id}-total", cls="total", title=f"This round: {seat.note}")
        )  # fmt: skip
    return found


def _glow(left: float, wide: float) -> str:
    return (
        f'<rect class="glow" x="{num(left - 6)}" y="{num(_MINE_TOP - 8)}" width="{num(wide + 12)}" '
        f'height="{num(MINE * _TALL + 16)}" rx="14"><title>You act</title></rect>'
    )


def _common(
    rules: Rules, seat: SeatView, hands: tuple[HandView, ...], deck: Deck, prefix: str
) -> list[str]:
    """The hands that all wager on, each above the rings for it."""
    found = []
    wide = 2 * MINE
    for number, middle in common_middles(rules).items():
        left = middle - wide / 2
        hand = next((one for one in hands if one.number == number), None)
        found.append(line(f"Hand {number}", left, _MINE_TOP - 14, 16, cls="label"))
        if hand is None:
            found.append(
                f'<rect class="card-place" x="{num(left)}" y="{num(_MINE_TOP)}" width="{num(wide)}" '
                f'height="{num(MINE * _TALL)}" rx="8"/>'
            )
            continue
        if seat.active and hand.active:
            found.append(_glow(left, wide))
        id = f"{prefix}{hand.place}"
        drawn = row_of_cards(hand, left, _MINE_TOP, wide, MINE, deck, id, 19, _UNDER)
        found.append(drawn)
    return found


def _mine(rules: Rules, layout: Layout, seat: SeatView, deck: Deck, id: str) -> list[str]:
    """My cards in the middle."""
    if not seat.hands:
        return [_places(rules, _MINE_TOP, MINE)]
    found = []
    hands = list(seat.hands)
    if len(hands) == 2 and hands[0].place == hands[1].place:
        # the first hand of a split is the one on the player's right
        hands.reverse()
    asked = any(hand.active for hand in hands)
    gap = 24.0
    room = 720.0 - gap * max(0, len(hands) - 1)
    counts = [max(1, len(hand.cards)) for hand in hands]
    share = [min(room * count / sum(counts), count * MINE * SPREAD + 8) for count in counts]
    left = MIDDLE - (sum(share) + gap * max(0, len(hands) - 1)) / 2
    for at, (hand, own) in enumerate(zip(hands, share, strict=True)):
        place = layout.at(hand.place)
        # where none of several hands is asked about, those that are known decide
        if seat.active and (hand.active if asked else hand.says or len(hands) == 1):
            found.append(_glow(left, own))
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
    return found
