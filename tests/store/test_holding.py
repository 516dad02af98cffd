"""Names that one process holds on PostgreSQL, as a worker holds its tables."""

from __future__ import annotations

import psycopg
import pytest

from houseway.store.backends.memory import MemoryLog
from houseway.store.backends.postgres import PostgresLog


@pytest.fixture
def two(postgres):
    """Two processes' ways to one record, and its address."""
    url = postgres.new_database()
    first, second = PostgresLog(url), PostgresLog(url)
    try:
        yield url, first, second
    finally:
        first.close()
        second.close()


def test_a_name_is_held_by_one_until_it_closes_the_record(two):
    _, first, second = two
    assert first.hold("table/a")
    assert first.hold("table/a")  # again, by the same
    assert (second.hold("table/a"), second.hold("table/b")) == (False, True)
    assert (first.holds("table/a"), second.holds("table/a")) == (True, False)
    first.close()
    assert second.hold("table/a")


def test_a_name_is_lost_with_the_session_that_held_it(two):
    """The server ends the session, as it does when a machine is cut off; no clock runs out."""
    url, first, second = two
    assert first.hold("table/a")
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'")
    first.look_held()
    assert not first.holds("table/a")
    assert second.hold("table/a")
    assert not first.hold("table/a")


def test_a_record_of_one_house_is_held_by_it():
    log = MemoryLog()
    assert log.hold("table/a")
    assert log.holds("table/a")
