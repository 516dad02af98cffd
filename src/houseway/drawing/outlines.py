"""Lettering as outlines: a picture in which every text is drawn from one installed font.

A picture that is filed must look the same wherever it is opened. `outlined` replaces each text of a
picture with the outlines of its letters, from the STIX fonts that come with Matplotlib, set to the
length that the text was measured for. The words stay beside them for screen readers.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from math import cos, pi, sin, sqrt
from pathlib import Path
from typing import Any

from houseway.drawing.svg import NAMESPACE

_SVG = f"{{{NAMESPACE}}}"
_FONTS = {False: "STIXGeneral.ttf", True: "STIXGeneralBol.ttf"}
_ARC = re.compile(r"M(\S+) (\S+)A(\S+) \S+ 0 (\d) 0 (\S+) (\S+)")
#: groups whose style sheet makes their lettering bold
_BOLD_CLASSES = {"key", "amount"}


@dataclass(frozen=True)
class _Style:
    """What a text inherits from the groups around it."""

    size: float = 16
    bold: bool = False
    anchor: str = "start"


def outlined(svg: str) -> str:
    """The picture with outlines in place of texts; the same picture gives the same bytes."""
    ET.register_namespace("", NAMESPACE)
    root = ET.fromstring(svg)  # noqa: S314
    arcs = {path.get("id", ""): path.get("d", "") for path in root.iter(f"{_SVG}path")}
    _walk(root, _Style(), arcs)
    for style in root.iter(f"{_SVG}style"):
        # what the style sheet says of texts holds for their outlines
        style.text = re.sub(r"(?<![\w.-])text(?=[,{ ])", ".outline", style.text or "")
    return ET.tostring(root, encoding="unicode")


def _walk(element: ET.Element, style: _Style, arcs: dict[str, str]) -> None:
    style = _inherited(element, style)
    for at, child in enumerate(list(element)):
        if child.tag == f"{_SVG}text":
            element[at] = _drawn(child, _inherited(child, style), arcs)
        else:
            _walk(child, style, arcs)


def _inherited(element: ET.Element, style: _Style) -> _Style:
    classes = set(element.get("class", "").split())
    size = element.get("font-size")
    return _Style(
        float(size.removesuffix("px")) if size else style.size,
        style.bold or element.get("font-weight") == "700" or bool(classes & _BOLD_CLASSES),
        "middle" if "amount" in classes else element.get("text-anchor", style.anchor),
    )


def _drawn(text: ET.Element, style: _Style, arcs: dict[str, str]) -> ET.Element:
    path = text.find(f"{_SVG}textPath")
    words = (path if path is not None else text).text or ""
    made = ET.Element(f"{_SVG}g")
    for name in ("id", "class", "transform"):
        if text.get(name):
            made.set(name, text.get(name, ""))
    made.set("class", f"{text.get('class', '')} outline".strip())
    made.set("role", "img")
    ET.SubElement(made, f"{_SVG}title").text = words
    advances = [_glyph(style.bold, letter)[1] * style.size for letter in words]
    spacing = float(text.get("letter-spacing") or 0)
    natural = sum(advances) or 1.0
    length = float(text.get("textLength") or natural + spacing * len(words))
    if text.get("lengthAdjust") == "spacing" or (spacing and path is None):
        narrow, gap = 1.0, (length - natural) / max(len(words), 1)
    else:
        narrow, gap = (length - spacing * len(words)) / natural, spacing
    at = {"middle": -length / 2, "end": -length}.get(style.anchor, 0.0)
    place = _on_arc(arcs[path.get("href", "")[1:]]) if path is not None else _on_line(text)
    outline = []
    for letter, advance in zip(words, advances, strict=True):
        step = advance * narrow
        if commands := _glyph(style.bold, letter)[0]:
            outline.append(_placed(commands, place, at, step, style.size, narrow))
        at += step + gap
    ET.SubElement(made, f"{_SVG}path").set("d", "".join(outline))
    return made


def _on_line(text: ET.Element) -> tuple[Any, ...]:
    return ("line", float(text.get("x") or 0), float(text.get("y") or 0))


def _on_arc(d: str) -> tuple[Any, ...]:
    found = _ARC.fullmatch(d)
    assert found is not None
    x, y, radius, large = float(found[1]), float(found[2]), float(found[3]), found[4] == "1"
    middle = (x + float(found[5])) / 2
    rise = sqrt(max(radius**2 - (x - middle) ** 2, 0))
    return ("arc", middle, y + rise if large else y - rise, radius)


def _placed(
    commands: tuple[tuple[str, tuple[tuple[float, float], ...]], ...], place: tuple[Any, ...],
    at: float, step: float, size: float, narrow: float,
) -> str:  # fmt: skip
    """The outline of a letter where it stands: on a line, or turned on an arc."""
    if place[0] == "line":
        x, y, turn = place[1] + at, place[2], 0.0
    else:
        angle = pi / 2 - (at + step / 2) / place[3]
        turn = angle - pi / 2
        x = place[1] + place[3] * cos(angle) - step / 2 * cos(turn)
        y = place[2] + place[3] * sin(angle) - step / 2 * sin(turn)
    c, s = cos(turn), sin(turn)
    parts = []
    for name, points in commands:
        moved = []
        for px, py in points:
            ux, uy = px * size * narrow, -py * size
            moved.append(f"{x + ux * c - uy * s:.2f} {y + ux * s + uy * c:.2f}")
        parts.append(name + " ".join(moved))
    return "".join(parts)


@cache
def _font(bold: bool) -> Any:
    from fontTools.ttLib import TTFont

    package = find_spec("matplotlib")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("the fonts come with Matplotlib", name="matplotlib")
    font = TTFont(Path(package.origin).parent / "mpl-data" / "fonts" / "ttf" / _FONTS[bold])
    return font.getGlyphSet(), font.getBestCmap(), font["head"].unitsPerEm


@lru_cache(maxsize=4096)
def _glyph(bold: bool, letter: str) -> tuple[Any, float]:
    """The outline of a letter and its advance, in multiples of the size."""
    from fontTools.pens.recordingPen import DecomposingRecordingPen

    glyphs, names, em = _font(bold)
    name = names.get(ord(letter)) or names.get(ord("?"))
    pen = DecomposingRecordingPen(glyphs)
    glyphs[name].draw(pen)
    commands: list[tuple[str, tuple[tuple[float, float], ...]]] = []
    for operator, points in pen.value:
        scaled = tuple((px / em, py / em) for px, py in points if points)
        if operator == "moveTo":
            commands.append(("M", scaled))
        elif operator == "lineTo":
            commands.append(("L", scaled))
        elif operator == "curveTo":
            commands.append(("C", scaled))
        elif operator == "qCurveTo":
            commands += _quadratics(scaled)
        elif operator == "closePath":
            commands.append(("Z", ()))
    return tuple(commands), glyphs[name].width / em


def _quadratics(
    points: tuple[tuple[float, float], ...],
) -> list[tuple[str, tuple[tuple[float, float], ...]]]:
    """TrueType's runs of control points as single quadratic curves."""
    found: list[tuple[str, tuple[tuple[float, float], ...]]] = []
    *controls, end = points
    for at, control in enumerate(controls):
        if at + 1 < len(controls):
            nearest = controls[at + 1]
            target = ((control[0] + nearest[0]) / 2, (control[1] + nearest[1]) / 2)
        else:
            target = end
        found.append(("Q", (control, target)))
    return found


def words_of(svg: str) -> str:
    """Every text of a picture, for screen readers."""
    root = ET.fromstring(svg)  # noqa: S314
    return " ".join(text.text or "" for text in root.iter() if text.tag in (
        f"{_SVG}text", f"{_SVG}textPath") and text.text)  # fmt: skip
