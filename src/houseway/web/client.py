"""A short client for the web casino. It needs the standard library alone, and may be copied.

house = House("http://127.0.0.1:8321", token)
table = house.table("maryland", role="dealer")
house.send("maryland", "deal", role="dealer", version=table["version"], cards=["As"])
for view in house.follow("maryland", role="dealer"):
    print(view["version"], view["view"]["public"]["phase"])
"""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from typing import Any


class Refused(Exception):
    """The house refused: `code` is for programs, `clause` for the examiner, the message for people."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error.get("message", "refused"))
        self.code: str = error.get("code", "")
        self.clause: str = error.get("clause", "")


class House:
    """A web casino at an address."""

    def __init__(self, address: str, token: str = "") -> None:
        self.address = address.rstrip("/")
        self.token = token

    def sign_in(self, person: str, password: str) -> None:
        self.token = self._ask("/api/session", {"person": person, "password": password})["token"]

    def tables(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._ask("/api/tables")["tables"]
        return found

    def table(self, name: str, role: str = "") -> dict[str, Any]:
        """A table as one of your roles sees it."""
        return self._ask(f"/api/tables/{name}?role={role}")

    def send(self, table: str, command: str, *, key: str = "", **fields: Any) -> dict[str, Any]:
        """Send a command; it is retried with the same key if the answer is lost."""
        body = {"command": command, "key": key or uuid.uuid4().hex, **fields}
        for attempt in range(4):
            try:
                return self._ask(f"/api/tables/{table}/commands", body)
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                if attempt == 3:
                    raise
                time.sleep(0.2 * 2**attempt)
        raise AssertionError

    def follow(self, table: str, role: str = "") -> Iterator[dict[str, Any]]:
        """Views as they change; a lost connection is resumed where it broke."""
        last = ""
        while True:
            request = self._request(f"/api/tables/{table}/stream?role={role}")
            if last:
                request.add_header("Last-Event-ID", last)
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
                    for raw in answer:
                        line = raw.decode().rstrip("\n")
                        if line.startswith("id: "):
                            last = line[4:]
                        elif line.startswith("data: "):
                            yield json.loads(line[6:])
            except urllib.error.HTTPError as error:
                raise Refused(json.load(error)["error"]) from None
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.5)

    def _request(self, path: str, body: dict[str, Any] | None = None) -> urllib.request.Request:
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        return urllib.request.Request(self.address + path, data=data, headers=headers)  # noqa: S310

    def _ask(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        try:
            with urllib.request.urlopen(self._request(path, body), timeout=20) as answer:  # noqa: S310
                found: dict[str, Any] = json.load(answer)
                return found
        except urllib.error.HTTPError as error:
            raise Refused(json.load(error)["error"]) from None
