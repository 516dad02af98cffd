"""Where everything lies: a chapter's layout under chosen rules, in millimetres.

`lay_out` reads the areas, inscriptions and equipment that the chapter asks for and gives each its
place. A position is laid out once, straight below the dealer, and turned to every seat. Nothing is
drawn here; a test takes every combination of options and looks for two places that overlap.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import cos, degrees, hypot, radians, sin, sqrt
from typing import Literal

from houseway.drawing.cards import HEIGHT, WIDTH
from houseway.drawing.geometry import (
    BACK,
    FELT,
    Band,
    Box,
    Circle,
    Shape,
    between,
    row_of_boxes,
    row_of_circles,
    seat_turn,
    seat_width,
)
from houseway.drawing.inscriptions import Panel, Phrase, in_force, payouts, phrases
from houseway.drawing.lettering import width
from houseway.law.rules import Rules
from houseway.refusal import Refused

Kind = Literal["bet", "sensor", "cards", "hand", "device", "box", "panel", "words"]

#: air between a card and the edge of the area that holds it
_PAD = 4.0


@dataclass(frozen=True, slots=True)
class Place:
    """Something with a place of its own on the table."""

    id: str
    kind: Kind
    shape: Shape
    label: str = ""
    says: str = ""
    clause: str = ""
    #: how many cards lie in it side by side before they overlap
    cards: int = 0


@dataclass(frozen=True, slots=True)
class Words:
    """A line of lettering on an arc: its baseline's radius, its size."""

    id: str
    words: str
    radius: float
    size: float
    bold: bool
    spacing: float
    clause: str

    @property
    def band(self) -> Band:
        length = width(self.words, self.size, bold=self.bold, spacing=self.spacing)
        half = degrees(length / self.radius / 2)
        return Band(self.radius - self.size * 0.74, self.radius + self.size * 0.23, 90, half)


@dataclass(frozen=True, slots=True)
class PlacedPanel:
    """A table of payouts, its place, and the size of its lettering."""

    panel: Panel
    box: Box
    size: float
    columns: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """A whole layout. `position` is the one straight below the dealer."""

    seats: int
    position: tuple[Place, ...]
    table: tuple[Place, ...]
    devices: tuple[Place, ...]
    words: tuple[Words, ...]
    panels: tuple[PlacedPanel, ...]
    #: the ring that insurance is laid on, where there is one
    insurance: tuple[float, float] | None = None

    def turn(self, seat: int) -> float:
        return seat_turn(self.seats, seat)

    def at(self, id: str) -> Place | None:
        """A place of the position or of the table."""
        return next((p for p in (*self.position, *self.table, *self.devices) if p.id == id), None)

    def everything(self) -> Iterator[tuple[str, Shape]]:
        """Every shape where it lies, for whoever looks for an overlap."""
        for seat in range(1, self.seats + 1):
            for place in self.position:
                shape = place.shape
                assert not isinstance(shape, Band)
                yield f"seat-{seat}-{place.id}", shape.turn(self.turn(seat))
        for place in (*self.table, *self.devices):
            yield place.id, place.shape
        for words in self.words:
            yield words.id, words.band
        for placed in self.panels:
            yield f"panel-{placed.panel.wager}", placed.box


def seats_of(rules: Rules, wanted: int | None) -> int:
    """How many positions to draw: the chapter's number unless fewer are wanted."""
    most = rules.chapter.number("seats")
    if wanted is None:
        return most
    if not 1 <= wanted <= most:
        raise Refused(
            "too_many_seats",
            f"the table has 1 to {most} positions, not {wanted}",
            clause=rules.chapter.fact("seats").clause,
            field="seats",
        )
    return wanted


