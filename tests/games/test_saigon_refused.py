"""What Saigon 5 Card refuses, with its code, clause and place."""

from __future__ import annotations

import pytest
from saigon_rounds import dealers, refusal, round_with

import houseway
from houseway.cards import deck_with_joker
from houseway.errors import Refused
from houseway.game_api.settle import settle_json
from houseway.law import SAIGON, cites


def test_the_round_that_the_refusals_change_stands():
    assert settle_json(round_with()).house == "-10.00"


@pytest.mark.parametrize(
    ("seat", "code", "clause", "field"),
    [
        ({"wagers": {"bonus": "5.00"}}, "standard_wager_missing", "680a.7(d)(2)", "wagers.bonus"),
        ({"wagers": {}}, "no_wager", None, "wagers"),
        ({"wagers": {"ante": "0.00"}}, "no_wager", "680a.7(d)(1)", "wagers.ante"),
        ({"wagers": {"ante": "ten"}}, "not_an_amount", None, "wagers.ante"),
        ({"wagers": {"ante": "-5.00"}}, "not_an_amount", None, "wagers.ante"),
        ({"wagers": {"ante": "10.25"}}, "not_in_chips", None, "wagers.ante"),
        ({"wagers": {"ante": "10.50"}}, "not_payable", "680a.12(a)", "wagers.ante"),
        ({"wagers": {"ante": "5.00", "play": "5.00"}}, "wager_not_offered", None, "wagers.play"),
        ({"cards": ["Kh", "Qh", "Jh", "4h"]}, "wrong_number_of_cards", "680a.8(c)", "cards"),
        (
            {"cards": ["Kh", "Qh", "Jh", "4h", "5s", "6s"]},
            "wrong_number_of_cards",
            "680a.8(c)",
            "cards",
        ),
        ({"cards": ["Kh", "Qh", "Jh", "4h", "5x"]}, "no_such_card", None, "cards"),
        ({"cards": ["Kh", "Qh", "Jh", "4h", "4h"]}, "card_twice", None, "cards"),
        ({"cards": ["Kh", "Qh", "Jh", "4h", "Kc"]}, "card_twice", None, "cards"),
        ({"decision": "play"}, "decision_not_open", "680a.11(b)", "decision"),
        ({"decision": "fold"}, "decision_not_open", "680a.11(b)", "decision"),
        ({"fourth": "2c"}, "not_in_this_game", None, "fourth"),
        ({"hands": [{"cards": ["2c"]}]}, "not_in_this_game", None, "hands"),
        ({"even_money": True}, "not_in_this_game", None, "even_money"),
        ({"coupon": {"ante": "5.00"}}, "not_in_this_game", None, "coupon"),
    ],
)
@cites(SAIGON, "680a.3(a)", "680a.7(d)", "680a.7(d)(1)", "680a.7(d)(2)", "680a.12(b)")
def test_a_seat_is_refused_with_its_place(seat, code, clause, field):
    refused = refusal(round_with(seat))
    assert (refused.code, refused.clause, refused.seat, refused.field) == (code, clause, 1, field)


@pytest.mark.parametrize(
    ("three", "two", "code", "clause", "field"),
    [
        ("Kh Qh 4h", "Jh 5s", "not_set_to_qualify", "680a.11(b)(1)", "three"),
        ("Jh 4h 5s", "Kh Qh", "not_set_to_qualify", "680a.11(b)(1)", "three"),
        ("Kh Qh", "Jh 4h 5s", "wrong_number_of_cards", "680a.11(b)", "three"),
        ("Kh Qh Jh", "4h", "wrong_number_of_cards", "680a.11(b)", "two"),
        ("Kh Qh Js", "4h 5s", "not_the_cards_dealt", "680a.11(b)", "three"),
        ("Kh Qh Jh", "4h 4h", "not_the_cards_dealt", "680a.11(b)", "three"),
        ("Kh Qh Xh", "4h 5s", "no_such_card", None, "three"),
    ],
)
@cites(SAIGON, "680a.11(b)", "680a.11(b)(1)")
def test_a_hand_set_against_11b_is_refused(three, two, code, clause, field):
    refused = refusal(round_with({"three": three.split(), "two": two.split()}))
    assert (refused.code, refused.clause, refused.seat, refused.field) == (code, clause, 1, field)


