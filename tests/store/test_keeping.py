"""Backup while others write, restore into either database, upgrade from every earlier schema."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import psycopg
import pytest
from forging import forge
from writing import NOON, fill, write

from houseway.errors import Refused
from houseway.store import NOTHING, digest
from houseway.store.backends.blocks import pack
from houseway.store.backends.memory import MemoryLog
from houseway.store.backends.postgres import PostgresLog
from houseway.store.backends.schema import steps
from houseway.store.backends.sqlite import SQLiteLog
from houseway.store.backup import backup, restore
from houseway.store.security.anchor import make_anchor, new_key
from houseway.store.verify import verify


def test_a_backup_is_a_record_and_restores_to_the_same(make_log, tmp_path) -> None:
    log = make_log()
    for name in ("table/1", "meter/ü"):
        fill(log, name, 50)
    verdict = backup(log, tmp_path / "copy.db")
    assert (verdict.unbroken, verdict.events) == (True, 100)
    assert [one.name for one in tmp_path.glob("copy.db*")] == ["copy.db"]
    again = make_log()
    assert restore(tmp_path / "copy.db", again).unbroken
    assert list(again.scan()) == list(log.scan())
    assert again.id == log.id
    # a restored record goes on where the old one was
    fill(again, "table/1", 1)
    assert verify(again, [make_anchor(log, new_key(tmp_path / "key"), NOON)]).unbroken


def test_a_backup_does_not_overwrite_nor_a_restore_mix(make_log, tmp_path) -> None:
    log = make_log()
    fill(log, "a", 1)
    backup(log, tmp_path / "copy.db")
    with pytest.raises(Refused) as caught:
        backup(log, tmp_path / "copy.db")
    assert caught.value.code == "file_exists"
    with pytest.raises(Refused) as caught:
        restore(tmp_path / "copy.db", log)
    assert caught.value.code == "record_not_empty"


def test_a_backup_taken_under_load_is_one_moment(make_log, tmp_path) -> None:
    log = make_log()
    log.append(write("left", 0, 0), write("right", 0, 0))
    stop = threading.Event()

    def work() -> None:
        at = 1
        while not stop.is_set() and at < 1000:
            log.append(write("left", at, 1), write("right", at, -1))
            at += 1

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for number in range(3):
            assert backup(log, tmp_path / f"{number}.db").unbroken
    finally:
        stop.set()
        thread.join(20)
    for number in range(3):
        copy = SQLiteLog(tmp_path / f"{number}.db", readonly=True)
        heads = {name: head.version for name, head in copy.heads().items()}
        assert heads["left"] == heads["right"]
        assert sum(event.data["number"] for event in copy.scan()) == 0
        copy.close()


def test_a_broken_backup_is_not_restored(tmp_path) -> None:
    log = SQLiteLog(tmp_path / "r.db")
    fill(log, "a", 5)
    backup(log, tmp_path / "copy.db")
    log.close()
    forge(tmp_path / "copy.db", "update events set actor = 'x' where version = 2")
    target = SQLiteLog(tmp_path / "target.db")
    verdict = restore(tmp_path / "copy.db", target)
    assert (verdict.faults[0].reason, verdict.faults[0].version) == ("changed", 2)
    assert target.heads() == {}
    target.close()


FIRST = digest(NOTHING, "a", 1, NOON, "x", "counted", 1, '{"number":1}')


@pytest.mark.parametrize("version", range(1, len(steps("sqlite"))))
def test_sqlite_is_upgraded_from_every_earlier_schema(tmp_path, version) -> None:
    with closing(sqlite3.connect(tmp_path / "old.db")) as old, old:
        for sql in steps("sqlite")[:version]:
            old.executescript(sql)
        old.executescript(f"pragma user_version = {version}; pragma application_id = {0x68776179}")
        old.execute("insert into meta values ('record', 'as it was')")
        old.execute(
            "insert into events values ('a', 1, ?, 'x', 'counted', 1, '{\"number\":1}', ?, ?)",
            (NOON, NOTHING, FIRST),
        )
    reader = SQLiteLog(tmp_path / "old.db", readonly=True)
    assert verify(reader).events == 1
    reader.close()
    log = SQLiteLog(tmp_path / "old.db")
    _is_whole(log)
    log.close()


@pytest.mark.parametrize("version", range(1, len(steps("postgres"))))
def test_postgres_is_upgraded_from_every_earlier_schema(shared_server, version) -> None:
    url = shared_server.new_database()
    with psycopg.connect(url) as old:
        old.execute("create schema houseway")
        old.execute("create table houseway.meta (key text primary key, value text not null)")
        old.execute(
            "insert into houseway.meta values ('schema', %s), ('record', 'as it was')",
            (str(version),),
        )
        for number, sql in enumerate(steps("postgres")[:version], 1):
            old.execute(sql.encode())
            # nothing is added to this table once there are blocks
            if number == min(version, 5):
                old.execute(
                    "insert into houseway.events values"
                    " ('a', 1, %s, 'x', 'counted', 1, '{\"number\":1}', %s, %s)",
                    (NOON, NOTHING, FIRST),
                )
        if version < 4:
            old.execute("insert into houseway.heads values ('a', 1, %s)", (FIRST,))
    reader = PostgresLog(url, readonly=True)
    assert verify(reader).events == 1
    reader.close()
    log = PostgresLog(url)
    _is_whole(log)
    log.close()


def test_blocks_stay_as_they_are_when_their_versions_get_shorter(shared_server) -> None:
    made = MemoryLog()
    fill(made, "c", 3)
    (block,) = pack(made.read("c"))
    url = shared_server.new_database()
    with psycopg.connect(url) as old:
        old.execute("create schema houseway")
        old.execute("create table houseway.meta (key text primary key, value text not null)")
        old.execute("insert into houseway.meta values ('schema', '6'), ('record', 'as it was')")
        for sql in steps("postgres")[:6]:
            old.execute(sql.encode())
        old.execute("insert into houseway.streams (name) values ('c')")
        old.execute("insert into houseway.blocks values (1, %s, %s, %s, %s)", block)
    with PostgresLog(url) as log:
        assert list(log.read("c")) == list(made.read("c"))
        fill(log, "c", 2)
        assert log.head("c").version == 5
        assert verify(log).unbroken


def _is_whole(log) -> None:
    assert log.id == "as it was"
    assert log.head("a").hash == FIRST
    fill(log, "a", 2)
    fill(log, "a", 70)
    fill(log, "b", 1)
    # what was there and what came since read as one stream
    assert [one.version for one in log.read("a")] == list(range(1, 74))
    assert [one.version for one in log.read("a", 1, 3)] == [2, 3]
    assert [one.version for one in log.read("a", 2, 3)] == [3]
    assert log.last(["a"])["a"] == list(log.scan())[72]
    assert {name: head.version for name, head in log.heads().items()} == {"a": 73, "b": 1}
    log.save_snapshot("a", "m", 1, FIRST, b"state")
    assert log.snapshot("a", "m") == (1, FIRST, b"state")
    assert verify(log).unbroken


def test_a_record_of_a_newer_houseway_is_left_alone(tmp_path, shared_server) -> None:
    SQLiteLog(tmp_path / "r.db").close()
    with closing(sqlite3.connect(tmp_path / "r.db")) as other:
        other.execute("pragma user_version = 99")
    url = shared_server.new_database()
    PostgresLog(url).close()
    with psycopg.connect(url) as other:
        other.execute("update houseway.meta set value = '99' where key = 'schema'")
    for readonly in (False, True):
        with pytest.raises(Refused) as caught:
            SQLiteLog(tmp_path / "r.db", readonly=readonly)
        assert caught.value.code == "record_too_new"
        with pytest.raises(Refused) as caught:
            PostgresLog(url, readonly=readonly)
        assert caught.value.code == "record_too_new"


def test_several_processes_may_make_the_record_at_once(open_again) -> None:
    with ThreadPoolExecutor(6) as pool:
        logs = list(pool.map(lambda _: open_again(), range(6)))
    assert len({log.id for log in logs}) == 1
    fill(logs[0], "a", 1)
    assert logs[5].head("a").version == 1
