"""What a Massachusetts licensee may choose, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from massachusetts_rounds import TIED, place

from houseway import Refused, Rules, choose
from houseway.law import MA, cites


def refused_rules(rules: dict) -> Refused:
    with pytest.raises(Refused) as caught:
        choose(MA, rules)
    return caught.value


@cites(MA, "6(e)")
@pytest.mark.parametrize("most", [0, 4, 5, 7])
def test_the_licensee_may_permit_three_positions_at_most(most: int) -> None:
    refusal = refused_rules({"adjacent_boxes": most})
    assert place(refusal) == ("no_such_value", "6(e)", None, "rules.adjacent_boxes")


@cites(MA, "6(f)", "11(a)(3)", "11(a)(3)(i)")
@pytest.mark.parametrize("table", ["standard", "A", "B", "C"])
@pytest.mark.parametrize("version", ["independent", *TIED])
def test_an_ante_bonus_table_belongs_to_its_version(version: str, table: str) -> None:
    if (version == "independent") == (table == "standard"):
        assert choose(MA, {"version": version, "ante_bonus": table})["ante_bonus"] == table
        return
    refusal = refused_rules({"version": version, "ante_bonus": table})
    clause = "11(a)(3)" if table == "standard" else "11(a)(3)(i)"
    assert place(refusal) == ("options_do_not_go_together", clause, None, "rules.ante_bonus")


@cites(MA, "11(a)(3)", "11(a)(3)(i)")
def test_the_default_ante_bonus_goes_with_the_version() -> None:
    assert choose(MA)["ante_bonus"] == "standard"
    assert {choose(MA, {"version": version})["ante_bonus"] for version in TIED} == {"A"}


#: 11(a)(2), in a posted table's own order
MINIMUM = {
    "pair": 1, "flush": 3, "straight": 5, "three_of_a_kind": 25, "straight_flush": 35,
    "mini_royal": 35,
}  # fmt: skip


def with_table(rows: dict[str, str]) -> Rules:
    return choose(MA, {"paytables": {"pair_plus": rows}})


@cites(MA, "11(a)(2)")
@given(st.fixed_dictionaries({hand: st.integers(0, 10) for hand in MINIMUM}))
def test_a_posted_table_pays_at_least_the_minimum_in_every_row(more: dict[str, int]) -> None:
    rows = {hand: f"{MINIMUM[hand] + more[hand]} to 1" for hand in MINIMUM}
    assert with_table(rows).table("pair_plus").pays.keys() == MINIMUM.keys()
    for hand, least in MINIMUM.items():
        for short in (f"{2 * least - 1} to 2", f"{least} for 1", "$1000"):
            with pytest.raises(Refused) as caught:
                with_table({**rows, hand: short})
            assert place(caught.value) == (
                "pays_too_little", "11(a)(2)", None, f"paytables.pair_plus.{hand}",
            )  # fmt: skip


@cites(MA, "11(a)(2)")
@pytest.mark.parametrize("missing", MINIMUM)
def test_a_posted_table_has_every_row_but_that_of_the_mini_royal(missing: str) -> None:
    rows = {hand: f"{pays} to 1" for hand, pays in MINIMUM.items() if hand != missing}
    if missing == "mini_royal":
        assert with_table(rows).table("pair_plus").id == "own"
        return
    with pytest.raises(Refused) as caught:
        with_table(rows)
    assert caught.value.field == f"paytables.pair_plus.{missing}"


@cites(MA, "11(a)(2)")
def test_a_designer_may_ask_about_a_table_below_the_minimum() -> None:
    rules = choose(MA, paytables={"pair_plus": {"pair": "1 to 2"}}, hypothetical=True)
    assert rules.table("pair_plus")["pair"].odds.text == "1 to 2"


@pytest.mark.parametrize(
    ("rules", "code", "field"),
    [
        ({"bad_beat": "A"}, "no_such_option", "rules.bad_beat"),
        ({"six_card_bonus": "A"}, "no_such_value", "rules.six_card_bonus"),
        ({"progressive": "4"}, "no_such_value", "rules.progressive"),
        ({"pair_plus": "A"}, "no_such_value", "rules.pair_plus"),
        ({"pair_plus": "own"}, "no_such_value", "rules.pair_plus"),
        ({"paytables": {"progressive": {"straight": "6 for 1"}}}, "no_such_paytable",
         "paytables.progressive"),
        ({"paytables": {"pair_plus": {"two_pair": "6 to 1"}}}, "no_such_outcome",
         "paytables.pair_plus.two_pair"),
        ({"meters": {"progressive": {"reset": "1.00"}}}, "no_such_meter", "meters.progressive"),
        ({"limits": {"insurance": {"min": "1.00"}}}, "no_such_wager", "limits.insurance"),
    ],
)  # fmt: skip
def test_rules_that_the_chapter_does_not_have(rules: dict, code: str, field: str) -> None:
    refusal = refused_rules(rules)
    assert (refusal.code, refusal.field) == (code, field)


@cites(MA, "2(b)", "8(b)(1)")
@pytest.mark.parametrize(
    ("option", "value", "clause"), [("dealing", "hand", "8(b)(1)"), ("decks_in_play", 2, "2(b)")]
)
def test_what_needs_an_automated_shuffler(option: str, value: object, clause: str) -> None:
    assert choose(MA, {option: value, "shuffler": "plain"})[option] == value
    assert place(refused_rules({option: value})) == (
        "options_do_not_go_together", clause, None, f"rules.{option}",
    )  # fmt: skip
