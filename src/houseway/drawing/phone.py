"""The table on a phone held upright: my hand and my bets large, the others in a strip.

A layout of its own, not the big table made small. One unit is about one pixel of a narrow phone, so
no lettering is smaller than 11.
"""

from __future__ import annotations

from functools import lru_cache

from houseway.cards import Card
from houseway.drawing.felt import Look, sheet
from houseway.drawing.layout.geometry import Circle
from houseway.drawing.layout.layout import lay_out
from houseway.drawing.layout.places import Layout, Place
from houseway.drawing.lettering import fitted, line, width
from houseway.drawing.pieces import chips as chip
from houseway.drawing.pieces.cards import HEIGHT as CARD_HEIGHT
from houseway.drawing.pieces.cards import WIDTH as CARD_WIDTH
from houseway.drawing.pieces.cards import Deck
from houseway.drawing.pieces.devices import meters_shown
from houseway.drawing.pieces.furniture import lamp
from houseway.drawing.round_layer import card_at, plate
from houseway.drawing.svg import group, num, picture, text_of
from houseway.drawing.theme import Theme, theme_of
from houseway.law import Rules
from houseway.money import spoken
from houseway.present.game import PRESENTATION
from houseway.present.view import CardView, ChipsView, HandView, SeatView, TableView
from houseway.table.state import key

WIDTH = 390.0
#: from a card to the next of a hand that has room, in cards
SPREAD = 1.05
_EDGE = 10.0
#: the smallest letters that a narrow phone still shows well
_SMALLEST = 11.0


def draw_compact(rules: Rules, view: TableView | None = None, look: Look | None = None) -> str:
    """The table as one player sees it on a phone."""
    look, view = look or Look(), view or TableView()
    theme, deck = theme_of(look.theme), Deck(look.four_color)
    layout = lay_out(rules, look.seats, look.house, look.signs)
    mine = my_seat(view)
    parts: list[str] = []
    y = _head(rules, view, parts)
    y = _dealer(rules, layout, view, deck, look.prefix, y, parts)
    y = _others(layout, view, mine.seat, deck, look.prefix, y, parts)
    y = _who(mine, look.prefix, y, parts)
    if common_numbers(rules):
        y = _common(rules, layout, view, mine, deck, look.prefix, y, parts)
    else:
        y = _mine(rules, layout, mine, deck, look.prefix, y, parts)
        y = _bets(layout, mine, look.prefix, y, parts)
    height = y + 12
    faces, backs, laid = needed_symbols(view)
    defs = _lamp(theme, look.prefix, height)
    if not look.page:
        defs += deck.symbols(faces, backs) + chip.symbols(laid)
    about = rules.chapter.about
    return picture(
        WIDTH,
        height,
        f"{sheet(look)}<defs>{defs}</defs>{_ground(theme, look.prefix, height)}" + "".join(parts),
        title=f"{about.game}, {about.jurisdiction}: seat {mine.seat}",
        cls=f"felt phone {theme.name}",
        id=f"{look.prefix}felt",
    )


def common_numbers(rules: Rules) -> tuple[int, ...]:
    """The hands of common cards that everybody wagers on, where a game has them."""
    return tuple(PRESENTATION.of(rules.chapter).common_hands(rules, {}))


def my_seat(view: TableView) -> SeatView:
    """The reader's own seat; the one that acts, or the first, for somebody without one."""
    for seat in view.seats:
        if seat.seat == view.own:
            return seat
    acting = [seat for seat in view.seats if seat.active] or list(view.seats)
    return acting[0] if acting else SeatView(view.own or 1)


def needed_symbols(view: TableView) -> tuple[frozenset[Card], set[str], set[chip.Chip]]:
    backs = {card.back for hand in view.hands() for card in hand.cards if card.face is None}
    backs |= {card.back for hand in view.hands() for card in hand.cards if card.squeezed}
    laid = {c for seat in view.seats for pile in seat.chips for c in chip.stack_of(pile.amount)}
    return view.faces(), set(backs), laid


