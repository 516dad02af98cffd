"""The event log: what every record can do, wherever it is kept.

A stream is a list of events that only grows. Whoever appends names the version the stream must
stand at; if another writer was quicker nothing is written and `Conflict` is raised. An append over
several streams happens whole or not at all. There is no order over all streams: a follower resumes
each stream at its own version.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self, TypeAlias

from houseway.errors import Refused
from houseway.store.event import EMPTY, Batch, Event, Head, Row, Write, checked

if TYPE_CHECKING:
    from houseway.store.archives import Archives
    from houseway.store.security.house_keys import HouseKeys


#: a record from which nothing was removed
NO_BASES: Mapping[str, Head] = {}


class SignedAppend(NamedTuple):
    """Where an append left its streams, as canonical JSON, and who signed that."""

    heads: str
    key: str
    signature: bytes


class Conflict(Refused):
    """Another writer was quicker: read what it wrote, decide again, append again."""

    def __init__(self, stream: str, expected: int, actual: int) -> None:
        super().__init__(
            "conflict", f"{stream} was expected at version {expected} and stands at {actual}"
        )
        self.stream, self.expected, self.actual = stream, expected, actual


class Unavailable(Refused):
    """The record cannot be reached or written: full, locked, read-only, or its server is gone.

    Nothing that was acknowledged is lost. Whether the append at hand was written is known after
    the next read of its streams; the same append again either succeeds or conflicts.
    """


Outcome: TypeAlias = tuple[Event, ...] | Conflict

#: what an event says: version, time, kind, schema and body
Content: TypeAlias = tuple[int, str, str, str, str]

#: an event as it is stored, and the hash that it comes to after the event before it
Linked: TypeAlias = tuple[Row, bytes]


class Watch(Protocol):
    """Wakes a follower when something may have been appended."""

    def wait(self, seconds: float) -> bool:
        """Whether something may have been appended; False after the timeout."""
        ...

    def close(self) -> None: ...


class Log(Protocol):
    """A record. Every method may be called from several threads."""

    #: the permanent id of this record; a copy of it keeps the id
    id: str
    #: the house's keys, where this machine has them: appends are signed, snapshots sealed
    keys: HouseKeys | None = None
    #: whether appends are signed if there are keys
    signs: bool = False
    #: where the events are that were archived and removed, if that is known
    archives: Archives | None = None
    #: what an archive says of itself; none for a record
    manifest: str | None = None
    #: where the record lies, in words that stay the same; empty in memory
    place: str = ""
    #: why an append failed, until it was tried whether the record can be written again
    failed: Unavailable | None = None

    def append_all(self, batches: Sequence[Batch]) -> list[Outcome]:
        """Append each batch whole or not at all, all of them in one transaction.

        `checked(*writes)` makes a batch.
        """
        ...

    def read(self, stream: str, after: int = 0, upto: int | None = None) -> Iterator[Event]:
        """The events of a stream with versions above `after`, up to and with `upto`."""
        ...

    def heads(self, streams: Iterable[str] | None = None, prefix: str = "") -> dict[str, Head]:
        """The heads of these streams, or of all whose names begin with `prefix`, without empty ones."""
        ...

    def last(self, streams: Iterable[str]) -> dict[str, Event]:
        """The last event of each of these streams at one moment, without empty streams.

        If every event carries a running sum, this gives the sum over many streams of any length.
        """
        ...

    def linked(self) -> Iterator[Linked]:
        """Every event as it is stored, and the hash that it comes to: stream by stream in order,
        seen at one moment.
        """
        ...

    def load(self, events: Iterable[Event], id: str, bases: Mapping[str, Head] = NO_BASES) -> None:
        """Fill an empty record with events as they are, hashes and all (a restore)."""
        ...

    def bases(self, streams: Iterable[str] | None = None) -> dict[str, Head]:  # noqa: ARG002
        """Where these streams, or all, begin here: what came before was archived and removed."""
        return {}

    def boundary(self, stream: str, upto: int) -> Head | None:  # noqa: ARG002
        """Where a stream may be cut after an archive: at an event not above `upto`."""
        return None

    def remove_archived(self, bases: Mapping[str, Head]) -> None:  # noqa: ARG002
        """Remove what is archived: the events up to these."""
        raise Refused("not_archived", "nothing is removed from this record")

    def watch(self) -> Watch: ...

    def save_snapshot(
        self, stream: str, maker: str, version: int, hash: bytes, state: bytes
    ) -> None:
        """Keep a state that `maker` folded from the stream up to `version`; the last one stays."""
        ...

    def snapshot(self, stream: str, maker: str) -> tuple[int, bytes, bytes] | None:
        """Version, event hash and state as kept; unchecked: `snapshots.open_at` checks it."""
        ...

    def signatures(self) -> Iterator[SignedAppend]:
        """The signatures of appends in order; empty if the record keeps none."""
        return iter(())

    def load_signatures(self, signatures: Iterable[SignedAppend]) -> None:  # noqa: ARG002
        """Take over the signatures of a record that was loaded."""
        return

    def hold(self, name: str) -> bool:  # noqa: ARG002
        """Hold a name until this process ends, unless another does; whether it is held now.

        Where one house at a time opens the record, nobody else does.
        """
        return True

    def holds(self, name: str) -> bool:  # noqa: ARG002
        """Whether a name is held, as far as is known without asking."""
        return True

    def look_held(self) -> None:
        """Find out whether the names that were held still are."""
        return

    def close(self) -> None:
        """Close every connection of this log, whichever thread opened it."""
        ...

    # what follows is the same wherever the record is kept

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(self, *writes: Write) -> tuple[Event, ...]:
        """Append to one or several streams, whole or not at all; on return it is on disk."""
        (outcome,) = self.append_all([checked(*writes)])
        if isinstance(outcome, Conflict):
            raise outcome
        return outcome

    def note(self, outcomes: Sequence[Outcome]) -> None:
        """Appends are on disk: note that outside the database too."""
        if self.keys is not None and self.signs:
            from houseway.store.security.saved_tail import note_saved

            note_saved(self.id, outcomes)

    def at(self, stream: str, version: int) -> Event:
        """An event that is on the record; LookupError if it is not."""
        for event in self.read(stream, version - 1, version):
            return event
        raise LookupError(f"{stream} has no event {version}")

    def contents(self, stream: str, after: int, upto: int) -> Iterator[Content]:
        """What the events of a stream say, for readers that need no hashes."""
        for event in self.read(stream, after, upto):
            yield event.version, event.time, event.kind, str(event.schema), event.body

    def scan(self) -> Iterator[Event]:
        """Every event, stream by stream in order, seen at one moment."""
        return (Event(*row) for row, _ in self.linked())

    def head(self, stream: str) -> Head:
        return self.heads([stream]).get(stream, EMPTY)

    def subscribe(
        self,
        after: Mapping[str, int],
        *,
        prefix: str | tuple[str, ...] = (),
        stop: threading.Event | None = None,
        idle: float | None = None,
    ) -> Iterator[Event]:
        """Existing and future events of the streams in `after`, above their versions.

        With `prefix`, every stream whose name begins with it (or with one of several) is followed too,
        from the beginning if `after` does not name it. Ends when `stop` is set, or after `idle` seconds
        without events. A server that is gone for a while is waited for.
        """
        at = dict(after)
        with closing(self.watch()) as watch:
            quiet_since = time.monotonic()
            while stop is None or not stop.is_set():
                news = False
                try:
                    for event in self._beyond(at, prefix):
                        at[event.stream] = event.version
                        news = True
                        yield event
                    if not news:
                        _rest(watch, 0.5 if idle is None else min(0.5, idle), stop)
                except Unavailable as lost:
                    # the server is gone for a while: each stream continues where it was left
                    if lost.code not in ("record_unreachable", "record_busy"):
                        raise
                    time.sleep(0.2)
                now = time.monotonic()
                if news:
                    quiet_since = now
                elif idle is not None and now - quiet_since >= idle:
                    return

    def _beyond(self, at: Mapping[str, int], prefix: str | tuple[str, ...]) -> Iterator[Event]:
        """What streams have beyond these versions, and new ones whose name begins with `prefix`."""
        heads = self.heads([name for name in at if not name.startswith(prefix)])
        for one in (prefix,) if isinstance(prefix, str) else prefix:
            heads |= self.heads(prefix=one)
        before = dict(at)
        for name in sorted(heads):
            if heads[name].version > before.get(name, 0):
                yield from self.read(name, before.get(name, 0))


def _rest(watch: Watch, seconds: float, stop: threading.Event | None) -> None:
    """Wait for new events, at most this long, or until `stop` is set."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0 and not (stop and stop.is_set()):
        if watch.wait(min(left, 0.05)):
            return


def retrying(
    log: Log, decide: Callable[[], Sequence[Write]], attempts: int = 5
) -> tuple[Event, ...]:
    """Decide and append; if another writer was quicker, decide again on the new state."""
    for attempt in range(1, attempts + 1):
        try:
            return log.append(*decide())
        except Conflict:
            if attempt == attempts:
                raise
    raise AssertionError
