"""`houseway audit report`: drop, win and hold beside the exact expectation."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec

from houseway.cli.record_options import Database, Flag, searchable
from houseway.cli.terminal.output import (
    QUIET,
    RED,
    amount,
    console,
    plain,
    print_json,
    print_table,
    write_bytes,
)
from houseway.money import dollars

if TYPE_CHECKING:
    from houseway.floor.audit.report import WagerReport


def report(
    *,
    database: Database = None,
    day: str | None = None,
    table: str | None = None,
    json: Flag = False,
    xlsx: str | None = None,
) -> int:
    """Report drop, win and hold by table and wager, with the exact expectation.

    Parameters
    ----------
    day
        The gaming day; the last one on record by default.
    table
        Only this table.
    json
        The report as JSON, amounts in dollars, the exact expectation as a fraction of them.
    xlsx
        Write the report as an Excel workbook to this file.
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
    if xlsx is not None:
        write_bytes(xlsx, _workbook(_out(made)), quiet=json)
    if json:
        print_json(_out(made))
    elif xlsx is None:
        for name in ("day", "month", "year"):
            _report(name, made["day"], made["today" if name == "day" else name])
        console().print(
            f"[{QUIET}]From … to: 95% of the results that chance gives. Off by: in standard "
            f"deviations. A table's hold is its win divided by its drop. {made['says']}[/]"
        )
    return 0


def _workbook(made: dict[str, Any]) -> bytes:
    from houseway.documents.workbooks.results import HOLDS, TABLE_HOLDS, results_workbook

    tables = {
        f"{period} by {what[:-1]}": (made[period][what], HOLDS if what == "wagers" else TABLE_HOLDS)
        for period in ("today", "month", "year")
        for what in ("wagers", "tables")
    }
    about = {"gaming day": made["day"], "how to read it": made["says"]}
    return results_workbook("Hold against theory", "audit report", about, tables, money=True)


def _nothing(*, json: bool) -> int:
    says = "no round has been played on this record"
    if json:
        print_json({"day": None, "says": says})
    else:
        console().print(says)
    return 0


def _out(made: dict[str, Any]) -> dict[str, Any]:
    """The report as JSON has it: amounts in dollars."""
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


def _mark(one: WagerReport) -> str:
    return f"[{RED}]unusual[/], ≤ 1 in {one.at_most_once_in:,}" if one.unusual else ""


def _amount(cents: int) -> str:
    return amount(dollars(cents))


def _report(name: str, day: str, part: dict[str, Any]) -> None:
    title = {"day": f"gaming day {day}", "month": "month to date", "year": "year to date"}[name]
    wagers = part["wagers"]
    columns = {
        "table": [plain(one.table) for one in wagers],
        "wager": [one.name for one in wagers],
        ">made": [f"{one.rounds:,}" for one in wagers],
        ">wagered": [_amount(one.wagered) for one in wagers],
        ">win": [_amount(one.win) for one in wagers],
        ">by meters": [_amount(one.from_meters) if one.from_meters else "" for one in wagers],
        ">hold %": [one.hold_percent for one in wagers],
        ">exact %": [one.expected_percent for one in wagers],
        ">from": [_amount(int(one.low)) if one.low else "" for one in wagers],
        ">to": [_amount(int(one.high)) if one.high else "" for one in wagers],
        ">off by": [one.deviations for one in wagers],
        "~note": [_mark(one) for one in wagers],
    }
    print_table(columns, zip(*columns.values(), strict=True), title=title)
    print_table(
        ("table", ">rounds", ">drop", ">fills", ">credits", ">corrected", ">win", ">hold %", ">tray off by"),
        [
            (
                plain(one.table), f"{one.rounds:,}",
                *map(_amount, (one.drop, one.fills, one.credits, one.corrections, one.win)),
                one.hold_percent, _amount(one.difference) if one.difference else "",
            )
            for one in part["tables"]
        ],
    )  # fmt: skip
