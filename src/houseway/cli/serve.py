"""`houseway serve`: the web casino."""

from __future__ import annotations

import contextlib
import sys
from typing import Annotated

from cyclopts import Parameter

from houseway.errors import Refused

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def serve(
    *,
    database: str | None = None,
    host: str = "127.0.0.1",
    port: int = 8321,
    demonstration: bool = True,
    pace: Annotated[float, Parameter(show=False)] = 1.0,
    open_browser: Annotated[bool, Parameter(name="--open")] = True,
    workers: int = 1,
    public: str = "",
    json: bool = False,
) -> int:
    """Open the casino in a browser.

    Parameters
    ----------
    database
        The record: a SQLite file or a PostgreSQL URL; a file in your data directory by default.
    host
        Where to listen. Elsewhere than on this machine only without the demonstration.
    port
        The port to listen on; 0 takes a free one.
    demonstration
        Five open tables and a door for every role. Without it the first start makes one
        administrator and prints a link that works once.
    pace
        How fast the system deals; 0 takes no time at all.
    open_browser
        Open a page in the browser.
    workers
        Processes that serve the same tables; a PostgreSQL record is meant for several.
    public
        The address that people use, as in https://casino.example, where a reverse proxy on this
        machine stands before the house. With https cookies travel by https alone.
    json
        One line of JSON when it is ready.
    """
    if demonstration and host not in _LOOPBACK:
        raise Refused(
            "demonstration_stays_home",
            "the demonstration has open doors and is served on this machine only; "
            "use --no-demonstration to listen elsewhere",
            field="host",
        )
    if public and (demonstration or not public.startswith(("https://", "http://"))):
        raise Refused(
            "not_public",
            "the demonstration has no public address; use --no-demonstration"
            if demonstration
            else "a public address begins with https:// or http://",
            field="public",
        )
    if workers < 1:
        raise Refused("no_workers", "a house has at least one worker", field="workers")
    from houseway.web.server.startup import Settings, run

    with contextlib.suppress(KeyboardInterrupt):
        run(
            Settings(
                database, host, port, demonstration, pace, open_browser and sys.stdout.isatty(),
                workers, json, public.rstrip("/"),
            )
        )  # fmt: skip
    return 0
