"""`houseway progressive …`: linked meters, their history, reconciled to the last fraction."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec
from cyclopts import App

from houseway.cli import progressive_acts
from houseway.cli.output import GOLD, QUIET, RED, console, print_json
from houseway.cli.record import Database, Flag, record
from houseway.money import cents, dollars
from houseway.refusal import Refused

if TYPE_CHECKING:
    from houseway.floor.link_history import Point
    from houseway.floor.link_maths import Figures
    from houseway.floor.link_reconcile import Reconciled

app = App(
    name="progressive", help="Linked progressives: list, history, reconcile, and the floor's acts."
)
progressive_acts.register(app)


@app.command(name="list")
def list_(
    *,
    database: Database = None,
    stake: str | None = None,
    players: int = 1,
    pace: str | None = None,
    json: Flag = False,
) -> int:
    """Every link: what its meters show and hold, its tables, and the exact figures at this moment.

    Parameters
    ----------
    stake
        The wager the figures are for; the chapter's smallest by default.
    players
        Players at the table; envy depends on them.
    pace
        Wagers an hour over all tables; measured on the record by default.
    json
        The links as JSON, exact amounts in cents.
    """
    from houseway.floor.link_history import shown
    from houseway.floor.link_maths import figures
    from houseway.floor.linked_meters import links

    found: list[dict[str, Any]] = []
    asked = None if stake is None else cents(stake)
    with record(database) as log:
        for link in links(log):
            reading = link.read()
            one = msgspec.to_builtins(shown(reading))
            one["holds"] = {name: str(meter.holds) for name, meter in reading.meters.items()}
            one["reserves"] = {name: str(reading.reserve(name)) for name in reading.meters}
            one["wagered"] = dollars(reading.wagered)
            exact = figures(log, reading, stake=asked, players=players, wagers_an_hour=_pace(pace))
            one["figures"] = msgspec.to_builtins(exact)
            found.append(one)
            if not json:
                _link(one, exact)
    if json:
        print_json({"links": found})
    elif not found:
        console().print("no link is on this record")
    return 0


def _pace(text: str | None) -> Fraction | None:
    if text is None:
        return None
    if not text.isdecimal() or not int(text):
        raise Refused("not_a_number", f"{text!r} is not a number of wagers an hour", field="pace")
    return Fraction(int(text))


def _link(one: dict[str, Any], exact: Figures) -> None:
    from rich import box
    from rich.table import Table

    out = console()
    state = (
        f"[{RED}]shut down: {one['shut']}[/]"
        if one["shut"]
        else f"tables {', '.join(one['tables']) or 'none'}"
    )
    out.print(f"[bold]{one['link']}[/] {one['wager']}  {state}", soft_wrap=True)
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("meter")
    for name in ("shows", "one wager in", "fair at", "hours to a whole win"):
        table.add_column(name, justify="right")
    for meter in exact.meters:
        often = 1 / Fraction(meter.chance)
        table.add_row(
            meter.meter, f"[{GOLD}]${meter.shows}[/]", f"{round(often):,}",
            f"${meter.break_even_dollars}", meter.hours_to_whole or "not known",
        )  # fmt: skip
    out.print(table)
    pace = f", {exact.wagers_an_hour} wagers an hour" if exact.wagers_an_hour else ""
    out.print(
        f"[{QUIET}]${exact.stake} returns {exact.returns_percent}% with {exact.players}"
        f" player{'s' if exact.players != 1 else ''}{pace}[/]"
    )
    for win in one["wins"][:3]:
        out.print(
            f"[{QUIET}]{win['time']}  table {win['table']}, seat {win['seat']}:[/] ${win['amount']}"
        )


@app.command
def history(
    link: str,
    /,
    *,
    database: Database = None,
    points: int = 24,
    svg: str | None = None,
    json: Flag = False,
) -> int:
    """What was done to a link, and what its meters held through time.

    Parameters
    ----------
    link
        The link.
    points
        At so many moments, evenly from its opening to its last event.
    svg
        Write a chart of it to this file.
    json
        The history as JSON, exact amounts in cents.
    """
    from houseway.floor.link_history import acts
    from houseway.floor.link_history import points as held
    from houseway.floor.linked_meters import Link

    if not 2 <= points <= 10_000:
        raise Refused("not_a_number", "points are 2 to 10,000", field="points")
    with record(database) as log:
        Link(log, link).read()
        done, through = list(acts(log, link)), held(log, link, points)
    if svg is not None:
        _chart(svg, link, through)
    if json:
        print_json({"link": link, "acts": done, "points": through})
        return 0
    out = console()
    for act in done:
        out.print(f"[{QUIET}]{act.version:>5} {act.time}[/]  {act.says}", soft_wrap=True)
    for name in through[-1].holds:
        out.print(f"{name:32} {_line(through, name)}  ${through[-1].shows[name]}", soft_wrap=True)
    return 0


def _chart(path: str, link: str, points: Sequence[Point]) -> None:
    from pathlib import Path

    from houseway.documents.charts import through_time

    rows = [
        (name, [Fraction(point.holds[name]) / 100 for point in points]) for name in points[-1].holds
    ]
    says = f"What the meters of {link} held, at {len(points)} moments."
    drawn = through_time(link, says, (points[0].time, points[-1].time), rows)
    try:
        Path(path).write_text(drawn, "utf-8")
    except OSError as error:
        raise Refused("cannot_write", f"{path}: {error.strerror}") from None


def _line(points: Sequence[Point], name: str) -> str:
    """A meter through time, in one line of text."""
    amounts = [Fraction(point.holds[name]) for point in points]
    low, high = min(amounts), max(amounts)
    span = high - low or Fraction(1)
    return "".join("▁▂▃▄▅▆▇█"[int((amount - low) / span * 7)] for amount in amounts)


@app.command
def reconcile(link: str | None = None, /, *, database: Database = None, json: Flag = False) -> int:
    """Wagers x rate + seed - payments = meter, to the last fraction, or where it departs.

    Parameters
    ----------
    link
        The link; all of them by default.
    json
        The sums as JSON, in cents and exact.
    """
    from houseway.floor.link_reconcile import reconcile as reconciled
    from houseway.floor.linked_meters import links

    with record(database) as log:
        names = [link] if link is not None else [one.name for one in links(log)]
        found = [reconciled(log, name) for name in names]
    exact = all(one.exact for one in found)
    if json:
        print_json({"exact": exact, "links": found})
    else:
        for one in found:
            _sums(one)
        if not found:
            console().print("no link is on this record")
    return 0 if exact else 1


def _sums(one: Reconciled) -> None:
    out = console()
    for meter in one.meters:
        parts = [
            ("seed", meter.seed), (f"wagers {_dollars(meter.wagers)} x {meter.rate}", meter.contributed),
            ("resets", meter.resets), ("out of the reserve", meter.released),
            ("adjusted", meter.adjusted), ("moved", meter.moved), ("paid", f"-{meter.paid}"),
        ]  # fmt: skip
        out.print(f"[bold]{one.link}[/] {meter.meter}")
        for says, amount in parts:
            if amount not in ("0", "-0"):
                out.print(f"  {says:40} {_dollars(amount):>24}")
        out.print(f"  {'comes to':40} {_dollars(meter.comes_to):>24}")
        out.print(f"  {'the meter holds':40} {_dollars(meter.holds):>24}")
    for fault in one.departs:
        where = f"{fault.stream}, event {fault.version}"
        out.print(f"[{RED}]departs[/] {where}: {fault.says}", soft_wrap=True)
    if one.exact:
        out.print(f"[{GOLD}]exact[/]")


def _dollars(amount: str) -> str:
    """Exact cents as dollars, with what is left of a cent as a fraction."""
    value = Fraction(amount)
    whole = abs(value).numerator // abs(value).denominator
    rest = abs(value) - whole
    return f"{'-' if value < 0 else ''}{dollars(whole)}{f' {rest}' if rest else ''}"
