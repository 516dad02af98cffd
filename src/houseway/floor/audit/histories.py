"""The rounds on record as hand histories, which `settle` and `audit check` read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from houseway.errors import Refused, file_problem
from houseway.floor.audit.export import in_play
from houseway.floor.audit.projections import Projections
from houseway.floor.editions import edition_of, learn_edition
from houseway.floor.gaming_day import gaming_day
from houseway.floor.recorded_table import table_event
from houseway.floor.streams import PREFIX, stream
from houseway.game_api.payout_check import HISTORY_VERSION
from houseway.game_api.round_json import round_out
from houseway.money import cents, dollars
from houseway.store import Log
from houseway.table import Table, evolve
from houseway.table import events as e
from houseway.table.moment import Moment
from houseway.table.round_building import Cards, round_of
from houseway.table.state import DEAD

FORMATS = (".jsonl", ".parquet")


def write_histories(
    log: Log,
    projections: Projections,
    path: Path,
    *,
    table: str | None = None,
    day: str | None = None,
    everything: bool = False,
) -> int:
    """Write every round that was played and settled whole; how many there are."""
    found = histories(log, projections, table=table, day=day, everything=everything)
    try:
        if path.suffix == ".parquet":
            from houseway.game_api.history_tables import write_parquet

            return write_parquet(path, found)
        if path.suffix != ".jsonl":
            raise Refused(
                "no_such_format", f"{path.name}: a hand history ends in {' or '.join(FORMATS)}"
            )
        with path.open("wb") as file:
            count = 0
            for one in found:
                file.write(msgspec.json.encode(one) + b"\n")
                count += 1
            return count
    except OSError as error:
        raise Refused("cannot_write", file_problem(path, error), field="out") from None


def histories(
    log: Log,
    projections: Projections,
    *,
    table: str | None = None,
    day: str | None = None,
    everything: bool = False,
) -> Iterator[dict[str, Any]]:
    """Every round that was played and settled whole; those of shoes still in play only with `everything`."""
    wanted = None if day is None else gaming_day(day)
    for name in sorted(log.heads(prefix=PREFIX) if table is None else [stream(table)]):
        since = 0 if everything else in_play(log, name)
        rows = {
            row["last"]: row
            for row in projections.rows(
                'select * from rounds where "table" = ?', name.removeprefix(PREFIX)
            )
            if not row["voided"]
            and not (since and row["last"] >= since)
            and wanted in (None, row["day"])
        }
        yield from _of_table(log, projections, name, rows)


def _of_table(
    log: Log, projections: Projections, name: str, rows: Mapping[int, dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    table = Table()
    meters: dict[str, str] = {}
    winners: dict[str, int] = {}
    for recorded in log.read(name):
        event = table_event(recorded)
        if event is None:
            continue
        if isinstance(event, e.TableOpened):
            learn_edition(log, edition_of(event))
        if isinstance(event, e.SettlementDue | e.WagerSettled) and not meters:
            meters = dict(table.meters)  # as they are when the round is paid
        if isinstance(event, e.WagerSettled) and event.meter and event.meter not in winners:
            meters[event.meter], winners[event.meter] = _at_payment(table, event)
        if isinstance(event, e.RoundEnded):
            if recorded.version in rows and not _cut_short(table):
                yield _history(projections, rows[recorded.version], table, meters, winners)
            meters, winners = {}, {}
        table = evolve(table, event)


def _cut_short(table: Table) -> bool:
    """Whether an irregularity removed a hand or a wager, so that `settle` cannot settle the round."""
    now = Moment(table, "system")
    boxes = (table.boxes[seat - 1] for seat in table.hands)
    out = any(box.out or DEAD in box.decisions.values() for box in boxes)
    return out or bool(now.game.void_wagers(now))


def _at_payment(table: Table, event: e.WagerSettled) -> tuple[str, int]:
    """What a meter holds when it first pays at a table, exactly in cents, and how many share it.

    Other tables add to a linked meter until then. A share that was set aside when another table's
    winner was paid is all that is left for this winner.
    """
    shared = next((line.winners for line in table.due if line.meter == event.meter), 1)
    return (table.meters[event.meter], shared) if shared else (str(cents(event.from_meter)), 1)


def _history(
    projections: Projections,
    row: dict[str, Any],
    table: Table,
    meters: Mapping[str, str],
    winners: Mapping[str, int],
) -> dict[str, Any]:
    # the cards are in the rack: all of them are the house's to know
    shown = table.shown | frozenset(table.racked)
    now = Moment(replace(table, shown=shown, meters=meters), "system")
    cards = Cards(now)
    shared = {name: number for name, number in winners.items() if number > 1}
    round = replace(round_of(now, lying=cards), winners=shared)
    lines = projections.rows("select * from lines where round = ? order by number", row["id"])
    nets = projections.rows("select seat, net from hands where round = ? order by seat", row["id"])
    paid = [
        {
            "seat": hand["seat"],
            "net": dollars(hand["net"]),
            "lines": [_line(line) for line in lines if line["seat"] == hand["seat"]],
        }
        for hand in nets
    ]
    about = {name: row[name] for name in ("id", "table", "began", "ended", "day")}
    whole = {"version": HISTORY_VERSION, **about, "round": round_out(round), "paid": paid}
    return whole | ({"unseen": sorted(cards.unseen)} if cards.unseen else {})


def _line(line: dict[str, Any]) -> dict[str, Any]:
    return {
        "wager": line["wager"],
        **({"hand": line["hand"]} if line["hand"] else {}),
        "stake": dollars(line["stake"]),
        "result": line["result"],
        "paid": dollars(line["paid"]),
        **({"odds": line["odds"]} if line["odds"] else {}),
        "clause": line["clause"],
    }
