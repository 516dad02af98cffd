"""`houseway audit trouble-table`: readable by an examiner, whole as JSON, for any chapter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from casino_war_support import installed
from commands import answer, run

from houseway.cli.audit.trouble import _blocks
from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, cites

NARROW = ("--shuffler", "none")


def cells(*arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = answer("audit", "trouble-table", *arguments)["cells"]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
def test_it_fits_eighty_columns_and_cuts_nothing(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = run("audit", "trouble-table", id, *NARROW)
    assert (done.returncode, done.stderr) == (0, "")
    text = done.stdout
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    whole = " ".join(text.split())
    for cell in cells(id, *NARROW):
        for outcome in cell["outcomes"]:
            if outcome["accepted"] and outcome["clause"]:
                assert f"[{outcome['clause']}]" in whole


@cites(DOWN_UNDER, "685a.12(i)")
@cites(MD, "13.D")
def test_the_cells_say_what_the_clauses_order() -> None:
    reader = [
        cell
        for cell in cells(DOWN_UNDER, "--dealing", "shoe", *NARROW)
        if (cell["command"], cell["fields"]) == ("device_breaks", {"device": "reader"})
    ]
    assert {cell["phase"] for cell in reader} >= {"betting", "dealing", "deciding", "drawing"}
    for cell in reader:
        for outcome in cell["outcomes"]:
            assert "no stake moves" in outcome["says"]
            assert not {"deal", "hit", "dealer_draws", "read_hole_card"} & set(outcome["next"])
    misdeals = [
        cell
        for cell in cells(MD, "--dealing", "manual_shoe", *NARROW)
        if cell["command"] == "wrong_number_of_cards" and cell["phase"] == "settling"
    ]
    assert {cell["when"] for cell in misdeals} == {"early", "late", "meter"}
    for cell in misdeals:
        for outcome in cell["outcomes"]:
            assert outcome["says"].startswith("the round is void; every open stake goes back")
            assert ("what a meter paid stands" in outcome["says"]) == (cell["when"] == "meter")
            assert outcome["clause"] == "13.D"


def says(found: list[dict[str, Any]], command: str, **fields: str) -> set[str]:
    """What the table did with this report, wherever it was accepted."""
    return {
        outcome["says"]
        for cell in found
        if (cell["command"], cell["fields"]) == (command, fields)
        for outcome in cell["outcomes"]
        if outcome["accepted"]
    }


@pytest.mark.slow
@cites(MA, "12(d)", "13(a)", "14(e)", "6(d)")
def test_it_tells_of_every_stake_that_moves_and_of_the_cards() -> None:
    """Cover All goes back with its shuffler, progressive wagers with their system."""
    found = cells(MA, "--dealing", "manual_shoe", "--shuffler", "plain")
    shuffler = says(found, "device_breaks", device="shuffler")
    assert any("the stakes on Cover All of seat 1, 2, 3 go back" in one for one in shuffler)
    assert any("is to be shuffled again" in one for one in shuffler)
    system = says(found, "device_breaks", device="progressive")
    assert any("the stakes on Progressive of seat 1, 2, 3 go back" in one for one in system)
    assert any("the stakes of seat 1 go back" in one for one in says(found, "leave_seat"))


@pytest.mark.slow
@cites(MA, "14(g)", "13(a)")
@cites(DOWN_UNDER, "685a.12(i)", "685a.12(k)")
def test_a_report_about_a_device_is_headed_by_its_own_clause() -> None:
    def heading(text: str, report: str) -> str:
        """The clause behind who reports it."""
        said = " ".join(text.partition(f"\n{report}\n")[2].split())
        return (
            said.partition("By the ")[2]
            .partition(", ")[2]
            .partition(". ")[0]
            .split(" ")[0]
            .strip(".")
        )

    text = run("audit", "trouble-table", DOWN_UNDER, "--dealing", "continuous_shuffler").stdout
    assert heading(text, "device breaks: device reader") == "685a.12(i)"
    assert heading(text, "device breaks: device continuous shuffler") == "685a.12(k)"
    # what the table does, and not what somebody is to do
    assert "\n  A shuffler that cannot be used is covered" in text
    text = run("audit", "trouble-table", MA, "--dealing", "hand", "--shuffler", "plain").stdout
    assert heading(text, "device breaks: device shuffler") == "14(g)"
    assert heading(text, "device breaks: device progressive") == "13(a)"
    assert heading(text, "strike progressive wager") == "13(b)"


@cites(DOWN_UNDER, "685a.12(c)", "685a.12(i)", "685a.12(k)")
def test_what_is_only_possible_after_another_report_is_told_with_it() -> None:
    """A refused card was seen, a round without its reader is void, a jammed shuffler is covered."""
    found = cells(DOWN_UNDER, "--dealing", "continuous_shuffler")
    after = {(cell["command"], cell.get("after")): cell["outcomes"] for cell in found}
    (refused,) = after["refuse_card", "card drawn in error: exposed yes"]
    assert (refused["says"], refused["clause"]) == ("no stake moves", "685a.12(c)")
    for outcome in after["void_round", "device breaks: device reader"]:
        assert outcome["says"].startswith("the round is void; every open stake goes back")
        assert outcome["clause"] == "685a.12(i)"
    aside = after["set_device_aside", "device jams: device continuous shuffler"]
    assert {outcome["clause"] for outcome in aside} == {"685a.12(k)"}
    assert {
        cell["fields"]["device"] for cell in found if cell["command"] == "set_device_aside"
    } == {"continuous_shuffler"}


@cites(MD, "13.A", "13.B", "13.D", "7.C(2)")
def test_a_second_report_of_a_kind_and_what_follows_a_player_who_left() -> None:
    """A second card face up voids the round; the wagers of who left are declared abandoned."""
    found = cells(MD, "--dealing", "manual_shoe", *NARROW)
    told = {
        (cell["command"], cell["phase"], cell.get("after")): {
            (one["clause"], one["says"].partition(";")[0])
            for one in cell["outcomes"]
            if one["accepted"]
        }
        for cell in found
    }
    once = told["card_found_face_up", "dealing", None]
    assert once == {("13.A", "no stake moves")}
    assert told["card_found_face_up", "dealing", "card found face up"] == {
        ("13.B", "the round is void")
    }
    lost = told["declare_abandoned", "deciding", "leave seat"]
    assert lost == {("7.C(2)", "the stakes of seat 1 are lost")}
    misdeals = {str(x["fields"]) for x in found if x["command"] == "wrong_number_of_cards"}
    assert str({"seat": 0, "place": "community"}) in misdeals


def test_a_group_of_equipment_is_named_exactly() -> None:
    """The choices that are listed for a group, tried together, are the group and nothing more."""
    every = [
        {"dealing": dealing, "shuffler": shuffler, "decks": decks}
        for dealing in ("shoe", "hand")
        for shuffler in ("none", "plain", "counting")
        for decks in (1, 2)
        if (dealing, shuffler) != ("hand", "none")
    ]
    for number in range(1, 2 ** len(every)):
        group = [one for bit, one in enumerate(every) if number >> bit & 1]
        named = [dict(part.split(" ", 1) for part in block.split(", ") if part)
                 for block in _blocks(group, every, tuple(every[0]))]  # fmt: skip
        listed = [
            one
            for one in every
            if any(
                all(str(one[name]) in values.split(" or ") for name, values in block.items())
                for block in named
            )
        ]
        assert listed == group


@pytest.mark.slow
def test_a_family_from_outside_has_its_table(tmp_path: Path) -> None:
    with installed(tmp_path):
        found = cells("casino-war")
    assert {cell["phase"] for cell in found} >= {"dealing", "deciding", "settling", "clearing"}
    assert any(outcome["accepted"] for cell in found for outcome in cell["outcomes"])


def test_equipment_that_no_table_has_is_refused() -> None:
    done = run("audit", "trouble-table", MD, "--dealing", "catapult")
    assert done.returncode == 2
    assert "no table with dealing catapult" in done.stderr
    unknown = run("audit", "trouble-table", "nowhere")
    assert unknown.returncode == 2
    assert "nowhere" in unknown.stderr
