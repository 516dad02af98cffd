"""Choosing rules: defaults, what goes together, what is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from houseway.errors import Refused
from houseway.law import CHAPTERS, MA, MD, Rules, chapter, choose, cites, parse_rules, read_rules


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


WRONG_EVERYWHERE = {
    "options": {"pair_pluss": "B", "ante_bonus": "Q", "chip_unit": "x", "five_card_envy": {
        "royal_flush": {"1.00": "lots"}, "royale": {"1.00": "1000.00"}}},
    "limits": {"ante": {"min": "9.00", "max": "5.00"}, "ant": {"min": "5.00"},
               "pair_plus": {"min": "x", "max": "y"}},
    "paytables": {"pair_plus": {"pair": "1 to 1"}},
    "meters": {"progressive": {"rate": "14%"}},
}  # fmt: skip
EVERY_PROBLEM = [
    ("no_such_option", "rules.pair_pluss"), ("no_such_value", "rules.ante_bonus"),
    ("not_an_amount", "rules.chip_unit"), ("not_an_amount", "rules.five_card_envy.royal_flush"),
    ("no_such_outcome", "rules.five_card_envy.royale"), ("no_such_paytable", "paytables.pair_plus"),
    ("not_a_limit", "limits.ante"), ("no_such_wager", "limits.ant"),
    ("not_an_amount", "limits.pair_plus"), ("not_an_amount", "limits.pair_plus"),
    ("no_such_meter", "meters.progressive"),
]  # fmt: skip


def test_a_refusal_carries_every_problem() -> None:
    refused = refusal(MD, **WRONG_EVERYWHERE)
    found = [(one.code, one.field) for one in refused.problems]
    assert sorted(found) == sorted(EVERY_PROBLEM)
    assert found[0] == ("no_such_option", "rules.pair_pluss") == (refused.code, refused.field)
    assert refused.message == f"{MD} has no option pair_pluss; did you mean pair_plus?"
    for one in refused.problems:
        assert one.remedy
        assert one.message == f"{one.fault}; {one.remedy}"
        assert one.message in str(refused)
    assert "\n" not in str(refused)
    said = refused.as_dict()
    assert [(one["code"], one["field"]) for one in said["problems"]] == found
    assert {key: said[key] for key in ("code", "message", "field")} == said["problems"][0]


def test_one_problem_is_not_listed_twice() -> None:
    refused = refusal(MD, {"pair_plus": "Q"})
    assert refused.problems == (refused,)
    assert "problems" not in refused.as_dict()


@cites(MD, "12.B(1)", "12.C")
@cites(MA, "11(a)(2)")
def test_options_that_do_not_go_together_and_low_rows_are_all_found() -> None:
    found = refusal(MD, {"version": "both_compulsory", "ante_bonus": "A", "dealer_stack": "Q"})
    assert [(one.code, one.field, one.clause) for one in found.problems] == [
        ("no_such_value", "rules.dealer_stack", chapter(MD).options["dealer_stack"].clause),
        ("options_do_not_go_together", "rules.ante_bonus", "12.B(1)"),
    ]
    least = chapter(MA).paytables["pair_plus", "minimum"]
    low = refusal(MA, paytables={"pair_plus": dict.fromkeys(least.pays, "0 to 1")})
    assert [one.field for one in low.problems] == [f"paytables.pair_plus.{o}" for o in least.pays]
    assert {one.code for one in low.problems} == {"pays_too_little"}


def test_own_without_a_table_says_where_the_table_goes() -> None:
    assert "[paytables.pair_plus]" in refusal(MA, {"pair_plus": "own"}).remedy


def test_the_command_says_every_problem_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "rules.json"
    file = {("rules" if part == "options" else part): of for part, of in WRONG_EVERYWHERE.items()}
    path.write_text(json.dumps({"chapter": MD, **file}))
    done = subprocess.run(
        [sys.executable, "-m", "houseway", "drive", "--rules", str(path)],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.strip().splitlines()
    assert all(f"{field}: " in line for _, field in EVERY_PROBLEM)
    round_ = {
        "chapter": MD,
        "rules": {"pair_plus": "Q", "ante_bonus": "R"},
        "dealer": [],
        "seats": [],
    }
    done = subprocess.run(
        [sys.executable, "-m", "houseway", "settle"], input=f"{json.dumps(round_)}\n" * 2,
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 2
    error = json.loads(done.stdout.splitlines()[0])["error"]
    assert [one["field"] for one in error["problems"]] == ["rules.ante_bonus", "rules.pair_plus"]


def test_an_option_that_the_chapter_lacks_is_named() -> None:
    with pytest.raises(
        Refused, match=r"options\.toml: the game needs an option tie; there is none"
    ):
        choose(MD)["tie"]
