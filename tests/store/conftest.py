"""A real PostgreSQL server for the tests, started in a temporary directory and stopped again."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from houseway.store.log import Log
from houseway.store.memory import MemoryLog
from houseway.store.postgres import PostgresLog
from houseway.store.sqlite import SQLiteLog


class Server:
    """A PostgreSQL server of our own; it refuses to run as root, so root becomes `postgres`."""

    def __init__(self) -> None:
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
        initdb = str(found[-1]) if found else shutil.which("initdb")
        assert initdb, "PostgreSQL is not installed; on Debian: apt-get install postgresql"
        self.bin = Path(initdb).parent
        self.user = pwd.getpwnam("postgres") if os.getuid() == 0 else pwd.getpwuid(os.getuid())
        self.folder = Path(tempfile.mkdtemp(prefix="houseway-pg-"))
        os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._run(
            "initdb", "-D", "data", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C"
        )
        self._made = 0
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self.bin / program, *arguments], cwd=self.folder, check=True, timeout=60,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **self._as_user(),
        )  # fmt: skip

    def _as_user(self) -> dict:
        if os.getuid() != 0:
            return {}
        return {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []}

    def start(self) -> None:
        options = (
            f"-p {self.port} -c listen_addresses=127.0.0.1 -k {self.folder} -c max_connections=150"
        )
        self._run("pg_ctl", "-D", "data", "-w", "-l", "log", "-o", options, "start")

    def stop(self, how: str = "fast") -> None:
        self._run("pg_ctl", "-D", "data", "-w", "-m", how, "stop")

    def kill(self) -> None:
        """SIGKILL to the server and to every one of its processes, as a power cut would."""
        main = int((self.folder / "data/postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        for pid in [main, *map(int, children)]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        while any(
            Path(f"/proc/{pid}").exists() and not _is_zombie(pid) for pid in [main, *children]
        ):
            pass

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        self._made += 1
        name = f"record{self._made}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"create database {name}")
        return self.url(name)

    def remove(self) -> None:
        self.stop("immediate")
        shutil.rmtree(self.folder)


def _is_zombie(pid: object) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


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
