"""The PostgreSQL server of the store's tests, for the tests of linked meters too."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


def _store_server() -> Any:
    path = Path(__file__).parents[1] / "store" / "conftest.py"
    spec = importlib.util.spec_from_file_location("store_conftest", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Server()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Any]:
    server = _store_server()
    yield server
    server.remove()
