"""Starting the house: the record, the workers, the first administrator, the browser."""

from __future__ import annotations

import asyncio
import json as jsons
import signal
import socket
import sys
import time
import webbrowser
from collections.abc import Callable, Coroutine
from multiprocessing import get_context
from typing import NamedTuple

import uvicorn

from houseway.floor.casino import Casino
from houseway.refusal import Refused
from houseway.store import open_log
from houseway.web.app import build
from houseway.web.security import LOOPBACK


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

    announce: Callable[[], None] = staticmethod(lambda: None)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.announce()

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


def run(settings: Settings) -> None:
    """Serve until stopped: in this process, or in several that share the door."""
    listening = _listen(settings.host, settings.port)
    name = f"[{settings.host}]" if ":" in settings.host else settings.host
    address = f"http://{name}:{listening.getsockname()[1]}"
    if settings.workers == 1:
        _run(_serve(settings, listening, address, 0))
        return
    context = get_context("spawn")
    workers = [
        context.Process(target=_worker, args=(settings, listening, address, number), daemon=True)
        for number in range(settings.workers)
    ]
    workers[0].start()
    # the first makes the record and furnishes the house
    time.sleep(1.0)
    for worker in workers[1:]:
        worker.start()

    def stop(_signal: int, _frame: object) -> None:
        for worker in workers:
            if worker.is_alive():
                worker.terminate()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    for worker in workers:
        worker.join()


def _run(serving: Coroutine[None, None, None]) -> None:
    """On the quicker loop, where it is installed."""
    try:
        import uvloop
    except ImportError:
        asyncio.run(serving)
    else:
        uvloop.run(serving)


def _worker(settings: Settings, listening: socket.socket, address: str, number: int) -> None:
    _run(_serve(settings, listening, address, number))


async def _serve(settings: Settings, listening: socket.socket, address: str, worker: int) -> None:
    casino = Casino(open_log(settings.database))
    first = worker == 0
    link = ""
    if not settings.demonstration and first:
        link = first_administrator(casino, address)
    hosts = LOOPBACK if address.removeprefix("http://").rpartition(":")[0] in LOOPBACK else ()
    app = build(
        casino, demonstration=settings.demonstration, hosts=hosts, pace=settings.pace,
        database=settings.database, worker=worker, workers=settings.workers,
    )  # fmt: skip
    server = _Server(
        uvicorn.Config(
            app, log_level="warning", access_log=False, lifespan="on", timeout_graceful_shutdown=3,
            server_header=False, proxy_headers=False, ws="none",
        )
    )  # fmt: skip

    def announce() -> None:
        if settings.json:
            print(jsons.dumps({"address": address, "link": link}), flush=True)
        else:
            print(f"The house is open at {address}", flush=True)
            if link:
                print(f"The first administrator sets a password here, once: {link}", flush=True)
            print("Stop it with Ctrl-C.", file=sys.stderr, flush=True)
        if settings.browser:
            webbrowser.open(link or address)

    if first:
        server.announce = announce
    try:
        await server.serve(sockets=[listening])
    finally:
        casino.close()
