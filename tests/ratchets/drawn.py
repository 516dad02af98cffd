"""What a picture shows, as lines: each card, mark, stack of chips, light and word, and where.

Compared are contents, not bytes: how the SVG is put together, its ids, styles and order are free.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple
from xml.etree import ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
_CARD = re.compile(r"#(?:\w+-)?hw4?-([2-9TJQKA][cdhs]|Jk)$")
_CHIP = re.compile(r"-c(\d+)$")
_STEP = re.compile(r"(translate|rotate|scale)\(([^)]*)\)")
#: shapes that say something by themselves
_TELLING = {"glow", "sensed", "next", "tick", "on"}
#: groups whose state holds for all in them
_STATES = {"folded", "win", "lose", "push", "collected", "paid", "returned"}
#: positions are compared to this many units of the drawing
GRID = 5


class Item(NamedTuple):
    """One thing that is seen."""

    x: int
    y: int
    what: str

    def __str__(self) -> str:
        return f"{self.x},{self.y} {self.what}"


class _At(NamedTuple):
    """Where a group lies: an offset, an angle in degrees and a scale."""

    x: float = 0.0
    y: float = 0.0
    angle: float = 0.0
    scale: float = 1.0

    def of(self, x: float, y: float) -> tuple[float, float]:
        turn = math.radians(self.angle)
        dx = self.scale * (x * math.cos(turn) - y * math.sin(turn))
        dy = self.scale * (x * math.sin(turn) + y * math.cos(turn))
        return self.x + dx, self.y + dy

    def moved(self, transform: str) -> _At:
        here = self
        for kind, given in _STEP.findall(transform):
            numbers = [float(one) for one in re.split(r"[\s,]+", given.strip())]
            if kind == "translate":
                x, y = here.of(numbers[0], numbers[1] if len(numbers) > 1 else 0.0)
                here = here._replace(x=x, y=y)
            elif kind == "rotate":
                if len(numbers) == 3:
                    x, y = here.of(numbers[1], numbers[2])
                    here = here._replace(x=x, y=y, angle=here.angle + numbers[0])
                    x, y = here.of(-numbers[1], -numbers[2])
                    here = here._replace(x=x, y=y)
                else:
                    here = here._replace(angle=here.angle + numbers[0])
            else:
                here = here._replace(scale=here.scale * numbers[0])
        return here


def felts(page: str) -> list[ET.Element]:
    """Every picture of a table in a page or a file."""
    found = [ET.fromstring(one) for one in re.findall(r"<svg\b.*?</svg>", page, re.DOTALL)]
    return [one for one in found if "felt" in one.attrib.get("class", "").split()]


def seen(felt: ET.Element) -> list[str]:
    """What a picture shows, sorted; stacks of equal chips are one line."""
    items = Counter(_items(felt, _At(), frozenset()))
    return [
        str(item) + (f" x{count}" if count > 1 else "") for item, count in sorted(items.items())
    ]


def changed(then: Iterable[str], now: Iterable[str]) -> list[str]:
    """What one picture shows (`-`) or the other (`+`), unless it lies one step of the grid away."""
    gone = list((Counter(then) - Counter(now)).elements())
    came = []
    for line in (Counter(now) - Counter(then)).elements():
        near = next((one for one in gone if _near(one, line)), None)
        if near is None:
            came.append(f"+ {line}")
        else:
            gone.remove(near)
    return [*(f"- {line}" for line in gone), *came]


def _near(one: str, other: str) -> bool:
    (place, what), (there, word) = one.split(" ", 1), other.split(" ", 1)
    pairs = zip(place.split(","), there.split(","), strict=True)
    return what == word and all(abs(int(a) - int(b)) <= GRID for a, b in pairs)


def _items(element: ET.Element, at: _At, states: frozenset[str]) -> list[Item]:
    if element.tag in (f"{SVG}defs", f"{SVG}style", f"{SVG}title"):
        return []
    given = element.attrib
    at = at.moved(given.get("transform", ""))
    classes = given.get("class", "").split()
    states |= _STATES & set(classes)
    x, y = (float(given.get(name, given.get(f"c{name}", 0))) for name in "xy")
    if start := re.match(r"M\s*(-?[\d.]+)[\s,]*(-?[\d.]+)", given.get("d", "")):
        x, y = float(start[1]), float(start[2])
    told = " ".join(sorted(states))
    found = []

    def add(what: str) -> None:
        # of a chip its stack matters, not how high it lies
        found.append(
            Item(*(round(one / GRID) * GRID for one in at.of(x, y)), f"{what} {told}".strip())
        )

    if element.tag == f"{SVG}use":
        name = given.get("href", "")
        if card := _CARD.search(name):
            add(f"card {card[1]}")
        elif chip := _CHIP.search(name):
            y = 0.0
            add(f"chip {int(chip[1]) / 100:.2f}")
        elif name.endswith("mark"):
            add("mark")
        elif "back" in name:
            add("card face down")
    elif element.tag == f"{SVG}text":
        text = " ".join("".join(element.itertext()).split())
        own = sorted(set(classes) & {"win", "lose"})
        if text:
            add(f"says {text!r}" + (f" as {own[0]}" if own else ""))
        return found
    elif _TELLING & set(classes):
        title = element.findtext(f"{SVG}title", "")
        add(" ".join((*sorted(_TELLING & set(classes)), title)).strip())
    for child in element:
        found += _items(child, at, states)
    return found
