"""Chapter 7: which wagers stand, in which amounts, and what is refused with which clause."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from maryland_table import THREE, as_round, in_dollars, refused, seat, settled

from houseway.errors import Refused
from houseway.game_api.settle import settle_json
from houseway.law import MD, choose, cites

PAIR = THREE["pair"]
SIDE = {"six_card_bonus": "1.00", "progressive": "1.00", "five_card_progressive": "1.00"}
OFFERED = {"six_card_bonus": "A", "progressive": "A", "five_card_progressive": "A"}
TABLES = {"six_card_bonus": "ABCDEF", "progressive": "ABC", "five_card_progressive": "ABC"}


def hundreds(most: int = 60) -> st.SearchStrategy[int]:
    """Amounts in chips of fifty cents, in cents."""
    return st.integers(min_value=1, max_value=most).map(lambda chips: chips * 50)


VERSIONS = {
    "ante_covers_pair_plus": "7.G(1)",
    "ante_covers_half_pair_plus": "7.G(2)",
    "both_compulsory": "7.G(3)",
}


def stands(version: str, **wagers: int) -> bool:
    """Whether a seat with these wagers is settled; if not, the refusal is the version's."""
    decision = "play" if "ante" in wagers else None
    texts = {wager: in_dollars(amount) for wager, amount in wagers.items()}
    try:
        settled(seat(1, PAIR, decision, **texts), version=version)
    except Refused as caught:
        refusal = caught
    else:
        return True
    assert refusal.code in {"standard_wager_missing", "wagers_out_of_proportion"}
    assert (refusal.clause, refusal.seat) == (VERSIONS[version], 1)
    return False


@cites(MD, "7.F(1)", "7.F(2)", "7.F(3)")
@given(hundreds(), hundreds())
def test_independent_wagers_take_any_amounts(ante: int, pair_plus: int) -> None:
    assert stands("independent", ante=ante, pair_plus=pair_plus)
    assert stands("independent", ante=ante)
    assert stands("independent", pair_plus=pair_plus)


@cites(MD, "7.G", "7.G(1)")
@given(hundreds(), hundreds())
def test_an_ante_that_covers_pair_plus(ante: int, pair_plus: int) -> None:
    version = "ante_covers_pair_plus"
    assert stands(version, ante=ante, pair_plus=pair_plus) == (ante >= pair_plus)
    assert stands(version, ante=ante)
    assert not stands(version, pair_plus=pair_plus)


@cites(MD, "7.G", "7.G(2)")
@given(hundreds(), hundreds())
def test_an_ante_that_covers_half_of_pair_plus(ante: int, pair_plus: int) -> None:
    version = "ante_covers_half_pair_plus"
    assert stands(version, ante=ante, pair_plus=pair_plus) == (2 * ante >= pair_plus)
    assert stands(version, ante=ante)
    assert not stands(version, pair_plus=pair_plus)


@cites(MD, "7.G", "7.G(3)")
@given(hundreds(), hundreds())
def test_both_wagers_compulsory(ante: int, pair_plus: int) -> None:
    version = "both_compulsory"
    low, high = sorted((ante, pair_plus))
    assert stands(version, ante=ante, pair_plus=pair_plus) == (high <= 5 * low)
    assert not stands(version, ante=ante)
    assert not stands(version, pair_plus=pair_plus)


@cites(MD, "7.G(1)", "7.G(2)", "7.G(3)")
@pytest.mark.parametrize(
    ("version", "ante", "pair_plus", "stood"),
    [
        ("ante_covers_pair_plus", 1000, 1000, True),
        ("ante_covers_pair_plus", 1000, 1050, False),
        ("ante_covers_half_pair_plus", 500, 1000, True),
        ("ante_covers_half_pair_plus", 500, 1050, False),
        ("both_compulsory", 200, 1000, True),
        ("both_compulsory", 1000, 200, True),
        ("both_compulsory", 200, 1050, False),
        ("both_compulsory", 1050, 200, False),
    ],
)
def test_versions_at_their_bounds(version: str, ante: int, pair_plus: int, stood: bool) -> None:
    assert stands(version, ante=ante, pair_plus=pair_plus) is stood


