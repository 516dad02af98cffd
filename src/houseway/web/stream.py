"""One event stream a page: what changed, under an id that names every version it shows.

A screen is what a page shows: parts by id, each in pieces, drawn for one reader. Readers who see
the same share the drawing and the bytes. After the first message only the pieces go out that differ
from those the reader has, compressed with what went before. A reader who is slow, or a house that
is busy, skips versions: what goes out is always the table as it stands. A stream that comes back
says what it has (`maryland:42,prime:7`) and gets all of it again where that differs, whether it was
away for a second or its worker was restarted.

Commands come first: tables are drawn one at a time, and after each the worker spends as long on
other work as the drawing took.
"""

from __future__ import annotations

import asyncio
import contextlib
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, NamedTuple, Protocol
from weakref import WeakKeyDictionary, WeakValueDictionary

import msgspec
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from houseway.errors import Refused
from houseway.floor.casino import Casino
from houseway.floor.people.attempts import network_of
from houseway.floor.people.directory import PEOPLE
from houseway.web.page_support import Kept

#: seconds of quiet after which a beat is sent: a page that hears none for a while knows its line is dead
QUIET = 5.0
BEAT = b"event: beat\ndata:\n\n"
#: streams that one person may have open at a worker: a program may follow every table of a large floor
MOST_STREAMS = 64
#: streams of people without a name from one address: a crowd behind one router is no attack
MOST_NAMELESS = 512

#: seconds that drawing waits longer at most, for a busy house
LATEST = 0.1

#: the markup of a part; joined it is the whole of it
Pieces = tuple[str, ...]


class Screen(Protocol):
    """What a page shows to one reader, or to all readers who see the same."""

    @property
    def key(self) -> tuple[object, ...]:
        """Equal keys show the same."""
        ...

    @property
    def tables(self) -> tuple[str, ...]: ...

    def pieces(self, kept: Kept) -> dict[str, Pieces]:
        """What is shown now; `kept` holds what was rendered for the last version."""
        ...


class Counts:
    """Streams open now, messages and bytes sent, for the metrics."""

    open = 0
    messages = 0
    bytes = 0


def stamp(casino: Casino, tables: tuple[str, ...]) -> str:
    """The versions that a screen shows, as an event id."""
    return ",".join(casino.stamp(name) for name in tables if name in casino.tables)


def split(markup: str) -> Pieces:
    """Markup of a drawing in pieces: each begins with a group that has an id."""
    return tuple(markup.replace("<g id=", "\0<g id=").split("\0"))


class Shown(NamedTuple):
    """A screen at one version."""

    at: str
    parts: dict[str, Pieces]


#: what a page has that was loaded whole: the version, and no pieces
_NO_PIECES: dict[str, Pieces] = {}
_NOTHING = Shown("", _NO_PIECES)


class Drawing:
    """What one screen shows now, drawn once for all who see it."""

    def __init__(self) -> None:
        self._kept = Kept()
        self._now = _NOTHING
        #: by what the reader has; that is kept as long, so that no other takes its place
        self._messages: dict[tuple[str, int], tuple[Shown, bytes]] = {}

    def now(self, casino: Casino, screen: Screen) -> Shown:
        at = stamp(casino, screen.tables)
        if at != self._now.at or self._now is _NOTHING:
            self._now = Shown(at, screen.pieces(self._kept))
            self._messages.clear()
        return self._now

    def message(self, old: Shown) -> bytes:
        """What brings a reader from an earlier version to this one; empty if nothing differs."""
        known = self._messages.get((old.at, id(old.parts)))
        if known is None:
            changes = {
                id: changed(old.parts[id], pieces) if id in old.parts else pieces
                for id, pieces in self._now.parts.items()
                if old.parts.get(id) != pieces
            }
            found = b""
            if changes:
                data = msgspec.json.encode(changes)
                found = b"event: parts\nid: %b\ndata: %b\n\n" % (self._now.at.encode(), data)
            known = self._messages[old.at, id(old.parts)] = old, found
        return known[1]


