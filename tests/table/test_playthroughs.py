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

from houseway.table import events as e
from houseway.table.event_text import line

FOLDER = Path(__file__).parent / "playthroughs"


def path(name: str) -> Path:
    kept = "".join(letter for letter in name if letter not in ",'")
    return FOLDER / f"{kept.replace(' ', '-')}.txt"


def told(record):
    """Line by line; of a long run of cards found face up the first two and the last two."""
    found = [isinstance(event, e.FaceUpFound) for event in record]
    runs = [at for at, is_found in enumerate(found) if is_found]
    between = runs[2:-2] if len(runs) > 8 else []
    left_out = {at for start in between for at in (start, start + 1)}
    lines = [line(event) for event in record]
    if between:
        lines[runs[2]] = f"{'':<12} … {len(between)} more cards are found face up …"
        left_out.remove(runs[2])
    return "".join(f"{text}\n" for at, text in enumerate(lines) if at not in left_out)


@pytest.mark.parametrize("name", STORIES)
def test_playthrough(name):
    driver = STORIES[name]()
    if driver.table.phase != "closed":
        check_all(driver)
    text = told(driver.record)
    if os.environ.get("HOUSEWAY_WRITE"):
        path(name).write_text(text, encoding="utf-8")
    assert text == path(name).read_text(encoding="utf-8")


def test_every_playthrough_has_its_story():
    assert {path(name) for name in STORIES} == set(FOLDER.iterdir())
