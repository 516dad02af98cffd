"""The few lines of SVG that everything is written with.

Numbers are rounded to a tenth, attributes stand in the order given, nothing depends on a clock or
the order of a dictionary: the same picture is the same bytes.
"""

from __future__ import annotations

from html import escape

NAMESPACE = "http://www.w3.org/2000/svg"


def num(value: float) -> str:
    """A length without a tail: 12, 12.5, -0.3."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def text_of(words: str) -> str:
    """Words as they may stand in SVG."""
    return escape(words, quote=False)


def attr(words: str) -> str:
    """Words as they may stand in a quoted attribute."""
    return escape(words, quote=True)


def group(
    inside: str, *, id: str = "", cls: str = "", title: str = "", turn: str = "", whole: bool = True
) -> str:
    """A `<g>` with what a page needs to find it and a reader to name it.

    A `whole` is read out by its title alone; otherwise what is inside is read too.
    """
    head = "<g"
    if id:
        head += f' id="{id}"'
    if cls:
        head += f' class="{cls}"'
    if turn:
        head += f' transform="{turn}"'
    if title:
        role = ' role="img"' if whole else ""
        return f"{head}{role}><title>{text_of(title)}</title>{inside}</g>"
    return f"{head}>{inside}</g>"


def rotated(x: float, y: float, angle: float = 0) -> str:
    """A transform that puts the origin at x, y and turns it."""
    place = f"translate({num(x)} {num(y)})" if x or y else ""
    return f"{place}rotate({num(angle)})" if angle else place


def picture(
    width: float, height: float, inside: str, *, title: str, left: float = 0, top: float = 0,
    size: str = "", cls: str = "", id: str = "",
) -> str:  # fmt: skip
    """A whole SVG; `size` are its width and height on paper, where it has any."""
    name = f' id="{id}"' if id else ""
    kind = f' class="{cls}"' if cls else ""
    return (
        f'<svg xmlns="{NAMESPACE}"{name}{kind} viewBox="{num(left)} {num(top)} {num(width)} '
        f'{num(height)}"{size} role="group"><title>{text_of(title)}</title>{inside}</svg>'
    )