@cites(MD, "12.B", "12.C")
@pytest.mark.parametrize(
    ("version", "default", "others"),
    [
        ("independent", "A", ["mini_royal"]),
        ("ante_covers_pair_plus", "mini_royal", ["A", "B", "C"]),
        ("ante_covers_half_pair_plus", "mini_royal", ["A", "B", "C"]),
        ("both_compulsory", "mini_royal", ["A", "B", "C"]),
    ],
)
def test_each_version_has_its_own_ante_bonus(version: str, default: str, others: list) -> None:
    assert choose(MD, {"version": version})["ante_bonus"] == default
    for other in others:
        with pytest.raises(Refused, match="ante_bonus") as caught:
            choose(MD, {"version": version, "ante_bonus": other})
        assert caught.value.code == "options_do_not_go_together"


@cites(MD, "7.F", "7.F(4)", "7.F(5)", "7.F(6)")
@pytest.mark.parametrize(
    ("wager", "clause"),
    [("progressive", "7.F(4)"), ("six_card_bonus", "7.F(5)"), ("five_card_progressive", "7.F(6)")],
)
def test_a_side_wager_stands_only_where_the_rules_submission_has_it(
    wager: str, clause: str
) -> None:
    at = seat(1, PAIR, pair_plus="5.00", **{wager: "1.00"})
    community = "Js Ts" if wager == "five_card_progressive" else ""
    refusal = refused(at, community=community)
    assert (refusal.code, refusal.clause, refusal.field) == (
        "wager_not_offered",
        clause,
        f"wagers.{wager}",
    )
    for table in TABLES[wager]:
        found = settled(at, community=community, **{wager: table})
        assert found.line(1, wager)["stake"] == "1.00"


@cites(MD, "7.F(4)(a)", "7.F(5)(b)", "7.F(6)(a)")
@pytest.mark.parametrize(
    ("wager", "clause"),
    [
        ("progressive", "7.F(4)(a)"),
        ("six_card_bonus", "7.F(5)(b)"),
        ("five_card_progressive", "7.F(6)(a)"),
    ],
)
def test_a_side_wager_stands_beside_an_ante_or_pair_plus(wager: str, clause: str) -> None:
    community = "Js Ts" if wager == "five_card_progressive" else ""
    more = {"community": community, **OFFERED}
    refusal = refused(seat(1, PAIR, **{wager: "1.00"}), **more)
    assert (refusal.code, refusal.clause) == ("standard_wager_missing", clause)
    # a wager at another box does not help
    alone = seat(1, PAIR, player="Ada", **{wager: "1.00"})
    beside = seat(2, "2c 7d Th", player="Ada", pair_plus="5.00")
    assert refused(alone, beside, adjacent_boxes=2, **more).seat == 1
    for standard in (
        {"ante": "5.00"},
        {"pair_plus": "5.00"},
        {"ante": "1.00", "pair_plus": "1.00"},
    ):
        decision = "play" if "ante" in standard else None
        found = settled(seat(1, PAIR, decision, **standard, **{wager: "1.00"}), **more)
        assert found.line(1, wager)["stake"] == "1.00"


@cites(MD, "12.E(5)", "7.F(4)", "7.F(6)")
@pytest.mark.parametrize("wager", ["progressive", "five_card_progressive"])
@pytest.mark.parametrize("stake", ["0.50", "2.00", "4.50", "5.50", "10.00"])
def test_a_progressive_wager_is_one_dollar_or_five(wager: str, stake: str) -> None:
    refusal = refused(
        seat(1, PAIR, pair_plus="5.00", **{wager: stake}), community="Js Ts", **OFFERED
    )
    assert (refusal.code, refusal.clause, refusal.field) == (
        "stake_not_allowed",
        "12.E(5)",
        f"wagers.{wager}",
    )


