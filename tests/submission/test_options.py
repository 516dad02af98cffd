"""Every option of every chapter: a submission that passes, and its nearest neighbor that fails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from drafts import DAY, changed, draft, errors, furnished, only

from houseway.errors import Refused
from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, SAIGON, chapter, choose, cites
from houseway.submission.file import parse
from houseway.submission.template import starting_file


@pytest.mark.parametrize("id", CHAPTERS)
def test_the_starting_file_passes(id: str) -> None:
    assert errors(draft(id)) == ()


def choices(id: str) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Each choice of each option, with what it needs and takes beside it."""
    for option in chapter(id).options.values():
        for choice in option.choices:
            wants = {**choice.needs, **choice.takes}
            beside = {other: allowed[0] for other, allowed in wants.items()}
            if option.id == "shuffler" and choice.value != "none" and id == DOWN_UNDER:
                beside["decks_in_play"] = 2
            if option.id == "version" and choice.value != "independent":
                beside["ante_bonus"] = "mini_royal" if id == MD else "A"
            if beside.get("version", "independent") != "independent" and option.id != "ante_bonus":
                beside["ante_bonus"] = "mini_royal" if id == MD else "A"
            if option.id == "decks_in_play" and choice.value == 2 and id == DOWN_UNDER:
                beside["shuffler"] = "plain"
            yield option.id, choice.value, beside


@pytest.mark.parametrize("id", CHAPTERS)
def test_every_choice_passes_with_what_it_needs(id: str) -> None:
    for option, value, beside in choices(id):
        tables = furnished(id, {**beside, option: value})
        assert errors(tables) == (), (option, value)


@pytest.mark.parametrize("id", CHAPTERS)
def test_every_choice_fails_without_what_it_needs(id: str) -> None:
    law = chapter(id)
    tried = 0
    for option in law.options.values():
        for choice in option.choices:
            for other, allowed in {**choice.needs, **choice.takes}.items():
                for against in law.options[other].choices:
                    if against.value in allowed:
                        continue
                    beside = {k: v[0] for k, v in choice.needs.items() if k != other}
                    tables = furnished(
                        id, {**beside, other: against.value, option.id: choice.value}
                    )
                    found = [f for f in errors(tables) if f.field == f"rules.{option.id}"]
                    assert found, (option.id, choice.value, other, against.value)
                    assert found[0].clause in law.clauses
                    assert other in found[0].right
                    tried += 1
    assert tried


@pytest.mark.parametrize("id", CHAPTERS)
def test_a_value_that_is_none_of_the_choices_is_found_with_the_choices(id: str) -> None:
    for option in chapter(id).options.values():
        found = [f for f in errors(changed(id, rules={option.id: "Q"})) if option.id in f.field]
        assert found, option.id
        if option.accepts != "amount":
            assert found[0].clause == option.clause
            assert str(option.choices[0].value).lower() in found[0].right.lower()


@cites(MD, "7.H", "12.B", "12.D")
@cites(MA, "10(c)", "13(d)(c)")
@cites(PRIME, "679a.7(e)", "679a.12(c)")
@cites(SAIGON, "680a.7(e)")
@cites(DOWN_UNDER, "685a.6(f)", "685a.7(r)")
@pytest.mark.parametrize("id", CHAPTERS)
def test_what_the_chapter_leaves_to_the_submission_must_be_stated(id: str) -> None:
    """A default is no answer where the chapter says that the submission names it."""
    law = chapter(id)
    stated = [option for option in law.options.values() if option.stated]
    assert stated
    for option in stated:
        offered = {} if option.stated == "always" else {option.stated: "1"}
        assert errors(furnished(id, offered)) == ()
        finding = only(furnished(id, {**offered, option.id: None}))
        assert (finding.code, finding.field) == ("not_stated", f"rules.{option.id}")
        assert finding.clause == option.clause


@cites(MA, "13(d)(c)")
def test_several_meter_hits_need_no_answer_without_a_meter() -> None:
    assert errors(changed(MA, rules={"several_meter_hits": None})) == ()


