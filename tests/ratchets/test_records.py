"""Records written by an earlier version open, verify, replay, are searched and played on.

`make_records.py` says what is on them and how they were made. They are never rewritten.
"""

from __future__ import annotations

import json
import lzma
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest
from additions import lost
from answers import ANSWERS, TABLES, asked
from commands import answer
from house import Person, deal
from served import served

RECORDS = Path(__file__).parent / "records"

#: wording, which may change, and what depends on the day on which it is asked
PROSE = ("says", "why", "age_minutes", "overdue", "next")


@pytest.fixture(scope="module")
def records(tmp_path_factory) -> Path:
    """Each record as a file of its own."""
    folder = tmp_path_factory.mktemp("records")
    for packed in RECORDS.glob("*.sqlite.xz"):
        name = packed.name.removesuffix(".sqlite.xz")
        (folder / f"{name}.db").write_bytes(lzma.decompress(packed.read_bytes()))
    return folder


@pytest.fixture(autouse=True)
def _a_machine_of_its_own(tmp_path, monkeypatch) -> None:
    """Projections are rebuilt; keys and anchors of a copy that was played on are elsewhere."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HOUSEWAY_KEYS", str(tmp_path / "keys"))


def kept_answers(name: str) -> dict[str, Any]:
    return json.loads(lzma.decompress((RECORDS / f"{name}.answers.json.xz").read_bytes()))


@pytest.mark.parametrize("name", ["stories", "house"])
def test_the_record_is_unbroken(records, name) -> None:
    verdict = answer("audit", "verify", "--database", records / f"{name}.db")
    assert (verdict["unbroken"], verdict["faults"]) == (True, [])


def test_the_anchor_holds(records) -> None:
    signed = ("--anchor", RECORDS / "house.anchor.json", "--public-key", RECORDS / "house.pub.pem")
    assert answer("audit", "verify", "--database", records / "house.db", *signed)["unbroken"]


@pytest.mark.parametrize("name", ["stories", "house"])
def test_the_record_answers_as_it_did(records, name) -> None:
    """Rounds with their hands and amounts, irregularities, decks, devices, meters, submissions."""
    then = kept_answers(name)
    assert set(then) == set(ANSWERS)
    for words, said in then.items():
        now = answer(*asked(words, records / f"{name}.db"))
        assert not list(lost(said, now, words, prose=PROSE))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["stories", "house"])
def test_every_round_replays(records, name) -> None:
    database = records / f"{name}.db"
    rounds = kept_answers(name)["audit rounds --limit 1000"]["rounds"]
    assert rounds
    for round in rounds:
        told = answer("audit", "replay", round["id"], "--database", database)
        assert not list(lost(round, told, round["id"], prose=PROSE))
        assert all(step["sound"] and step["says"] for step in told["steps"])
        assert told["lines"] or round["voided"]


def test_rounds_are_shown_as_pages_and_their_deals_are_proved(records, tmp_path) -> None:
    database = records / "house.db"
    for table in TABLES:
        for number in (1, 2, 3):
            round, page = f"{table}.1.{number}", tmp_path / f"{table}-{number}.html"
            answer("audit", "replay", round, "--database", database, "--html", page)
            assert "<svg" in page.read_text()
            assert answer("audit", "verify-deal", round, "--database", database)["proved"]


def test_the_export_has_every_row_and_column_it_had(records, tmp_path) -> None:
    answer("audit", "export", "--database", records / "house.db", "--out", tmp_path / "now")
    with tarfile.open(RECORDS / "export.tar.xz") as tar:
        tar.extractall(tmp_path / "then", filter="data")
    files = sorted(path.name for path in (tmp_path / "then").iterdir())
    assert len(files) > 8
    for name in files:
        then, now = (
            [json.loads(line) for line in (tmp_path / when / name).read_text().splitlines()]
            for when in ("then", "now")
        )
        assert not list(lost(then, now, name, prose=PROSE))
    events = [json.loads(x) for x in (tmp_path / "now" / "events.jsonl").read_text().splitlines()]
    verdict = answer("audit", "verify", "--database", records / "house.db")
    assert len(events) == verdict["events"]


@pytest.mark.parametrize("table", TABLES)
def test_a_bundle_for_a_dispute_still_proves_its_round(records, tmp_path, table) -> None:
    """With the check inside it, and a new bundle of the same round says the same."""
    with tarfile.open(RECORDS / "bundles.tar.xz") as tar:
        tar.extractall(tmp_path, filter="data")
    new = tmp_path / "new"
    answer("audit", "export", "--database", records / "house.db", "--round", f"{table}.1.1",
           "--out", new)  # fmt: skip
    for bundle in (tmp_path / table, new):
        done = subprocess.run(
            [sys.executable, bundle / "check.py"], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
    for name in ("round.json", "deal.json", "events.jsonl"):
        then, now = (
            [json.loads(line) for line in _values(folder / name)]
            for folder in (tmp_path / table, new)
        )
        assert not list(lost(then, now, name, prose=PROSE))


def _values(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    return text.splitlines() if path.suffix == ".jsonl" else [text]


def test_a_backup_is_restored(records, tmp_path) -> None:
    verdict = answer("audit", "verify", "--database", records / "house.db")
    answer("audit", "backup", tmp_path / "copy.db", "--database", records / "house.db")
    answer("audit", "restore", tmp_path / "copy.db", "--database", tmp_path / "new.db")
    again = answer("audit", "verify", "--database", tmp_path / "new.db")
    assert again["record"] == verdict["record"]


@pytest.mark.slow
def test_the_rounds_in_the_middle_are_played_to_the_end_and_the_tables_closed(
    records, tmp_path
) -> None:
    """One table of each chapter waits for its players' decisions, and a person deals."""
    database = tmp_path / "house.db"
    database.write_bytes((records / "house.db").read_bytes())
    everybody = [one["id"] for one in answer("people", "list", "--database", database)["people"]]
    (guest,) = [one for one in everybody if one.startswith("guest-")]
    with served(tmp_path, database=str(database), pace=0) as house:
        pat, other, dana, frank = (
            Person(house.address, name) for name in ("pat", guest, "dana", "frank")
        )
        for table in TABLES:
            before = dana.view(table)
            assert before["phase"] in ("insuring", "deciding"), table
            assert all(before["boxes"][seat]["wagers"] for seat in (0, 1))
            for _ in range(200):
                pat.decide(table)
                other.decide(table)
                if "close_table" in frank.view(table, "floorperson")["legal"]:
                    break
                assert deal(table, dana, frank), f"nobody can act at {table}"
            tray = frank.view(table, "floorperson")["dealer"]["tray"]
            frank.send(table, "close_table", role="floorperson", count=tray)
    assert answer("audit", "verify", "--database", database)["unbroken"]
    rounds = answer("audit", "rounds", "--database", database)["rounds"]
    assert {one["id"] for one in rounds} >= {
        f"{table}.1.{number}" for table in TABLES for number in (1, 2, 3, 4)
    }
    for table in TABLES:
        told = answer("audit", "replay", f"{table}.1.4", "--database", database)
        assert {line["wager"] for line in told["lines"]} >= set(TABLES[table])
    assert answer("progressive", "reconcile", "--database", database)["exact"]