def changed(old: Pieces, new: Pieces) -> dict[str, Any]:
    """The changes from old pieces to new ones: `{"3": "…"}` replaces the fourth.

    Where there are more or fewer now, `{"at": 3, "gone": 1, "put": ["…", "…"]}` puts some in the
    place of others.
    """
    if len(old) != len(new):
        short = min(len(old), len(new))
        start = next((at for at in range(short) if old[at] != new[at]), short)
        rest = short - start
        end = next((at for at in range(rest) if old[-1 - at] != new[-1 - at]), rest)
        put = new[start : len(new) - end]
        return {"at": start, "gone": len(old) - end - start, "put": put}
    pairs = enumerate(zip(old, new, strict=True))
    return {str(at): now for at, (was, now) in pairs if was != now}


#: the drawings that somebody looks at
_drawings: WeakValueDictionary[tuple[object, ...], Drawing] = WeakValueDictionary()


def _drawing_of(casino: Casino, screen: Screen) -> Drawing:
    key = (id(casino), *screen.key)
    found = _drawings.get(key)
    if found is None:
        found = _drawings[key] = Drawing()
    return found


class Turns:
    """Serves the readers of one table at a time, and pauses as long as their drawing took.

    So drawing takes half of a worker's time at most, and a command waits for one table's drawing.
    If the pause ended late, there was more other work, so the next pause is longer.
    """

    def __init__(self) -> None:
        self._due: dict[str, dict[Callable[[], None], None]] = {}
        self._going = False
        self._until = 0.0

    def add(self, table: str, look: Callable[[], None]) -> None:
        self._due.setdefault(table, {})[look] = None
        if not self._going:
            self._going = True
            loop = asyncio.get_running_loop()
            self._until = loop.time()
            loop.call_soon(self._next)

    def _next(self) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        for look in self._due.pop(next(iter(self._due))):
            look()
        # they draw before this comes
        loop.call_soon(self._rest, began, began - self._until)

    def _rest(self, began: float, late: float) -> None:
        loop = asyncio.get_running_loop()
        self._going = bool(self._due)
        if self._due:
            now = loop.time()
            self._until = now + (now - began) + min(late, LATEST)
            loop.call_at(self._until, self._next)


_turns: WeakKeyDictionary[Casino, Turns] = WeakKeyDictionary()


def still_in(request: Request) -> Callable[[], bool]:
    """Whether the session behind a request is still open and not idle, with the same roles."""
    house = request.app.state.casino
    people, who, token = house.people, request.state.person, request.state.session
    kind = "api" if request.state.bearer else "browser"

    def allowed() -> bool:
        if who is None:
            return True
        if people.holder(token, kind) != who:
            return False
        return kind == "api" or not people.is_idle(token, who, busy=house.in_a_round, used=False)

    return allowed


class Pulse:
    """One timer for all who wait: each is looked at once a second, some of them at a time."""

    def __init__(self) -> None:
        self._groups: list[dict[Callable[[], None], None]] = [{} for _ in range(8)]
        self._going = False

    @contextlib.contextmanager
    def each_second(self, look: Callable[[], None]) -> Iterator[None]:
        group = self._groups[-1]
        group[look] = None
        if not self._going:
            self._going = True
            asyncio.get_running_loop().call_later(1 / len(self._groups), self._beat)
        try:
            yield
        finally:
            group.pop(look, None)

    def _beat(self) -> None:
        group = self._groups.pop(0)
        self._groups.append(group)
        for look in tuple(group):
            look()
        self._going = any(self._groups)
        if self._going:
            asyncio.get_running_loop().call_later(1 / len(self._groups), self._beat)


_pulses: WeakKeyDictionary[asyncio.AbstractEventLoop, Pulse] = WeakKeyDictionary()


async def waited(changed: asyncio.Event, allowed: Callable[[], bool]) -> bool:
    """Wait for a change, or for so long that a sign of life is due; whether there is a change."""
    seconds = 0

    def look() -> None:
        nonlocal seconds
        seconds += 1
        if seconds >= QUIET or not allowed():
            changed.set()

    with _pulses.setdefault(asyncio.get_running_loop(), Pulse()).each_second(look):
        await changed.wait()
    return seconds < QUIET


