"""`houseway audit rounds`, `replay`, `export`, `verify-deal`: finding rounds and looking at them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from houseway.cli.output import GOLD, QUIET, RED, console, print_json, write_text
from houseway.cli.record import Database, Flag, record
from houseway.money import cents, dollars
from houseway.store import Log

if TYPE_CHECKING:
    from houseway.floor.projections import Projections


@contextmanager
def searchable(database: str | None) -> Iterator[tuple[Log, Projections]]:
    """A record with its projections, brought up to date."""
    from houseway.floor.gaming_day import facility_time
    from houseway.floor.projections import Projections, projections_path

    with record(database) as log:
        found = Projections(projections_path(log, database), facility_time(log))
        try:
            found.update(log)
            yield log, found
        finally:
            found.close()


def rounds(
    *,
    database: Database = None,
    table: str | None = None,
    since: str | None = None,
    until: str | None = None,
    day: str | None = None,
    seat: int | None = None,
    player: str | None = None,
    card: Annotated[list[str] | None, Parameter(negative="")] = None,
    outcome: str | None = None,
    wager: str | None = None,
    result: str | None = None,
    paid: str | None = None,
    win: str | None = None,
    loss: str | None = None,
    voided: Flag = False,
    limit: int = 50,
    json: Flag = False,
) -> int:
    """Find rounds; everything that is given must hold.

    Parameters
    ----------
    table
        At this table.
    since
        Begun at this time or later, UTC.
    until
        Begun before this time, UTC.
    day
        On this gaming day.
    seat
        With a hand at this seat.
    player
        With this player.
    card
        In which this card was dealt; may be given several times.
    outcome
        With a payment for this hand: straight_flush, mini_royal, …
    wager
        With this wager settled.
    result
        With this result: win, lose, push, forfeit, returned, bonus.
    paid
        With a payment of at least this amount.
    win
        The house won at least this amount.
    loss
        The house lost at least this amount.
    voided
        Void rounds only.
    limit
        At most so many, the latest first.
    json
        The rounds as JSON, amounts in dollars.
    """
    from houseway.floor.rounds import Filters, search

    amounts = {"paid": paid, "win": win, "loss": loss}
    filters = Filters(
        table=table, since=since, until=until, day=day, seat=seat, player=player,
        cards=tuple(card or ()), outcome=outcome, wager=wager, result=result, voided=voided,
        **{name: None if text is None else cents(text) for name, text in amounts.items()},
    )  # fmt: skip
    with searchable(database) as (_, found):
        rows = [_in_dollars(row) for row in search(found, filters, limit)]
    if json:
        print_json({"rounds": rows})
    elif not rows:
        console().print("no round fits")
    else:
        _rounds(rows)
    return 0


def _in_dollars(row: dict[str, Any]) -> dict[str, Any]:
    money = ("wagered", "paid", "win", "net", "stake", "from_meter")
    out: dict[str, Any] = {
        name: dollars(value) if name in money else value for name, value in row.items()
    }
    for name in ("hands", "lines"):
        if name in out:
            out[name] = [_in_dollars(one) for one in out[name]]
    return out


def _rounds(rows: list[dict[str, Any]]) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for name in ("round", "began (UTC)", "dealer", "hands"):
        table.add_column(name)
    for name in ("wagered", "house"):
        table.add_column(name, justify="right")
    for row in rows:
        hands = " · ".join(f"{hand['seat']}: {hand['cards']}" for hand in row["hands"])
        table.add_row(
            row["id"], row["began"], row["cards"], "void" if row["voided"] else hands,
            row["wagered"], row["win"],
        )  # fmt: skip
    console().print(table)


def replay(
    round: str,
    /,
    *,
    database: Database = None,
    html: str | None = None,
    json: Flag = False,
) -> int:
    """Show one round step by step, as table.opening.round: 1.1.17.

    Parameters
    ----------
    round
        The round, as `audit rounds` names it.
    html
        Write a page of its own to this file, with the felt at every step.
    json
        The steps as JSON.
    """
    from houseway.floor.replay import page
    from houseway.floor.replay import replay as replayed
    from houseway.floor.rounds import find_round

    with searchable(database) as (log, found):
        about = find_round(found, round)
        steps = replayed(log, about)
    if html is not None:
        write_text(html, page(about, steps))
    if json:
        told = [
            {
                name: getattr(step, name)
                for name in ("version", "time", "actor", "says", "clause", "hash")
            }
            for step in steps
        ]
        print_json({**_in_dollars(about), "steps": told})
        return 0
    out = console()
    out.print(f"[bold]round {round}[/] {about['chapter']}, table {about['table']}", highlight=False)
    for step in steps:
        clause = f"  [{QUIET}]{step.clause}[/]" if step.clause else ""
        out.print(f"[{QUIET}]{step.version:>6} {step.time}[/]  {step.says}{clause}", soft_wrap=True)
    out.print(f"the house {dollars(about['win'])}")
    if html is not None:
        out.print(f"written to {html}", soft_wrap=True)
    return 0


def export(
    *,
    out: str,
    database: Database = None,
    format: str = "jsonl",
    round: str | None = None,
    everything: Flag = False,
    json: Flag = False,
) -> int:
    """Write the record for analysis, or with --round one round as a bundle for a dispute.

    Parameters
    ----------
    out
        The folder to write to; it is made, and must be empty.
    format
        jsonl, csv or parquet.
    round
        One round for someone without Houseway: events, cards, settlement, proof, a page.
    everything
        Also the cards of shoes that are still in play, which are otherwise withheld.
    json
        What was written, as JSON.
    """
    from houseway.floor.export import bundle
    from houseway.floor.export import export as exported
    from houseway.floor.rounds import find_round

    with searchable(database) as (log, found):
        if round is not None:
            written: dict[str, Any] = {"files": bundle(log, find_round(found, round), Path(out))}
        else:
            rows = exported(log, found, Path(out), format, everything=everything)
            written = {"files": list(rows), "rows": rows}
    if json:
        print_json({"folder": out, **written})
    else:
        for name in written["files"]:
            count = f"  {written['rows'][name]:,} rows" if "rows" in written else ""
            console().print(f"{Path(out) / name}{count}", soft_wrap=True)
    return 0


def verify_deal(round: str, /, *, database: Database = None, json: Flag = False) -> int:
    """Prove that a round was dealt from the order that was sealed before its bets.

    Parameters
    ----------
    round
        The round, as `audit rounds` names it.
    json
        The verdict as JSON.
    """
    from houseway.floor.deal_audit import verify_deal as verified
    from houseway.floor.rounds import find_round

    with searchable(database) as (log, found):
        verdict = verified(log, find_round(found, round))
    if json:
        print_json(verdict)
    else:
        out = console()
        for check in verdict.checks:
            mark = f"[{GOLD}]holds[/]" if check.holds else f"[{RED}]fails[/]"
            out.print(f"{mark}  {check.check.replace('_', ' ')}: {check.says}", soft_wrap=True)
        out.print("proved" if verdict.proved else f"[{RED}]not proved[/]")
    return 0 if verdict.proved else 1
