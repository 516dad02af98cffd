"""A house in trouble: appends that fail, threads that die, clients that dribble, a proxy that lies."""

from __future__ import annotations

import asyncio
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

from houseway.floor import clock
from houseway.floor.casino import Casino
from houseway.floor.integrity import (
    Checked,
    open_checked,
    put_on_record,
    put_trouble,
    troubles,
)
from houseway.store import New, Write
from houseway.store.backends.sqlite import SQLiteLog
from houseway.store.group_commit import GroupCommitter
from houseway.store.log import Unavailable
from houseway.store.verify import Fault
from houseway.web.app import build
from houseway.web.server import metrics, startup
from houseway.web.server.keeper import Keeper

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


def _append_many(log: SQLiteLog) -> None:
    for number in range(2000):
        new = New("added", {"name": "x" * 500}, "ann", NOON)
        log.append(Write("people-of-a-test", number, (new,)))


def test_health_fails_when_anything_cannot_be_saved(house: Any, log: SQLiteLog) -> None:
    """Not only what is done at a table; and it is well again without anybody who plays."""
    with full_disk(log):
        with pytest.raises(Unavailable):
            _append_many(log)
        status, said = health(house)
        assert (status, said["error"]["code"]) == (503, "record_full")
    assert health(house)[0] == 200
    (event,) = [one for one in log.read("integrity") if one.kind == "check_resumed"]
    assert event.data["what"] == "appends"


