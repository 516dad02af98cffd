"""A round on the felt: cards, chips, totals, whose turn it is, what the devices show."""

from __future__ import annotations

from houseway.cards import Card
from houseway.drawing import chips as chip
from houseway.drawing import furniture
from houseway.drawing.cards import HEIGHT, WIDTH, Deck, back_id
from houseway.drawing.geometry import FELT, RAIL, Box, Circle
from houseway.drawing.inscriptions import limits_text
from houseway.drawing.layout import Layout, Place
from houseway.drawing.lettering import fitted, line, width
from houseway.drawing.svg import group, num, rotated
from houseway.drawing.theme import Theme
from houseway.drawing.view import CardView, ChipsView, HandView, SeatView, TableView
from houseway.law.rules import Rules
from houseway.money import spoken

_RESULTS = {"win": "wins", "lose": "loses", "push": "pushes", "": ""}
_BACKS = {"red": "#8e1b24", "blue": "#1c3a72"}


def in_play(
    layout: Layout, view: TableView, prefix: str, deck: Deck, theme: Theme
) -> tuple[str, frozenset[Card], set[str], set[chip.Chip]]:
    """What lies on the table, and the symbols it needs: faces, backs, chips."""
    parts = []
    for at, hand in enumerate(view.table):
        place = layout.at(hand.place)
        if place is not None and isinstance(place.shape, Box):
            parts.append(
                _hand(hand, place.shape, f"{prefix}{hand.place}", hand.place.replace("_", " "),
                      deck, 0, 1, at)
            )  # fmt: skip
    parts += [_seat(layout, seat, view, prefix, deck) for seat in view.seats]
    if view.notice:
        parts.append(_notice(view.notice))
    backs: set[str] = {
        card.back for hand in view.hands() for card in hand.cards if card.face is None
    }
    backs |= {card.back for hand in view.hands() for card in hand.cards if card.squeezed}
    laid = {
        piece
        for seat in view.seats
        for pile in seat.chips
        for piece in chip.stack_of(pile.amount)
    }
    del theme
    return "".join(parts), view.faces(), backs, laid


# ---- cards ----------------------------------------------------------------------------------


def card_at(card: CardView, x: float, y: float, deck: Deck, id: str, *, scale: float = 1) -> str:
    """One card with its upper left corner at x, y."""
    wide, tall = WIDTH * scale, HEIGHT * scale
    symbol = back_id(card.back) if card.face is None else deck.symbol_id(card.face)
    name = "face down" if card.face is None else card.face.name
    if card.squeezed:
        return _squeezed(card, x, y, deck, id, name)
    use = (
        f'<use href="#{symbol}" x="{num(x)}" y="{num(y)}" width="{num(wide)}" '
        f'height="{num(tall)}"/>'
    )
    if card.marked:
        use += (
            f'<rect class="glow" x="{num(x)}" y="{num(y)}" width="{num(wide)}" '
            f'height="{num(tall)}" rx="{num(4 * scale)}"/>'
        )
    turn = f"rotate(90 {num(x + wide / 2)} {num(y + tall / 2)})" if card.sideways else ""
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
            f'text-anchor="middle" style="fill:{colour}">{label}</text>'
        )
        if suit:
            index += (
                f'<use href="#{deck.prefix}-{suit}" x="{num(r - 15)}" y="{num(b - 37)}" '
                'width="9" height="9"/>'
            )
        name = f"{name}, being looked at"
    use = (
        f'<use href="#{back_id(card.back)}" x="{num(x)}" y="{num(y)}" width="{num(WIDTH)}" '
        f'height="{num(HEIGHT)}"/>'
    )
    return group(use + flap + index, id=id, cls="card squeezed", title=name)


def _hand(
    hand: HandView, box: Box, id: str, who: str, deck: Deck, part: int, parts: int, number: int
) -> str:
    """A hand in its area, or in its share of it where a pair was split."""
    del number
    wide = box.width / parts
    left = -box.width / 2 + wide * part
    count = len(hand.cards)
    room = wide - WIDTH - 8
    step = min(WIDTH + 3, room / (count - 1)) if count > 1 else 0.0
    if any(card.sideways for card in hand.cards):
        step = min(step, (room - 14) / max(1, count - 1))
    x = left + (wide - WIDTH - step * (count - 1)) / 2
    y = -HEIGHT / 2 if box.height < HEIGHT + 20 else -box.height / 2 + 5
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
    whole = group(inside, id=f"{id}-hand", cls=cls, title=said, turn=rotated(box.x, box.y, box.angle))
    return f'<g class="folded">{whole}</g>' if hand.folded else whole


