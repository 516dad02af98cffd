"""Verify that the chain of a record is intact, or find the first event that was changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from houseway.errors import Refused
from houseway.store.event import EMPTY, NOTHING, Event, Head, check_event
from houseway.store.log import Log

if TYPE_CHECKING:
    from houseway.store.security.anchor import Anchor


#: the stream that says what was archived and removed, and the kind of event that says the latter
ARCHIVES, REMOVED = "archives", "events_removed"


class Fault(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first thing wrong in a stream: at which event, and what."""

    reason: str
    says: str
    stream: str | None = None
    version: int | None = None


class Verdict(msgspec.Struct, frozen=True):
    """The result of a verification. The chain is intact if there is no fault."""

    record: str
    streams: int
    events: int
    faults: tuple[Fault, ...]
    #: events that were archived and whose archives are not here: the chain begins after them
    archived: int = 0

    @property
    def unbroken(self) -> bool:
        return not self.faults


def verify(log: Log, anchors: Iterable[Anchor] = ()) -> Verdict:
    """Recompute every hash of the record, and compare it with anchors kept elsewhere.

    Archives that are at hand are part of the record. Without them a stream begins where the record
    itself says that it was cut.
    """
    faults: dict[str, Fault] = {}
    stream, version, link, streams, count, broken = "", 0, NOTHING, 0, 0, False
    bases = log.bases()
    faults |= {one.stream: one for one in _wrong_bases(log, bases) if one.stream}
    if log.archives is not None and log.manifest is None:
        bases = {}
    try:
        for row, told in log.linked():
            name, number, previous, hash = row[0], row[1], row[7], row[8]
            count += 1
            if name != stream:
                streams += 1
                base = bases.get(name, EMPTY)
                stream, version, link, broken = name, base.version, base.hash, name in faults
            if broken:
                continue
            version += 1
            if told != hash or previous != link or number != version:
                faults[stream] = _fault(Event(*row), version)
                broken = True
            link = hash
    except Refused as missing:
        if missing.code != "archive_missing":
            raise
        faults[""] = Fault(missing.code, missing.fault)
    found = [faults[name] for name in sorted(faults)]
    for anchor in anchors:
        found += [one for one in anchor.faults(log) if one.stream not in faults]
    archived = sum(base.version for base in bases.values())
    return Verdict(log.id, streams, count, tuple(found), archived)


def _wrong_bases(log: Log, bases: Mapping[str, Head]) -> Iterator[Fault]:
    """Streams that begin at another event than the record says it cut them at."""
    if not bases or log.manifest is not None:
        return
    said = {
        (name, version, hash)
        for event in log.read(ARCHIVES)
        if event.kind == REMOVED
        for name, (version, hash) in event.data["bases"].items()
    }
    for name, base in bases.items():
        if (name, base.version, base.hash.hex()) not in said:
            says = "the stream begins here, and the record does not say that what was before was archived"
            yield Fault("rewritten", says, name, base.version + 1)


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
