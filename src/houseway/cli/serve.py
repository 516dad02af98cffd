"""`houseway serve`: the web casino."""

from __future__ import annotations

import contextlib
import sys
from ipaddress import ip_network
from typing import Annotated

from cyclopts import Parameter

from houseway.cli.record_options import Port
from houseway.errors import Refused

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def serve(
    *,
    database: str | None = None,
    host: str = "127.0.0.1",
    port: Port = 8321,
    demonstration: Annotated[bool, Parameter(name=("--demonstration", "--demo"))] = True,
    pace: Annotated[float, Parameter(show=False)] = 1.0,
    open_browser: Annotated[bool, Parameter(name="--open")] = True,
    workers: int = 1,
    public: str = "",
    demo_rounds: int = 300,
    anchors: str = "",
    access_log: str = "",
    proxy: tuple[str, ...] = ("127.0.0.1", "::1"),
    json: bool = False,
) -> int:
    """Open the casino in a browser.

    Parameters
    ----------
    database
        The record: a SQLite file or a PostgreSQL URL; a file in your data directory by default.
    host
        The address to listen on. The demonstration listens on this machine only.
    port
        The port to listen on; 0 picks a free one.
    demonstration
        Open one table per chapter and let visitors choose a role without a password. Without it,
        the first start creates an administrator and prints a link that works once.
    pace
        How fast the system deals; 0 deals at once.
    open_browser
        Open a page in the browser.
    workers
        How many processes serve the tables; use PostgreSQL for several.
    public
        The address that people use, such as https://casino.example, if a reverse proxy on this
        machine forwards to this server. With https, cookies are sent over https only.
    demo_rounds
        Rounds that the demonstration has on record from the start; made in the background.
    anchors
        A second place for the signed anchors: a folder on other media or another machine.
    access_log
        A file for one line about every request: time, address, person, what, and the answer.
    proxy
        Where the reverse proxy of --public is; forwarded addresses are believed from there only.
    json
        Print one line of JSON when it is ready.
    """
    if demonstration and host not in _LOOPBACK:
        raise Refused(
            "demonstration_stays_home",
            "the demonstration needs no password and is served on this machine only; "
            "use --no-demo to listen elsewhere",
            field="host",
        )
    from houseway.web.server.startup import Settings, host_of, run

    named = public.startswith(("https://", "http://")) and host_of(public)
    if public and (demonstration or not named):
        raise Refused(
            "not_public",
            "the demonstration has no public address; use --no-demo"
            if demonstration
            else "a public address is like https://casino.example or http://casino.example",
            field="public",
        )
    for one in proxy:
        try:
            ip_network(one, strict=False)
        except ValueError:
            raise Refused(
                "not_an_address",
                f"{one!r} is not the address of a proxy; write it like 10.0.0.2 or 10.0.0.0/24",
                field="proxy",
            ) from None
    if workers < 1:
        raise Refused("no_workers", "there must be at least one worker", field="workers")
    with contextlib.suppress(KeyboardInterrupt):
        run(
            Settings(
                database, host, port, demonstration, pace, open_browser and sys.stdout.isatty(),
                workers, json, public.rstrip("/"), demo_rounds, anchors, access_log, tuple(proxy),
            )
        )  # fmt: skip
    return 0
