"""Subscribers: what was there, what comes, from where each stream was left."""

from __future__ import annotations

import threading

import pytest
from writing import fill, write

from houseway.store.backends.postgres import PostgresLog


def test_a_subscriber_gets_what_is_there_from_each_streams_own_version(log) -> None:
    fill(log, "a", 4)
    fill(log, "b", 2)
    fill(log, "c", 1)
    got = [(one.stream, one.version) for one in log.subscribe({"a": 2, "b": 0}, idle=0.05)]
    assert got == [("a", 3), ("a", 4), ("b", 1), ("b", 2)]
    got = [(one.stream, one.version) for one in log.subscribe({"b": 1}, prefix="c", idle=0.05)]
    assert got == [("b", 2), ("c", 1)]
    got = [
        (one.stream, one.version) for one in log.subscribe({"b": 2}, prefix=("c", "a"), idle=0.05)
    ]
    assert got == [("a", 1), ("a", 2), ("a", 3), ("a", 4), ("c", 1)]


def test_a_subscriber_gets_what_comes_and_new_streams_under_its_prefix(log) -> None:
    fill(log, "table/1", 1)
    stop, seen, got = threading.Event(), threading.Event(), []

    def follow() -> None:
        for event in log.subscribe({"table/1": 1}, prefix="table/", stop=stop):
            got.append((event.stream, event.version))
            if len(got) == 4:
                seen.set()

    thread = threading.Thread(target=follow)
    thread.start()
    log.append(write("table/1", 1, 5), write("table/2", 0, 6), write("meter", 0, 1))
    log.append(write("table/2", 1, 7))
    log.append(write("table/1", 2, 8))
    assert seen.wait(20)
    stop.set()
    thread.join(20)
    assert sorted(got) == [("table/1", 2), ("table/1", 3), ("table/2", 1), ("table/2", 2)]
    for stream in ("table/1", "table/2"):
        versions = [version for name, version in got if name == stream]
        assert versions == sorted(versions)


def test_another_process_wakes_a_subscriber(open_again) -> None:
    reader, writer = open_again(), open_again()
    arrived = threading.Event()

    def follow() -> None:
        for _ in reader.subscribe({"a": 0}, idle=20):
            arrived.set()
            return

    thread = threading.Thread(target=follow)
    thread.start()
    fill(writer, "a", 1)
    assert arrived.wait(20)
    thread.join(20)


@pytest.mark.slow
def test_a_subscriber_outlives_its_server_and_goes_on_where_it_was(server) -> None:
    url = server.new_database()
    reader, writer = PostgresLog(url), PostgresLog(url)
    fill(writer, "a", 2)
    stop, got = threading.Event(), []
    arrived = threading.Semaphore(0)

    def follow() -> None:
        for event in reader.subscribe({"a": 1}, prefix="table/", stop=stop):
            got.append((event.stream, event.version))
            arrived.release()

    thread = threading.Thread(target=follow)
    thread.start()
    assert arrived.acquire(timeout=20)
    server.kill()
    server.start()
    fill(writer, "a", 2)
    fill(writer, "table/1", 1)
    for _ in range(3):
        assert arrived.acquire(timeout=20)
    stop.set()
    thread.join(20)
    # each once, and none of those that were there before it began
    assert sorted(got) == [("a", 2), ("a", 3), ("a", 4), ("table/1", 1)]
    reader.close()
    writer.close()
