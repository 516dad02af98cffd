"""What `houseway simulate` shows of sessions and of a floor's days."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houseway.cli.output import QUIET, console, print_json
from houseway.law import chapter
from houseway.money import Cents, dollars, spoken

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from houseway.cli.simulate.command import _Asked
    from houseway.simulate.counts import Ints

SHARES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


def show_sessions(ask: _Asked, count: int, rounds: int, bankroll: Cents, stake_plan: str) -> int:
    """Risk of ruin, the chance to be ahead, and how an evening ends."""
    from houseway.simulate import charts, files
    from houseway.simulate.sessions import play_sessions

    with ask.workers() as workers, ask.bar(count, "sessions") as told:
        found = play_sessions(
            ask.plan,
            sessions=count,
            rounds=rounds,
            bankroll=bankroll,
            stake_plan=stake_plan,
            workers=workers,
            progress=told,
        )
    nets, falls = found.quantiles(0, SHARES), found.quantiles(1, SHARES)
    names = [f"{share:.0%}" for share in SHARES]
    if ask.parquet:
        columns = dict(
            zip(
                ("net_cents", "drawdown_cents", "rounds", "ruined"),
                found.rows.T.tolist(),
                strict=True,
            )
        )
        files.write_parquet(ask.parquet, columns, {"houseway.plan": ask.plan.encode().decode()})
    if ask.chart:
        marks = {"bankroll gone": -bankroll / 100, "median": nets[3] / 100}
        title = f"{_game(ask)}: {count:,} sessions of {rounds:,} rounds with {spoken(bankroll)}"
        amounts = (found.rows[:, 0] / 100).tolist()
        charts.chart_distribution(
            ask.chart, title, amounts, marks, "a session's net result", "sessions"
        )
    mean = float(found.rows[:, 0].mean())
    if ask.json:
        print_json(
            {
                "chapter": ask.plan.chapter,
                "seed": ask.plan.seed,
                "strategy": ask.plan.strategy,
                "sessions": count,
                "rounds": rounds,
                "bankroll": dollars(bankroll),
                "stake_plan": stake_plan,
                "risk_of_ruin": _chance(found.ruin),
                "chance_ahead": _chance(found.ahead),
                "mean_net": dollars(round(mean)),
                "net": dict(zip(names, map(dollars, nets), strict=True)),
                "drawdown": dict(zip(names, map(dollars, falls), strict=True)),
            }
        )
        return 0
    out = console()
    out.print(
        f"[bold]{count:,} sessions[/] of {rounds:,} rounds with {spoken(bankroll)}, {stake_plan}; "
        f"seed {ask.plan.seed}"
    )
    for name, (p, low, high) in (("ruined", found.ruin), ("ahead at the end", found.ahead)):
        out.print(f"{name}: {p:.2%} [{QUIET}](99% interval {low:.2%} to {high:.2%})")
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("")
    for name in names:
        table.add_column(name, justify="right")
    table.add_row("net", *map(dollars, nets))
    table.add_row("deepest fall", *map(dollars, falls))
    out.print(table)
    out.print(f"mean net {dollars(round(mean))}")
    return 0


def _game(ask: _Asked) -> str:
    return chapter(ask.plan.chapter).about.game


def _chance(found: tuple[float, float, float]) -> dict[str, str]:
    return dict(zip(("share", "low", "high"), (f"{part:.6f}" for part in found), strict=True))


def show_days(ask: _Asked, days: int, rounds: int) -> int:
    """What tables win in a day, and the band in which a hold report should lie."""
    from houseway.simulate import charts, files
    from houseway.simulate.floor_day import Group, play_days

    group = Group(ask.plan.chapter, ask.plan, ask.tables, rounds)
    with ask.workers() as workers, ask.bar(days * ask.tables, "days of a table") as told:
        found = play_days(group, days, workers, told)
    handle = float(found.handle)
    mean = float(found.wins.mean())
    if ask.parquet:
        columns = {
            "day": [day for day in range(days) for _ in range(ask.tables)],
            "table": list(range(1, ask.tables + 1)) * days,
            "win_cents": found.wins.ravel().tolist(),
        }
        files.write_parquet(ask.parquet, columns, {"houseway.plan": ask.plan.encode().decode()})
    if ask.chart:
        amounts = (found.wins.sum(axis=1) / 100).tolist()
        marks = {"mean": round(mean * ask.tables) / 100, "break even": 0.0}
        tables = f"{ask.tables} tables" if ask.tables > 1 else "one table"
        title = f"{_game(ask)}: {days:,} days of {tables}, {rounds:,} rounds each"
        charts.chart_distribution(
            ask.chart, title, amounts, marks, "the house's win in a day", "days"
        )

    rows = [band_json("one table", found.wins[:, 0], handle, mean)]
    if ask.tables > 1:
        name, every = f"all {ask.tables} tables", found.wins.sum(axis=1)
        rows.append(band_json(name, every, handle * ask.tables, mean * ask.tables))
    if ask.json:
        print_json(
            {
                "chapter": ask.plan.chapter,
                "seed": ask.plan.seed,
                "days": days,
                "rounds_per_table": rounds,
                "wagered_per_table": dollars(round(handle)),
                "confidence": "99%",
                "bands": rows,
            }
        )
        return 0
    out = console()
    out.print(
        f"[bold]{days:,} days[/], {rounds:,} rounds a table, {dollars(round(handle))} wagered at "
        f"each; seed {ask.plan.seed}"
    )
    out.print(bands(rows))
    few(out, days)
    return 0


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
