"""What Three Card Prime refuses, with the code, the clause and the place."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from houseway.errors import Refused
from houseway.game_api.settle import settle_json
from houseway.law import PRIME, cites

GOOD: dict[str, Any] = {
    "chapter": PRIME,
    "rules": {"prime": True, "pair_bonus": "A", "all_six": "A", "adjacent_boxes": 2},
    "dealer": ["Qc", "8d", "4h"],
    "seats": [
        {
            "seat": 2,
            "wagers": {"ante": "10.00", "pair_bonus": "5.00"},
            "cards": ["9c", "9d", "2s"],
            "fourth": "2c",
            "decision": "play",
        },
        {
            "seat": 3,
            "wagers": {"ante": "10.00", "play": "10.00", "prime": "5.00", "all_six": "1.00"},
            "cards": ["Kc", "7d", "5h"],
            "decision": "play",
        },
    ],
}


def refusal(path: str, value: Any, **more: Any) -> Refused:
    """What settling says once one place of a good round is changed; None takes the place away."""
    round = copy.deepcopy(GOOD) | more
    at: Any = round
    *way, last = [int(step) if step.isdigit() else step for step in path.split("/")]
    for step in way:
        at = at[step]
    if value is None:
        del at[last]
    else:
        at[last] = value
    with pytest.raises(Refused) as refused:
        settle_json(json.dumps(round))
    return refused.value


def test_the_good_round_settles() -> None:
    assert [seat.seat for seat in settle_json(json.dumps(GOOD)).seats] == [2, 3]


@cites(PRIME, "679a.2(a)", "679a.7(d)*", "679a.7(e)", "679a.8(c)", "679a.11(b)")
@pytest.mark.parametrize(
    ("path", "value", "code", "clause", "seat", "field"),
    [
        # cards
        ("dealer/0", "9c", "card_twice", None, 2, "cards"),
        ("seats/0/fourth", "Kc", "card_twice", None, 2, "fourth"),
        ("seats/1/cards/2", "2c", "card_twice", None, 2, "fourth"),
        ("seats/1/cards/2", "1x", "no_such_card", None, 3, "cards"),
        ("seats/1/cards/2", "Jk", "card_not_in_deck", None, 3, "cards"),
        ("dealer", ["Qc", "8d"], "wrong_number_of_cards", "679a.8(c)", None, "dealer"),
        ("seats/1/cards/2", None, "wrong_number_of_cards", "679a.8(c)", 3, "cards"),
        ("seats/1/cards", ["Kc", "7d", "5h", "5c"], "wrong_number_of_cards", "679a.8(c)", 3, "cards"),
        ("seats/0/fourth", None, "wrong_number_of_cards", "679a.8(c)", 2, "fourth"),
        ("seats/1/fourth", "3c", "wrong_number_of_cards", "679a.8(c)", 3, "fourth"),
        ("community", ["2d", "3d"], "not_in_this_game", None, None, "community"),
        ("seats/1/three", ["Kc", "7d", "5h"], "not_in_this_game", None, 3, "three"),
        ("seats/1/coupon", {"ante": "5.00"}, "not_in_this_game", None, 3, "coupon"),
        # seats
        ("seats/1/seat", 7, "no_such_seat", "679a.2(a)", 7, "seat"),
        ("seats/1/seat", 0, "no_such_seat", "679a.2(a)", 0, "seat"),
        ("seats/1/seat", 2, "seat_twice", None, 2, "seat"),
        # wagers
        ("seats/1/wagers/ante", None, "standard_wager_missing", "679a.7(d)(2)", 3, "wagers.prime"),
        ("seats/0/wagers/ante", None, "standard_wager_missing", "679a.7(d)(3)", 2, "wagers.pair_bonus"),
        ("seats/1/wagers/pair_plus", "5.00", "wager_not_offered", None, 3, "wagers.pair_plus"),
        ("seats/1/wagers/prime", "5.25", "not_in_chips", None, 3, "wagers.prime"),
        ("seats/1/wagers/prime", "0.00", "no_wager", "679a.7(d)(2)", 3, "wagers.prime"),
        ("seats/1/wagers/prime", "-5.00", "not_an_amount", None, 3, "wagers.prime"),
        ("seats/1/wagers/play", "5.00", "play_not_equal_to_ante", "679a.7(d)(1)", 3, "wagers.play"),
        ("seats/1/wagers", {}, "no_wager", None, 3, "wagers"),
        # decisions
        ("seats/0/decision", None, "decision_missing", "679a.11(b)", 2, "decision"),
        ("seats/0/decision", "forfeit", "decision_not_open", "679a.11(b)", 2, "decision"),
        ("seats/1/decision", "fold", "decision_not_open", "679a.11(b)", 3, "wagers.play"),
    ],
)  # fmt: skip
def test_what_could_not_have_happened_is_refused(
    path: str, value: Any, code: str, clause: str | None, seat: int | None, field: str
) -> None:
    found = refusal(path, value)
    assert (found.code, found.seat, found.field) == (code, seat, field)
    assert found.clause == clause


@cites(PRIME, "679a.8(c)", "679a.9(b)", "679a.10(c)")
@pytest.mark.parametrize("fourth", [None, "2c"])
@pytest.mark.parametrize("wagered", [True, False])
def test_a_fourth_card_goes_with_a_pair_bonus_wager(*, wagered: bool, fourth: str | None) -> None:
    round = copy.deepcopy(GOOD)
    mine = round["seats"][0]
    if not wagered:
        del mine["wagers"]["pair_bonus"]
    del mine["fourth"]
    if fourth:
        mine["fourth"] = fourth
    if wagered == bool(fourth):
        assert settle_json(json.dumps(round)).seats[0].seat == 2
    else:
        with pytest.raises(Refused) as refused:
            settle_json(json.dumps(round))
        assert (refused.value.code, refused.value.field) == ("wrong_number_of_cards", "fourth")


@cites(PRIME, "679a.7(d)(2)", "679a.7(d)(3)", "679a.7(d)(4)")
@pytest.mark.parametrize(
    ("option", "nothing", "seat", "clause"),
    [
        ("prime", False, 3, "679a.7(d)(2)"),
        ("pair_bonus", "none", 2, "679a.7(d)(3)"),
        ("all_six", "none", 3, "679a.7(d)(4)"),
    ],
)
def test_an_optional_wager_must_be_in_the_rules_submission(
    option: str, nothing: Any, seat: int, clause: str
) -> None:
    found = refusal(f"rules/{option}", nothing)
    assert (found.code, found.clause, found.seat) == ("wager_not_offered", clause, seat)
    assert found.field == f"wagers.{option}"


@cites(PRIME, "679a.7(d)")
@pytest.mark.parametrize(
    ("limits", "code"),
    [
        ({"ante": {"min": "10.50"}}, "below_minimum"),
        ({"ante": {"max": "9.50"}}, "above_maximum"),
    ],
)
def test_a_wager_outside_the_posted_limits_is_refused(limits: Any, code: str) -> None:
    found = refusal("rules/limits", limits)
    assert (found.code, found.seat, found.field) == (code, 2, "wagers.ante")


@cites(PRIME, "679a.7(e)")
def test_boxes_of_one_player_are_adjacent_and_no_more_than_submitted() -> None:
    seats = [
        {"seat": number, "player": "Ada", "wagers": {"ante": "5.00"}, "decision": "fold",
         "cards": hand}
        for number, hand in ((1, ["2c", "3c", "4c"]), (3, ["2d", "3d", "4d"]), (2, ["2s", "3s", "4s"]))
    ]  # fmt: skip
    three = refusal("dealer/1", "8h", seats=seats)
    assert (three.code, three.clause) == ("too_many_boxes", "679a.7(e)")
    apart = refusal("dealer/1", "8h", seats=seats[:2])
    assert (apart.code, apart.clause) == ("boxes_not_adjacent", "679a.7(e)")
    settled = settle_json(json.dumps(GOOD | {"seats": [seats[0], seats[2]]}))
    assert [seat.net for seat in settled.seats] == ["-5.00", "-5.00"]
