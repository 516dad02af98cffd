"""Themes: the colors of a table, and the style sheet made of them.

Colors stand in the style sheet as plain values, one rule a class, because what sets a picture into
a PDF reads no CSS variables. Every pair of ink and ground has a contrast of at least 4.5 to 1 (a
test says so).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from houseway.drawing.lettering import FAMILY
from houseway.errors import Refused, choose_from

SANS = "system-ui,-apple-system,'Segoe UI',Roboto,'Liberation Sans',Arial,sans-serif"


@dataclass(frozen=True, slots=True)
class Theme:
    """What color everything at the table has."""

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


_GREEN = Theme(
    name="green", room="#101714", room_ink="#e9ede9", lamp="#0d603e", edge="#07402a",
    line="#e4c77a", ink="#ecd491", rail="#2b1a12", crown="#5a3826", seam="#8a6146",
    rail_ink="#f3e6d6", device="#23282a", device_lit="#3a4144", device_ink="#e9ede9",
    plate="#0c1210", plate_ink="#f4f6f4", next="#f2d27a", win="#8fe3b0", lose="#ff9d94",
)  # fmt: skip
_BLUE = replace(
    _GREEN, name="blue", room="#10141b", room_ink="#e9ecf2", lamp="#1a4f8a", edge="#0d2c55",
    ink="#efdca3", rail="#1d1716", crown="#463a36", seam="#7a6a62", rail_ink="#f0e9e2",
)  # fmt: skip
_BLACK = replace(
    _GREEN, name="black", room="#0c0c0d", room_ink="#ececec", lamp="#2b2d31", edge="#141518",
    line="#d9bf7c", ink="#e4cf97", rail="#3a1318", crown="#6d2a31", seam="#a3656b",
    rail_ink="#f7e9e4",
)  # fmt: skip
_PAPER = Theme(
    name="paper", room="#ffffff", room_ink="#16181a", lamp="#ffffff", edge="#ffffff",
    line="#2a2d30", ink="#16181a", rail="#efeeea", crown="#efeeea", seam="#8b8b86",
    rail_ink="#16181a", device="#f4f4f1", device_lit="#ffffff", device_ink="#16181a",
    plate="#ffffff", plate_ink="#16181a", next="#7a4b00", win="#0b5a34", lose="#9c1d25",
    flat=True, weight=1.4,
)  # fmt: skip
_CONTRAST = Theme(
    name="contrast", room="#000000", room_ink="#ffffff", lamp="#000000", edge="#000000",
    line="#ffffff", ink="#ffffff", rail="#000000", crown="#000000", seam="#ffffff",
    rail_ink="#ffffff", device="#000000", device_lit="#000000", device_ink="#ffffff",
    plate="#000000", plate_ink="#ffffff", next="#ffe100", win="#7dffb0", lose="#ff9b9b",
    flat=True, weight=3.2,
)  # fmt: skip
THEMES = {theme.name: theme for theme in (_GREEN, _BLUE, _BLACK, _PAPER, _CONTRAST)}


def theme_of(name: str) -> Theme:
    """The theme of a name, or a refusal that lists them."""
    try:
        return THEMES[name]
    except KeyError:
        raise Refused(
            "no_such_theme", f"there is no theme {name!r}", remedy=choose_from(name, THEMES)
        ) from None


@cache
def style(theme: Theme) -> str:
    """The style sheet of a table in this theme."""
    t = theme
    rules = {
        "text": f"font-family:{FAMILY}",
        ".words,.label,.panel text": f"fill:{t.ink}",
        ".sans,.sans text": f"font-family:{SANS};font-variant-numeric:tabular-nums",
        ".room": f"fill:{t.room}",
        ".line": f"fill:none;stroke:{t.line};stroke-width:{t.weight}",
        ".fine": f"fill:none;stroke:{t.line};stroke-width:{t.weight / 2}",
        ".bet": f"fill:{t.edge};fill-opacity:{0 if t.flat else 0.35};stroke:{t.line};"
        f"stroke-width:{t.weight}",
        ".open .bet": f"stroke:{t.next};stroke-width:{t.weight * 2};fill:{t.next};fill-opacity:.16",
        ".place": f"fill:none;stroke:{t.line};stroke-width:{t.weight * 0.7};stroke-dasharray:7 5",
        ".card-place": f"fill:none;stroke:{t.line};stroke-width:{t.weight / 2};opacity:.45",
        ".hit": "fill:#000;fill-opacity:0",
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
        ".amount": f"fill:{t.plate_ink};font-weight:700;text-anchor:middle",
        ".pile text": "font-size:15px",
        ".win,tspan.paid": f"fill:{t.win}",
        ".lose,tspan.collected": f"fill:{t.lose}",
        ".tick": f"fill:none;stroke:{t.plate_ink};stroke-width:2.6",
        ".tick.win": f"stroke:{t.win}",
        ".tick.lose": f"stroke:{t.lose}",
        ".next": f"fill:{t.next}",
        ".under": f"fill:{t.edge}",
        ".shade": f"fill:{t.plate};fill-opacity:{0 if t.flat else 0.5}",
        ".bid": f"fill:{t.next};fill-opacity:{0 if t.flat else 0.1};stroke:{t.next};"
        f"stroke-width:{t.weight * 1.6}",
        ".halo": f"fill:{t.win};fill-opacity:{0 if t.flat else 0.2}",
        ".glass": f"fill:{t.room if t.flat else '#050807'};stroke:{t.seam};stroke-width:1.6",
        ".ring": f"fill:none;stroke-width:{t.weight * 2.2}",
        ".ring.win": f"stroke:{t.win}",
        ".ring.lose": f"stroke:{t.lose};stroke-dasharray:6 6",
        ".glow": f"fill:none;stroke:{t.next};stroke-width:{t.weight * 2.2}",
        ".thin": f"stroke-width:{t.weight * 1.3}",
        ".folded .hand": "opacity:.42",
        ".chips.collected": "opacity:.55",
        ".shown": f"fill:{t.ink if t.name == 'paper' else '#ffd76a'}",
        ".stop": "fill:#9c1d25",
        ".ink": "fill:#1b1b1f",
        ".sensed": f"fill:{t.next};stroke:#fff;stroke-width:1.2",
        ".key circle": f"fill:{t.plate};stroke:{t.next};stroke-width:1.6",
        ".key text": f"fill:{t.plate_ink};font-weight:700",
    }
    return "".join(f"{selector}{{{body}}}" for selector, body in rules.items())
