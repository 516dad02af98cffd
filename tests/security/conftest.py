"""A house that is no demonstration: its people have passwords, and the staff authenticators."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from houseway.floor.casino import Casino
from houseway.web.app import build

sys.path.append(str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parents[1] / "web"))
from staffed import StaffedTable, staffed_casino
from visiting import ORIGIN, Visitor


@pytest.fixture
def casino() -> Iterator[Casino]:
    found = staffed_casino()
    yield found
    found.close()


@pytest.fixture
def house(casino: Casino) -> Iterator[Any]:
    app = build(casino, hosts=("localhost",), pace=0, database=":memory:", demonstration=False)
    with TestClient(app, base_url=ORIGIN) as client:
        client.casino = casino  # type: ignore[attr-defined]
        yield client


@pytest.fixture
def visitor(house: Any) -> Visitor:
    return Visitor(house)


@pytest.fixture
def table(casino: Casino, house: Any, visitor: Visitor) -> StaffedTable:
    return StaffedTable(casino, house, visitor)
