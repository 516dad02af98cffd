"""`houseway audit report`: drop, win and hold beside the exact expectation."""

from __future__ import annotations

from typing import Any

from houseway.cli.output import QUIET, RED, console, print_json
from houseway.cli.record import Database, Flag, searchable
from houseway.money import dollars


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
        The report as JSON, amounts in cents.
    """
    from houseway.cli.counting import count
    from houseway.floor.report import last_day
    from houseway.floor.report import report as reported
    from houseway.floor.theory import rules_of

    with searchable(database) as (_, found):
        for row in found.rows("select chapter, edition, file from rules"):
            count(row["chapter"], rules=rules_of(**row))
        made = reported(found, day or last_day(found), table)
    if json:
        print_json(made)
    else:
        for name in ("day", "month", "year"):
            _report(name, made["day"], made["today" if name == "day" else name])
        console().print(
            f"[{QUIET}]From … to is 95% of what chance gives; off by is in standard deviations."
            f" {made['says']}[/]"
        )
    return 0


def _report(name: str, day: str, part: dict[str, Any]) -> None:
    from rich import box
    from rich.table import Table

    title = {"day": f"gaming day {day}", "month": "month to date", "year": "year to date"}[name]
    table = Table(box=box.SIMPLE_HEAD, title=title, title_style="bold", padding=(0, 1))
    table.add_column("table", no_wrap=True)
    table.add_column("wager", no_wrap=True)
    numbers = ["made", "wagered", "win", "hold %", "exact %", "from", "to", "off by"]
    metered = any(one.from_meters for one in part["wagers"])
    if metered:
        numbers.insert(3, "meters")
    for column in numbers:
        table.add_column(column, justify="right", no_wrap=True)
    for one in part["wagers"]:
        mark = f"[{RED}]{one.deviations} unusual[/]" if one.unusual else one.deviations
        bounds = [dollars(int(bound)) if bound else "" for bound in (one.low, one.high)]
        paid = [dollars(one.from_meters) if one.from_meters else ""] if metered else []
        table.add_row(
            one.table, one.wager.replace("_", " "), str(one.rounds), dollars(one.wagered),
            dollars(one.win), *paid, one.hold_percent, one.expected_percent, *bounds, mark,
        )  # fmt: skip
    out = console()
    out.print(table)
    for one in part["tables"]:
        hold = f", hold {one.hold_percent}% of the drop" if one.hold_percent else ""
        off = f", tray off by {dollars(one.difference)}" if one.difference else ""
        out.print(
            f"table {one.table}: {one.rounds:,} rounds, drop {dollars(one.drop)},"
            f" fills {dollars(one.fills)}, credits {dollars(one.credits)},"
            f" win {dollars(one.win)}{hold}{off}",
            soft_wrap=True,
        )
