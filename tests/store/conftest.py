"""Records of every kind for the tests, PostgreSQL's on a real server."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from postgres_server import Server

from houseway.store.backends.memory import MemoryLog
from houseway.store.backends.postgres import PostgresLog
from houseway.store.backends.sqlite import SQLiteLog
from houseway.store.log import Log


@pytest.fixture(scope="session")
def shared_server() -> Iterator[Server]:
    server = Server()
    yield server
    server.remove()


@pytest.fixture
def server() -> Iterator[Server]:
    """A server of the test's own, to stop and kill."""
    own = Server()
    yield own
    own.remove()


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def make_log(request, tmp_path) -> Iterator[Callable[[], Log]]:
    """Opens a new, empty record each time it is called; all are closed at the end."""
    opened: list[Log] = []

    def make() -> Log:
        if request.param == "memory":
            log: Log = MemoryLog()
        elif request.param == "sqlite":
            log = SQLiteLog(tmp_path / f"record{len(opened)}.db")
        else:
            log = PostgresLog(request.getfixturevalue("shared_server").new_database())
        opened.append(log)
        return log

    yield make
    for log in opened:
        log.close()


@pytest.fixture
def log(make_log) -> Log:
    return make_log()


@pytest.fixture(params=["sqlite", "postgres"])
def open_again(request, tmp_path) -> Iterator[Callable[[], Log]]:
    """Opens the same record again each time it is called, as another process would."""
    opened: list[Log] = []
    url = (
        request.getfixturevalue("shared_server").new_database()
        if request.param == "postgres"
        else None
    )

    def again() -> Log:
        opened.append(PostgresLog(url) if url else SQLiteLog(tmp_path / "record.db"))
        return opened[-1]

    yield again
    for log in opened:
        log.close()
