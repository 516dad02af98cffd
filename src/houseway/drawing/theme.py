"""Themes: the colours of a table, and the style sheet made of them.

Colours stand in the style sheet as plain values, one rule a class, because what sets a picture into
a PDF reads no CSS variables. Every pair of ink and ground has a contrast of at least 4.5 to 1 (a
test says so).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from houseway.drawing.lettering import FAMILY
from houseway.refusal import Refused

SANS = "system-ui,-apple-system,'Segoe UI',Roboto,'Liberation Sans',Arial,sans-serif"


@dataclass(frozen=True, slots=True)
class Theme:
    """What colour everything at the table has."""

    name: str
    #: behind the table
    room: str
    room_ink: str
    #: the felt under the lamp and at its edge
    lamp: str
    edge: str
    #: lines and lettering on the felt
    line: str
    ink: str
    #: the leather of the rail: its back, its crown, its seam
    rail: str
    crown: str
    seam: str
    rail_ink: str
    #: what stands on the dealer's side: body, lit side, lettering
    device: str
    device_lit: str
    device_ink: str
    #: small plates with amounts and totals
    plate: str
    plate_ink: str
    #: what is to be done next, a win, a loss
    next: str
    win: str
    lose: str
    #: whether light and shade are drawn, or flat ink for print
    flat: bool = False
    #: how strong lines are
    weight: float = 2.0


_DEVICES = {"device": "#23282a", "device_lit": "#3a4144", "device_ink": "#e9ede9"}
_PLATES = {"plate": "#0c1210", "plate_ink": "#f4f6f4"}
_SIGNS = {"next": "#f2d27a", "win": "#8fe3b0", "lose": "#ff9d94"}

THEMES = {
    theme.name: theme
    for theme in (
        Theme(
            "green", "#101714", "#e9ede9", "#0d603e", "#07402a", "#e4c77a", "#ecd491",
            "#2b1a12", "#5a3826", "#8a6146", "#f3e6d6", **_DEVICES, **_PLATES, **_SIGNS,
        ),
        Theme(
            "blue", "#10141b", "#e9ecf2", "#1a4f8a", "#0d2c55", "#e4c77a", "#efdca3",
            "#1d1716", "#463a36", "#7a6a62", "#f0e9e2", **_DEVICES, **_PLATES, **_SIGNS,
        ),
        Theme(
            "black", "#0c0c0d", "#ececec", "#2b2d31", "#141518", "#d9bf7c", "#e4cf97",
            "#3a1318", "#6d2a31", "#a3656b", "#f7e9e4", **_DEVICES, **_PLATES, **_SIGNS,
        ),
        Theme(
            "paper", "#ffffff", "#16181a", "#ffffff", "#ffffff", "#2a2d30", "#16181a",
            "#efeeea", "#efeeea", "#8b8b86", "#16181a", "#f4f4f1", "#ffffff", "#16181a",
            "#ffffff", "#16181a", "#7a4b00", "#0b5a34", "#9c1d25", flat=True, weight=1.4,
        ),
        Theme(
            "contrast", "#000000", "#ffffff", "#000000", "#000000", "#ffffff", "#ffffff",
            "#000000", "#000000", "#ffffff", "#ffffff", "#000000", "#000000", "#ffffff",
            "#000000", "#ffffff", "#ffe100", "#7dffb0", "#ff9b9b", flat=True, weight=3.2,
        ),
    )
}  # fmt: skip


def theme_of(name: str) -> Theme:
    """The theme of a name, or a refusal that lists them."""
    try:
        return THEMES[name]
    except KeyError:
        raise Refused(
            "no_such_theme", f"there is no theme {name!r}; there are {', '.join(THEMES)}"
        ) from None


@cache
def style(theme: Theme) -> str:
    """The style sheet of a table in this theme."""
    t = theme
    rules = {
        "text": f"font-family:{FAMILY};fill:{t.ink}",
        ".sans,.sans text": f"font-family:{SANS};font-variant-numeric:tabular-nums",
        ".room": f"fill:{t.room}",
        ".line": f"fill:none;stroke:{t.line};stroke-width:{t.weight}",
        ".fine": f"fill:none;stroke:{t.line};stroke-width:{t.weight / 2}",
        ".bet": f"fill:{t.edge};fill-opacity:{0 if t.flat else 0.35};stroke:{t.line};"
        f"stroke-width:{t.weight}",
        ".open .bet": f"stroke:{t.next};stroke-width:{t.weight * 2};"
        f"fill:{t.next};fill-opacity:.16",
        ".place": f"fill:none;stroke:{t.line};stroke-width:{t.weight * 0.7};stroke-dasharray:7 5",
        ".card-place": f"fill:none;stroke:{t.line};stroke-width:{t.weight / 2};opacity:.45",
        ".rule": f"stroke:{t.line};stroke-width:{t.weight * 0.4};opacity:.6",
        ".quiet": "opacity:.82",
        ".rim": f"fill:{t.device};stroke:{t.line if t.flat else '#0a0c0d'};"
        f"stroke-width:{t.weight * 0.6}",
        ".lit": f"fill:{t.device_lit};stroke:{t.line if t.flat else '#4d5659'};stroke-width:1",
        ".dev": f"fill:{t.device_ink}",
        ".rail": f"fill:{t.rail_ink}",
        ".out": f"fill:{t.room_ink}",
        ".plate": f"fill:{t.plate};fill-opacity:{1 if t.flat else 0.86};stroke:{t.line};"
        f"stroke-width:{0.8 if t.flat else 0.4}",
        ".amount": f"fill:{t.plate_ink};font-weight:600",
        ".win,.paid .amount": f"fill:{t.win}",
        ".lose,.collected .amount": f"fill:{t.lose}",
        ".next": f"fill:{t.next}",
        ".glow": f"fill:none;stroke:{t.next};stroke-width:{t.weight * 2.2}",
        ".folded .hand": "opacity:.42",
        ".collected .chips": "opacity:.45",
        ".shown": f"fill:{t.ink if t.name == 'paper' else '#ffd76a'}",
        ".stop": "fill:#9c1d25",
        ".ink": "fill:#1b1b1f",
        ".sensed": f"fill:{t.next};stroke:#fff;stroke-width:1.2",
        ".key circle": f"fill:{t.plate};stroke:{t.next};stroke-width:1.6",
        ".key text": f"fill:{t.plate_ink};font-weight:700",
    }
    return "".join(f"{selector}{{{body}}}" for selector, body in rules.items())
