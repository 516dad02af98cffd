"""A line to the house that can be slow, and can be cut."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from types import TracebackType
from typing import Self


class Line:
    """Passes bytes on between a browser and a house; `cut` ends what is open and takes no more.

    While it is `stalled` it keeps everything open and passes nothing on.
    """

    def __init__(self, address: str) -> None:
        host, _, port = address.removeprefix("http://").rpartition(":")
        self._to = (host, int(port))
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._closed = False
        self._cut = False
        self.slow = 0.0
        self.stalled = False
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closed = True
        self._listening.close()
        self._end()

    @property
    def cut(self) -> bool:
        return self._cut

    @cut.setter
    def cut(self, is_cut: bool) -> None:
        self._cut = is_cut
        if is_cut:
            self._end()

    def _end(self) -> None:
        for one in self._open:
            with_shutdown(one)
        self._open.clear()

    def _accept(self) -> None:
        while not self._closed:
            try:
                here, _ = self._listening.accept()
            except OSError:
                return
            if self._cut:
                here.close()
                continue
            there = socket.create_connection(self._to)
            self._open += [here, there]
            for source, target in ((here, there), (there, here)):
                threading.Thread(target=self._pass, args=(source, target), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                time.sleep(self.slow)
                while self.stalled and not self._closed:
                    time.sleep(0.05)
                target.sendall(data)
        except OSError:
            pass
        finally:
            with_shutdown(source)
            with_shutdown(target)


def with_shutdown(one: socket.socket) -> None:
    """Close a socket that another thread may be reading."""
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
