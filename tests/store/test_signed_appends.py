"""Signed appends, in both databases: what the house did not append itself is found."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from commands import run
from forging import add_event, forge
from postgres_server import Server

from houseway.errors import Refused
from houseway.floor.integrity import anchor_now, check_tail, open_checked
from houseway.store import Conflict, Log, New, Write, digest, open_log
from houseway.store.backup import backup, restore
from houseway.store.security.house_keys import make_keys
from houseway.store.verify import verify

NOON = "2026-03-01T12:00:00Z"
Execute = Callable[..., None]


@pytest.fixture(params=["sqlite", "postgres"])
def place(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, Execute]:
    """The address of a record that a house wrote to, and somebody's way into its database."""
    monkeypatch.setenv("HOUSEWAY_KEYS", str(tmp_path / "keys"))
    if request.param == "sqlite":
        path = str(tmp_path / "house.db")
        address, connect, mark = path, lambda: sqlite3.connect(path), "?"
    else:
        server: Server = request.getfixturevalue("shared_server")
        address = server.new_database()
        connect, mark = lambda: psycopg.connect(address), "%s"  # type: ignore[assignment,return-value]

    def execute(sql: str, *values: Any) -> None:
        sql = sql.replace("?", mark)
        if mark == "?":
            sql = sql.replace("houseway.", "")
        connection = connect()
        connection.execute(sql, values)
        connection.commit()
        connection.close()

    with open_log(address) as log:
        open_checked(log)
        for number in range(3):
            for name in ("chips/ann", "chips/bob"):
                log.append(Write(name, number, (New("moved", {"n": number}, "house", NOON),)))
        both = [
            Write(name, 3, (New("moved", {}, "house", NOON),))
            for name in ("chips/ann", "chips/bob")
        ]
        log.append(*both)
    return address, execute


def faults(address: str) -> list[tuple[str, str | None]]:
    with open_log(address) as log:
        log.keys = make_keys(log.id)
        return [(one.reason, one.stream) for one in check_tail(log).faults]


def forged(log: Log, stream: str) -> tuple[Any, ...]:
    last = log.last([stream])[stream]
    body = json.dumps({"n": 10**9}, separators=(",", ":"))
    fields = (stream, last.version + 1, NOON, "house", last.kind, last.schema, body)
    return (*fields, last.hash, digest(last.hash, *fields))


def test_a_record_that_only_the_house_wrote_to_is_signed_to_its_end(
    place: tuple[str, Execute],
) -> None:
    assert faults(place[0]) == []
    with open_log(place[0]) as log:
        signed = [json.loads(one.heads) for one in log.signatures()]
        assert [name for name, _, _ in signed[-1]] == ["chips/ann", "chips/bob"]


def test_a_well_formed_forged_append_is_found(place: tuple[str, Execute]) -> None:
    address, _ = place
    with open_log(address) as log:
        row = forged(log, "chips/ann")
    add_event(address, *row)
    with open_log(address) as log:
        assert verify(log).unbroken
    assert faults(address) == [("not_signed", "chips/ann")]


def test_a_forged_append_signed_by_somebody_else_is_found(place: tuple[str, Execute]) -> None:
    address, _ = place
    with open_log(address) as log:
        log.keys = make_keys("f" * 32)
        log.append(Write("chips/ann", 4, (New("moved", {}, "house", NOON),)))
    assert faults(address) == [("not_signed", "chips/ann")]


def test_signatures_that_are_gone_or_changed_are_found(place: tuple[str, Execute]) -> None:
    address, execute = place
    execute("update houseway.appends set heads = replace(heads, 'ann', 'ane')")
    assert ("not_signed", "chips/ann") in faults(address)
    execute("delete from houseway.appends")
    assert ("not_signed", "chips/ann") in faults(address)


def cut_off(address: str, stream: str) -> None:
    forge(address, "delete from events where stream = ? and version = 4", values=(stream,))


def test_a_cut_off_end_is_found(place: tuple[str, Execute]) -> None:
    address, _ = place
    with open_log(address) as log:
        log.keys = make_keys(log.id)
        anchor_now(log, log.keys)
    cut_off(address, "chips/bob")
    assert ("cut_off", "chips/bob") in faults(address)


def test_a_conflict_writes_no_event_and_no_signature(place: tuple[str, Execute]) -> None:
    with open_log(place[0]) as log:
        log.keys = make_keys(log.id)
        before = len(list(log.signatures()))
        with pytest.raises(Conflict):
            log.append(Write("chips/ann", 2, (New("moved", {}, "house", NOON),)))
        assert len(list(log.signatures())) == before
        # of two batches together one is refused, and the other is written and signed
        assert faults(place[0]) == []


def test_a_backup_takes_the_signatures_along(place: tuple[str, Execute], tmp_path: Path) -> None:
    address, _ = place
    with open_log(address) as log:
        assert backup(log, tmp_path / "copy.db").unbroken
    assert faults(str(tmp_path / "copy.db")) == []
    with open_log(tmp_path / "again.db") as target:
        assert restore(tmp_path / "copy.db", target).unbroken
    assert faults(str(tmp_path / "again.db")) == []


def unsigned(address: str, *, closed: bool) -> None:
    """What a version wrote that did not sign its appends: keys, a baseline, anchors, no signature."""
    with open_log(address) as log:
        keys = make_keys(log.id)
        anchor_now(log, keys)
        log.keys = None
        for number in range(2):
            log.append(Write("old", number, (New("moved", {}, "house", NOON),)))
        anchor_now(log, keys)
        if not closed:
            log.append(Write("old", 2, (New("moved", {}, "house", NOON),)))


