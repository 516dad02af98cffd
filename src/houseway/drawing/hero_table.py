"""The table itself, seen from a player's chair: the lamp, felt and rail, the tray and the shoe.

Felt and rail go on beyond the picture's edges, so that they fill whatever shape of window the
picture is shown in.
"""

from __future__ import annotations

from math import sqrt

from houseway.drawing.layout.places import Layout
from houseway.drawing.lettering import fitted, line
from houseway.drawing.pieces.chips import CHIPS
from houseway.drawing.svg import group, num
from houseway.drawing.theme import Theme

WIDTH, HEIGHT = 1120.0, 700.0
MIDDLE = WIDTH / 2
#: the edge of the felt, a flat arc: its radius, and where it passes below me
_RADIUS, _EDGE = 3000.0, 668.0
#: how far felt and rail go on to both sides of the picture
_BEYOND = 900.0


def arc_at(x: float, inside: float = 0) -> float:
    """The height of the felt's edge, or of a line so far inside it."""
    return _EDGE - _RADIUS + sqrt((_RADIUS - inside) ** 2 - (x - MIDDLE) ** 2)


def _along(inside: float) -> str:
    """The path of a line along the edge of the felt, so far inside it."""
    left, right, radius = -_BEYOND, WIDTH + _BEYOND, num(_RADIUS - inside)
    y = num(arc_at(left, inside))
    return f"M{num(left)} {y}A{radius} {radius} 0 0 0 {num(right)} {y}"


def shades(theme: Theme, prefix: str) -> str:
    """The lamp over the felt and the dark beyond it, the cloth, the leather of the rail."""
    if theme.flat:
        return ""
    t, center = theme, num(_EDGE - _RADIUS)
    leather = "".join(
        f'<stop offset="{(_RADIUS + out) / (_RADIUS + 60):.4f}" stop-color="{color}"/>'
        for out, color in ((0, "#0a0604"), (3, t.rail), (12, t.crown), (19, t.crown), (36, t.rail))
    )
    return (
        f'<radialGradient id="{prefix}lamp" gradientUnits="userSpaceOnUse" cx="{num(MIDDLE)}" '
        f'cy="330" r="700"><stop offset="0" stop-color="{t.lamp}"/><stop offset=".38" '
        f'stop-color="{t.lamp}"/><stop offset="1" stop-color="{t.edge}"/></radialGradient>'
        f'<radialGradient id="{prefix}dark" gradientUnits="userSpaceOnUse" cx="{num(MIDDLE)}" '
        f'cy="330" r="820"><stop offset=".45" stop-opacity="0"/><stop offset="1" '
        'stop-opacity=".62"/></radialGradient>'
        f'<radialGradient id="{prefix}rail" gradientUnits="userSpaceOnUse" cx="{num(MIDDLE)}" '
        f'cy="{center}" r="{num(_RADIUS + 60)}">{leather}</radialGradient>'
        f'<pattern id="{prefix}weave" width="4" height="4" patternUnits="userSpaceOnUse" '
        'patternTransform="rotate(45)"><path d="M0 0V4M2 0V4" stroke="#000" stroke-width=".6" '
        'opacity=".14"/></pattern>'
        f'<linearGradient id="{prefix}tube" x1="0" y1="0" x2="0" y2="1"><stop offset="0" '
        'stop-opacity=".55"/><stop offset=".35" stop-color="#fff" stop-opacity=".3"/><stop '
        'offset="1" stop-opacity=".65"/></linearGradient>'
    )


