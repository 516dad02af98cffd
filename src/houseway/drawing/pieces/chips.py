"""Chips by the usual code of colors, with edge spots whose number differs too.

A chip is drawn in a square of 100 and used at any size; a stack is chips laid one on the other, the
largest below. What a stack is worth is always written beside it, by whoever places it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import pi

from houseway.drawing.svg import num
from houseway.money import Cents

#: a chip on the table, in millimeters
DIAMETER = 41.0
#: how far a chip rises above the one below it, in millimeters
THICKNESS = 4.0


@dataclass(frozen=True, slots=True)
class Chip:
    """A denomination: its color, its spots and how many, its inlay's ink."""

    worth: Cents
    label: str
    name: str
    color: str
    shade: str
    spots: str
    count: int


CHIPS = (
    Chip(500_000, "5000", "brown", "#6b3f22", "#472810", "#f0d9a8", 10),
    Chip(100_000, "1000", "yellow", "#e6bd2c", "#a8861a", "#3a3a3a", 8),
    Chip(50_000, "500", "purple", "#5b2a86", "#3b185b", "#e9d7f5", 6),
    Chip(10_000, "100", "black", "#22252a", "#0d0f11", "#f4f4f0", 8),
    Chip(2_500, "25", "green", "#17764a", "#0b4a2d", "#f4f4f0", 6),
    Chip(500, "5", "red", "#b3202a", "#74121a", "#f4f4f0", 4),
    Chip(100, "1", "white", "#e9e9e4", "#a7a7a0", "#2d5aa0", 6),
    Chip(50, ".50", "pale pink", "#f0bcc4", "#b9848d", "#7a3b48", 4),
)
#: no stack on the felt is higher than this; the amount beside it is always exact
MOST = 12


def stack_of(amount: Cents) -> tuple[Chip, ...]:
    """The fewest chips that make an amount, largest first; cents below the smallest chip are left."""
    stack: list[Chip] = []
    for chip in CHIPS:
        count, amount = divmod(amount, chip.worth)
        stack += [chip] * min(count, MOST + 1)
    return tuple(stack)


def chip_id(chip: Chip) -> str:
    return f"hw-c{chip.worth}"


def symbols(chips: Iterable[Chip]) -> str:
    """The symbols of these chips, each once."""
    shown = set(chips)
    return "".join(_symbol(chip) for chip in CHIPS if chip in shown)


@cache
def _symbol(chip: Chip) -> str:
    round_edge = 2 * pi * 41
    step = round_edge / chip.count
    spot = step * (0.42 if chip.count < 8 else 0.38)
    size = {1: 40, 2: 36, 3: 27, 4: 21}[len(chip.label)]
    dashes = f'stroke-dasharray="{num(spot)} {num(step - spot)}"'
    return (
        f'<g id="{chip_id(chip)}" transform="scale({DIAMETER / 100})translate(-50 -50)">'
        '<circle cx="52" cy="65" r="49" fill-opacity=".26"/>'
        f'<circle cx="50" cy="59" r="49" fill="{chip.shade}"/>'
        f'<circle cx="50" cy="59" r="45" fill="none" stroke="{chip.spots}" stroke-opacity=".55" '
        f'stroke-width="7" {dashes}/>'
        f'<circle cx="50" cy="50" r="49" fill="{chip.color}" stroke="{chip.shade}" '
        'stroke-width="1.5"/>'
        f'<circle cx="50" cy="50" r="41" fill="none" stroke="{chip.spots}" stroke-width="15" '
        f"{dashes}/>"
        '<path d="M8 36A44.5 44.5 0 0 1 92 36" fill="none" stroke="#fff" stroke-opacity=".35" '
        'stroke-width="4"/>'
        f'<circle cx="50" cy="50" r="31" fill="#fdfbf4" stroke="{chip.shade}" stroke-width="2"/>'
        f'<circle cx="50" cy="50" r="27" fill="none" stroke="{chip.color}" stroke-width="1.4"/>'
        f'<text x="50" y="{num(50 + size * 0.34)}" text-anchor="middle" font-size="{size}" '
        f'font-weight="700" fill="#1b1b1f">{chip.label}</text></g>'
    )


def stack(amount: Cents, x: float, y: float, most: int = MOST) -> str:
    """A stack of at most so many chips whose foot is centered at x, y. The largest lie below."""
    return "".join(
        f'<use href="#{chip_id(chip)}" x="{num(x)}" y="{num(y - THICKNESS * level)}"/>'
        for level, chip in enumerate(stack_of(amount)[:most])
    )
