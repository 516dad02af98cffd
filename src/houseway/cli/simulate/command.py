"""`houseway simulate`: rounds by the million beside the exact figures."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from houseway.cli.output import GOLD, QUIET, RED, console, print_json
from houseway.errors import Refused
from houseway.law import DOWN_UNDER, Rules, choose, read_rules
from houseway.money import cents, dollars

if TYPE_CHECKING:
    from houseway.simulate.plan import Plan
    from houseway.simulate.prepared import Playing
    from houseway.simulate.runner import Progress, Workers
    from houseway.simulate.tally import Tally


def simulate(
    chapter: str,
    /,
    *,
    rounds: str = "1000000",
    players: int = 1,
    seed: str = "1",
    rules: Path | None = None,
    wagers: str = "",
    strategy: str = "optimal",
    coupon: str = "",
    meter: Annotated[list[str] | None, Parameter(negative="")] = None,
    cover: int | None = None,
    insure: Annotated[bool, Parameter(negative="")] = False,
    until_se: float | None = None,
    checkpoint: Path | None = None,
    cores: int | None = None,
    cluster: str | None = None,
    covariance: Annotated[bool, Parameter(negative="")] = False,
    sessions: int | None = None,
    bankroll: str = "500.00",
    stake_plan: Literal["flat", "martingale", "paroli", "proportional"] = "flat",
    days: int | None = None,
    hours: float = 4,
    per_hour: int = 40,
    tables: int = 1,
    chart: Path | None = None,
    parquet: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Play rounds by the million beside the exact figures.

    Deals real rounds of CHAPTER with every seat and wager, estimates what each wager is worth, and
    says whether the exact figure is within. With --sessions one player's evenings are played; with
    --days whole days of a floor. A run depends on its seed and its number of rounds alone.

    Parameters
    ----------
    chapter
        Its id, as `houseway chapters` lists it; or a floor file (.toml), whose days are played.
    rounds
        How many rounds: 1000000, 10_000_000, 1e9, 20M.
    players
        Seats taken, all with the same wagers.
    seed
        Any text; the same seed plays the same rounds.
    rules
        A rules file; without one every default of the chapter.
    wagers
        What each player wagers: ante=10.00,pair_plus=5.00. By default everything that is offered.
    strategy
        optimal, a named alternative, a TOML file, or a function as file.py:name or module:name.
    coupon
        Massachusetts: a match play coupon beside a wager in every round: ante=10.00.
    meter
        What a meter shows: progressive=25000.00. By default its seed.
    cover
        Down Under: cards before the cover card; 0 deals every round from a fresh shoe.
    insure
        Down Under: always insure against an ace and take even money.
    until_se
        Stop at this standard error of the first wager, per unit staked.
    checkpoint
        Keep the run in this file and go on from it when it is there.
    cores
        Cores of this machine; all of them by default.
    cluster
        A Dask scheduler's address, or local to start one with two workers.
    covariance
        How the results of seats go together.
    sessions
        Play so many sessions of --hours each at --per-hour rounds.
    bankroll
        What a session starts with.
    stake_plan
        How stakes follow wins and losses.
    days
        Play so many days of --tables tables, --hours each.
    hours
        Hours of a session or a day.
    per_hour
        Rounds an hour at a table.
    tables
        Tables of a day, or linked to the meters of a run.
    chart
        Draw the results: a file that ends in .svg or .pdf.
    parquet
        Write every result with its count.
    json
        One JSON object instead of tables.
    """
    from houseway.simulate.plan import plan_of, read_wagers

    _check_numbers(until_se=until_se, hours=hours, per_hour=per_hour, tables=tables, days=days)
    _check_paths(chart=chart, parquet=parquet, checkpoint=checkpoint)
    if chapter.endswith(".toml"):
        from houseway.cli.simulate.floor import show_floor

        others = (rules, wagers, coupon, meter, cover, insure, until_se, checkpoint, sessions)
        if any(others) or covariance or (players, strategy, tables) != (1, "optimal", 1):
            raise Refused(
                "not_with_a_floor",
                "a floor file says itself who plays what: with it go --days, --seed, --cores, "
                "--cluster, --chart, --parquet and --json",
            )
        given = Output(cores, cluster, chart, parquet, json)
        return show_floor(given, Path(chapter), 1000 if days is None else days, seed)
    chosen = _rules(chapter, rules)
    plan = plan_of(
        chosen,
        players=players,
        wagers=read_wagers(wagers) or None,
        strategy=strategy,
        seed=seed,
        coupon=read_wagers(coupon, "coupon"),
        meters=read_wagers(",".join(meter or []), "meter"),
        cover=cover,
        insures=insure,
        covariance=covariance,
    )
    if sessions is not None and days is not None:
        raise Refused("one_at_a_time", "choose --sessions or --days", field="days")
    ask = _Asked(cores, cluster, chart, parquet, json, plan=plan, per_hour=per_hour, tables=tables)
    if sessions is not None:
        from houseway.cli.simulate.sessions import show_sessions

        try:
            money = cents(bankroll)
        except Refused as refusal:
            raise refusal.at(field="bankroll") from None
        return show_sessions(ask, sessions, round(hours * per_hour), money, stake_plan)
    if days is not None:
        from houseway.cli.simulate.sessions import show_days

        return show_days(ask, days, round(hours * per_hour))
    return _run(ask, _whole(rounds), until_se, checkpoint)


