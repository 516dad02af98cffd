"""Closed gaming days into archives, and out of the record when its retention says so.

The stream `archives` records, for each day, its file and where each stream stood, and for each
removal, the first event that is still in the record. Configuration, people and submissions are not
archived: they are small and are read whenever a house opens.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import msgspec

from houseway.errors import Refused
from houseway.floor import clock
from houseway.floor.gaming_day import facility_time
from houseway.floor.live_table import live_folding
from houseway.floor.recorded_table import FOLDING
from houseway.floor.streams import PREFIX
from houseway.store import EMPTY, Head, Log, New, Write, retrying
from houseway.store.archives import Archives, archive_path, write_archive
from houseway.store.verify import ARCHIVES, REMOVED

#: the streams that grow with every round
_PREFIXES = (PREFIX, "chips/", "meter/")
RETENTION = "config/retention"
_ARCHIVED = "day_archived"


class Retention(msgspec.Struct, frozen=True):
    """How long events stay in the record after their day is archived, and how long archives are
    kept.
    """

    #: gaming days; None leaves everything in the record
    live_days: int | None = None
    #: years for which the agency wants archives kept; nothing is deleted, it is only said
    keep_years: int = 5


class Archived(msgspec.Struct, frozen=True):
    """A day that was archived: the file, and how many events it has."""

    day: str
    file: str
    events: int
    bytes: int


def retention(log: Log) -> Retention:
    """The retention that is configured on the record."""
    for event in log.read(RETENTION, log.head(RETENTION).version - 1):
        return msgspec.convert(event.data, Retention)
    return Retention()


def set_retention(log: Log, chosen: Retention, who: str) -> None:
    """Record a new retention, and who set it and when."""
    if (chosen.live_days is not None and chosen.live_days < 1) or chosen.keep_years < 1:
        raise Refused("retention", "days and years must be at least 1")
    _put(log, RETENTION, "retention_set", msgspec.to_builtins(chosen), who)


def _put(log: Log, stream: str, kind: str, body: object, who: str) -> None:
    new = New(kind, body, who, clock.now())
    retrying(log, lambda: [Write(stream, log.head(stream).version, (new,))])


def _archived(log: Log) -> tuple[list[str], dict[str, Head]]:
    """The days that are archived, and where each stream stood at the end of them."""
    days: list[str] = []
    heads: dict[str, Head] = {}
    for event in log.read(ARCHIVES):
        if event.kind == _ARCHIVED:
            body = event.data
            days.append(body["day"])
            heads |= {
                name: Head(version, bytes.fromhex(hash))
                for name, (version, hash) in body["ends"].items()
            }
    return days, heads


def archive(log: Log, folder: Path, who: str, upto: str | None = None) -> list[Archived]:
    """Archive every closed gaming day that is not archived yet, the oldest first.

    A day is closed when the next has begun. With `upto` no later day is archived.
    """
    here = facility_time(log)
    yesterday = (date.fromisoformat(here.day(clock.now())) - timedelta(days=1)).isoformat()
    if upto is not None and upto > yesterday:
        raise Refused("day_not_closed", f"the gaming day {upto} is not over yet", field="day")
    days, heads = _archived(log)
    done = []
    for day, parts in _days(log, heads, upto or yesterday):
        if days and day <= days[-1]:
            raise Refused("day_archived", f"the gaming day {day} is archived already", field="day")
        path = archive_path(folder, day)
        manifest = write_archive(log, path, day, clock.now(), parts)
        body = {"day": day, "file": path.name, "events": manifest.events, "ends": manifest.ends}
        _put(log, ARCHIVES, _ARCHIVED, body, who)
        done.append(Archived(day, path.name, manifest.events, path.stat().st_size))
    return done


def _days(
    log: Log, heads: dict[str, Head], upto: str
) -> Iterator[tuple[str, dict[str, tuple[Head, Head]]]]:
    """For each day on which something happened: the part of each stream that belongs to it.

    A stream is cut where its first event of a later day stands; time never runs back in it.
    """
    here = facility_time(log)
    names = [name for prefix in _PREFIXES for name in log.heads(prefix=prefix)]
    parts: dict[str, dict[str, tuple[Head, Head]]] = {}
    for name in names:
        begin = end = heads.get(name, EMPTY)
        day = ""
        for event in log.read(name, begin.version):
            today = max(day, here.day(event.time))
            if day and today > day:
                parts.setdefault(day, {})[name] = (begin, end)
                begin = end
            if today > upto:
                break
            day, end = today, Head(event.version, event.hash)
        else:
            if day:
                parts.setdefault(day, {})[name] = (begin, end)
    yield from sorted(parts.items())


def remove_archived(log: Log, archives: Archives, who: str) -> int:
    """Remove the events that the retention no longer keeps in the record; returns how many.

    Every event must be readable in an archive first. The last block of a stream always stays, and
    so do a table's events since its snapshot, so that a house opens without its archives.
    """
    chosen = retention(log)
    if chosen.live_days is None:
        return 0
    here = facility_time(log)
    oldest = date.fromisoformat(here.day(clock.now())) - timedelta(days=chosen.live_days)
    heads: dict[str, Head] = {}
    for event in log.read(ARCHIVES):
        if event.kind == _ARCHIVED and event.data["day"] < oldest.isoformat():
            heads |= {name: Head(at, b"") for name, (at, _) in event.data["ends"].items()}
    before = log.bases()
    bases: dict[str, Head] = {}
    for name, head in heads.items():
        cut = log.boundary(name, min(head.version, _needed(log, name) - 1))
        after = before.get(name, EMPTY).version
        if cut is None or cut.version <= after:
            continue
        last = None
        for one, there in zip(
            log.read(name, after, cut.version), archives.read(name, after, cut.version), strict=True
        ):
            if one != there:
                raise Refused("damaged", f"{name}, event {one.version}: the archive has another")
            last = one
        if last is not None and last.version == cut.version:
            bases[name] = cut
    if not bases:
        return 0
    _put(
        log,
        ARCHIVES,
        REMOVED,
        {"bases": {n: (b.version, b.hash.hex()) for n, b in bases.items()}},
        who,
    )
    log.remove_archived(bases)
    return sum(at.version - before.get(name, EMPTY).version for name, at in bases.items())


def _needed(log: Log, stream: str) -> int:
    """The first event of a stream that a house needs: the one at which the table's snapshot was kept."""
    if not stream.startswith(PREFIX):
        return log.head(stream).version
    kept = [log.snapshot(stream, maker) for maker in (FOLDING.maker, live_folding().maker)]
    return min((found[0] for found in kept if found is not None), default=0)


def expired(log: Log, archives: Archives) -> list[str]:
    """The days whose archives nobody needs to keep any longer."""
    today = date.fromisoformat(facility_time(log).day(clock.now()))
    years = retention(log).keep_years
    limit = date(today.year - years, today.month, min(today.day, 28)).isoformat()
    return [day for day in archives.days() if day < limit]
