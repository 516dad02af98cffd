"""The table itself, and what stands on the dealer's side of it.

Devices are drawn as a player sees them: tray and shoe from above, the discard rack from the front,
since the height of its cards and the mark at the height of a whole batch are what it is for.
"""

from __future__ import annotations

from collections.abc import Sequence

from houseway.drawing.layout.geometry import BACK, FELT, RAIL, Box
from houseway.drawing.lettering import fitted, line
from houseway.drawing.pieces.chips import CHIPS
from houseway.drawing.svg import num, rotated
from houseway.drawing.theme import Theme
from houseway.present.game import Light

_OUT = FELT + RAIL


def outline(radius: float) -> str:
    """The table's outline at a distance from its middle: strip and half disc."""
    r = num(radius)
    return f"M-{r} -{num(BACK)}H{r}V0A{r} {r} 0 0 1 -{r} 0Z"


def shades(theme: Theme, prefix: str) -> str:
    """Gradients: the lamp over the felt, the leather of the rail."""
    if theme.flat:
        return ""
    t = theme
    return (
        f'<radialGradient id="{prefix}lamp" gradientUnits="userSpaceOnUse" cx="0" cy="230" r="860">'
        f'<stop offset="0" stop-color="{t.lamp}"/><stop offset=".55" stop-color="{t.lamp}"/>'
        f'<stop offset="1" stop-color="{t.edge}"/></radialGradient>'
        f'<radialGradient id="{prefix}hide" gradientUnits="userSpaceOnUse" cx="0" cy="0" '
        f'r="{num(_OUT)}"><stop offset="{FELT / _OUT:.3f}" stop-color="{t.rail}"/>'
        f'<stop offset="{(FELT + RAIL * 0.42) / _OUT:.3f}" stop-color="{t.crown}"/>'
        f'<stop offset="1" stop-color="{t.rail}"/></radialGradient>'
        f'<pattern id="{prefix}weave" width="5" height="5" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><path d="M0 0V5M2.5 0V5" stroke="#000" '
        'stroke-width=".7" opacity=".13"/></pattern>'
    )


def table_top(theme: Theme, prefix: str) -> str:
    """Rail and felt."""
    t = theme
    if t.flat:
        return (
            f'<path d="{outline(_OUT)}" fill="{t.rail}" stroke="{t.line}" '
            f'stroke-width="{num(t.weight)}"/><path d="{outline(FELT)}" fill="{t.lamp}" '
            f'stroke="{t.line}" stroke-width="{num(t.weight)}"/>'
        )
    ends = f"M-{num(_OUT)} -{num(BACK)}H{num(_OUT)}"
    return (
        f'<path d="{outline(_OUT)}" fill="url(#{prefix}hide)"/>'
        f'<path d="{outline(_OUT - 12)}" fill="none" stroke="{t.seam}" stroke-width="1.6" '
        'stroke-dasharray="9 6" opacity=".55"/>'
        f'<path d="{outline(FELT + 7)}" fill="#0b0806"/>'
        f'<path d="{outline(FELT + 4)}" fill="none" stroke="{t.seam}" stroke-width="2.4"/>'
        f'<path d="{outline(FELT)}" fill="url(#{prefix}lamp)"/>'
        f'<path d="{outline(FELT)}" fill="url(#{prefix}weave)"/>'
        f'<path d="{ends}" stroke="#0b0806" stroke-width="7"/>'
    )


#: the width of one row of the tray
_TUBE = 42.7


def tray_patterns(prefix: str) -> str:
    """The edges of chips in the tray's rows: color with its spots, chip upon chip."""
    return "".join(
        f'<pattern id="{prefix}row{chip.worth}" width="{num(_TUBE)}" height="4.4" x="2" '
        f'patternUnits="userSpaceOnUse"><rect width="43" height="4.4" fill="{chip.color}"/>'
        f'<path d="M9 0h6v4.4h-6zM23 0h6v4.4h-6z" fill="{chip.spots}"/>'
        f'<path d="M0 4.1h43" stroke="{chip.shade}" stroke-width=".7"/></pattern>'
        for chip in CHIPS
    )


#: rows of the tray from the dealer's left, and how full they look
_ROWS = (
    (100, 0.82), (100, 0.9), (500, 0.74), (500, 0.92), (500, 0.88), (2_500, 0.84), (2_500, 0.93),
    (10_000, 0.72), (10_000, 0.85), (50_000, 0.6), (100_000, 0.4), (50, 0.66),
)  # fmt: skip


