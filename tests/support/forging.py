"""What somebody does who owns the database: change events past its rules.

Events stand in blocks. The forger unpacks them into a plain table `events`, changes that with SQL, and
packs what is there into blocks again, each event with the hash that its row now has.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import psycopg

from houseway.store import NOTHING, Event
from houseway.store.backends.blocks import Block, _packed, unpack

COLUMNS = "stream, version, time, actor, kind, schema, body, previous, hash"


def forge(
    database: object, *changes: str | tuple[str, tuple[Any, ...]], values: tuple[Any, ...] = ()
) -> None:
    """Change the events of a record by SQL, in SQLite's words, on a table `events`."""
    asked = [(one, values) if isinstance(one, str) else one for one in changes]
    url = str(database)
    if url.startswith("postgresql"):
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("set search_path to houseway")
            for table in ("events", "blocks", "streams"):
                connection.execute(f"alter table {table} disable trigger user")
            _forge(connection, "%s", asked)
    else:
        with closing(sqlite3.connect(url)) as file, file:
            for (name,) in file.execute(
                "select name from sqlite_schema where type = 'trigger'"
            ).fetchall():
                file.execute(f"drop trigger {name}")
            _forge(file, "?", asked)


def _forge(connection: Any, mark: str, changes: list[tuple[str, tuple[Any, ...]]]) -> None:
    ids, ends = {}, {}
    with closing(sqlite3.connect(":memory:")) as desk:
        desk.execute(f"create table events ({COLUMNS})")
        for id, name in connection.execute("select id, name from streams").fetchall():
            ids[name], link = id, NOTHING
            rows = connection.execute(
                f"select first, version, hash, body from blocks where stream = {mark} order by first",
                (id,),
            ).fetchall()
            for row in rows:
                block = Block(*row)
                ends[name, block.version] = True
                desk.executemany(
                    "insert into events values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    [one for one, _ in unpack(name, block, link)],
                )
                link = block.hash
        for change, values in changes:
            desk.execute(change, values)
        connection.execute("delete from blocks")
        for name, id in ids.items():
            found = desk.execute(
                f"select {COLUMNS} from events where stream = ? order by version", (name,)
            ).fetchall()
            part: list[Event] = []
            for at, row in enumerate(found):
                part.append(Event(*row))
                last = at + 1 == len(found) or found[at + 1][1] != row[1] + 1
                if last or (name, row[1]) in ends:
                    add(connection, mark, id, part)
                    part = []


def add(connection: Any, mark: str, id: int, events: list[Event]) -> None:
    """Put events into a block of a stream."""
    connection.execute(
        f"insert into blocks (stream, first, version, hash, body) values ({', '.join([mark] * 5)})",
        (id, *_packed(events)),
    )


def add_event(database: object, *row: Any) -> None:
    """Add one event, past the program and not past the rules of the database."""
    url = str(database)
    if url.startswith("postgresql"):
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("set search_path to houseway")
            _add_event(connection, "%s", Event(*row))
    else:
        with closing(sqlite3.connect(url)) as file, file:
            _add_event(file, "?", Event(*row))


def _add_event(connection: Any, mark: str, event: Event) -> None:
    found = connection.execute(f"select id from streams where name = {mark}", (event.stream,))
    add(connection, mark, found.fetchone()[0], [event])
