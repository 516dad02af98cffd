"""A real PostgreSQL server of our own, started in a temporary directory and stopped again."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg


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
        """Start it as a child of ours, so that a killed one can be waited for."""
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self.bin / "postgres", "-D", "data", "-p", str(self.port), "-k", self.folder,
                 "-c", "listen_addresses=127.0.0.1", "-c", "max_connections=150"],
                cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **self._as_user(),
            )  # fmt: skip
        until = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(self.url(), connect_timeout=5).close()
            except psycopg.OperationalError:
                alive = self._process.poll() is None
                assert alive and time.monotonic() < until, (self.folder / "log").read_text()  # noqa: PT018
                time.sleep(0.02)
            else:
                return

    @property
    def pid(self) -> int:
        return self._process.pid

    def stop(self, how: int = signal.SIGINT) -> None:
        self._process.send_signal(how)
        self._process.wait(60)

    def kill(self) -> None:
        """SIGKILL to the server and to every one of its processes, as a power cut would."""
        main = self._process.pid
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        for pid in [main, *map(int, children)]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait(60)
        while not all(_is_gone(pid) for pid in children):
            time.sleep(0.01)

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        self._made += 1
        name = f"record{self._made}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"create database {name}")
        return self.url(name)

    def remove(self) -> None:
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder)


def _is_gone(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True