@cites(MA, "6(e)")
def test_five_adjacent_boxes_in_massachusetts() -> None:
    assert errors(changed(MA, rules={"adjacent_boxes": 3})) == ()
    finding = only(changed(MA, rules={"adjacent_boxes": 5}))
    assert (finding.field, finding.clause) == ("rules.adjacent_boxes", "6(e)")


@cites(MD, "9.A(1)")
@cites(MA, "8(a)", "8(b)(1)")
@cites(PRIME, "679a.9(a)(1)")
@cites(SAIGON, "680a.9(a)(1)")
@pytest.mark.parametrize(
    ("id", "clause"),
    [(MD, "9.A(1)"), (MA, "8(b)(1)"), (PRIME, "679a.9(a)(1)"), (SAIGON, "680a.9(a)(1)")],
)
def test_dealing_from_the_hand_takes_a_shuffler(id: str, clause: str) -> None:
    assert errors(furnished(id, {"dealing": "hand", "shuffler": "plain"})) == ()
    finding = errors(furnished(id, {"dealing": "hand", "shuffler": "none"}))[0]
    assert (finding.field, finding.clause) == ("rules.dealing", clause)
    assert "shuffler plain" in finding.right


@cites(DOWN_UNDER, "685a.6(e)", "685a.3(b)")
def test_down_under_by_its_decks_and_batches() -> None:
    assert errors(furnished(DOWN_UNDER, {"match_the_dealer": True, "decks": 8})) == ()
    finding = only(furnished(DOWN_UNDER, {"match_the_dealer": True, "decks": 4}))
    assert (finding.field, finding.clause) == ("rules.match_the_dealer", "685a.6(e)")
    two = {"shuffler": "plain", "decks_in_play": 2}
    assert errors(furnished(DOWN_UNDER, two)) == ()
    finding = only(furnished(DOWN_UNDER, {**two, "decks_in_play": 1}))
    assert finding.field == "rules.decks_in_play"
    assert finding.clause == "685a.3(a)"


@cites(MA, "12(d)")
def test_cover_all_takes_the_shuffler_that_shows_it() -> None:
    assert errors(furnished(MA, {"cover_all": True, "shuffler": "counting"})) == ()
    finding = only(furnished(MA, {"cover_all": True, "shuffler": "none"}))
    assert (finding.code, finding.clause) == ("takes_what_is_not_there", "12(d)")
    bare = furnished(MA, {"cover_all": True, "shuffler": "counting"})
    bare["table"]["equipment"].remove("cover_all_shuffler")
    assert only(bare).clause == "12(d)"


@cites(MD, "12.B", "12.C")
@cites(MA, "11(a)(3)")
@pytest.mark.parametrize(("id", "right", "wrong"), [(MD, "mini_royal", "B"), (MA, "B", "standard")])
def test_the_ante_bonus_belongs_to_its_version(id: str, right: str, wrong: str) -> None:
    version = {"version": "both_compulsory"}
    assert errors(furnished(id, {**version, "ante_bonus": right})) == ()
    assert only(furnished(id, {**version, "ante_bonus": wrong})).field == "rules.ante_bonus"


@cites(MA, "11(a)(2)")
def test_pair_plus_below_the_minimum_in_any_row() -> None:
    """Each row of the least table lowered by one is found, all of them at once."""
    least = chapter(MA).paytables["pair_plus", "minimum"]
    own = {hand: str(pay.odds) for hand, pay in least.pays.items()}
    assert errors(changed(MA, paytables={"pair_plus": own}, rules={"pair_plus": "own"})) == ()
    lower = {hand: f"{int(pays.split()[0]) - 1} to 1" for hand, pays in own.items()}
    for hand, pays in lower.items():
        finding = only(changed(MA, paytables={"pair_plus": {**own, hand: pays}}))
        assert finding.field == f"paytables.pair_plus.{hand}"
        assert finding.clause == least[hand].clause
        assert own[hand] in finding.right
    found = errors(changed(MA, paytables={"pair_plus": lower}))
    assert {f.field for f in found} == {f"paytables.pair_plus.{hand}" for hand in own}
    # a row that is missing is found once; a mini royal without one is paid as a straight flush
    found = errors(changed(MA, paytables={"pair_plus": {"pair": "1 to 1"}}))
    assert sorted(f.field for f in found) == sorted(
        f"paytables.pair_plus.{hand}" for hand in own if hand not in ("pair", "mini_royal")
    )


