"""A round on the felt: cards, chips, totals, whose turn it is."""

from __future__ import annotations

from dataclasses import replace
from math import radians, tan

from houseway.cards import Card
from houseway.drawing.layout.geometry import FELT, RAIL, Box, Circle, seat_width
from houseway.drawing.layout.places import Layout
from houseway.drawing.lettering import arc, fitted, line, width
from houseway.drawing.pieces import chips as chip
from houseway.drawing.pieces.cards import HEIGHT, MARK, WIDTH, Deck, back_id
from houseway.drawing.svg import group, num, rotated, text_of
from houseway.money import spoken
from houseway.present.view import CardView, ChipsView, HandView, SeatView, TableView

_RESULTS = {"win": "wins", "lose": "loses", "push": "pushes", "": ""}


def in_play(
    layout: Layout, view: TableView, prefix: str, deck: Deck
) -> tuple[str, frozenset[Card], set[str], set[chip.Chip]]:
    """What lies on the table, and the symbols it needs: faces, backs, chips."""
    parts = []
    for hand in view.table:
        place = layout.at(hand.place)
        if place is not None and isinstance(place.shape, Box):
            parts.append(
                _hand(
                    hand, place.shape, f"{prefix}{hand.place}", hand.place.replace("_", " "), deck
                )
            )
    parts += [_seat(layout, seat, view, prefix, deck) for seat in view.seats]
    if view.notice:
        parts.append(_notice(view.notice, prefix))
    backs: set[str] = {
        card.back for hand in view.hands() for card in hand.cards if card.face is None
    }
    backs |= {card.back for hand in view.hands() for card in hand.cards if card.squeezed}
    laid = {
        piece for seat in view.seats for pile in seat.chips for piece in chip.stack_of(pile.amount)
    }
    return "".join(parts), view.faces(), backs, laid


# ---- cards ----------------------------------------------------------------------------------


def card_at(card: CardView, x: float, y: float, deck: Deck, id: str) -> str:
    """One card with its upper left corner at x, y."""
    symbol = back_id(card.back) if card.face is None else deck.symbol_id(card.face)
    name = "face down" if card.face is None else card.face.name
    if card.squeezed:
        return _squeezed(card, x, y, deck, id, name)
    use = f'<use href="#{symbol}" x="{num(x)}" y="{num(y)}"/>'
    if card.marked:
        use += f'<use href="#{MARK}" x="{num(x)}" y="{num(y)}"/>'
    turn = f"rotate(90 {num(x + WIDTH / 2)} {num(y + HEIGHT / 2)})" if card.sideways else ""
    return group(use, id=id, cls="card", title=name, turn=turn)


def _squeezed(card: CardView, x: float, y: float, deck: Deck, id: str, name: str) -> str:
    """The back, with the near corner bent up; what is under it shows if the reader may see it."""
    r, b = x + WIDTH, y + HEIGHT
    flap = (
        f'<path d="M{num(r - 34)} {num(b)}Q{num(r - 24)} {num(b - 24)} {num(r)} {num(b - 40)}'
        f'L{num(r - 31)} {num(b - 34)}Z" fill="#fdfbf4" stroke="#00000066" stroke-width=".8"/>'
    )
    index = ""
    if card.face is not None:
        # the index as it stands on the bent corner, upside down to everybody else
        rank, suit = ("Jk", "") if card.face.is_joker else (str(card.face)[0], str(card.face)[1])
        label = "10" if rank == "T" else rank
        color = deck.color(suit) if suit else "#7a2a8c"
        index = (
            f'<text x="{num(r - 23)}" y="{num(b - 19)}" font-size="14" font-weight="700" '
            f'text-anchor="middle" fill="{color}">{label}</text>'
        )
        if suit:
            index += (
                f'<use href="#{deck.prefix}-{suit}" x="{num(r - 15)}" y="{num(b - 37)}" '
                'width="9" height="9"/>'
            )
        name = f"{name}, being looked at"
    use = f'<use href="#{back_id(card.back)}" x="{num(x)}" y="{num(y)}"/>'
    return group(use + flap + index, id=id, cls="card squeezed", title=name)


