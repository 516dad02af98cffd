"""What holds for every test: a slow machine is no failure, so no example has a deadline."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, sync_playwright

# The same examples on every machine, so that what passes on a desk passes in CI; new ones with
# `script/test --hypothesis-profile=explore`.
settings.register_profile(
    "houseway", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
settings.register_profile(
    "explore", settings.get_profile("houseway"), derandomize=False, print_blob=True
)
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
    sys.path.append(str(Path(__file__).parent / "store"))
    from postgres_server import Server

    server = Server()
    yield server
    server.remove()