async def follow(
    casino: Casino,
    screen: Screen,
    had: str,
    stopping: asyncio.Event,
    allowed: Callable[[], bool] = lambda: True,
) -> AsyncIterator[bytes]:
    """Messages for one reader until the reader leaves, loses access, or the house stops."""
    changed = asyncio.Event()
    turns = _turns.setdefault(casino, Turns())

    def told(of: str) -> None:
        if of in casino.tables and not stopping.is_set():
            turns.add(of, changed.set)
        else:
            changed.set()

    watched = (*(screen.tables or ("*",)), PEOPLE)
    endings = [casino.watch(name, told) for name in watched]
    Counts.open += 1
    try:
        yield b"retry: 1000\n\n"
        shown = _NOTHING
        drawing = _drawing_of(casino, screen)
        if drawing.now(casino, screen).at == had:
            shown = Shown(had, _NO_PIECES)
        while not stopping.is_set() and allowed():
            changed.clear()
            drawing = _drawing_of(casino, screen)
            now = drawing.now(casino, screen)
            if now.at != shown.at:
                message = drawing.message(shown)
                shown = now
                if message:
                    Counts.messages += 1
                    yield message
            if not await waited(changed, allowed):
                yield BEAT
    finally:
        Counts.open -= 1
        for end in endings:
            end()


#: how many streams each person has open; without a name, each address
_open: WeakKeyDictionary[Casino, Counter[str]] = WeakKeyDictionary()


class EventStream(StreamingResponse):
    """Messages for one reader, refused where the same person reads too many streams already.

    It is counted from its first message to its last, so a reader who never came is not counted.
    """

    def __init__(self, request: Request, messages: AsyncIterator[bytes], **headers: str) -> None:
        headers = {"X-Accel-Buffering": "no", "Cache-Control": "no-store", **headers}
        super().__init__(messages, media_type="text/event-stream", headers=headers)
        self._open = _open.setdefault(request.app.state.casino, Counter())
        if request.state.person is not None:
            self._who, self._most, self._as = request.state.person.id, MOST_STREAMS, "in this name"
        else:
            # no user name has a space
            self._who = f"from {network_of(request.client.host if request.client else '')}"
            self._most, self._as = MOST_NAMELESS, "from this address without a name"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._open[self._who] >= self._most:
            raise Refused(
                "too_many_streams",
                f"{self._most} streams are open {self._as}",
                remedy="close one of them to open another",
            )
        self._open[self._who] += 1
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._open[self._who] -= 1
            if not self._open[self._who]:
                del self._open[self._who]


def answer(request: Request, screen: Screen, person: str = "") -> EventStream:
    """The stream of a screen; an open stream of a table marks its player as present."""
    casino: Casino = request.app.state.casino
    had = request.headers.get("last-event-id") or request.query_params.get("at", "")

    async def messages() -> AsyncIterator[bytes]:
        here: contextlib.AbstractContextManager[None] = contextlib.nullcontext()
        if person:
            here = request.app.state.presence.at(screen.tables[0], person)
        with here, contextlib.suppress(asyncio.CancelledError):
            stopping = request.app.state.stopping
            async for message in follow(casino, screen, had, stopping, still_in(request)):
                yield message

    if "gzip" in request.headers.get("accept-encoding", ""):
        packed = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return EventStream(request, _compressed(messages()), **packed)
    return EventStream(request, messages())


async def _compressed(messages: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Each message as it comes; one drawing is much like the last, so most of it is a reference."""
    # a window of 16 kB holds what a page shows; there may be thousands of these
    packing = zlib.compressobj(5, wbits=16 + 14, memLevel=7)
    async for message in messages:
        packed = packing.compress(message) + packing.flush(zlib.Z_SYNC_FLUSH)
        Counts.bytes += len(packed)
        yield packed
