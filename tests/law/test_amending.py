"""Editions side by side: a newer one states its differences, and may renumber its clauses."""

from __future__ import annotations

import datetime as dt
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from houseway.cards import SeededSource
from houseway.cli import main
from houseway.drawing import draw
from houseway.errors import Refused
from houseway.game_api.settle import settle_json
from houseway.law import MA, MD, chapter, choose, editions, parse_rules
from houseway.law.coverage import report
from houseway.maths.par import par
from houseway.submission.checks.run_checks import check_text
from houseway.submission.template import starting_file
from houseway.table.driver import Driver
from outside import chapters_from, copied, edit, only_chapters_from, renumbered, write

COPY = "our-three-card-poker"
NEWER = "2.0"

#: the new edition: Pair Plus moved from 12.D to 12.E and so on, a flush pays less by table A, and
#: there is an option more
AMENDMENT: dict[str, dict[str, Any]] = {
    "chapter": {
        "amends": "1.4",
        "edition": NEWER,
        "dated": "2027-01-01",
        "facts": {"seats": {"value": 6}},
        "renumbered": {"12.E": "12.D", "12.F": "12.E", "12.G": "12.F", "12.H": "12.G"},
    },
    "paytables": {
        "paytable": [
            {"wager": "pair_plus", "id": "A", "rows": [{"hand": "flush", "pays": "3 to 1"}]}
        ]
    },
    "options": {
        "option": [
            {
                "id": "house_color", "clause": "12.D", "says": "The color of the felt.",
                "after": "pair_plus",
                "choices": [
                    {"value": "green", "says": "green"},
                    {"value": "blue", "says": "blue"},
                ],
            }
        ]
    },
    "clauses": {
        "clause": [
            {
                "id": "12.D", "says": "The felt has one of two colors.", "kind": "layout",
                "met": "outside", "why": "Nobody but the house sees to it.",
            }
        ]
    },
}  # fmt: skip


def play(_table: Any, _seat: int, _steps: Any) -> tuple[str, dict[str, Any]]:
    return "play", {}


def amend(root: Path, edition: str = NEWER, **parts: dict[str, Any]) -> Path:
    for part, data in parts.items():
        write(root / COPY / edition / f"{part}.toml", data)
    return root / COPY / edition


@pytest.fixture
def root(tmp_path: Path) -> Path:
    copied(MD, tmp_path, COPY)
    amend(tmp_path, **AMENDMENT)
    return tmp_path


def test_a_newer_edition_states_its_differences(root: Path) -> None:
    with chapters_from(root):
        assert editions(COPY) == ("1.4", NEWER)
        old, new = chapter(COPY, "1.4"), chapter(COPY)
        assert (old.number("seats"), new.number("seats")) == (7, 6)
        before = old.paytables["pair_plus", "A"].pays
        after = new.paytables["pair_plus", "A"].pays
        assert list(after) == list(before)
        changed = {hand for hand in after if after[hand].odds != before[hand].odds}
        assert changed == {"flush"}
        assert set(new.options) - set(old.options) == {"house_color"}
        names = list(new.options)
        assert names.index("house_color") == names.index("pair_plus") + 1
        assert old.hash != new.hash
        # all else is as it was
        assert [step.id for step in new.procedure] == [step.id for step in old.procedure]


@pytest.mark.slow
def test_a_section_moves_with_all_its_clauses(root: Path) -> None:
    """12.D of Maryland's text is 12.E of the new one; 12.D is something new."""
    with chapters_from(root):
        old, new = chapter(COPY, "1.4"), chapter(COPY)
        assert old.paytables["pair_plus", "A"]["flush"].clause.startswith("12.D(")
        assert new.paytables["pair_plus", "A"]["flush"].clause.startswith("12.E(")
        assert new.clauses["12.D"].says == "The felt has one of two colors."
        moved = {id for id in old.clauses if id.startswith("12.D")}
        assert {id.replace("12.E", "12.D") for id in new.clauses if id.startswith("12.E")} == moved
        assert new.clauses["12.E"].says == old.clauses["12.D"].says
        # every clause of both is met by the code and the tests that cite Maryland's
        assert report(old).problems == []
        assert report(new).problems == []
        found = {entry.clause.id: entry for entry in report(new).clauses}
        assert found["12.E"].code == report(old).clauses[list(old.clauses).index("12.D")].code


def round_of(edition: str) -> str:
    return json.dumps(
        {
            "chapter": COPY, "edition": edition, "dealer": ["Qh", "7d", "2c"],
            "seats": [
                {
                    "seat": 3, "wagers": {"ante": "10.00", "pair_plus": "5.00"},
                    "cards": ["As", "Ks", "9s"], "decision": "play",
                }
            ],
        }
    )  # fmt: skip


def test_rounds_are_settled_by_the_edition_they_name(root: Path) -> None:
    with chapters_from(root):
        for edition, paid, clause in (("1.4", "20.00", "12.D("), (NEWER, "15.00", "12.E(")):
            lines = settle_json(round_of(edition)).seats[0].lines
            line = next(line for line in lines if line.wager == "pair_plus")
            assert line.paid == paid
            assert line.clause.startswith(clause)
        with pytest.raises(Refused) as caught:
            settle_json(round_of("3.0"))
        assert caught.value.code == "no_such_edition"


