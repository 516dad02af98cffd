"""A record that is not the one the house had: swapped, rolled back, cut off between two anchors."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import stat
import sys
from pathlib import Path
from typing import Any

import psycopg
import pytest
from forging import forge

from houseway.cli import main
from houseway.errors import Refused
from houseway.floor import integrity
from houseway.floor.integrity import accept, anchor_next, check_tail, check_whole, open_checked
from houseway.store import Log, New, Write, digest, open_log
from houseway.store.backup import restore
from houseway.store.one_house import alone

sys.path.append(str(Path(__file__).parents[1] / "support"))
from served import served

NOON = "2026-03-01T12:00:00Z"


@pytest.fixture(autouse=True)
def keys_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOUSEWAY_KEYS", str(tmp_path / "keys"))
    return tmp_path / "keys"


def _add(log: Log, count: int = 1, stream: str = "chips/pat") -> None:
    for _ in range(count):
        at = log.head(stream).version
        log.append(Write(stream, at, (New("given", {"cents": at}, "ada", NOON),)))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A record with five events since its last anchor."""
    path = tmp_path / "house.db"
    with open_log(path) as log:
        open_checked(log)
        _add(log, 3)
        assert log.keys is not None
        anchor_next(log, log.keys)
        _add(log, 5)
    return path


def _opens(path: Path | str) -> Refused | None:
    with open_log(path) as log:
        try:
            open_checked(log)
        except Refused as refusal:
            return refusal
    return None


def _forge(path: Path, record: str) -> None:
    """Another amount, every hash right, no signature, and another name for the whole record."""
    link: dict[str, bytes] = {}
    changes = []
    with open_log(path) as log:
        events = list(log.scan())
    for one in events:
        body = json.dumps({"cents": 10**9}, separators=(",", ":"))
        before = link.get(one.stream, bytes(32))
        about = (one.time, one.actor, one.kind, one.schema, body)
        link[one.stream] = digest(before, one.stream, one.version, *about)
        sql = "update events set body = ?, hash = ? where stream = ? and version = ?"
        changes.append((sql, (body, link[one.stream], one.stream, one.version)))
    forge(path, *changes)
    with sqlite3.connect(path) as sql:
        sql.execute("delete from appends")
        sql.execute("delete from snapshots")
        sql.execute("update meta set value = ? where key = 'record'", (record,))
    sql.close()


def test_a_forged_record_under_a_new_name_is_not_opened(path: Path) -> None:
    """Its keys and anchors are others, or none: they would find nothing wrong with it."""
    assert _opens(path) is None
    _forge(path, "ab" * 16)
    refusal = _opens(path)
    assert refusal is not None
    assert "this is another" in refusal.message
    with pytest.raises(SystemExit) as ended:
        main(["audit", "verify", "--database", str(path)])
    assert ended.value.code == 1
    with open_log(path) as log:
        # whoever knows why can say so; that is on record, and the house opens
        faults = accept(log, "ada", "the house was begun anew")
        assert [fault.reason for fault in faults] == ["another_record"]
    assert _opens(path) is None


def test_the_record_of_another_house_is_not_opened_in_its_place(path: Path, tmp_path: Path) -> None:
    with open_log(tmp_path / "other.db") as log:
        open_checked(log)
        _add(log)
    shutil.copy(tmp_path / "other.db", path)
    for more in ("-wal", "-shm"):
        path.with_name(path.name + more).unlink(missing_ok=True)
    refusal = _opens(path)
    assert refusal is not None
    assert "this is another" in refusal.message


def test_a_house_may_begin_anew_where_another_was(path: Path) -> None:
    for one in path.parent.glob("house.db*"):
        one.unlink()
    assert _opens(path) is None


def test_a_copy_younger_than_the_last_anchor_is_found(path: Path, tmp_path: Path) -> None:
    """The rollback that five minutes between two anchors left open."""
    assert _opens(path) is None
    with open_log(path) as log:
        log.settle()  # type: ignore[attr-defined]
        shutil.copy(path, tmp_path / "copy.db")
        _add(log, 2)
    for one in path.parent.glob("house.db-*"):
        one.unlink()
    shutil.copy(tmp_path / "copy.db", path)
    refusal = _opens(path)
    assert refusal is not None
    assert "chips/pat, event 9: the house saw 10 events; the record ends after 8" in refusal.message


