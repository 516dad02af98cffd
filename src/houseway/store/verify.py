"""Verify that a record is unbroken, or find the first event that was changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from houseway.errors import Refused
from houseway.store.event import NOTHING, Event, check_event
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
    for row, told in log.linked():
        name, number, previous, hash = row[0], row[1], row[7], row[8]
        count += 1
        if name != stream:
            streams += 1
            stream, version, link, broken = name, 0, NOTHING, False
        if broken:
            continue
        version += 1
        if told != hash or previous != link or number != version:
            faults[stream] = _fault(Event(*row), version)
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
    try:
        check_event(event)
    except (Refused, TypeError, ValueError, AttributeError):  # a column of another type is a change
        return Fault("changed", _CHANGED, event.stream, version)
    says = "the event does not follow the one before it: one of the two was put in later"
    return Fault("not_linked", says, event.stream, version)
