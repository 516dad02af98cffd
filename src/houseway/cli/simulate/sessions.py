"""What `houseway simulate --sessions` shows: how one player's sessions end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from houseway.cli.simulate.output import Asked
from houseway.cli.terminal.output import QUIET, amount, console, print_table
from houseway.money import Cents, dollars, spoken

if TYPE_CHECKING:
    from houseway.simulate.scenarios.sessions import Sessions

SHARES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
_NAMES = tuple(f"{share:.0%}" for share in SHARES)


def show_sessions(ask: Asked, count: int, rounds: int, bankroll: Cents, stake_plan: str) -> int:
    """Risk of ruin, the chance to be ahead, and how a session ends."""
    from houseway.simulate.scenarios.sessions import play_sessions

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
    _files(ask, found)
    if not ask.answer(_json(ask, found, stake_plan)):
        _show(ask, found, stake_plan)
    return 0


def _files(ask: Asked, found: Sessions) -> None:
    from houseway.simulate.results import charts
    from houseway.simulate.results import parquet as files

    if ask.parquet:
        names = ("net_cents", "drawdown_cents", "rounds", "ruined")
        columns = dict(zip(names, found.rows.T.tolist(), strict=True))
        files.write_parquet(ask.parquet, columns, ask.about())
    if ask.chart:
        (median,) = found.quantiles(0, (0.5,))
        marks = {"bankroll gone": -found.bankroll / 100, "median": median / 100}
        title = (
            f"{ask.game}: {found.count:,} sessions of {found.rounds:,} rounds "
            f"with {spoken(found.bankroll)}"
        )
        amounts = (found.rows[:, 0] / 100).tolist()
        charts.chart_distribution(
            ask.chart, title, amounts, marks, "a session's net result", "sessions"
        )


def _json(ask: Asked, found: Sessions, stake_plan: str) -> dict[str, Any]:
    return {
        "chapter": ask.plan.chapter,
        "seed": ask.plan.seed,
        "strategy": ask.plan.strategy,
        "sessions": found.count,
        "rounds": found.rounds,
        "bankroll": dollars(found.bankroll),
        "stake_plan": stake_plan,
        "risk_of_ruin": _chance(found.ruin),
        "chance_ahead": _chance(found.ahead),
        "mean_net": _mean(found),
        "net": dict(zip(_NAMES, _quantiles(found, 0), strict=True)),
        "drawdown": dict(zip(_NAMES, _quantiles(found, 1), strict=True)),
    }


def _show(ask: Asked, found: Sessions, stake_plan: str) -> None:
    out = console()
    out.print(
        f"[bold]{found.count:,} sessions[/] of {found.rounds:,} rounds with "
        f"{spoken(found.bankroll)}, {stake_plan}; seed {ask.plan.seed}"
    )
    for name, (p, low, high) in (("risk of ruin", found.ruin), ("ahead at the end", found.ahead)):
        out.print(f"{name}: {p:.2%} [{QUIET}](99% interval {low:.2%} to {high:.2%})")
    print_table(
        ("", *(f">{name}" for name in _NAMES)),
        [
            (name, *map(amount, _quantiles(found, column)))
            for column, name in enumerate(("net", "maximum drawdown"))
        ],
    )
    out.print(f"mean net {amount(_mean(found))} [{QUIET}](± {amount(_error(found))}, 99%)")


def _quantiles(found: Sessions, column: int) -> list[str]:
    return [dollars(amount) for amount in found.quantiles(column, SHARES)]


def _mean(found: Sessions) -> str:
    return dollars(round(float(found.rows[:, 0].mean())))


def _error(found: Sessions) -> str:
    """Half of the 99% interval of the mean."""
    from houseway.simulate.results.report import Z

    deviation = float(found.rows[:, 0].std(ddof=1)) if found.count > 1 else 0.0
    return dollars(round(Z * deviation / found.count**0.5))


def _chance(found: tuple[float, float, float]) -> dict[str, str]:
    return dict(zip(("share", "low", "high"), (f"{part:.6f}" for part in found), strict=True))
