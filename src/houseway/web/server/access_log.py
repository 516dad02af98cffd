"""Every request in a file: when, from where, who, what, and how it was answered.

No query, body or token is written; a one-time link is recorded only as such.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from houseway.errors import Refused, file_problem, printable
from houseway.floor import clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import Message, Scope, Send


class AccessLog:
    """One line per request, in a file that only its owner may read."""

    def __init__(self, path: str) -> None:
        try:
            number = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
            self._file = os.fdopen(number, "a", buffering=1, encoding="utf-8", errors="replace")
        except OSError as error:
            raise Refused("cannot_write", file_problem(path, error), field="access_log") from None

    def around(self, scope: Scope, send: Send) -> tuple[Send, Callable[[], None]]:
        """Two functions: one counts an answer as it is sent, one writes its line at the end."""
        begun = time.monotonic()
        state = {"status": 0, "bytes": 0}

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                state["status"] = message["status"]
            elif message["type"] == "http.response.body":
                state["bytes"] += len(message.get("body", b""))
            await send(message)

        return sending, lambda: self._write(scope, state, time.monotonic() - begun)

    def _write(self, scope: Scope, state: dict[str, int], seconds: float) -> None:
        person = scope.get("state", {}).get("person")
        client = scope.get("client")
        path = scope["path"]
        if path.startswith("/link/"):
            path = "/link/..."
        line = (
            f"{clock.now()} {_column(client[0]) if client else '-'} {person.id if person else '-'}"
            f" {scope['method']} {quote(printable(path, 300))} {state['status']} {state['bytes']}"
            f" {seconds * 1000:.0f}ms\n"
        )
        # a full disk for this log does not stop the house
        with contextlib.suppress(OSError):
            self._file.write(line)

    def close(self) -> None:
        self._file.close()


def _column(address: str) -> str:
    """An address as one column of a line, whatever text a proxy passed on."""
    return quote(printable(address, 60), safe=":.[]")


def open_access_log(path: str) -> AccessLog | None:
    return AccessLog(str(Path(path))) if path else None