def test_tables_play_by_the_edition_they_were_opened_under(root: Path) -> None:
    with chapters_from(root):
        for edition, section in (("1.4", "12.D"), (NEWER, "12.E")):
            driver = Driver(COPY, source=SeededSource(3), edition=edition)
            for seat in (1, 2):
                driver.seat_player(seat, f"player {seat}")
            for _ in range(6):
                driver.ready()
                for seat in (1, 2):
                    driver.wager(seat, {"ante": "10.00", "pair_plus": "5.00"})
                driver.finish(play)
            told = [event for event in driver.record if getattr(event, "wager", "") == "pair_plus"]
            won = [event.clause for event in told if getattr(event, "result", "") == "win"]
            assert won
            assert all(clause.startswith(section) for clause in won)
            assert driver.table.edition == edition


def test_both_are_priced(root: Path) -> None:
    with chapters_from(root):
        old = par(chapter(COPY, "1.4"), choose(chapter(COPY, "1.4"))).find("pair_plus", "A")
        new = par(chapter(COPY), choose(COPY)).find("pair_plus", "A")
        # of 22,100 hands 4 * 286 have one suit, and 48 of them are in sequence
        flushes = Fraction(4 * 286 - 48, 22100)
        edges = [Fraction(one.out().house_edge) for one in (old, new)]
        assert edges[1] - edges[0] == flushes


def test_both_are_drawn_checked_and_filed(root: Path) -> None:
    with chapters_from(root):
        for edition in editions(COPY):
            law = chapter(COPY, edition)
            assert "<svg" in draw(choose(law))
            text = starting_file(law, dt.date(2027, 3, 1))
            checked = check_text(text, "ours.toml")
            assert checked.passes
            assert checked.submission.chapter is law
            assert parse_rules(text).chapter is law


def read_all(id: str, edition: str) -> None:
    law = chapter(id, edition)
    _ = law.hash, law.clauses


def refused(root: Path) -> str:
    with chapters_from(root), pytest.raises(Refused) as caught:
        read_all(COPY, NEWER)
    assert caught.value.code == "not_a_chapter"
    return str(caught.value)


def test_an_amendment_that_cannot_be_is_refused_with_its_place(root: Path) -> None:
    folder = root / COPY / NEWER
    about = AMENDMENT["chapter"]
    place = str(folder)
    amend(root, chapter={**about, "amends": "1.3"})
    assert refused(root) == f"{place}/chapter.toml: it amends '1.3', which is not there"
    amend(root, chapter={**about, "amends": NEWER})
    assert "which amends it in turn" in refused(root)
    amend(root, chapter={**about, "renumbered": {"12.E": "12.D", "12.F": "12.D"}})
    assert "12.D two numbers" in refused(root)
    amend(root, chapter={**about, "renumbered": {"12.E": "12.D"}})
    assert "clause 12.E is listed twice" in refused(root)
    amend(root, chapter={**about, "facts": {"nothing": {"repealed": True}}})
    assert refused(root) == f"{place}/chapter.toml: there is no fact nothing to repeal"
    amend(root, chapter=about, options={"option": [{"id": "dealing", "x": 1}]})
    assert "has no field `x`" in refused(root)
    amend(root, options={"option": [{"id": "new_one", "after": "nothing"}]})
    assert "no entry nothing" in refused(root)


def test_entries_are_repealed_and_the_order_of_editions_is_that_of_their_dates(
    tmp_path: Path,
) -> None:
    folder = copied(MA, tmp_path, COPY)
    amend(
        tmp_path,
        "2027",
        chapter={"amends": folder.name, "edition": "2027"},
        errata={"erratum": [{"id": chapter(MA).errata[0].id, "repealed": True}]},
    )
    edit(folder / "chapter.toml", lambda data: data.update(dated=""))
    with chapters_from(tmp_path):
        assert editions(COPY) == ("undated", "2027")
        assert chapter(COPY).errata == chapter(COPY, "undated").errata[1:]


@pytest.mark.slow
def test_a_packet_is_filed_under_both(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from houseway.cli import main

    with chapters_from(root):
        for edition in editions(COPY):
            file = root / f"{edition}.toml"
            file.write_text(starting_file(chapter(COPY, edition), dt.date(2027, 3, 1)), "utf-8")
            with pytest.raises(SystemExit) as ended:
                main(["packet", str(file), "--out", str(root / f"packet {edition}"), "--json"])
            out, err = capsys.readouterr()
            assert (ended.value.code, err) == (0, "")
            assert json.loads(out)["hash"]
            bundle = json.loads((root / f"packet {edition}" / "packet.json").read_text("utf-8"))
            assert (bundle["edition"], bundle["edition_hash"]) == (
                edition,
                chapter(COPY, edition).hash,
            )


def test_the_clauses_of_a_renumbered_edition_are_all_met(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its proofs and its twins are those of clauses as the code numbers them."""
    renumbered(MD, tmp_path)
    with only_chapters_from(tmp_path), pytest.raises(SystemExit) as ended:
        main(["clauses", MD, "--check"])
    assert ended.value.code == 0
    assert "nothing is missing" in capsys.readouterr().out
