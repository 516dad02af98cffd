"""Where the inscriptions go: arcs of lettering around the dealer's cards, payout tables beside.

Both are made as large as they go. Nothing is placed by hand: whatever an operator chooses is laid
out here, and a test looks for overlaps over every combination.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import asin, hypot, radians, sin, sqrt

from houseway.drawing.layout.geometry import Box
from houseway.drawing.layout.inscriptions import Panel, Phrase, payouts, phrases
from houseway.drawing.layout.places import HAND, CommonLine, Place, PlacedPanel, Words
from houseway.drawing.layout.positions import FRONT
from houseway.drawing.lettering import fitted, width
from houseway.law import Rules

#: lettering of panels, tried from the largest; of arcs, as a share of what is wished for
_SIZES = tuple(size / 2 for size in range(42, 17, -1))
_SHARES = (1.2, 1.05, 0.92, 0.8, 0.7)
#: how far an arc of lettering may reach to either side, and where the center of the arcs is
_REACHES = (240.0, 290.0, 345.0)
CENTER = -330.0
#: a panel in multiples of its lettering: a row, its title
LEADING, TITLE = 1.24, 1.62
#: phrases in plain letters
_QUIET = frozenset({"payout_limit", "no_surrender"})
_GAP = 16.0
#: lettering of panels that is easy to read; below it other places are tried
_EASY = 11.0

Grid = tuple[tuple[float, ...], float, float]


def inscribe(
    rules: Rules,
    house: str,
    table: tuple[Place, ...],
    outer: float,
    signs: frozenset[str] = frozenset(),
) -> tuple[tuple[Words, ...], tuple[PlacedPanel, ...]]:
    """Arcs of lettering around the dealer's cards, payout tables beside and below them."""
    lines, panels = payouts(rules) if "payouts" not in signs else ((), ())
    name = next((i.clause for i in rules.chapter.about.inscriptions if i.id == "name"), "")
    wished: list[Wish] = [
        (Phrase("name", house.upper(), name), 30.0, True, 0.16),
        (Phrase("game", rules.chapter.about.game.upper(), ""), 43.0, True, 0.06),
    ]
    # what names an area stands in it
    elsewhere = {area.id for area in rules.chapter.about.areas} | signs
    said = [phrase for phrase in phrases(rules) if phrase.id not in elsewhere]
    loud = [phrase for phrase in said if phrase.id not in _QUIET]
    quiet = [*lines, *(phrase for phrase in said if phrase.id in _QUIET)]
    # the longer a line, the farther out, where there is more room
    wished += [(p, 26.0, True, 0.02) for p in sorted(loud, key=lambda p: len(p.words))]
    wished += [(p, 20.0, False, 0.02) for p in sorted(quiet, key=lambda p: len(p.words))]
    boxes = tuple(place.shape for place in table if isinstance(place.shape, Box))
    # where no cards lie before the dealer, the arcs begin below where they would
    boxes = boxes or (Box(0, FRONT + HAND / 2, 0, HAND),)
    return _largest(tuple(wished), panels, boxes, outer)


@lru_cache(maxsize=256)
def _largest(
    wished: tuple[Wish, ...], panels: tuple[Panel, ...], boxes: tuple[Box, ...], outer: float
) -> tuple[tuple[Words, ...], tuple[PlacedPanel, ...]]:
    """Of all sizes that have room, the ones that read best together."""
    grids = [panel_grid(panel) for panel in panels]
    found = _best(wished, panels, grids, boxes, outer, list(_orders(grids))[:1])
    if found is None or (found[1] and found[1][0].size < _EASY):
        found = _best(wished, panels, grids, boxes, outer, list(_orders(grids)))
    if found is None:
        raise ValueError(f"{wished[1][0].words}: the inscriptions have no room")
    return found


def _best(
    wished: tuple[Wish, ...], panels: tuple[Panel, ...], grids: list[Grid], boxes: tuple[Box, ...],
    outer: float, orders: list[list[str]],
) -> tuple[tuple[Words, ...], tuple[PlacedPanel, ...]] | None:  # fmt: skip
    best: tuple[float, tuple[Words, ...], tuple[PlacedPanel, ...]] | None = None
    for reach in _REACHES:
        for share in _SHARES:
            words = _arcs(_evened(wished, _arcs(wished, share, reach, boxes)), 1, reach, boxes)
            placed = _beside(panels, grids, words, boxes, outer, orders)
            if placed is None:
                continue
            # small tables are read from the seat, arcs from across the room: both count
            large = sum(min(w.size / wish[1], 1.15) for w, wish in zip(words, wished, strict=True))
            score = large / len(words) + 2.2 * (min(placed[0].size, 16) / 16 if placed else 1)
            if best is None or score > best[0]:
                best = score, words, placed
    return best[1:] if best is not None else None


Wish = tuple[Phrase, float, bool, float]


def _evened(wished: Sequence[Wish], words: tuple[Words, ...]) -> list[Wish]:
    """Phrases of one kind in one size, plain ones smaller than bold ones."""
    bold = min((w.size for w in words[2:] if w.bold), default=words[1].size * 0.62)
    plain = min([bold * 0.82, *(w.size for w in words[2:] if not w.bold)])
    sizes = [words[0].size, words[1].size, *(bold if w.bold else plain for w in words[2:])]
    return [(p, size, b, gap) for (p, _, b, gap), size in zip(wished, sizes, strict=True)]


