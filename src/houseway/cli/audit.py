"""`houseway audit …`: the record proved, searched, replayed, exported, reported and kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from cyclopts import App, Parameter

from houseway.cli.output import GOLD, QUIET, RED, console, print_json
from houseway.cli.record import Database, Flag, record
from houseway.money import cents, dollars
from houseway.refusal import Refused
from houseway.store import Log, open_log

if TYPE_CHECKING:
    from houseway.floor.projections import Projections
    from houseway.store.anchor import Anchor
    from houseway.store.verify import Verdict

app = App(name="audit", help="The record: proved, searched, replayed, exported, reported and kept.")


@contextmanager
def _searchable(database: str | None) -> Iterator[tuple[Log, Projections]]:
    from houseway.floor.gaming_day import facility_time
    from houseway.floor.projections import Projections, projections_path

    with record(database) as log:
        found = Projections(projections_path(log, database), facility_time(log))
        try:
            found.update(log)
            yield log, found
        finally:
            found.close()


def _now() -> str:
    return datetime.now(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


@app.command
def verify(
    *,
    database: Database = None,
    anchor: Annotated[list[str] | None, Parameter(negative="")] = None,
    public_key: str | None = None,
    json: Flag = False,
) -> int:
    """Recompute every hash; say that the record is unbroken, or the first event that is wrong.

    Parameters
    ----------
    anchor
        An anchor that was kept elsewhere; may be given several times.
    public_key
        The key that anchors must be signed with, PEM.
    json
        The verdict as JSON.
    """
    from houseway.store.verify import verify as verified

    with record(database) as log:
        return _say(verified(log, _anchors(anchor, public_key)), json=json)


def _anchors(paths: list[str] | None, public_key: str | None) -> list[Anchor]:
    if not paths:
        return []
    from houseway.store.anchor import read_anchor, read_public_key

    trusted = read_public_key(Path(public_key)) if public_key else None
    return [read_anchor(Path(path), trusted) for path in paths]


def _say(verdict: Verdict, *, json: bool, done: str = "unbroken") -> int:
    if json:
        print_json({"unbroken": verdict.unbroken, **msgspec.to_builtins(verdict)})
    else:
        out = console()
        out.print(f"{verdict.events:,} events in {verdict.streams:,} streams")
        if verdict.unbroken:
            out.print(f"[{GOLD}]{done}[/]")
        for fault in verdict.faults:
            where = f"{fault.stream}, event {fault.version}: " if fault.stream else ""
            out.print(f"[{RED}]broken[/] {where}{fault.says} ({fault.reason})", soft_wrap=True)
    return 0 if verdict.unbroken else 1


@app.command
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
    with _searchable(database) as (_, found):
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


@app.command
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

    with _searchable(database) as (log, found):
        about = find_round(found, round)
        steps = replayed(log, about)
    if html is not None:
        _write(html, page(about, steps))
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


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, "utf-8")
    except OSError as error:
        raise Refused("cannot_write", f"{path}: {error.strerror}") from None


@app.command
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

    with _searchable(database) as (log, found):
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


@app.command
def report(
    *,
    database: Database = None,
    day: str | None = None,
    table: str | None = None,
    json: Flag = False,
) -> int:
    """Drop, win and hold by table and wager beside the exact expectation: day, month, year.

    Parameters
    ----------
    day
        The gaming day; the last one on record by default.
    table
        Only this table.
    json
        The report as JSON, amounts in cents.
    """
    from houseway.cli.counting import count
    from houseway.floor.report import last_day
    from houseway.floor.report import report as reported
    from houseway.floor.theory import rules_of

    with _searchable(database) as (_, found):
        for row in found.rows("select chapter, edition, file from rules"):
            count(row["chapter"], rules=rules_of(**row))
        made = reported(found, day or last_day(found), table)
    if json:
        print_json(made)
    else:
        for name in ("day", "month", "year"):
            _report(name, made["day"], made["today" if name == "day" else name])
        console().print(f"[{QUIET}]{made['says']}[/]")
    return 0


def _report(name: str, day: str, part: dict[str, Any]) -> None:
    from rich import box
    from rich.table import Table

    title = {"day": f"gaming day {day}", "month": "month to date", "year": "year to date"}[name]
    table = Table(box=box.SIMPLE_HEAD, title=title, title_style="bold")
    table.add_column("table")
    table.add_column("wager")
    columns = (
        "wagers",
        "wagered",
        "win",
        "meters",
        "hold %",
        "exact %",
        "95% of chance",
        "deviations",
    )
    for column in columns:
        table.add_column(column, justify="right")
    for one in part["wagers"]:
        interval = f"{dollars(int(one.low))} to {dollars(int(one.high))}" if one.low else ""
        mark = f"[{RED}]{one.deviations} unusual[/]" if one.unusual else one.deviations
        table.add_row(
            one.table, one.wager, str(one.rounds), dollars(one.wagered), dollars(one.win),
            dollars(one.from_meters) if one.from_meters else "", one.hold_percent, one.expected_percent, interval, mark,
        )  # fmt: skip
    out = console()
    out.print(table)
    for one in part["tables"]:
        hold = f", hold {one.hold_percent}% of the drop" if one.hold_percent else ""
        off = f", tray off by {dollars(one.difference)}" if one.difference else ""
        out.print(
            f"table {one.table}: {one.rounds:,} rounds, drop {dollars(one.drop)},"
            f" fills {dollars(one.fills)}, credits {dollars(one.credits)},"
            f" win {dollars(one.win)}{hold}{off}",
            soft_wrap=True,
        )


@app.command
def facility(
    *,
    database: Database = None,
    zone: str | None = None,
    begins: str | None = None,
    who: str = "operator",
    json: Flag = False,
) -> int:
    """Show the facility's time zone and the hour its gaming day begins, or set them.

    Parameters
    ----------
    zone
        The time zone: America/New_York.
    begins
        When the gaming day begins, local time: 06:00.
    who
        Who sets it, for the record.
    json
        The configuration as JSON.
    """
    from houseway.floor.gaming_day import FacilityTime, facility_time, set_facility_time

    setting = zone is not None or begins is not None
    log = open_log(database, readonly=not setting)
    try:
        now = facility_time(log)
        if setting:
            now = FacilityTime(zone or now.zone, begins or now.begins)
            set_facility_time(log, now, who, _now())
    finally:
        log.close()
    if json:
        print_json(now)
    else:
        console().print(f"{now.zone}; the gaming day begins at {now.begins}")
    return 0


@app.command(name="verify-deal")
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

    with _searchable(database) as (log, found):
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


@app.command
def anchor(
    *,
    key: str,
    out: str,
    database: Database = None,
    new_key: Flag = False,
    json: Flag = False,
) -> int:
    """Sign where every stream stands, to be kept away from the record.

    Parameters
    ----------
    key
        The house's signing key, Ed25519 in PEM.
    out
        The anchor to write, JSON.
    new_key
        Make the key first; its public half goes beside it, .pub.
    json
        The anchor as JSON.
    """
    from houseway.store.anchor import make_anchor, read_key
    from houseway.store.anchor import new_key as made_key

    secret = made_key(Path(key)) if new_key else read_key(Path(key))
    with record(database) as log:
        made = make_anchor(log, secret, _now())
    _write(out, msgspec.json.format(msgspec.json.encode(made), indent=1).decode() + "\n")
    if json:
        print_json(made)
    else:
        console().print(f"{out}: {len(made.heads):,} streams, signed by {made.key}", soft_wrap=True)
    return 0


@app.command
def backup(file: str, /, *, database: Database = None, json: Flag = False) -> int:
    """Copy the record while tables play on, and verify the copy.

    Parameters
    ----------
    file
        The backup to write: a record of its own, in SQLite.
    json
        The verdict on the copy as JSON.
    """
    from houseway.store.backup import backup as copied

    with record(database) as log:
        return _say(copied(log, Path(file)), json=json, done=f"{file} is unbroken")


@app.command
def restore(
    file: str,
    /,
    *,
    database: str,
    anchor: Annotated[list[str] | None, Parameter(negative="")] = None,
    public_key: str | None = None,
    json: Flag = False,
) -> int:
    """Fill a new record from a backup that verifies.

    Parameters
    ----------
    file
        The backup.
    database
        The new record: a file that is not there yet, or an empty PostgreSQL database.
    anchor
        An anchor that the backup must continue; may be given several times.
    public_key
        The key that anchors must be signed with, PEM.
    json
        The verdict as JSON.
    """
    from houseway.store.backup import restore as restored

    anchors = _anchors(anchor, public_key)
    if not Path(file).is_file():
        raise Refused("no_such_file", f"{file}: there is no backup")
    log = open_log(database)
    try:
        return _say(restored(Path(file), log, anchors), json=json, done="restored and unbroken")
    finally:
        log.close()
