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
import threading
import webbrowser
from collections.abc import Callable, Coroutine, Iterator
from multiprocessing.connection import Connection
from typing import NamedTuple

import uvicorn

from houseway.errors import Refused
from houseway.floor.audit.corruption import damage_named
from houseway.floor.casino import Casino
from houseway.store import open_log
from houseway.web.app import build
from houseway.web.server.security import LOOPBACK
from houseway.web.server.worker_supervisor import GRACE, Crew

#: where a reverse proxy of ours may be: on this machine
PROXIES = ["127.0.0.1", "::1"]


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise Refused(
            "cannot_listen", f"cannot listen on {host} port {port}: {error.strerror}", field="port"
        ) from None
    listening.listen(1024)
    listening.setblocking(False)
    return listening


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


def run(settings: Settings) -> None:
    """Serve until stopped: in this process, or in several that share the door."""
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

    with listening:
        if settings.workers > 1:
            crew = Crew(settings.workers, _worker, settings, listening, address)
            crew.run(lambda said: opened(said["link"]))
        else:
            _run(_serve(settings, listening, address, 0, opened, None))


def _run(serving: Coroutine[None, None, None]) -> None:
    """On the quicker loop, where it is installed."""
    try:
        import uvloop
    except ImportError:
        asyncio.run(serving)
    else:
        uvloop.run(serving)


def _worker(
    settings: Settings, listening: socket.socket, address: str, number: int, line: Connection
) -> None:
    """One of several: says on its line that it is open, and leaves when the line is cut."""
    try:
        _run(
            _serve(
                settings, listening, address, number, lambda link: line.send({"link": link}), line
            )
        )
    except Refused as refusal:
        line.send({"error": (refusal.code, refusal.message)})
        sys.exit(1)


def _casino(database: str | None) -> Casino:
    """The house on its record; one that cannot be read is not opened, and the event is named."""
    log = open_log(database)
    try:
        with damage_named(log):
            return Casino(log)
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
) -> None:
    casino = _casino(settings.database)
    try:
        link = ""
        if not settings.demonstration and worker == 0:
            link = first_administrator(casino, address)
        app = build(
            casino, demonstration=settings.demonstration, hosts=_hosts(settings),
            pace=settings.pace, database=settings.database, worker=worker,
            workers=settings.workers, secure=settings.public.startswith("https:"),
        )  # fmt: skip
        # the forwarded address of a client is believed only where a proxy was announced, from here
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, lifespan="on", timeout_graceful_shutdown=3,
            server_header=False, proxy_headers=bool(settings.public), forwarded_allow_ips=PROXIES,
            ws="none",
        )  # fmt: skip
        signals = (signal.SIGTERM,) if line else (signal.SIGTERM, signal.SIGINT)
        server = _Server(config, lambda: opened(link), *signals)
        if line is not None:
            _when_cut(line, server.leave)
        # tables are folded into new objects all the time and hardly any of them refer back:
        # looking for those less often keeps the pauses short
        gc.collect()
        gc.freeze()  # what is there before the first request stays
        gc.set_threshold(50_000, 20, 50)
        await server.serve(sockets=[listening])
    finally:
        casino.close()


def _when_cut(line: Connection, leave: Callable[[], None]) -> None:
    """Leave when the other end of a worker's line is gone."""
    loop = asyncio.get_running_loop()

    def cut() -> None:
        loop.remove_reader(line.fileno())
        leave()

    loop.add_reader(line.fileno(), cut)


def _hosts(settings: Settings) -> tuple[str, ...]:
    """The names that the house goes by; none: whatever it is called."""
    if settings.public:
        return (*LOOPBACK, settings.public.partition("://")[2].partition("/")[0].partition(":")[0])
    at = f"[{settings.host}]" if ":" in settings.host else settings.host
    return LOOPBACK if at in LOOPBACK else ()
