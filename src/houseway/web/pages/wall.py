"""The wall: every meter in large figures, for a screen that nobody touches.

Links come from the record itself, whichever machine moved them; the meters of single tables from
the casino. One thread follows the links for all who look, while anybody does. When the record does
not answer the last figures stay, and the wall says since when.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from houseway.errors import Refused
from houseway.floor import clock
from houseway.floor.casino import Casino
from houseway.floor.links.history import Shown, follow
from houseway.floor.links.history import wall as links_now
from houseway.money import Cents, cents
from houseway.store import Log
from houseway.table import Table, rules_of
from houseway.table.round_building import shows
from houseway.web.page_support import amount, casino, page, render
from houseway.web.stream import BEAT, QUIET, EventStream

#: hits that a wall shows beside a link
_HITS = 3


def money(text: str) -> str:
    return amount(cents(text))


def tier_name(meter: str) -> str:
    """A meter in words: its tier, or its wager where there is one meter."""
    wager, _, tier = meter.partition(".")
    return (tier or wager).replace("_", " ").capitalize()


class Links:
    """The links as they stand, followed by one thread while somebody looks."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self.shown: list[Shown] = links_now(log)
        self.read_at = clock.now()
        #: what the record said when it was last asked in vain
        self.lost = ""
        self._looking: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}
        self._stop: threading.Event | None = None

    def refresh(self) -> None:
        """Read the links now, if no thread follows them."""
        if self._stop is None:
            try:
                self._take(links_now(self._log))
            except Refused as refusal:
                self.lost = refusal.message

    def look(self) -> tuple[asyncio.Event, Any]:
        """An event that is set when something moved, and how to stop looking."""
        moved = asyncio.Event()
        self._looking[moved] = asyncio.get_running_loop()
        if self._stop is None:
            self._stop = threading.Event()
            threading.Thread(
                target=self._follow, args=(self._stop,), name="houseway-wall", daemon=True
            ).start()

        def end() -> None:
            self._looking.pop(moved, None)
            if not self._looking and self._stop is not None:
                self._stop.set()
                self._stop = None

        return moved, end

    def _follow(self, stop: threading.Event) -> None:
        while not stop.is_set():
            try:
                for shown in follow(self._log, stop):
                    self._take(shown)
            except Refused as refusal:
                self.lost = refusal.message
                self._tell()
                stop.wait(0.5)
            except Exception:
                # a house that closes takes its record with it
                if not stop.is_set():
                    raise

    def _take(self, shown: list[Shown]) -> None:
        self.shown, self.read_at, self.lost = shown, clock.now(), ""
        self._tell()

    def _tell(self) -> None:
        for moved, loop in tuple(self._looking.items()):
            with contextlib.suppress(RuntimeError):  # a loop that is closing hears nothing more
                loop.call_soon_threadsafe(moved.set)


def links_of(request: Request) -> Links:
    state = request.app.state
    if not hasattr(state, "links"):
        state.links = Links(casino(request).log)
    found: Links = state.links
    return found


def own_meters(house: Casino) -> dict[str, dict[str, Cents]]:
    """What the tables with meters of their own show, by table."""
    found: dict[str, dict[str, Cents]] = {}
    for name, live in sorted(house.all_tables().items()):
        own = {
            meter: shows(holds)
            for meter, holds in live.state.meters.items()
            if not live.feeding.linked(meter)
        }
        if own and live.state.phase != "closed":
            found[name] = own
    return found


def game_of(table: Table) -> str:
    about = rules_of(table).chapter.about
    return f"{about.game}, {about.jurisdiction}"


def meters(house: Casino, links: Links) -> str:
    """All of it as markup."""
    cards = [
        {
            "id": f"link-{one.link}",
            "name": one.link.replace("-", " ").capitalize(),
            "where": _tables(one.tables),
            "tiers": [(meter, tier_name(meter), cents(text)) for meter, text in one.meters.items()],
            "hits": one.wins[:_HITS],
        }
        for one in links.shown
    ]
    cards += [
        {
            "id": f"table-{name}",
            "name": name.replace("-", " ").capitalize(),
            "where": game_of(house.table(name).state),
            "tiers": [(meter, tier_name(meter), value) for meter, value in own.items()],
            "hits": [msgspec.to_builtins(hit) for hit in house.table(name).hits[:_HITS]],
        }
        for name, own in own_meters(house).items()
    ]
    return render(
        "wall_meters.html", cards=cards, lost=links.lost, read_at=links.read_at, money=money
    )


def _tables(names: tuple[str, ...]) -> str:
    if not names:
        return "no table feeds it now"
    return f"linked: {', '.join(names)}" if len(names) <= 4 else f"{len(names)} linked tables"


async def wall(request: Request) -> Response:
    links = links_of(request)
    await asyncio.to_thread(links.refresh)
    return page(request, "wall.html", meters=meters(casino(request), links))


async def wall_stream(request: Request) -> Response:
    """The wall again whenever a meter moved, on any machine."""
    house, links, stopping = casino(request), links_of(request), request.app.state.stopping

    async def messages() -> AsyncIterator[bytes]:
        moved, end = links.look()
        unwatch = house.watch("*", lambda _: moved.set())
        before = ""
        try:
            yield b"retry: 1000\n\n"
            while not stopping.is_set():
                moved.clear()
                now = meters(house, links)
                if now == before:
                    yield BEAT
                else:
                    before = now
                    data = msgspec.json.encode({"meters": now})
                    yield b"event: parts\nid: %b\ndata: %b\n\n" % (links.read_at.encode(), data)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(QUIET):
                        await moved.wait()
        except asyncio.CancelledError:
            pass
        finally:
            unwatch()
            end()

    return EventStream(request, messages())


ROUTES = [Route("/wall", wall), Route("/wall/stream", wall_stream)]
