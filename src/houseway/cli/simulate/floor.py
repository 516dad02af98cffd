"""What `houseway simulate FLOOR.toml` shows: days of a whole floor, table by table and in all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from houseway.cli.simulate.days import band_json, few, print_bands
from houseway.cli.simulate.output import Output
from houseway.cli.terminal.output import amount, console
from houseway.law import chapter
from houseway.money import dollars

if TYPE_CHECKING:
    from houseway.simulate.scenarios.floor_day import Days, LinkedMeter
    from houseway.simulate.scenarios.floor_file import Floor


def show_floor(ask: Output, path: Path, days: int, seed: str) -> int:
    """Play this many days of every table of a floor file."""
    from houseway.simulate.scenarios.floor_day import linked
    from houseway.simulate.scenarios.floor_file import read_floor

    floor = read_floor(path, seed)
    found = _play(ask, floor, days)
    links = [
        (name, meter)
        for name, members in floor.links.items()
        for meter in linked([found[place] for place in members])
    ]
    _files(ask, floor.name, found, days)
    names = [
        chapter(found[floor.links[name][0]].group.plan.chapter).meter_title(meter.meter)
        for name, meter in links
    ]
    result: dict[str, Any] = {
        "floor": floor.name,
        "seed": seed,
        "days": days,
        "confidence": "99%",
        "tables": [_table(one) for one in found],
        "all": _all(found),
        "links": [_link(name, meter, days) for name, meter in links],
    }
    if not ask.answer(result):
        _show(floor, result, names)
    return 0


def _play(ask: Output, floor: Floor, days: int) -> list[Days]:
    from houseway.simulate.scenarios.floor_day import play_days

    found: list[Days] = []
    every = sum(group.tables for group in floor.groups) * days
    before = 0
    with ask.workers() as workers, ask.bar(every, "days of a table") as told:
        for group in floor.groups:
            counted = (lambda done, before=before: told(before + done)) if told else None
            found.append(play_days(group, days, workers, counted))
            before += group.tables * days
    return found


def _show(floor: Floor, result: dict[str, Any], meters: list[str]) -> None:
    out, days = console(), result["days"]
    tables = sum(group.tables for group in floor.groups)
    out.print(
        f"[bold]{floor.name}[/]: {days:,} days of {tables} {'table' if tables == 1 else 'tables'}; "
        f"seed {result['seed']}"
    )
    rows = []
    for table in result["tables"]:
        one = dict(table["one"])
        one["tables"] = table["name"] if table["tables"] == 1 else f"{table['name']}, each"
        rows.append(one)
        if table["all"]:
            rows.append(table["all"])
    print_bands([*rows, result["all"]])
    for link, meter in zip(result["links"], meters, strict=True):
        out.print(
            f"link {link['link']}, meter of {meter}: {link['hits']:,} hits, one in "
            f"{link['days_to_hit'] or '—'} days; {link['whole_hits']:,} of the whole meter, which paid "
            f"{_paid(link['mean_paid'])} on average and {_paid(link['most_paid'])} at most; shows "
            f"{amount(link['shows'])}"
        )
    few(out, days)


def _paid(text: str | None) -> str:
    return amount(text) if text else "nothing"


def _table(one: Days) -> dict[str, Any]:
    group, handle, mean = one.group, float(one.handle), float(one.wins.mean())
    several = f"{group.name}, all {group.tables}"
    return {
        "name": group.name,
        "chapter": group.plan.chapter,
        "tables": group.tables,
        "rounds_per_table": group.rounds,
        "wagered_per_table": dollars(round(handle)),
        "one": band_json(group.name, one.wins.ravel(), handle, mean),
        "all": band_json(several, one.wins.sum(axis=1), handle * group.tables, mean * group.tables)
        if group.tables > 1
        else None,
    }


def _all(found: list[Days]) -> dict[str, str]:
    wins = sum(one.wins.sum(axis=1) for one in found)
    handle = sum(float(one.handle) * one.group.tables for one in found)
    return band_json("the floor", wins, handle, float(wins.mean()))


def _link(name: str, one: LinkedMeter, days: int) -> dict[str, Any]:
    paid = [amount for _, amount in one.hits]
    return {
        "link": name,
        "meter": one.meter,
        "hits": len(paid) + one.parts,
        "days_to_hit": f"{days / (len(paid) + one.parts):.2f}" if paid or one.parts else None,
        "mean_paid": dollars(round(sum(paid) / len(paid))) if paid else None,
        "most_paid": dollars(max(paid)) if paid else None,
        "partial_hits": one.parts,
        "paid_in_part": dollars(one.parts_paid),
        "contributed": dollars(int(one.contributed)),
        "shows": dollars(one.shows),
        "whole_hits": len(paid),
    }


def _files(ask: Output, name: str, found: list[Days], days: int) -> None:
    from houseway.simulate.results import charts
    from houseway.simulate.results import parquet as files

    if ask.parquet:
        columns: dict[str, list[Any]] = {
            "day": [], "name": [], "chapter": [], "table": [], "win_cents": [],
        }  # fmt: skip
        for one in found:
            tables = one.group.tables
            columns["day"] += [day for day in range(days) for _ in range(tables)]
            columns["table"] += list(range(1, tables + 1)) * days
            columns["name"] += [one.group.name] * one.wins.size
            columns["chapter"] += [one.group.plan.chapter] * one.wins.size
            columns["win_cents"] += one.wins.ravel().tolist()
        plans = {f"houseway.{one.group.name}": one.group.plan.encode().decode() for one in found}
        files.write_parquet(ask.parquet, columns, plans)
    if ask.chart:
        rows = [
            (f"{table['name']}, all {table['tables']}", table["all"])
            if table["all"]
            else (table["name"], table["one"])
            for table in map(_table, found)
        ]
        rows.append(("the floor", _all(found)))
        charts.chart_bands(ask.chart, f"{name}: {days:,} days", rows)
