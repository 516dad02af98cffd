"""My betting areas as I see them from my chair, and the chips that lie there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from houseway.drawing.hero_table import MIDDLE
from houseway.drawing.layout.geometry import Circle
from houseway.drawing.layout.layout import lay_out
from houseway.drawing.layout.places import Place
from houseway.drawing.lettering import fitted
from houseway.drawing.phone import common_numbers, name_in_ring, sized
from houseway.drawing.pieces import chips as chip
from houseway.drawing.round_layer import plate
from houseway.drawing.svg import attr, group, num, text_of
from houseway.law import Rules
from houseway.money import spoken
from houseway.present.view import ChipsView, SeatView
from houseway.table.state import key

#: the middle of the rings; how large one is, and how far it is to the next
_BETS, _RING, _STEP = 614.0, 40.0, 112.0
#: rings closer than this have no room for a stake beside what it won; the least letters of amounts
_NARROW, _LEAST = 70.0, 12.0
#: what all of my rings take between the other seats; and the hands that all play, with theirs
_ROOM, COMMON_ROOM = 450.0, 824.0


@dataclass(frozen=True, slots=True)
class Spot:
    """A ring where I may wager: its area, on which of several hands, where and how large it is."""

    place: Place
    hand: int
    x: float
    radius: float
    #: from the middle of one ring to the next
    step: float

    @property
    def id(self) -> str:
        return key(self.place.id, self.hand)


def common_middles(rules: Rules) -> dict[int, float]:
    """Where each of the hands that all wager on lies, from left to right."""
    numbers = common_numbers(rules)
    share = COMMON_ROOM / max(1, len(numbers))
    return {
        number: MIDDLE + share * (at - (len(numbers) - 1) / 2) for at, number in enumerate(numbers)
    }


@lru_cache(maxsize=64)
def my_spots(rules: Rules) -> tuple[Spot, ...]:
    """My rings from left to right: the game's first wager first, or a group below each hand."""
    layout = lay_out(rules)
    areas = [place for place in layout.position if isinstance(place.shape, Circle)]
    if layout.line is not None:
        areas.append(layout.line.place)
    areas.sort(key=lambda place: (place.kind == "sensor", place.rank == 2))
    middles = common_middles(rules) or {0: MIDDLE}
    if len(middles) == 1:
        step = min(_STEP, _ROOM / max(1, len(areas) - 1))
    else:
        step = min(88.0, (COMMON_ROOM / len(middles) - 14) / len(areas))
    radius = min(_RING, step / 2 - 1)
    return tuple(
        Spot(place, hand, middle + step * (at - (len(areas) - 1) / 2), radius, step)
        for hand, middle in middles.items()
        for at, place in enumerate(areas)
    )


def rings(spots: tuple[Spot, ...], id: str) -> list[str]:
    """The rings of a seat with their names, as they are printed on the felt."""
    found = []
    for spot in spots:
        x, radius, name = spot.x, spot.radius, spot.place.label
        said = f"{name}, hand {spot.hand}" if spot.hand else name
        ring = f'<circle class="bet" cx="{num(x)}" cy="{num(_BETS)}" r="{num(radius)}"/>'
        ring += name_in_ring(name.upper(), x, _BETS, radius)
        ring += (
            f'<circle class="hit" cx="{num(x)}" cy="{num(_BETS)}" '
            f'r="{num(min(radius + 6, spot.step / 2))}"/>'
        )
        found.append(
            f'<g id="{id}-{spot.id}" class="area near" aria-label="{attr(said)}">'
            f"<title>{text_of(said)}</title>{ring}</g>"
        )
    return found


def bets(spots: tuple[Spot, ...], seat: SeatView, id: str) -> list[str]:
    """What lies in my betting areas, in the order in which it was settled, and which are open."""
    where = {spot.id: spot for spot in spots}
    piles: dict[str, list[ChipsView]] = {}
    for pile in seat.chips:
        # what lies in the area of another wager is laid beside that one's chips
        names = (key(pile.area, pile.hand), pile.area)
        piles.setdefault(next((one for one in names if one in where), pile.id), []).append(pile)
    found = []
    for name, spot in sorted(where.items(), key=lambda one: [*piles, one[0]].index(one[0])):
        x, radius = spot.x, spot.radius
        if spot.place.id in seat.open:
            found.append(
                f'<circle class="bid" cx="{num(x)}" cy="{num(_BETS)}" r="{num(radius + 2)}"/>'
            )
        if name in seat.sensed:
            edge = radius * 0.725
            found.append(
                f'<circle class="sensed" cx="{num(x + edge)}" cy="{num(_BETS - edge)}" r="7">'
                "<title>The sensor has seen the wager</title></circle>"
            )
        if laid := piles.get(name):
            found.append(_piles(laid, spot, f"{id}-{name}"))
    return found


_SIGN = {"placed": "", "paid": "+", "collected": "−", "returned": ""}
_SAID = {"placed": "", "paid": " paid", "collected": " collected", "returned": " back"}


def _piles(piles: list[ChipsView], spot: Spot, id: str) -> str:
    """Every stack of one area side by side, with one plate of amounts below them."""
    states = {pile.state for pile in piles}
    lit = "win" if "paid" in states else "lose" if states == {"collected"} else ""
    x, radius = spot.x, spot.radius
    scale = radius / _RING
    apart = min(34.0, 60.0 / len(piles)) * scale
    # the name of the area does not shine through
    inside = f'<circle class="under" cx="{num(x)}" cy="{num(_BETS)}" r="{num(radius - 3)}"/>'
    for at, pile in enumerate(piles):
        left = x + apart * (at - (len(piles) - 1) / 2)
        stack = chip.stack(pile.amount, 0, 0, 7)
        inside += sized(
            f'<g id="{id}-{pile.id}-{pile.hand}-{pile.state}" class="pile chips {pile.state}">{stack}</g>',
            left, _BETS + 4 * scale, 1.3 * scale,
        )  # fmt: skip
    sums: dict[str, int] = {}
    for pile in piles:
        sums[pile.state] = sums.get(pile.state, 0) + pile.amount
    words = "  ".join(f"{_SIGN[state]}{spoken(amount)}" for state, amount in sums.items())
    said = ", ".join(f"{spoken(amount)}{_SAID[state]}" for state, amount in sums.items())
    if lit:
        ring = f'<circle class="ring {lit}" cx="{num(x)}" cy="{num(_BETS)}" r="{num(radius + 3)}"/>'
        inside = ring + inside
    if lit == "win":
        wide = min(54.0, spot.step / 2 + 8)
        inside = f'<circle class="halo" cx="{num(x)}" cy="{num(_BETS)}" r="{num(wide)}"/>' + inside
    room, signed = spot.step + 6, spot.step >= _NARROW
    # where both would be too small to read, what was won stands alone, with the sign of the amount
    if not signed or fitted(words, 17, room - 38, bold=True) < _LEAST:
        words = words.rpartition("  ")[2]
    inside += plate(words, x, _BETS + radius - 4, room, lit, size=17, signed=signed)
    name = piles[0].name or piles[0].id.replace("_", " ")
    name += f", hand {spot.hand}" if spot.hand else ""
    return group(inside, id=f"{id}-chips", cls=f"bets {lit}".strip(), title=f"{name}: {said}")