@pytest.mark.parametrize(
    ("changes", "code", "clause", "field"),
    [
        ({"rules": {"bonus": "B"}}, "no_such_value", "680a.7(d)(2)", "rules.bonus"),
        ({"rules": {"jackpot": "A"}}, "no_such_option", None, "rules.jackpot"),
        (
            {"rules": {"paytables": {"bonus": {"flush": "90 to 1"}}}},
            "no_such_paytable",
            "680a.7(d)(2)",
            "paytables.bonus",
        ),
        ({"dealer": ["Kc", "Qc", "Jc", "4c"]}, "wrong_number_of_cards", "680a.8(c)", "dealer"),
        ({"dealer": ["Kc", "Qc", "Jc", "4c", "4c"]}, "card_twice", None, "dealer"),
        ({"community": ["2c"]}, "not_in_this_game", None, "community"),
        ({"meters": {"progressive": "1.00"}}, "no_such_meter", None, "meters.progressive"),
        ({"seats": []}, "no_seats", None, "seats"),
    ],
)
@cites(SAIGON, "680a.3(a)", "680a.7(d)")
def test_a_round_is_refused_with_its_place(changes, code, clause, field):
    refused = refusal(round_with(**changes))
    assert (refused.code, refused.clause, refused.field) == (code, clause, field)


@cites(SAIGON, "680a.7(d)(2)")
def test_the_bonus_is_refused_where_it_is_not_offered():
    refused = refusal(round_with({"wagers": {"ante": "10.00", "bonus": "5.00"}}, rules={}))
    assert refused.code == "wager_not_offered"
    assert (refused.clause, refused.field) == ("680a.7(d)(2)", "wagers.bonus")


@cites(SAIGON, "680a.3(a)")
def test_there_is_one_joker():
    both = round_with(
        {"cards": ["Jk", "Kh", "2h", "3s", "4s"]}, dealer=["Jk", "Qc", "2c", "3d", "4d"]
    )
    refused = refusal(both)
    assert (refused.code, refused.seat, refused.field) == ("card_twice", 1, "cards")


@pytest.mark.parametrize(
    ("amount", "code"),
    [("4.00", "below_minimum"), ("5.00", None), ("100.00", None), ("101.00", "above_maximum")],
)
def test_posted_limits_hold(amount, code):
    rules = {"limits": {"ante": {"min": "5.00", "max": "100.00"}}}
    text = round_with({"wagers": {"ante": amount}}, rules=rules)
    if code is None:
        assert settle_json(text).house == f"-{amount}"
    else:
        refused = refusal(text)
        assert (refused.code, refused.clause, refused.seat) == (code, "680a.7(d)(1)", 1)


def boxes(*numbers: int, player: str = "Lan") -> list[dict[str, object]]:
    order = [str(each) for each in deck_with_joker() if str(each) not in dealers(8).split()]
    return [
        {
            "seat": number,
            "player": player,
            "wagers": {"ante": "10.00"},
            "cards": order[5 * place : 5 * place + 5],
        }
        for place, number in enumerate(numbers)
    ]


@cites(SAIGON, "680a.2(a)")
def test_six_positions_and_no_seventh():
    everyone = boxes(1, 2, 3, 4, 5, 6, player="")
    assert [seat.seat for seat in settle_json(round_with(seats=everyone)).seats] == [*range(1, 7)]
    for wrong in (0, 7):
        refused = refusal(round_with(seats=boxes(wrong)))
        assert (refused.code, refused.clause, refused.seat) == ("no_such_seat", "680a.2(a)", wrong)
    assert refusal(round_with(seats=boxes(2, 2, player=""))).code == "seat_twice"


@cites(SAIGON, "680a.7(e)")
def test_adjacent_boxes_as_many_as_the_submission_says():
    two = {"adjacent_boxes": 2}
    assert len(settle_json(round_with(seats=boxes(3, 4), rules=two)).seats) == 2
    for numbers, rules, code in (
        ((3, 4), {}, "too_many_boxes"),
        ((3, 4, 5), two, "too_many_boxes"),
        ((3, 5), two, "boxes_not_adjacent"),
    ):
        refused = refusal(round_with(seats=boxes(*numbers), rules=rules))
        assert (refused.code, refused.clause, refused.field) == (code, "680a.7(e)", "player")
    assert refusal(round_with(rules={"adjacent_boxes": 7})).code == "no_such_value"


@pytest.mark.parametrize("option", [{"decks_in_play": 2}, {"dealing": "hand"}])
@cites(SAIGON, "680a.3(b)", "680a.9(a)(1)")
def test_two_decks_and_dealing_by_hand_need_a_shuffler(option):
    clause = "680a.3(b)" if "decks_in_play" in option else "680a.9(a)(1)"
    with pytest.raises(Refused) as caught:
        houseway.choose(SAIGON, option)
    assert (caught.value.code, caught.value.clause) == ("options_do_not_go_together", clause)
    for shuffler in ("plain", "counting", "reshuffling"):
        chosen = houseway.choose(SAIGON, {**option, "shuffler": shuffler})
        assert chosen["shuffler"] == shuffler
