"""What holds for every test: a slow machine is no failure, so no example has a deadline."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, sync_playwright

from houseway.cli.terminal.output import DEFAULT_WIDTH

# The same examples on every machine, so that what passes on a desk passes in CI; new ones with
# `script/test --hypothesis-profile=explore`.
settings.register_profile(
    "houseway", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
settings.register_profile(
    "explore", settings.get_profile("houseway"), derandomize=False, print_blob=True
)
settings.load_profile("houseway")


@pytest.fixture(scope="session", autouse=True)
def _keys_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The keys of houses that tests open are not this user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOUSEWAY_KEYS", str(tmp_path_factory.mktemp("keys")))
        yield


@pytest.fixture(scope="session", autouse=True)
def _as_wide_as_a_pipe() -> Iterator[None]:
    """What a command prints is not wrapped to the terminal in which the tests run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(DEFAULT_WIDTH))
        yield


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
    """The PostgreSQL server of the store's tests, for other tests that need one."""
    sys.path.append(str(Path(__file__).parent / "store"))
    from postgres_server import Server

    server = Server()
    yield server
    server.remove()


_ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session", autouse=True)
def _every_connection_is_closed() -> Iterator[None]:
    """Fails if the program or a test leaves a SQLite connection open, and says who opened it.

    Python 3.13 warns of these when it collects them, earlier versions do not.
    """
    opened: list[tuple[sqlite3.Connection, str]] = []

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "sqlite3.connect/handle":
            opened.append((arguments[0], " < ".join(_callers(sys._getframe(1)))))

    sys.addaudithook(hook)
    yield
    left = sorted({callers for connection, callers in opened if _is_open(connection)})
    assert not left, "connections left open, each with its callers:\n" + "\n".join(left)


def _callers(frame: FrameType | None) -> Iterator[str]:
    """The lines of this project that led to a frame, innermost first."""
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(_ROOT / "src") or path.is_relative_to(_ROOT / "tests"):
            yield f"{path.relative_to(_ROOT)}:{frame.f_lineno}"
        frame = frame.f_back


def _is_open(connection: sqlite3.Connection) -> bool:
    try:
        connection.total_changes  # noqa: B018 -- refused by a closed connection
    except sqlite3.ProgrammingError:
        return False
    return True
