"""The wording of events, in one place: `wording.txt` has a line for each kind of sentence.

The golden playthroughs compare events, not words. Cards, numbers and names that the stories chose
are written alike, so that a line stands for one way of saying it. After a change of wording that is
meant, `HOUSEWAY_WRITE=1 pytest tests/table/test_wording.py` writes the file anew.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from stories import STORIES

from houseway.table.event_text import describe

CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b|\bJk\b")
KEPT = Path(__file__).parent / "wording.txt"


def shape(text: str) -> str:
    """A sentence with every card as `As`, every number as `1`, and nothing said twice in a list."""
    text = re.sub(r"\d+(,\d{3})*(\.\d+)?", "1", CARD.sub("As", text))
    return re.sub(r"\b(.{2,}?)((,| \+)? \1)+(?!\w)", r"\1", text)


def test_the_wording_of_every_kind_of_event():
    told = {
        f"{event.__struct_config__.tag}: {shape(describe(event))}"
        for story in STORIES.values()
        for event in story().record
    }
    text = "".join(f"{one}\n" for one in sorted(told))
    if os.environ.get("HOUSEWAY_WRITE"):
        KEPT.write_text(text, encoding="utf-8")
    assert text == KEPT.read_text(encoding="utf-8")
