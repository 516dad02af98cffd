"""What people did, in words, newest first: sign-ins, views, downloads, acts at tables.

Read backwards from the ends of the streams that know it, a page at a time, so that a long record
answers as fast as a short one and all of it can be reached.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import cache, partial
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from houseway.errors import Refused
from houseway.floor.audit.rounds import moment_of
from houseway.floor.bots.dealer import SYSTEM, SYSTEM_FLOOR
from houseway.floor.bots.players import is_system
from houseway.floor.links.history import in_words, law_of, version_at
from houseway.floor.links.record import PREFIX as LINKS
from houseway.floor.people.access import (
    ACCESS,
    LOOKED,
    NOT_LET_IN,
    PROBING,
    REFUSED,
    SIGNED,
    TAKEN,
)  # fmt: skip
from houseway.floor.people.directory import PEOPLE, People
from houseway.floor.recorded_table import table_event, utc
from houseway.floor.streams import PREFIX as TABLES
from houseway.law import Chapter
from houseway.store import Event, Log
from houseway.table import events as e
from houseway.table.event_text import describe, in_public, words

#: how many events of a stream are read at once, at first and at most, and of all streams for a page
_FIRST, _AT_ONCE, _FAR = 20, 200, 10_000
#: clock differences and waiting commands put times out of order by less than this
_ASTRAY = timedelta(minutes=5)
#: the roles in which people act under their own names
_PERSONS = ("player", "dealer", "floorperson")
#: events that follow from an act and are not acts themselves
_FOLLOWS = (e.PhaseBegan, e.MeterMoved, e.SettlementDue, e.DeckTurn)


class Activity(msgspec.Struct, frozen=True):
    """One act of a person: its place in the record, and the name of the table or link."""

    time: str
    person: str
    says: str
    stream: str
    version: int


_WAYS = {"browser": "a browser", "api": "a program's token", "link": "a one-time link"}

#: people in a body are given by name: `_SAYS` is called with `_named`
_SAYS: dict[str, Callable[[dict[str, Any]], str]] = {
    "person_added": lambda body: f"added {body['id']}: {', '.join(body['roles']) or 'no role'}",
    "roles_changed": lambda body: (
        f"changed the roles of {body['id']}: {', '.join(body['roles']) or 'none'}"
    ),
    "session_opened": lambda body: f"signed in by {_WAYS.get(body['kind'], body['kind'])}",
    "session_closed": lambda _: "signed out",
    "person_disabled": lambda body: f"disabled {body['person']}",
    "person_enabled": lambda body: f"enabled {body['person']} again",
    "password_reset": lambda body: f"reset the password of {body['person']}, with {body['second']}",
    SIGNED: lambda body: f"signed for {words(body['what'])} ({body['of']})",
    REFUSED: lambda body: f"was refused: {words(body['what'])} ({words(body['of'])})",
    PROBING: lambda body: f"tried {body['of']} commands that were refused within a minute",
    "went_away": lambda body: f"left the page of table {body['table']}",
    "came_back": lambda body: f"came back to table {body['table']}",
    LOOKED: lambda body: f"looked at {body['what']} {body['of']}".strip(),
    TAKEN: lambda body: f"downloaded the {body['what']} of {body['of']}",
    NOT_LET_IN: lambda body: f"failed to sign in: wrong password, from {body['of']}",
}


#: after every time
_LATEST = "~"


class Place(NamedTuple):
    """Where a page continues; entries are sorted by these, the greatest first."""

    time: str
    stream: str = ""
    version: int = 0

    def __str__(self) -> str:
        return f"{self.time} {self.version} {self.stream}"

    @classmethod
    def read(cls, text: str) -> Place:
        """A place or a time, as an address states it."""
        time, _, rest = text.partition(" ")
        moment = moment_of(time, "until")
        if not rest:
            return cls(moment or "")
        version, _, stream = rest.partition(" ")
        if not (version.isdecimal() and len(version) < 16 and stream):
            raise Refused("not_a_place", f"{text!r} is not a place on the record", field="at")
        return cls(time, stream, int(version))


class Page(NamedTuple):
    """Entries, the latest first, and where the next page continues; None at the end."""

    activities: list[Activity]
    older: Place | None


def activities(log: Log, person: str = "", most: int = 200, before: Place | None = None) -> Page:
    """What everybody, or one person, did before a place: the latest entries that fit on a page."""
    streams = [PEOPLE, ACCESS, *log.heads(prefix=TABLES), *log.heads(prefix=LINKS)]
    last = log.last(streams).values()
    events = heapq.merge(
        *(_backwards(log, event, before) for event in last),
        key=lambda found: found[0], reverse=True,
    )  # fmt: skip
    named, law = People(log).name, cache(partial(law_of, log))
    found: list[Activity] = []
    for number, (place, event) in enumerate(events):
        if len(found) == most or number == _FAR:
            return Page(found, before)
        before = place
        who = _who(event)
        if who and person in ("", who) and (says := _says(event, law, named)):
            found.append(Activity(event.time, who, says, event.stream, event.version))
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
    """The person behind an event; empty for the system or a device."""
    if event.stream in (PEOPLE, ACCESS):
        return "" if is_system(event.actor) else event.actor
    role, _, who = event.actor.partition(" ")
    house = who in (SYSTEM, SYSTEM_FLOOR) or is_system(who)
    return who if role in _PERSONS and not house else ""


def _says(event: Event, law: Callable[[str], Chapter | None], named: Callable[[str], str]) -> str:
    if event.stream.startswith(TABLES):
        told = table_event(event)
        if told is None or told.follows or isinstance(told, _FOLLOWS):
            return ""
        plain = in_public(told)
        if isinstance(told, e.PlayerSat):
            plain = replace(told, player=named(told.player))
        elif isinstance(told, e.DealerChanged):
            plain = replace(told, dealer=named(told.dealer))
        return f"{describe(plain, law(event.stream))} (table {event.stream.removeprefix(TABLES)})"
    if event.stream.startswith(LINKS):
        said = in_words(event, law(event.stream), named)
        return f"{said} (link {event.stream.removeprefix(LINKS)})"
    return _SAYS[event.kind](_named(event, named)) if event.kind in _SAYS else ""


def _named(event: Event, named: Callable[[str], str]) -> dict[str, Any]:
    """The body of an event with people's names in place of their ids."""
    body = dict(event.data)
    for field in ("id", "person", "second"):
        if field in body:
            body[field] = named(body[field])
    if event.kind == SIGNED:
        what, _, other = body["of"].rpartition(", with ")
        whose, colon, rest = what.partition(": ")
        body["of"] = f"{named(whose)}{colon}{rest}, with {named(other)}" if other else what
    elif body.get("what") == "what was done by":
        body["of"] = named(body["of"])
    return body
