"""The record in memory: for tests, and as the simplest statement of what a record does."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from houseway.errors import Refused
from houseway.store.backends.blocks import decided, link_rows
from houseway.store.event import EMPTY, Batch, Event, Head
from houseway.store.log import NO_BASES, Linked, Log, Outcome


class MemoryLog(Log):
    """Streams as lists under one lock."""

    def __init__(self) -> None:
        self.id = uuid.uuid4().hex
        self._streams: dict[str, list[Event]] = {}
        self._snapshots: dict[tuple[str, str], tuple[int, bytes, bytes]] = {}
        self._changed = threading.Condition()

    def append_all(self, batches: Sequence[Batch]) -> list[Outcome]:
        with self._changed:
            named = {write.stream for batch in batches for write in batch.writes}
            outcomes = decided(batches, {name: self._head(name) for name in named})
            for done in outcomes:
                for event in done if isinstance(done, tuple) else ():
                    self._streams.setdefault(event.stream, []).append(event)
            self._changed.notify_all()
        return outcomes

    def _head(self, stream: str) -> Head:
        events = self._streams.get(stream)
        return Head(events[-1].version, events[-1].hash) if events else EMPTY

    def read(self, stream: str, after: int = 0, upto: int | None = None) -> Iterator[Event]:
        with self._changed:
            found = self._streams.get(stream, [])[max(after, 0) : upto]
        return iter(found)

    def heads(self, streams: Iterable[str] | None = None, prefix: str = "") -> dict[str, Head]:
        with self._changed:
            names = self._streams if streams is None else set(streams) & self._streams.keys()
            return {name: self._head(name) for name in names if name.startswith(prefix)}

    def last(self, streams: Iterable[str]) -> dict[str, Event]:
        with self._changed:
            found = {name: self._streams.get(name) for name in streams}
            return {name: events[-1] for name, events in found.items() if events}

    def linked(self) -> Iterator[Linked]:
        with self._changed:
            copy = [list(self._streams[name]) for name in sorted(self._streams)]
        return link_rows(msgspec.structs.astuple(event) for events in copy for event in events)

    def load(self, events: Iterable[Event], id: str, bases: Mapping[str, Head] = NO_BASES) -> None:
        with self._changed:
            if self._streams:
                raise Refused("record_not_empty", "a restore needs an empty record")
            if bases:
                raise Refused("archived", "a record in memory has all its events")
            self.id = id
            for event in events:
                self._streams.setdefault(event.stream, []).append(event)

    def watch(self) -> _MemoryWatch:
        return _MemoryWatch(self._changed)

    def save_snapshot(
        self, stream: str, maker: str, version: int, hash: bytes, state: bytes
    ) -> None:
        with self._changed:
            self._snapshots[stream, maker] = (version, hash, state)

    def snapshot(self, stream: str, maker: str) -> tuple[int, bytes, bytes] | None:
        with self._changed:
            return self._snapshots.get((stream, maker))

    def close(self) -> None:
        return


class _MemoryWatch:
    def __init__(self, changed: threading.Condition) -> None:
        self._changed = changed

    def wait(self, seconds: float) -> bool:
        # something may have changed between the last look and this wait: look again soon
        with self._changed:
            self._changed.wait(min(seconds, 0.02))
        return True

    def close(self) -> None:
        return