@pytest.mark.parametrize("id", CHAPTERS)
def test_check_and_choose_agree(id: str) -> None:
    """What `choose` refuses fails, and what it takes has no error under `rules`."""
    law = chapter(id)
    for option in law.options.values():
        for choice in option.choices:
            tables = changed(id, rules={option.id: choice.value})
            found = [f for f in errors(tables) if f.field.startswith("rules.")]
            takes = any(c.takes for c in option.choices if c.value == choice.value)
            try:
                choose(id, tables["rules"], limits=tables["limits"])
            except Refused:
                assert found
            else:
                assert not found or takes


@pytest.mark.parametrize("id", CHAPTERS)
def test_what_choose_refuses_is_what_check_finds(id: str) -> None:
    """Each problem has its code, its place, its clause and its remedy in both.

    Where `choose` names no clause, `check` has that of the option or wager.
    """
    law = chapter(id)
    rules = {option.id: "Q" for option in law.options.values()}
    tables = changed(id, rules=rules, limits={wager: {"min": "x"} for wager in law.wagers})
    with pytest.raises(Refused) as refused:
        choose(id, rules, limits=tables["limits"])
    found = {(f.code, f.field, f.wrong, f.right): f.clause for f in errors(tables)}
    problems = {(p.code, p.field, p.fault, p.remedy): p.clause for p in refused.value.problems}
    assert len(problems) == len(law.options) + len(law.wagers)
    assert set(problems) <= set(found)
    assert all(found[key] == clause for key, clause in problems.items() if clause)
    assert all(found[key] for key in problems)


@cites(MD, "12.E(3)")
def test_a_meter_that_cannot_be_read_is_one_finding() -> None:
    terms = {"rate": "14", "seed": "1000.00", "reset": "1000.00"}
    assert only(furnished(MD, {"progressive": "A"}, meters={"progressive": terms})).code == (
        "not_a_rate"
    )


@cites(MD, "12.E(3)")
def test_a_meter_is_written_as_check_names_it() -> None:
    """The field of the finding, made a table of the file, is the correction."""
    rules = {"progressive": "C", "five_card_progressive": "C"}
    tables = furnished(MD, rules)
    meters = tables.pop("meters")
    missing = {f.field for f in errors(tables)}
    assert missing == {f"meters.{name}" for name in meters}
    terms = '\nrate = "25%"\nseed = "1000.00"\nreset = "1000.00"\n'
    quoted = {f'meters."{field.removeprefix("meters.")}"' for field in missing}
    for tables_of_meters in (missing, quoted):
        text = "".join(f"[{table}]{terms}" for table in sorted(tables_of_meters))
        assert errors({**tables, **parse(text)}) == ()


@pytest.mark.parametrize("id", [MD, MA])
def test_new_shows_every_meter_as_it_can_be_pasted(id: str) -> None:
    law = chapter(id)
    lines = starting_file(law, DAY).splitlines()
    for option in law.options.values():
        wager = law.wagers.get(option.id)
        if wager is None or wager.kind != "progressive":
            continue
        for choice in option.choices:
            chosen = {option.id: choice.value}
            for name in choose(id, chosen).meter_names:
                start = lines.index(f"# [meters.{name}]")
                assert f" {choice.value}" in lines[start - 1]
                pasted = "\n".join(line[2:] for line in lines[start : start + 5])
                choose(id, chosen, meters=parse(pasted)["meters"])
