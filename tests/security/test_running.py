"""A house in trouble: appends that fail, threads that die, clients that dribble, a proxy that lies."""

from __future__ import annotations

import contextlib
import socket
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.testclient import TestClient

from houseway.floor.casino import Casino
from houseway.store import New, Write
from houseway.store.backends.sqlite import SQLiteLog
from houseway.store.group_commit import GroupCommitter
from houseway.store.log import Unavailable
from houseway.web.app import build
from houseway.web.server import startup

sys.path.append(str(Path(__file__).parents[1] / "web"))
from visiting import ORIGIN, Visitor

sys.path.append(str(Path(__file__).parents[1] / "support"))
from served import served

NOON = "2026-03-01T12:00:00Z"


def until(holds: Callable[[], object], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


@pytest.fixture
def log(tmp_path: Path) -> SQLiteLog:
    return SQLiteLog(tmp_path / "house.db")


@pytest.fixture
def house(log: SQLiteLog) -> Iterator[Any]:
    casino = Casino(log)
    app = build(casino, hosts=("localhost",), pace=0, database=":memory:")
    with TestClient(app, base_url=ORIGIN) as client:
        client.casino = casino  # type: ignore[attr-defined]
        yield client
    casino.close()


def health(house: Any) -> tuple[int, dict[str, Any]]:
    answer = house.get("/health")
    return answer.status_code, answer.json()


@contextlib.contextmanager
def full_disk(log: SQLiteLog) -> Iterator[None]:
    """SQLite itself says that the disk is full: the file may not get another page."""
    with log._lock:
        (pages,) = log._writer.execute("pragma page_count").fetchone()
        log._writer.execute(f"pragma max_page_count = {pages}")
    try:
        yield
    finally:
        with log._lock:
            log._writer.execute("pragma max_page_count = 1073741823")


def test_health_fails_while_appends_fail_and_is_well_after_one_that_does_not(
    house: Any, log: SQLiteLog
) -> None:
    assert health(house)[0] == 200
    visitor = Visitor(house).enter()
    live = house.casino.table("maryland")
    assert visitor.send("maryland", "sit_down", seat=1).status_code == 200
    until(lambda: live.state.phase == "betting")
    with full_disk(log):
        for number in range(2000):
            command = "leave_seat" if live.state.boxes[0].player else "sit_down"
            before = live.version
            answer = visitor.send("maryland", command, seat=1, key=f"{number}")
            if answer.status_code != 200:
                break
        assert answer.status_code == 503, answer.text
        # what was refused did not happen
        assert live.version == before
        status, said = health(house)
        assert (status, said["error"]["code"]) == (503, "record_full")
        assert not said["well"]
    again = visitor.send("maryland", command, seat=1, key="again")
    assert again.status_code == 200, again.text
    assert health(house)[0] == 200


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_died_is_replaced_and_reported(house: Any) -> None:
    committer: GroupCommitter = house.casino._commits
    before = committer._thread
    committer._waiting.put("what no commit is made of")  # type: ignore[arg-type]
    before.join(30)
    assert not before.is_alive()
    # an append that was in the same group is answered, as one that failed, and sent again
    visitor = Visitor(house).enter()
    until(lambda: visitor.send("maryland", "sit_down", seat=1).status_code == 200)
    until(lambda: health(house)[0] == 200)
    # a table's own task whose append was in that group is started again too, and counted
    assert health(house)[1]["restarted_threads"] >= 1


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_append_after_the_thread_died_is_carried_out(log: SQLiteLog) -> None:
    """Nobody has to ask for the health of the house first."""
    committer = GroupCommitter(log)
    before = committer._thread
    committer._waiting.put("what no commit is made of")  # type: ignore[arg-type]
    # in the queue before anybody can know of the death, whatever group it falls into
    lost = committer.submit(Write("r", 0, (New("x", {}, "ann", NOON),)))
    before.join(30)
    assert lost.exception(timeout=30) is None or isinstance(lost.exception(), Unavailable)
    (event,) = committer.append(Write("s", 0, (New("x", {}, "ann", NOON),)))
    assert event.version == 1
    assert committer.restarted == 1
    committer.close()
    log.close()


def test_a_dealer_whose_task_ended_by_an_error_deals_again(house: Any) -> None:
    dealer = house.app.state.dealer
    plain = dealer.plan

    def broken(live: Any) -> Any:
        if live.name == "maryland":
            raise ValueError("a fault of our own")
        return plain(live)

    visitor = Visitor(house).enter()
    live = house.casino.table("maryland")
    visitor.send("maryland", "sit_down", seat=1)
    visitor.send("maryland", "buy_in", amount="100.00")
    until(lambda: live.state.phase == "betting")
    dealer.plan = broken
    wager = {"seat": 1, "wager": "ante", "amount": "5.00"}
    assert visitor.send("maryland", "place_wager", **wager).status_code == 200
    until(dealer._tasks["maryland"].done)
    assert not live.state.hands
    del dealer.plan
    status, said = health(house)
    assert (status, said["restarted_threads"]) == (200, 1)
    until(lambda: live.state.round)


# clients that take their time


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A server that gives half a second for headers; the port where it listens."""
    monkeypatch.setattr(startup, "HEADERS", 0.5)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        del scope, receive
        await send(
            {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]}
        )
        await send({"type": "http.response.body", "body": b"ok"})

    config = uvicorn.Config(
        app, log_level="critical", lifespan="off", ws="none", http=startup._Patient
    )
    server = uvicorn.Server(config)
    listening = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    until(lambda: server.started)
    yield listening.getsockname()[1]
    server.should_exit = True
    thread.join(30)
    listening.close()


@pytest.mark.parametrize("first", [b"", b"GET / HTTP/1.1\r\nHost: localhost\r\n"])
def test_a_client_that_dribbles_its_headers_is_let_go(impatient: int, first: bytes) -> None:
    """A byte now and then does not buy more time."""
    with socket.create_connection(("127.0.0.1", impatient), timeout=30) as client:
        client.settimeout(0.05)
        client.sendall(first)
        end = time.monotonic() + 30
        while True:
            assert time.monotonic() < end, "it is still connected"
            try:
                client.sendall(b"x" if first else b"G")
                if client.recv(1000) == b"":
                    break
            except TimeoutError:
                continue
            except OSError:
                break


def test_headers_do_not_fill_the_memory(impatient: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(startup, "HEADERS", 60.0)
    with socket.create_connection(("127.0.0.1", impatient), timeout=30) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
        with pytest.raises(OSError, match=r"reset|[Pp]ipe"):
            client.sendall(b"a" * (100 << 20))


def test_a_client_that_asks_at_once_is_answered(impatient: int) -> None:
    with urllib.request.urlopen(f"http://127.0.0.1:{impatient}/", timeout=30) as answer:
        assert answer.read() == b"ok"


# behind a proxy


def listens_at(process: int) -> int:
    """The port at which a process listens: a public address does not tell it."""
    here = Path(f"/proc/{process}")
    sockets = {one.readlink().name for one in (here / "fd").iterdir() if one.is_symlink()}
    rows = [line.split() for line in (here / "net" / "tcp").read_text().splitlines()[1:]]
    (port,) = [
        row[1].partition(":")[2]
        for row in rows
        if row[3] == "0A" and f"socket:[{row[9]}]" in sockets
    ]
    return int(port, 16)


def addresses(folder: Path, *more: str) -> list[str]:
    """The addresses in the access log after a request that says it is forwarded."""
    folder.mkdir()
    path = folder / "access.log"
    with served(folder, "--access-log", str(path), *more) as house:
        port = listens_at(house.process.pid)
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/alive", headers={"X-Forwarded-For": "203.0.113.9"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            assert answer.status == 200
    return [line.split()[1] for line in path.read_text().splitlines() if " /alive " in line]


@pytest.mark.slow
def test_a_forwarded_address_is_believed_from_the_declared_proxy_only(tmp_path: Path) -> None:
    public = ("--no-demo", "--public", "https://casino.example")
    assert addresses(tmp_path / "a", *public) == ["203.0.113.9"]
    assert addresses(tmp_path / "b", *public, "--proxy", "192.0.2.7") == ["127.0.0.1"]
    assert addresses(tmp_path / "c") == ["127.0.0.1"]
