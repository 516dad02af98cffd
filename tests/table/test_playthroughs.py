"""Golden playthroughs: whole games as text that a dealer can read, compared line by line.

After a change of the table that is meant, `HOUSEWAY_WRITE=1 pytest tests/table/test_playthroughs.py`
writes them anew; what changed is then read in the diff.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from stories import STORIES
from tables import check_all

from houseway.table.telling import line

FOLDER = Path(__file__).parent / "playthroughs"


def path(name: str) -> Path:
    kept = "".join(letter for letter in name if letter not in ",'")
    return FOLDER / f"{kept.replace(' ', '-')}.txt"


@pytest.mark.parametrize("name", STORIES)
def test_playthrough(name):
    driver = STORIES[name]()
    if driver.table.phase != "closed":
        check_all(driver)
    text = "".join(f"{line(event)}\n" for event in driver.record)
    if os.environ.get("HOUSEWAY_WRITE"):
        path(name).write_text(text, encoding="utf-8")
    assert text == path(name).read_text(encoding="utf-8")


def test_every_playthrough_has_its_story():
    assert {path(name) for name in STORIES} == set(FOLDER.iterdir())