@lru_cache(maxsize=64)
def lay_out(rules: Rules, seats: int | None = None, house: str = "Houseway") -> Layout:
    """The layout of a table that plays by these rules."""
    count = seats_of(rules, seats)
    areas = [area for area in rules.chapter.about.areas if in_force(rules, area.when)]
    at_position = [
        Place(a.id, _kind(rules, a.id), Circle(0, 0, 0), _label(rules, a.id), a.says, a.clause)
        for a in areas
        if a.at == "position"
    ]
    blackjack = any(a.id == "insurance" for a in areas)
    # never wider than on a table with six positions
    spread = seat_width(max(count, 6))
    if blackjack:
        position, inner = _blackjack_position(at_position)
        ring: tuple[float, float] | None = (inner - 62, inner)
        inner -= 62
    else:
        position, inner = _poker_position(rules, at_position, spread)
        ring = None
    table = _before_the_dealer(rules, [(a.id, a.says, a.clause) for a in areas if a.at == "table"])
    devices = _devices(rules)
    words, panels = _inscribe(rules, house, table, inner - 14)
    if ring:
        words = (*words, _insurance_words(rules, ring))
        insured = next(a for a in areas if a.id == "insurance")
        box = Box(0, (ring[0] + ring[1]) / 2, 0, 0)
        table = (*table, Place("insurance", "bet", box, "", insured.says, insured.clause))
    return Layout(count, position, table, devices, words, panels, ring)


def _kind(rules: Rules, area: str) -> Kind:
    wager = rules.chapter.wagers.get(area)
    if wager is None:
        return "hand"
    return "sensor" if wager.kind == "progressive" else "bet"


def _label(rules: Rules, area: str) -> str:
    wager = rules.chapter.wagers.get(area)
    if wager is not None:
        return wager.name
    return {
        "three_card_hand": "Three-card hand",
        "showdown_hand": "Showdown hand",
        "fourth_card": "Fourth card",
    }.get(area, "")


# ---- one position ---------------------------------------------------------------------------


def _hand_size(cards: int, step: float) -> tuple[float, float]:
    return WIDTH + step * (cards - 1) + 2 * _PAD, HEIGHT + 2 * _PAD


def _poker_position(
    rules: Rules, areas: list[Place], spread: float
) -> tuple[tuple[Place, ...], float]:
    """Cards nearest the player, then the ante and play, then what else is offered."""
    hands = [place for place in areas if place.kind == "hand"]
    electronic = bool(rules.options.get("electronic"))
    row: list[tuple[Place, int]] = []
    if "three_card_hand" in {place.id for place in hands}:
        row = [(place, 3 if place.id == "three_card_hand" else 2) for place in hands]
    elif not electronic:
        own = Place("cards", "cards", Circle(0, 0, 0), "", "the player's cards")
        row = [(own, rules.chapter.number("hand_cards")), *((place, 1) for place in hands)]
    placed: list[Place] = []
    outer = FELT - 8.0
    if row:
        # as far apart as the position is wide
        step = WIDTH + 3
        room = FELT * 0.84 * radians(spread)
        while sum(_hand_size(n, step)[0] for _, n in row) + 12 * len(row) > room:
            step -= 2
        sizes = [_hand_size(n, step) for _, n in row]
        widest = max(size[0] for size in sizes) / 2
        inner = sqrt((FELT - 8) ** 2 - widest**2) - sizes[0][1]
        boxes = row_of_boxes(sizes, inner, 10)
        placed = [_at(place, box, n) for (place, n), box in zip(row, boxes, strict=True)]
        outer = inner - 9
    first = [p for p in areas if p.id in ("ante", "play")]
    rest = [p for p in areas if p.kind in ("bet", "sensor") and p not in first]
    # what is always offered stands in the middle, sensors where there is room
    rest.sort(key=lambda p: (p.kind == "sensor", rules.chapter.wagers[p.id].kind == "side"))
    second = rest[:3]
    if len(first) + len(rest) < 3:
        first, second = [*first, *rest], []
    if len(rest) > 3:
        first = [rest[3], *first]
    if len(second) == 3:
        second = [second[1], second[0], second[2]]
    for at, line in enumerate((first, second)):
        if not line:
            continue
        radius = (43.0 if len(line) < 3 else 39.0) if at == 0 else (38.0 if len(line) < 3 else 35.0)
        radii = [radius] * len(line)
        centre = outer - radius
        circles = row_of_circles(radii, centre, 8)
        placed += [_at(place, circle) for place, circle in zip(line, circles, strict=True)]
        outer = centre - radius - 8
    return tuple(placed), outer