def _hand(
    hand: HandView, box: Box, id: str, who: str, deck: Deck, part: int = 0, parts: int = 1
) -> str:
    """A hand in its area, or in its share of it where a pair was split."""
    wide = box.width / parts
    left = -box.width / 2 + wide * part
    count = len(hand.cards)
    room = wide - WIDTH - 8
    step = min(WIDTH + 3, room / (count - 1)) if count > 1 else 0.0
    if any(card.sideways for card in hand.cards):
        step = min(step, (room - 14) / max(1, count - 1))
    x = left + (wide - WIDTH - step * (count - 1)) / 2
    y = -HEIGHT / 2 if box.height < HEIGHT + 20 else box.height / 2 - HEIGHT - 5
    inside = "".join(
        card_at(card, x + step * at, y + (6 if card.sideways else 0), deck, f"{id}-card-{at + 1}")
        for at, card in enumerate(hand.cards)
    )
    cls = "hand" + (" active" if hand.active else "") + (f" {hand.result}" if hand.result else "")
    if hand.active:
        inside += (
            f'<rect class="glow" x="{num(left - 3)}" y="{num(-box.height / 2 - 3)}" '
            f'width="{num(wide + 6)}" height="{num(box.height + 6)}" rx="10"/>'
        )
    if hand.says:
        inside += plate(hand.says, left + wide / 2, box.height / 2 - 4, wide + 24, hand.result)
    said = f"{who}: {hand.says}" if hand.says else who
    if hand.result:
        said += f", {_RESULTS[hand.result]}"
    whole = group(
        inside,
        id=f"{id}-hand",
        cls=cls,
        title=said,
        turn=rotated(box.x, box.y, box.angle),
        whole=False,
    )
    return f'<g class="folded">{whole}</g>' if hand.folded else whole


#: a plate has some room for a serif that is wider than the one it is measured with
_WIDER = 1.14
#: a tick, a cross, two bars: a result is told by shape as well as by color
_SIGNS = {"win": "M0 5l4 4 7-9", "lose": "M1 0l8 9M9 0l-8 9", "push": "M0 3h9M0 7h9"}


def plate(
    words: str, x: float, y: float, room: float, result: str = "", size: float = 18, *,
    signed: bool = True,
) -> str:  # fmt: skip
    """A small dark plate with a word on it, centered; a win or a loss has a sign of its own.

    Where the words are an amount with its sign, they can stand alone.
    """
    sign = _SIGNS.get(result, "") if signed else ""
    beside = 18 if sign else 0
    fit = fitted(words, size, (room - 18 - beside) / _WIDER, bold=True)
    wide, tall = width(words, fit, bold=True) * _WIDER + 16 + beside, fit * 1.42
    cls = f"amount {result}" if result in ("win", "lose") else "amount"
    mark = (
        f'<path class="tick {result}" transform="translate({num(x - wide / 2 + 9)} {num(y - 5)})" '
        f'd="{sign}"/>'
        if sign
        else ""
    )
    return (
        f'<rect class="plate" x="{num(x - wide / 2)}" y="{num(y - tall / 2)}" width="{num(wide)}" '
        f'height="{num(tall)}" rx="{num(tall / 2)}"/>{mark}<text class="{cls}" '
        f'x="{num(x + beside / 2)}" y="{num(y + fit * 0.34)}" font-size="{num(fit)}" '
        f'textLength="{num(width(words, fit, bold=True) * 1.06)}" lengthAdjust="spacingAndGlyphs">'
        f"{text_of(words)}</text>"
    )


# ---- seats ----------------------------------------------------------------------------------


