"""An Excel workbook in memory: formats, columns, and formulas that carry their computed value."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from io import BytesIO
from typing import Any

import xlsxwriter
from xlsxwriter.format import Format
from xlsxwriter.utility import xl_rowcol_to_cell
from xlsxwriter.worksheet import Worksheet

#: a value of a cell: text, a number, an amount
Value = str | int | float | Fraction | None

_FORMATS: dict[str, dict[str, Any]] = {
    "text": {},
    "wrap": {"text_wrap": True, "valign": "top"},
    "title": {"bold": True, "font_size": 16, "font_name": "Georgia"},
    "heading": {"bold": True, "font_size": 12, "font_name": "Georgia", "font_color": "#0e6b45"},
    "header": {"bold": True, "bottom": 1, "text_wrap": True, "valign": "bottom"},
    "right": {"bold": True, "bottom": 1, "text_wrap": True, "valign": "bottom", "align": "right",
              "indent": 1},
    "quiet": {"font_color": "#707070"},
    "input": {"font_color": "#0000ff", "bg_color": "#fff9e5", "border": 1, "border_color": "#d8c68f"},
    "whole": {"num_format": "#,##0_)"},
    "number": {"num_format": "0.000000_)"},
    "long": {"num_format": "0.000000000000_)"},
    "probability": {"num_format": "0.000000000000_)"},
    "percent": {"num_format": "0.000000%_)"},
    "money": {"num_format": "$#,##0.00_)"},
    "money_input": {
        "num_format": "$#,##0.00", "font_color": "#0000ff", "bg_color": "#fff9e5",
        "border": 1, "border_color": "#d8c68f",
    },
    "total": {"num_format": "0.000000000000_)", "bold": True, "top": 1},
}  # fmt: skip
#: what a sheet's name must not contain, and how long it may be
_FORBIDDEN = str.maketrans(dict.fromkeys("[]:*?/\\'", " "))
_LONGEST = 31


class Book:
    """A workbook that is written to memory; the same content gives the same bytes."""

    def __init__(self, title: str, subject: str) -> None:
        self._buffer = BytesIO()
        self._book = xlsxwriter.Workbook(self._buffer, {"in_memory": True})
        self._formats: dict[str, Format] = {
            name: self._book.add_format(how) for name, how in _FORMATS.items()
        }
        self._names: set[str] = set()
        self._book.set_properties(
            {
                "title": title,
                "subject": subject,
                "author": "Houseway",
                "created": datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None),
            }
        )
        self._book.set_calc_mode("auto")

    def sheet(self, name: str) -> Page:
        """A new sheet; a name that Excel refuses is shortened or numbered."""
        wanted = " ".join(name.translate(_FORBIDDEN).split())[:_LONGEST] or "Sheet"
        chosen, number = wanted, 2
        while chosen.lower() in self._names:
            end = f" {number}"
            chosen, number = wanted[: _LONGEST - len(end)] + end, number + 1
        self._names.add(chosen.lower())
        return Page(self._book.add_worksheet(chosen), self._formats)

    def done(self) -> bytes:
        """The finished file."""
        self._book.close()
        return self._buffer.getvalue()


class Page:
    """One sheet, written from the top; rows and columns count from 0."""

    def __init__(self, sheet: Worksheet, formats: dict[str, Format]) -> None:
        self._sheet, self._formats = sheet, formats
        self.row = 0
        sheet.hide_gridlines(2)
        sheet.set_paper(1)  # US Letter
        sheet.fit_to_pages(1, 0)
        sheet.set_landscape()

    @property
    def name(self) -> str:
        return str(self._sheet.get_name())

    def widths(self, *widths: float) -> None:
        for column, width in enumerate(widths):
            self._sheet.set_column(column, column, width)

    def put(self, row: int, column: int, value: Value, style: str = "text") -> None:
        """Write a constant."""
        form = self._formats[style]
        if value is None or value == "":
            self._sheet.write_blank(row, column, None, form)
        elif isinstance(value, str):
            self._sheet.write_string(row, column, value, form)
        else:
            self._sheet.write_number(row, column, float(value), form)

    def paragraph(self, row: int, column: int, text: str, width: int) -> None:
        """Write text in a column of this width, in a row that is as tall as its lines need."""
        self.put(row, column, text, "wrap")
        self._sheet.set_row(row, 15 * max(1, -(-len(text) // width)))

    def formula(self, row: int, column: int, text: str, value: Value, style: str) -> None:
        """Write a formula with the value that it has now."""
        self._sheet.write_formula(
            row, column, text, self._formats[style], "" if value is None else _plain(value)
        )

    def line(self, *values: Value, style: str = "text") -> None:
        """Write a row and go to the next."""
        for column, value in enumerate(values):
            self.put(self.row, column, value, style)
        self.row += 1

    def header(self, names: Sequence[str], numbers: Container[int] = ()) -> None:
        """Write the names of columns; those of numbers stand at the right."""
        for column, name in enumerate(names):
            self.put(self.row, column, name, "right" if column in numbers else "header")
        self.row += 1

    def skip(self, rows: int = 1) -> None:
        self.row += rows

    def table(
        self, columns: Sequence[tuple[str, str]], rows: Iterable[Sequence[Value]]
    ) -> tuple[int, int]:
        """Write a table of constants, columns with their styles; its first and last row."""
        numbers = [at for at, (_, style) in enumerate(columns) if style != "text"]
        self.header([name for name, _ in columns], numbers)
        first = self.row
        for values in rows:
            for column, ((_, style), value) in enumerate(zip(columns, values, strict=True)):
                self.put(self.row, column, value, "text" if isinstance(value, str) else style)
            self.row += 1
        return first, self.row - 1

    def link(self, row: int, column: int, sheet: str, text: str) -> None:
        self._sheet.write_url(row, column, f"internal:'{sheet}'!A1", string=text)

    def freeze(self, row: int) -> None:
        self._sheet.freeze_panes(row, 0)


def cell(row: int, column: int) -> str:
    """The address of a cell, fixed: `$C$4`."""
    return str(xl_rowcol_to_cell(row, column, row_abs=True, col_abs=True))


def area(first: int, last: int, column: int) -> str:
    """The address of part of a column."""
    return f"{cell(first, column)}:{cell(last, column)}"


def _plain(value: Value) -> str | float:
    return value if isinstance(value, str) else float(value or 0)


def flattened(rules: dict[str, Any], show: Callable[[Any], str] = str) -> list[tuple[str, str]]:
    """Nested options as rows of dotted names and values."""
    rows: list[tuple[str, str]] = []
    for name, value in rules.items():
        if isinstance(value, dict):
            rows += [(f"{name}.{inner}", text) for inner, text in flattened(value, show)]
        else:
            rows.append((name, show(value)))
    return rows
