"""A full disk, a read-only file, a lock, a lost connection, a server that is gone."""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from writing import fill, new, write

from houseway.errors import Refused
from houseway.store import Conflict, Unavailable, Write, open_log
from houseway.store.backends.blocks import decided, to_add
from houseway.store.backends.postgres import PostgresLog
from houseway.store.backends.sqlite import SQLiteLog
from houseway.store.event import checked
from houseway.store.verify import verify


def test_a_full_disk_is_said_and_nothing_is_lost_or_half_there(tmp_path) -> None:
    log = SQLiteLog(tmp_path / "r.db")
    fill(log, "a", 3)
    (pages,) = log._writer.execute("pragma page_count").fetchone()
    log._writer.execute(f"pragma max_page_count = {pages + 5}")
    at = 3
    said = None
    while said is None:
        try:
            log.append(write("a", at, *range(20)), write("b", at - 3, *range(20)))
            at += 20
        except Unavailable as error:
            said = error
    assert said.code == "record_full"
    assert "full" in said.message
    assert (log.head("a").version, log.head("b").version) == (at, at - 3)
    # room again: the same append goes through, and nobody had to do anything
    log._writer.execute("pragma max_page_count = 1000000")
    log.append(write("a", at, *range(20)), write("b", at - 3, *range(20)))
    assert verify(log).unbroken
    log.close()


LIMITED = """
import resource, signal, sys
from houseway.store import New, Unavailable, Write
from houseway.store.backends.sqlite import SQLiteLog
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
log = SQLiteLog(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
at = log.head("a").version
try:
    while True:
        log.append(Write("a", at, (New("k", {"pad": "x" * 3000}, "x", "2026-03-01T12:00:00Z"),)))
        at += 1
        print(at, flush=True)
except Unavailable as error:
    print(error.code)
"""


def test_a_write_that_the_system_refuses_is_said_and_nothing_is_lost(tmp_path) -> None:
    path = tmp_path / "r.db"
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, path],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    *acknowledged, code = done.stdout.split()
    assert code in ("record_unreachable", "record_full")
    log = SQLiteLog(path)
    assert log.head("a").version == len(acknowledged) == int(acknowledged[-1])
    fill(log, "a", 1)
    assert verify(log).unbroken
    log.close()


@pytest.fixture
def small_disk(shared_server) -> Iterator[Path]:
    """A disk of a few megabytes that is the database server's; only root can mount one."""
    folder = Path(tempfile.mkdtemp(prefix="houseway-disk-"))
    mount = ["mount", "-t", "tmpfs", "-o", "size=12m,mode=0777", "tmpfs", str(folder)]
    if os.getuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        folder.rmdir()
        pytest.skip("a small disk has to be mounted, and this user or machine cannot do that")
    place = folder / "space"
    place.mkdir()
    os.chown(place, shared_server.user.pw_uid, shared_server.user.pw_gid)
    yield place
    subprocess.run(["umount", str(folder)], check=True)
    folder.rmdir()


@pytest.mark.slow
def test_a_full_disk_of_the_server_is_said_and_nothing_is_lost_or_half_there(
    shared_server, small_disk
) -> None:
    with psycopg.connect(shared_server.url(), autocommit=True) as admin:
        admin.execute(f"create tablespace small location '{small_disk}'")
        admin.execute("create database on_a_small_disk tablespace small")
    try:
        log = PostgresLog(shared_server.url("on_a_small_disk"))
        # text that does not get smaller when it is packed
        news = tuple(new(number, pad=secrets.token_hex(800)) for number in range(100))
        at, said = 0, None
        while said is None:
            assert at < 10_000, "the disk was never full"
            try:
                log.append(Write("a", at, news), Write("b", at, news))
                at += 100
            except Unavailable as error:
                said = error
        assert said.code == "record_full"
        assert "full" in said.message
        assert (log.head("a").version, log.head("b").version) == (at, at)
        # room again: the same append goes through, and nobody had to do anything
        grow = ["mount", "-o", "remount,size=64m", str(small_disk.parent)]
        subprocess.run(grow, check=True)
        log.append(Write("a", at, news), Write("b", at, news))
        assert (log.head("a").version, log.head("b").version) == (at + 100, at + 100)
        assert verify(log).unbroken
        log.close()
    finally:
        with psycopg.connect(shared_server.url(), autocommit=True) as admin:
            admin.execute("drop database on_a_small_disk with (force)")
            admin.execute("drop tablespace small")