@pytest.fixture
def empty(place: tuple[str, Execute], tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """The address of a new record in the same kind of database."""
    if place[0].startswith("postgres"):
        server: Server = request.getfixturevalue("shared_server")
        return str(server.new_database())
    return str(tmp_path / "other.db")


def test_a_record_that_was_closed_without_signatures_is_taken_over(empty: str) -> None:
    """By its last anchor, once: what is added later without a signature is found."""
    unsigned(empty, closed=True)
    for _ in range(2):
        with open_log(empty) as log:
            log.keys = make_keys(log.id)
            keys, _ = open_checked(log)
            at = log.head("new").version
            log.append(Write("new", at, (New("moved", {}, "house", NOON),)))
            anchor_now(log, keys)
    with open_log(empty) as log:
        log.keys = None
        log.append(Write("old", 2, (New("moved", {"forged": 1}, "house", NOON),)))
    assert faults(empty) == [("not_signed", "old")]


def test_what_nobody_anchored_is_not_taken_over(empty: str) -> None:
    unsigned(empty, closed=False)
    with open_log(empty) as log:
        log.keys = make_keys(log.id)
        with pytest.raises(Refused, match="damaged"):
            open_checked(log)


def _accept(address: str, status: int = 0) -> list[str]:
    done = run("audit", "accept", "--database", address, "--who", "ada", "--reason", "power failed",
               "--json")  # fmt: skip
    assert done.returncode == status, done.stderr
    return [one["reason"] for one in json.loads(done.stdout)["accepted"]] if not status else []


def _opened(address: str) -> None:
    """The house opens, writes and opens again."""
    for _ in range(2):
        with open_log(address) as log:
            log.keys = make_keys(log.id)
            keys, _ = open_checked(log)
            at = log.head("new").version
            log.append(Write("new", at, (New("moved", {}, "house", NOON),)))
            anchor_now(log, keys)
    assert faults(address) == []


def test_a_record_that_was_killed_without_signatures_is_accepted_by_somebody(
    empty: str, tmp_path: Path
) -> None:
    """Once, with name and reason on record; what is added later without a signature is found."""
    unsigned(empty, closed=False)
    assert "not_signed" in _accept(empty)
    _opened(empty)
    with open_log(empty) as log:
        (taken,) = [one for one in log.read("integrity") if one.kind == "record_accepted"]
        assert (taken.actor, taken.data["reason"]) == ("ada", "power failed")
        assert any("old, event 3" in one for one in taken.data["faults"])
        kept = {path.name for path in (tmp_path / "keys" / f"{log.id}.anchors").glob("*-until-*")}
        assert {name.partition("-")[0] for name in kept} == {"baseline", "last"}
        log.keys = None
        log.append(Write("old", 3, (New("moved", {"forged": 1}, "house", NOON),)))
    assert faults(empty) == [("not_signed", "old")]


def test_a_restored_backup_that_is_older_than_the_last_anchor_is_accepted_by_somebody(
    place: tuple[str, Execute], empty: str, tmp_path: Path
) -> None:
    address, _ = place
    with open_log(address) as log:
        log.keys = make_keys(log.id)
        keys, _ = open_checked(log)
        assert backup(log, tmp_path / "copy.db").unbroken
        log.append(Write("chips/ann", 4, (New("moved", {}, "house", NOON),)))
        anchor_now(log, keys)
    with open_log(empty) as target:
        assert restore(tmp_path / "copy.db", target).unbroken
    with open_log(empty) as log:
        log.keys = make_keys(log.id)
        with pytest.raises(Refused, match="audit accept"):
            open_checked(log)
    assert _accept(empty) == ["cut_off"]
    _opened(empty)
    assert _accept(empty) == []  # nothing differs any more


def test_what_cannot_be_right_is_not_accepted(place: tuple[str, Execute]) -> None:
    """A stream that is shorter than the house signed it, and a changed event."""
    address, _ = place
    cut_off(address, "chips/ann")
    _accept(address, status=2)
    forge(address, "update events set body = '{}' where stream = 'chips/bob' and version = 1")
    _accept(address, status=2)


def test_signatures_that_were_wiped_out_are_missed(place: tuple[str, Execute]) -> None:
    """A forged event that an anchor of the running house took in is not taken over with it."""
    address, execute = place
    with open_log(address) as log:
        log.keys = make_keys(log.id)
        keys, _ = open_checked(log)
        add_event(address, *forged(log, "chips/ann"))
        anchor_now(log, keys)
    execute("delete from houseway.appends")
    with open_log(address) as log:
        log.keys = make_keys(log.id)
        with pytest.raises(Refused, match="damaged"):
            open_checked(log)


def test_only_the_last_signature_of_each_stream_is_kept(empty: str) -> None:
    """It covers the whole stream; one that is the last of any stream stays."""
    with open_log(empty) as log:
        open_checked(log)

        def add(*names: str) -> list[list[str]]:
            writes = [(name, log.head(name).version) for name in names]
            one = New("moved", {}, "house", NOON)
            log.append(*(Write(name, at, (one,)) for name, at in writes))
            signed = [json.loads(each.heads) for each in log.signatures()]
            return [[f"{name} {version}" for name, version, _ in heads] for heads in signed]

        assert add("a") == [["a 1"]]
        assert add("a") == [["a 2"]]
        assert add("a", "b") == [["a 3", "b 1"]]
        assert add("a") == [["a 3", "b 1"], ["a 4"]]
        assert add("b", "c") == [["a 4"], ["b 2", "c 1"]]
        with pytest.raises(Conflict):
            log.append(Write("a", 1, (New("moved", {}, "house", NOON),)))
        assert add("a", "b", "c") == [["a 5", "b 3", "c 2"]]
    assert faults(empty) == []