@pytest.mark.parametrize(
    "code", ["record_full", "record_busy", "record_unreachable", "record_forbidden", "record_error"]
)
def test_an_answer_does_not_say_where_the_record_is(
    house: Any, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    """Neither the path of a file nor the name of a server or its user."""
    secret = 'at "10.0.0.5", user "casino", /srv/house.db'

    def fails(*_: object) -> None:
        raise Unavailable(code, f"the database refuses ({secret})")

    visitor = Visitor(house).enter()
    monkeypatch.setattr(house.casino.log, "append_all", fails)
    monkeypatch.setattr(house.casino.log, "heads", fails)
    for answer in (visitor.send("maryland", "sit_down", seat=1), house.get("/health")):
        assert answer.status_code == 503
        assert not any(word in answer.text for word in ("10.0.0.5", "casino", "/srv"))


def test_every_worker_tells_what_one_of_them_found(house: Any, log: SQLiteLog) -> None:
    """Only the first checks the record and makes the anchors."""
    put_trouble(log, "an anchor", "/srv/anchors: the folder is gone")
    status, said = health(house)
    assert (status, said["error"]["code"]) == (503, "not_checked")
    # anybody may ask, so the rest is for the investigator
    assert "/srv" not in str(said)
    page = Visitor(house).enter("investigator").get("/integrity").text
    assert "/srv/anchors: the folder is gone" in page
    put_trouble(log, "an anchor", "")
    assert health(house)[0] == 200
    found = Checked(clock.later(60), "the whole record", (Fault("changed", "it was changed"),))
    put_on_record(log, found)
    status, said = health(house)
    assert (status, said["error"]["code"]) == (503, "damaged")
    put_on_record(log, Checked(clock.later(120), "the whole record"))
    assert health(house)[0] == 200


def test_an_anchor_that_fails_is_told_until_one_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever else succeeds meanwhile, and whatever kind of error it was."""
    monkeypatch.setenv("HOUSEWAY_KEYS", str(tmp_path / "keys"))
    (tmp_path / "second").touch()

    async def run(casino: Casino) -> None:
        keeper = Keeper(casino, None, str(tmp_path / "second"))
        keeper.start()
        until_saved = 0
        while not (keeper.trouble and troubles(casino.log)):
            until_saved += 1
            assert until_saved < 6000
            await asyncio.sleep(0.01)
        await keeper._try("the software", keeper._software)
        assert keeper.trouble is not None
        (tmp_path / "second").unlink()
        await keeper._try("an anchor", keeper.anchor)
        assert keeper.trouble is None
        assert not troubles(casino.log)
        await keeper._try("the software", lambda: 1 // 0)  # type: ignore[arg-type, return-value]
        assert "ZeroDivisionError" in str(keeper.trouble)
        await keeper._try("the software", keeper._software)
        await keeper.stop()

    with SQLiteLog(tmp_path / "house.db") as log:
        open_checked(log)
        casino = Casino(log)
        asyncio.run(run(casino))
        kinds = [event.kind for event in log.read("integrity")]
        assert kinds.count("check_failed") == kinds.count("check_resumed") == 2
        casino.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_task_that_died_is_replaced_though_nobody_asks(
    log: SQLiteLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "_LOOK", 0.02)
    casino = Casino(log)
    app = build(casino, hosts=("localhost",), pace=0, database=":memory:")
    with TestClient(app, base_url=ORIGIN):
        committer = casino._snapshots
        before = committer._thread
        committer._waiting["x", "y"] = "no snapshot"  # type: ignore[assignment]
        with committer._changed:
            committer._changed.notify()
        before.join(30)
        until(lambda: committer._thread is not before and committer._thread.is_alive())
    casino.close()


def test_the_examiner_reads_every_kind_of_check(house: Any, log: SQLiteLog) -> None:
    """With chapters from outside and without them, found well and found damaged."""
    hashes = {"software": "aa" * 32, "law": "bb" * 32, "version": "9.9"}
    for body in (hashes, {**hashes, "outside": "cc" * 32, "changed": ["outside"]}):
        new = New("software_checked", body, "system", NOON)
        log.append(Write("integrity", log.head("integrity").version, (new,)))
    put_trouble(log, "an anchor", "the folder is gone")
    put_trouble(log, "an anchor", "")
    put_on_record(log, Checked(NOON, "the whole record", (Fault("changed", "it was changed"),)))
    page = Visitor(house).enter("investigator").get("/integrity")
    assert page.status_code == 200
    changed = "changed since the check before: from outside"
    for said in ("Houseway 9.9", "cccccccc", changed, "folder is gone", "it was changed"):
        assert said in page.text, said


def test_the_examiner_reads_that_a_record_was_taken_as_it_stood(house: Any, log: SQLiteLog) -> None:
    body = {"reason": "a <b>backup</b>", "faults": ["table/1, event 5: cut off"], "count": 1}
    log.append(Write("integrity", 0, (New("record_accepted", body, "ada", NOON),)))
    answer = Visitor(house).enter("investigator").get("/integrity")
    assert answer.status_code == 200
    assert "a &lt;b&gt;backup&lt;/b&gt;" in answer.text


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
        await receive()
        if scope["path"] == "/stream":
            while (await receive())["type"] != "http.disconnect":
                pass
        assert b"x-forwarded-for" not in dict(scope["headers"])
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


CHUNKED = b"Host: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "more",
    [b"0\r\nX: " + b"a" * (1 << 20), b"0\r\n" + b"X: 1\r\n" * 9999, b"2;" + b"a" * (1 << 20)],
)
def test_what_comes_behind_the_headers_does_not_fill_the_memory(
    impatient: int, more: bytes
) -> None:
    """A trailer without end, many of them, and the frame of a chunk, while a stream is open."""
    with socket.create_connection(("127.0.0.1", impatient), timeout=30) as client:
        client.sendall(b"GET /stream HTTP/1.1\r\n" + CHUNKED)
        with pytest.raises(OSError, match=r"reset|[Pp]ipe"):
            client.sendall(more * 100)


def test_a_trailer_is_no_header(impatient: int) -> None:
    """A proxy sets the forwarded address among the headers; what a client adds behind the body is not it."""
    with socket.create_connection(("127.0.0.1", impatient), timeout=30) as client:
        trailer = b"0\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n"
        client.sendall(b"POST / HTTP/1.1\r\n" + CHUNKED + trailer)
        assert client.recv(1000) == b""


def test_a_body_that_reads_like_a_request_goes_to_no_other_worker(
    impatient: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a request at its beginning is handed over, though the one before it is answered already."""
    offered: list[bytes] = []

    class Elsewhere:
        def handed(self, _transport: Any, data: bytes) -> bool:
            offered.append(data)
            return False

    monkeypatch.setattr(startup._Patient, "handover", Elsewhere())
    inside = b"POST /tables/2/bets HTTP/1.1\r\nHost: localhost\r\n\r\n"
    head = b"POST /tables/1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n{"
    request = head % (1 + len(inside))
    with socket.create_connection(("127.0.0.1", impatient), timeout=30) as client:
        for _ in range(2):
            client.sendall(request)
            assert client.recv(1000).startswith(b"HTTP/1.1 200")
            client.sendall(inside)
            time.sleep(0.1)
    assert offered == [request, request]


def test_a_body_in_chunks_is_taken(impatient: int) -> None:
    with socket.create_connection(("127.0.0.1", impatient), timeout=30) as client:
        client.sendall(b"POST / HTTP/1.1\r\n" + CHUNKED)
        for _ in range(40):
            client.sendall(b"4000\r\n" + b"a" * 0x4000 + b"\r\n")
        client.sendall(b"0\r\n\r\n")
        assert client.recv(1000).startswith(b"HTTP/1.1 200")


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


@pytest.mark.parametrize(
    ("public", "host"),
    [
        ("https://casino.example", "casino.example"),
        ("https://Casino.Example:8443/x", "casino.example"),
        ("https://[2001:db8::1]:8443", "[2001:db8::1]"),
        ("https://", ""),
        ("https://[", ""),
    ],
)
def test_the_host_of_a_public_address_is_the_one_that_browsers_send(public: str, host: str) -> None:
    assert startup.host_of(public) == host
