"""Golden playthroughs: whole games as events, one canonical JSON object on each line.

The first lines of each say what its clauses demand: `# 680a.5(e): …`. After a change of the table
that is meant, `HOUSEWAY_WRITE=1 pytest tests/table/test_playthroughs.py` writes the events anew and
leaves those lines; what changed is then read in the diff. Times and versions, which every event has,
are checked here and left out. So are sentences that the program writes itself: `test_wording.py` has
those, and what is said of each event.
"""

from __future__ import annotations

import itertools
import json
import os
import re
from pathlib import Path

import msgspec
import pytest
from commands import answer
from stories import STORIES
from tables import check_all

FOLDER = Path(__file__).parent / "playthroughs"
DEMAND = re.compile(r'# (?P<clause>\S+): (?P<says>[A-Z"].*\.)')

#: known from an event's place in the file, or a hash of what the file has in full
LEFT_OUT = ("at", "version", "edition_hash", "rules_hash")
#: sentences of the program's own, by event
WORDED = {
    "round_voided": "why",
    "deck_removed": "why",
    "cut_ordered": "reason",
    "payment_corrected": "reason",
}


def path(name: str) -> Path:
    kept = "".join(letter for letter in name if letter not in ",'")
    return FOLDER / f"{kept.replace(' ', '-')}.jsonl"


def line(event) -> str:
    told = msgspec.to_builtins(event)
    for name in (*LEFT_OUT, WORDED.get(told["event"])):
        told.pop(name, None)
    return json.dumps(told, sort_keys=True, separators=(",", ":"))


def demands(name: str) -> list[str]:
    """The first lines of a playthrough."""
    lines = path(name).read_text(encoding="utf-8").splitlines()
    return list(itertools.takewhile(lambda one: one.startswith("#"), lines))


@pytest.mark.parametrize("name", STORIES)
def test_playthrough(name):
    driver = STORIES[name]()
    if driver.table.phase != "closed":
        check_all(driver)
    assert [event.version for event in driver.record] == list(range(1, len(driver.record) + 1))
    times = [event.at for event in driver.record]
    assert times == sorted(times)
    text = "".join(f"{one}\n" for one in (*demands(name), *map(line, driver.record)))
    if os.environ.get("HOUSEWAY_WRITE"):
        path(name).write_text(text, encoding="utf-8")
    assert text == path(name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def clauses() -> dict[str, set[str]]:
    """The clauses of every chapter."""
    return {
        one["chapter"]: {clause["clause"] for clause in one["list"]}
        for one in answer("clauses")["chapters"]
    }


@pytest.mark.parametrize("name", STORIES)
def test_a_playthrough_says_what_its_clauses_demand(name, clauses):
    """The clauses are the chapter's, and each has an event that cites it."""
    stated = [DEMAND.fullmatch(one) for one in demands(name)]
    assert stated
    assert all(stated)
    lines = path(name).read_text(encoding="utf-8").splitlines()[len(stated) :]
    cited = {json.loads(one).get("clause") for one in lines}
    named = {one["clause"] for one in stated}
    assert named <= clauses[name.split()[0]]
    assert named <= cited


def test_every_playthrough_has_its_story():
    assert {path(name) for name in STORIES} == set(FOLDER.iterdir())
