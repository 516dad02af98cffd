"""Starting the house: the record, the workers, the first administrator, the browser."""

from __future__ import annotations

import asyncio
import json as jsons
import socket
import sys
import webbrowser

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
    """Ends the event streams before it waits for what is still going on."""

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


async def run(
    *, database: str | None, host: str, port: int, demonstration: bool, pace: float, browser: bool,
    workers: int, json: bool,
) -> None:  # fmt: skip
    """Serve until stopped."""
    listening = _listen(host, port)
    name = f"[{host}]" if ":" in host else host
    address = f"http://{name}:{listening.getsockname()[1]}"
    casino = Casino(open_log(database))
    link = "" if demonstration else first_administrator(casino, address)
    hosts = LOOPBACK if name in LOOPBACK else ()
    app = build(casino, demonstration=demonstration, hosts=hosts, pace=pace, database=database)
    server = _Server(
        uvicorn.Config(
            app, log_level="warning", access_log=False, lifespan="on", timeout_graceful_shutdown=2,
            server_header=False, proxy_headers=False, http="h11", ws="none",
        )
    )  # fmt: skip
    del workers

    async def announce() -> None:
        while not server.started:
            await asyncio.sleep(0.02)
            if server.should_exit:
                return
        if json:
            print(jsons.dumps({"address": address, "link": link}), flush=True)
        else:
            print(f"The house is open at {address}", flush=True)
            if link:
                print(f"The first administrator sets a password here, once: {link}", flush=True)
            print("Stop it with Ctrl-C.", file=sys.stderr, flush=True)
        if browser:
            webbrowser.open(link or address)

    announcing = asyncio.create_task(announce())
    try:
        await server.serve(sockets=[listening])
    finally:
        announcing.cancel()
        casino.close()
