"""The way into a house for its tests."""

from __future__ import annotations

import re
from typing import Any

from starlette.testclient import TestClient

ORIGIN = "http://localhost"


class Visitor:
    """A browser without a screen: keeps its cookies, reads the token off a page, sends commands."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.token = ""

    def get(self, path: str, **more: Any) -> Any:
        answer = self.client.get(path, headers={"accept": "text/html"}, **more)
        found = re.search(r'name="token" content="(\w+)"', answer.text)
        if found:
            self.token = found[1]
        return answer

    def form(self, path: str, **fields: Any) -> Any:
        return self.client.post(
            path,
            data={"token": self.token, **fields},
            headers={"origin": ORIGIN, "accept": "text/html"},
            follow_redirects=False,
        )

    def enter(self, role: str = "guest", name: str = "Rosa") -> Visitor:
        """Through the demonstration's door."""
        self.get("/sign-in")
        answer = self.form("/demonstration", role=role, name=name)
        assert answer.status_code == 303, answer.text
        self.get("/sign-in")
        return self

    def post(self, path: str, **fields: Any) -> Any:
        return self.client.post(
            path, json=fields, headers={"origin": ORIGIN, "x-houseway-token": self.token}
        )

    def send(self, table: str, command: str, **fields: Any) -> Any:
        return self.post(f"/tables/{table}/commands", command=command, **fields)