def _blackjack_position(areas: list[Place]) -> tuple[tuple[Place, ...], float]:
    """The bet at the rail, cards before it, towards the dealer."""
    radii = [52.0 if place.id == "bet" else 38.0 for place in areas]
    centre = FELT - 10 - max(radii)
    # the bet in the middle; the side wager to its left
    bet = next(place for place in areas if place.id == "bet")
    placed = [_at(bet, Circle(0, centre, 52))]
    for place in areas:
        if place is not bet:
            beside = row_of_circles([38, 52, 38], centre, 12)[0]
            placed.append(_at(place, beside))
    outer = centre - 52 - 8
    size = (212.0, HEIGHT + 42)
    box = row_of_boxes([size], outer - size[1], 0)[0]
    placed.append(Place("cards", "cards", box, "", "the player's cards", cards=2))
    return tuple(placed), outer - size[1] - 12


def _at(place: Place, shape: Shape, cards: int = 0) -> Place:
    return Place(place.id, place.kind, shape, place.label, place.says, place.clause, cards)


# ---- before the dealer ----------------------------------------------------------------------

_FRONT = 12.0


def _before_the_dealer(
    rules: Rules, areas: list[tuple[str, str, str]]
) -> tuple[Place, ...]:
    """The dealer's cards, community cards, the three ranges of a hole card."""
    said = {phrase.id: phrase.words for phrase in phrases(rules)}
    tall = HEIGHT + 2 * _PAD
    placed = []
    ranges = [a for a in areas if a[0] in ("small", "medium", "large")]
    for at, (id, says, clause) in enumerate(ranges):
        # small nearest the dealer's right hand, as the words are read by the players
        left = -277 + at * 188
        box = between(left, _FRONT, left + 178, _FRONT + tall + 26)
        placed.append(Place(id, "hand", box, said.get(id, id), says, clause, cards=2))
    for id, says, clause in areas:
        if id == "dealer_cards":
            count = rules.chapter.number("hand_cards")
            wide = _hand_size(count, WIDTH + 3)[0]
            box = between(-wide / 2, _FRONT, wide / 2, _FRONT + tall)
            placed.append(Place(id, "hand", box, "Dealer", says, clause, cards=count))
        elif id == "five_card_community":
            wide = _hand_size(2, WIDTH + 3)[0]
            edge = -_hand_size(rules.chapter.number("hand_cards"), WIDTH + 3)[0] / 2 - 12
            box = between(edge - wide, _FRONT, edge, _FRONT + tall)
            placed.append(Place(id, "hand", box, "Community", says, clause, cards=2))
        elif id == "electronic_community":
            step, top = 30.0, _FRONT + tall + 12
            wide = _hand_size(3, step)[0]
            for hand in range(3):
                left = -1.5 * wide - 14 + hand * (wide + 14)
                box = between(left, top, left + wide, top + tall)
                name = f"Hand {hand + 1}"
                placed.append(Place(f"{id}_{hand + 1}", "hand", box, name, says, clause, cards=3))
    return tuple(placed)


