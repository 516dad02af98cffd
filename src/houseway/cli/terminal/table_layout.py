"""Tables laid out for a console of any width, without ever cutting a cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

#: the least width that prose is worth reading in
_PROSE = 24
#: the least width of a column of text that is broken between words
_TEXT = 12


@dataclass(frozen=True)
class _Layout:
    indent: int
    gap: int
    broken_headings: bool = True
    prose_below: bool = False
    broken_text: bool = False
    """Whether text, such as a name, may be broken between words; numbers never are."""


#: from the widest to the narrowest
_LAYOUTS = (
    _Layout(2, 3, broken_headings=False), _Layout(2, 2, broken_headings=False), _Layout(1, 2),
    _Layout(0, 1), _Layout(2, 3, prose_below=True), _Layout(0, 2, prose_below=True),
    _Layout(0, 1, prose_below=True), _Layout(1, 2, broken_text=True),
    _Layout(0, 1, broken_text=True), _Layout(0, 1, broken_text=True, prose_below=True),
)  # fmt: skip


@dataclass
class _Column:
    name: str
    right: bool
    prose: bool
    cells: list[list[Text]]
    """The lines of each cell."""

    @property
    def widest(self) -> int:
        return max((line.cell_len for cell in self.cells for line in cell), default=0)

    @property
    def longest_word(self) -> int:
        words = (word for cell in self.cells for line in cell for word in line.plain.split())
        return max(map(len, words), default=0)

    def heading(self, width: int, *, broken: bool) -> list[str]:
        if not broken:
            return [self.name]
        lines: list[str] = []
        for word in self.name.split():
            if lines and len(lines[-1]) + 1 + len(word) <= width:
                lines[-1] += f" {word}"
            else:
                lines.append(word)
        return lines or [""]


@dataclass(frozen=True)
class _Fit:
    layout: _Layout
    widths: list[int]
    inline: list[_Column]
    below: list[_Column]


def table_lines(
    names: list[str], rows: Sequence[Sequence[str] | None], out: Console
) -> Iterator[Text]:
    """The lines of a table: see `houseway.cli.terminal.output.print_table`."""
    columns = _columns(names, [row for row in rows if row is not None])
    if not columns:
        return
    fit = next((fit for one in _LAYOUTS if (fit := _fitted(columns, out.width, one))), None)
    if fit is None:
        yield from _stacked(columns, rows, out)
        return
    yield from _head(fit)
    number = 0
    for row in rows:
        if row is None:
            yield Text()
            continue
        yield from _row(fit, number, out)
        number += 1


def _columns(names: list[str], rows: Sequence[Sequence[str]]) -> list[_Column]:
    columns = []
    for place, name in enumerate(names):
        cells = [list(Text.from_markup(row[place]).split("\n", allow_blank=True)) for row in rows]
        column = _Column(name.lstrip(">~"), name.startswith(">"), name.startswith("~"), cells)
        if column.widest:
            columns.append(column)
    return columns


def _fitted(columns: list[_Column], width: int, layout: _Layout) -> _Fit | None:
    """The widths of the columns in a layout, or None where they do not fit."""
    below = [column for column in columns if column.prose] if layout.prose_below else []
    inline = [column for column in columns if column not in below]
    if layout.prose_below and not (below and inline):
        return None
    widths = [_least(column, layout) for column in inline]
    room = width - layout.indent - layout.gap * (len(inline) - 1) - sum(widths)
    if room < 0:
        return None
    for place, column in enumerate(inline):  # what is left goes to the text that was narrowed
        more = min(room, max(0, column.widest - widths[place]))
        widths[place] += more
        room -= more
    return _Fit(layout, widths, inline, below)


def _least(column: _Column, layout: _Layout) -> int:
    words = column.name.split() if layout.broken_headings else [column.name]
    heading = max(map(len, words), default=0)
    if column.prose:
        return max(column.longest_word, heading, min(column.widest, _PROSE))
    if layout.broken_text and not column.right:
        return max(column.longest_word, heading, min(column.widest, _TEXT))
    return max(column.widest, heading)


def _head(fit: _Fit) -> Iterator[Text]:
    headings = [
        column.heading(width, broken=fit.layout.broken_headings)
        for column, width in zip(fit.inline, fit.widths, strict=True)
    ]
    deep = max(map(len, headings))
    for line in range(deep):
        cells = [
            Text(heading[line - deep + len(heading)] if line >= deep - len(heading) else "", "bold")
            for heading in headings
        ]
        yield _joined(fit, cells)
    whole = sum(fit.widths) + fit.layout.gap * (len(fit.widths) - 1)
    yield Text(" " * fit.layout.indent + "─" * whole, "dim")


def _row(fit: _Fit, number: int, out: Console) -> Iterator[Text]:
    cells = [
        column.cells[number] if column.right else wrapped(column.cells[number], width, out)
        for column, width in zip(fit.inline, fit.widths, strict=True)
    ]
    for line in range(max(map(len, cells))):
        yield _joined(fit, [cell[line] if line < len(cell) else Text() for cell in cells])
    for column in fit.below:
        indent = fit.layout.indent + 2
        for text in wrapped(column.cells[number], out.width - indent, out):
            if text.plain:
                yield Text(" " * indent) + text


def _joined(fit: _Fit, cells: list[Text]) -> Text:
    line = Text(" " * fit.layout.indent)
    for place, (column, width, cell) in enumerate(zip(fit.inline, fit.widths, cells, strict=True)):
        if place:
            line.append(" " * fit.layout.gap)
        space = " " * (width - cell.cell_len)
        line.append_text(Text(space) + cell if column.right else cell + Text(space))
    line.rstrip()
    return line


def wrapped(lines: list[Text], width: int, out: Console) -> list[Text]:
    """Lines no wider than this, broken between words, or as wide as their longest word."""
    found: list[Text] = []
    for line in lines:
        width = max(width, *map(len, line.plain.split()), 1)
        found.extend(line.wrap(out, width))
    for text in found:
        text.rstrip()
    return found


def _stacked(
    columns: list[_Column], rows: Sequence[Sequence[str] | None], out: Console
) -> Iterator[Text]:
    """Each row as a list: the first of its cells, then a line with name and value for each other."""
    wide = max(len(column.name) for column in columns)
    number = 0
    for row in rows:
        if row is None:
            continue
        if number:
            yield Text()
        filled = [column for column in columns if any(line.plain for line in column.cells[number])]
        for place, column in enumerate(filled):
            name = Text() if not place else Text(f"  {column.name:{wide}}  ", "dim")
            room = out.width - name.cell_len
            for text in wrapped(column.cells[number], room, out):
                yield name + text
                name = Text(" " * name.cell_len)
        number += 1
