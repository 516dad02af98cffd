"""What people did, in words, newest first: came and went, looked, took away, acted at a table.

Read from the ends of the streams that know it, so that a long record answers as fast as a short one.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from houseway.floor.access import ACCESS, LOOKED, NOT_LET_IN, TAKEN
from houseway.floor.company import is_system
from houseway.floor.dealer import SYSTEM
from houseway.floor.link_history import in_words
from houseway.floor.link_record import PREFIX as LINKS
from houseway.floor.people import PEOPLE
from houseway.floor.recording import table_event
from houseway.floor.streams import PREFIX as TABLES
from houseway.store import Event, Log
from houseway.table import events as e
from houseway.table.telling import in_public, tell

#: events that are read at once, and at most, from the end of a stream
_AT_ONCE, _FAR = 200, 4_000
#: who is at a table as themselves
_PERSONS = ("player", "dealer", "floorperson")
#: what follows from what somebody did, and is no deed
_FOLLOWS = (e.PhaseBegan, e.MeterMoved, e.SettlementDue, e.DeckTurn, e.TotalAnnounced)


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


def deeds(log: Log, person: str = "", most: int = 200) -> list[Deed]:
    """The latest deeds of everybody, or of one."""
    streams = [PEOPLE, ACCESS, *log.heads(prefix=TABLES), *log.heads(prefix=LINKS)]
    found = heapq.merge(
        *(_of(log, stream, person) for stream in streams),
        key=lambda deed: (deed.time, deed.version), reverse=True,
    )  # fmt: skip
    return list(itertools.islice(found, most))


def _of(log: Log, stream: str, person: str) -> Iterator[Deed]:
    for event in _backwards(log, stream):
        who = _who(event)
        if who and person in ("", who):
            says = _says(event)
            if says:
                yield Deed(event.time, who, says, stream, event.version)


def _backwards(log: Log, stream: str) -> Iterator[Event]:
    """The end of a stream, newest first."""
    upto = log.head(stream).version
    for _ in range(0, _FAR, _AT_ONCE):
        if not upto:
            return
        after = max(upto - _AT_ONCE, 0)
        yield from reversed(list(log.read(stream, after, upto)))
        upto = after


def _who(event: Event) -> str:
    """The person behind an event; empty where it was the system or a device."""
    if event.stream in (PEOPLE, ACCESS):
        return "" if is_system(event.actor) else event.actor
    role, _, who = event.actor.partition(" ")
    return who if role in _PERSONS and who != SYSTEM and not is_system(who) else ""


def _says(event: Event) -> str:
    if event.stream.startswith(TABLES):
        told = table_event(event)
        if told is None or isinstance(told, _FOLLOWS):
            return ""
        plain = told if isinstance(told, e.PlayerSat) else in_public(told)
        return f"{tell(plain)} (table {event.stream.removeprefix(TABLES)})"
    if event.stream.startswith(LINKS):
        return f"{in_words(event)} (link {event.stream.removeprefix(LINKS)})"
    return _SAYS[event.kind](event.data) if event.kind in _SAYS else ""