def _devices(rules: Rules) -> tuple[Place, ...]:
    """What stands on the dealer's strip, and the boxes on the table's side.

    The dealing shoe is at the dealer's left, the discard rack at the right, as the words of every
    chapter assume when they speak of the hand that is closest to the shoe.
    """
    asked: dict[str, tuple[str, str]] = {}
    for item in rules.chapter.about.equipment:
        if in_force(rules, item.when):
            asked.setdefault(item.id, (item.says, item.clause))
    top, foot = -BACK + 6, -14.0
    placed = [_device("inventory_container", between(-262, top, 262, foot), asked,
                      "the dealer's tray", "Chips")]  # fmt: skip
    right, left = 276.0, -276.0

    def to_the_right(id: str, size: float, says: str, label: str, tall: float = 128) -> None:
        nonlocal right
        box = between(right, top, right + size, top + tall)
        placed.append(_device(id, box, asked, says, label))
        right += size + 12

    def to_the_left(id: str, size: float, says: str, label: str, tall: float = 128) -> None:
        nonlocal left
        box = between(left - size, top, left, top + tall)
        placed.append(_device(id, box, asked, says, label))
        left -= size + 12

    if "card_reader" in asked:
        to_the_right("card_reader", 96, "", "Reader")
    dealing = rules["dealing"]
    if dealing in ("manual_shoe", "shoe"):
        to_the_right("dealing_shoe", 196, "the dealing shoe", "Shoe", 104)
    elif dealing == "hand":
        to_the_right("stub", 76, "the deck, when it is not in the dealer's hand", "Deck", 104)
    else:
        to_the_right("dealing_shoe", 214, "shuffles and deals", "Dealing shoe")
    to_the_right("cover_card", 70, "the cover card", "Cover card", 96)
    to_the_left("discard_rack", 92, "", "Discards")
    if rules["shuffler"] != "none" or "cover_all_shuffler" in asked:
        to_the_left("shuffler", 178, "the automated shuffling device", "Shuffler")
    if "progressive_control" in asked:
        to_the_left("progressive_control", 84, "", "Progressive")
        to_the_right("progressive_meter", 172, "the progressive display", "Progressive")
    if rules.limits:
        to_the_left("limits", 112, "least and greatest wagers", "Limits")
    for id, x in (("drop_box", -395.0), ("tip_box", 395.0)):
        wide = 132 if id == "drop_box" else 96
        box = Box(x, -BACK - 34, wide, 56)
        label = "Drop box" if id == "drop_box" else "Tips"
        says = "takes cash and vouchers" if id == "drop_box" else "takes the dealers' tips"
        placed.append(_device(id, box, asked, says, label, "box"))
    return tuple(placed)


def _device(
    id: str, box: Box, asked: dict[str, tuple[str, str]], says: str, label: str, kind: Kind = "device"
) -> Place:
    why, clause = asked.get(id, ("", ""))
    if id == "shuffler" and not clause:
        why, clause = asked.get("cover_all_shuffler", ("", ""))
    return Place(id, kind, box, label, why or says, clause)


# ---- inscriptions ---------------------------------------------------------------------------

#: lettering of panels, tried from the largest; of arcs, as a share of what is wished for
_SIZES = tuple(size / 2 for size in range(42, 17, -1))
_SHARES = (1.3, 1.15, 1.0, 0.9, 0.8, 0.7)
#: how many degrees an arc of lettering may reach from straight below the dealer
_REACHES = (52.0, 68.0)
#: a panel in multiples of its lettering: a row, its title, its headings in rows
LEADING, TITLE, HEAD = 1.24, 1.62, 1.35
#: phrases that stand elsewhere than on an arc of their own
_ELSEWHERE = frozenset({"small", "medium", "large", "insurance"})
#: phrases in plain letters
_QUIET = frozenset({"payout_limit", "no_surrender"})
_GAP = 16.0

Grid = tuple[tuple[float, ...], float, float]