READ_ONLY = """
import os, sys
from houseway.store import New, Unavailable, Write
from houseway.store.backends.sqlite import SQLiteLog
from houseway.store.verify import verify
if os.getuid() == 0:
    SQLiteLog(sys.argv[2]).close()
    os.setgid(65534); os.setuid(65534)
log = SQLiteLog(sys.argv[1], readonly=True)
print(verify(log).events, verify(log).unbroken)
log.close()
try:
    log = SQLiteLog(sys.argv[1])
    log.append(Write("a", 3, (New("k", {}, "x", "2026-03-01T12:00:00Z"),)))
except Unavailable as error:
    print(error.code)
"""


@pytest.fixture
def evidence() -> Iterator[Path]:
    """A folder that everybody may look into: pytest's own are for their owner alone."""
    folder = Path(tempfile.mkdtemp(prefix="houseway-evidence-"))
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_a_read_only_file_can_be_verified_and_says_that_it_cannot_be_written(
    evidence, tmp_path
) -> None:
    log = SQLiteLog(evidence / "r.db")
    fill(log, "a", 3)
    log.settle()
    log.close()
    (evidence / "r.db").chmod(0o444)
    evidence.chmod(0o555)
    # root may write to every file, so root becomes nobody, once all that is needed is loaded
    done = subprocess.run(
        [sys.executable, "-c", READ_ONLY, evidence / "r.db", tmp_path / "warm.db"],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.stdout.split(), done.stderr) == (["3", "True", "record_read_only"], "")


def test_a_log_opened_for_reading_cannot_write(open_again) -> None:
    log = open_again()
    fill(log, "a", 1)
    reader = (
        SQLiteLog(log._path, readonly=True)
        if isinstance(log, SQLiteLog)
        else PostgresLog(log.url, readonly=True)
    )
    with pytest.raises(Unavailable) as caught:
        fill(reader, "a", 1)
    assert caught.value.code == "record_read_only"
    assert reader.head("a").version == 1
    reader.close()


def test_a_locked_file_is_waited_for_and_then_said(tmp_path) -> None:
    log = SQLiteLog(tmp_path / "r.db", patience=0.1)
    fill(log, "a", 1)
    holder = sqlite3.connect(tmp_path / "r.db", isolation_level=None, check_same_thread=False)
    with closing(holder) as other, SQLiteLog(tmp_path / "r.db", patience=20) as patient:
        other.execute("begin immediate")
        with pytest.raises(Unavailable) as caught:
            fill(log, "a", 1)
        assert caught.value.code == "record_busy"
        assert log.head("a").version == 1
        other.execute("rollback")
        fill(log, "a", 1)
        other.execute("begin immediate")
        release = threading.Timer(0.2, other.execute, ["rollback"])
        release.start()
        fill(patient, "a", 1)
        release.join()
        assert patient.head("a").version == 3
    log.close()


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts the files that are open")
def test_a_thread_that_ends_leaves_no_connection_behind(tmp_path) -> None:
    def files() -> int:
        found = [str(one.readlink()) for one in Path("/proc/self/fd").iterdir() if one.is_symlink()]
        return sum(name.startswith(str(tmp_path)) for name in found)

    with SQLiteLog(tmp_path / "r.db") as log:
        fill(log, "a", 1)
        counts = []
        for _ in range(6):
            reader = threading.Thread(target=lambda: list(log.read("a")))
            reader.start()
            reader.join()
            counts.append(files())
            log.watch().close()
        # SQLite keeps the file of the first to end, for the next that opens one
        assert counts[-1] <= counts[0] + 1
    assert files() == 0


def test_a_closed_record_is_refused_and_not_opened_again(tmp_path) -> None:
    log = SQLiteLog(tmp_path / "r.db")
    fill(log, "a", 1)
    log.close()
    errors: list[Unavailable] = []

    def read() -> None:
        try:
            log.head("a")
        except Unavailable as error:
            errors.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    reader.join()
    assert [error.code for error in errors] == ["record_closed"]
    with pytest.raises(Unavailable):
        fill(log, "a", 1)


