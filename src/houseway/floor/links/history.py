"""The history of a link: what was done to it, and what its meters held through time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime
from fractions import Fraction
from typing import Any

import msgspec

from houseway.errors import Refused
from houseway.floor.links.operations import Link, links
from houseway.floor.links.record import (
    LinkState,
    Reading,
    feed_stream,
    link_stream,
    read_feed,
    stand,
)
from houseway.floor.people.directory import People
from houseway.law import Chapter, chapter
from houseway.law.hand_names import hand_words
from houseway.money import dollars, exactly, spoken
from houseway.store import Event, Log


class Point(msgspec.Struct, frozen=True):
    """What the meters held at a time: exact cents, and dollars as shown."""

    time: str
    holds: dict[str, str]
    shows: dict[str, str]


class Act(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event of the link's own stream, in words."""

    version: int
    time: str
    kind: str
    actor: str
    says: str
    data: dict[str, Any]


def acts(log: Log, name: str) -> Iterator[Act]:
    """What was done to a link, one by one."""
    named, law = People(log).name, law_of(log, link_stream(name))
    for event in log.read(link_stream(name)):
        says = in_words(event, law, named)
        yield Act(event.version, event.time, event.kind, event.actor, says, event.data)


def law_of(log: Log, stream: str) -> Chapter | None:
    """The chapter that a link or a table was first opened for, if it is installed."""
    for event in log.read(stream, 0, 1):
        rules = event.data.get("rules", {})
        try:
            return chapter(event.data.get("chapter") or rules.get("chapter", ""))
        except Refused:
            return None
    return None


def in_words(event: Event, law: Chapter | None, named: Callable[[str], str]) -> str:
    """What an event of a link's own stream says, with the names of meters and people."""

    def signer(actor: str) -> str:
        role, _, id = actor.rpartition(" ")
        return f"{role} {named(id)}".strip()

    title = law.meter_title if law is not None else _words
    data = dict(event.data)
    for field, name in {"wager": title, "meter": title, "by": signer, "second": signer}.items():
        if field in data:
            data[field] = name(data[field])
    if "tiers" in data:
        # a wager with one meter has no tier to name
        data["tiers"] = [tier for meter in data["tiers"] if (tier := meter.partition(".")[2])]
    if "amounts" in data:
        data["amounts"] = {title(meter): held for meter, held in data["amounts"].items()}
    return _SAYS[event.kind](data)


def _amounts(amounts: dict[str, Any]) -> str:
    return ", ".join(f"{name} {_exact(held[0])}" for name, held in amounts.items())


def _exact(cents: str) -> str:
    amount = Fraction(cents)
    return f"{'-' if amount < 0 else ''}${exactly(abs(amount))}"


def _words(name: str) -> str:
    return name.replace("_", " ")


_SAYS = {
    "link_opened": lambda data: ": ".join(
        filter(None, (f"opened for {data['wager']}", ", ".join(data["tiers"])))
    ),
    "table_joined": lambda data: f"table {data['table']} joined",
    "table_left": lambda data: f"table {data['table']} left",
    "win_claimed": lambda data: (
        f"table {data['table']}, seat {data['seat']}: {hand_words(data['outcome'])} on {data['meter']}, seen"
    ),
    "claim_withdrawn": lambda data: (
        f"table {data['table']}, seat {data['seat']}: {hand_words(data['outcome'])} does not stand"
    ),
    "share_paid": lambda data: (
        f"table {data['table']}, seat {data['seat']}: paid the {spoken(data['amount'])} set aside"
    ),
    "meter_paid": lambda data: (
        f"table {data['table']}, seat {data['seat']}: {hand_words(data['outcome'])}, {data['odds']},"
        f" {spoken(data['amount'])} from {data['meter']}"
        f"{', shared by ' + str(data['winners']) if data.get('winners', 1) > 1 else ''}"
    ),
    "meter_adjusted": lambda data: (
        f"{data['meter']} adjusted by {_exact(data['amount'])}: {data['reason']}"
        f" ({data['by']}, {data['second']})"
    ),
    "contribution_kept": lambda data: (
        f"table {data['table']}, void round {data['round']}: {_exact(data['amount'])} of its"
        f" contribution stays in {data['meter']}, which has paid since"
    ),
    "meters_moved": lambda data: (
        f"{_amounts(data['amounts'])}"
        f" {'from ' + data['source'] if 'source' in data else 'to ' + data['to']}:"
        f" {data['reason']} ({data['by']}, {data['second']})"
    ),
    "link_shut_down": lambda data: f"shut down: {data['reason']} ({data['by']}, {data['second']})",
}


