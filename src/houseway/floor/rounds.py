"""Finding rounds, and reading one from the record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from houseway.cards import card as known_card
from houseway.floor.projections import Projections
from houseway.floor.recording import table_event, table_stream
from houseway.refusal import Refused
from houseway.store import Event as Recorded
from houseway.store import Log
from houseway.table import Event


class Filters(msgspec.Struct, frozen=True):
    """What is looked for. Everything given must hold; amounts are in cents."""

    table: str | None = None
    since: str | None = None
    until: str | None = None
    day: str | None = None
    seat: int | None = None
    player: str | None = None
    cards: tuple[str, ...] = ()
    outcome: str | None = None
    wager: str | None = None
    result: str | None = None
    #: the house won at least, or lost at least; a line paid at least
    win: int | None = None
    loss: int | None = None
    paid: int | None = None
    voided: bool = False


def search(projections: Projections, filters: Filters, limit: int = 50) -> list[dict[str, Any]]:
    """The latest rounds that fit, each with its hands."""
    where, values = _where(filters)
    rounds = projections.rows(
        f"select * from rounds r {where} order by r.began desc, r.id desc limit ?", *values, limit
    )
    for found in rounds:
        found["hands"] = projections.rows(
            "select seat, player, cards, decision, net from hands where round = ?", found["id"]
        )
    return rounds


def _where(filters: Filters) -> tuple[str, list[Any]]:
    tests: list[tuple[str, Any]] = []
    for sql, value in (
        ('r."table" = ?', filters.table),
        ("r.began >= ?", filters.since),
        ("r.began < ?", filters.until),
        ("r.day = ?", filters.day),
        ("r.win >= ?", filters.win),
        ("r.win <= ?", None if filters.loss is None else -filters.loss),
    ):
        if value is not None:
            tests.append((sql, value))
    if filters.voided:
        tests.append(("r.voided <> ?", ""))
    parts, values = [sql for sql, _ in tests], [value for _, value in tests]
    for text in filters.cards:
        known_card(text)
        parts.append("r.id in (select round from dealt where card = ?)")
        values.append(text)
    # player and seat are of one hand; wager, result, outcome, amount and seat are of one line
    hand = {"seat": filters.seat, "player": filters.player}
    line = {"seat": filters.seat, "wager": filters.wager, "result": filters.result}
    line |= {"outcome": filters.outcome}
    for table, columns, least in (("hands", hand, None), ("lines", line, filters.paid)):
        given = {name: value for name, value in columns.items() if value is not None}
        if least is None and not given.keys() - ({"seat"} if table == "lines" else set()):
            continue
        inside = [f"{name} = ?" for name in given] + (["paid >= ?"] if least is not None else [])
        parts.append(f"r.id in (select round from {table} where {' and '.join(inside)})")
        values += [*given.values(), *([least] if least is not None else [])]
    return (f"where {' and '.join(parts)}" if parts else ""), values


def find_round(projections: Projections, id: str) -> dict[str, Any]:
    """One round with its hands and lines."""
    found = projections.rows("select * from rounds where id = ?", id)
    if not found:
        raise Refused(
            "no_such_round", f"there is no round {id!r} on record; it is table.opening.round"
        )
    (round,) = found
    round["hands"] = projections.rows("select * from hands where round = ? order by seat", id)
    round["lines"] = projections.rows("select * from lines where round = ? order by number", id)
    return round


def events_of(log: Log, round: dict[str, Any]) -> Iterator[Recorded]:
    """The events of a round as they are on record, the opening of its cards with them."""
    stream = table_stream(round["table"])
    yield from log.read(stream, round["first"] - 1, round["last"])
    for event in log.read(stream, round["last"], round["last"] + 1):
        if event.kind == "deal_opened":
            yield event


def before_round(log: Log, round: dict[str, Any]) -> Iterator[Event]:
    """The table's events from its opening up to the round."""
    stream = table_stream(round["table"])
    for recorded in log.read(stream, round["opening"] - 1, round["first"] - 1):
        event = table_event(recorded)
        if event is not None:
            yield event