def _lamp(theme: Theme, prefix: str, height: float) -> str:
    if theme.flat:
        return ""
    return (
        f'<radialGradient id="{prefix}lamp" gradientUnits="userSpaceOnUse" cx="195" '
        f'cy="{num(height * 0.6)}" r="{num(height * 0.62)}"><stop offset="0" '
        f'stop-color="{theme.lamp}"/><stop offset="1" stop-color="{theme.edge}"/></radialGradient>'
    )


@lru_cache(maxsize=32)
def _ground(theme: Theme, prefix: str, height: float) -> str:
    fill = theme.lamp if theme.flat else f"url(#{prefix}lamp)"
    edge = f' stroke="{theme.line}" stroke-width="1.5"' if theme.flat else ""
    return (
        f'<rect class="room" width="{num(WIDTH)}" height="{num(height)}"/>'
        f'<rect x="2" y="2" width="{num(WIDTH - 4)}" height="{num(height - 4)}" rx="18" '
        f'fill="{fill}"{edge}/>'
    )


# ---- what everybody shares ------------------------------------------------------------------


def _head(rules: Rules, view: TableView, parts: list[str]) -> float:
    """What the dealer said last, or the game's name; meters beside it."""
    words = view.notice or rules.chapter.about.game
    shown = [f"{name} {amount}" for name, amount in meters_shown(rules, view)]
    room = WIDTH - 2 * _EDGE - 8
    if shown:
        meters = "  ".join(shown[:2])
        size = fitted(meters, 14, room * 0.58)
        if size < _SMALLEST:
            meters = shown[0]
            size = fitted(meters, 14, room * 0.58)
        parts.append(line(meters, WIDTH - _EDGE - 4, 24, size, cls="label", anchor="end"))
        room *= 0.4
    size = fitted(words, 17, room, bold=True)
    parts.append(line(words, _EDGE + 4, 24, size, cls="label", bold=True))
    return 34


def sized(inside: str, x: float, y: float, scale: float) -> str:
    return f'<g transform="translate({num(x)} {num(y)})scale({scale:.3f})">{inside}</g>'


def row_of_cards(
    hand: HandView, left: float, top: float, room: float, wide: float, deck: Deck, id: str,
    lettering: float = 15, under: float = -2,
) -> str:  # fmt: skip
    """A hand's cards in a row, overlapping where they must; the plate lies so far under them."""
    scale = wide / CARD_WIDTH
    count = len(hand.cards)
    # a card laid across is as wide as the others are tall
    across = 0.4 * wide if any(card.sideways for card in hand.cards) else 0.0
    step = min(wide * SPREAD, (room - across - wide) / (count - 1)) if count > 1 else 0.0
    x = left + (room - across - wide - step * (count - 1)) / 2
    inside = "".join(
        sized(card_at(card, 0, 0, deck, f"{id}-card-{at + 1}"), x + step * at, top, scale)
        for at, card in enumerate(hand.cards)
    )
    if hand.says:
        low = top + CARD_HEIGHT * scale + under
        inside += plate(hand.says, left + room / 2, low, room + 10, hand.result, size=lettering)
    whole = group(inside, id=f"{id}-hand", cls="hand", title=hand.says or "cards", whole=False)
    return f'<g class="folded">{whole}</g>' if hand.folded else whole