def tray(box: Box, theme: Theme, prefix: str) -> str:
    """The table inventory container with its rows of chips."""
    left, top = box.x - box.width / 2, box.y - box.height / 2
    step, tall = (box.width - 12) / len(_ROWS), box.height - 16
    tubes = rows = shine = ""
    for at, (worth, full) in enumerate(_ROWS):
        x = at * step + (step - 38) / 2
        filled = tall * full
        tubes += f"M{num(x)} 0h38v{num(tall)}h-38z"
        rows += (
            f'<rect x="{num(x)}" y="{num(tall - filled)}" width="38" height="{num(filled)}" '
            f'fill="url(#{prefix}row{worth})"/>'
        )
        shine += f"M{num(x + 6)} {num(tall - filled)}v{num(filled)}"
    if not theme.flat:
        rows += f'<path d="{shine}" stroke="#fff" stroke-width="6" opacity=".2"/>'
    return body(box, radius=9) + (
        f'<g transform="translate({num(left + 6)} {num(top + 8)})"><path d="{tubes}" '
        f'fill="{theme.device_lit}"/>{rows}</g>'
    )


def body(box: Box, *, cls: str = "rim", radius: float = 10) -> str:
    """The body of a device."""
    return (
        f'<rect class="{cls}" x="{num(box.x - box.width / 2)}" y="{num(box.y - box.height / 2)}" '
        f'width="{num(box.width)}" height="{num(box.height)}" rx="{num(radius)}"/>'
    )


def caption(
    box: Box, words: str, *, up: float = 7, size: float = 13, cls: str = "dev quiet"
) -> str:
    """A device's name along its foot."""
    fit = fitted(words, size, box.width - 8)
    return line(words, box.x, box.y + box.height / 2 - up, fit, cls=cls, anchor="middle")


def shoe(box: Box, cards: int | None, back: str, most: int) -> str:
    """A dealing shoe, its mouth towards the dealer's middle; as full as its cards."""
    left, top = box.x - box.width / 2, box.y - box.height / 2
    share = 1.0 if cards is None else max(0.0, min(1.0, cards / most))
    length = (box.width - 58) * share
    stack = (
        f'<rect x="{num(left + 34)}" y="{num(top + 14)}" width="{num(max(length, 2))}" height="62" '
        f'fill="#efe9da" stroke="#8d8676" stroke-width="1"/>'
        f'<rect x="{num(left + 34)}" y="{num(top + 14)}" width="9" height="62" fill="{back}"/>'
        if share > 0
        else ""
    )
    return (
        body(box)
        + f'<path class="lit" d="M{num(left + 8)} {num(top + 10)}h{num(box.width - 16)}v70'
        f'h-{num(box.width - 16)}z"/>{stack}'
        f'<path class="lit" d="M{num(left + 4)} {num(top + 20)}l24 6v38l-24 6z"/>'
    )


def rack(box: Box, cards: int, marked: int, back: str, theme: Theme) -> str:
    """The discard rack from the front: its cards, and a mark at the height of the whole batch."""
    left, top = box.x - box.width / 2, box.y - box.height / 2
    floor, inside = top + box.height - 24, box.height - 36
    # a card is 0.3 mm; a rack for one deck is drawn four times as high so that it can be read
    thick = min(0.3 * (4 if marked <= 53 else 1), inside / marked * 0.92)
    mark = floor - marked * thick
    tall = cards * thick
    pile = (
        f'<rect class="pile" x="{num(left + 14)}" y="{num(floor - tall)}" '
        f'width="{num(box.width - 28)}" height="{num(tall)}" fill="#efe9da"/>'
        f'<rect x="{num(left + 14)}" y="{num(floor - tall)}" width="{num(box.width - 28)}" '
        f'height="{num(min(4, tall))}" fill="{back}"/>'
        if cards
        else ""
    )
    glass = "none" if theme.flat else "#c8404022"
    return (
        body(box)
        + pile
        + f'<path d="M{num(left + 9)} {num(top + 8)}V{num(floor)}H{num(left + box.width - 9)}'
        f'V{num(top + 8)}" fill="{glass}" stroke="{"#d06a6a" if not theme.flat else theme.line}" '
        f'stroke-width="2.4"/><path class="mark" d="M{num(left + 5)} {num(mark)}h{num(box.width - 10)}" '
        f'stroke="{theme.next}" stroke-width="2" stroke-dasharray="6 3"/>'
    )


#: a lamp that is on, by the name of its color: the lamp, the letter in it
_LAMPS = {"blue": ("#3b82f6", "#fff"), "red": ("#ef4444", "#fff"), "yellow": ("#f5c518", "#101010")}


def lamp(color: str) -> tuple[str, str]:
    """The color of a lamp that is on, and of the letter in it."""
    return _LAMPS.get(color, (color, "#fff"))


