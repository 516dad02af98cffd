"""The databases themselves refuse to change or remove an event."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import psycopg
import pytest
from writing import fill

from houseway.errors import Refused
from houseway.store.backends.postgres import PostgresLog
from houseway.store.backends.sqlite import SQLiteLog

CHANGES = [
    "update {events} set actor = 'nobody' where version = 2",
    "update {events} set version = 9 where version = 3",
    "delete from {events} where version = 3",
    "delete from {events}",
]


@pytest.mark.parametrize(
    "sql",
    [
        *CHANGES,
        """insert or replace into {events} select stream, version, time, 'nobody', kind, schema, body,
        previous, hash from events where version = 3""",
        """insert into {events} select stream, 5, time, actor, kind, schema, body, previous, hash
        from events where version = 3""",
        # the next version, but not linked to the last event
        """insert into {events} select stream, 4, time, actor, kind, schema, body, previous, hash
        from events where version = 3""",
        """insert or replace into {events} select stream, 1, time, 'nobody', kind, schema, body,
        zeroblob(32), hash from events where version = 3""",
        """insert into {events} select 'b', 1, time, actor, kind, schema, body, previous, hash
        from events where version = 3""",
        """insert into {events} select 'b', 2, time, actor, kind, schema, body, previous, hash
        from events where version = 3""",
    ],
)
def test_sqlite_refuses(tmp_path, sql) -> None:
    log = SQLiteLog(tmp_path / "r.db")
    fill(log, "a", 3)
    before = list(log.scan())
    with (
        closing(sqlite3.connect(tmp_path / "r.db")) as other,
        pytest.raises(sqlite3.IntegrityError, match="event"),
    ):
        other.execute(sql.format(events="events"))
    assert list(log.scan()) == before
    log.close()


@pytest.mark.parametrize(
    "sql",
    [
        *CHANGES,
        "truncate {events}",
        """insert into {events} select * from {events} where version = 3
        on conflict (stream, version) do update set actor = 'nobody'""",
    ],
)
def test_postgres_refuses(shared_server, sql) -> None:
    url = shared_server.new_database()
    log = PostgresLog(url)
    fill(log, "a", 3)
    before = list(log.scan())
    with psycopg.connect(url) as other, pytest.raises(psycopg.IntegrityError, match="never"):
        other.execute(sql.format(events="houseway.events"))
    assert list(log.scan()) == before
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
