"""`houseway audit rounds`, `replay`, `export`, `verify-deal`: finding rounds and looking at them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from houseway.cli.chapter_choice import OUT
from houseway.cli.record_options import (
    EVERYWHERE,
    AtTable,
    Database,
    Flag,
    GamingDay,
    Looked,
    searchable,
)
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
from houseway.money import dollars, spoken


def rounds(
    *,
    looked: Looked = EVERYWHERE,
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
    before: str | None = None,
) -> int:
    """Find rounds that match every option given.

    Parameters
    ----------
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
    before
        Older than this round: the last one shown, to go on from there.
    """
    from houseway.floor.audit.rounds import Filters, search

    amounts = {"paid": paid, "win": win, "loss": loss}
    filters = Filters(
        table=looked.table, since=looked.since, until=looked.until, day=looked.day, seat=seat,
        player=player, cards=tuple(card or ()), outcome=outcome, wager=wager, result=result,
        voided=voided, before=before,
        **{name: None if text is None else read_amount(text, name) for name, text in amounts.items()},
    )  # fmt: skip
    with searchable(looked.database) as (_, found):
        rows = [in_dollars(row) for row in search(found, filters, looked.limit)]
    if looked.json:
        print_json({"rounds": rows})
    elif rows:
        _rounds(rows)
    elif filters == Filters():
        console().print("no round has been played on this record")
    else:
        console().print("no rounds match")
    return 0


_MONEY = {"wagered", "paid", "win", "net", "stake", "from_meter", "shows", "change", "payout"}


def in_dollars(row: dict[str, Any]) -> dict[str, Any]:
    """A row of the projections as JSON has it."""
    out: dict[str, Any] = {
        name: dollars(value) if name in _MONEY and isinstance(value, int) else value
        for name, value in row.items()
    }
    for name in ("hands", "lines"):
        if name in out:
            out[name] = [in_dollars(one) for one in out[name]]
    return out


def _rounds(rows: list[dict[str, Any]]) -> None:
    print_table(
        ("round", "began (UTC)", ">wagered", ">house", "~dealer", "~hands"),
        (
            (
                plain(row["id"]), moment(row["began"]), amount(row["wagered"]),
                amount(row["win"]), row["cards"],
                f"[{RED}]void[/]: {plain(row['voided'])}" if row["voided"] else
                " · ".join(f"{hand['seat']}: {hand['cards']}" for hand in row["hands"]),
            )
            for row in rows
        ),
    )  # fmt: skip


def moment(time: str, places: int = 19) -> str:
    """A time of the record as people read it, to the second; with 16 places to the minute."""
    return time[:places].replace("T", " ")


def replay(
    round: str,
    /,
    *,
    database: Database = None,
    html: str | None = None,
    json: Flag = False,
) -> int:
    """Show one round, such as yesterday.1.17, step by step.

    Parameters
    ----------
    round
        The round, as `audit rounds` names it.
    html
        Write a page of its own to this file, with the felt at every step.
    json
        The steps as JSON.
    """
    from houseway.floor.audit.replay import page
    from houseway.floor.audit.replay import replay as replayed
    from houseway.floor.audit.rounds import find_round

    with searchable(database) as (log, found):
        about = find_round(found, round)
        steps = replayed(log, about)
        if html is not None:
            write_text(html, page(about, steps), quiet=json)
    wrong = [step.version for step in steps if not step.sound]
    if json:
        names = ("version", "time", "actor", "says", "clause", "hash", "sound")
        told = [{name: getattr(step, name) for name in names} for step in steps]
        print_json({**in_dollars(about), "steps": told})
        return 1 if wrong else 0
    from houseway.law import chapter

    out = console()
    table = plain(about["table"])
    law = chapter(about["chapter"]).about
    name = plain(f"{law.game}, {law.jurisdiction}")
    out.print(f"[bold]round {plain(round)}[/]  {name}, table {table}")
    for step in steps:
        clause = f"  [{QUIET}]{step.clause}[/]" if step.clause else ""
        at = f"{step.version:>6} {moment(step.time)}"
        mark = "" if step.sound else f"  [{RED}]not as it was written[/]"
        print_beside(out, f"[{QUIET}]{at}[/]  ", f"{plain(step.says)}{clause}{mark}")
    out.print(f"the house {'loses' if about['win'] < 0 else 'wins'} {spoken(abs(about['win']))}")
    if html is not None:
        out.print(f"written to {plain(html)}", soft_wrap=True)
    if wrong:
        out.print(f"[{RED}]broken[/]: event {wrong[0]} of this round is not as it was written")
        if rest := ", ".join(map(str, wrong[1:])):
            out.print(f"and therefore not proved: {rest}", soft_wrap=True)
    return 1 if wrong else 0


def export(
    *,
    out: Annotated[str, OUT],
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
        The folder to write to; it is created, and must be empty.
    format
        jsonl, csv or parquet.
    round
        One round for someone without Houseway: events, cards, settlement, proof, a page.
    everything
        Also the cards of shoes that are still in play, which are otherwise withheld.
    json
        What was written, as JSON.
    """
    from houseway.floor.audit.export import bundle
    from houseway.floor.audit.export import export as exported
    from houseway.floor.audit.rounds import find_round

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
            rows = written.get("rows", {}).get(name)
            count = "" if rows is None else f"  {rows:,} row{'' if rows == 1 else 's'}"
            console().print(f"{plain(str(Path(out) / name))}{count}", soft_wrap=True)
    return 0


def history(
    *,
    out: Annotated[str, OUT],
    database: Database = None,
    table: AtTable = None,
    day: GamingDay = None,
    everything: Flag = False,
    json: Flag = False,
) -> int:
    """Write rounds as hand histories, which `settle` and `audit check` read.

    Rounds that were void are left out. `houseway schema hand-history` is the format.

    Parameters
    ----------
    out
        The file to write: JSON Lines (.jsonl) or Parquet (.parquet).
    everything
        Also the rounds of shoes that are still in play, which are otherwise left out.
    json
        What was written, as JSON.
    """
    from houseway.floor.audit.histories import write_histories

    with searchable(database) as (log, found):
        count = write_histories(log, found, Path(out), table=table, day=day, everything=everything)
    if json:
        print_json({"file": out, "rounds": count})
    else:
        console().print(f"{plain(out)}  {count:,} round{'' if count == 1 else 's'}", soft_wrap=True)
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
    from houseway.floor.audit.rounds import find_round
    from houseway.floor.audit.verify_deal import verify_deal as verified

    with searchable(database) as (log, found):
        verdict = verified(log, find_round(found, round))
    if json:
        print_json(verdict)
    else:
        out = console()
        for check in verdict.checks:
            mark = f"[{GOLD}]holds[/]" if check.holds else f"[{RED}]fails[/]"
            print_beside(out, f"{mark}  ", f"{check.check.replace('_', ' ')}: {plain(check.says)}")
        out.print("proved" if verdict.proved else f"[{RED}]not proved[/]")
    return 0 if verdict.proved else 1