def _inscribe(
    rules: Rules, house: str, table: tuple[Place, ...], outer: float
) -> tuple[tuple[Words, ...], tuple[PlacedPanel, ...]]:
    """Arcs of lettering around the dealer's cards, payout tables beside and below them."""
    lines, panels = payouts(rules)
    name = next((i.clause for i in rules.chapter.about.inscriptions if i.id == "name"), "")
    wished = [
        (Phrase("name", house.upper(), name), 30.0, True, 0.16),
        (Phrase("game", rules.chapter.about.game.upper(), ""), 43.0, True, 0.06),
    ]
    said = [phrase for phrase in phrases(rules) if phrase.id not in _ELSEWHERE]
    loud = [phrase for phrase in said if phrase.id not in _QUIET]
    quiet = [*lines, *(phrase for phrase in said if phrase.id in _QUIET)]
    # the longer a line, the farther out, where there is more room
    wished += [(p, 26.0, True, 0.02) for p in sorted(loud, key=lambda p: len(p.words))]
    wished += [(p, 20.0, False, 0.02) for p in sorted(quiet, key=lambda p: len(p.words))]
    grids = [_grid(panel) for panel in panels]
    best: tuple[float, tuple[Words, ...], tuple[PlacedPanel, ...]] | None = None
    for reach in _REACHES:
        for share in _SHARES:
            words = _arcs(wished, share, reach, table)
            placed = _beside(panels, grids, words, reach, table, outer)
            if placed is None:
                continue
            # small tables are read from the seat, arcs from across the room: both count
            large = sum(min(w.size / wish[1], 1.15) for w, wish in zip(words, wished, strict=True))
            score = large / len(words) + 2.2 * (min(placed[0].size, 16) / 16 if placed else 1)
            if best is None or score > best[0]:
                best = score, words, placed
    if best is None:
        raise ValueError(f"{rules.chapter.id}: the inscriptions have no room")
    return best[1:]


def _arcs(
    wished: list[tuple[Phrase, float, bool, float]], share: float, reach: float,
    table: tuple[Place, ...],
) -> tuple[Words, ...]:  # fmt: skip
    """Each line outside the one before it, clear of the dealer's cards over its whole length."""
    boxes = [place.shape for place in table if isinstance(place.shape, Box)]
    low = max(box.y + box.height / 2 for box in boxes) + 8
    corner = max(hypot(abs(box.x) + box.width / 2, box.y + box.height / 2) for box in boxes) + 8
    words: list[Words] = []
    radius = low
    for phrase, wish, bold, spacing in wished:
        size = wish * share
        inner = radius
        for _ in range(24):
            baseline = inner + size * 0.74
            length = width(phrase.words, size, bold=bold, spacing=spacing)
            half = degrees(length / baseline / 2)
            if half > reach:
                size *= 0.96
                continue
            needed = max(radius, min(corner, low / cos(radians(half))))
            if needed <= inner + 0.01:
                break
            inner = needed
        words.append(
            Words(phrase.id, phrase.words, inner + size * 0.74, size, bold, spacing, phrase.clause)
        )
        radius = words[-1].band.outer + size * 0.22
    return tuple(words)


def _beside(
    panels: tuple[Panel, ...], grids: list[Grid], words: tuple[Words, ...],
    reach: float, table: tuple[Place, ...], outer: float,
) -> tuple[PlacedPanel, ...] | None:  # fmt: skip
    """The panels as large as they go: two on each side of the arcs, one below; None if they do not.

    A side begins where no arc reaches: an arc that ends at its reach is nowhere farther out than
    its radius times the sine of that.
    """
    if not panels:
        return ()
    lettered = max(line.band.outer for line in words) + 10
    boxes = [place.shape for place in table if isinstance(place.shape, Box)]
    inside = max(
        lettered * sin(radians(reach)) + 6, *(abs(b.x) + b.width / 2 + _GAP for b in boxes)
    )
    order = _slots(panels, grids)
    for size in _SIZES:
        found = _try(order, grids, size, inside, lettered, outer)
        if found is not None:
            return tuple(
                PlacedPanel(panel, box, size, tuple(edge * size for edge in grid[0]))
                for panel, grid, box in zip(panels, grids, found, strict=True)
            )
    return None