def _dealer(
    rules: Rules,
    layout: Layout,
    view: TableView,
    deck: Deck,
    prefix: str,
    y: float,
    parts: list[str],
) -> float:
    """The dealer's cards and what is common, side by side; the reader's light where there is one."""
    row = [hand for hand in view.table if hand.cards and not hand.number]
    wide, tall = 56.0, 56.0 * CARD_HEIGHT / CARD_WIDTH
    for light in PRESENTATION.of(rules.chapter).lights(rules):
        if light.range == view.devices.light:
            # beside the hole card, which lies in the middle of its half
            x, name, fill = WIDTH - 42, light.range.capitalize(), lamp(light.color)[0]
            inside = f'<circle cx="{num(x)}" cy="{num(y + 26)}" r="9" fill="{fill}" stroke="#fff"/>'
            inside += line(name, x, y + 52, 15, cls="label", anchor="middle", bold=True)
            title = f"hole card: {name}"
            parts.append(group(inside, id=f"{prefix}light-{light.range}", title=title))
    if not row:
        place = layout.at("dealer_cards")
        parts.append(
            f'<rect class="place" x="{num(WIDTH / 2 - 90)}" y="{num(y + 6)}" width="180" '
            f'height="{num(tall)}" rx="6"><title>{text_of(place.says if place else "")}</title></rect>'
            + line("Dealer", WIDTH / 2, y + tall / 2 + 10, 15, cls="label", anchor="middle")
        )
        return y + tall + 24
    room = (WIDTH - 2 * _EDGE - 12 * (len(row) - 1)) / len(row)
    fit = min(wide, room / max(1.0, 0.55 * max(len(hand.cards) for hand in row)))
    areas = PRESENTATION.of(rules.chapter).common_areas(rules)
    for at, hand in enumerate(row):
        left = _EDGE + at * (room + 12)
        parts.append(row_of_cards(hand, left, y + 6, room, fit, deck, f"{prefix}{hand.place}"))
        if hand.place in areas and not hand.says:
            name, low = areas[hand.place].label, y + tall + 18
            parts.append(line(name, left + room / 2, low, 12, cls="label", anchor="middle"))
    return y + tall + 24


def mini_card(card: CardView, x: float, y: float, wide: float, deck: Deck) -> str:
    """A card of the size of a thumbnail: its rank over its suit, or its back."""
    tall = wide * 1.4
    if card.face is None:
        color = {"red": "#8e1b24", "blue": "#1c3a72"}[card.back]
        return (
            f'<rect x="{num(x)}" y="{num(y)}" width="{num(wide)}" height="{num(tall)}" rx="2.5" '
            f'fill="{color}" stroke="#fdfbf4" stroke-width="1.4"><title>face down</title></rect>'
        )
    body = (
        f'<rect x="{num(x)}" y="{num(y)}" width="{num(wide)}" height="{num(tall)}" rx="2.5" '
        f'fill="#fdfbf4" stroke="#000" stroke-opacity=".4" stroke-width=".6">'
        f"<title>{card.face.name}</title></rect>"
    )
    if card.face.is_joker:
        return body + (
            f'<text x="{num(x + wide / 2)}" y="{num(y + tall * 0.62)}" font-size="{num(wide * 0.62)}" '
            'font-weight="700" text-anchor="middle" fill="#7a2a8c">Jk</text>'
        )
    rank, suit = str(card.face)[0], str(card.face)[1]
    narrow = (
        f' textLength="{num(wide * 0.7)}" lengthAdjust="spacingAndGlyphs"' if rank == "T" else ""
    )
    size = wide * 0.62
    return body + (
        f'<text x="{num(x + wide / 2)}" y="{num(y + tall * 0.5)}" font-size="{num(wide * 0.86)}" '
        f'font-weight="700" text-anchor="middle" fill="{deck.color(suit)}"{narrow}>'
        f'{"10" if rank == "T" else rank}</text><use href="#{deck.prefix}-{suit}" '
        f'x="{num(x + (wide - size) / 2)}" y="{num(y + tall * 0.53)}" width="{num(size)}" '
        f'height="{num(size)}"/>'
    )


def _others(
    layout: Layout, view: TableView, mine: int, deck: Deck, prefix: str, y: float, parts: list[str]
) -> float:
    """The other seats, each a small tile: cards, what lies on the felt, how it went."""
    known = {seat.seat: seat for seat in view.seats}
    others = [seat for seat in range(1, layout.seats + 1) if seat != mine]
    if not others:
        return y
    # a table without anybody else leaves the room to me
    alone = not any(seat.player or seat.hands for seat in view.seats if seat.seat != mine)
    wide, tall = (WIDTH - 2 * _EDGE + 4) / len(others) - 4, 24.0 if alone else 74.0
    # seat 1 is at the right-hand end, as on the table
    for at, number in enumerate(reversed(others)):
        x = _EDGE + at * (wide + 4)
        seat = known.get(number, SeatView(number))
        parts.append(_tile(seat, x, y, wide, tall, deck, prefix))
    return y + tall + 12