def test_a_connection_lost_in_mid_transaction_neither_loses_nor_doubles(shared_server) -> None:
    url = shared_server.new_database()
    log = PostgresLog(url)
    fill(log, "a", 1)
    with psycopg.connect(url) as holder, psycopg.connect(url, autocommit=True) as killer:
        # the append waits for another at its place; meanwhile its connection is ended
        holder.execute("insert into houseway.blocks values (1, 2, 2, '', '')")
        done = []
        thread = threading.Thread(target=lambda: done.append(log.append(write("a", 1, 5))))
        thread.start()
        waiting = "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
        while not (found := killer.execute(waiting).fetchone()):
            time.sleep(0.01)
        killer.execute("select pg_terminate_backend(%s)", found)
        holder.rollback()
        thread.join(20)
    assert [event.data["number"] for event in log.read("a")] == [1, 5]
    assert done == [tuple(log.read("a", 1))]
    assert verify(log).unbroken
    log.close()


@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize("kept", [True, False])
def test_two_at_one_place_in_the_same_moment(shared_server, alone, kept) -> None:
    """The one that comes second waits for what becomes of the first, and then knows."""
    log = PostgresLog(shared_server.new_database())
    fill(log, "a", 1)
    batches = [checked(write("a", 1, 5))]
    if not alone:
        batches += [checked(write("b", 0, 7), write("c", 0, 8))]
    with psycopg.connect(log.url) as first, psycopg.connect(log.url, autocommit=True) as other:
        heads = {"a": log.head("a")}
        (added,) = to_add(decided([checked(write("a", 1, 9))], heads))
        first.execute("insert into houseway.blocks values (1, %s, %s, %s, %s)", added.block)
        done = []
        thread = threading.Thread(target=lambda: done.append(log.append_all(batches)))
        thread.start()
        waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
        while not other.execute(waiting).fetchone():
            time.sleep(0.01)
        first.commit() if kept else first.rollback()
        thread.join(20)
    found = done[0][0]
    if kept:
        assert isinstance(found, Conflict)
        assert (found.stream, found.expected, found.actual) == ("a", 1, 2)
    assert [one.data["number"] for one in log.read("a")] == [1, 9 if kept else 5]
    # a batch that has nothing to do with it stands all the same
    assert [one.data["number"] for one in log.read("c")] == ([] if alone else [8])
    assert verify(log).unbroken
    log.close()


def test_an_answer_lost_after_the_commit_is_not_written_twice(shared_server, monkeypatch) -> None:
    log = PostgresLog(shared_server.new_database())
    fill(log, "a", 1)
    call, calls = log._connections.call, []

    def lossy(*arguments):
        answer = call(*arguments)
        calls.append(answer)
        if len(calls) == 1:
            raise Unavailable("record_unreachable", "the answer was lost")
        return answer

    monkeypatch.setattr(log._connections, "call", lossy)
    done = log.append(write("a", 1, 7, 8), write("b", 0, 9))
    assert done == (*log.read("a", 1), *log.read("b"))
    assert [event.data["number"] for event in log.read("a")] == [1, 7, 8]
    assert len(calls) == 1
    log.close()


@pytest.mark.slow
def test_a_server_that_is_gone_is_said_and_comes_back_without_help(server) -> None:
    log = PostgresLog(server.new_database())
    fill(log, "a", 2)
    followed = log.subscribe({"a": 0}, idle=20)
    assert next(followed).version == 1
    server.stop()
    for attempt in (lambda: fill(log, "a", 1), lambda: log.append(write("a", 2, 3))):
        with pytest.raises(Unavailable) as caught:
            attempt()
        assert caught.value.code == "record_unreachable"
        assert "reached" in caught.value.message
    server.start()
    log.append(write("a", 2, 3))
    assert log.head("a").version == 3
    assert verify(log).unbroken
    followed.close()
    log.close()


def test_no_server_at_all_is_a_refusal(tmp_path) -> None:
    with pytest.raises(Unavailable) as caught:
        PostgresLog(f"postgresql://nobody@localhost/none?host={tmp_path}")
    assert caught.value.code == "record_unreachable"


@pytest.mark.parametrize("name", ["mysql://here/record", "sqlite:///record.db", ""])
def test_another_kind_of_database_is_refused_and_no_file_is_made_of_its_name(
    name, tmp_path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Refused) as refused:
        open_log(name)
    assert refused.value.field == "database"
    assert list(tmp_path.iterdir()) == []