@cites(MD, "7.F", "7.F(1)")
@pytest.mark.parametrize(
    ("wagers", "decision", "code", "field"),
    [
        ({}, None, "no_wager", "wagers"),
        ({"prime": "5.00"}, None, "wager_not_offered", "wagers.prime"),
        ({"ante": "0.00"}, "play", "no_wager", "wagers.ante"),
        ({"ante": "0.75"}, "play", "not_in_chips", "wagers.ante"),
        ({"ante": "5"}, "call", "decision_not_open", "decision"),
        ({"ante": "5.00"}, "forfeit", "decision_not_open", "decision"),
        ({"ante": "5.00"}, None, "decision_missing", "decision"),
        ({"pair_plus": "5.00"}, "play", "decision_not_open", "decision"),
        ({"pair_plus": "5.00"}, "fold", "decision_not_open", "decision"),
        ({"ante": "5.00", "play": "10.00"}, "play", "play_not_equal_to_ante", "wagers.play"),
        ({"ante": "5.00", "play": "4.50"}, "play", "play_not_equal_to_ante", "wagers.play"),
        ({"ante": "5.00", "play": "5.00"}, "fold", "decision_not_open", "wagers.play"),
        ({"pair_plus": "5.00", "play": "5.00"}, None, "decision_not_open", "wagers.play"),
        ({"ante": "-5.00"}, "play", "not_an_amount", "wagers.ante"),
        ({"ante": "5.001"}, "play", "not_an_amount", "wagers.ante"),
        ({"ante": "five"}, "play", "not_an_amount", "wagers.ante"),
    ],
)
def test_wagers_and_decisions_that_do_not_stand(
    wagers: dict, decision: str | None, code: str, field: str
) -> None:
    fine = seat(1, "2c 7d Th", pair_plus="5.00")
    refusal = refused(fine, seat(2, PAIR, decision, **wagers))
    assert (refusal.code, refusal.seat, refusal.field) == (code, 2, field)


@cites(MD, "7.F(1)")
def test_a_play_wager_that_is_written_out_equals_the_ante() -> None:
    implied = settled(seat(2, PAIR, "play", ante="5.00"))
    written = settled(seat(2, PAIR, "play", ante="5.00", play="5.00"))
    assert written.result == implied.result
    assert refused(seat(2, PAIR, "play", ante="5.00", play="6.00")).clause == "7.F(1)"


@cites(MD, "7.F")
@pytest.mark.parametrize(
    ("amount", "code"),
    [("4.50", "below_minimum"), ("5.00", None), ("100.00", None), ("100.50", "above_maximum")],
)
def test_posted_limits(amount: str, code: str | None) -> None:
    at = seat(3, PAIR, pair_plus=amount)
    limits = {"pair_plus": {"min": "5.00", "max": "100.00"}}
    if code is None:
        assert settled(at, limits=limits).net(3) == amount
    else:
        refusal = refused(at, limits=limits)
        assert (refusal.code, refusal.seat, refusal.field) == (code, 3, "wagers.pair_plus")


@cites(MD, "7.A")
@pytest.mark.parametrize(
    ("unit", "amount", "stood"),
    [
        ("0.50", "0.50", True),
        ("0.50", "0.25", False),
        ("0.25", "0.25", True),
        ("5.00", "7.50", False),
        ("5", "15.00", True),
    ],
)
def test_wagers_are_made_of_the_tables_chips(unit: str, amount: str, stood: bool) -> None:
    at = seat(3, PAIR, pair_plus=amount)
    if stood:
        assert settled(at, chip_unit=unit).net(3) == amount
    else:
        assert refused(at, chip_unit=unit).code == "not_in_chips"


@cites(MD, "2.A")
@pytest.mark.parametrize("number", [0, -1, 8])
def test_there_are_seven_positions(number: int) -> None:
    hands = ["2c 2d 4h", "5c 5d 7h", "8c 8d Th", "Jc Jd Kh", "As Ad 3h", "6c 6d 9h", "2s 7s 9c"]
    full = [seat(at, hand, pair_plus="5.00") for at, hand in enumerate(hands, 1)]
    assert len(settled(*full, dealer="Qs Qd 4s").result["seats"]) == 7
    refusal = refused(seat(number, PAIR, pair_plus="5.00"))
    assert (refusal.code, refusal.clause, refusal.seat) == ("no_such_seat", "2.A", number)


