"""Snapshots: a state kept beside the log, so that a stream of a million events opens at once.

A snapshot is only a cache. It names the event it was folded up to by that event's hash; if the log
does not have that event with that hash, or the state is not the one that was kept, the snapshot is
ignored and the stream is folded from its beginning. `wrong_snapshots` folds again and compares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Generic, NamedTuple, TypeVar

from houseway.errors import Refused
from houseway.store.background_snapshots import BackgroundSnapshots
from houseway.store.event import NOTHING, Event, check_event
from houseway.store.log import Log

S = TypeVar("S")


class Folding(NamedTuple, Generic[S]):
    """How a state is folded from a stream and kept. `maker` names it; `code` are the files of the
    package that fold it: a snapshot that other code made is ignored.
    """

    maker: str
    #: makes the state before the first event: each folding has its own, which its steps may change
    start: Callable[[], S]
    step: Callable[[S, Event], S]
    pack: Callable[[S], bytes]
    unpack: Callable[[bytes], S]
    code: tuple[str, ...] = ()


class Opened(NamedTuple, Generic[S]):
    """A state, its version, and how many events were folded to reach it."""

    state: S
    version: int
    hash: bytes
    folded: int


def open_at(log: Log, stream: str, how: Folding[S], upto: int | None = None) -> Opened[S]:
    """The state of a stream now, or at version `upto`, from the last snapshot that is sound."""
    state, version, hash = _sound(log, stream, how, upto) or (how.start(), 0, NOTHING)
    folded = 0
    for event in log.read(stream, version, upto):
        if (event.version, event.previous) != (version + 1, hash):
            raise Refused(
                "damaged", f"the record is damaged at {stream}, event {version + 1}: "
                + ("it is missing" if event.version != version + 1 else "it does not follow the one before it"),
            )  # fmt: skip
        check_event(event)
        state = how.step(state, event)
        version, hash = event.version, event.hash
        folded += 1
    return Opened(state, version, hash, folded)


def keep(log: Log | BackgroundSnapshots, stream: str, how: Folding[S], opened: Opened[S]) -> None:
    """Keep a state for the next opening: at once, or in the background."""
    state = how.pack(opened.state)
    if log.keys is not None:
        about = _about(stream, how, opened.version, opened.hash)
        sealed = log.keys.seal_state(_of_code(how.code) + state, about)
    else:
        sealed = _seal(how.code, state) + state
    log.save_snapshot(stream, how.maker, opened.version, opened.hash, sealed)


def _about(stream: str, how: Folding[S], version: int, hash: bytes) -> bytes:
    """What a sealed snapshot is of: put in another's place it does not open."""
    return f"{stream}\n{how.maker}\n{version}\n".encode() + hash


def _seal(code: tuple[str, ...], state: bytes) -> bytes:
    return sha256(_of_code(code) + state).digest()


@cache
def _of_code(files_of_it: tuple[str, ...]) -> bytes:
    whole = sha256()
    for name in files_of_it:
        whole.update(sha256(files("houseway").joinpath(name).read_bytes()).digest())
    return whole.digest() if files_of_it else b""


def _sound(log: Log, stream: str, how: Folding[S], upto: int | None) -> tuple[S, int, bytes] | None:
    found = log.snapshot(stream, how.maker)
    if found is None:
        return None
    version, hash, sealed = found
    if upto is not None and version > upto:
        return None
    event = next(log.read(stream, version - 1, version), None)
    if event is None or event.hash != hash:
        return None
    if log.keys is not None:
        # anybody who can write to the record can make a snapshot, but not one under the house's key
        opened = log.keys.open_state(sealed, _about(stream, how, version, hash))
        code = _of_code(how.code)
        if opened is None or not opened.startswith(code) or not log.keys.made_now(sealed):
            return None
        return how.unpack(opened[len(code) :]), version, hash
    seal, state = sealed[:32], sealed[32:]
    if _seal(how.code, state) != seal:
        return None
    return how.unpack(state), version, hash


def wrong_snapshots(
    log: Log, how: Folding[S], before: Mapping[str, int] | None = None
) -> Iterator[str]:
    """The streams whose snapshot is not what the log folds to, or that the house did not seal.

    What is not above the versions in `before` is older than the house's keys and not sealed.
    """
    for stream in log.heads():
        found = log.snapshot(stream, how.maker)
        if found is None:
            continue
        version, hash, sealed = found
        sound = _sound(log, stream, how, None)
        if sound is None and log.keys is not None:
            # one that other code made is merely not read; one that does not open was put there
            opens = log.keys.open_state(sealed, _about(stream, how, version, hash))
            if opens is None and version > (before or {}).get(stream, 0):
                yield stream
            continue
        state = how.start()
        for event in log.read(stream, 0, version):
            state = how.step(state, event)
        if sound is None or how.pack(sound[0]) != how.pack(state):
            yield stream