@dataclass(frozen=True)
class Output:
    """Who plays, and what becomes of the results."""

    cores: int | None
    cluster: str | None
    chart: Path | None
    parquet: Path | None
    json: bool

    @contextmanager
    def workers(self) -> Iterator[Workers]:
        """Threads of this machine, or a cluster; closed afterwards."""
        from houseway.simulate.runner import Threads, cores

        players: Workers
        if self.cluster is not None:
            from houseway.simulate.cluster import Cluster

            players = Cluster(self.cluster)
        else:
            if self.cores is not None and self.cores < 1:
                raise Refused("no_cores", "at least one core is needed", field="cores")
            players = Threads(self.cores or cores())
        try:
            yield players
        finally:
            players.close()

    @contextmanager
    def bar(self, count: int, what: str) -> Iterator[Callable[[int], None] | None]:
        """A live bar on standard error of a terminal, told how many are done."""
        if self.json or not sys.stderr.isatty():
            yield None
            return
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        bar = Bar(
            BarColumn(complete_style=GOLD),
            TextColumn("{task.completed:,.0f} of {task.total:,.0f} {task.description}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        with bar:
            task = bar.add_task(what, total=count)
            yield lambda done: bar.update(task, completed=done)


@dataclass(frozen=True, kw_only=True)
class _Asked(Output):
    """What every simulation of one chapter is asked with."""

    plan: Plan
    per_hour: int
    tables: int


def _check_numbers(**given: float | None) -> None:
    """Hours, tables and the like are above nothing, and there is an end to them."""
    for name, value in given.items():
        if value is not None and not 0 < value < inf:
            raise Refused(
                "not_a_number",
                f"this is a number above 0, not {value}",
                field=name.replace("_", "-"),
            )


def _check_paths(**given: Path | None) -> None:
    """Better now than after an hour's run."""
    for name, path in given.items():
        if path is None:
            continue
        if name == "chart" and path.suffix not in (".svg", ".pdf"):
            raise Refused("no_such_format", f"{path}: a chart is .svg or .pdf", field=name)
        if path.is_dir() or not os.access(path.parent, os.W_OK):
            why = "is a folder" if path.is_dir() else f"cannot be written in {path.parent}"
            raise Refused("cannot_write", f"{path} {why}", field=name)


def _rules(chapter: str, file: Path | None) -> Rules:
    if file is None:
        return choose(chapter)
    rules = read_rules(file)
    if rules.chapter.id != chapter:
        raise Refused("another_chapter", f"{file} has rules for {rules.chapter.id}, not {chapter}")
    return rules


def _whole(text: str) -> int:
    """1000000, 10_000_000, 1e9 or 20M as a number."""
    times = {"k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9}
    plain = text.strip().lower().replace(",", "").replace("_", "")
    factor = times.get(plain[-1:], 1)
    try:
        number = float(plain.rstrip("kmgb")) * factor
        if number == int(number) and number >= 1:
            return int(number)
    except (ValueError, OverflowError):
        pass
    raise Refused("not_a_number", f"{text!r} is not a number of rounds", field="rounds")


def _run(ask: _Asked, rounds: int, until_se: float | None, checkpoint: Path | None) -> int:
    from msgspec.structs import replace

    from houseway.simulate import report
    from houseway.simulate.prepared import playing

    game = playing(ask.plan.encode())
    with ask.workers() as workers:
        tally, seconds = _timed(ask, ask.plan, rounds, until_se, checkpoint, workers)
        result = report.result_json(
            game, tally, seconds=seconds, per_hour=ask.per_hour, tables=ask.tables
        )
        effect: list[report.CutCard] = []
        fresh: tuple[Playing, Tally] | None = None
        if ask.plan.chapter == DOWN_UNDER and game.table.cover:
            # mathematics knows fresh shoes; what the cover card changes is measured against them
            plan = replace(ask.plan, cover=0, seed=f"{ask.plan.seed} fresh")
            other = playing(plan.encode())
            beside = checkpoint.with_name(f"{checkpoint.name}.fresh") if checkpoint else None
            counts, _ = _timed(ask, plan, tally.rounds, None, beside, workers)
            fresh = (other, counts)
            effect = report.cut_card_effect(
                report.figures(game, tally), report.figures(other, counts)
            )
            result["fresh_shoes"] = report.result_json(other, counts)
            result["verdict"] = result["fresh_shoes"]["verdict"]
            result["cut_card_effect"] = [
                {
                    "wager": one.wager,
                    "effect": f"{one.effect:.8f}",
                    "standard_error": f"{one.error:.8f}",
                    "more_than_chance": one.shown,
                }
                for one in effect
            ]
    _files(ask, game, tally, fresh)
    if ask.json:
        print_json(result)
    else:
        _show(ask, game, tally, seconds, fresh, effect, result)
    return 0 if result["verdict"] == "within" else 1


def _timed(
    ask: _Asked,
    plan: Plan,
    rounds: int,
    until_se: float | None,
    checkpoint: Path | None,
    workers: Workers,
) -> tuple[Tally, float]:
    from houseway.simulate.prepared import warm
    from houseway.simulate.runner import run

    warm(plan)
    began = perf_counter()
    try:
        with _bar(ask, rounds) as told:
            tally = run(
                plan, rounds, workers=workers, until_se=until_se, checkpoint=checkpoint,
                progress=told,
            )  # fmt: skip
    except KeyboardInterrupt:
        says = f"the same command goes on from {checkpoint}" if checkpoint else "nothing was kept"
        raise KeyboardInterrupt(f"stopped; {says}") from None
    return tally, perf_counter() - began


@contextmanager
def _bar(ask: _Asked, rounds: int) -> Iterator[Any]:
    """A live bar with the rate and the first estimate, on standard error of a terminal."""
    if ask.json or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    from houseway.simulate.prepared import playing
    from houseway.simulate.report import figures, pooled

    game = playing(ask.plan.encode())
    bar = Bar(
        BarColumn(complete_style=GOLD),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} rounds"),
        TextColumn("{task.fields[rate]}"),
        TextColumn("{task.fields[first]}", style=QUIET),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task("", total=rounds, rate="", first="")

        def tell(now: Progress) -> None:
            row = pooled(figures(game, now.tally))[0]
            bar.update(
                task,
                completed=now.rounds,
                rate=f"{now.rounds / max(now.seconds, 1e-9) / 1e6:,.1f} M/s",
                first=f"{row.wager} {100 * row.mean:+.4f}% ± {100 * row.error:.4f}",
            )

        yield tell


def _files(ask: _Asked, game: Playing, tally: Tally, fresh: tuple[Playing, Tally] | None) -> None:
    from houseway.simulate import charts, files, report

    if ask.parquet:
        about = {"houseway.plan": ask.plan.encode().decode(), "houseway.rounds": str(tally.rounds)}
        files.write_parquet(ask.parquet, files.counted(game, tally), about)
    if ask.chart:
        rows = report.pooled(report.figures(game, tally))
        known = report.pooled(report.figures(*fresh)) if fresh else rows
        ways = ((known, ", fresh shoes"), (rows, ", to the cover card")) if fresh else ((rows, ""),)
        estimates = [
            charts.Estimate(
                f"{row.wager.replace('_', ' ')}{how}",
                row.mean,
                row.error,
                beside.exact,
                row.verdict,
            )
            for group, how in ways
            for row, beside in zip(group, known, strict=True)
        ]
        title = f"{game.rules.chapter.about.game}: {tally.rounds:,} rounds"
        charts.chart_estimates(ask.chart, title, estimates, " of fresh shoes" if fresh else "")


def _show(
    ask: _Asked,
    game: Playing,
    tally: Tally,
    seconds: float,
    fresh: tuple[Playing, Tally] | None,
    effect: list[Any],
    result: dict[str, Any],
) -> None:
    out = console()
    about = game.rules.chapter.about
    out.print(
        f"[bold]{about.game}[/], {tally.rounds:,} rounds of {game.positions} "
        f"{'hand' if game.positions == 1 else 'hands'} in {seconds:.1f} s, "
        f"{tally.rounds / max(seconds, 1e-9) / 1e6:,.1f} million a second; "
        f"strategy {ask.plan.strategy}, seed {ask.plan.seed}"
    )
    if fresh is None:
        out.print(_figures("", game, tally))
    else:
        out.print(_figures("dealt from fresh shoes, beside the exact figures", *fresh))
        out.print(_figures("dealt to the cover card", game, tally))
        for one in effect:
            word = "" if one.shown else ", no more than chance"
            out.print(
                f"cut-card effect on {one.wager}: {100 * one.effect:+.4f}% "
                f"± {100 * one.error:.4f}{word}"
            )
    for meter in result.get("progressives", []):
        out.print(
            f"meter {meter['meter']}: {meter['hits']:,} hits, one in "
            f"{meter['mean_rounds_to_hit'] or '—'} rounds "
            f"({meter['mean_hours_to_hit'] or '—'} hours), paid {meter['mean_paid'] or '—'} on "
            f"average and {meter['most_paid'] or '—'} at most; shows {meter['shows']}"
        )
    for one in result.get("payout_limit", []):
        beside = f", exactly {one['exact_decimal']}: {one['verdict']}" if one["exact"] else ""
        out.print(
            f"the payout limit takes {one['takes']} a round from seat {one['seat']}{beside}",
            style=QUIET,
        )
    for row in result.get("correlation", []):
        out.print("correlation  " + "  ".join(row), style=QUIET)
    colour = GOLD if result["verdict"] == "within" else RED
    out.print(f"[{colour}]{result['verdict']}[/] (all verdicts together at 99%)")


def _figures(title: str, game: Playing, tally: Tally) -> Any:
    from rich import box
    from rich.table import Table

    from houseway.simulate.report import Z, figures, pooled

    table = Table(box=box.SIMPLE_HEAD, title=title or None, title_justify="left")
    table.add_column("wager")
    for name in ("stake", "net % of stake", "± 99%", "exact %", "worst z"):
        table.add_column(name, justify="right")
    table.add_column("verdict")
    for row in pooled(figures(game, tally)):
        colour = {"within": GOLD, "not within": RED}.get(row.verdict, QUIET)
        seats = f" ({row.positions} hands)" if row.positions > 1 else ""
        table.add_row(
            row.wager + seats,
            dollars(row.stake),
            f"{100 * row.mean:+.4f}",
            f"{100 * Z * row.error:.4f}",
            f"{100 * float(row.exact):+.4f}" if row.exact is not None else "—",
            f"{row.worst:+.2f}" if row.worst is not None else "—",
            f"[{colour}]{row.verdict}",
        )
    return table