def test_a_damaged_write_ahead_log_is_found(tmp_path: Path) -> None:
    """SQLite drops what follows the damage and says nothing."""
    with open_log(tmp_path / "live.db") as log:
        open_checked(log)
        _add(log, 30)
        # as a house that is killed leaves it
        for name in ("live.db", "live.db-wal"):
            shutil.copy(tmp_path / name, tmp_path / f"kept-{name}")
    for name in ("live.db", "live.db-wal"):
        shutil.copy(tmp_path / f"kept-{name}", tmp_path / name)
    wal = tmp_path / "live.db-wal"
    data = bytearray(wal.read_bytes())
    data[len(data) * 2 // 3] ^= 0xFF
    wal.write_bytes(data)
    (tmp_path / "live.db-shm").unlink(missing_ok=True)
    refusal = _opens(tmp_path / "live.db")
    assert refusal is not None
    assert "the house saw 30 events; the record ends after" in refusal.message


def test_no_anchor_is_made_of_a_record_that_lost_events(path: Path) -> None:
    """Somebody cuts a stream while the house is open: the anchor that knows better stays."""
    with open_log(path) as log:
        assert log.keys is not None
        anchor_next(log, log.keys)
        last = integrity.last_anchor(log)
        forge(path, "delete from events where stream = 'chips/pat' and version > 6")
        with pytest.raises(Refused, match="saw 8 events"):
            anchor_next(log, log.keys)
        assert integrity.last_anchor(log) == last


@pytest.mark.parametrize("few", [100_000, 0])
def test_both_quick_checks_know_what_was_saved(
    path: Path, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    """A large record is checked from its last anchor on only."""
    monkeypatch.setattr(integrity, "_FEW", few)
    with open_log(path) as log:
        assert check_tail(log).well
        assert check_whole(log).well
    forge(path, "delete from events where version > 6")
    with sqlite3.connect(path) as sql:
        sql.execute("delete from appends where heads like '%\"chips/pat\",7,%'")
        sql.execute("delete from appends where heads like '%\"chips/pat\",8,%'")
    sql.close()
    with open_log(path) as log:
        for found in (check_tail(log), check_whole(log)):
            assert [(one.reason, one.stream, one.version) for one in found.faults] == [
                ("cut_off", "chips/pat", 7)
            ]


def test_events_cut_off_on_postgresql_are_found(postgres: Any) -> None:
    url = postgres.new_database()
    with open_log(url) as log:
        open_checked(log)
        _add(log, 4)
    forge(url, "delete from events where version > 2")
    with psycopg.connect(url, autocommit=True) as sql:
        sql.execute("delete from houseway.appends where number > 2")
    refusal = _opens(url)
    assert refusal is not None
    assert "the house saw 4 events; the record ends after 2" in refusal.message


# one file, one house


def test_a_second_house_does_not_come_in_by_a_link(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(path)
    with (
        alone(str(path)),
        pytest.raises(Refused, match="another house is open"),
        alone(str(link)),
    ):
        pass


def test_a_record_with_two_names_is_not_served(path: Path, tmp_path: Path) -> None:
    """Under each name SQLite would keep a journal of its own, and one would undo the other."""
    os.link(path, tmp_path / "twin.db")
    for one in (path, tmp_path / "twin.db"):
        with pytest.raises(Refused, match="hard link"), alone(str(one)):
            pass


@pytest.mark.slow
def test_every_file_that_a_house_makes_is_its_owners_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the mask says under which it was started."""
    old = os.umask(0)
    try:
        with served(
            tmp_path, "--access-log", str(tmp_path / "access.log"), "--anchors", str(tmp_path / "2")
        ):
            pass
    finally:
        os.umask(old)
    del monkeypatch
    found = {one: stat.S_IMODE(one.stat().st_mode) for one in tmp_path.rglob("*")}
    assert any(one.name.endswith(".anchor.json") for one in found)
    assert [(str(one), oct(mode)) for one, mode in found.items() if mode & 0o077] == []


def test_a_file_whose_events_never_end_is_no_record(path: Path, tmp_path: Path) -> None:
    """Somebody hands in a backup in which the events are a view that goes on counting."""
    with sqlite3.connect(path) as sql:
        for (name,) in sql.execute("select name from sqlite_schema where type = 'trigger'"):
            sql.execute(f'drop trigger "{name}"')
        sql.execute("drop table events")
        sql.execute(
            "create view events as with recursive r(version) as (select 1 union all select version + 1"
            " from r) select 's' as stream, version, '' as time, '' as actor, '' as kind, 1 as schema,"
            " '{}' as body, zeroblob(32) as previous, zeroblob(32) as hash from r"
        )
    sql.close()
    with open_log(tmp_path / "new.db") as new, pytest.raises(Refused, match="views"):
        restore(path, new)
    with pytest.raises(Refused, match="views"):
        open_log(path)
