"""What Massachusetts' game refuses, with the code, the clause, the seat and the field."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from massachusetts_rounds import TIED, place, settled

from houseway import Refused, choose, settle
from houseway.game_api.notation import deal
from houseway.game_api.settle import settle_json
from houseway.law import MA, cites

DEALER = "Qd 5h 2c"
ANTE = {"wagers": {"ante": "10.00"}, "cards": "Kc 8d 3h", "decision": "play"}
PAIR_PLUS = {"wagers": {"pair_plus": "10.00"}, "cards": "Kc 8d 3h"}


def refused(rules: dict, seats: dict, dealer: str = DEALER) -> Refused:
    with pytest.raises(Refused) as caught:
        settled(rules, dealer, seats)
    return caught.value


# --- cards ---


@pytest.mark.parametrize(
    ("cards", "dealer", "expected"),
    [
        ("Kc 8d", DEALER, ("wrong_number_of_cards", "7(c)", 4, "cards")),
        ("Kc 8d 3h 4h", DEALER, ("wrong_number_of_cards", "7(c)", 4, "cards")),
        ("", DEALER, ("wrong_number_of_cards", "7(c)", 4, "cards")),
        ("Kc 8d 3h", "Qd 5h", ("wrong_number_of_cards", "7(c)", None, "dealer")),
        ("Kc 8d 8d", DEALER, ("card_twice", "2(a)", 4, "cards")),
        ("Kc 8d 5h", DEALER, ("card_twice", "2(a)", 4, "cards")),
        ("Kc 8d 1h", DEALER, ("no_such_card", None, 4, "cards")),
        ("Kc 8d Jk", DEALER, ("card_not_in_deck", "2(a)", 4, "cards")),
    ],
)
def test_cards_that_could_not_have_been_dealt(cards: str, dealer: str, expected: tuple) -> None:
    assert place(refused({}, {4: {**ANTE, "cards": cards}}, dealer)) == expected


@cites(MA, "10(b)")
def test_a_hand_given_up_unseen_is_counted_when_its_cards_are_known() -> None:
    given_up = {**ANTE, "decision": "forfeit", "cards": "Kc 8d"}
    assert place(refused({}, {4: given_up})) == ("wrong_number_of_cards", "7(c)", 4, "cards")


def test_cards_of_two_seats_may_not_be_the_same() -> None:
    assert place(refused({}, {1: ANTE, 2: {**PAIR_PLUS, "cards": "Kc 9d 9h"}})) == (
        "card_twice", "2(a)", 2, "cards",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("fourth", "As"),
        ("three", "As Ks Qs"),
        ("two", "As Ks"),
        ("hands", [{"cards": "As Ks"}]),
        ("even_money", True),
    ],
)
def test_fields_of_other_games(field: str, value: object) -> None:
    assert place(refused({}, {4: {**ANTE, field: value}})) == ("not_in_this_game", None, 4, field)


def test_community_cards_are_another_states() -> None:
    with pytest.raises(Refused) as caught:
        settle(deal(choose(MA), dealer=DEALER, seats={4: ANTE}, community="As Ks"))
    assert place(caught.value) == ("not_in_this_game", None, None, "community")


# --- wagers and amounts, Section 6 ---


@cites(MA, "6(a)", "6(a)(1)", "6(a)(2)", "6(a)(3)")
@pytest.mark.parametrize("wagers", [("ante",), ("pair_plus",), ("ante", "pair_plus")])
def test_either_standard_wager_or_both_may_be_made(wagers: tuple[str, ...]) -> None:
    decision = "play" if "ante" in wagers else None
    seat = {**ANTE, "wagers": dict.fromkeys(wagers, "10.00"), "decision": decision}
    assert {line.wager for line in settled({}, DEALER, {1: seat}).seat(1).lines} >= set(wagers)


@cites(MA, "6(a)(1)", "6(a)(2)")
@pytest.mark.parametrize(("wager", "clause"), [("ante", "6(a)(1)"), ("pair_plus", "6(a)(2)")])
@pytest.mark.parametrize(
    ("amount", "code"), [("4.50", "below_minimum"), ("50.50", "above_maximum")]
)
def test_amounts_outside_the_posted_limits(wager: str, clause: str, amount: str, code: str) -> None:
    rules = {"limits": {wager: {"min": "5.00", "max": "50.00"}}}
    seat = ANTE if wager == "ante" else PAIR_PLUS
    for fine in ("5.00", "50.00"):
        settled(rules, DEALER, {2: {**seat, "wagers": {wager: fine}}})
    refusal = refused(rules, {2: {**seat, "wagers": {wager: amount}}})
    assert place(refusal) == (code, clause, 2, f"wagers.{wager}")


@cites(MA, "6(a)", "6(g)(3)")
@pytest.mark.parametrize(
    ("wager", "clause"),
    [("six_card_bonus", "6(g)(3)"), ("cover_all", "13(a)"), ("progressive", "13(a)")],
)
@pytest.mark.parametrize("standard", ["ante", "pair_plus"])
def test_a_side_wager_stands_only_beside_a_standard_one(
    wager: str, clause: str, standard: str
) -> None:
    rules = {"six_card_bonus": "TCP-6B1", "cover_all": True, "progressive": "1"}
    alone = {"wagers": {wager: "1.00"}, "cards": "Kc 8d 3h"}
    assert place(refused(rules, {1: alone})) == (
        "standard_wager_missing", clause, 1, f"wagers.{wager}",
    )  # fmt: skip
    seat = ANTE if standard == "ante" else PAIR_PLUS
    beside = {**seat, "wagers": {**seat["wagers"], wager: "1.00"}}
    assert wager in {line.wager for line in settled(rules, DEALER, {1: beside}).seat(1).lines}


@cites(MA, "6(g)")
@pytest.mark.parametrize(
    ("wager", "clause"),
    [("six_card_bonus", "6(g)"), ("cover_all", "12(a)"), ("progressive", "13(a)")],
)
def test_a_wager_that_is_not_offered(wager: str, clause: str) -> None:
    seat = {**ANTE, "wagers": {"ante": "10.00", wager: "1.00"}}
    assert place(refused({}, {1: seat})) == ("wager_not_offered", clause, 1, f"wagers.{wager}")


@pytest.mark.parametrize(
    ("wagers", "code", "field"),
    [
        ({}, "no_wager", "wagers"),
        ({"ante": "0.00"}, "no_wager", "wagers.ante"),
        ({"ante": "10.25"}, "not_in_chips", "wagers.ante"),
        ({"ante": "ten"}, "not_an_amount", "wagers.ante"),
        ({"ante": "-5.00"}, "not_an_amount", "wagers.ante"),
        ({"bet": "10.00"}, "wager_not_offered", "wagers.bet"),
        ({"five_card_progressive": "1.00"}, "wager_not_offered", "wagers.five_card_progressive"),
    ],
)
def test_wagers_that_are_none(wagers: dict, code: str, field: str) -> None:
    refusal = refused({}, {1: {**ANTE, "wagers": wagers}})
    assert (refusal.code, refusal.seat, refusal.field) == (code, 1, field)


@cites(MA, "12(k)")
def test_a_cover_all_wager_that_three_to_two_could_not_pay_is_refused_when_it_is_placed() -> None:
    rules = {"cover_all": True}
    # one hand today pays in whole numbers, four hands would not
    seat = {**ANTE, "wagers": {"ante": "10.00", "cover_all": "1.50"}}
    assert place(refused(rules, {1: seat})) == ("not_payable", "12(k)", 1, "wagers.cover_all")
    settled(rules, DEALER, {1: {**seat, "wagers": {"ante": "10.00", "cover_all": "2.00"}}})


# --- the versions of 6(f) ---


def allowed(version: str, ante: int, pair_plus: int) -> bool:
    """6(f) in a line each; amounts in dollars, nothing for a wager not made."""
    if version == "ante_covers_pair_plus":
        return not pair_plus or ante >= pair_plus
    if version == "ante_covers_half_pair_plus":
        return not pair_plus or 2 * ante >= pair_plus
    return 0 < ante <= 5 * pair_plus and 0 < pair_plus <= 5 * ante


@cites(MA, "6(f)", "6(f)(1)", "6(f)(2)", "6(f)(3)")
@given(st.sampled_from(TIED), st.integers(0, 30), st.integers(0, 30))
def test_a_version_ties_the_ante_and_pair_plus_together(
    version: str, ante: int, pair_plus: int
) -> None:
    assume(ante or pair_plus)
    made = {"ante": ante, "pair_plus": pair_plus}
    wagers = {wager: f"{amount}.00" for wager, amount in made.items() if amount}
    seat = {"wagers": wagers, "cards": "Kc 8d 3h", "decision": "play" if ante else None}
    if allowed(version, ante, pair_plus):
        lines = settled({"version": version}, DEALER, {3: seat}).seat(3).lines
        assert {line.wager for line in lines} >= set(wagers)
        return
    refusal = refused({"version": version}, {3: seat})
    assert refusal.code in ("wagers_out_of_proportion", "standard_wager_missing")
    assert (refusal.clause, refusal.seat) == (f"6(f)({TIED.index(version) + 1})", 3)


@cites(MA, "6(f)(1)", "6(f)(2)", "6(f)(3)")
@pytest.mark.parametrize(
    ("version", "ante", "fits", "too_much"),
    [
        ("ante_covers_pair_plus", "10.00", "10.00", "10.50"),
        ("ante_covers_half_pair_plus", "10.00", "20.00", "20.50"),
        ("both_compulsory", "10.00", "50.00", "50.50"),
    ],
)
def test_the_last_amount_that_fits(version: str, ante: str, fits: str, too_much: str) -> None:
    seat = {**ANTE, "wagers": {"ante": ante, "pair_plus": fits}}
    settled({"version": version}, DEALER, {3: seat})
    refusal = refused(
        {"version": version}, {3: {**seat, "wagers": {"ante": ante, "pair_plus": too_much}}}
    )
    assert (refusal.code, refusal.field) == ("wagers_out_of_proportion", "wagers.pair_plus")


# --- decisions, 10(b) ---


@cites(MA, "10(b)")
@pytest.mark.parametrize(
    ("seat", "expected"),
    [
        ({**ANTE, "decision": None}, ("decision_missing", "10(b)", 5, "decision")),
        ({**ANTE, "decision": "raise"}, ("decision_not_open", "10(b)", 5, "decision")),
        ({**PAIR_PLUS, "decision": "play"}, ("decision_not_open", "10(b)", 5, "decision")),
        ({**PAIR_PLUS, "decision": "fold"}, ("decision_not_open", "10(b)", 5, "decision")),
        ({**PAIR_PLUS, "decision": "forfeit"}, ("decision_not_open", "10(b)", 5, "decision")),
    ],
)
def test_decisions_that_are_not_open(seat: dict, expected: tuple) -> None:
    assert place(refused({}, {5: seat})) == expected


@cites(MA, "6(a)(1)", "10(b)")
def test_the_play_wager_equals_the_ante() -> None:
    seat = {**ANTE, "wagers": {"ante": "10.00", "play": "10.00"}}
    settled({}, DEALER, {5: seat})
    unequal = {**ANTE, "wagers": {"ante": "10.00", "play": "20.00"}}
    assert place(refused({}, {5: unequal})) == (
        "play_not_equal_to_ante", "6(a)(1)", 5, "wagers.play",
    )  # fmt: skip
    folded = {**seat, "decision": "fold"}
    assert refused({}, {5: folded}).code == "decision_not_open"


# --- positions, 6(e) ---


def boxes(*numbers: int) -> dict[int, dict]:
    hands = ["Kc 8d 3h", "Kd 9h 4c", "Ts 7c 5s", "Jc 6d 4s"]
    return {
        number: {**PAIR_PLUS, "cards": hand, "player": "Ada"}
        for number, hand in zip(numbers, hands, strict=False)
    }


@cites(MA, "6(e)")
@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("numbers", [(4,), (4, 5), (3, 4, 5), (3, 4, 5, 6)])
def test_as_many_positions_for_a_player_as_the_licensee_permits(
    most: int, numbers: tuple[int, ...]
) -> None:
    rules = {"adjacent_boxes": most}
    if len(numbers) <= most:
        assert len(settled(rules, DEALER, boxes(*numbers)).seats) == len(numbers)
    else:
        assert place(refused(rules, boxes(*numbers))) == (
            "too_many_boxes", "6(e)", max(numbers), "player",
        )  # fmt: skip


@cites(MA, "6(e)")
@pytest.mark.parametrize("numbers", [(1, 3), (1, 2, 4), (1, 7)])
def test_positions_of_one_player_are_adjacent(numbers: tuple[int, ...]) -> None:
    refusal = refused({"adjacent_boxes": 3}, boxes(*numbers))
    assert place(refusal) == ("boxes_not_adjacent", "6(e)", max(numbers), "player")


@cites(MA, "12(k)")
@pytest.mark.parametrize("number", [0, 8, -1])
def test_there_are_seven_seats(number: int) -> None:
    assert place(refused({}, {number: ANTE})) == ("no_such_seat", "12(k)", number, "seat")


# --- coupons, 6(b) ---


@cites(MA, "6(b)")
@pytest.mark.parametrize(
    ("accepts", "coupon"),
    [
        (False, {"ante": "5.00"}),
        (True, {"ante": "10.50"}),
        (True, {"ante": "0.00"}),
        (True, {"ante": "5.25"}),
        (True, {"pair_plus": "5.00"}),
        (True, {"progressive": "1.00"}),
    ],
    ids=["not accepted", "above the chips", "nothing", "not in chips", "no chips", "side wager"],
)
def test_coupons_that_are_not_accepted(accepts: bool, coupon: dict[str, str]) -> None:
    rules = {"match_play": accepts, "progressive": "1"}
    seat = {**ANTE, "wagers": {"ante": "10.00", "progressive": "1.00"}, "coupon": coupon}
    (on,) = coupon
    assert place(refused(rules, {6: seat})) == ("coupon_not_accepted", "6(b)", 6, f"coupon.{on}")


# --- JSON ---


def test_a_round_as_json_says_where_it_is_wrong() -> None:
    for text in ("{", "[]", '{"chapter": "ma-three-card-poker", "dealer": [], "seat": []}'):
        with pytest.raises(Refused) as caught:
            settle_json(text)
        assert caught.value.code == "not_a_round"
