"""Random damage to every kind of outside data: a refusal or an answer, never another error."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from houseway.errors import Refused, printable
from houseway.floor.audit import check as checker
from houseway.floor.audit.export import bundle
from houseway.floor.audit.projections import Projections
from houseway.floor.audit.rounds import find_round
from houseway.floor.casino import Casino
from houseway.game_api.settle import settle_json
from houseway.law import CHAPTERS, MD, parse_rules
from houseway.store import Write, open_log
from houseway.store.backends.memory import MemoryLog
from houseway.store.backup import backup, restore
from houseway.store.event import New
from houseway.store.security.anchor import (
    make_anchor,
    new_key,
    read_anchor,
    read_key,
    read_public_key,
)
from houseway.store.security.house_keys import make_keys
from houseway.store.verify import Verdict
from houseway.submission import check_text
from houseway.table import read_command, read_event
from houseway.untrusted import check_json
from houseway.web.app import build

sys.path.append(str(Path(__file__).parents[1] / "floor"))
sys.path.append(str(Path(__file__).parents[1] / "web"))
from playing import played, record
from visiting import ORIGIN, Visitor

EXAMPLES = Path(__file__).parents[2] / "examples"
#: pieces that readers stumble over
PIECES = [
    b"\xff", b"\x00", b'"', b"\\", b"\\u", b"\\ud800", b"{", b"}", b"[" * 70, b":", b",", b"-",
    b"1e999", b"9" * 400, b"null", b"true", b"NaN", b"\n", b"\x1b[2J", "\u2028".encode(), b"'",
    b"''' ", b"=", b".", b"$", b"0.005", b"-0", b'{"a":1,"a":2}', b"1970-01-01", b" " * 50,
]  # fmt: skip


def damaged(text: bytes, chance: random.Random) -> bytes:
    data = bytearray(text)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(6):
            case 0:
                data[at : at + chance.randint(1, 8)] = b""
            case 1:
                data[at:at] = chance.choice(PIECES)
            case 2:
                data[at : at + 1] = bytes([chance.randrange(256)])
            case 3:
                del data[at:]
            case 4:
                other = chance.randrange(len(data) + 1)
                data[at:at] = data[other : other + chance.randint(1, 40)]
            case 5:
                data[at : at + chance.randint(1, 8)] = chance.choice(PIECES)
    return bytes(data)


def _rules(name: str) -> Callable[[bytes], object]:
    return lambda data: parse_rules(data.decode("utf-8", "replace"), name)


def _check(name: str) -> Callable[[bytes], object]:
    return lambda data: check_text(data.decode("utf-8", "replace"), name)


def _event(data: bytes) -> object:
    check_json(data, "not_an_event")
    return read_event(data)


RULES = (
    b'chapter = "%b"\n[rules]\nprogressive = "A"\n[limits.ante]\nmin = "5.00"\nmax = "100.00"\n[meters.progressive]\nrate = "14%%"\nseed = "1000.00"\nreset = "1000.00"\n'
    % MD.encode()
)
JSON_RULES = json.dumps({"chapter": MD, "rules": {"five_card_envy": {"flush": {"1.00": "9.00"}},
    "five_card_progressive": "B"}, "limits": {"ante": {"min": "5.00"}}}).encode()  # fmt: skip
COMMAND = b'{"command":"place_wager","role":"player","who":"ann","at":"2026-01-01T00:00:00","seat":1,"wager":"ante","amount":"5.00"}'
EVENT = b'{"event":"wager_placed","role":"player","who":"ann","at":"2026-01-01T00:00:00","version":3,"seat":1,"wager":"ante","amount":500,"total":500}'

READERS: dict[str, tuple[Callable[[bytes], object], bytes]] = {
    **{f"settle {id}": (settle_json, (EXAMPLES / f"{id}.json").read_bytes()) for id in CHAPTERS},
    "rules.toml": (_rules("rules.toml"), RULES),
    "rules.json": (_rules("rules.json"), JSON_RULES),
    "submission.toml": (_check("x.toml"), RULES),
    "submission.json": (_check("x.json"), JSON_RULES),
    "command": (read_command, COMMAND),
    "event": (_event, EVENT),
}


def _fuzz(read: Callable[[bytes], object], text: bytes, times: int, seed: int = 1) -> None:
    chance = random.Random(seed)
    for number in range(times):
        data = damaged(text, chance)
        try:
            read(data)
        except Refused as refusal:
            told = str(refusal)
            assert len(told) < 100_000
            assert all(one.isprintable() or one.isspace() for one in told), (number, told)
        except Exception as error:
            error.add_note(f"damage {number} of seed {seed}: {data[:3000]!r}")
            raise


@pytest.mark.parametrize("name", READERS)
def test_damaged_text(name: str) -> None:
    read, text = READERS[name]
    _fuzz(read, text, 30 if name.startswith("submission") else 150)


@pytest.mark.full
@pytest.mark.parametrize("name", READERS)
def test_much_damaged_text(name: str) -> None:
    read, text = READERS[name]
    for seed in range(2, 12):
        _fuzz(read, text, 300 if name.startswith("submission") else 3000, seed)


def _files(tmp_path: Path) -> dict[str, tuple[Path, Callable[[Path], object]]]:
    """An anchor, keys and a backup, each with what reads it."""
    record, key = tmp_path / "house.db", tmp_path / "key.pem"
    new_key(key)
    with open_log(str(record)) as log:
        for number in range(20):
            new = New("x", {"n": number}, "ann", "2026-01-01T00:00:00Z")
            log.append(Write("s", number, (new,)))
        anchor = tmp_path / "a.json"
        anchor.write_text(json.dumps(json.loads(_encoded(make_anchor(log, read_key(key), "now")))))
        backup(log, tmp_path / "b.db")

    def restored(path: Path) -> object:
        into = tmp_path / "new.db"
        for one in tmp_path.glob("new.db*"):
            one.unlink()
        with open_log(str(into)) as log:
            return restore(path, log)

    return {
        "anchor": (anchor, read_anchor),
        "key": (key, read_key),
        "public key": (tmp_path / "key.pem.pub", read_public_key),
        "backup": (tmp_path / "b.db", restored),
    }


def _encoded(value: object) -> bytes:
    import msgspec

    return msgspec.json.encode(value)


def _fuzz_files(tmp_path: Path, times: int) -> None:
    for path, read in _files(tmp_path).values():
        broken = tmp_path / "broken"

        def reading(
            data: bytes, read: Callable[[Path], object] = read, broken: Path = broken
        ) -> object:
            for one in tmp_path.glob("broken*"):
                one.unlink()
            broken.write_bytes(data)
            return read(broken)

        _fuzz(reading, path.read_bytes(), times)


def test_damaged_files(tmp_path: Path) -> None:
    _fuzz_files(tmp_path, 40)


@pytest.mark.full
def test_much_damaged_files(tmp_path: Path) -> None:
    _fuzz_files(tmp_path, 500)


# encrypted backups and bundles


def _refuses_damage(
    read: Callable[[Path], object], whole: bytes, path: Path, times: int, seed: int
) -> None:
    """Every change is found, and said in a refusal."""
    chance = random.Random(seed)
    for number in range(times):
        data = damaged(whole, chance)
        if data == whole:
            continue
        path.write_bytes(data)
        try:
            read(path)
        except (Refused, checker.Wrong) as refusal:
            told = str(refusal)
            assert len(told) < 100_000
        except Exception as error:
            error.add_note(f"damage {number} of seed {seed}: {data[:3000]!r}")
            raise
        else:
            raise AssertionError(f"damage {number} of seed {seed} to {path.name} was not found")


def _sealed_backups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int, seed: int) -> None:
    monkeypatch.setenv("HOUSEWAY_KEYS", str(tmp_path / "keys"))
    with open_log(tmp_path / "house.db") as log:
        key = make_keys(log.id).active
        for number in range(20):
            log.append(
                Write("s", number, (New("x", {"n": number}, "ann", "2026-01-01T00:00:00Z"),))
            )
        backup(log, tmp_path / "b.db", key)
    whole = (tmp_path / "b.db").read_bytes()

    def read(path: Path) -> object:
        for one in tmp_path.glob("new.db*"):
            one.unlink()
        with open_log(tmp_path / "new.db") as log:
            return restore(path, log)

    assert isinstance(read(tmp_path / "b.db"), Verdict)
    _refuses_damage(read, whole, tmp_path / "broken", times, seed)


def _bundles(tmp_path: Path, times: int, seed: int) -> None:
    log, good = MemoryLog(), tmp_path / "bundle"
    record(log, played(0, rounds=1, name="1", seed=2), "1")
    with Projections(":memory:") as found:
        found.update(log)
        bundle(log, find_round(found, "1.1.1"), good)
    trusted = json.loads((good / "manifest.json").read_text())["key"]
    checker.check(good, trusted)
    for path in sorted(good.iterdir()):
        whole = path.read_bytes()
        if path.name == "manifest.json":
            # its layout is not signed, only what it says
            _fuzz(lambda data, path=path: _manifest(path, data, trusted), whole, times, seed)  # type: ignore[misc]
        else:
            _refuses_damage(lambda _: checker.check(good, trusted), whole, path, times, seed)
        path.write_bytes(whole)
    checker.check(good, trusted)


def _manifest(path: Path, data: bytes, trusted: str) -> None:
    path.write_bytes(data)
    try:
        checker.check(path.parent, trusted)
    except checker.Wrong as wrong:
        raise Refused("wrong", printable(str(wrong), 500)) from None


def test_damaged_encrypted_backups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _sealed_backups(tmp_path, monkeypatch, 40, 1)


def test_damaged_bundles(tmp_path: Path) -> None:
    _bundles(tmp_path, 20, 1)


@pytest.mark.full
def test_much_damaged_backups_and_bundles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(2, 6):
        (tmp_path / str(seed)).mkdir()
        _sealed_backups(tmp_path / str(seed), monkeypatch, 400, seed)
        _bundles(tmp_path / str(seed), 300, seed)


# HTTP

#: where bodies go, with a good one; each is sent damaged
BODIES: dict[str, bytes] = {
    "/tables/maryland/commands": b'{"command":"place_wager","seat":1,"wager":"ante","amount":"5.00","version":3,"key":"k"}',
    "/tables/down-under/commands": b'{"command":"add_number","number":"seven","seat":1,"key":"n"}',
    "/tables/maryland/bets": b'{"bets":{"ante":"5.00","pair_plus":"5.00"},"key":"b"}',
    "/tables/maryland/again": b'{"deal":false,"key":"a"}',
    "/tables/maryland/here": b"{}",
    "/tables/maryland/company": b'{"count":2}',
    "/api/session": b'{"person":"rosa","password":"correct horse battery","code":"123456"}',
    "/api/tables/maryland/commands": b'{"command":"tip","seat":1,"amount":"5.00","role":"player"}',
    "/sign-in": b"person=rosa&password=correct+horse&code=1&token=x",
    "/demonstration": b"role=guest&name=Rosa&token=x",
    "/me": b"name=Rosa&token=x",
    "/tables/maryland/tray": b"what=fill&chips-500=3&key=1&token=x",
    "/alive": b"{}",
}
KINDS = (
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/x",
)


def _bodies(times: int, seed: int) -> None:
    """No request is an error of ours, whatever its body, its type or its address."""
    casino = Casino(open_log(":memory:"))
    app = build(casino, hosts=("localhost",), pace=0, database=":memory:")
    chance = random.Random(seed)
    with TestClient(app, base_url=ORIGIN, raise_server_exceptions=True) as client:
        visitor = Visitor(client).enter()
        visitor.send("maryland", "sit_down", seat=1)
        for path, body in BODIES.items():
            natural = KINDS[0] if body.startswith(b"{") else KINDS[1]
            for number in range(times):
                data = damaged(body, chance)
                kind = natural if chance.random() < 0.8 else chance.choice(KINDS)
                query = (
                    "?" + quote(damaged(b"as=dealer&next=/", chance), safe="=&/%?")
                    if chance.random() < 0.2
                    else ""
                )
                answer = client.post(
                    path + query,
                    content=data,
                    headers={
                        "origin": ORIGIN, "x-houseway-token": visitor.token, "content-type": kind,
                        "accept": chance.choice(("text/html", "application/json", "*/*")),
                    },
                    follow_redirects=False,
                )  # fmt: skip
                assert answer.status_code < 500, (path, number, data)
                assert b"Traceback" not in answer.content
        assert client.get("/health").status_code == 200
    casino.close()


@pytest.mark.slow
def test_damaged_requests() -> None:
    _bodies(25, 1)


@pytest.mark.full
def test_many_damaged_requests() -> None:
    for seed in range(2, 7):
        _bodies(400, seed)
