"""A picture as PDF or PNG, where the piece that sets documents is installed."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

from houseway.errors import Refused

FORMATS = ("svg", "pdf", "png")
#: a table on paper is a fifth of its size: it fits A3
SCALE = 5
_BOX = re.compile(r'viewBox="\S+ \S+ (\S+) (\S+)"(?: width="(\d+)mm" height="(\d+)mm")?')


def size_of(svg: str) -> tuple[float, float]:
    """Width and height of a picture on paper, in millimeters."""
    found = _BOX.search(svg)
    assert found is not None
    if found[3]:
        return float(found[3]), float(found[4])
    return float(found[1]) / SCALE, float(found[2]) / SCALE


def export(svg: str, format: str, *, ppi: float = 110) -> bytes:
    """The picture in a format: the SVG itself, a PDF page of its size, or a PNG."""
    if format not in FORMATS:
        raise Refused(
            "no_such_format",
            f"a picture is written as {', '.join(FORMATS)}, not {format or 'a file without an ending'}",
            field="out",
        )
    if format == "svg":
        return svg.encode()
    import typst

    width, height = size_of(svg)
    page = (
        f"#set page(width: {width}mm, height: {height}mm, margin: 0mm)\n"
        f'#image("picture.svg", width: {width}mm, height: {height}mm)\n'
    )
    with TemporaryDirectory() as folder:
        Path(folder, "picture.svg").write_text(svg, encoding="utf-8")
        source = Path(folder, "page.typ")
        source.write_text(page, encoding="utf-8")
        if format == "png":
            made = typst.compile(source, format="png", ppi=ppi)
        else:
            made = typst.compile(source, format="pdf")
    assert isinstance(made, bytes)
    return made
