"""`houseway audit report`: drop, win and hold beside the exact expectation."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec

from houseway.cli.output import QUIET, RED, console, plain, print_json, print_table
from houseway.cli.record_options import Database, Flag, searchable
from houseway.money import dollars

if TYPE_CHECKING:
    from houseway.floor.audit.report import WagerReport


def report(
    *,
    database: Database = None,
    day: str | None = None,
    table: str | None = None,
    json: Flag = False,
) -> int:
    """Drop, win and hold by table and wager beside the exact expectation: day, month, year.

    Parameters
    ----------
    day
        The gaming day; the last one on record by default.
    table
        Only this table.
    json
        The report as JSON, amounts in dollars, the exact expectation as a fraction of them.
    """
    from houseway.cli.precompute import count
    from houseway.floor.audit.expected_hold import rules_of
    from houseway.floor.audit.report import last_day
    from houseway.floor.audit.report import report as reported

    with searchable(database) as (_, found):
        if not found.rows("select 1 from rounds union all select 1 from inventory limit 1"):
            return _nothing(json=json)
        for row in found.rows("select chapter, edition, file, edition_hash from rules"):
            count(row["chapter"], rules=rules_of(**row))
        made = reported(found, day or last_day(found), table)
    if json:
        print_json(_out(made))
    else:
        for name in ("day", "month", "year"):
            _report(name, made["day"], made["today" if name == "day" else name])
        console().print(
            f"[{QUIET}]From … to is 95% of what chance gives; off by is in standard deviations;"
            f" a table holds its win of its drop. {made['says']}[/]"
        )
    return 0


def _nothing(*, json: bool) -> int:
    says = "no round has been played on this record"
    if json:
        print_json({"day": None, "says": says})
    else:
        console().print(says)
    return 0


def _out(made: dict[str, Any]) -> dict[str, Any]:
    """The report as JSON has it: cents are an affair of the inside."""
    found = msgspec.to_builtins(made)
    for part in (found[name] for name in ("today", "month", "year")):
        for row in (*part["tables"], *part["wagers"]):
            for name in _MONEY & row.keys():
                row[name] = dollars(int(row[name]))
            if "expected" in row:
                row["expected"] = str(Fraction(row["expected"]) / 100)
    return dict(found)


_MONEY = {
    "wagered", "win", "from_meters", "low", "high", "drop", "fills", "credits", "corrections",
    "difference",
}  # fmt: skip
#: from so many places on every column has room, and a mark its odds too
_WIDE, _WIDEST = 104, 120
_NAMES = {"ante_play": "ante and play"}


def _mark(one: WagerReport, width: int) -> str:
    if not one.unusual:
        return ""
    odds = f", ≤ 1 in {one.at_most_once_in:,}" if width >= _WIDEST else ""
    return f"[{RED}]{'unusual' if width >= _WIDE else '!'}[/]{odds}"


def _report(name: str, day: str, part: dict[str, Any]) -> None:
    title = {"day": f"gaming day {day}", "month": "month to date", "year": "year to date"}[name]
    wagers = part["wagers"]
    columns = {
        "table": [plain(one.table) for one in wagers],
        "wager": [_NAMES.get(one.wager, one.wager.replace("_", " ")) for one in wagers],
        ">made": [f"{one.rounds:,}" for one in wagers],
        ">wagered": [dollars(one.wagered) for one in wagers],
        ">win": [dollars(one.win) for one in wagers],
        ">by meters": [dollars(one.from_meters) if one.from_meters else "" for one in wagers],
        ">hold %": [one.hold_percent for one in wagers],
        ">exact %": [one.expected_percent for one in wagers],
        ">from": [dollars(int(one.low)) if one.low else "" for one in wagers],
        ">to": [dollars(int(one.high)) if one.high else "" for one in wagers],
        ">off by": [one.deviations for one in wagers],
        "": [_mark(one, console().width) for one in wagers],
    }
    if not any(columns[">by meters"]):
        del columns[">by meters"]
    if console().width < _WIDE:
        # what a narrow terminal has no room for is in the JSON
        del columns[">made"], columns[">wagered"]
    print_table(columns, zip(*columns.values(), strict=True), title=title)
    print_table(
        ("table", ">rounds", ">drop", ">fills", ">credits", ">corrected", ">win", ">hold %", ">tray off by"),
        [
            (
                plain(one.table), f"{one.rounds:,}",
                *map(dollars, (one.drop, one.fills, one.credits, one.corrections, one.win)),
                one.hold_percent, dollars(one.difference) if one.difference else "",
            )
            for one in part["tables"]
        ],
    )  # fmt: skip
