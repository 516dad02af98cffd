"""Choosing rules: defaults, what goes together, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from houseway.errors import Refused
from houseway.law import CHAPTERS, MD, Rules, chapter, choose, cites, parse_rules, read_rules


def refusal(*arguments: object, **more: object) -> Refused:
    with pytest.raises(Refused) as refused:
        choose(*arguments, **more)  # type: ignore[arg-type]
    return refused.value


@pytest.mark.parametrize("id", CHAPTERS)
def test_every_chapter_has_rules_without_a_choice(id: str) -> None:
    rules = choose(id)
    assert set(rules.options) == set(chapter(id).options)
    assert rules.chip_unit == 50


@pytest.mark.parametrize("id", CHAPTERS)
def test_every_choice_of_every_option_can_be_made(id: str) -> None:
    """Whatever a choice needs is chosen with it, and then it stands."""
    for option in chapter(id).options.values():
        for choice in option.choices:
            given = {other: allowed[0] for other, allowed in choice.needs.items()}
            rules = choose(id, {**given, option.id: choice.value})
            assert rules[option.id] == (50 if option.id == "chip_unit" else choice.value)


@pytest.mark.parametrize("id", CHAPTERS)
def test_a_choice_without_what_it_needs_is_refused(id: str) -> None:
    for option in chapter(id).options.values():
        for choice in option.choices:
            for other, allowed in choice.needs.items():
                for against in chapter(id).options[other].choices:
                    if against.value not in allowed and not against.needs:
                        found = refusal(id, {option.id: choice.value, other: against.value})
                        assert found.code == "options_do_not_go_together"
                        assert found.clause in chapter(id).clauses


@pytest.mark.parametrize("id", CHAPTERS)
def test_rules_survive_being_written(id: str) -> None:
    rules = choose(id, {"chip_unit": "1.00"})
    again = parse_rules(json.dumps(rules.as_file()), "rules.json")
    assert again.options == rules.options
    assert again.hash == rules.hash
    assert again.hash != choose(id).hash


def test_what_is_not_there_is_refused_with_the_nearest() -> None:
    found = refusal(MD, {"pair_pluss": "A"})
    assert (found.code, found.field) == ("no_such_option", "rules.pair_pluss")
    assert "pair_plus" in found.message
    found = refusal(MD, {"pair_plus": "F"})
    assert (found.code, found.clause) == ("no_such_value", "12.D")
    assert refusal("md").code == "no_such_chapter"
    assert refusal(MD, {"chip_unit": "0.00"}).code == "no_such_value"


def test_numbers_and_yes_or_no_may_stand_as_text() -> None:
    assert choose(MD, {"adjacent_boxes": "2"})["adjacent_boxes"] == 2
    assert choose(MD, {"electronic": "true"})["electronic"] is True
    assert choose(MD, {"six_card_bonus": None})["six_card_bonus"] == "none"


@cites(MD, "12.B", "12.C")
def test_the_ante_bonus_belongs_to_the_version() -> None:
    assert choose(MD)["ante_bonus"] == "A"
    assert choose(MD, {"version": "both_compulsory"})["ante_bonus"] == "mini_royal"
    assert refusal(MD, {"ante_bonus": "mini_royal"}).clause == "12.C"
    assert refusal(MD, {"ante_bonus": "A", "version": "both_compulsory"}).clause == "12.B(1)"


def test_a_table_of_the_houses_own_only_where_the_chapter_allows() -> None:
    own = {"pair_plus": {"straight_flush": "40 to 1", "pair": "1 to 1"}}
    assert refusal(MD, paytables=own).code == "no_such_paytable"
    rules = choose(MD, paytables=own, hypothetical=True)
    assert str(rules.table("pair_plus")["straight_flush"].odds) == "40 to 1"
    wrong = {"pair_plus": {"four_of_a_kind": "40 to 1"}}
    assert refusal(MD, paytables=wrong, hypothetical=True).code == "no_such_outcome"
    assert refusal(MD, paytables={"pair_plus": {"pair": "x"}}, hypothetical=True).code == "not_odds"
    assert (
        refusal(MD, paytables={"nothing": {"pair": "x"}}, hypothetical=True).code == "no_such_wager"
    )


def test_limits() -> None:
    rules = choose(MD, limits={"ante": {"min": "5.00", "max": "500.00"}})
    assert (rules.limits["ante"].min, rules.limits["ante"].max) == (500, 50_000)
    assert refusal(MD, limits={"anti": {}}).code == "no_such_wager"
    assert refusal(MD, limits={"ante": {"least": "1.00"}}).code == "not_a_limit"
    assert refusal(MD, limits={"ante": {"min": "5.00", "max": "1.00"}}).code == "not_a_limit"
    assert refusal(MD, limits={"ante": {"min": "5.001"}}).code == "not_an_amount"


def test_meters() -> None:
    terms = {"progressive": {"rate": "14%", "seed": "2000.00", "reset": "1500.00"}}
    rules = choose(MD, {"progressive": "A"}, meters=terms)
    assert rules.meter("progressive").rate * 100 == 14
    assert (rules.meter("progressive").seed, rules.meter("progressive").reset) == (200_000, 150_000)
    assert choose(MD, {"progressive": "A"}).meter("progressive").reset == 100_000
    assert choose(MD, {"five_card_progressive": "C"}).meter_names == (
        "five_card_progressive.mega",
        "five_card_progressive.major",
        "five_card_progressive.minor",
    )
    assert refusal(MD, meters=terms).code == "no_such_meter"
    wrong = {"progressive": {"rate": "fourteen"}}
    assert refusal(MD, {"progressive": "A"}, meters=wrong).code == "not_a_rate"


def test_a_rules_file(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(
        'chapter = "md-three-card-poker"\n'
        '[rules]\npair_plus = "C"\nprogressive = "none"\n'
        '[limits]\nante = { min = "10.00", max = "1000.00" }\n'
    )
    rules: Rules = read_rules(path)
    assert rules["pair_plus"] == "C"
    assert rules.limits["ante"].max == 100_000


@pytest.mark.parametrize(
    ("content", "says"),
    [("chapter = = 1", "line 1"), ('chapter = "x"', "no chapter"), ("[rules]\n", "chapter"),
     ('chapter = "md-three-card-poker"\nruls = 1', "ruls")],
)  # fmt: skip
def test_a_broken_rules_file_says_where(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(content)
    with pytest.raises(Refused, match=says):
        read_rules(path)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(Refused, match="nowhere"):
        read_rules("nowhere.toml")