def _tile(
    seat: SeatView, x: float, y: float, wide: float, tall: float, deck: Deck, prefix: str
) -> str:
    frame = "glow" if seat.active else "fine"
    inside = (
        f'<rect class="{frame}" x="{num(x)}" y="{num(y)}" width="{num(wide)}" height="{num(tall)}" '
        'rx="7"/>'
    )
    # what stands in brackets behind a name has no room here
    name = f"{seat.seat} {seat.player.partition(' (')[0]}".strip()
    inside += line(shortened(name, wide - 8, 12), x + 4, y + 14, 12, cls="label")
    cards = [card for hand in seat.hands for card in hand.cards]
    if cards:
        small = 22.0 if len(cards) < 4 else 19.0
        step = min(small + 1, (wide - 6 - small) / max(1, len(cards) - 1))
        start = x + (wide - small - step * (len(cards) - 1)) / 2
        shown = "".join(
            mini_card(card, start + step * n, y + 20, small, deck) for n, card in enumerate(cards)
        )
        folded = any(hand.folded for hand in seat.hands)
        inside += f'<g class="folded"><g class="hand">{shown}</g></g>' if folded else shown
    staked = sum(pile.amount for pile in seat.chips if pile.state != "paid")
    words = seat.note or (spoken(staked) if staked else "")
    if words:
        kind = {"+": "win", "−": "lose"}.get(words[0], "label")
        if width(words, 11, bold=True) > wide - 4:
            words = words.partition(".")[0]
        size = fitted(words, 13, wide - 4, bold=True)
        inside += line(
            words, x + wide / 2, y + tall - 5, size, cls=kind, anchor="middle", bold=True
        )
    return group(
        inside, id=f"{prefix}seat-{seat.seat}", cls="tile", title=f"Seat {seat.seat}", whole=False
    )


def shortened(words: str, room: float, size: float) -> str:
    while words and width(words, size) > room:
        words = words[:-1]
    return words


# ---- what is mine ---------------------------------------------------------------------------


def _who(seat: SeatView, prefix: str, y: float, parts: list[str]) -> float:
    """My name, and what the round brought."""
    title = f"Seat {seat.seat}" + (f", {seat.player}" if seat.player else "")
    parts.append(line(title, _EDGE + 4, y + 14, 16, cls="label", bold=True))
    if seat.note:
        kind = {"+": "win", "−": "lose"}.get(seat.note[0], "")
        wide = width(seat.note, 24, bold=True) + 60
        parts.append(
            group(plate(seat.note, WIDTH - _EDGE - wide / 2, y + 8, wide, kind, size=24),
                  id=f"{prefix}seat-{seat.seat}-total", cls="total", title=f"This round: {seat.note}")
        )  # fmt: skip
    return y + 28


def _glow(y: float, x: float, wide: float, tall: float) -> str:
    return (
        f'<rect class="glow" x="{num(x)}" y="{num(y)}" width="{num(wide)}" height="{num(tall)}" '
        'rx="12"><title>You act</title></rect>'
    )


