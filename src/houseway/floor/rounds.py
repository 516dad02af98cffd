"""Finding rounds, and reading one from the record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from houseway.cards import card as known_card
from houseway.floor.projections import Projections
from houseway.floor.recording import table_event
from houseway.floor.streams import stream
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
    where = _Where(projections)
    where.rounds(filters)
    where.cards(filters.cards)
    # player and seat are of one hand; wager, result, outcome, amount and seat are of one line
    where.one_of("hands", {"player": filters.player, "seat": filters.seat}, "player")
    if filters.outcome or filters.wager or filters.result or filters.paid is not None:
        line = {"outcome": filters.outcome, "paid": filters.paid, "seat": filters.seat}
        line |= {"wager": filters.wager, "result": filters.result}
        where.one_of("lines", line, "outcome", "paid")
    found = projections.rows(
        f"select * from rounds r {where.sql} order by r.began desc, r.id desc limit ?",
        *where.values,
        limit,
    )
    for round in found:
        round["hands"] = projections.rows(
            "select seat, player, cards, decision, net from hands where round = ?", round["id"]
        )
    return found


#: what fewer rows than this have is looked up; what more have is met soon, going back in time
_RARE = 2000


class _Where:
    """The conditions of a search, each put so that it is quick: what is rare is looked up by its
    index, what is frequent is tried on the latest rounds until enough fit.
    """

    def __init__(self, projections: Projections) -> None:
        self._sql = projections.sql
        self._parts: list[str] = []
        self.values: list[Any] = []

    @property
    def sql(self) -> str:
        return f"where {' and '.join(self._parts)}" if self._parts else ""

    def _add(self, sql: str, *values: Any) -> None:
        self._parts.append(sql)
        self.values += values

    def _is_rare(self, table: str, test: str, value: Any) -> bool:
        (count,) = self._sql.execute(
            f"select count(*) from (select 1 from {table} where {test} limit {_RARE})", (value,)
        ).fetchone()
        return bool(count < _RARE)

    def rounds(self, filters: Filters) -> None:
        for sql, value in (
            ('r."table" = ?', filters.table),
            ("r.began >= ?", filters.since),
            ("r.began < ?", filters.until),
            ("r.day = ?", filters.day),
        ):
            if value is not None:
                self._add(sql, value)
        if filters.voided:
            self._add("r.voided <> ''")
        for test, least in ((">= ?", filters.win), ("<= ?", filters.loss)):
            if least is not None:
                amount = least if test == ">= ?" else -least
                if self._is_rare("rounds", f"win {test}", amount):
                    self._add(f"r.id in (select id from rounds where win {test})", amount)
                else:
                    # the plus keeps SQLite from sorting half the rounds by amount
                    self._add(f"+r.win {test}", amount)

    def cards(self, texts: tuple[str, ...]) -> None:
        for text in texts:
            known_card(text)
            if self._is_rare("dealt", "card = ?", text):
                self._add("r.id in (select round from dealt where card = ?)", text)
            else:
                self._add("exists (select 1 from dealt where card = ? and round = r.id)", text)

    def one_of(self, table: str, columns: dict[str, Any], *indexed: str) -> None:
        """A hand or a line of the round for which all of this holds."""
        given = {
            f"{name} {'>=' if name == 'paid' else '='} ?": (name, value)
            for name, value in columns.items()
            if value is not None
        }
        if not given:
            return
        tests = " and ".join(given)
        values = [value for _, value in given.values()]
        if any(
            name in indexed and self._is_rare(table, test, value)
            for test, (name, value) in given.items()
        ):
            self._add(f"r.id in (select round from {table} where {tests})", *values)
        else:
            self._add(f"exists (select 1 from {table} where round = r.id and {tests})", *values)


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
    name = stream(round["table"])
    yield from log.read(name, round["first"] - 1, round["last"])
    for event in log.read(name, round["last"], round["last"] + 1):
        if event.kind == "deal_opened":
            yield event


def before_round(log: Log, round: dict[str, Any]) -> Iterator[Event]:
    """The table's events from its opening up to the round."""
    name = stream(round["table"])
    for recorded in log.read(name, round["opening"] - 1, round["first"] - 1):
        event = table_event(recorded)
        if event is not None:
            yield event