def _arcs(
    wished: Sequence[Wish], share: float, reach: float, boxes: tuple[Box, ...],
) -> tuple[Words, ...]:  # fmt: skip
    """Each line outside the one before it, clear of the dealer's cards over its whole length."""
    corners = [(abs(box.x) + box.width / 2, box.y + box.height / 2 + 8) for box in boxes]
    words: list[Words] = []
    radius = max(low for _, low in corners) - CENTER
    for phrase, wish, bold, spacing in wished:
        size = wish * share
        # no line is wider than its reach, nor than half a turn of its arc
        room = 2 * (radius + size * 0.74) * asin(min(1, reach / (radius + size)))
        size = fitted(phrase.words, size, room, bold=bold, spacing=spacing)
        half = width(phrase.words, size, bold=bold, spacing=spacing) / (radius + size * 0.74) / 2
        wide = (radius + size) * sin(half)
        # a corner of the cards that the line passes below pushes it outwards
        inner = max(radius, *(hypot(min(x, wide), low - CENTER) for x, low in corners))
        words.append(
            Words(phrase.id, phrase.words, inner + size * 0.74, size, bold, spacing,
                  phrase.clause, CENTER)
        )  # fmt: skip
        radius = words[-1].band.outer + size * 0.22
    return tuple(words)


def _beside(
    panels: tuple[Panel, ...], grids: list[Grid], words: tuple[Words, ...],
    boxes: tuple[Box, ...], outer: float, orders: list[list[str]],
) -> tuple[PlacedPanel, ...] | None:  # fmt: skip
    """The panels as large as they go: two on each side of the arcs, one below; None if they do not."""
    if not panels:
        return ()
    bands = [line.band for line in words]
    lettered = max(band.outer + band.center for band in bands) + 10
    inside = _GAP + max(
        *(band.outer * sin(radians(band.half)) for band in bands),
        *(abs(box.x) + box.width / 2 for box in boxes),
    )
    found: tuple[float, list[Box]] | None = None
    for order in orders:
        larger = _largest_at(order, grids, inside, lettered, outer)
        if larger is not None and (found is None or larger[0] > found[0]):
            found = larger
    if found is None:
        return None
    size = found[0]
    return tuple(
        PlacedPanel(panel, box, size, tuple(edge * size for edge in grid[0]))
        for panel, grid, box in zip(panels, grids, found[1], strict=True)
    )


def _largest_at(
    order: list[str], grids: list[Grid], inside: float, lettered: float, outer: float
) -> tuple[float, list[Box]] | None:
    """The largest lettering with which the panels have room in these places."""
    found: tuple[float, list[Box]] | None = None
    low, high = 0, len(_SIZES)
    # what has room at one size has room at every smaller one
    while low < high:
        at = (low + high) // 2
        boxes_there = _try(order, grids, _SIZES[at], inside, lettered, outer)
        if boxes_there is None:
            low = at + 1
        else:
            found, high = (_SIZES[at], boxes_there), at
    return found


def _orders(grids: list[Grid]) -> Iterator[list[str]]:
    """Which panel goes where: the tallest to the sides, the widest of the rest below.

    A wide one may leave too little room at the sides: after that each panel in turn is the one below.
    """
    count = len(grids)
    if count < 2:
        yield ["below"] * count
        return
    tall = sorted(range(count), key=lambda at: -grids[at][2])
    rest = sorted(tall[2:], key=lambda at: -grids[at][1])
    yield _places([*tall[:2], *rest])
    if count > 2:
        for below in sorted(range(count), key=lambda at: -grids[at][1]):
            others = [at for at in tall if at != below]
            yield _places([*others[:2], below, *others[2:]])


def _places(ranked: list[int]) -> list[str]:
    """The place of each panel, by the order in which they choose one."""
    where = [""] * len(ranked)
    for at, slot in zip(ranked, ("right", "left", "below", "left 2", "right 2"), strict=False):
        where[at] = slot
    # as they are printed, from left to right
    if where.index("left") > where.index("right"):
        swap = {"left": "right", "right": "left"}
        where = [swap.get(slot, slot) for slot in where]
    return where


def _try(
    order: list[str], grids: list[Grid], size: float, inside: float, lettered: float, outer: float
) -> list[Box] | None:
    top = {"left": FRONT, "right": FRONT}
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


def panel_grid(panel: Panel) -> Grid:
    """A panel in multiples of its lettering: the first column's left edge and the others' right
    edges, its width, its height.
    """
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
    lines = len(panel.rows) + head_rows(panel)
    return (0.5, *reversed(stops)), inside + 1, TITLE + LEADING * lines + 0.45


def head_rows(panel: Panel) -> float:
    """How many rows a panel's headings take."""
    if not panel.head:
        return 0
    return max(len(two_lines(heading)) for heading in panel.head) * 0.62 + 0.12


def two_lines(heading: str) -> tuple[str, ...]:
    """A column heading broken in two where that makes it narrowest."""
    words = heading.split()
    if len(words) < 2:
        return (heading,)
    ways = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    return min(ways, key=lambda way: max(width(part, 10) for part in way))


def line_words(rules: Rules, line: CommonLine) -> Words:
    """The inscription of a line that all positions share; the wager's name where there is none."""
    id, size = line.place.id, 27.0
    named = Phrase(id, line.place.label, line.place.clause)
    phrase = next((p for p in phrases(rules) if p.id == id), named)
    baseline = line.middle + size * 0.33
    return Words(f"{id}-words", phrase.words.upper(), baseline, size, True, 0.3, phrase.clause)