def _seat(layout: Layout, seat: SeatView, view: TableView, prefix: str, deck: Deck) -> str:
    id = f"{prefix}seat-{seat.seat}"
    turn = layout.turn(seat.seat)
    parts = [_open(layout, seat)]
    shares: dict[str, list[HandView]] = {}
    for hand in seat.hands:
        shares.setdefault(hand.place, []).append(hand)
    for place_id, hands in shares.items():
        place = layout.at(place_id)
        if place is None or not isinstance(place.shape, Box):
            continue
        shape = _whole_width(place.shape, layout) if len(hands) > 1 else place.shape
        for part, hand in enumerate(hands):
            who = f"Seat {seat.seat}" + (f", {place.label}" if place.label else "")
            # the first hand of a split is the one on the dealer's left, the player's right
            mirrored = len(hands) - 1 - part
            parts.append(
                _hand(hand, shape, f"{id}-{place_id}-{part + 1}", who, deck,
                      mirrored, len(hands))
            )  # fmt: skip
    piles: dict[tuple[str, int], list[ChipsView]] = {}
    for pile in seat.chips:
        piles.setdefault((pile.id, pile.hand), []).append(pile)
    cells = _cells(layout, list(piles.values()))
    for (wager, of_hand), together in piles.items():
        spot = _spot(layout, together[0])
        if spot is not None:
            which = f"-{of_hand}" if of_hand else ""
            who = f"Seat {seat.seat}, {together[0].name or wager.replace('_', ' ')}"
            cell = cells.get((wager, of_hand))
            if cell is not None:
                spot = spot[0] + cell[0], spot[1] + cell[1]
            parts.append(_chips(together, spot, turn, f"{id}-{wager}{which}-chips", who, cell))
    parts.append(_name_on_rail(seat, view))
    cls = "play" + (" active" if seat.active else "") + (" own" if view.own == seat.seat else "")
    return group("".join(parts), id=f"{id}-in-play", cls=cls, turn=rotated(0, 0, turn))


def _open(layout: Layout, seat: SeatView) -> str:
    """Rings that glow where a bet is possible, and sensors that have seen one."""
    parts = ""
    for area in seat.open:
        place = layout.at(area)
        if place is not None and isinstance(place.shape, Circle):
            c = place.shape
            parts += (
                f'<circle class="glow" cx="{num(c.x)}" cy="{num(c.y)}" r="{num(c.radius + 3)}">'
                f"<title>{place.label}: a wager may be placed</title></circle>"
            )
    for area in seat.sensed:
        place = layout.at(area)
        if place is not None and isinstance(place.shape, Circle):
            c = place.shape
            parts += (
                f'<circle class="sensed" cx="{num(c.x)}" cy="{num(c.y - c.radius + 9)}" r="5.5">'
                "<title>The sensor has seen the wager</title></circle>"
            )
    return parts


def _whole_width(box: Box, layout: Layout) -> Box:
    """An area for cards made as wide as its position: two hands need more room than one."""
    inner = box.y - box.height / 2
    room = 2 * inner * tan(radians(seat_width(max(layout.seats, 6))) / 2) - 8
    return replace(box, width=max(box.width, room))


def _spot(layout: Layout, pile: ChipsView) -> tuple[float, float] | None:
    """The middle of the area where chips lie."""
    if layout.line is not None and pile.area == layout.line.place.id:
        return 0.0, layout.line.middle
    place = layout.at(pile.area)
    if place is None or not isinstance(place.shape, Circle):
        return None
    return place.shape.x, place.shape.y


#: x and y from the middle of an area, the scale, the room for an amount
_Cell = tuple[float, float, float, float]


def _cells(
    layout: Layout, piles: list[list[ChipsView]]
) -> dict[tuple[str, int], _Cell]:  # fmt: skip
    """Where the piles lie that share an area, each in a cell of its own.

    The two hands of a split lie side by side, the first at the player's right, with what was added
    to double them nearer the rail. The hands of the electronic version lie one below the other.
    """
    areas: dict[str, list[ChipsView]] = {}
    for together in piles:
        areas.setdefault(together[0].area, []).append(together[0])
    found: dict[tuple[str, int], _Cell] = {}
    for shared in areas.values():
        hands = sorted({pile.hand for pile in shared})
        raised = any(pile.raises for pile in shared)
        if len(shared) == 1 or not (len(hands) > 1 or raised):
            continue
        for pile in shared:
            at = hands.index(pile.hand) - (len(hands) - 1) / 2
            if layout.line is None:
                cell = (0.0, 29.0 * at, 0.6, 84.0)
            elif len(hands) == 1:
                cell = (30.0 if pile.raises else -30.0, 0.0, 0.78, 72.0)
            else:
                beyond = (33.0 if pile.raises else -33.0) if raised else 0.0
                cell = (-60.0 * at, beyond, 0.78, 72.0)
            found[pile.id, pile.hand] = cell
    return found


