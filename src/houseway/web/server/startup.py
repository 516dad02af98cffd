"""Starting the house: the record, the workers, the first administrator, the browser."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json as jsons
import os
import signal
import socket
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Callable, Coroutine, Iterator
from multiprocessing.connection import Connection
from typing import NamedTuple
from urllib.parse import urlsplit

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from houseway.errors import Refused
from houseway.floor.audit.corruption import naming_corruption
from houseway.floor.casino import Casino
from houseway.floor.integrity import Checked, open_checked
from houseway.store import open_log
from houseway.store.one_house import alone
from houseway.web.app import build
from houseway.web.server.access_log import open_access_log
from houseway.web.server.handover import Handover, number_of_homes
from houseway.web.server.security import LOOPBACK
from houseway.web.server.worker_supervisor import GRACE, Crew


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise Refused(
            "cannot_listen",
            f"cannot listen on {host} port {port}: {error.strerror}",
            remedy="choose another with --port, or --port 0 for one that is free",
        ) from None
    listening.listen(1024)
    listening.setblocking(False)
    return listening


#: seconds in which a client has to say what it wants: one that dribbles its headers is let go; and
#: how many bytes they may have
HEADERS, LONGEST_HEADERS = 15.0, 64 * 1024


class _Patient(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """HTTP with limits on the length of the request line and headers, and on the time they take.

    The same limit applies to everything else outside the body, such as chunk headers. Trailers are
    refused, because a proxy has not checked them as headers.
    """

    _late: asyncio.TimerHandle | None = None
    #: bytes since a request began, its headers were whole, or a part of its body came
    _since = 0
    _has_headers = False
    #: whether the last request was read to its end and no other has begun
    _between = True
    #: to the home of a table, where there are several workers
    handover: Handover | None = None
    #: what another worker has read before it gave the connection away
    beginning = b""

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self._expect()
        if self.beginning:
            self.data_received(self.beginning)

    def data_received(self, data: bytes) -> None:
        if (
            self.handover is not None
            and self._between
            and self._waits()
            and self.handover.handed(self.transport, data)
        ):
            return
        self._since += len(data)
        super().data_received(data)
        if self._since > LONGEST_HEADERS:
            self.transport.close()
        elif self._waits():
            self._expect()
        elif self._late is not None:
            self._late.cancel()
            self._late = None

    def on_message_begin(self) -> None:
        self._since, self._has_headers, self._between = 0, False, False
        super().on_message_begin()

    def on_message_complete(self) -> None:
        self._between = True
        super().on_message_complete()

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._has_headers:
            self.transport.close()
        else:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._since, self._has_headers = 0, True
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._since = 0
        super().on_body(body)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._late is not None:
            self._late.cancel()
        super().connection_lost(exc)

    def _waits(self) -> bool:
        """Whether no request is being answered: its headers are not whole yet."""
        return self.cycle is None or bool(self.cycle.response_complete)

    def _expect(self) -> None:
        if self._late is None:
            self._late = asyncio.get_running_loop().call_later(HEADERS, self._give_up)

    def _give_up(self) -> None:
        self._late = None
        if self._waits() and not self.transport.is_closing():
            self.transport.close()


class _Server(uvicorn.Server):
    """Says when it is open, and ends the event streams before it waits for what is still going on."""

    def __init__(self, config: uvicorn.Config, opened: Callable[[], None], *signals: int) -> None:
        super().__init__(config)
        self._opened, self._signals = opened, signals

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave at the first signal, at once at the second; after it the record is closed as well."""
        before = {one: signal.signal(one, self.leave) for one in self._signals}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)

    def leave(self, *_: object) -> None:
        self.force_exit, self.should_exit = self.should_exit, True
        # whatever hangs does not hold the house
        last = threading.Timer(GRACE, os._exit, (1,))
        last.daemon = True
        last.start()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._opened()

    def serving(self, beginning: bytes) -> asyncio.Protocol:
        """The protocol of a connection that another worker has begun to read."""
        made: _Patient = self.config.http_protocol_class(  # type: ignore[call-arg, assignment]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        made.beginning = beginning
        return made

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        state = self.config.app.state  # type: ignore[union-attr]
        state.stopping.set()
        state.casino.wake()
        await super().shutdown(sockets)


def first_administrator(casino: Casino, address: str) -> str:
    """The link for the first administrator of a house without people; empty if there are some."""
    if len(casino.people):
        return ""
    person = casino.people.add("admin", "Administrator", ["administrator"], by="system")
    return f"{address}/link/{casino.people.open_session(person, 'link')}"


class Settings(NamedTuple):
    """How a house is served."""

    database: str | None
    host: str
    port: int
    demonstration: bool
    pace: float
    browser: bool
    workers: int
    json: bool
    #: the address that people use, where a reverse proxy stands before the house
    public: str = ""
    #: rounds that the demonstration has on record from the start
    history: int = 0
    #: a second place for anchors
    anchors: str = ""
    #: a file for a line about every request
    access_log: str = ""
    #: where the reverse proxy is, whose word about addresses is taken
    proxy: tuple[str, ...] = ("127.0.0.1", "::1")


def run(settings: Settings) -> None:
    """Serve until stopped: in this process, or in several that share the port."""
    os.umask(0o077)  # whatever a house writes is its owner's alone
    listening = _listen(settings.host, settings.port)
    name = f"[{settings.host}]" if ":" in settings.host else settings.host
    address = settings.public or f"http://{name}:{listening.getsockname()[1]}"

    def opened(link: str) -> None:
        if settings.json:
            print(jsons.dumps({"address": address, "link": link}), flush=True)
        else:
            print(f"The house is open at {address}", flush=True)
            if link:
                print(f"The first administrator sets a password here, once: {link}", flush=True)
            print("Stop it with Ctrl-C.", file=sys.stderr, flush=True)
        if settings.browser:
            webbrowser.open(link or address)

    with listening, alone(settings.database):
        if settings.workers > 1:
            with tempfile.TemporaryDirectory(prefix="houseway-") as folder:
                crew = Crew(settings.workers, _worker, settings, listening, address, folder)
                crew.run(lambda said: opened(said["link"]))
        else:
            _run(_serve(settings, listening, address, 0, opened, None, None))


def _run(serving: Coroutine[None, None, None]) -> None:
    """Run on uvloop if it is installed, on asyncio's own loop otherwise."""
    try:
        import uvloop
    except ImportError:
        asyncio.run(serving)
    else:
        uvloop.run(serving)


def _worker(
    settings: Settings,
    listening: socket.socket,
    address: str,
    folder: str,
    number: int,
    line: Connection,
) -> None:
    """One of several workers: reports through its pipe that it is open, exits when it closes."""
    try:
        homes = number_of_homes(settings.database, settings.workers)
        handover = Handover(folder, number, homes)

        def opened(link: str) -> None:
            line.send({"link": link})

        _run(_serve(settings, listening, address, number, opened, line, handover))
    except Refused as refusal:
        line.send({"error": (refusal.code, refusal.message)})
        sys.exit(1)


def _casino(database: str | None) -> tuple[Casino, Checked]:
    """The house on its record; one that is damaged is not opened, and the event is named."""
    log = open_log(database)
    try:
        with naming_corruption(log):
            _, checked = open_checked(log)
            return Casino(log), checked
    except BaseException:
        log.close()
        raise


async def _serve(
    settings: Settings,
    listening: socket.socket,
    address: str,
    worker: int,
    opened: Callable[[str], None],
    line: Connection | None,
    handover: Handover | None,
) -> None:
    casino, checked = _casino(settings.database)
    try:
        link = ""
        casino.people.check_kind(demonstration=settings.demonstration)
        for table in casino.lost_shoes():
            print(
                f"houseway: the key of the shoe at table {table} is missing: the shoe is lost, and"
                " a round that needs its cards is void",
                file=sys.stderr,
            )
        if not settings.demonstration and worker == 0:
            link = first_administrator(casino, address)
        app = build(
            casino, demonstration=settings.demonstration, hosts=_hosts(settings),
            pace=settings.pace, database=settings.database, worker=worker,
            workers=settings.workers, secure=settings.public.startswith("https:"),
            history=settings.history,
            checked=checked, anchors=settings.anchors,
            access_log=open_access_log(settings.access_log),
        )  # fmt: skip
        # the forwarded address of a client is believed only where a proxy was announced, from here
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, lifespan="on", timeout_graceful_shutdown=3, timeout_keep_alive=int(HEADERS),
            server_header=False, proxy_headers=bool(settings.public), forwarded_allow_ips=list(settings.proxy),
            ws="none", http=type("_Homed", (_Patient,), {"handover": handover}),
        )  # fmt: skip
        signals = (signal.SIGTERM,) if line else (signal.SIGTERM, signal.SIGINT)

        def begin() -> None:
            if handover is not None:
                casino.tell_home = handover.tell
                handover.listen(server.serving, casino.catch_up_now)
            opened(link)

        server = _Server(config, begin, *signals)
        if line is not None:
            _when_cut(line, server.leave)
        # tables are folded into new objects all the time and hardly any of them refer back:
        # looking for those less often keeps the pauses short
        gc.collect()
        gc.freeze()  # what is there before the first request stays
        gc.set_threshold(50_000, 20, 50)
        await server.serve(sockets=[listening])
    finally:
        if handover is not None:
            handover.close()
        casino.close()


def _when_cut(line: Connection, leave: Callable[[], None]) -> None:
    """Exit when the other end of a worker's pipe is closed."""
    loop = asyncio.get_running_loop()

    def cut() -> None:
        loop.remove_reader(line.fileno())
        leave()

    loop.add_reader(line.fileno(), cut)


def host_of(public: str) -> str:
    """The host in a public address, as a browser names it; empty where there is none."""
    try:
        name = urlsplit(public).hostname or ""
    except ValueError:
        return ""
    return f"[{name}]" if ":" in name else name


def _hosts(settings: Settings) -> tuple[str, ...]:
    """The host names that the house accepts; empty if it accepts any."""
    if settings.public:
        return (*LOOPBACK, host_of(settings.public))
    at = f"[{settings.host}]" if ":" in settings.host else settings.host
    return LOOPBACK if at in LOOPBACK else ()