def points(log: Log, name: str, count: int = 24) -> list[Point]:
    """What the meters held at a number of evenly spaced times from the opening to the last event."""
    own = list(log.read(link_stream(name)))
    reading = Link(log, name).read()
    ends = [event.time for event in log.last(_feeds(reading)).values()]
    times = moments(own[0].time, max([own[-1].time, *ends], key=_moment), count)
    return [_point(log, reading, own, time) for time in times]


def moments(first: str, last: str, count: int) -> list[datetime]:
    """A number of evenly spaced times from the first to the last."""
    begin, end = _moment(first), _moment(last)
    step = (end - begin) / max(count - 1, 1)
    return [begin + step * number for number in range(count)] if end > begin else [end]


def _feeds(reading: Reading) -> list[str]:
    return [feed_stream(table, reading.standing.name) for table in reading.standing.tables]


def _point(log: Log, reading: Reading, own: list[Event], time: datetime) -> Point:
    # clocks may differ between machines; the order of the stream does not
    past = [number for number, event in enumerate(own) if _moment(event.time) <= time]
    standing = LinkState()
    for event in own[: past[-1] + 1 if past else 1]:
        standing = stand(standing, event)
    wagered = sum(
        _wagered_at(log, feed_stream(table, standing.name), version, time)
        for table, version in reading.versions.items()
    )
    meters = {
        name: standing.ledgers[name].meter(terms, wagered) for name, terms in standing.terms.items()
    }
    at = time.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
    return Point(
        at,
        {name: str(meter.holds) for name, meter in meters.items()},
        {name: dollars(meter.shows) for name, meter in meters.items()},
    )


def _wagered_at(log: Log, stream: str, last: int, time: datetime) -> int:
    """What a feed's sum was at a time."""
    at = version_at(log, stream, last, time)
    return read_feed(next(log.read(stream, at - 1, at))).wagered if at else 0


def version_at(log: Log, stream: str, last: int, time: datetime) -> int:
    """Where a stream stood at a time: its events lie in the order of their times."""
    low, high = 0, last
    while low < high:
        middle = (low + high + 1) // 2
        (event,) = log.read(stream, middle - 1, middle)
        if _moment(event.time) <= time:
            low = middle
        else:
            high = middle - 1
    return low


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


# for the wall


class Shown(msgspec.Struct, frozen=True):
    """A link as a wall shows it."""

    link: str
    wager: str
    meters: dict[str, str]
    wins: tuple[dict[str, Any], ...]
    tables: tuple[str, ...]
    shut: str


def shown(reading: Reading) -> Shown:
    standing = reading.standing
    return Shown(
        standing.name,
        standing.wager,
        {name: dollars(meter.shows) for name, meter in reading.meters.items()},
        tuple(msgspec.to_builtins(win) for win in standing.wins),
        tuple(table for table, feeds in standing.tables.items() if feeds),
        standing.shut,
    )


def wall(log: Log) -> list[Shown]:
    """Every link that is open."""
    found = (shown(link.read()) for link in links(log))
    return [one for one in found if not one.shut]


def follow(log: Log, stop: threading.Event, patience: float = 0.15) -> Iterator[list[Shown]]:
    """The wall again whenever a meter has moved, until `stop` is set."""
    with closing(log.watch()) as watch:
        every = links(log)
        before: list[Shown] = []
        while not stop.is_set():
            if len(log.heads(prefix="link/")) != len(every):
                every = links(log)
            now = [one for one in (shown(link.read()) for link in every) if not one.shut]
            if now != before:
                before = now
                yield now
            watch.wait(patience)
