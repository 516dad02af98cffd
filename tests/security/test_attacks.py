"""What a hostile visitor sends to a running house: each of these was an error of ours once."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyotp
import pytest
from starlette.testclient import TestClient

from houseway.errors import Refused
from houseway.floor.casino import Casino
from houseway.floor.people.directory import People
from houseway.store import open_log
from houseway.untrusted import whole_number
from houseway.web import stream
from houseway.web.api.openapi import LONGEST_KEY, described
from houseway.web.app import build
from houseway.web.server import security
from houseway.web.server.security import LARGEST

sys.path.append(str(Path(__file__).parents[1] / "web"))
from visiting import ORIGIN, Visitor

PASSWORD = "violet harbor lamp"
#: digits that Python would not convert, digits of another script, and none
NUMBERS = ("9" * 5000, "٣", "-1", "1e9", "0x1", "¼", "")


@pytest.fixture
def house() -> Iterator[Any]:
    casino = Casino(open_log(":memory:"))
    app = build(casino, hosts=("localhost",), pace=0, database=":memory:")
    with TestClient(app, base_url=ORIGIN) as client:
        client.casino = casino  # type: ignore[attr-defined]
        yield client
    casino.close()


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_in_addresses_and_forms_are_read_within_limits(house: Any, number: str) -> None:
    assert whole_number(number) is None
    floor = Visitor(house).enter("floorperson")
    for path in ("/progressives/maryland/progressive", "/rounds"):
        house.get(path, params={"players": number, "seat": number, "step": number, "at": number})
    for what in ("correct", "fill"):
        answer = floor.form("/tables/maryland/tray", what=what, seat=number,
            amount="5.00", to="player", reason="x", **{"chips-500": number})  # fmt: skip
        assert answer.status_code == 422
    guest = Visitor(house).enter()
    guest.send("maryland", "sit_down", seat=1)
    bets = guest.post("/tables/maryland/bets", bets={f"ante@{number}": "5.00"}, key="k")
    assert bets.status_code in (200, 422)


@pytest.mark.parametrize("token", ["é", "\u202e", "x" * 100_000])
def test_a_token_of_any_letters_is_only_wrong(house: Any, token: str) -> None:
    visitor = Visitor(house)
    visitor.get("/sign-in")
    visitor.token = token
    answer = visitor.form("/sign-in", person="ada", password="x")
    assert answer.status_code == 403
    told = house.post("/alive", json={}, headers={
        "origin": ORIGIN, "x-houseway-token": token.encode(), "cookie": "houseway_visit=x"})  # fmt: skip
    assert told.status_code == 403


@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=b"]
)
def test_no_body_is_read_without_end(house: Any, kind: str) -> None:
    """A form is read before its token can be looked at."""
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        if "multipart" in kind:
            yield b'--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n'
        for _ in range(200):
            sent += 1 << 17
            yield b"x" * (1 << 17)

    answer = house.post(
        "/sign-in", content=endless(), headers={"origin": ORIGIN, "content-type": kind}
    )
    assert answer.status_code == 413
    assert answer.json()["error"]["code"] == "too_long"
    assert sent > LARGEST


# people


@pytest.mark.parametrize("secret", ["", "A", "not base 32!", "ÄÄÄÄ" * 8, "A" * 5000])
def test_no_authenticator_is_set_up_with_a_secret_of_somebodys_own_making(secret: str) -> None:
    people = People(open_log(":memory:"))
    people.add("ada", "Ada", ["administrator"], by="test")
    for code in ("000000", "", "é", "٣٣٣٣٣٣"):
        with pytest.raises(Refused, match="code"):
            people.set_second_factor("ada", secret, code)
    good = pyotp.random_base32()
    with pytest.raises(Refused, match="code"):
        people.set_second_factor("ada", good, "٣٣٣٣٣٣")
    people.set_second_factor("ada", good, pyotp.TOTP(good).now())
    for code in ("٣٣٣٣٣٣", "", "é" * 100_000):
        with pytest.raises(Refused, match="code"):
            people.check_second_factor("ada", code)


def test_a_code_or_a_link_is_used_once_by_whichever_worker(tmp_path: Path) -> None:
    """Eight at once over two workers: one gets in by a code, one by a recovery code or a link."""
    with open_log(tmp_path / "h.db") as one, open_log(tmp_path / "h.db") as two:
        workers = [People(one), People(two)]
        workers[0].add("ada", "Ada", ["administrator"], by="test")
        secret = pyotp.random_base32()
        import time

        recovery = workers[0].set_second_factor("ada", secret, pyotp.TOTP(secret).now())
        code = pyotp.TOTP(secret).at(time.time() + 30)
        link = workers[0].open_session(workers[0].get("ada"), "link")
        done: list[str] = []

        def attempt(number: int, what: str) -> None:
            people = workers[number % 2]
            people.catch_up()
            gate.wait()
            try:
                if what == "link":
                    people.use_link(link, PASSWORD)
                elif what == "add":
                    people.add("eve", "Eve", ["player"], by=str(number))
                else:
                    people.check_second_factor("ada", code if what == "code" else recovery[0])
                done.append(what)
            except Refused:
                return

        for what in ("code", "recovery", "link", "add"):
            gate = threading.Barrier(8)
            threads = [threading.Thread(target=attempt, args=(n, what)) for n in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert done == ["code", "recovery", "link", "add"]


@pytest.mark.parametrize("path", ["/sign-in", "/alive", "/tables/maryland/commands"])
def test_a_body_that_dribbles_is_not_waited_for(
    house: Any, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import asyncio

    monkeypatch.setattr(security, "SLOWEST", 0.05)
    started: list[int] = []

    async def ask() -> None:
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST",
            "scheme": "http", "path": path, "raw_path": path.encode(), "query_string": b"",
            "headers": [(b"host", b"localhost"), (b"origin", b"http://localhost"),
                        (b"content-type", b"application/x-www-form-urlencoded")],
            "client": ("10.0.0.1", 1), "server": ("localhost", 80), "state": {},
        }  # fmt: skip

        async def receive() -> dict[str, Any]:
            await asyncio.sleep(0.02)
            return {"type": "http.request", "body": b"a", "more_body": True}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                started.append(message["status"])

        async with asyncio.timeout(20):
            await house.app(scope, receive, send)

    house.portal.call(ask)
    assert started[0] in (401, 403, 408)
    if path == "/sign-in":
        assert started == [408]


@pytest.mark.parametrize(
    "host", ["", "evil.example", "localhost:80@evil", "localhost:x", "localhost/x"]
)
def test_a_host_that_is_not_ours_is_refused(house: Any, host: str) -> None:
    assert house.get("/sign-in", headers={"host": host}).status_code == 421


def test_two_hosts_are_none(house: Any) -> None:
    headers = [("host", "localhost"), ("host", "evil.example")]
    assert house.get("/sign-in", headers=headers).status_code == 421


def test_who_leaves_in_the_middle_of_a_question_is_no_error_of_ours(house: Any) -> None:
    started: list[int] = []

    async def ask() -> None:
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST",
            "scheme": "http", "path": "/api/session", "raw_path": b"/api/session",
            "query_string": b"", "headers": [(b"host", b"localhost")], "client": ("10.0.0.1", 1),
            "server": ("localhost", 80), "state": {},
        }  # fmt: skip
        parts = [{"type": "http.request", "body": b"{", "more_body": True}]

        async def receive() -> dict[str, Any]:
            return parts.pop() if parts else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            started.append(message.get("status", 0))

        await house.app(scope, receive, send)

    house.portal.call(ask)
    assert started[0] == 400


STREAMS = (
    "/tables/maryland/stream?as=public&at=",
    "/api/tables/maryland/stream",
    "/stream",
    "/wall/stream",
)


def test_nobody_opens_streams_without_end(house: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """One more than the most is refused in one sentence; who closes one may open another."""
    import asyncio
    import json

    monkeypatch.setattr(stream, "MOST_STREAMS", 4)
    monkeypatch.setattr(stream, "MOST_NAMELESS", 3)
    ann, ben = (house.casino.people.add(id, id, ["player"], by="test") for id in ("ann", "ben"))
    tokens = [house.casino.people.open_session(who, "api") for who in (ann, ann, ben)]

    async def attack() -> None:
        async def opened(
            path: str, token: str = "", address: str = "10.0.0.1"
        ) -> tuple[asyncio.Task[None], int, bytes]:
            begun: asyncio.Future[tuple[int, bytes]] = asyncio.get_running_loop().create_future()
            status = 0

            async def receive() -> Any:
                await asyncio.Event().wait()

            async def send(message: Any) -> None:
                nonlocal status
                status = message.get("status", status)
                if message.get("body") and not begun.done():
                    begun.set_result((status, message["body"]))

            path, _, query = path.partition("?")
            headers = [(b"host", b"localhost")]
            if token:
                headers.append((b"authorization", f"Bearer {token}".encode()))
            scope = {
                "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET",
                "scheme": "http", "path": path, "raw_path": path.encode(),
                "query_string": query.encode(), "headers": headers,
                "client": (address, 1), "server": ("localhost", 80), "state": {},
            }  # fmt: skip
            task = asyncio.create_task(house.app(scope, receive, send))
            async with asyncio.timeout(20):
                return task, *(await begun)

        async def close(task: asyncio.Task[None]) -> None:
            task.cancel()
            await asyncio.wait([task])

        one, again, other = tokens
        held = [await opened(path, one) for path in STREAMS]
        assert [status for _, status, _ in held] == [200] * 4
        for path in STREAMS:
            for token in (one, again):  # another session is no other person
                task, status, body = await opened(path, token)
                await task
                assert status == 429
                if path.startswith("/api"):
                    assert json.loads(body)["error"]["code"] == "too_many_streams"
            for token in (other, ""):
                task, status, _ = await opened(path, token)
                assert status == 200
                await close(task)
        await close(held.pop()[0])
        held.append(await opened(STREAMS[0], again))
        assert held[-1][1] == 200
        for task, _, _ in held:
            await close(task)
        # people without a name, by their address; a network of IPv6 is one
        for same, another in (
            (("10.0.0.1", "::ffff:10.0.0.1", "10.0.0.1"), "10.0.0.2"),
            (("2001:db8::1", "2001:db8::2", "2001:db8:0:0:ffff::"), "2001:db8:0:1::1"),
        ):
            held = [await opened(STREAMS[0], address=one) for one in same]
            assert [status for _, status, _ in held] == [200] * 3
            task, status, _ = await opened(STREAMS[1], address=same[0])
            await task
            assert status == 429
            for token, address in ((other, same[0]), ("", another)):
                task, status, _ = await opened(STREAMS[1], token, address)
                assert status == 200
                await close(task)
            for task, _, _ in held:
                await close(task)
        assert not stream._open[house.casino]

    house.portal.call(attack)


def test_every_form_of_a_command_is_on_record_when_it_is_refused(house: Any) -> None:
    """Bets, the last bets again and the tray are commands too; their keys are as short as others."""
    guest, name = Visitor(house).enter(), "maryland"
    guest.send(name, "sit_down", seat=1)

    def refusals() -> list[str]:
        recorded = house.casino.log.read("access")
        return [f"{one.data['what']} {one.data['of']}" for one in recorded if one.kind == "refused"]

    assert guest.send(name, "place_wager", wager="ante", amount="0.01").status_code == 422
    assert guest.post(f"/tables/{name}/bets", bets={"ante": "0.01"}, key="k").status_code == 422
    floor = Visitor(house).enter("floorperson")
    fill = floor.form(f"/tables/{name}/tray", what="fill", key="k", **{"chips-500": ""})
    assert fill.status_code == 422
    told = refusals()
    assert [one.split()[0] for one in told] == ["place_wager", "place_wager", "fill"]
    assert all(f"table {name}:" in one for one in told)
    kinds = {one.kind for one in house.casino.log.read(f"table/{name}")}
    assert not kinds & {"refused", "wager_placed"}

    guest = Visitor(house).enter()
    guest.send(name, "sit_down", seat=2)
    long = "k" * (LONGEST_KEY + 1)
    for path in ("bets", "again"):
        answer = guest.post(
            f"/tables/{name}/{path}", key=long, **({"bets": {}} if path == "bets" else {})
        )
        assert answer.status_code == 422
        assert answer.json()["error"]["field"] == "key"


def test_who_probes_with_many_questions_at_once_is_answered_one_by_one(
    house: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = Visitor(house).enter()
    monkeypatch.setattr(house.app.state.access, "refused", lambda *_: 0.2)
    began = time.monotonic()
    threads = [
        threading.Thread(target=guest.send, args=("maryland", "deal"), kwargs={"seat": 1})
        for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.monotonic() - began > 5 * 0.19
    assert not house.app.state.access.turns


def test_a_cookie_that_another_host_may_have_set_is_not_believed(casino: Casino) -> None:
    """A host beside the house sets cookies for both, and would have somebody play in another's name."""
    app = build(casino, hosts=("localhost",), pace=0, database=":memory:", demonstration=False,
                secure=True)  # fmt: skip
    with TestClient(app, base_url=ORIGIN.replace("http:", "https:")) as client:
        token = casino.people.open_session(casino.people.get("pam"))
        given = client.get("/sign-in").headers.get_list("set-cookie")
        assert all(one.startswith("__Host-") and "; Secure" in one for one in given)
        signed_in = {
            name: "pam" in client.get("/", headers={"cookie": f"{name}={token}"}).text.lower()
            for name in ("__Host-houseway", "houseway")
        }
    assert signed_in == {"__Host-houseway": True, "houseway": False}