def plate(
    words: str, x: float, y: float, room: float, result: str = "", size: float = 18
) -> str:
    """A small dark plate with a word on it, centred."""
    mark = {"win": "✓ ", "lose": "✗ ", "push": "= "}.get(result, "")
    fit = fitted(words, size, room - 30, bold=True)
    wide = width(words, fit, bold=True) + (34 if mark else 18)
    tall = fit * 1.42
    cls = f"amount {result}" if result in ("win", "lose") else "amount"
    sign = (
        f'<text class="{cls}" x="{num(x - wide / 2 + 8)}" y="{num(y + fit * 0.34)}" '
        f'font-size="{num(fit * 0.9)}">{mark.strip()}</text>'
        if mark
        else ""
    )
    return (
        f'<rect class="plate" x="{num(x - wide / 2)}" y="{num(y - tall / 2)}" width="{num(wide)}" '
        f'height="{num(tall)}" rx="{num(tall / 2)}"/>{sign}'
        + line(words, x + (8 if mark else 0), y + fit * 0.34, fit, cls=cls, anchor="middle", bold=True)
    )


# ---- seats ----------------------------------------------------------------------------------


def _seat(layout: Layout, seat: SeatView, view: TableView, prefix: str, deck: Deck) -> str:
    id = f"{prefix}seat-{seat.seat}"
    turn = layout.turn(seat.seat)
    parts = [_open(layout, seat)]
    shares: dict[str, list[HandView]] = {}
    for hand in seat.hands:
        shares.setdefault(hand.place, []).append(hand)
    number = 0
    for place_id, hands in shares.items():
        place = layout.at(place_id)
        if place is None or not isinstance(place.shape, Box):
            continue
        for part, hand in enumerate(hands):
            number += 1
            who = f"Seat {seat.seat}" + (f", {place.label}" if place.label else "")
            # the first hand of a split is the one on the dealer's left, the player's right
            mirrored = len(hands) - 1 - part
            parts.append(
                _hand(hand, place.shape, f"{id}-{place_id}-{part + 1}", who, deck,
                      mirrored, len(hands), number)
            )  # fmt: skip
    piles: dict[tuple[str, int], list[ChipsView]] = {}
    for pile in seat.chips:
        piles.setdefault((pile.area, pile.hand), []).append(pile)
    for (area, hand_number), pile_views in piles.items():
        spot = _spot(layout, area, hand_number)
        if spot is not None:
            parts.append(_chips(pile_views, spot, turn, f"{id}-{area}-chips", seat.seat, area))
    parts.append(_name_on_rail(seat, view))
    cls = "play" + (" active" if seat.active else "") + (" own" if view.own == seat.seat else "")
    return group("".join(parts), id=f"{id}-play", cls=cls, turn=rotated(0, 0, turn))


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


def _spot(layout: Layout, area: str, hand: int) -> tuple[float, float, float] | None:
    """Where chips of an area lie: x, y and how wide they may spread."""
    if area == "insurance" and layout.insurance:
        return 0.0, sum(layout.insurance) / 2, 40
    follows = {"double": "bet", "split": "bet"}.get(area, area)
    place = layout.at(follows)
    if place is None:
        return None
    shape = place.shape
    if not isinstance(shape, Circle):
        return None
    if area == "double":
        return shape.x + 30 + 52 * hand, shape.y, shape.radius
    if area == "split" or hand:
        return shape.x - 64, shape.y, shape.radius
    return shape.x, shape.y, shape.radius


_SIGN = {"placed": "", "paid": "+", "collected": "−", "returned": ""}


