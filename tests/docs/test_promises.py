"""Each promise of the page about security names the tests that show it, and they are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/reference/security.md").read_text("utf-8")


def _rows(heading: str) -> list[list[str]]:
    section = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = [line.strip("|").split(" | ") for line in section.split("\n") if line.startswith("| ")]
    return rows[2:]


def _files(text: str) -> list[str]:
    return re.findall(r"`([\w/]+\.py)`", text)


def test_every_promise_has_tests() -> None:
    tests = {path.name for path in (ROOT / "tests").rglob("test_*.py")}
    promises = _rows("What is promised, and the tests that show it")
    assert len(promises) > 25
    for promise, *_, shown in promises:
        named = _files(shown)
        assert named or "the same" in shown, promise
        for path in named:
            there = (ROOT / path).is_file() if "/" in path else path in tests
            assert there, (promise, path)


def test_every_topic_of_the_standards_that_is_met_says_where() -> None:
    topics = _rows("Beside GLI-19 and GLI-33")
    assert len(topics) > 20
    for topic, state, *_, where in topics:
        assert state in ("met", "open", "not applicable", "the operator's"), topic
        assert state != "met" or "`" in where or "the same" in where, topic
        for path in _files(where):
            places = (
                path,
                f"src/houseway/{path}",
                f"tests/security/{path}",
                f"tests/floor/{path}",
                f"tests/store/{path}",
            )
            assert any((ROOT / one).is_file() for one in places), (topic, path)