# memory, and names that no database has


def test_an_address_of_ones_own_choice_takes_no_memory(house: Any) -> None:
    """Each port that a sender named was a description of its own, kept forever."""
    said = {}
    for port in (1, 2):
        name = f"http://localhost:{port}"
        answer = house.get("/api/openapi.json", headers={"host": f"localhost:{port}"})
        said[port] = answer.json()
        assert said[port].pop("servers") == [{"url": name}]
    assert said[1] == said[2]
    kept = described("http://one")["components"]
    assert described("http://two")["components"] is kept


def test_a_sign_of_life_from_no_page_is_not_kept(house: Any) -> None:
    guest = Visitor(house).enter()
    for table in ("maryland", "x" * 1000, "nope"):
        assert guest.post(f"/tables/{table}/here").status_code == 200
    assert not house.app.state.presence._answered


@pytest.mark.parametrize("name", ["%00", "maryland%00", "a%0Ab", "x" * 500])
def test_a_name_that_no_table_has_is_not_asked_of_the_database(house: Any, name: str) -> None:
    """PostgreSQL refuses a null byte, and the house said that the record was unreachable."""
    guest = Visitor(house).enter()
    house.casino.shared = True
    asked = []
    read = house.casino.log.read

    def reading(stream: str, *more: Any) -> Any:
        asked.append(stream)
        return read(stream, *more)

    with pytest.MonkeyPatch.context() as there:
        there.setattr(house.casino.log, "read", reading)
        assert guest.get(f"/tables/{name}").status_code == 404
        assert guest.post(f"/tables/{name}/ready").status_code == 404
        assert house.get(f"/api/tables/{name}").status_code == 404
    assert not [one for one in asked if one.startswith("table/")]