_STATE = {"placed": "chips", "paid": "chips paid", "collected": "chips collected",
          "returned": "chips returned"}  # fmt: skip
_SIGN = {"placed": "", "paid": "+", "collected": "−", "returned": ""}


def _chips(
    piles: list[ChipsView],
    spot: tuple[float, float],
    turn: float,
    id: str,
    who: str,
    cell: _Cell | None,
) -> str:
    """The stacks of one pile with their amounts: upright whatever the seat, or in a cell of an
    area that several piles share, which is turned with the seat so that none covers another.
    """
    inside = ""
    words: list[tuple[str, str]] = []
    # what is paid stands beside the wager; in a cell there is less room
    apart = 0.0 if len(piles) == 1 else 9.0 if cell else 18.0
    for at, pile in enumerate(piles[:2]):
        stack = chip.stack(pile.amount, -apart if at == 0 else apart, 2 if at == 0 else -2)
        inside += f'<g class="{_STATE[pile.state]}">{stack}</g>'
        said = f"{_SIGN[pile.state]}{spoken(pile.amount)}"
        words.append((said + (" back" if pile.state == "returned" else ""), pile.state))
    said = ", ".join(text if state == "placed" else f"{text} {state}" for text, state in words)
    title = f"{who}: {said}"
    if cell is None:
        inside += _amounts(words, 0, 32)
        return group(inside, id=id, cls="pile", title=title, turn=rotated(*spot, -turn))
    _, _, scale, room = cell
    if scale < 0.7:  # one below the other: the amount stands beside the chips
        inside = group(inside, turn="translate(-38 0)") + _amounts(words, 26, 0, room)
    else:
        for at, one in enumerate(words):
            inside += _amounts([one], 0, 30 + 20 * at, room)
        inside = group(inside, turn=f"translate(0 {-2 - 9 * len(words)})")
    place = f"translate({num(spot[0])} {num(spot[1])}) scale({num(scale)})"
    return group(inside, id=id, cls="pile", title=title, turn=place)


def _amounts(words: list[tuple[str, str]], x: float, y: float, room: float = 0) -> str:
    """One plate with every amount of a pile."""
    whole = "  ".join(text for text, _ in words)
    size = fitted(whole, 15, (room - 10) / _WIDER, bold=True) if room else 15.0
    wide = width(whole, size, bold=True) * _WIDER + 10
    parts = [
        text if state in ("placed", "returned") else f'<tspan class="{state}">{text}</tspan>'
        for text, state in words
    ]
    told = " ".join(parts)
    if size < 15:
        # a page's policy allows no style in its markup
        told = f'<tspan font-size="{num(size)}">{told}</tspan>'
    return (
        f'<rect class="plate" x="{num(x - wide / 2)}" y="{num(y - 12)}" width="{num(wide)}" height="21" '
        f'rx="10"/><text class="amount" x="{num(x)}" y="{num(y + 4)}">{told}</text>'
    )


def _name_on_rail(seat: SeatView, view: TableView) -> str:
    """The player's name and status on the rail."""
    own = view.own == seat.seat
    name = f"{seat.player} (you)" if own and seat.player else "You" if own else seat.player
    parts = ""
    room = 250.0
    if name:
        size = fitted(name, 22, room, bold=own)
        parts += line(name, 0, FELT + 34, size, cls="rail", anchor="middle", bold=own, held=False)
    if seat.note:
        size = fitted(seat.note, 19, room)
        cls = (
            "rail win"
            if seat.note.startswith("+")
            else "rail lose"
            if seat.note.startswith("−")
            else "rail"
        )
        parts += line(
            seat.note, 0, FELT + 60, size, cls=cls, anchor="middle", bold=True, held=False
        )
    if seat.active:
        y = FELT + RAIL
        parts += (
            f'<path class="next" d="M-16 {num(y + 22)}'
            f'L0 {num(y + 2)}L16 {num(y + 22)}Z"><title>Seat {seat.seat} acts</title></path>'
            f'<path class="glow" d="{arc(FELT + RAIL - 3, 90, 9)}"/>'
        )
    return parts


def _notice(words: str, prefix: str) -> str:
    return group(
        plate(words, 0, 500, 520, size=30), id=f"{prefix}notice", cls="notice", title=words
    )
