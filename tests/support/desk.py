"""A connection to one worker of a house, whichever of them serves the others."""

from __future__ import annotations

import http.client
import http.cookiejar
import json
import re
import time
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from typing import Any


def visitor(address: str, role: str) -> Callable[..., str]:
    """Somebody who came in by the demonstration's door: gives pages, and sends forms."""
    opener = urllib.request.build_opener(
        urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
    )

    def page(path: str, **fields: str) -> str:
        data = urllib.parse.urlencode(fields).encode() if fields else None
        request = urllib.request.Request(
            address + path, data=data, headers={"origin": address, "accept": "text/html"}
        )
        return opener.open(request, timeout=60).read().decode()

    page("/demonstration", role=role, token=_mark(page("/sign-in")), name="Api")
    return page


def _mark(text: str) -> str:
    return re.search(r'name="token" content="(\w+)"', text)[1]


def token(address: str, role: str) -> str:
    """A program's token by way of the demonstration's door and one's own page."""
    page = visitor(address, role)
    mine = page("/me/token", token=_mark(page("/me")))
    return re.search(r'role="status"><code>([\w-]+)</code>', mine)[1]


class Desk:
    """One kept connection, so that every request on it goes to the same worker."""

    def __init__(self, address: str, worker: int, token: str = "") -> None:
        host, _, port = address.removeprefix("http://").rpartition(":")
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        until = time.monotonic() + 60
        while True:
            self._line = http.client.HTTPConnection(host, int(port), timeout=60)
            try:
                health = self.ask("GET", "/health")
                self.worker, self.process = health["worker"], health["process"]
                if self.worker == worker:
                    return
            except (ConnectionError, http.client.HTTPException):
                pass
            self.close()
            assert time.monotonic() < until, f"worker {worker} does not answer"
            time.sleep(0.01)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body)
        self._line.request(method, path, data, self._headers)
        with self._line.getresponse() as answer:
            return json.loads(answer.read())

    def page(self, path: str) -> str:
        self._line.request("GET", path, headers={"accept": "text/html"})
        with self._line.getresponse() as answer:
            return answer.read().decode()

    def send(self, table: str, command: str, **fields: Any) -> Any:
        body = {"command": command, "key": uuid.uuid4().hex, **fields}
        return self.ask("POST", f"/api/tables/{table}/commands", body)

    def table(self, name: str, role: str = "") -> Any:
        return self.ask("GET", f"/api/tables/{name}?role={role}")

    def follow(self, table: str) -> Iterator[Any]:
        """The views of a table as this worker streams them; the connection is used up by it."""
        self._line.request("GET", f"/api/tables/{table}/stream", headers=self._headers)
        with self._line.getresponse() as answer:
            while line := answer.readline():
                if line.startswith(b"data: "):
                    yield json.loads(line[6:])

    def close(self) -> None:
        self._line.close()
