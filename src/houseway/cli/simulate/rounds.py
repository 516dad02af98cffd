"""What `houseway simulate CHAPTER` shows: estimates beside the exact figures, and a verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from houseway.cli.simulate.output import Asked
from houseway.cli.terminal.output import GOLD, QUIET, RED, amount, console, print_table
from houseway.maths.par import wager_name

if TYPE_CHECKING:
    from rich.console import Console

    from houseway.simulate.plan import Plan
    from houseway.simulate.prepared import Playing
    from houseway.simulate.results.report import CutCard
    from houseway.simulate.results.tally import Tally
    from houseway.simulate.runner import Progress, Workers


@dataclass(frozen=True)
class _Run:
    """A run, and beside it one from fresh cards where only that has exact figures."""

    game: Playing
    tally: Tally
    seconds: float
    result: dict[str, Any]
    fresh: tuple[Playing, Tally] | None = None
    effect: list[CutCard] = field(default_factory=list)


def show_rounds(ask: Asked, rounds: int, until_se: float | None, checkpoint: Path | None) -> int:
    """Play this many rounds and show the results."""
    with ask.workers() as workers:
        run = _play(ask, rounds, until_se, checkpoint, workers)
    _files(ask, run)
    if not ask.answer(run.result):
        _show(ask, run)
    return 0 if run.result["verdict"] == "within" else 1


def _play(
    ask: Asked, rounds: int, until_se: float | None, checkpoint: Path | None, workers: Workers
) -> _Run:
    from houseway.simulate.prepared import playing
    from houseway.simulate.results import report

    game = playing(ask.plan.encode())
    tally, seconds = _timed(ask, ask.plan, rounds, until_se, checkpoint, workers)
    result = report.result_json(
        game, tally, seconds=seconds, per_hour=ask.per_hour, tables=ask.tables
    )
    plan = game.family.fresh_plan(game)
    if plan is None:
        return _Run(game, tally, seconds, result)
    other = playing(plan.encode())
    beside = checkpoint.with_name(f"{checkpoint.name}.fresh") if checkpoint else None
    counts, _ = _timed(ask, plan, tally.rounds, None, beside, workers)
    effect = report.cut_card_effect(report.figures(game, tally), report.figures(other, counts))
    fresh = report.result_json(other, counts)
    result |= {
        "fresh_shoes": fresh,
        "verdict": fresh["verdict"],
        "cut_card_effect": [_effect_json(one) for one in effect],
    }
    return _Run(game, tally, seconds, result, (other, counts), effect)


def _effect_json(one: CutCard) -> dict[str, Any]:
    from houseway.simulate.results.report import Z

    return {
        "wager": one.wager,
        "effect": f"{one.effect:.8f}",
        "standard_error": f"{one.error:.8f}",
        "more_than_chance": one.shown,
        "low": f"{one.effect - Z * one.error:.8f}",
        "high": f"{one.effect + Z * one.error:.8f}",
    }


def _timed(
    ask: Asked,
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
def _bar(ask: Asked, rounds: int) -> Iterator[Callable[[Progress], None] | None]:
    """A live bar with the rate and the first estimate, on standard error of a terminal."""
    from rich.progress import TextColumn

    columns = (
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} rounds"),
        TextColumn("{task.fields[rate]}"),
        TextColumn("{task.fields[first]}", style=QUIET),
    )
    with ask.live_bar(*columns) as bar:
        if bar is None:
            yield None
            return
        from houseway.simulate.prepared import playing
        from houseway.simulate.results.report import Z, figures, pooled

        game = playing(ask.plan.encode())
        task = bar.add_task("", total=rounds, rate="", first="")

        def tell(now: Progress) -> None:
            row = pooled(figures(game, now.tally))[0]
            bar.update(
                task,
                completed=now.rounds,
                rate=f"{now.rounds / max(now.seconds, 1e-9) / 1e6:,.1f} M/s",
                first=f"{wager_name(game.rules.chapter, row.wager)} {100 * row.mean:+.4f}% ± {100 * Z * row.error:.4f} (99%)",
            )

        yield tell


def _files(ask: Asked, run: _Run) -> None:
    from houseway.simulate.results import parquet as files

    if ask.parquet:
        about = {**ask.about(), "houseway.rounds": str(run.tally.rounds)}
        files.write_parquet(ask.parquet, files.counted(run.game, run.tally), about)
    if ask.chart:
        _chart(ask.chart, run)


def _chart(path: Path, run: _Run) -> None:
    from houseway.simulate.results import charts, report

    rows = report.pooled(report.figures(run.game, run.tally))
    known = report.pooled(report.figures(*run.fresh)) if run.fresh else rows
    ways = ((known, ", fresh shoes"), (rows, ", to the cover card")) if run.fresh else ((rows, ""),)
    estimates = [
        charts.Estimate(
            f"{wager_name(run.game.rules.chapter, row.wager)}{how}",
            row.mean,
            row.error,
            beside.exact,
            row.verdict,
        )
        for group, how in ways
        for row, beside in zip(group, known, strict=True)
    ]
    title = f"{run.game.rules.chapter.about.game}: {run.tally.rounds:,} rounds"
    charts.chart_estimates(path, title, estimates, " of fresh shoes" if run.fresh else "")


def _show(ask: Asked, run: _Run) -> None:
    out = console()
    hands, rate = run.game.positions, run.tally.rounds / max(run.seconds, 1e-9) / 1e6
    out.print(
        f"[bold]{ask.game}[/], {run.tally.rounds:,} rounds of {hands} "
        f"{'hand' if hands == 1 else 'hands'} in {run.seconds:.1f} s, "
        f"{rate:,.1f} million a second; "
        f"strategy {ask.plan.strategy}, seed {ask.plan.seed}"
    )
    _show_figures(out, run)
    _show_meters(out, run)
    for one in run.result.get("payout_limit", []):
        beside = f", exactly ${one['exact_decimal']}: {one['verdict']}" if one["exact"] else ""
        out.print(
            f"the payout limit takes ${one['takes']} a round from seat {one['seat']}{beside}",
            style=QUIET,
        )
    for row in run.result.get("correlation", []):
        out.print("correlation  " + "  ".join(row), style=QUIET)
    color = GOLD if run.result["verdict"] == "within" else RED
    out.print(f"[{color}]{run.result['verdict']}[/] (all verdicts together at 99%)")


def _show_figures(out: Console, run: _Run) -> None:
    if run.fresh is None:
        _print_figures(None, run.game, run.tally)
        return
    _print_figures("dealt from fresh shoes, beside the exact figures", *run.fresh)
    _print_figures("dealt to the cover card", run.game, run.tally)
    from houseway.simulate.results.report import Z

    for one in run.effect:
        word = "" if one.shown else ", no more than chance"
        out.print(
            f"cut-card effect on {wager_name(run.game.rules.chapter, one.wager)}: {100 * one.effect:+.4f}% "
            f"± {100 * Z * one.error:.4f} (99%){word}"
        )


def _show_meters(out: Console, run: _Run) -> None:
    law = run.game.rules.chapter
    for meter in run.result.get("progressives", []):
        often = "none"
        if meter["hits"]:
            often = (
                f"{meter['hits']:,}, one in {float(meter['mean_rounds_to_hit']):,.1f} rounds "
                f"({float(meter['mean_hours_to_hit']):,.2f} hours)"
            )
        whole = "the whole meter was not won"
        if meter["whole_hits"]:
            whole = (
                f"the whole meter was won {meter['whole_hits']:,} times and paid "
                f"{amount(meter['mean_paid'])} on average and {amount(meter['most_paid'])} at most"
            )
        out.print(
            f"meter of {law.meter_title(meter['meter'])}: hits {often}; {whole}; shows "
            f"{amount(meter['shows'])}"
        )


def _print_figures(title: str | None, game: Playing, tally: Tally) -> None:
    from houseway.simulate.results.report import Z, figures, pooled

    rows = []
    for row in pooled(figures(game, tally)):
        color = {"within": GOLD, "not within": RED}.get(row.verdict, QUIET)
        seats = f" ({row.positions} hands)" if row.positions > 1 else ""
        rows.append(
            (
                wager_name(game.rules.chapter, row.wager) + seats,
                f"${row.stake / 100:,.2f}",
                f"{100 * row.mean:+.4f}",
                f"{100 * Z * row.error:.4f}",
                f"{100 * float(row.exact):+.4f}" if row.exact is not None else "—",
                f"{row.worst:+.2f}" if row.worst is not None else "—",
                f"[{color}]{row.verdict}[/]",
            )
        )
    print_table(
        ("wager", ">stake", ">net % of stake", ">± 99%", ">exact %", ">worst z", "verdict"),
        rows,
        title=title,
    )