def _chips(
    piles: list[ChipsView], spot: tuple[float, float, float], turn: float, id: str, seat: int, area: str
) -> str:
    """The stacks of one area, upright whatever the seat, with their amounts below."""
    x, y, _ = spot
    paid = len(piles) > 1
    inside, words = "", []
    for at, pile in enumerate(piles[:2]):
        dx = (-19 if at == 0 else 20) if paid else 0
        stack = chip.stack(pile.amount, dx, -2 if paid and at else 2)
        inside += f'<g class="{pile.state}"><g class="chips">{stack}</g></g>'
        said = f"{_SIGN[pile.state]}{spoken(pile.amount)}"
        words.append((said + (" back" if pile.state == "returned" else ""), pile.state))
    inside += _amounts(words, 33)
    said = ", ".join(f"{text} {state}" for text, state in words)
    return group(
        inside, id=id, cls="pile", title=f"Seat {seat}, {area.replace('_', ' ')}: {said}",
        turn=rotated(x, y, -turn),
    )  # fmt: skip


def _amounts(words: list[tuple[str, str]], y: float) -> str:
    size = 16.0
    widths = [width(text, size, bold=True) for text, _ in words]
    whole = sum(widths) + 8 * (len(words) - 1) + 14
    parts = (
        f'<rect class="plate" x="{num(-whole / 2)}" y="{num(y - 12)}" width="{num(whole)}" '
        'height="22" rx="11"/>'
    )
    x = -whole / 2 + 7
    for (text, state), wide in zip(words, widths, strict=True):
        parts += f'<g class="{state}">{line(text, x, y + 5, size, cls="amount", bold=True)}</g>'
        x += wide + 8
    return parts


def _name_on_rail(seat: SeatView, view: TableView) -> str:
    """Who sits here, and a word about how it stands."""
    own = view.own == seat.seat
    name = f"{seat.player} (you)" if own and seat.player else "You" if own else seat.player
    parts = ""
    room = 250.0
    if name:
        size = fitted(name, 22, room, bold=own)
        parts += line(name, 0, FELT + 34, size, cls="rail", anchor="middle", bold=own)
    if seat.note:
        size = fitted(seat.note, 19, room)
        cls = "rail win" if seat.note.startswith("+") else "rail lose" if seat.note.startswith("−") else "rail"
        parts += line(seat.note, 0, FELT + 60, size, cls=cls, anchor="middle", bold=True)
    if seat.active:
        y = FELT + RAIL
        parts += (
            f'<path class="next" d="M0 {num(FELT + 8)}" /><path class="next" d="M-16 {num(y + 22)}'
            f'L0 {num(y + 2)}L16 {num(y + 22)}Z"><title>Seat {seat.seat} acts</title></path>'
            f'<path class="glow" d="{_rail_arc()}"/>'
        )
    return parts


def _rail_arc() -> str:
    from houseway.drawing.lettering import arc

    return arc(FELT + RAIL - 3, 90, 9)


def _notice(words: str) -> str:
    return group(
        plate(words, 0, 500, 520, size=30), id="notice", cls="notice", title=words
    )


# ---- devices --------------------------------------------------------------------------------


def devices(rules: Rules, layout: Layout, view: TableView, prefix: str, theme: Theme) -> str:
    """What stands on the dealer's side, showing what it shows now."""
    return "".join(
        _device(place, rules, view, prefix, theme)
        for place in layout.devices
        if place.id != "inventory_container"
    )


