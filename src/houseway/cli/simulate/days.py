"""What `houseway simulate --days` shows: what tables win in a day, and how far that may vary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houseway.cli.output import QUIET, console, print_json
from houseway.cli.simulate.output import Asked
from houseway.money import dollars

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from houseway.simulate.counts import Ints
    from houseway.simulate.floor_day import Days


def show_days(ask: Asked, days: int, rounds: int) -> int:
    """What tables win in a day, and the band in which a hold report should lie."""
    from houseway.simulate.floor_day import Group, play_days

    group = Group(ask.plan.chapter, ask.plan, ask.tables, rounds)
    with ask.workers() as workers, ask.bar(days * ask.tables, "days of a table") as told:
        found = play_days(group, days, workers, told)
    _files(ask, found)
    wagered, rows = dollars(round(float(found.handle))), _bands(found)
    if ask.json:
        print_json(
            {
                "chapter": ask.plan.chapter,
                "seed": ask.plan.seed,
                "days": days,
                "rounds_per_table": rounds,
                "wagered_per_table": wagered,
                "confidence": "99%",
                "bands": rows,
            }
        )
        return 0
    out = console()
    out.print(
        f"[bold]{days:,} days[/], {rounds:,} rounds a table, {wagered} wagered at "
        f"each; seed {ask.plan.seed}"
    )
    out.print(bands(rows))
    few(out, days)
    return 0


def _bands(found: Days) -> list[dict[str, str]]:
    """The band of one table, and of all of them together."""
    tables, handle, mean = found.group.tables, float(found.handle), float(found.wins.mean())
    rows = [band_json("one table", found.wins[:, 0], handle, mean)]
    if tables > 1:
        every = found.wins.sum(axis=1)
        rows.append(band_json(f"all {tables} tables", every, handle * tables, mean * tables))
    return rows


def _files(ask: Asked, found: Days) -> None:
    from houseway.simulate import charts, files

    days = len(found.wins)
    if ask.parquet:
        columns = {
            "day": [day for day in range(days) for _ in range(ask.tables)],
            "table": list(range(1, ask.tables + 1)) * days,
            "win_cents": found.wins.ravel().tolist(),
        }
        files.write_parquet(ask.parquet, columns, ask.about())
    if ask.chart:
        amounts = (found.wins.sum(axis=1) / 100).tolist()
        mean = float(found.wins.mean())
        marks = {"mean": round(mean * ask.tables) / 100, "break even": 0.0}
        tables = f"{ask.tables} tables" if ask.tables > 1 else "one table"
        title = f"{ask.game}: {days:,} days of {tables}, {found.group.rounds:,} rounds each"
        charts.chart_distribution(
            ask.chart, title, amounts, marks, "the house's win in a day", "days"
        )


def band_json(name: str, wins: Ints, handle: float, mean: float) -> dict[str, str]:
    """Where the win of some tables, and their hold, lies on a day."""
    from houseway.simulate.floor_day import band

    low, high = band(wins)
    return {
        "tables": name,
        "mean_win": dollars(round(mean)),
        "low": dollars(low),
        "high": dollars(high),
        "hold_percent": f"{100 * mean / handle:.4f}",
        "hold_low_percent": f"{100 * low / handle:.4f}",
        "hold_high_percent": f"{100 * high / handle:.4f}",
        "losing_days": f"{float((wins < 0).mean()):.4f}",
    }


def bands(rows: list[dict[str, str]]) -> Table:
    """Bands as a table for people."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("")
    for name in ("mean win", "99% from", "to", "hold %", "from", "to", "losing days"):
        table.add_column(name, justify="right")
    for row in rows:
        cells = list(row.values())
        table.add_row(*cells[:-1], f"{100 * float(cells[-1]):.2f}%")
    return table


def few(out: Console, days: int) -> None:
    """Say what a band of a few days is worth."""
    if days < 200:
        out.print(f"of {days:,} days the band is the worst and the best", style=QUIET)