def test_a_seat_is_listed_once() -> None:
    refusal = refused(seat(2, PAIR, pair_plus="5.00"), seat(2, "2c 7d Th", pair_plus="5.00"))
    assert (refusal.code, refusal.seat) == ("seat_twice", 2)


@cites(MD, "7.H")
@pytest.mark.parametrize(
    ("allowed", "boxes", "code"),
    [
        (1, [1], None),
        (1, [1, 2], "too_many_boxes"),
        (2, [1, 2], None),
        (2, [1, 3], "boxes_not_adjacent"),
        (2, [3, 4, 5], "too_many_boxes"),
        (3, [5, 3, 4], None),
        (7, [2, 3, 5], "boxes_not_adjacent"),
        ("7", [1, 2, 3, 4, 5, 6, 7], None),
    ],
)
def test_adjacent_boxes(allowed: int | str, boxes: list[int], code: str | None) -> None:
    hands = ["2c 2d 4h", "5c 5d 7h", "8c 8d Th", "Jc Jd Kh", "As Ad 3h", "6c 6d 9h", "2s 7s 9c"]
    seats = [
        seat(box, hand, pair_plus="5.00", player="Ada")
        for box, hand in zip(boxes, hands, strict=False)
    ]
    more = {"dealer": "Qs Qd 4s", "adjacent_boxes": allowed}
    if code is None:
        assert len(settled(*seats, **more).result["seats"]) == len(boxes)
    else:
        refusal = refused(*seats, **more)
        assert (refusal.code, refusal.clause, refusal.field) == (code, "7.H", "player")


@cites(MD, "7.H")
@pytest.mark.parametrize("allowed", [0, 8, "two", True])
def test_the_number_of_boxes_is_one_to_seven(allowed) -> None:
    with pytest.raises(Refused) as caught:
        choose(MD, {"adjacent_boxes": allowed})
    assert (caught.value.code, caught.value.clause) == ("no_such_value", "7.H")


@cites(MD, "3.A", "3.A(1)")
@pytest.mark.parametrize(
    ("cards", "dealer", "community", "seat_", "field"),
    [
        ("9c 9c 4d", "Qc 8s 3d", "Js Ts", 1, "cards"),
        ("9c 9s 4d", "Qc 9s 3d", "Js Ts", 1, "cards"),
        ("9c 9s 4d", "Qc 8s 3d", "Js 4d", None, "community"),
        ("9c 9s 4d", "Qc 8s Qc", "Js Ts", None, "dealer"),
    ],
)
def test_one_deck_has_every_card_once(
    cards: str, dealer: str, community: str, seat_: int | None, field: str
) -> None:
    refusal = refused(
        seat(1, cards, pair_plus="5.00", five_card_progressive="1.00"),
        dealer=dealer,
        community=community,
        five_card_progressive="A",
    )
    assert (refusal.code, refusal.clause, refusal.seat, refusal.field) == (
        "card_twice",
        "3.A(1)",
        seat_,
        field,
    )


@cites(MD, "3.A(1)")
def test_no_joker_and_no_card_that_is_none() -> None:
    assert refused(seat(1, "9c 9s Jk", pair_plus="5.00")).code == "card_not_in_deck"
    refusal = refused(seat(1, "9c 9s 1d", pair_plus="5.00"))
    assert (refusal.code, refusal.seat, refusal.field) == ("no_such_card", 1, "cards")
    assert refused(seat(1, PAIR, pair_plus="5.00"), dealer="Qc 8s 3x").field == "dealer"


@cites(MD, "8.E(1)")
@pytest.mark.parametrize("hand", ["", "9c 9s", "9c 9s 4d 5d"])
def test_everyone_has_three_cards(hand: str) -> None:
    refusal = refused(seat(6, hand, pair_plus="5.00"))
    assert (refusal.code, refusal.seat, refusal.field) == ("wrong_number_of_cards", 6, "cards")
    assert refused(seat(6, PAIR, pair_plus="5.00"), dealer=hand).field == "dealer"


