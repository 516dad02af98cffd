"""A round on the felt: cards, chips, totals, whose turn it is."""

from __future__ import annotations

from houseway.cards import Card
from houseway.drawing.layout.geometry import FELT, RAIL, Box, Circle
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
        colour = deck.colour(suit) if suit else "#7a2a8c"
        index = (
            f'<text x="{num(r - 23)}" y="{num(b - 19)}" font-size="14" font-weight="700" '
            f'text-anchor="middle" fill="{colour}">{label}</text>'
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
#: a tick, a cross, two bars: a result is told by shape as well as by colour
_SIGNS = {"win": "M0 5l4 4 7-9", "lose": "M1 0l8 9M9 0l-8 9", "push": "M0 3h9M0 7h9"}


def plate(words: str, x: float, y: float, room: float, result: str = "", size: float = 18) -> str:
    """A small dark plate with a word on it, centred; a win or a loss has a sign of its own."""
    sign = _SIGNS.get(result, "")
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
        f'x="{num(x + beside / 2)}" y="{num(y + fit * 0.34)}" font-size="{num(fit)}">'
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
        for part, hand in enumerate(hands):
            who = f"Seat {seat.seat}" + (f", {place.label}" if place.label else "")
            # the first hand of a split is the one on the dealer's left, the player's right
            mirrored = len(hands) - 1 - part
            parts.append(
                _hand(hand, place.shape, f"{id}-{place_id}-{part + 1}", who, deck,
                      mirrored, len(hands))
            )  # fmt: skip
    piles: dict[tuple[str, int], list[ChipsView]] = {}
    for pile in seat.chips:
        piles.setdefault((pile.id, pile.hand), []).append(pile)
    for (wager, of_hand), together in piles.items():
        spot = _spot(layout, together[0])
        if spot is not None:
            which = f"-{of_hand}" if of_hand else ""
            who = f"Seat {seat.seat}, {together[0].name or wager.replace('_', ' ')}"
            parts.append(_chips(together, spot, turn, f"{id}-{wager}{which}-chips", who))
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


def _spot(layout: Layout, pile: ChipsView) -> tuple[float, float] | None:
    """Where the chips of an area lie; the two hands of a split side by side, doubles beyond."""
    if layout.line is not None and pile.area == layout.line.place.id:
        return 0.0, layout.line.middle
    place = layout.at(pile.area)
    if place is None or not isinstance(place.shape, Circle):
        return None
    circle = place.shape
    if layout.line is not None and place.rank == 0:
        # the first hand is the one on the player's right
        side = {0: 0.0, 1: 27.0, 2: -27.0}[pile.hand]
        if pile.raises:
            side += 58 if side >= 0 else -58
        return circle.x + side, circle.y
    # on the three common hands of the electronic version, in their order
    return circle.x + (26.0 * (pile.hand - 2) if pile.hand else 0.0), circle.y


_STATE = {"placed": "chips", "paid": "chips paid", "collected": "chips collected",
          "returned": "chips returned"}  # fmt: skip
_SIGN = {"placed": "", "paid": "+", "collected": "−", "returned": ""}


def _chips(
    piles: list[ChipsView], spot: tuple[float, float], turn: float, id: str, who: str
) -> str:
    """The stacks of one area, upright whatever the seat, with their amounts beside them."""
    inside = ""
    words: list[tuple[str, str]] = []
    # what is paid stands beside the wager; between the hands of a split there is less room
    split = piles[0].hand > 0
    apart = 0.0 if len(piles) == 1 else 9.0 if split else 18.0
    for at, pile in enumerate(piles[:2]):
        stack = chip.stack(pile.amount, -apart if at == 0 else apart, 2 if at == 0 else -2)
        inside += f'<g class="{_STATE[pile.state]}">{stack}</g>'
        said = f"{_SIGN[pile.state]}{spoken(pile.amount)}"
        words.append((said + (" back" if pile.state == "returned" else ""), pile.state))
    if split and len(words) > 1:
        inside += _amounts(words[:1], 32) + _amounts(words[1:], 52)
    else:
        inside += _amounts(words, 32)
    said = ", ".join(text if state == "placed" else f"{text} {state}" for text, state in words)
    return group(inside, id=id, cls="pile", title=f"{who}: {said}", turn=rotated(*spot, -turn))


def _amounts(words: list[tuple[str, str]], y: float) -> str:
    """One plate with every amount of a pile."""
    wide = width("  ".join(text for text, _ in words), 15, bold=True) * _WIDER + 10
    parts = [
        text if state in ("placed", "returned") else f'<tspan class="{state}">{text}</tspan>'
        for text, state in words
    ]
    return (
        f'<rect class="plate" x="{num(-wide / 2)}" y="{num(y - 12)}" width="{num(wide)}" height="21" '
        f'rx="10"/><text class="amount" y="{num(y + 4)}">{" ".join(parts)}</text>'
    )


def _name_on_rail(seat: SeatView, view: TableView) -> str:
    """Who sits here, and a word about how it stands."""
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
