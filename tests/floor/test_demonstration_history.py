"""`houseway demo`: a past to investigate, whole and proved."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import answer, run

from houseway.law import MD, cites


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("demo") / "demo.db"
    made = answer("demo", "--database", path, "--rounds", "12")
    assert (made["table"], made["rounds"]) == ("yesterday", 12)
    return path


@cites(MD, "12.E(1)(a)(i)")
def test_it_has_rounds_a_jackpot_an_irregularity_and_a_submission(database: Path) -> None:
    assert len(answer("audit", "rounds", "--database", database)["rounds"]) == 12
    assert answer("audit", "irregularities", "--database", database)["irregularities"]
    won = answer("audit", "validations", "--database", database)["validations"]
    # ace-king-queen of spades takes the whole meter: its seed of $2,500 and what was wagered
    assert [one["outcome"] for one in won if one["round"] == "yesterday.1.1"] == [
        "mini_royal_spades"
    ]
    stages = [
        one["stage"] for one in answer("submissions", "list", "--database", database)["submissions"]
    ]
    assert stages == ["submitted"]


def test_it_is_a_record_like_any_other(database: Path) -> None:
    assert answer("audit", "verify", "--database", database)["unbroken"]
    assert answer("audit", "replay", "yesterday.1.1", "--database", database)["steps"]
    again = run("demo", "--database", database)
    assert (again.returncode, again.stdout) == (2, "")
    assert "already has a table" in again.stderr
