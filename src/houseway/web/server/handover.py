"""Every table has a home among the workers: a connection that asks for one is handed over to it.

All workers accept connections on one port. Whoever gets a request for a table that is at home at
another worker gives that worker the connection itself, with what was read of it, through a socket
in a folder of the house. From then on it is served there: commands and streams of a table meet in
one process, which holds the table and has drawn it already. If that worker is not running, the
request is answered here, from the record.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import struct
from collections.abc import Callable
from functools import partial
from pathlib import Path
from urllib.parse import unquote_to_bytes

from houseway.floor.streams import home_of

#: the first line of a request for a table
_FOR_A_TABLE = re.compile(rb"[A-Z]+ (?:/api)?/tables/([^/? ]+)")
#: bytes that go over with a connection; a longer beginning is served where it came
_LARGEST = 64 * 1024


def on_a_server(database: str | None) -> bool:
    """Whether the record is on a server that several workers write to."""
    return str(database).startswith(("postgres://", "postgresql://"))


def number_of_homes(database: str | None, workers: int) -> int:
    """How many workers have tables: on SQLite one decides, and the others serve the rest."""
    return workers if on_a_server(database) else 1


class Handover:
    """The sockets between the workers of a house, for one of them."""

    def __init__(self, folder: str, worker: int, homes: int) -> None:
        self._folder = Path(folder)
        self._worker, self._homes = worker, homes
        self._sending = _datagrams()
        self._receiving: socket.socket | None = None

    def handed(self, transport: asyncio.Transport, data: bytes) -> bool:
        """Give a connection away if the request that begins with `data` belongs elsewhere."""
        found = _FOR_A_TABLE.match(data)
        if found is None or len(data) > _LARGEST or transport.get_write_buffer_size():
            return False
        home = home_of(unquote_to_bytes(found[1]).decode(errors="replace"), self._homes)
        if home == self._worker:
            return False
        file = transport.get_extra_info("socket").fileno()
        with_it = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("i", file))]
        try:
            self._sending.sendmsg([data], with_it, 0, str(self._folder / str(home)))
        except OSError:
            return False  # nobody is there, or too much waits for it
        # the other has it now: this closes it here and does not end it
        transport.abort()
        return True

    def tell(self, table: str) -> None:
        """Let the home of a table know that something was written to it here."""
        home = home_of(table, self._homes)
        with contextlib.suppress(OSError):  # without it, it looks for itself now and then
            self._sending.sendto(table.encode(), str(self._folder / str(home)))

    def listen(
        self, serve: Callable[[bytes], asyncio.Protocol], moved: Callable[[str], None]
    ) -> None:
        """Serve the connections that the others give, by protocols that begin with what was read.

        `moved` is called with a table to which another has written.
        """
        loop = asyncio.get_running_loop()
        path = self._folder / str(self._worker)
        path.unlink(missing_ok=True)
        self._receiving = receiving = _datagrams()
        receiving.bind(str(path))
        tasks: set[asyncio.Task[object]] = set()

        def taken() -> None:
            with contextlib.suppress(BlockingIOError):
                while True:
                    data, files, _, _ = socket.recv_fds(receiving, _LARGEST, 1)
                    if not files:
                        moved(data.decode())
                    for file in files:
                        line = socket.socket(fileno=file)
                        line.setblocking(False)
                        opening = loop.connect_accepted_socket(partial(serve, data), line)
                        task = asyncio.ensure_future(opening)
                        tasks.add(task)
                        task.add_done_callback(tasks.discard)

        loop.add_reader(receiving.fileno(), taken)

    def close(self) -> None:
        """Take no more; those who try are refused, and serve by themselves."""
        if self._receiving is not None:
            asyncio.get_running_loop().remove_reader(self._receiving.fileno())
            self._receiving.close()
            self._receiving = None
        self._sending.close()


def _datagrams() -> socket.socket:
    made = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    made.setblocking(False)
    return made
