"""The floor's logbook: devices out of order, decks and their age, validations, irregularities, meters.

Each is a projection, looked at with the filters that it has columns for, the latest first. Rows are
what JSON has; amounts in cents.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

import msgspec

from houseway.errors import Refused
from houseway.floor.audit.expected_hold import rules_of
from houseway.floor.audit.projections import Projections
from houseway.floor.audit.rounds import check_limit, moment_of
from houseway.floor.gaming_day import gaming_day
from houseway.money import payout
from houseway.table.gaming_day import moment
from houseway.table.procedure.opening import deck_hours


class When(msgspec.Struct, frozen=True):
    """Filters by place and time; all given ones must match. Times are ISO 8601, UTC without a zone."""

    table: str | None = None
    since: str | None = None
    until: str | None = None
    day: str | None = None
    limit: int = 50
    #: how many of the latest rows to skip: those of the previous pages
    skip: int = 0


class Book(NamedTuple):
    """A page of the logbook: its rows as SQL, the column that is its time, and what may be asked."""

    rows: str
    time: str = "time"
    asks: tuple[str, ...] = ()
    #: what is added to a row once it is read
    adds: Callable[[dict[str, Any]], dict[str, Any]] = lambda _: {}


#: a device changed to something else than working, until it changed again
_DEVICES = """select * from (select f.*, lead(time, 1, '') over w as until,
    lead(condition, 1, '') over w as next from faults f
    window w as (partition by "table", device order by version)) where condition <> 'working'"""
_DECKS = """select d.*, r.chapter, r.edition, r.edition_hash, r.file from decks d join rules r on r.hash = d.rules"""
#: with what was paid on it; a round that is not over has no lines yet
_VALIDATIONS = """select v.*, coalesce(l.outcome, '') as outcome, l.paid, l.stake, l.odds from validations v
    left join lines l on l.round = v.round and l.seat = v.seat and l.wager = v.wager
    and l.hand = v.hand"""
#: the previous movement is looked up only for the rows that are shown
_METERS = """select m.*, shows - (select shows from meters p where p."table" = m."table"
    and p.meter = m.meter and p.version < m.version order by p.version desc limit 1)
    as change from meters m"""


def _with_payout(row: dict[str, Any]) -> dict[str, Any]:
    """What the player was handed, as the floorperson validated it."""
    odds, stake, paid = row.pop("odds"), row.pop("stake"), row["paid"]
    return {"payout": None if paid is None else payout(odds, stake, paid)}


BOOKS: Mapping[str, Book] = {
    "devices": Book(_DEVICES, asks=("device", "condition", "next")),
    "decks": Book(_DECKS, time="received", asks=("removed",)),
    "validations": Book(_VALIDATIONS, asks=("who", "wager", "seat", "round"), adds=_with_payout),
    "irregularities": Book("select * from irregularities", asks=("kind", "who", "round")),
    "meters": Book(_METERS, asks=("meter", "why")),
}


def look(
    projections: Projections, name: str, when: When, asked: Mapping[str, Any] | None = None
) -> list[dict[str, Any]]:
    """The latest rows of a logbook page that match all filters."""
    check_limit(when.limit)
    book, day = BOOKS[name], when.day and gaming_day(when.day)
    tests = [
        ('"table" = ?', when.table),
        (f"{book.time} >= ?", moment_of(when.since, "since")),
        (f"{book.time} < ?", moment_of(when.until, "until")),
        # a coarse filter that holds in any time zone; other days need no exact check
        (f"{book.time} >= ?", day and _days_from(day, -2)),
        (f"{book.time} < ?", day and _days_from(day, 3)),
        (f"gaming_day({book.time}) = ?", day),
    ]
    for column, value in (asked or {}).items():
        if column not in book.asks:
            raise Refused("no_such_filter", f"{name} are not looked up by {column}", field=column)
        tests.append((f"{column} = ?", value))
    given = [(test, value) for test, value in tests if value is not None]
    where = " and ".join(test for test, _ in given) or "true"
    rows = projections.rows(
        f'select * from ({book.rows}) where {where} order by {book.time} desc, "table",'
        " version desc limit ? offset ?",
        *(value for _, value in given), when.limit, when.skip,
    )  # fmt: skip
    return [{**row, **book.adds(row)} for row in rows]


def decks(
    projections: Projections, when: When, at: str, *, in_use: bool = False
) -> list[dict[str, Any]]:
    """Decks with their age at a given time and, if the chapter limits it, when to change them."""
    found = look(projections, "decks", when, {"removed": ""} if in_use else None)
    for deck in found:
        rules = rules_of(
            deck["chapter"], deck.pop("edition"), deck.pop("file"), deck.pop("edition_hash")
        )
        received, last = _utc(deck["received"]), _utc(deck["removed"] or at)
        hours, clause = deck_hours(rules) or (None, "")
        due = None if hours is None else received + timedelta(hours=hours)
        deck["age_minutes"] = (last - received) // timedelta(minutes=1)
        deck["change_by"] = _text(due) if due else ""
        deck["overdue"] = due is not None and last > due
        deck["clause"] = clause
        del deck["rules"]
    return found


def _days_from(day: str, many: int) -> str:
    first, last = date.min.toordinal(), date.max.toordinal()
    return date.fromordinal(
        min(max(date.fromisoformat(day).toordinal() + many, first), last)
    ).isoformat()


def _utc(text: str) -> datetime:
    found = moment(text)
    return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)


def _text(at: datetime) -> str:
    return at.replace(tzinfo=None).isoformat() + "Z"
