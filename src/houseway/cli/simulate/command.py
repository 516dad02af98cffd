"""`houseway simulate`: rounds by the million beside the exact figures."""

from __future__ import annotations

import os
from math import inf
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from houseway.cli.chapter_choice import ChapterId
from houseway.cli.simulate.output import Asked, Output
from houseway.cli.terminal.output import read_amount
from houseway.errors import Refused
from houseway.law import Rules, choose, read_rules


def simulate(
    chapter: ChapterId,
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
    xlsx: Path | None = None,
) -> int:
    """Play rounds by the million beside the exact figures.

    Deals real rounds of CHAPTER with every seat and wager, estimates what each wager is worth, and
    says whether the exact figure lies within its interval. --sessions simulates sessions of one
    player, --days whole days of a floor. The same seed and number of rounds give the same result.

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
        Save the run in this file, and continue from the file if it exists.
    cores
        Cores of this machine; all of them by default.
    cluster
        A Dask scheduler's address, or local to start one with two workers.
    covariance
        Show how the results of seats are correlated.
    sessions
        Play this many sessions of --hours each at --per-hour rounds.
    bankroll
        What a session starts with.
    stake_plan
        How stakes follow wins and losses.
    days
        Play this many days of --tables tables, --hours each.
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
    xlsx
        Write the results as an Excel workbook to this file.
    """
    from houseway.simulate.plan import plan_of, read_wagers

    _check_numbers(until_se=until_se, hours=hours, per_hour=per_hour, tables=tables, days=days)
    _check_paths(chart=chart, parquet=parquet, checkpoint=checkpoint, xlsx=xlsx)
    output = Output(cores, cluster, chart, parquet, json, xlsx)
    if chapter.endswith(".toml"):
        others = (rules, wagers, coupon, meter, cover, insure, until_se, checkpoint, sessions)
        alone = not any(others) and not covariance
        return _floor(
            output, chapter, days, seed, alone and (players, strategy, tables) == (1, "optimal", 1)
        )
    plan = plan_of(
        _rules(chapter, rules),
        players=players,
        wagers=read_wagers(wagers) or None,
        strategy=strategy,
        seed=seed,
        coupon=read_wagers(coupon, "coupon"),
        meters=read_wagers(",".join(meter or []), "meter"),
        cover=cover,
        insures=insure,
        covariance=covariance,
        hypothetical=True,
    )
    if sessions is not None and days is not None:
        raise Refused("one_at_a_time", "choose --sessions or --days", field="days")
    ask = Asked(
        cores, cluster, chart, parquet, json, xlsx, plan=plan, per_hour=per_hour, tables=tables
    )
    if sessions is not None:
        from houseway.cli.simulate.sessions import show_sessions

        return show_sessions(
            ask, sessions, round(hours * per_hour), read_amount(bankroll, "bankroll"), stake_plan
        )
    if days is not None:
        from houseway.cli.simulate.days import show_days

        return show_days(ask, days, round(hours * per_hour))
    from houseway.cli.simulate.rounds import show_rounds

    return show_rounds(ask, _whole(rounds), until_se, checkpoint)


def _floor(output: Output, path: str, days: int | None, seed: str, alone: bool) -> int:
    """Days of a floor file, with which no option of a single table goes."""
    from houseway.cli.simulate.floor import show_floor

    if not alone:
        raise Refused(
            "not_with_a_floor",
            "a floor file already names games and players; the only other options with it are --days, "
            "--seed, --cores, --cluster, --chart, --parquet and --json",
        )
    return show_floor(output, Path(path), 1000 if days is None else days, seed)


def _check_numbers(**given: float | None) -> None:
    """Refuse hours, tables and the like that are not positive and finite."""
    for name, value in given.items():
        if value is not None and not 0 < value < inf:
            raise Refused(
                "not_a_number",
                f"must be a number above 0, not {value}",
                field=name.replace("_", "-"),
            )


def _check_paths(**given: Path | None) -> None:
    """Refuse files that cannot be written before the run, not after it."""
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
    rules = read_rules(file, hypothetical=True)
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
    raise Refused(
        "not_a_number", f"{text!r} is not a number of rounds; write 500000 or 20M", field="rounds"
    )
