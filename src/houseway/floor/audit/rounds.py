"""Finding rounds, and reading one from the record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from houseway.cards import card as known_card
from houseway.errors import Refused
from houseway.floor.audit.projections import Projections
from houseway.floor.editions import edition_of, learn_edition
from houseway.floor.gaming_day import gaming_day
from houseway.floor.recorded_table import table_event, utc
from houseway.floor.streams import PREFIX, stream
from houseway.store import Event as Recorded
from houseway.store import Log
from houseway.table import Event
from houseway.table import events as e


def tables_on_record(projections: Projections) -> list[str]:
    """The names of all tables, those that are closed too."""
    found = projections.rows(
        "select stream from positions where stream >= ? and stream < ? order by stream",
        PREFIX, PREFIX[:-1] + chr(ord(PREFIX[-1]) + 1),
    )  # fmt: skip
    return [row["stream"].removeprefix(PREFIX) for row in found]


class Filters(msgspec.Struct, frozen=True):
    """Search filters. All given ones must match; amounts are in cents."""

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
    #: only older rounds than this one: where the previous page ended
    before: str | None = None


def search(projections: Projections, filters: Filters, limit: int = 50) -> list[dict[str, Any]]:
    """The latest matching rounds, each with its hands."""
    check_limit(limit)
    found = _Search(projections, filters).latest(limit)
    for round in found:
        del round["number"]  # of the bitmaps, and of nobody else
        round["hands"] = projections.rows(
            "select seat, player, cards, decision, net from hands where round = ?", round["id"]
        )
    return found


_MOST = 1_000_000


def check_limit(limit: int) -> None:
    if not 1 <= limit <= _MOST:
        raise Refused("not_a_limit", f"the limit must be 1 to {_MOST:,}", field="limit")


_SEATS = 20
RESULTS = ("win", "lose", "push", "forfeit", "returned", "bonus")

#: up to this many candidates are all read; with more, matches are found soon by going back in time
_FEW = 2000
_LATEST = "order by r.began desc, r.id desc limit ?"


class _Search:
    """The conditions of a search, each in two forms: as a test of a round, and as a way to the rounds
    that may pass it. The way with the fewest rounds is gone; where all have many, time is, backwards.
    """

    def __init__(self, projections: Projections, filters: Filters) -> None:
        self._projections = projections
        self._tests: list[str] = []
        self._values: list[Any] = []
        #: for each way the number of rounds, at most `_FEW`, and their numbers as SQL
        self._ways: list[tuple[int, str, tuple[Any, ...]]] = []
        self._rounds(filters)
        self._facets(filters)
        hand = {"player": filters.player, "seat": filters.seat}
        line = {
            "outcome": filters.outcome, "wager": filters.wager, "result": filters.result,
            "paid": filters.paid,
        }  # fmt: skip
        # player and seat are of one hand; wager, result, outcome, amount and seat are of one line
        self._one_of("hands", hand)
        if any(value is not None for value in line.values()):
            self._one_of("lines", {**line, "seat": filters.seat})
        if filters.player is not None:
            self._way("hands", "h.player = ?", filters.player)
        if filters.paid is not None and filters.paid > 0:
            self._way("lines", "h.paid >= ?", filters.paid)

    def latest(self, limit: int) -> list[dict[str, Any]]:
        where = " and ".join(self._tests) or "true"
        count, way, values = min(self._ways, default=(_FEW, "", ()))
        if count < _FEW:
            sql = f"select r.* from ({way}) w cross join rounds r on r.number = w.number where {where}"
        else:
            sql, values = f"select r.* from rounds r where {where}", ()
        return self._projections.rows(f"{sql} {_LATEST}", *values, *self._values, limit)

    def _test(self, sql: str, *values: Any) -> None:
        self._tests.append(sql)
        self._values += values

    def _way(self, table: str, test: str, *values: Any) -> None:
        if table == "rounds":
            way = f"select h.number from rounds h where {test}"
        else:
            way = f"select distinct r.number from {table} h join rounds r on r.id = h.round where {test}"
        (count,) = self._projections.sql.execute(
            f"select count(*) from (select 1 from {table} h where {test} limit {_FEW})", values
        ).fetchone()
        self._ways.append((count, way, values))

    def _rounds(self, filters: Filters) -> None:
        for sql, value in (
            ('r."table" = ?', filters.table),
            ("r.began >= ?", moment_of(filters.since, "since")),
            ("r.began < ?", moment_of(filters.until, "until")),
            ("r.day = ?", filters.day and gaming_day(filters.day)),
        ):
            if value is not None:
                self._test(sql, value)
        if filters.before is not None:
            self._test("(r.began, r.id) < (?, ?)", self._began(filters.before), filters.before)
        for test, least in (
            ("win >= ?", filters.win),
            ("win <= ?", None if filters.loss is None else -filters.loss),
        ):
            if least is not None:
                # the plus keeps SQLite from sorting half the rounds by amount
                self._test(f"+r.{test}", least)
                self._way("rounds", f"h.{test}", least)

    def _began(self, id: str) -> str:
        for row in self._projections.rows("select began from rounds where id = ?", id):
            return str(row["began"])
        raise _no_such_round(id)

    def _facets(self, filters: Filters) -> None:
        if filters.seat is not None and not 1 <= filters.seat <= _SEATS:
            raise Refused("not_a_seat", f"seats are 1 to {_SEATS}", field="seat")
        if filters.result is not None and filters.result not in RESULTS:
            raise Refused("not_a_result", f"a result is {', '.join(RESULTS)}", field="result")
        names = [f"card {known_card(text)}" for text in filters.cards]
        given = {
            "seat": filters.seat, "wager": filters.wager, "result": filters.result,
            "outcome": filters.outcome,
        }  # fmt: skip
        names += [f"{name} {value}" for name, value in given.items() if value is not None]
        names += ["voided"] if filters.voided else []
        if not names:
            return
        found = self._projections.facets.rounds(names)
        self._projections.sql.create_function("has_facets", 1, found.has, deterministic=True)
        self._test("has_facets(r.number)")
        if len(found) < _FEW:
            numbers = msgspec.json.encode(list(found)).decode()
            self._ways.append((len(found), "select value as number from json_each(?)", (numbers,)))

    def _one_of(self, table: str, columns: dict[str, Any]) -> None:
        """A hand or a line of the round that matches all conditions."""
        given = {
            f"{name} {'>=' if name == 'paid' else '='} ?": value
            for name, value in columns.items()
            if value is not None
        }
        if given:
            tests = " and ".join(given)
            self._test(
                f"exists (select 1 from {table} where round = r.id and {tests})", *given.values()
            )


def moment_of(text: str | None, field: str) -> str | None:
    """A time in the form that rounds are compared with: without its Z it sorts before all of that second."""
    try:
        return None if text is None else utc(text).removesuffix("Z")
    except Refused as refusal:
        raise Refused(refusal.code, refusal.message, field=field) from None


def find_round(projections: Projections, id: str) -> dict[str, Any]:
    """One round with its hands and lines."""
    found = projections.rows("select * from rounds where id = ?", id)
    if not found:
        raise _no_such_round(id)
    (round,) = found
    del round["number"]
    round["hands"] = projections.rows("select * from hands where round = ? order by seat", id)
    round["lines"] = projections.rows("select * from lines where round = ? order by number", id)
    return round


def _no_such_round(id: str) -> Refused:
    return Refused(
        "no_such_round",
        f"there is no round {id!r} on this record",
        remedy="a round is named by table, opening and number, like yesterday.1.1",
    )


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
        if isinstance(event, e.TableOpened):
            learn_edition(log, edition_of(event))
        if event is not None:
            yield event
