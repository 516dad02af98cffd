"""`houseway progressive …`: linked meters, their history, reconciled to the last fraction."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from cyclopts import App

from houseway.cli.progressive import actions as progressive_acts
from houseway.cli.record_options import Database, Flag, record
from houseway.cli.terminal.output import (
    GOLD,
    QUIET,
    RED,
    amount,
    console,
    plain,
    print_beside,
    print_json,
    print_table,
    read_amount,
    write_text,
)
from houseway.errors import Refused
from houseway.law.meter_terms import percent
from houseway.money import exactly

if TYPE_CHECKING:
    from houseway.floor.links.figures import Figures
    from houseway.floor.links.history import Point
    from houseway.floor.links.reconcile import Reconciled

app = App(name="progressive", help="Show, reconcile and change linked progressives.")
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
    """List every link and every table with its own meters, with exact figures.

    Parameters
    ----------
    stake
        The wager the figures are for; the chapter's smallest by default.
    players
        Players at the table, 1 to 7; envy depends on them.
    pace
        Wagers an hour over all tables; measured on the record by default.
    json
        As JSON, exact amounts in cents.
    """
    from houseway.floor.links.list import listed

    if not 1 <= players <= 7:
        raise Refused("not_a_number", "players must be 1 to 7", field="players")
    asked = None if stake is None else read_amount(stake, "stake")
    with record(database) as log:
        found = listed(log, stake=asked, players=players, wagers_an_hour=_pace(pace))
    if json:
        print_json(found)
        return 0
    for link in found.links:
        state = (
            f"[{RED}]shut down: {plain(link.shut)}[/]"
            if link.shut
            else f"tables {plain(', '.join(link.tables) or 'none')}"
        )
        _figures(link.link, link.wager, state, link.figures)
        for win in link.wins[:3]:
            where = f"{win['time']}  table {plain(win['table'])}, seat {win['seat']}:"
            console().print(f"[{QUIET}]{where}[/] {amount(win['amount'])}")
    for table in found.tables:
        _figures(f"table {table.table}", table.wager, "meters of its own", table.figures)
    if not (found.links or found.tables):
        console().print("no link and no open table with a progressive meter on this record")
    return 0


def _pace(text: str | None) -> Fraction | None:
    if text is None:
        return None
    if not text.isdecimal() or not int(text):
        raise Refused("not_a_number", f"{text!r} is not a number of wagers an hour", field="pace")
    return Fraction(int(text))


def _figures(name: str, wager: str, state: str, exact: Figures) -> None:
    out = console()
    out.print(f"[bold]{plain(name)}[/] {wager}  {state}", soft_wrap=True)
    rows = []
    for meter in exact.meters:
        often = 1 / Fraction(meter.chance)
        rows.append((
            meter.meter, f"[{GOLD}]{amount(meter.shows)}[/]", f"{round(often):,}",
            "any amount" if meter.break_even == "0" else amount(meter.break_even_dollars),
            meter.hours_to_whole or "not known",
        ))  # fmt: skip
    print_table(
        ("meter", ">shows", ">one wager in", ">break-even", ">hours to a full payout"), rows
    )
    pace = f", {exact.wagers_an_hour} wagers an hour" if exact.wagers_an_hour else ""
    out.print(
        f"[{QUIET}]${exact.stake} returns {exact.returns_percent}% with {exact.players}"
        f" player{'s' if exact.players != 1 else ''}{pace}[/]"
    )


@app.command
def history(
    link: str | None = None,
    /,
    *,
    table: str | None = None,
    database: Database = None,
    points: int = 24,
    svg: str | None = None,
    json: Flag = False,
) -> int:
    """Show what was done to a link, and what meters held over time.

    Parameters ---------- link The link. table A table with meters of its own, instead of a link.
    points The number of moments, evenly spaced from its opening to its last event. svg Write a
    chart of it to this file. json The history as JSON, exact amounts in cents.
    """
    from houseway.floor.links.history import acts
    from houseway.floor.links.history import points as held
    from houseway.floor.links.list import History
    from houseway.floor.links.operations import Link
    from houseway.floor.links.own_meters import points_of_table

    if not 2 <= points <= 10_000:
        raise Refused("not_a_number", "points must be 2 to 10,000", field="points")
    with record(database) as log:
        if link is not None and table is None:
            Link(log, link).read()
            done, through = list(acts(log, link)), held(log, link, points)
        elif table is not None and link is None:
            done, through = [], points_of_table(log, table, points)
        else:
            raise Refused("which", "name a link, or a table with --table")
    if svg is not None:
        _chart(svg, link or f"table {table}", through, quiet=json)
    if json:
        print_json(History(link, table, tuple(done), tuple(through)))
        return 0
    out = console()
    for act in done:
        print_beside(out, f"[{QUIET}]{act.version:>5} {act.time}[/]  ", plain(act.says))
    wide = max(map(len, through[-1].holds))
    shows = {name: amount(text) for name, text in through[-1].shows.items()}
    most = max(map(len, shows.values()))
    for name, text in shows.items():
        out.print(f"{name:{wide}}  {_line(through, name)}  {text:>{most}}", soft_wrap=True)
    return 0


def _chart(path: str, link: str, points: Sequence[Point], *, quiet: bool) -> None:
    from houseway.documents.charts import through_time

    rows = [
        (name, [Fraction(point.holds[name]) / 100 for point in points]) for name in points[-1].holds
    ]
    says = f"What the meters of {link} held, at {len(points)} moments."
    drawn = through_time(link, says, (points[0].time, points[-1].time), rows)
    write_text(path, drawn, quiet=quiet)


def _line(points: Sequence[Point], name: str) -> str:
    """A meter through time, in one line of text."""
    amounts = [Fraction(point.holds[name]) for point in points]
    low, high = min(amounts), max(amounts)
    span = high - low or Fraction(1)
    return "".join("▁▂▃▄▅▆▇█"[int((amount - low) / span * 7)] for amount in amounts)


@app.command
def reconcile(
    link: str | None = None,
    /,
    *,
    table: str | None = None,
    database: Database = None,
    json: Flag = False,
) -> int:
    """Check that wagers x rate + seed - payments = meter, exactly.

    Parameters
    ----------
    link
        The link; all of them, and all tables with meters of their own, by default.
    table
        A table with meters of its own.
    json
        The sums as JSON, in cents and exact.
    """
    from houseway.floor.links.list import Sums
    from houseway.floor.links.operations import links
    from houseway.floor.links.own_meters import reconcile_table, tables_with_own_meters
    from houseway.floor.links.reconcile import reconcile as reconciled

    everything = link is None and table is None
    with record(database) as log:
        named = [one.name for one in links(log)] if everything else [link] if link else []
        alone = tables_with_own_meters(log) if everything else [table] if table else []
        of_links = tuple(reconciled(log, name) for name in named)
        of_tables = tuple(reconcile_table(log, name) for name in alone)
    found = (*of_links, *of_tables)
    exact = all(one.exact for one in found)
    if json:
        print_json(Sums(exact, of_links, of_tables))
    else:
        for one in found:
            _sums(one)
        if not found:
            console().print("no progressive meter on this record")
    return 0 if exact else 1


def _sums(one: Reconciled) -> None:
    out = console()
    for meter in one.meters:
        wagers = f"wagers {exactly(Fraction(meter.wagers))} x {percent(Fraction(meter.rate))}"
        parts = [
            ("seed", meter.seed), (wagers, meter.contributed), ("resets", meter.resets),
            ("out of the reserve", meter.released), ("adjusted", meter.adjusted),
            ("moved", meter.moved), ("paid", f"-{meter.paid}"),
        ]  # fmt: skip
        rows = [(says, amount) for says, amount in parts if amount not in ("0", "-0")]
        rows += [("comes to", meter.comes_to), ("the meter holds", meter.holds)]
        if meter.reserve != "0":
            rows.append(("in its reserve, not shown", meter.reserve))
        out.print(f"[bold]{one.link}[/] {meter.meter}")
        for says, exact in _aligned(rows):
            out.print(f"  {says:36} {exact}", soft_wrap=True)
    for fault in one.departs:
        where = f"{fault.stream}, event {fault.version}"
        out.print(f"[{RED}]differs[/] {plain(f'{where}: {fault.says}')}", soft_wrap=True)
    if one.exact:
        out.print(f"[{GOLD}]exact[/]")


def _aligned(rows: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Exact amounts under each other, on the decimal point."""
    shown = [(says, *exactly(Fraction(amount)).split(".")) for says, amount in rows]
    wide = max(len(whole) for _, whole, _ in shown)
    return [(says, f"{whole:>{wide}}.{rest}") for says, whole, rest in shown]