def table_top(theme: Theme, prefix: str) -> str:
    """Rail and felt; the felt lies in the shade of the rail where they meet."""
    t = theme
    rail = t.rail if t.flat else f"url(#{prefix}rail)"
    lamp = t.lamp if t.flat else f"url(#{prefix}lamp)"
    cloth = f"{_along(0)}V0H-{num(_BEYOND)}Z"
    seam = f'fill="none" stroke="{t.seam}"'
    parts = [
        (
            f'<rect x="-{num(_BEYOND)}" width="{num(WIDTH + 2 * _BEYOND)}" height="{num(HEIGHT)}" '
            f'fill="{rail}"/>'
        ),
        f'<path d="{cloth}" fill="{lamp}"/>',
    ]
    if not t.flat:
        parts += [f'<path d="{cloth}" fill="url(#{prefix}{name})"/>' for name in ("weave", "dark")]
        parts += [
            f'<path fill="none" stroke="#000" stroke-opacity=".16" stroke-width="{wide}" '
            f'd="{_along(wide / 2)}"/>'
            for wide in (20, 12, 6)
        ]
        # what stands on the dealer's side throws its shade on the felt too
        parts.append(
            f'<path stroke="#000" stroke-opacity=".4" stroke-width="8" d="M-{num(_BEYOND)} 2'
            f'H{num(WIDTH + _BEYOND)}"/>'
        )
    parts += [
        f'<path class="fine" opacity=".5" d="{_along(9)}"/>',
        f'<path {seam} stroke-width="2.2" d="{_along(-1)}"/>',
        f'<path {seam} stroke-width="1.4" stroke-dasharray="8 6" d="{_along(-24)}"/>',
    ]
    return "".join(parts)


#: the tubes of the tray from the dealer's left: which chip, and how full
_TUBES = ((100, 0.9), (500, 0.95), (500, 0.8), (2_500, 0.92), (2_500, 0.7), (10_000, 0.88),
          (10_000, 0.94), (50_000, 0.6), (100_000, 0.5), (500, 0.9), (100, 0.75), (50, 0.85))  # fmt: skip


def tray(theme: Theme, prefix: str) -> str:
    """The dealer's tray seen from the front: tubes of chips that stand on edge."""
    known = {chip.worth: chip for chip in CHIPS}
    wide, left = 29.0, MIDDLE - 29.0 * len(_TUBES) / 2
    body = (
        f'<path class="rim" d="M{num(left - 8)} -4H{num(MIDDLE * 2 - left + 8)}V16q0 7 -7 7'
        f'H{num(left - 1)}q-7 0 -7 -7Z"/>'
    )
    for at, (worth, full) in enumerate(_TUBES):
        x, chip, long = left + wide * at + 1.5, known[worth], (wide - 3) * full
        tube = f'x="{num(x)}" y="2" height="16" rx="2"'
        body += f'<rect class="lit" {tube} width="{num(wide - 3)}"/>'
        edge = f'<path d="M{num(x)} 10h{num(long)}" stroke-width="16"'
        body += (
            f'{edge} stroke="{chip.color}"/>{edge} stroke="{chip.spots}" stroke-dasharray="1.6 6.8" '
            f'stroke-opacity=".8"/>{edge} stroke="{chip.shade}" stroke-dasharray=".5 2.3"/>'
        )
        if not theme.flat:
            body += f'<rect {tube} width="{num(wide - 3)}" fill="url(#{prefix}tube)"/>'
    return group(body, id=f"{prefix}inventory_container", title="The dealer's tray")


def shoe(layout: Layout, prefix: str) -> str:
    """Where the cards come from, at the dealer's left hand: a card waits in its mouth."""
    known = {place.id: place for place in layout.devices}
    place = known.get("dealing_shoe") or known.get("stub") or known.get("shuffler")
    name = place.label if place else "Cards"
    x = 804.0
    body = (
        f'<rect x="{num(x + 6)}" y="22" width="36" height="26" rx="3" fill="#8e1b24" '
        'stroke="#fdfbf4" stroke-width="2.4"/>'
        f'<path d="M{num(x + 12)} 42h24" stroke="#c9616a" stroke-width="2" stroke-dasharray="3 2"/>'
        f'<path class="rim" d="M{num(x)} -4h48v32q0 5 -5 5h-38q-5 0 -5 -5z"/>'
        f'<path class="lit" d="M{num(x + 5)} -4h38v27h-38z"/>'
    )
    words = line(name, x + 24, 15, fitted(name, 14, 35), cls="dev", anchor="middle")
    return group(body + words, id=f"{prefix}dealing_shoe", cls="device", title=name)
