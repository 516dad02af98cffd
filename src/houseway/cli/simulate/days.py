"""What `houseway simulate --days` shows: what tables win in a day, and how far that may vary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from houseway.cli.simulate.output import Asked
from houseway.cli.terminal.output import QUIET, amount, console, print_table
from houseway.money import Cents, dollars

if TYPE_CHECKING:
    from rich.console import Console

    from houseway.simulate.kernels.counts import Ints
    from houseway.simulate.scenarios.floor_day import Days


def show_days(ask: Asked, days: int, rounds: int) -> int:
    """What tables win in a day, and the band in which a hold report should lie."""
    from houseway.simulate.scenarios.floor_day import Group, play_days

    group = Group(ask.plan.chapter, ask.plan, ask.tables, rounds)
    with ask.workers() as workers, ask.bar(days * ask.tables, "days of a table") as told:
        found = play_days(group, days, workers, told)
    _files(ask, found)
    wagered, rows = dollars(round(float(found.handle))), _bands(found)
    result = {
        "chapter": ask.plan.chapter,
        "seed": ask.plan.seed,
        "days": days,
        "rounds_per_table": rounds,
        "wagered_per_table": wagered,
        "confidence": "99%",
        "bands": rows,
    }
    if ask.answer(result):
        return 0
    out = console()
    out.print(
        f"[bold]{days:,} days[/], {rounds:,} rounds a table, {amount(wagered)} wagered at "
        f"each; seed {ask.plan.seed}"
    )
    print_bands(rows)
    few(out, days)
    return 0


def _bands(found: Days) -> list[dict[str, Any]]:
    """The band of one table, and of all of them together."""
    tables, handle, mean = found.group.tables, float(found.handle), float(found.wins.mean())
    rows = [band_json("one table", found.wins.ravel(), handle, mean)]
    if tables > 1:
        every = found.wins.sum(axis=1)
        rows.append(band_json(f"all {tables} tables", every, handle * tables, mean * tables))
    return rows


def _files(ask: Asked, found: Days) -> None:
    from houseway.simulate.results import charts
    from houseway.simulate.results import parquet as files

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


def band_json(name: str, wins: Ints, handle: float, mean: float) -> dict[str, Any]:
    """Where the win of some tables, and their hold, lies on a day."""
    from houseway.simulate.scenarios.floor_day import band, band_error

    low, high = band(wins)
    (low_from, low_to), (high_from, high_to) = band_error(wins)
    return {
        "tables": name,
        "mean_win": dollars(round(mean)),
        "low": dollars(low),
        "high": dollars(high),
        "hold_percent": f"{100 * mean / handle:.4f}",
        "hold_low_percent": f"{100 * low / handle:.4f}",
        "hold_high_percent": f"{100 * high / handle:.4f}",
        "losing_days": f"{float((wins < 0).mean()):.4f}",
        "low_from": _known(low_from),
        "low_to": _known(low_to),
        "high_from": _known(high_from),
        "high_to": _known(high_to),
        "days": len(wins),
    }


_SHOWN = (
    "tables", "mean_win", "low", "high", "hold_percent", "hold_low_percent", "hold_high_percent",
)  # fmt: skip


_AMOUNTS = ("mean_win", "low", "high")


def _known(bound: Cents | None) -> str:
    return "" if bound is None else dollars(bound)


def print_bands(rows: list[dict[str, Any]]) -> None:
    """Print bands as a table, and between what bounds each of them may lie."""
    print_table(
        ("", ">mean win", ">99% from", ">to", ">hold %", ">from", ">to", ">losing days"),
        [
            (
                *(amount(row[name]) if name in _AMOUNTS else row[name] for name in _SHOWN),
                f"{100 * float(row['losing_days']):.2f}%",
            )
            for row in rows
        ],
    )
    for row in rows:
        console().print(
            f"{row['tables']}: of {row['days']:,} days; with 99% confidence the band begins "
            f"{_between(row['low_from'], row['low_to'])} and ends "
            f"{_between(row['high_from'], row['high_to'])}",
            style=QUIET,
        )


def _between(low: str, high: str) -> str:
    """Where a bound lies; a side that too few days say nothing about is left out."""
    if low and high:
        return f"between {amount(low)} and {amount(high)}"
    if low or high:
        return f"at {amount(low)} or above" if low else f"at {amount(high)} or below"
    return "at an unknown amount"


def few(out: Console, days: int) -> None:
    """Say what a band of a few days is worth."""
    if days < 200:
        out.print(
            f"with only {days:,} days the band runs from the worst day to the best; simulate at least "
            "200 to see days as rare as 1 in 200",
            style=QUIET,
        )
