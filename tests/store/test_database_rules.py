"""The databases themselves refuse to change or remove an event."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import psycopg
import pytest
from forging import forge
from writing import fill, write

from houseway.errors import Refused
from houseway.store import NOTHING
from houseway.store.backends.postgres import PostgresLog
from houseway.store.backends.sqlite import SQLiteLog

CHANGES = [
    "update {blocks} set body = hash where first = 2",
    "update {blocks} set version = 9 where first = 3",
    "delete from {blocks} where first = 3",
    "delete from {blocks}",
    "update {streams} set name = 'b'",
    "delete from {streams}",
]
_COPY = "select stream, {}, {}, hash, body from {{blocks}} where first = 3"


@pytest.mark.parametrize(
    "sql",
    [
        *CHANGES,
        "insert or replace into {blocks} " + _COPY.format(3, 3),
        "insert or replace into {blocks} " + _COPY.format(1, 1),
        # not the next event of its stream
        "insert into {blocks} " + _COPY.format(5, 5),
        "insert into {blocks} " + _COPY.format(4, 3),
        "insert into {blocks} select 2, 2, 2, hash, body from {blocks} where first = 3",
        # the table that had the events of earlier versions
        "insert into events values ('a', 4, '', '', '', 1, '', x'', x'')",
    ],
)
def test_sqlite_refuses(tmp_path, sql) -> None:
    log = SQLiteLog(tmp_path / "r.db")
    for _ in range(3):
        fill(log, "a", 1)
    before = list(log.scan())
    with (
        closing(sqlite3.connect(tmp_path / "r.db")) as other,
        pytest.raises(sqlite3.IntegrityError, match="event"),
    ):
        other.execute(sql.format(blocks="blocks", streams="streams"))
    assert list(log.scan()) == before
    log.close()


def test_what_is_not_linked_to_the_last_event_is_not_added_by_the_program(tmp_path) -> None:
    """The history before it was replaced, at the same length, by somebody past the rules."""
    log, other = SQLiteLog(tmp_path / "r.db"), SQLiteLog(tmp_path / "other.db")
    fill(log, "a", 2)
    other.append(write("a", 0, 7, 8))
    row = other.last(["a"])["a"]
    forge(
        tmp_path / "r.db", "update events set body = ?, hash = ? where version = 2",
        values=(row.body, row.hash),
    )  # fmt: skip
    (event,) = log.append(write("a", 2, 3))
    assert event.previous == row.hash
    log.close()
    other.close()


@pytest.mark.parametrize(
    "sql",
    [
        *CHANGES,
        "truncate {blocks}",
        "truncate {streams}",
        """insert into {blocks} select * from {blocks} where first = 3
        on conflict (stream, first) do update set hash = '' """,
        "insert into houseway.events values ('a', 4, '', '', '', 1, '', '', '')",
    ],
)
def test_postgres_refuses(shared_server, sql) -> None:
    url = shared_server.new_database()
    log = PostgresLog(url)
    for _ in range(3):
        fill(log, "a", 1)
    before = list(log.scan())
    with psycopg.connect(url) as other, pytest.raises(psycopg.IntegrityError, match="never"):
        other.execute(sql.format(blocks="houseway.blocks", streams="houseway.streams"))
    assert list(log.scan()) == before
    log.close()


@pytest.mark.parametrize("first", [2, 3, 5])
def test_postgres_adds_only_what_follows_the_last_event(shared_server, first) -> None:
    url = shared_server.new_database()
    log = PostgresLog(url)
    fill(log, "a", 3)
    call = (
        "select houseway.append(array[1], array[%s::bytea], array[%s::int8], array[%s::int8],"
        " array[''::bytea], array[''::bytea], '', '', '', '{}')"
    )
    for link in (b"", NOTHING, log.head("a").hash):
        with psycopg.connect(url) as other, pytest.raises(psycopg.IntegrityError, match="follows"):
            other.execute(call, (link, first, first))
    log.close()


def test_another_programs_database_and_other_files_are_left_alone(tmp_path) -> None:
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("create table recipes (name)")
    (tmp_path / "text.db").write_text(
        "this is not a database, but it is long enough to be one" * 40
    )
    for name in ("other.db", "text.db"):
        before = (tmp_path / name).read_bytes()
        with pytest.raises(Refused) as caught:
            SQLiteLog(tmp_path / name)
        assert caught.value.code == "not_a_record"
        assert (tmp_path / name).read_bytes() == before
    with pytest.raises(Refused) as caught:
        SQLiteLog(tmp_path / "none.db", readonly=True)
    assert caught.value.code == "no_record"
    assert not (tmp_path / "none.db").exists()
