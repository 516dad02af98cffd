"""One event stream a page: parts that changed, under an id that names every version it shows.

A screen is what a page shows: parts by id, each drawn for one reader. Readers who see the same share
the drawing, and the bytes. A stream that comes back says what it has (`maryland:42,prime:7`) and
gets what differs, whether it was away for a second or its worker was restarted.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import AsyncIterator
from typing import Protocol

import msgspec
from starlette.requests import Request
from starlette.responses import StreamingResponse

from houseway.floor.casino import Casino

#: seconds of quiet after which a line is sent so that proxies and browsers stay
_QUIET = 20.0


class Screen(Protocol):
    """What a page shows to one reader, or to all readers who see the same."""

    @property
    def key(self) -> tuple[object, ...]:
        """Equal keys show the same."""
        ...

    @property
    def tables(self) -> tuple[str, ...]: ...

    def parts(self) -> dict[str, str]: ...


class Counts:
    """Streams open now and messages sent, for the metrics."""

    open = 0
    messages = 0


def stamp(casino: Casino, tables: tuple[str, ...]) -> str:
    """The versions that a screen shows, as an event id."""
    return ",".join(casino.stamp(name) for name in tables if name in casino.tables)


_drawn: OrderedDict[tuple[object, ...], dict[str, str]] = OrderedDict()
_sent: OrderedDict[tuple[object, ...], bytes] = OrderedDict()


def drawn(casino: Casino, screen: Screen) -> tuple[str, dict[str, str]]:
    """The stamp and the parts of a screen as the tables stand; drawn once for all who see it."""
    at = stamp(casino, screen.tables)
    key = (*screen.key, at)
    found = _drawn.get(key)
    if found is None:
        found = _drawn[key] = screen.parts()
        if len(_drawn) > 2048:
            _drawn.popitem(last=False)
    return at, found


def _message(screen: Screen, was: str, at: str, old: dict[str, str], new: dict[str, str]) -> bytes:
    key = (*screen.key, was, at)
    found = _sent.get(key)
    if found is None:
        changed = {id: markup for id, markup in new.items() if old.get(id) != markup}
        found = b""
        if changed:
            found = b"event: parts\nid: %b\ndata: %b\n\n" % (
                at.encode(),
                msgspec.json.encode(changed),
            )
        _sent[key] = found
        if len(_sent) > 2048:
            _sent.popitem(last=False)
    return found


async def follow(
    casino: Casino, screen: Screen, had: str, stopping: asyncio.Event
) -> AsyncIterator[bytes]:
    """Messages for one reader until the reader leaves or the house stops."""
    changed = asyncio.Event()
    endings = [casino.watch(name, lambda _: changed.set()) for name in screen.tables or ("*",)]
    Counts.open += 1
    try:
        yield b"retry: 1000\n\n"
        was, old = had, {}
        at, parts = drawn(casino, screen)
        if was == at:
            old = parts
        while not stopping.is_set():
            changed.clear()
            at, parts = drawn(casino, screen)
            if at != was:
                message = _message(screen, was, at, old, parts)
                was, old = at, parts
                if message:
                    Counts.messages += 1
                    yield message
            try:
                await asyncio.wait_for(changed.wait(), _QUIET)
            except TimeoutError:
                yield b": still here\n\n"
    finally:
        Counts.open -= 1
        for end in endings:
            end()


def answer(request: Request, screen: Screen, person: str = "") -> StreamingResponse:
    """The stream of a screen; of a table's screen, a person who plays there is present by it."""
    casino: Casino = request.app.state.casino
    had = request.headers.get("last-event-id") or request.query_params.get("at", "")

    async def messages() -> AsyncIterator[bytes]:
        here: contextlib.AbstractContextManager[None] = contextlib.nullcontext()
        if person:
            here = request.app.state.presence.at(screen.tables[0], person)
        with here, contextlib.suppress(asyncio.CancelledError):
            async for message in follow(casino, screen, had, request.app.state.stopping):
                yield message

    return StreamingResponse(
        messages(),
        media_type="text/event-stream",
        headers={"X-Accel-Buffering": "no", "Cache-Control": "no-store"},
    )