@cites(MD, "3.B", "9.A(1)", "10.B(4)")
@pytest.mark.parametrize(
    ("options", "missing", "clause"),
    [
        ({"decks_in_play": 2}, {"shuffler": "none"}, "3.B"),
        ({"dealing": "hand"}, {"shuffler": "none"}, "9.A(1)"),
        ({"dealer_stack": "left_in_shoe"}, {"dealing": "manual_shoe"}, "10.B(4)"),
    ],
)
def test_options_that_need_a_device(options: dict, missing: dict, clause: str) -> None:
    with pytest.raises(Refused) as caught:
        choose(MD, options | missing)
    assert (caught.value.code, caught.value.clause) == ("options_do_not_go_together", clause)
    for device in ("plain", "counting", "reshuffling"):
        rules = choose(MD, {"shuffler": device, "dealing": "automated_shoe"} | options)
        assert {id: rules[id] for id in options} == options


@cites(MD, "7.G", "12.D", "12.E(1)", "12.F", "12.G")
@pytest.mark.parametrize(
    ("option", "value", "clause"),
    [
        ("version", "both", "7.G"),
        ("pair_plus", "F", "12.D"),
        ("pair_plus", {"pair": "2 to 1"}, "12.D"),
        ("six_card_bonus", "G", "7.F(5)"),
        ("progressive", "D", "7.F(4)"),
        ("five_card_progressive", "D", "7.F(6)"),
        ("electronic", "perhaps", "11.F"),
    ],
)
def test_options_and_tables_that_the_chapter_does_not_have(option, value, clause) -> None:
    with pytest.raises(Refused) as caught:
        choose(MD, {option: value})
    assert caught.value.clause == clause
    assert option in caught.value.field


def test_an_option_of_another_chapter() -> None:
    with pytest.raises(Refused) as caught:
        choose(MD, {"cover_all": True})
    assert (caught.value.code, caught.value.field) == ("no_such_option", "rules.cover_all")


@pytest.mark.parametrize(
    "extra",
    [
        {"coupon": {"ante": "5.00"}},
        {"fourth": "2c"},
        {"three": ["2c", "3c", "4c"]},
        {"even_money": True},
        {"hands": [{"cards": ["2c", "3c"]}]},
    ],
)
def test_what_only_other_chapters_know_is_refused(extra: dict) -> None:
    refusal = refused(seat(1, PAIR, pair_plus="5.00") | extra)
    assert (refusal.seat, refusal.field) == (1, next(iter(extra)))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"chapter": "md-three-card-poker"}', '"As"']
)
def test_what_is_no_round_is_refused(text: str) -> None:
    with pytest.raises(Refused) as caught:
        settle_json(text)
    assert caught.value.code == "not_a_round"


@pytest.mark.parametrize(
    "change",
    [
        {"seats": []},
        {"seats": [{"seat": "1"}]},
        {"seats": [{"seat": 1, "color": "red"}]},
        {"dealer": "Qc 8s"},
        {"dealer": "Qc8s3d"},
        {"dealer": 3},
        {"meters": {"progressive": "1000.00"}},  # not offered under these rules
        {"rules": {"limits": 5}},
        {"rules": {"meters": []}},
        {"rules": {"chip_unit": 1}},
        {"rules": {"chip_unit": "0.00"}},
        {"rules": []},
        {"chapter": "nj-three-card-poker"},
        {"stub": []},
    ],
)
def test_a_round_with_one_thing_wrong_is_refused(change: dict) -> None:
    whole = as_round(seat(1, PAIR, pair_plus="5.00"))
    assert settle_json(json.dumps(whole)).house == "-5.00"
    with pytest.raises(Refused):
        settle_json(json.dumps(whole | change))


def test_cards_are_a_list_or_one_text() -> None:
    whole = as_round(seat(1, PAIR, pair_plus="5.00"))
    one_text = whole | {"dealer": " ".join(whole["dealer"])}
    assert settle_json(json.dumps(one_text)) == settle_json(json.dumps(whole))
