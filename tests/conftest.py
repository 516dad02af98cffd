"""What holds for every test: a slow machine is no failure, so no example has a deadline."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

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
