"""A house for each test: a casino in memory behind the real application, and the way in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from houseway.floor.casino import Casino
from houseway.store import open_log
from houseway.web.app import build
from houseway.web.pages import account
from houseway.web.server.security import Attempts

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


@pytest.fixture(autouse=True)
def _fresh_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(account, "by_name", Attempts(5, 300))
    monkeypatch.setattr(account, "by_address", Attempts(30, 300))


@pytest.fixture
def house() -> Iterator[Any]:
    """The application with the demonstration's tables, the dealer as quick as it can be."""
    casino = Casino(open_log(":memory:"))
    app = build(casino, hosts=("localhost",), pace=0, database=":memory:")
    with TestClient(app, base_url=ORIGIN) as client:
        client.casino = casino
        yield client
    casino.close()


@pytest.fixture
def visitor(house: Any) -> Visitor:
    return Visitor(house)


@pytest.fixture
def another(house: Any) -> Iterator[Any]:
    """More visitors, each with cookies of its own, to the same house."""

    def make() -> Visitor:
        # the house is open already: the same loop, and cookies of one's own
        client = TestClient(house.app, base_url=ORIGIN)
        client.portal = house.portal
        return Visitor(client)

    return make  # type: ignore[return-value]
