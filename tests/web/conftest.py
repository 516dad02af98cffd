"""A house for each test: a casino in memory behind the real application, and the way in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from laid_cards import lay
from starlette.testclient import TestClient
from visiting import ORIGIN, Visitor

from houseway.floor.casino import Casino
from houseway.store import open_log
from houseway.web.app import build


@pytest.fixture
def laid() -> dict[str, list[str]]:
    """The cards that come first at a table; a test that wants some overrides this."""
    return {}


@pytest.fixture
def house(laid: dict[str, list[str]]) -> Iterator[Any]:
    """The application with the demonstration's tables, the dealer as quick as it can be."""
    casino = Casino(open_log(":memory:"))
    app = build(casino, hosts=("localhost",), pace=0, database=":memory:")
    lay(app, laid)
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
