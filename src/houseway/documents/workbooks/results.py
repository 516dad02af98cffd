"""Results as workbooks: simulations, hold reports and comparisons, as their JSON has them.

Each list of the JSON is a sheet, everything else is on the first one. A column that follows from
others is a formula.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from houseway.documents.workbooks.book import Book, Page, Value, cell, flattened

#: standard errors on either side of an estimate that make a 99% interval
_NINETY_NINE = "2.5758293035489004"


@dataclass(frozen=True)
class Column:
    """A column that is a formula: `{name}` in it is the cell of that column in the same row."""

    name: str
    formula: str
    style: str = "long"


#: simulated wagers, per unit of the stake
ESTIMATES = (
    Column("low", f"={{mean}}-{_NINETY_NINE}*{{standard_error}}"),
    Column("high", f"={{mean}}+{_NINETY_NINE}*{{standard_error}}"),
    Column("z", '=IF({exact}="","",({mean}-{exact})/{standard_error})'),
)
#: wagers of a hold report, in dollars: what meters paid was paid to players too
HOLDS = (
    Column("hold", '=IF({wagered}=0,"",({win}-{from_meters})/{wagered})', "percent"),
    Column(
        "expected hold", '=IF(OR({wagered}=0,{expected}=""),"",{expected}/{wagered})', "percent"
    ),
    Column("above expected", '=IF({expected}="","",{win}-{from_meters}-{expected})', "money"),
)
TABLE_HOLDS = (Column("hold", '=IF({drop}=0,"",{win}/{drop})', "percent"),)
#: holds of two submissions
HOLD_CHANGES = (Column("change", '=IF(OR({old}="",{new}=""),"",{new}-{old})', "percent"),)

_MONEY = frozenset(
    ("wagered", "win", "from_meters", "low", "high", "drop", "fills", "credits", "corrections",
     "difference", "expected", "stake", "net_per_round", "staked", "takes", "mean_paid", "most_paid",
     "paid_in_part", "contributed", "shows", "mean_win", "mean_net", "above expected")
)  # fmt: skip
#: columns that name things, even by a number
_NAMES = frozenset(("table", "wager", "meter", "field", "clause", "seed", "chapter", "link"))


#: the width of what is said about the results, in characters
_WIDE = 80


def results_workbook(
    title: str,
    subject: str,
    about: Mapping[str, Any],
    tables: Mapping[str, tuple[Sequence[Mapping[str, Any]], Sequence[Column]]],
    *,
    money: bool = False,
) -> bytes:
    """A workbook of a first sheet `about` the results and a sheet for each table.

    A row's numbers may be text, as JSON has exact ones. `money` says that amounts are in dollars.
    """
    book = Book(title, subject)
    page = book.sheet("Summary")
    page.widths(34, _WIDE)
    page.line(title, style="title")
    page.line(subject, style="quiet")
    page.skip()
    for name, value in flattened(dict(about), _shown):
        page.put(page.row, 0, name.removeprefix("rules.").replace("_", " ").replace(".", ", "))
        page.paragraph(page.row, 1, value, _WIDE)
        page.row += 1
    for name, (rows, formulas) in tables.items():
        if rows:
            _table(book.sheet(name[:1].upper() + name[1:].replace("_", " ")), rows, formulas, money)
    return book.done()


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(_shown, value))
    return "" if value is None else str(value)


def _table(
    page: Page, rows: Sequence[Mapping[str, Any]], formulas: Sequence[Column], money: bool
) -> None:
    names = list(dict.fromkeys(name for row in rows for name in row))
    made = {one.name: one for one in formulas}
    names += [one.name for one in formulas if one.name not in names]
    place = {name: at for at, name in enumerate(names)}
    values = [{name: _value(row.get(name), text=name in _NAMES) for name in names} for row in rows]
    numbers = [
        at for name, at in place.items()
        if name in made or any(not isinstance(row[name], str | None) for row in values)
    ]  # fmt: skip
    page.widths(*(16 if at in numbers else 22 for at in range(len(names))))
    page.header([name.replace("_", " ") for name in names], numbers)
    page.freeze(page.row)
    for row in values:
        for name, at in place.items():
            value, one = row[name], made.get(name)
            if one is None:
                page.put(page.row, at, value, _style(name, value, money))
                continue
            text = one.formula
            for other, column in place.items():
                text = text.replace(f"{{{other}}}", cell(page.row, column))
            style = "money" if money and name in _MONEY else one.style
            page.formula(page.row, at, text, _evaluated(one.name, row, value), style)
        page.row += 1


def _value(given: Any, *, text: bool) -> Value:
    """A cell's value: exact numbers as text become numbers, names stay text."""
    if isinstance(given, bool) or given is None:
        return None if given is None else ("yes" if given else "no")
    if isinstance(given, int | float | Fraction):
        return given
    shown = _shown(given)
    try:
        return shown if text else Fraction(shown)
    except (ValueError, ZeroDivisionError):
        return shown


def _style(name: str, value: Value, money: bool) -> str:
    if value is None or isinstance(value, str):
        return "text"
    if money and name in _MONEY:
        return "money"
    return "whole" if isinstance(value, int) or Fraction(value).denominator == 1 else "long"


def _evaluated(name: str, row: Mapping[str, Value], given: Value) -> Value:
    """What a formula comes to now."""

    def number(column: str) -> Fraction | None:
        value = row.get(column)
        return None if value is None or isinstance(value, str) else Fraction(value)

    def share(part: Fraction | None, whole: Fraction | None) -> Fraction | None:
        return None if part is None or not whole else part / whole

    mean, error, exact = number("mean"), number("standard_error"), number("exact")
    held = (number("win") or Fraction(0)) - (number("from_meters") or Fraction(0))
    if name in ("low", "high") and mean is not None and error is not None:
        return mean + (1 if name == "high" else -1) * Fraction(_NINETY_NINE) * error
    if name == "z":
        return None if mean is None or exact is None else share(mean - exact, error)
    if name == "hold":
        return share(held, number("wagered") or number("drop"))
    if name == "expected hold":
        return share(number("expected"), number("wagered"))
    expected, old, new = number("expected"), number("old"), number("new")
    if name == "above expected":
        return None if expected is None else held - expected
    if name == "change":
        return None if old is None or new is None else new - old
    return given
