"""Saigon 5 Card settled through the public surface: every branch, every row, every refusal."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import houseway
from houseway.cards import JOKER, SUITS, Card, card, deck_with_joker, show
from houseway.games.settle import settle_json
from houseway.law import SAIGON, cites
from houseway.refusal import Refused

EXAMPLE = Path(__file__).parents[2] / "examples" / f"{SAIGON}.json"

NO_TEN = "Ac Ad 2c 2d 3c"  # no three of these make 10, 20 or 30
NONE_EITHER = "Ah As 2h 2s 3h"
#: two cards for each point count, the first suit's for the player and the second's for the dealer
COUNTS = {
    1: "9 2", 2: "A A", 3: "A 2", 4: "A 3", 5: "A 4",
    6: "2 4", 7: "3 4", 8: "4 4", 9: "4 5", 10: "4 6",
}  # fmt: skip


def with_count(count: int, first: str, second: str) -> str:
    """King, queen and jack make 30, and two cards have this point count."""
    low, high = COUNTS[count].split()
    return f"K{first} Q{first} J{first} {low}{first} {high}{second}"


def players(count: int) -> str:
    return with_count(count, "h", "s")


def dealers(count: int) -> str:
    return with_count(count, "c", "d")


def settled(
    cards: str, dealer: str, wagers: dict[str, str] | None = None, **seat: object
) -> houseway.SeatResult:
    rules = houseway.choose(SAIGON, {"bonus": "A"})
    wagers = wagers or {"ante": "10.00"}
    round = houseway.deal(
        rules, dealer=dealer, seats={1: {"wagers": wagers, "cards": cards, **seat}}
    )
    return houseway.settle(round).seat(1)


def ante(cards: str, dealer: str, **seat: object) -> tuple[str, int, str, str | None]:
    (line,) = settled(cards, dealer, **seat).lines
    return line.result, line.paid, line.clause, line.odds


@cites(SAIGON, "680a.11(d)(1)", "680a.11(d)(1)(i)", "680a.11(b)(2)", "680a.11(c)(2)")
def test_neither_qualifies_and_the_ante_is_returned():
    assert ante(NONE_EITHER, NO_TEN) == ("push", 0, "680a.11(d)(1)(i)", None)


@cites(SAIGON, "680a.11(d)(2)", "680a.11(d)(2)(i)")
@pytest.mark.parametrize("count", COUNTS)
def test_only_the_dealer_qualifies_and_the_ante_is_lost(count):
    assert ante(NONE_EITHER, dealers(count)) == ("lose", 0, "680a.11(d)(2)(i)", None)


@cites(SAIGON, "680a.11(d)(1)(ii)", "680a.11(d)(1)(ii)(A)", "680a.11(d)(1)(ii)(B)")
@cites(SAIGON, "680a.12(a)", "680a.12(b)")
@pytest.mark.parametrize("count", COUNTS)
def test_only_the_player_qualifies_and_is_paid_by_the_count(count):
    expected = (
        ("win", 500, "680a.11(d)(1)(ii)(B)", "1 to 2")
        if count == 5
        else ("win", 1000, "680a.11(d)(1)(ii)(A)", "1 to 1")
    )
    assert ante(players(count), NO_TEN) == expected


@cites(SAIGON, "680a.11(d)(2)(ii)", "680a.11(d)(2)(ii)(A)", "680a.11(d)(2)(ii)(B)")
@cites(SAIGON, "680a.11(d)(2)(ii)(C)", "680a.11(c)(1)", "680a.12(a)", "680a.12(b)")
@pytest.mark.parametrize("dealt", COUNTS)
@pytest.mark.parametrize("count", COUNTS)
def test_both_qualify_and_the_counts_are_compared(count, dealt):
    if count < dealt:
        expected = ("lose", 0, "680a.11(d)(2)(ii)(A)", None)
    elif count == dealt:
        expected = ("push", 0, "680a.11(d)(2)(ii)(C)", None)
    elif count == 5:
        expected = ("win", 500, "680a.11(d)(2)(ii)(B)", "1 to 2")
    else:
        expected = ("win", 1000, "680a.11(d)(2)(ii)(B)", "1 to 1")
    assert ante(players(count), dealers(dealt)) == expected


@cites(SAIGON, "680a.11(b)(1)", "680a.6(a)(4)")
def test_the_example_of_the_text_wins_with_ten_and_may_be_set_lower():
    hand = "Jk 8s 6d 5c 2h"
    assert ante(hand, dealers(9))[0] == "win"
    assert ante(hand, dealers(9), three="Jk 5c 6d", two="8s 2h")[0] == "win"
    # joker, 8 and 6 make twenty too, and leave a 7: the player's choice, and a poor one
    assert ante(hand, dealers(9), three="Jk 8s 6d", two="2h 5c")[0] == "lose"


@cites(SAIGON, "680a.11(c)(1)")
def test_the_dealer_takes_the_highest_count_a_joker_allows():
    # joker, 5 and 6 leave 10; the other settings that qualify leave 7 and 4
    assert ante(players(9), "Jk 8c 6d 5c 2d")[0] == "lose"
    assert ante(players(10), "Jk 8c 6d 5c 2d")[0] == "push"


@cites(SAIGON, "680a.11(b)")
def test_naming_one_of_the_two_hands_is_enough():
    hand = "Jk 8s 6d 5c 2h"
    for seat in ({"three": "Jk 8s 6d"}, {"two": "2h 5c"}):
        assert ante(hand, dealers(7), **seat)[0] == "push"


BONUS = {
    "Ac Ad Ah As Jk": "5000 to 1",
    "As Ks Qs Js Ts": "1000 to 1",
    "As Jk Qs Js Ts": "250 to 1",
    "9s 8s 7s 6s 5s": "100 to 1",
    "9s 9h 9d 9c 5s": "50 to 1",
    "9s 9h 9d 5c 5s": "20 to 1",
    "9s 4s 7s 6s Ks": "15 to 1",
    "9s 8h 7s 6s 5s": "12 to 1",
    "9s 9h 9d 6s 5s": "10 to 1",
    "9s 9h 6d 6s 5s": "8 to 1",
}


@cites(SAIGON, "680a.7(d)(2)", "680a.11(e)", "680a.11(e)(2)", "680a.12(c)")
@pytest.mark.parametrize(("cards", "odds"), BONUS.items())
def test_the_bonus_pays_every_row(cards, odds):
    line = settled(cards, "2d 3d 4d 7h Qd", {"ante": "10.00", "bonus": "3.50"}).lines[1]
    assert line.paid == 350 * Fraction(odds.split()[0])
    assert (line.wager, line.result, line.clause, line.odds) == ("bonus", "win", "680a.12(c)", odds)


def test_the_rows_tested_are_all_there_are():
    table = houseway.choose(SAIGON, {"bonus": "A"}).table("bonus")
    assert sorted(BONUS.values()) == sorted(str(pay.odds) for pay in table.pays.values())


@cites(SAIGON, "680a.11(e)(1)", "680a.7(d)(1)")
@pytest.mark.parametrize("cards", ["9s 9h 8d 6s 5s", "Qc Kd Ah 2s 3c", "Jk 9h 9d 6s 5s"])
def test_less_than_two_pair_loses_the_bonus_and_only_the_bonus(cards):
    result = settled(cards, "2d 4d 4h 7h Qd", {"ante": "10.00", "bonus": "5.00"})
    assert result.lines[0] == settled(cards, "2d 4d 4h 7h Qd").lines[0]
    line = result.lines[1]
    assert (line.result, line.paid, line.clause) == ("lose", 0, "680a.11(e)(1)")
    assert result.net == result.lines[0].net - 500


@cites(SAIGON, "680a.11(d)", "680a.11(e)")
def test_the_ante_comes_before_the_bonus():
    lines = settled(players(9), dealers(8), {"bonus": "5.00", "ante": "10.00"}).lines
    assert [line.wager for line in lines] == ["ante", "bonus"]


# What is refused.


def round_with(seat: dict[str, object] | None = None, **changes: object) -> str:
    """A round that stands, with some of it changed."""
    first = {"seat": 1, "wagers": {"ante": "10.00"}, "cards": players(9).split(), **(seat or {})}
    whole: dict[str, object] = {
        "chapter": SAIGON,
        "rules": {"bonus": "A"},
        "dealer": dealers(8).split(),
        "seats": [first],
        **changes,
    }
    return json.dumps(whole)


def refusal(text: str) -> Refused:
    with pytest.raises(Refused) as caught:
        settle_json(text)
    return caught.value


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
        ({"fourth": "2c"}, "field_not_used", None, "fourth"),
        ({"hands": [{"cards": ["2c"]}]}, "field_not_used", None, "hands"),
        ({"even_money": True}, "field_not_used", None, "even_money"),
        ({"coupon": {"ante": "5.00"}}, "field_not_used", None, "coupon"),
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
        ({"rules": {}}, None, None, None),
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
        ({"community": ["2c"]}, "wrong_number_of_cards", "680a.8(c)", "community"),
        ({"meters": {"progressive": "1.00"}}, "no_such_meter", None, "meters.progressive"),
        ({"seats": []}, "no_seats", None, "seats"),
    ],
)
@cites(SAIGON, "680a.3(a)", "680a.7(d)")
def test_a_round_is_refused_with_its_place(changes, code, clause, field):
    if code is None:
        assert settle_json(round_with(**changes)).seats[0].net == "10.00"
        return
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
    order = [str(each) for each in deck_with_joker() if show([each]) not in dealers(8).split()]
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


# What holds in every round.


@st.composite
def rounds(draw: st.DrawFn) -> dict[str, object]:
    seats = draw(st.lists(st.integers(1, 6), min_size=1, max_size=6, unique=True))
    count = 5 * len(seats) + 5
    deck = st.sampled_from(deck_with_joker())
    dealt = draw(st.lists(deck, min_size=count, max_size=count, unique=True))
    amounts = st.integers(1, 500).map(lambda amount: f"{amount}.00")
    found = []
    for place, number in enumerate(seats):
        wagers = {"ante": draw(amounts)}
        if draw(st.booleans()):
            wagers["bonus"] = draw(amounts)
        hand = dealt[5 * place + 5 : 5 * place + 10]
        found.append({"seat": number, "wagers": wagers, "cards": [str(each) for each in hand]})
    dealer = [str(each) for each in dealt[:5]]
    return {"chapter": SAIGON, "rules": {"bonus": "A"}, "dealer": dealer, "seats": found}


def money(text: str) -> Fraction:
    return Fraction(text)


@given(rounds())
def test_money_is_conserved(round):
    out = settle_json(json.dumps(round))
    assert sum(money(seat.net) for seat in out.seats) + money(out.house) == 0
    for seat in out.seats:
        parts = (
            -money(line.stake) if line.result == "lose" else money(line.paid) for line in seat.lines
        )
        assert money(seat.net) == sum(parts)


@given(rounds(), st.randoms())
def test_the_order_in_which_seats_are_listed_is_nothing(round, random):
    other = {**round, "seats": random.sample(round["seats"], len(round["seats"]))}
    assert settle_json(json.dumps(other)) == settle_json(json.dumps(round))


@given(rounds(), st.permutations(SUITS))
def test_suits_are_interchangeable(round, order):
    def turned(hand: list[str]) -> list[str]:
        return [each if each == "Jk" else each[0] + order[SUITS.index(each[1])] for each in hand]

    other = {
        **round,
        "dealer": turned(round["dealer"]),
        "seats": [{**seat, "cards": turned(seat["cards"])} for seat in round["seats"]],
    }
    assert settle_json(json.dumps(other)) == settle_json(json.dumps(round))


@given(rounds())
def test_a_seat_is_settled_the_same_alone(round):
    whole = {seat.seat: seat for seat in settle_json(json.dumps(round)).seats}
    for seat in round["seats"]:
        alone = settle_json(json.dumps({**round, "seats": [seat]}))
        assert alone.seats == [whole[seat["seat"]]]


@pytest.mark.parametrize("dealer", [NO_TEN, *map(dealers, COUNTS)])
def test_a_higher_count_is_never_worse_but_for_5(dealer):
    nets = [settled(players(count), dealer).net for count in COUNTS if count != 5]
    assert nets == sorted(nets)
    assert settled(NONE_EITHER, dealer).net <= nets[0]


def every_setting(hand: list[Card]) -> list[tuple[list[str], list[str]]]:
    return [
        ([str(each) for each in three], [str(each) for each in hand if each not in three])
        for three in combinations(hand, 3)
    ]


def makes_ten(hand: tuple[Card, ...] | list[str]) -> bool:
    """10, 20 or 30 with any value of the joker, straight from the definition."""
    found = [0]
    for each in map(str, hand):
        face = each[0]
        plain = 10 if face in "TJQK" else 1 if face == "A" else int(face)
        found = [
            total + worth for total in found for worth in ((3, 6, 9) if each == "Jk" else [plain])
        ]
    return bool({10, 20, 30} & set(found))


@cites(SAIGON, "680a.11(b)(1)", "680a.11(b)(2)")
@given(st.lists(st.sampled_from(deck_with_joker()), min_size=10, max_size=10, unique=True))
def test_every_setting_of_a_hand_is_taken_or_refused_by_11b(dealt):
    hand, dealer = dealt[:5], [str(each) for each in dealt[5:]]
    names = [str(each) for each in hand]
    can = any(makes_ten(three) for three in combinations(hand, 3))
    best = money(settle_json(round_with({"cards": names}, dealer=dealer)).seats[0].net)
    for three, two in every_setting(hand):
        text = round_with({"cards": names, "three": three, "two": two}, dealer=dealer)
        if makes_ten(three) or not can:
            assert money(settle_json(text).seats[0].net) <= best or JOKER in hand
        else:
            assert refusal(text).code == "not_set_to_qualify"


@given(st.permutations(players(9).split()), st.permutations(dealers(8).split()))
def test_the_order_of_the_cards_is_nothing(mine, dealer):
    assume(mine != players(9).split())
    assert ante(" ".join(mine), " ".join(dealer)) == ante(players(9), dealers(8))


def test_the_example_file_settles():
    out = settle_json(EXAMPLE.read_bytes())
    # the dealer's K-7-3 leave 4 and ace: a 5; the players have 10, 5, 1 with a full house, and 9
    assert [seat.net for seat in out.seats] == ["5.00", "0.00", "80.00", "15.00"]
    assert card("Jk") == JOKER
