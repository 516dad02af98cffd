"""Verify that a record is unbroken, or find the first event that was changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from houseway.store.event import NOTHING, Event, digest
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
    faults: dict[str, Fault] = {}
    stream, version, link, streams, count, broken = "", 0, NOTHING, 0, 0, False
    for row in log.rows():
        name, number, time, actor, kind, schema, body, previous, hash = row
        count += 1
        if name != stream:
            streams += 1
            stream, version, link, broken = name, 0, NOTHING, False
        if broken:
            continue
        version += 1
        try:
            told = digest(link, name, version, time, actor, kind, schema, body)
            if told != hash or previous != link or number != version:
                faults[stream] = _fault(Event(*row), version)
                broken = True
        except (TypeError, ValueError, AttributeError):
            # a column whose type is not the one that is written
            faults[stream] = Fault("changed", _CHANGED, stream, version)
            broken = True
        link = hash
    found = [faults[name] for name in sorted(faults)]
    for anchor in anchors:
        found += [one for one in anchor.faults(log) if one.stream not in faults]
    return Verdict(log.id, streams, count, tuple(found))


_CHANGED = "the event does not match its own hash: it was changed"


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
        return Fault("changed", _CHANGED, event.stream, version)
    says = "the event does not follow the one before it: one of the two was put in later"
    return Fault("not_linked", says, event.stream, version)
