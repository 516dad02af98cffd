"""Proof that a record is unbroken, or the first event that is not as it was written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from houseway.store.event import NOTHING, Event, Head, digest
from houseway.store.log import Log

if TYPE_CHECKING:
    from houseway.store.anchor import Anchor


class Fault(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first thing wrong in a stream: at which event, and what."""

    reason: str
    says: str
    stream: str | None = None
    version: int | None = None


class Verdict(msgspec.Struct, frozen=True):
    """What a verification found. The record is unbroken when there is no fault."""

    record: str
    streams: int
    events: int
    faults: tuple[Fault, ...]

    @property
    def unbroken(self) -> bool:
        return not self.faults


def verify(log: Log, anchors: Iterable[Anchor] = ()) -> Verdict:
    """Recompute every hash of the record, and compare it with anchors kept elsewhere."""
    heads: dict[str, Head] = {}
    faults: dict[str, Fault] = {}
    stream, version, link, count, broken = "", 0, NOTHING, 0, False
    for row in log.rows():
        name, number, time, actor, kind, schema, body, previous, hash = row
        count += 1
        if name != stream:
            if version:
                heads[stream] = Head(version, link)
            stream, version, link, broken = name, 0, NOTHING, False
        if broken:
            continue
        version += 1
        told = digest(link, name, version, time, actor, kind, schema, body)
        if told != hash or previous != link or number != version:
            faults[stream] = _fault(Event(*row), version)
            broken = True
        link = hash
    if version:
        heads[stream] = Head(version, link)
    for name, head in _heads(log, heads).items():
        if name not in faults and (fault := _end(log, name, heads.get(name), head)):
            faults[name] = fault
    found = [faults[name] for name in sorted(faults)]
    for anchor in anchors:
        found += [one for one in anchor.faults(log) if one.stream not in faults]
    return Verdict(log.id, len(heads), count, tuple(found))


def _heads(log: Log, scanned: dict[str, Head]) -> dict[str, Head]:
    return {**dict.fromkeys(scanned, Head(0, NOTHING)), **log.heads()}


def _fault(event: Event, version: int) -> Fault:
    """Why an event is not the one that must stand at `version`."""
    if event.version > version:
        last = event.version - 1
        which = f"event {version} is" if last == version else f"events {version} to {last} are"
        return Fault("missing", f"{which} missing", event.stream, version)
    told = digest(
        event.previous, event.stream, event.version, event.time, event.actor, event.kind,
        event.schema, event.body,
    )  # fmt: skip
    if told != event.hash:
        says = "the event does not match its own hash: it was changed"
        return Fault("changed", says, event.stream, version)
    says = "the event does not follow the one before it: one of the two was put in later"
    return Fault("not_linked", says, event.stream, version)


def _end(log: Log, stream: str, scanned: Head | None, head: Head) -> Fault | None:
    """Whether a stream ends where the database says; others may have appended meanwhile."""
    at = scanned or Head(0, NOTHING)
    if head == at:
        return None
    if head.version > at.version:
        following = next(log.read(stream, at.version, at.version + 1), None)
        if following is not None and following.previous == at.hash:
            return None
        return Fault(
            "missing",
            f"the stream had {head.version} events and ends after {at.version}",
            stream=stream,
            version=at.version + 1,
        )
    return Fault(
        "head",
        f"the stream's head says {head.version} events, and there are {at.version}",
        stream=stream,
        version=min(head.version, at.version) + 1,
    )
