"""Closed gaming days in archives: the same answers, the same proof, nothing lost on the way."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from auditing import answer, run
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from forging import forge
from playing import GAMES, decide

from houseway.cards import SeededSource
from houseway.errors import Refused
from houseway.floor.archiving import Retention, archive, remove_archived, set_retention
from houseway.floor.integrity import anchor_now, check_whole, open_checked
from houseway.floor.recorded_table import RecordedTable
from houseway.store import New, Write, open_log
from houseway.store.archives import Archives, manifest_of
from houseway.store.backends.sqlite import SQLiteLog
from houseway.store.backup import backup, restore
from houseway.store.security.house_keys import HouseKey
from houseway.store.verify import verify
from houseway.table.driver import Driver

DAYS = ["2026-03-01", "2026-03-02", "2026-03-03"]


@pytest.fixture(params=["sqlite", "postgres"])
def house(request, tmp_path, monkeypatch) -> str:
    """A signed record with two rounds on each of three gaming days."""
    monkeypatch.setenv("HOUSEWAY_KEYS", str(tmp_path / "keys"))
    monkeypatch.setenv("HOUSEWAY_ARCHIVES", str(tmp_path / "archives"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    place = str(tmp_path / "house.db")
    if request.param == "postgres":
        place = request.getfixturevalue("postgres").new_database()
    play(place)
    return place


def play(place: str) -> None:
    chapter, rules, wagers = GAMES[0]
    with open_log(place) as log:
        keys, _ = open_checked(log)
        table = RecordedTable(log, "1")

        class Recording(Driver):
            def carry_out(self, command: Any) -> Any:
                return table.send(command), table.table

        driver = Recording(chapter, rules, source=SeededSource(1), start="2026-03-01T15:00:00")
        driver.seat_player(1, "ann")
        for day in range(3):
            for _ in range(2):
                driver.ready()
                driver.wager(1, wagers)
                driver.finish(decide)
            if day < 2:
                driver.clock += timedelta(days=1)
        anchor_now(log, keys)


def everything(place: str) -> list[Any]:
    with open_log(place, readonly=True) as log:
        return [
            event
            for event in log.scan()
            if event.stream != "archives" and "config" not in event.stream
        ]


def rounds(place: str) -> list[Any]:
    return answer("rounds", "--database", place, "--limit", 100)["rounds"]


@pytest.mark.slow
def test_archived_days_are_read_as_part_of_the_record(house, tmp_path) -> None:
    events, played = everything(house), rounds(house)
    assert len(played) == 6
    told = answer("archive", "--database", house)
    assert [one["day"] for one in told["archived"]] == DAYS
    assert told["removed"] == 0
    assert answer("archive", "--database", house)["archived"] == []
    # nothing leaves the record before somebody says how long it stays
    assert answer("retention", "--database", house) == {"live_days": None, "keep_years": 5}
    answer("retention", "--database", house, "--live-days", 1, "--who", "ada")
    removed = answer("archive", "--database", house)["removed"]
    assert removed > len(events) // 2
    with open_log(house) as log:
        log.archives = None
        assert sum(1 for _ in log.scan()) < len(events) // 2
    # the chain runs through all files into the record
    assert everything(house) == events
    verdict = answer("verify", "--database", house)
    assert (verdict["unbroken"], verdict["archived"]) == (True, 0)
    assert rounds(house) == played
    assert answer("replay", "1.1.1", "--database", house)["steps"]
    assert answer("verify-deal", "1.1.1", "--database", house)["proved"]
    with open_log(house) as log:
        assert check_whole(log).well
        # play goes on, and the next day joins on
        table = RecordedTable(log, "1")
        at = table.version
        log.append(Write("chips/ann", log.head("chips/ann").version, (NEW,)))
        assert at == log.head("table/1").version
        assert verify(log).unbroken


NEW = New("moved", {"chips": 0, "purse": 0}, "ann", "2026-03-04T12:00:00Z")


def test_without_its_archives_the_rest_is_proved_and_what_is_missing_is_said(
    house, tmp_path, monkeypatch
) -> None:
    shorten(house)
    away = tmp_path / "away"
    (tmp_path / "archives").rename(away)
    monkeypatch.delenv("HOUSEWAY_ARCHIVES")
    verdict = answer("verify", "--database", house)
    assert verdict["unbroken"]
    assert verdict["archived"] > 100
    with open_log(house) as log:
        open_checked(log)
        # the table is opened from its snapshot, which is never older than what is here
        assert RecordedTable(log, "1").version == log.head("table/1").version
    lost = run("replay", "1.1.1", "--database", house)
    assert (lost.returncode, lost.stdout) == (2, "")
    (line,) = lost.stderr.splitlines()
    assert "in an archive that is not here" in line
    # one file of several is missing
    monkeypatch.setenv("HOUSEWAY_ARCHIVES", str(away))
    (away / f"{DAYS[1]}.archive.db").unlink()
    (fault, *_) = answer("verify", "--database", house, status=1)["faults"]
    assert fault["reason"] == "archive_missing"


def shorten(place: str) -> None:
    folder = Path(os.environ["HOUSEWAY_ARCHIVES"])
    with open_log(place) as log:
        set_retention(log, Retention(live_days=1), "ada")
        archive(log, folder, "ada")
        with Archives(folder, log.id) as archives:
            assert remove_archived(log, archives, "ada")
        assert log.keys is not None
        anchor_now(log, log.keys)


CHANGES = {
    "an event": "update events set body = replace(body, '.00', '.50') where kind = 'wager_placed'",
    "an event gone": "delete from events where stream = 'table/1' and version = 60",
    "the end cut off": "delete from events where stream = 'table/1' and version > 60",
    "the beginning": "delete from events where stream = 'table/1' and version < 5",
}


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_changed_archive_is_found_by_itself_and_in_the_record(house, tmp_path, change) -> None:
    shorten(house)
    path = tmp_path / "archives" / f"{DAYS[0]}.archive.db"
    assert answer("verify", "--database", path)["unbroken"]
    forge(path, change)
    assert answer("verify", "--database", path, status=1)["faults"]
    assert answer("verify", "--database", house, status=1)["faults"]


def test_a_manifest_that_somebody_else_wrote_is_found(house, tmp_path) -> None:
    shorten(house)
    path = tmp_path / "archives" / f"{DAYS[1]}.archive.db"
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("update meta set value = replace(value, '2026-03-02', '2026-03-09')")
    (fault,) = answer("verify", "--database", path, status=1)["faults"]
    assert fault["reason"] == "not_signed"


def test_a_manifest_signed_with_another_key_is_not_the_houses(house, tmp_path) -> None:
    shorten(house)
    path = tmp_path / "archives" / f"{DAYS[1]}.archive.db"
    with SQLiteLog(path, readonly=True) as log:
        manifest = manifest_of(log)
    assert manifest is not None
    thief = HouseKey(Ed25519PrivateKey.generate())
    forged = msgspec.structs.replace(manifest, key=thief.public)
    forged = msgspec.structs.replace(forged, signature=thief.sign(forged.signed).hex())
    with closing(sqlite3.connect(path)) as file, file:
        said = msgspec.json.encode(forged).decode()
        file.execute("update meta set value = ? where key = 'archive'", (said,))
    (fault,) = answer("verify", "--database", path, status=1)["faults"]
    assert (fault["reason"], "somebody else" in fault["says"]) == ("not_signed", True)


def test_a_beginning_that_the_record_does_not_know_of_is_found(house, monkeypatch) -> None:
    """Somebody claims that events were archived, and removes them."""
    with open_log(house) as log:
        cut = log.boundary("table/1", 60)
        assert cut is not None
        log.remove_archived({"table/1": cut})
    monkeypatch.delenv("HOUSEWAY_ARCHIVES")
    verdict = answer("verify", "--database", house, status=1)
    assert ("rewritten", "table/1") in [(f["reason"], f["stream"]) for f in verdict["faults"]]


def test_a_shortened_record_is_backed_up_and_restored(house, tmp_path) -> None:
    events = everything(house)
    shorten(house)
    with open_log(house) as log:
        assert backup(log, tmp_path / "copy.db").unbroken
    with open_log(tmp_path / "again.db") as target:
        assert restore(tmp_path / "copy.db", target).unbroken
    assert everything(str(tmp_path / "again.db")) == events


def test_bad_calls_get_one_line(house, tmp_path) -> None:
    for arguments in (
        ("archive", "--day", "2999-01-01"),
        ("archive", "--day", "yesterday"),
        ("retention", "--live-days", "0"),
        ("retention", "--keep-years", "-1"),
    ):
        done = run(*arguments, "--database", house)
        assert (done.returncode, done.stdout) == (2, "")
        assert len(done.stderr.splitlines()) == 1
    shorten(house)
    with pytest.raises(Refused) as caught:
        open_log(tmp_path / "archives" / f"{DAYS[0]}.archive.db")
    assert caught.value.code == "archive"


KILLED = """
import os, signal, sys
from pathlib import Path
import houseway.floor.archiving as archiving
from houseway.store import open_log
from houseway.store.archives import Archives
place, folder, moment = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
count = 0
def dies(work):
    def instead(*arguments):
        global count
        count += 1
        if count == moment:
            os.kill(os.getpid(), signal.SIGKILL)
        return work(*arguments)
    return instead
archiving._put = dies(archiving._put)
archiving.write_archive = dies(archiving.write_archive)
with open_log(place) as log:
    log.remove_archived = dies(log.remove_archived)
    archiving.set_retention(log, archiving.Retention(live_days=1), "ada")
    archiving.archive(log, folder, "ada")
    archiving.remove_archived(log, Archives(folder, log.id), "ada")
"""


@pytest.mark.slow
def test_an_archiving_that_is_killed_at_any_step_is_taken_up_again(house, tmp_path) -> None:
    """Retention, then three times a file and its event, the event of the removal, the removal."""
    events = everything(house)
    for moment in (2, 3, 4, 3, 4, 3, 4, 2, 3):
        command = [sys.executable, "-c", KILLED, house, str(tmp_path / "archives"), str(moment)]
        done = subprocess.run(command, check=False, capture_output=True)
        assert done.returncode == -signal.SIGKILL, done.stderr
        with open_log(house) as log:
            assert verify(log).unbroken
        assert everything(house) == events
    shorten(house)
    assert everything(house) == events
    assert answer("verify", "--database", house)["unbroken"]