def _common(
    rules: Rules,
    layout: Layout,
    view: TableView,
    seat: SeatView,
    deck: Deck,
    prefix: str,
    y: float,
    parts: list[str],
) -> float:
    """The hands that all wager on side by side, and under each my bets on it."""
    numbers, areas = common_numbers(rules), _areas(layout)
    cell = (WIDTH - 2 * _EDGE + 10) / len(numbers)
    wide, id = cell / 2 - 4, f"{prefix}seat-{seat.seat}"
    across = 1 if len(areas) < 4 else 2
    rows = -(-len(areas) // across)
    radius = min(34.0, (cell - 10) / across / 2 - 1)
    step = 2 * radius + (14 if across == 1 else 22)
    for at, number in enumerate(numbers):
        left = _EDGE + at * cell
        hand = next((one for one in view.table if one.number == number), None)
        middle, room, top = left + (cell - 10) / 2, cell - 10, y + 16
        parts.append(line(f"Hand {number}", middle, y + 8, 14, cls="label", anchor="middle"))
        if hand is None:
            parts.append(
                f'<rect class="card-place" x="{num(left)}" y="{num(top)}" width="{num(room)}" '
                f'height="{num(wide * 1.4)}" rx="6"/>'
            )
        else:
            if seat.active and hand.active:
                parts.append(_glow(top - 5, left - 5, room + 10, wide * 1.4 + 24))
            whose = f"{prefix}{hand.place}"
            parts.append(row_of_cards(hand, left, top, room, wide, deck, whose, under=4))
        laid = [pile for pile in seat.chips if pile.hand == number]
        for one, place in enumerate(areas):
            x = left + room * (one % across + 0.5) / across
            low = top + wide * 1.4 + 32 + radius + step * (one // across)
            piles = [pile for pile in laid if pile.area == place.id]
            parts.append(_bet(place, seat, piles, x, low, id, room / across, number, radius))
            if across == 1 and at:
                # the name of the row, between its rings
                parts.append(name_in_ring(place.label, left - 5, low, 24))
    return y + 16 + wide * 1.4 + 30 + step * rows


def _mine(
    rules: Rules,
    layout: Layout,
    seat: SeatView,
    deck: Deck,
    prefix: str,
    y: float,
    parts: list[str],
) -> float:
    """My cards, as large as the screen is wide."""
    id = f"{prefix}seat-{seat.seat}"
    hands = list(seat.hands)
    if len(hands) == 2 and hands[0].place == hands[1].place:
        # the first hand of a split is the one on the player's right
        hands.reverse()
    if not hands:
        count = min(rules.chapter.number("hand_cards"), 5)
        empty = 88.0 if count < 4 else 66.0
        parts.append(
            f'<rect class="card-place" x="{num(WIDTH / 2 - count * empty / 2)}" y="{num(y)}" '
            f'width="{num(count * empty)}" height="{num(empty * 1.4)}" rx="8"/>'
        )
        return y + empty * 1.4 + 16
    cards = sum(max(2, len(hand.cards)) if len(hands) == 2 else len(hand.cards) for hand in hands)
    room = WIDTH - 2 * _EDGE - 10 * (len(hands) - 1)
    wide = min(94.0, room / max(3, min(cards, 5)) - 3)
    left = _EDGE
    labeled = len(hands) > 1 and any((p := layout.at(h.place)) and p.label for h in hands)
    if seat.active:
        # the frame goes round the cards and their names, and leaves mine above it
        y += 10
        parts.append(_glow(y - 8, 5, WIDTH - 10, wide * 1.4 + (42 if labeled else 24)))
    weights = [max(1, len(hand.cards)) for hand in hands]
    for at, hand in enumerate(hands):
        share = room * weights[at] / sum(weights)
        place = layout.at(hand.place)
        if place and place.label and len(hands) > 1:
            parts.append(_over(place, left + share / 2, y + wide * 1.4 + 22, share))
        parts.append(row_of_cards(hand, left, y, share, wide, deck, f"{id}-{hand.place}-{at + 1}"))
        left += share + 10
    if seat.active:
        y += 12
    return y + wide * 1.4 + (42 if labeled else 22)


def _over(place: Place, x: float, y: float, room: float) -> str:
    return line(place.label, x, y, fitted(place.label, 13, room), cls="label", anchor="middle")


def _areas(layout: Layout) -> list[Place]:
    """The betting areas of a seat."""
    areas = [place for place in layout.position if isinstance(place.shape, Circle)]
    if layout.line is not None:
        areas.append(layout.line.place)
    return sorted(areas, key=_late)


def _late(place: Place) -> tuple[bool, bool]:
    return place.rank == 2, place.kind == "sensor"


def _bets(layout: Layout, seat: SeatView, prefix: str, y: float, parts: list[str]) -> float:
    """My betting areas in rows of three, with their chips."""
    areas = _areas(layout)
    piles: dict[str, list[ChipsView]] = {}
    for pile in seat.chips:
        piles.setdefault(pile.id, []).append(pile)
    # on the felt these lie in the area of another wager
    named = {place.id for place in areas}
    areas += [
        Place(id, "wager", Circle(0, 0, 0), pile[0].name)
        for id, pile in piles.items()
        if id not in named
    ]
    areas.sort(key=_late)
    id = f"{prefix}seat-{seat.seat}"
    for start in range(0, len(areas), 3):
        row = areas[start : start + 3]
        cell = (WIDTH - 2 * _EDGE) / len(row)
        for at, place in enumerate(row):
            x = _EDGE + cell * (at + 0.5)
            parts.append(_bet(place, seat, piles.get(place.id, []), x, y + 40, id, cell))
        y += 98
    return y


def _bet(
    place: Place, seat: SeatView, piles: list[ChipsView], x: float, y: float, id: str, room: float,
    hand: int = 0, radius: float = 34,
) -> str:  # fmt: skip
    """One betting area: its name inside until chips lie there, then above them."""
    name = key(place.id, hand)
    is_open = place.id in seat.open
    kind = 'class="glow"' if is_open else 'class="bet"'
    inside = f'<circle {kind} cx="{num(x)}" cy="{num(y)}" r="{num(radius)}"/>'
    if name in seat.sensed:
        edge = radius * 0.7
        inside += f'<circle class="sensed" cx="{num(x + edge)}" cy="{num(y - edge)}" r="6"/>'
    if not piles:
        inside += name_in_ring(place.label.upper(), x, y, radius * 40 / 34)
    else:
        states = {pile.state for pile in piles}
        lit = "win" if "paid" in states else "lose" if states == {"collected"} else ""
        if lit:
            inside += f'<circle class="ring {lit}" cx="{num(x)}" cy="{num(y)}" r="{num(radius)}"/>'
        if not hand or room < 90:
            size = fitted(place.label, 13, room - 6)
            # in a narrow place chips say where they lie by their neighbors
            if size > 10:
                inside += line(place.label, x, y - radius - 4, size, cls="label", anchor="middle")
        apart = 0.0 if len(piles) == 1 else radius / 2
        sums: dict[str, int] = {}
        for at, pile in enumerate(piles[:2]):
            stack = chip.stack(pile.amount, -apart if at == 0 else apart, 0)
            chips = f'<g class="chips {pile.state}">{stack}</g>'
            inside += sized(chips, x, y, 1.15 * radius / 34)
        for pile in piles:
            sums[pile.state] = sums.get(pile.state, 0) + pile.amount
        signs = {"paid": "+", "collected": "−"}
        told = [signs.get(state, "") + spoken(amount) for state, amount in sums.items()]
        # in a narrow place what was won stands alone, with the sign of the amount
        words = "  ".join(told if room > 90 else told[-1:])
        inside += plate(
            words,
            x,
            y + radius + (2 if room > 90 else -5),
            room - 4,
            lit,
            size=15,
            signed=room > 90,
        )
    said = f"{place.label}, hand {hand}" if hand else place.label
    return group(
        inside, id=f"{id}-{name}", cls="area open" if is_open else "area",
        title=f"Seat {seat.seat}, {said}",
    )  # fmt: skip


def name_in_ring(label: str, x: float, y: float, radius: float = 40) -> str:
    """A name in a ring, on two lines; a long word is shortened rather than made small.

    In a small ring each word has a line of its own.
    """
    words = [word if len(word) < 10 else f"{word[:5]}." for word in label.replace("-", " ").split()]
    narrow = radius < 34
    half = 1 if narrow else (len(words) + 1) // 2
    lines = [" ".join(words[at : at + half]) for at in range(0, len(words), half)]
    most = 14.0 if len(lines) < 3 else 11.5
    size = min(fitted(part, most, radius * 1.5, bold=True) for part in lines)
    return "".join(
        line(part, x, y + 4 + (at - 0.5 * (len(lines) - 1)) * most, size, cls="label",
             anchor="middle", bold=True)
        for at, part in enumerate(lines)
    )  # fmt: skip
