"""Reading a picture back: its elements, its words, its cards."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
CARD = re.compile(r"^hw4?-([2-9TJQKA][cdhs]|Jk)$")


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)


def ids(root: ET.Element) -> Counter[str]:
    return Counter(e.attrib["id"] for e in root.iter() if "id" in e.attrib)


def references(root: ET.Element) -> set[str]:
    """Everything that is referred to: by href, and by url(#...) in fills."""
    found = {e.attrib["href"].removeprefix("#") for e in root.iter() if "href" in e.attrib}
    for element in root.iter():
        for value in element.attrib.values():
            found.update(re.findall(r"url\(#([^)]+)\)", value))
    return found


def by_id(root: ET.Element, id: str) -> ET.Element:
    return next(e for e in root.iter() if e.attrib.get("id") == id)


def words(element: ET.Element) -> list[str]:
    """The text of every text element, in order; titles are not text."""
    return ["".join(e.itertext()) for e in element.iter(f"{SVG}text")]


def titles(element: ET.Element) -> list[str]:
    return [e.text or "" for e in element.iter(f"{SVG}title")]


def outside_defs(root: ET.Element) -> list[ET.Element]:
    """Every element that is drawn where it stands."""
    found = []

    def walk(element: ET.Element) -> None:
        for child in element:
            if child.tag != f"{SVG}defs":
                found.append(child)
                walk(child)

    walk(root)
    return found


def faces_drawn(root: ET.Element) -> set[str]:
    """The cards that are used outside the definitions."""
    found = set()
    for element in outside_defs(root):
        match = CARD.match(element.attrib.get("href", "").removeprefix("#"))
        if match:
            found.add(match[1])
    return found


def faces_defined(root: ET.Element) -> set[str]:
    return {match[1] for id in ids(root) if (match := CARD.match(id))}