def _slots(panels: tuple[Panel, ...], grids: list[Grid]) -> list[str]:
    """Which panel goes where: the tallest to the sides, the widest of the rest below."""
    count = len(panels)
    if count == 1:
        return ["below"]
    tall = sorted(range(count), key=lambda at: -grids[at][2])
    where = [""] * count
    where[tall[0]], where[tall[1]] = "right", "left"
    rest = sorted(tall[2:], key=lambda at: -grids[at][1])
    for at, slot in zip(rest, ("below", "left 2", "right 2"), strict=False):
        where[at] = slot
    # as they are printed, from left to right
    if where.index("left") > where.index("right"):
        swap = {"left": "right", "right": "left"}
        where = [swap.get(slot, slot) for slot in where]
    return where


def _try(
    order: list[str], grids: list[Grid], size: float, inside: float, lettered: float, outer: float
) -> list[Box] | None:
    top = {"left": _FRONT, "right": _FRONT}
    boxes: dict[int, Box] = {}
    for at in sorted(range(len(order)), key=lambda at: order[at].endswith("2")):
        wide, tall = grids[at][1] * size, grids[at][2] * size
        side = order[at].split()[0]
        if side == "below":
            if hypot(wide / 2, lettered + tall) > outer:
                return None
            # midway between the lettering and the bets
            slack = sqrt(outer**2 - (wide / 2) ** 2) - tall - lettered
            boxes[at] = Box(0, lettered + slack / 2 + tall / 2, wide, tall)
            continue
        low = top[side] + tall
        if low > outer or sqrt(outer**2 - low**2) < inside + wide:
            return None
        slack = sqrt(outer**2 - low**2) - inside - wide
        middle = inside + wide / 2 + min(slack / 2, 30)
        boxes[at] = Box(middle if side == "right" else -middle, low - tall / 2, wide, tall)
        top[side] = low + _GAP
    for at, slot in enumerate(order):
        # the one below keeps clear of the sides
        if slot == "below":
            b = boxes[at]
            for other, o in boxes.items():
                clear_x = abs(o.x) - o.width / 2 >= b.width / 2 + _GAP
                if other != at and not clear_x and o.y + o.height / 2 > b.y - b.height / 2 - _GAP:
                    return None
    return [boxes[at] for at in range(len(order))]


def _grid(panel: Panel) -> Grid:
    """A panel in multiples of its lettering: the first column's left edge and the others' right
    edges, its width, its height."""
    widths = []
    for column in range(max(len(row) for row in panel.rows)):
        cells = [row[column] for row in panel.rows if column < len(row)]
        widest = max(width(cell, 1, bold=column > 0) for cell in cells)
        if panel.head:
            widest = max(widest, *(width(part, 0.74) for part in two_lines(panel.head[column])))
        widths.append(widest)
    gap = 0.9
    title = width(panel.title.upper(), 1.02, bold=True, spacing=0.06)
    inside = max(sum(widths) + gap * (len(widths) - 1), title)
    # columns are filled from the right, so that the odds stand together
    stops = []
    right = 0.5 + inside
    for wide in reversed(widths[1:]):
        stops.append(right)
        right -= wide + gap
    lines = len(panel.rows) + (HEAD if panel.head else 0)
    return (0.5, *reversed(stops)), inside + 1, TITLE + LEADING * lines + 0.45


def two_lines(heading: str) -> tuple[str, ...]:
    """A column heading broken in two where that makes it narrowest."""
    words = heading.split()
    if len(words) < 2:
        return (heading,)
    ways = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    return min(ways, key=lambda way: max(width(part, 10) for part in way))


def _insurance_words(rules: Rules, ring: tuple[float, float]) -> Words:
    phrase = next(p for p in phrases(rules) if p.id == "insurance")
    size = 27.0
    baseline = (ring[0] + ring[1]) / 2 + size * 0.33
    return Words("insurance-words", phrase.words.upper(), baseline, size, True, 0.3, phrase.clause)
