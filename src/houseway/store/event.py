"""An event of the record, its canonical JSON and its place in the chain.

The chain is made so that an inspector can recompute it with `sha256sum`: the hash of an event is
the SHA-256 of nine lines of text, the second of which is the hash of the event before it in the
same stream. `docs/reference/record.md` has the format with test vectors.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any, NamedTuple, TypeAlias

import msgspec

from houseway.errors import Refused

#: what stands before the first event of a stream
NOTHING = bytes(32)

#: whole numbers that every reader of JSON keeps exactly
_LARGEST = 2**53 - 1

#: characters of a body
_LONGEST = 1 << 24

_TIME = re.compile(r"\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\d(\.\d{1,6})?Z", re.ASCII)
_NAME = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]{1,200}")


class New(msgspec.Struct, frozen=True):
    """Something that happened and is not on the record yet. `body` is plain data without floats."""

    kind: str
    body: Any
    actor: str
    time: str
    schema: int = 1


class Write(msgspec.Struct, frozen=True):
    """Events for one stream, which must stand at `expected` when they are added."""

    stream: str
    expected: int
    events: tuple[New, ...]


class Event(msgspec.Struct, frozen=True):
    """One event on record. `body` is its canonical JSON, byte for byte as it was hashed."""

    stream: str
    version: int
    time: str
    actor: str
    kind: str
    schema: int
    body: str
    previous: bytes
    hash: bytes

    @property
    def data(self) -> Any:
        return msgspec.json.decode(self.body)


#: an event as a row of the database: its fields in order
Row: TypeAlias = tuple[str, int, str, str, str, int, str, bytes, bytes]


class Head(msgspec.Struct, frozen=True):
    """Where a stream stands: how many events it has, and the hash of the last."""

    version: int
    hash: bytes


EMPTY = Head(0, NOTHING)


def digest(
    previous: bytes, stream: str, version: int, time: str, actor: str, kind: str,
    schema: int | str, body: str,
) -> bytes:  # fmt: skip
    """The hash of an event, given the hash of the one before it."""
    return sha256(
        f"houseway/1\n{previous.hex()}\n{stream}\n{version}\n{time}\n{actor}\n{kind}\n{schema}\n{body}".encode()
    ).digest()


def check_event(event: Event) -> None:
    """Refuse an event that is not as it was written."""
    told = digest(
        event.previous, event.stream, event.version, event.time, event.actor, event.kind,
        event.schema, event.body,
    )  # fmt: skip
    if told != event.hash:
        raise Refused(
            "damaged",
            f"the record is damaged at {event.stream}, event {event.version}:"
            " the event does not match its own hash: it was changed",
        )


def canonical(value: Any) -> str:
    """Plain data as its one JSON text: keys sorted, no spaces, whole numbers only, UTF-8."""
    try:
        if not _is_plain(value):
            value = msgspec.to_builtins(value, str_keys=True)
            if not _is_plain(value):
                raise TypeError("its keys are not text")
        return msgspec.json.encode(value, order="sorted").decode()
    except (TypeError, UnicodeError, RecursionError, OverflowError) as error:
        raise Refused("not_plain_data", f"this cannot go on record: {error}") from None


def _is_plain(value: Any) -> bool:
    """Whether data are plain already; an inexact or too large number is refused."""
    todo = [value]
    for item in todo:
        kind = type(item)
        if kind is str or kind is bool or item is None:
            continue
        if kind is int:
            if not -_LARGEST <= item <= _LARGEST:
                raise TypeError(f"{item} is too large a number for JSON; write it as text")
        elif kind is dict:
            for key in item:
                if type(key) is not str:
                    return False
            todo += item.values()
        elif kind is list or kind is tuple:
            todo += item
        elif isinstance(item, float):
            raise TypeError(f"{item!r} is a {kind.__name__}; only whole numbers and text are exact")
        else:
            return False
    return True


def recorded(stream: str, version: int, new: New, body: str, previous: bytes, hash: bytes) -> Event:
    """The new events as recorded."""
    return Event(
        stream, version, new.time, new.actor, new.kind, new.schema, body, previous, hash
    )  # fmt: skip


def chained(write: Write, bodies: tuple[str, ...], head: Head) -> list[Event]:
    """The events of a write as they stand on record after `head`."""
    stream, events = write.stream, []
    version, link = head.version, head.hash
    for new, body in zip(write.events, bodies, strict=True):
        version += 1
        hash = digest(link, stream, version, new.time, new.actor, new.kind, new.schema, body)
        events.append(recorded(stream, version, new, body, link, hash))
        link = hash
    return events


class Batch(NamedTuple):
    """Writes that go together, checked, with the canonical bodies of their events."""

    writes: tuple[Write, ...]
    bodies: tuple[tuple[str, ...], ...]


def checked(*writes: Write) -> Batch:
    """What is to be written as a batch, or a refusal of what cannot go on record."""
    if len(writes) > 1 and len({write.stream for write in writes}) != len(writes):
        raise Refused("stream_twice", "a stream is written only once in one append")
    bodies = []
    for write in writes:
        _name(write.stream, "stream")
        if not write.events:
            raise Refused("nothing_to_write", f"there is no event for {write.stream}")
        if write.expected < 0:
            raise Refused("not_a_version", f"{write.expected} is not a version", field="expected")
        for new in write.events:
            _name(new.kind, "kind")
            _name(new.actor, "actor")
            if new.time not in _TIMES:
                _time(new.time)
            if not 1 <= new.schema <= 9999:
                raise Refused("not_a_schema", f"{new.schema} is not a schema", field="schema")
        texts = tuple([canonical(new.body) for new in write.events])
        if max(map(len, texts)) > _LONGEST:
            raise Refused(
                "too_large", f"an event for {write.stream} is longer than {_LONGEST:,} characters"
            )
        bodies.append(texts)
    return Batch(writes, tuple(bodies))


#: names and times that were found good; the same few come again and again
_NAMES: set[str] = set()
_TIMES: set[str] = set()


def is_name(text: str) -> bool:
    """Whether a stream can have this name. A database need not be asked for any other."""
    return _NAME.fullmatch(text) is not None


def _name(text: str, field: str) -> None:
    if text in _NAMES:
        return
    if not is_name(text):
        raise Refused("not_a_name", f"{text!r} is not one line of 1 to 200 characters", field=field)
    _remember(_NAMES, text)


def _time(text: str) -> None:
    if not _TIME.fullmatch(text):
        raise Refused(
            "not_a_time",
            f"{text!r} is not a time in UTC like 2026-01-31T21:05:09.250Z",
            field="time",
        )
    _remember(_TIMES, text)


def _remember(good: set[str], text: str) -> None:
    if len(good) >= 10_000:
        good.clear()
    good.add(text)
