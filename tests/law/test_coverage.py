"""The proof of coverage itself: it must find what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from houseway.law import CHAPTERS, MD, chapter
from houseway.law.coverage import UnreadableCitationError, citations, report


@pytest.mark.parametrize("id", CHAPTERS)
def test_every_clause_is_accounted_for(id: str) -> None:
    assert report(id).problems == []


def test_a_clause_without_a_test_is_found(tmp_path: Path) -> None:
    (tmp_path / "test_nothing.py").write_text("")
    missing = report(MD, tests=tmp_path).problems
    assert any(problem.startswith("11.C(1) is enforced, and no test") for problem in missing)


def test_a_citation_of_nothing_is_found(tmp_path: Path) -> None:
    (tmp_path / "test_wrong.py").write_text('@cites(MD, "99.Z", "11.C(1)")\ndef test_x(): ...\n')
    found = report(MD, tests=tmp_path).problems
    assert "test_wrong.py:test_x cites 99.Z, which md-three-card-poker does not have" in found
    assert not any(problem.startswith("11.C(1) ") for problem in found)


def test_a_star_cites_everything_below(tmp_path: Path) -> None:
    (tmp_path / "test_star.py").write_text('@cites(MD, "12.D*")\ndef test_x(): ...\n')
    cited = {entry.clause.id for entry in report(MD, tests=tmp_path).clauses if entry.tests}
    assert cited == {id for id in chapter(MD).clauses if id.startswith("12.D")}


def test_a_citation_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "test_odd.py").write_text("@cites(MD, clause)\ndef test_x(): ...\n")
    with pytest.raises(UnreadableCitationError):
        citations(tmp_path)


@pytest.mark.parametrize("id", CHAPTERS)
def test_an_edition_has_a_hash_of_its_own(id: str) -> None:
    others = {chapter(other).hash for other in CHAPTERS if other != id}
    assert len(chapter(id).hash) == 64
    assert chapter(id).hash not in others
