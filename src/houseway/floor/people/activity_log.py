"""What people did, in words, newest first: came and went, looked, took away, acted at a table.

Read backwards from the ends of the streams that know it, a page at a time, so that a long record
answers as fast as a short one and all of it can be reached.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec

from houseway.errors import Refused
from houseway.floor.audit.rounds import moment_of
from houseway.floor.bots.dealer import SYSTEM
from houseway.floor.bots.players import is_system
from houseway.floor.links.history import in_words, version_at
from houseway.floor.links.record import PREFIX as LINKS
from houseway.floor.people.access import ACCESS, LOOKED, NOT_LET_IN, TAKEN
from houseway.floor.people.directory import PEOPLE
from houseway.floor.recorded_table import table_event, utc
from houseway.floor.streams import PREFIX as TABLES
from houseway.store import Event, Log
from houseway.table import events as e
from houseway.table.event_text import describe, in_public

#: events of a stream that are read at once, at first and at most, and of all streams for one page
_FIRST, _AT_ONCE, _FAR = 20, 200, 10_000
#: clocks of several machines, and commands that waited, put times out of order by less than this
_ASTRAY = timedelta(minutes=5)
#: who is at a table as themselves
_PERSONS = ("player", "dealer", "floorperson")
#: what follows from what somebody did, and is no deed
_FOLLOWS = (e.PhaseBegan, e.MeterMoved, e.SettlementDue, e.DeckTurn)


class Deed(msgspec.Struct, frozen=True):
    """Something that somebody did, where on the record it stands, and a table's or link's name."""

    time: str
    person: str
    says: str
    stream: str
    version: int


_WAYS = {"browser": "a browser", "api": "a program's token", "link": "a one-time link"}

_SAYS: dict[str, Callable[[dict[str, Any]], str]] = {
    "person_added": lambda body: f"added {body['id']}: {', '.join(body['roles']) or 'no role'}",
    "roles_changed": lambda body: (
        f"made {body['id']}: {', '.join(body['roles']) or 'nothing any more'}"
    ),
    "session_opened": lambda body: f"signed in by {_WAYS.get(body['kind'], body['kind'])}",
    "session_closed": lambda _: "signed out",
    "went_away": lambda body: f"left the page of table {body['table']}",
    "came_back": lambda body: f"came back to table {body['table']}",
    LOOKED: lambda body: f"looked at {body['what']} {body['of']}".strip(),
    TAKEN: lambda body: f"took away the {body['what']} of {body['of']}",
    NOT_LET_IN: lambda body: f"was not let in: a wrong password, from {body['of']}",
}


#: after every time
_LATEST = "~"


class Place(NamedTuple):
    """Where a page goes on: deeds are shown in the order of these, the greatest first."""

    time: str
    stream: str = ""
    version: int = 0

    def __str__(self) -> str:
        return f"{self.time} {self.version} {self.stream}"

    @classmethod
    def read(cls, text: str) -> Place:
        """What an address says, a place or a time alone."""
        time, _, rest = text.partition(" ")
        moment = moment_of(time, "until")
        if not rest:
            return cls(moment or "")
        version, _, stream = rest.partition(" ")
        if not (version.isdecimal() and len(version) < 16 and stream):
            raise Refused("not_a_place", f"{text!r} is no place on the record", field="at")
        return cls(time, stream, int(version))


class Page(NamedTuple):
    """Deeds, the latest first, and where the next page goes on; None where there is no more."""

    deeds: list[Deed]
    older: Place | None


def deeds(log: Log, person: str = "", most: int = 200, before: Place | None = None) -> Page:
    """What everybody did, or one, before a place: the latest of it, or as far as one page looks."""
    streams = [PEOPLE, ACCESS, *log.heads(prefix=TABLES), *log.heads(prefix=LINKS)]
    last = log.last(streams).values()
    events = heapq.merge(
        *(_backwards(log, event, before) for event in last),
        key=lambda found: found[0], reverse=True,
    )  # fmt: skip
    found: list[Deed] = []
    for number, (place, event) in enumerate(events):
        if len(found) == most or number == _FAR:
            return Page(found, before)
        before = place
        who = _who(event)
        if who and person in ("", who) and (says := _says(event)):
            found.append(Deed(event.time, who, says, event.stream, event.version))
    return Page(found, None)


def _backwards(log: Log, last: Event, before: Place | None) -> Iterator[tuple[Place, Event]]:
    """A stream from its last event to its first, each at a time not after that of a later one."""
    upto, time, many = last.version, last.time, _FIRST
    if before is not None and last.stream == before.stream:
        upto, time = min(upto, before.version - 1), before.time
    elif before is not None:
        there = datetime.fromisoformat(utc(before.time))
        if datetime.fromisoformat(time) - _ASTRAY > there:
            upto, time = version_at(log, last.stream, upto, there + _ASTRAY), _LATEST
    while upto:
        after = max(upto - many, 0)
        for event in reversed(list(log.read(last.stream, after, upto))):
            time = min(time, event.time)
            place = Place(time, last.stream, event.version)
            if before is None or place < before:
                yield place, event
        upto, many = after, min(many * 2, _AT_ONCE)


def _who(event: Event) -> str:
    """The person behind an event; empty where it was the system or a device."""
    if event.stream in (PEOPLE, ACCESS):
        return "" if is_system(event.actor) else event.actor
    role, _, who = event.actor.partition(" ")
    return who if role in _PERSONS and who != SYSTEM and not is_system(who) else ""


def _says(event: Event) -> str:
    if event.stream.startswith(TABLES):
        told = table_event(event)
        if told is None or told.follows or isinstance(told, _FOLLOWS):
            return ""
        plain = told if isinstance(told, e.PlayerSat) else in_public(told)
        return f"{describe(plain)} (table {event.stream.removeprefix(TABLES)})"
    if event.stream.startswith(LINKS):
        return f"{in_words(event)} (link {event.stream.removeprefix(LINKS)})"
    return _SAYS[event.kind](event.data) if event.kind in _SAYS else ""