def _device(place: Place, rules: Rules, view: TableView, prefix: str, theme: Theme) -> str:
    box = place.shape
    assert isinstance(box, Box)
    state = view.devices
    decks = int(rules.options.get("decks", 1))
    cards = rules.chapter.number("deck_cards") * decks
    back = _BACKS[state.back]
    says = place.says
    if place.id == "dealing_shoe":
        automatic = rules["dealing"] not in ("manual_shoe", "shoe")
        if automatic:
            drawn = furniture.machine(box, "busy" if state.shuffling else "", theme)
        else:
            drawn = furniture.shoe(box, state.stub, back, cards)
    elif place.id == "stub":
        drawn = _deck_on_table(box, state.stub, cards, back)
    elif place.id == "discard_rack":
        drawn = furniture.rack(box, state.discards, cards, back, theme)
        says = f"{says}: {state.discards} cards"
    elif place.id == "shuffler":
        light = "out" if "shuffler" in state.out_of_order else "busy" if state.shuffling else ""
        drawn = furniture.machine(box, light, theme)
        if state.shown:
            drawn = furniture.screen(box, list(state.shown), theme)
    elif place.id == "card_reader":
        drawn = furniture.reader(box, state.light, theme, prefix)
        says = f"{says}: {state.light or 'no'} light"
    elif place.id == "progressive_control":
        drawn = furniture.keypad(box, state.locked, theme)
    elif place.id == "progressive_meter":
        drawn = furniture.screen(box, _meters(rules, view), theme)
    elif place.id == "limits":
        drawn = _limits(box, rules, theme)
    elif place.id == "cover_card":
        drawn = _cover(box, state.cover_card_out)
    else:
        return group(
            furniture.box_on_the_side(box, place.label), id=f"{prefix}{place.id}", cls="device",
            title=f"{place.label}: {says}",
        )  # fmt: skip
    if place.id in state.out_of_order:
        drawn += furniture.out_of_order(box)
    caption = place.label
    if place.id == "discard_rack" and decks > 1:
        caption = f"{decks} decks"
    elif place.id in ("dealing_shoe", "stub") and state.stub is not None:
        caption = f"{state.stub} cards"
    if place.id != "cover_card":
        drawn += furniture.caption(box, caption)
    return group(drawn, id=f"{prefix}{place.id}", cls="device", title=f"{place.label}: {says}")


def _meters(rules: Rules, view: TableView) -> list[tuple[str, str]]:
    """Each meter by its name, with what it shows; what it starts with where nothing is known."""
    shown = {meter.name: meter.amount for meter in view.meters}
    several = len(rules.meter_names) > 1
    rows = []
    for name in rules.meter_names:
        wager, _, tier = name.partition(".")
        words = (tier or wager.replace("_", " ")) if several else "Progressive"
        amount = shown.get(name, rules.meter(name).seed)
        rows.append((words.capitalize(), spoken(amount)))
    return rows


def _limits(box: Box, rules: Rules, theme: Theme) -> str:
    """The sign with the least and greatest wagers."""
    del theme
    rows = limits_text(rules)
    left, top = box.x - box.width / 2, box.y - box.height / 2
    room = min(26.0, (box.height - 34) / max(1, len(rows)))
    drawn = furniture.body(box)
    for at, (name, least, most) in enumerate(rows):
        words = f"{least}–{most}" if least and most else f"from {least}" if least else f"to {most}"
        y = top + 12 + room * at
        size = fitted(words, min(17, room * 0.6), box.width - 16, bold=True)
        small = fitted(name, room * 0.36, box.width - 16)
        drawn += line(name, left + 8, y + room * 0.34, small, cls="dev quiet")
        drawn += line(words, left + 8, y + room * 0.9, size, cls="dev", bold=True)
    return drawn


def _deck_on_table(box: Box, stub: int | None, cards: int, back: str) -> str:
    share = 1.0 if stub is None else stub / cards
    depth = 12 * share
    x, y = box.x - WIDTH / 2, box.y - box.height / 2 + 4
    return (
        f'<rect x="{num(x)}" y="{num(y)}" width="{num(WIDTH)}" height="{num(HEIGHT - 14 + depth)}" '
        f'rx="4" fill="#cfc8b8"/><rect x="{num(x)}" y="{num(y)}" width="{num(WIDTH)}" '
        f'height="{num(HEIGHT - 14)}" rx="4" fill="{back}" stroke="#fdfbf4" stroke-width="3"/>'
        if share > 0
        else ""
    )


def _cover(box: Box, out: bool) -> str:
    """The cover card beside the shoe; its outline while it is in the pack."""
    from houseway.drawing.cards import COVER

    x, y = box.x - WIDTH / 2, box.y - HEIGHT / 2
    fill = f'fill="{COVER}" stroke="#6b5300"' if out else 'class="place" fill="none"'
    return (
        f'<rect x="{num(x)}" y="{num(y)}" width="{num(WIDTH)}" height="{num(HEIGHT)}" rx="4" {fill} '
        'stroke-width="1.4"/>'
        + furniture.caption(box, "Cover card", up=40, cls="label quiet" if not out else "ink")
    )
