"""What holds for every test: a slow machine is no failure, so no example has a deadline."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, sync_playwright

settings.register_profile("houseway", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("houseway")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium without a window; `script/test` installs it.

    One for each module: two Playwrights at a time in one process are one too many.
    """
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        yield found
        found.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Any]:
    """The PostgreSQL server of the store's tests, for whoever needs one elsewhere."""
    path = Path(__file__).parent / "store" / "conftest.py"
    spec = importlib.util.spec_from_file_location("store_conftest", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    server = module.Server()
    yield server
    server.remove()
