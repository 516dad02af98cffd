"""The house as its users start it: `houseway serve` in a process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import uvicorn
from starlette.applications import Starlette


class Served(NamedTuple):
    address: str
    database: str
    process: subprocess.Popen[str]


@contextlib.contextmanager
def served(
    folder: Path, *more: str, pace: float = 0.25, port: str = "0", database: str = ""
) -> Iterator[Served]:
    """A house on a free port with its record in a folder or elsewhere; it ends in good order."""
    database = database or str(folder / "house.db")
    command = [
        sys.executable, "-m", "houseway", "serve", "--database", database, "--port", port, "--json",
        "--no-open", "--pace", str(pace), "--demo-rounds", "0", *more,
    ]  # fmt: skip
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ},
        start_new_session=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, process.communicate()[1]
        yield Served(json.loads(line)["address"], database, process)
    finally:
        process.terminate()
        # it ends its streams and its workers by itself: waiting here waits for all of them
        _, said = process.communicate(timeout=60)
        assert "Traceback" not in said, said


@contextlib.contextmanager
def served_here(app: Starlette) -> Iterator[str]:
    """An application in a thread of the test's own process, for tests that lay the cards."""
    server = uvicorn.Server(
        uvicorn.Config(app, port=0, log_level="warning", access_log=False, ws="none")
    )
    listening = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        app.state.stopping.set()
        app.state.casino.wake()
        server.should_exit = True
        thread.join(20)
        listening.close()
