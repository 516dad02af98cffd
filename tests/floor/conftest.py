"""The PostgreSQL server of the store's tests, for the tests of linked meters too."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[1] / "store"))


@pytest.fixture(scope="session")
def postgres() -> Iterator[Any]:
    from postgres_server import Server

    server = Server()
    yield server
    server.remove()
