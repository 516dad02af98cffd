"""Where wagers and cards lie: one position, and the strip before the dealer."""

from __future__ import annotations

from dataclasses import replace
from math import radians, sqrt

from houseway.drawing.layout.geometry import (
    FELT,
    Circle,
    Shape,
    between,
    row_of_boxes,
    row_of_circles,
)
from houseway.drawing.layout.inscriptions import phrases
from houseway.drawing.layout.places import HAND, Kind, Place, hand_size
from houseway.drawing.pieces.cards import HEIGHT, WIDTH
from houseway.law import Rules
from houseway.law.chapter import Area
from houseway.present.game import PRESENTATION


def area_place(rules: Rules, area: Area) -> Place:
    """An area of the layout before it has its place."""
    law, wager = rules.chapter, rules.chapter.wagers.get(area.id)
    label = PRESENTATION.of(law).area_name(law, area.id)
    kind: Kind = "hand"
    rank = 2
    if wager is not None:
        first = law.about.wagers[0]
        kind = "sensor" if wager.kind == "progressive" else "wager"
        rank = 0 if wager is first else 1 if wager.entry == first.entry else 2
    return Place(area.id, kind, Circle(0, 0, 0), label, area.says, area.clause, rank=rank)


# ---- one position ---------------------------------------------------------------------------


def poker_position(
    rules: Rules, areas: list[Place], spread: float
) -> tuple[tuple[Place, ...], float]:
    """Cards nearest the player, then the ante and play, then what else is offered."""
    own = Place("cards", "cards", Circle(0, 0, 0), "", "the player's cards")
    hands = {own.id: own} | {place.id: place for place in areas if place.kind == "hand"}
    wanted = PRESENTATION.of(rules.chapter).hand_areas(rules)
    row = [(hands[id], count) for id, count in wanted if id in hands]
    placed: list[Place] = []
    outer = FELT - 8.0
    if row:
        # as far apart as the position is wide
        step = WIDTH + 3
        room = FELT * 0.84 * radians(spread)
        while sum(hand_size(n, step)[0] for _, n in row) + 12 * len(row) > room:
            step -= 2
        sizes = [hand_size(n, step) for _, n in row]
        widest = max(size[0] for size in sizes) / 2
        inner = sqrt((FELT - 8) ** 2 - widest**2) - sizes[0][1]
        boxes = row_of_boxes(sizes, inner, 10)
        placed = [_at(place, box, n) for (place, n), box in zip(row, boxes, strict=True)]
        outer = inner - 9
    first = [p for p in areas if p.rank < 2]
    rest = [p for p in areas if p.kind in ("wager", "sensor") and p not in first]
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
        center = outer - radius
        circles = row_of_circles(radii, center, 8)
        placed += [_at(place, circle) for place, circle in zip(line, circles, strict=True)]
        outer = center - radius - 8
    return tuple(placed), outer


def blackjack_position(areas: list[Place]) -> tuple[tuple[Place, ...], float]:
    """The bet at the rail, cards before it, towards the dealer."""
    center = FELT - 10 - 52
    # the bet in the middle; the side wager to its left
    bet = min(areas, key=lambda place: place.rank)
    placed = [_at(bet, Circle(0, center, 52))]
    for place in areas:
        if place is not bet:
            beside = row_of_circles([38, 52, 38], center, 12)[0]
            placed.append(_at(place, beside))
    outer = center - 52 - 8
    size = (212.0, HEIGHT + 42)
    box = row_of_boxes([size], outer - size[1], 0)[0]
    placed.append(Place("cards", "cards", box, "", "the player's cards", cards=2))
    return tuple(placed), outer - size[1] - 12


def _at(place: Place, shape: Shape, cards: int = 0) -> Place:
    return replace(place, shape=shape, cards=cards)


# ---- before the dealer ----------------------------------------------------------------------

FRONT = 12.0


def before_the_dealer(rules: Rules, areas: list[tuple[str, str, str]]) -> tuple[Place, ...]:
    """The dealer's cards, community cards, the three ranges of a hole card."""
    said = {phrase.id: phrase.words for phrase in phrases(rules)}
    tall = HAND
    placed = []
    game = PRESENTATION.of(rules.chapter)
    lights = {light.range for light in game.lights(rules)}
    ranges = [area for area in areas if area[0] in lights]
    for at, (id, says, clause) in enumerate(ranges):
        # small nearest the dealer's right hand, as the words are read by the players
        left = -277.0 + at * 188
        box = between(left, FRONT, left + 178, FRONT + tall + 26)
        placed.append(Place(id, "hand", box, said.get(id, id), says, clause, cards=2))
    if ranges:
        # before the reader, until the range is known
        box = between(300, FRONT, 300 + hand_size(2)[0], FRONT + tall)
        placed.append(Place("dealer_cards", "cards", box, "Dealer", "the dealer's first two cards"))
    for id, says, clause in areas:
        if id == "dealer_cards":
            count = game.dealer_cards(rules)
            wide = hand_size(count)[0]
            box = between(-wide / 2, FRONT, wide / 2, FRONT + tall)
            placed.append(Place(id, "hand", box, "Dealer", says, clause, cards=count))
        elif (common := game.common_areas(rules).get(id)) and common.hands == 1:
            wide = hand_size(common.cards)[0]
            edge = -hand_size(game.dealer_cards(rules))[0] / 2 - 12
            box = between(edge - wide, FRONT, edge, FRONT + tall)
            placed.append(Place(id, "hand", box, common.label, says, clause, cards=common.cards))
        elif common:
            step, top = 30.0, FRONT + tall + 12
            wide = hand_size(common.cards, step)[0]
            for hand in range(common.hands):
                left = (hand - common.hands / 2) * wide + (hand - common.hands // 2) * 14
                box = between(left, top, left + wide, top + tall)
                name = f"{common.label} {hand + 1}"
                place = Place(
                    f"{id}_{hand + 1}", "hand", box, name, says, clause, cards=common.cards
                )
                placed.append(place)
    return tuple(placed)