def reader(box: Box, lights: Sequence[Light], lit: str, theme: Theme, prefix: str) -> str:
    """The card reader: a slot, and its lights with their letters."""
    left, top = box.x - box.width / 2, box.y - box.height / 2
    parts = [
        body(box),
        (
            f'<path d="M{num(left + 12)} {num(top + box.height - 36)}h{num(box.width - 24)}" '
            'stroke="#000" stroke-width="6"/>'
            f'<path d="M{num(left + 12)} {num(top + box.height - 38)}h{num(box.width - 24)}" '
            f'stroke="{theme.device_ink}" stroke-width="1" opacity=".5"/>'
        ),
    ]
    for at, light in enumerate(lights):
        name, (color, letter_ink) = light.range, lamp(light.color)
        x, y = left + box.width * (0.2 + 0.3 * at), top + 38
        on = name == lit
        fill = color if on else theme.device_lit
        halo = (
            f'<circle cx="{num(x)}" cy="{num(y)}" r="16" fill="{color}" opacity=".35"/>'
            if on and not theme.flat
            else ""
        )
        ring = 3 if on else 1
        ink = letter_ink if on else theme.device_ink
        parts.append(
            f'<g id="{prefix}light-{name}" class="light{" on" if on else ""}" role="img"><title>'
            f"{name}: {light.color} light {'on' if on else 'off'}</title>{halo}"
            f'<circle cx="{num(x)}" cy="{num(y)}" r="11.5" fill="{fill}" '
            f'stroke="{theme.device_ink}" stroke-width="{ring}"/>'
            f'<text x="{num(x)}" y="{num(y + 5)}" font-size="14" font-weight="700" '
            f'text-anchor="middle" fill="{ink}">{name[:1].upper()}</text></g>'
        )
    return "".join(parts)


def keypad(box: Box, locked: bool, theme: Theme) -> str:
    """The control of the progressive system: keys, and its lock-out lamp."""
    left, top = box.x - box.width / 2, box.y - box.height / 2
    keys = "".join(
        f'<rect class="lit" x="{num(left + 10 + 22 * (at % 3))}" y="{num(top + 34 + 22 * (at // 3))}" '
        'width="18" height="17" rx="4"/>'
        for at in range(9)
    )
    lamp = theme.lose if locked else theme.win
    return (
        body(box)
        + keys
        + f'<circle cx="{num(left + 20)}" cy="{num(top + 18)}" r="7" fill="{lamp}"/>'
        + line("locked" if locked else "open", left + 34, top + 23, 14, cls="dev")
    )


def screen(box: Box, rows: list[tuple[str, str]], theme: Theme) -> str:
    """A display with names and amounts."""
    left, top = box.x - box.width / 2, box.y - box.height / 2
    glass = "#ffffff" if theme.flat and theme.name == "paper" else "#050807"
    parts = [
        body(box),
        (
            f'<rect x="{num(left + 7)}" y="{num(top + 7)}" width="{num(box.width - 14)}" '
            f'height="{num(box.height - 32)}" rx="5" fill="{glass}" stroke="{theme.device_ink}" '
            'stroke-width=".8"/>'
        ),
    ]
    room = (box.height - 40) / max(1, len(rows))
    for at, (name, amount) in enumerate(rows):
        y = top + 12 + room * at
        big = min(30, room * 0.5)
        size = fitted(amount, big, box.width - 26, bold=True)
        small = fitted(name, min(12.5, room * 0.3), box.width - 26)
        parts.append(
            line(name, box.x, y + room * 0.3, small, cls="shown", anchor="middle")
            + line(amount, box.x, y + room * 0.84, size, cls="shown", anchor="middle", bold=True)
        )
    return "".join(parts)


def machine(box: Box, light: str, theme: Theme) -> str:
    """An automated shuffler: a lid, a slot, a lamp."""
    left, top = box.x - box.width / 2, box.y - box.height / 2
    color = {"": theme.win, "busy": theme.next, "out": theme.lose}[light]
    return (
        body(box, radius=14)
        + f'<rect class="lit" x="{num(left + 10)}" y="{num(top + 12)}" width="{num(box.width - 20)}" '
        f'height="{num(box.height - 44)}" rx="9"/>'
        f'<rect x="{num(box.x - 36)}" y="{num(top + 26)}" width="72" height="{num(box.height - 74)}" '
        f'rx="4" fill="#050606" stroke="{theme.device_ink}" stroke-width=".6"/>'
        f'<circle cx="{num(left + box.width - 22)}" cy="{num(top + 26)}" r="5.5" fill="{color}"/>'
    )


def out_of_order(box: Box) -> str:
    """The sign that a device is out of order, laid on the device."""
    wide = min(box.width - 6, 150)
    size = fitted("OUT OF ORDER", 19, wide - 14, bold=True)
    return (
        f'<g transform="{rotated(box.x, box.y, -8)}"><rect x="{num(-wide / 2)}" y="-19" '
        f'width="{num(wide)}" height="38" rx="4" fill="#fdfbf4" stroke="#9c1d25" stroke-width="3"/>'
        + line("OUT OF ORDER", 0, size * 0.34, size, cls="stop", anchor="middle", bold=True)
        + "</g>"
    )


def box_on_the_side(box: Box, label: str) -> str:
    """The drop box or the tip box, hung on the dealer's side."""
    left, top = box.x - box.width / 2, box.y - box.height / 2
    return (
        body(box, radius=6)
        + f'<path d="M{num(left + 24)} {num(top + box.height - 12)}h{num(box.width - 48)}" '
        'stroke="#000" stroke-width="5"/>'
        + line(
            label, box.x, top + 25, fitted(label, 17, box.width - 14), cls="dev", anchor="middle"
        )
    )
