"""Lettering that is measured before it is set.

The inscriptions use the platform's own serif. Its widths are not known here, so every text is
measured with the widths of the Times family and set to exactly that length (`textLength`): on a
machine with a wider serif the letters are narrowed, and nothing ever runs into its neighbor.
"""

from __future__ import annotations

from functools import cache
from math import pi

from houseway.drawing.layout.geometry import polar
from houseway.drawing.svg import num, text_of

FAMILY = "'Times New Roman',Times,'Liberation Serif','Nimbus Roman','Libertinus Serif',serif"

# Advance widths in thousandths of the size, by width: the metrics that Times and its many
# metric-compatible namesakes share.
_REGULAR = {
    180: "'", 200: "|", 250: " ,.·", 278: "/:;\\ijlt", 333: "!()-I[]`fr’", 350: "•", 389: "Js",
    408: '"', 444: "?acez“”é", 469: "^", 480: "{}", 500: "#$*0123456789_bdghknopquvxy¢–",
    541: "~", 556: "FPS", 564: "+<=>×", 611: "ELTZ", 667: "BCR", 722: "ADGHKNOQUVXYw",
    750: "½", 778: "&m", 833: "%", 889: "M", 921: "@", 944: "W", 1000: "—…",
}  # fmt: skip
_BOLD = {
    220: "|", 250: " ,.·", 278: "'/\\il", 333: "!()-:;[]`fjt’", 350: "•", 389: "Is", 394: "{}",
    444: "cerzé", 500: "#$*0123456789?J_agovxy¢–“”", 520: "~", 555: '"', 556: "Sbdhknpqu",
    570: "+<=>×", 581: "^", 611: "FP", 667: "BELTZ", 722: "ACDNRUVXYw", 750: "½", 778: "GHKOQ",
    833: "&m", 930: "@", 944: "M", 1000: "%W—…",
}  # fmt: skip
_WIDTHS = tuple(
    {letter: width for width, letters in table.items() for letter in letters}
    for table in (_REGULAR, _BOLD)
)
#: how much wider than Times a platform's serif may be
WIDER = 1.3
#: a letter that is not in the table is taken to be as wide as the widest
_WIDEST = 1000


@cache
def ems(words: str, bold: bool = False) -> float:
    """The width of a text in multiples of its size."""
    widths = _WIDTHS[bold]
    return sum(widths.get(letter, _WIDEST) for letter in words) / 1000


def width(words: str, size: float, *, bold: bool = False, spacing: float = 0) -> float:
    """How long a text is at a size, with `spacing` (in multiples of the size) after each letter."""
    return size * (ems(words, bold) + spacing * len(words))


def fitted(
    words: str, size: float, room: float, *, bold: bool = False, spacing: float = 0
) -> float:
    """The size at which a text has room: the one wished for, or as much smaller as it must be."""
    needed = width(words, size, bold=bold, spacing=spacing)
    return size if needed <= room else size * room / needed


def line(
    words: str, x: float, y: float, size: float, *, cls: str = "", anchor: str = "",
    bold: bool = False, spacing: float = 0, plain: bool = False, held: bool = True,
) -> str:  # fmt: skip
    """One straight line of lettering; y is the baseline.

    `plain` leaves size, weight and anchor to the group around it; not `held`, it may run as wide
    as the platform's serif is.
    """
    head = "<text"
    if cls:
        head += f' class="{cls}"'
    head += f' x="{num(x)}" y="{num(y)}"'
    if not plain:
        if anchor:
            head += f' text-anchor="{anchor}"'
        head += f' font-size="{num(size)}"'
        if bold:
            head += ' font-weight="700"'
    if held:
        # the length alone spaces the letters: what sets a PDF counts a letter-spacing beside it twice
        length = width(words, size, bold=bold, spacing=spacing)
        adjust = "spacing" if spacing else "spacingAndGlyphs"
        head += f' textLength="{num(length)}" lengthAdjust="{adjust}"'
    elif spacing:
        head += f' letter-spacing="{num(spacing * size)}"'
    return f"{head}>{text_of(words)}</text>"


def on_arc(
    words: str, radius: float, size: float, *, id: str, cls: str, bold: bool = False,
    spacing: float = 0, center: float = 0,
) -> str:  # fmt: skip
    """Lettering on an arc, read from outside, its middle straight below its center.

    The words run from left to right as the players see them.
    """
    length = width(words, size, bold=bold, spacing=spacing)
    # the path is a little longer than the words so that no renderer drops the last letter
    half = min(length / radius / 2 * 1.04 + 0.02, pi * 0.98)
    path = f'<path id="{id}-arc" fill="none" d="{arc(radius, 90, half * 180 / pi, center)}"/>'
    weight = ' font-weight="700"' if bold else ""
    space = f' letter-spacing="{num(spacing * size)}"' if spacing else ""
    return (
        f'<defs>{path}</defs><text id="{id}" class="{cls}" text-anchor="middle" '
        f'font-size="{num(size)}"{weight}{space} textLength="{num(length)}" '
        f'lengthAdjust="spacingAndGlyphs"><textPath href="#{id}-arc" startOffset="50%">'
        f"{text_of(words)}</textPath></text>"
    )


def arc(radius: float, middle: float, half: float, center: float = 0) -> str:
    """The path of an arc from left to right, as the players see it."""
    (x1, y1), (x2, y2) = polar(radius, middle + half), polar(radius, middle - half)
    return (
        f"M{num(x1)} {num(y1 + center)}A{num(radius)} {num(radius)} 0 {int(half > 90)} 0 "
        f"{num(x2)} {num(y2 + center)}"
    )
