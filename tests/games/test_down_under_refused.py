"""Rounds of Down Under Blackjack that could not have happened, each refused with its place."""

import json
from random import Random

import plain_blackjack as plain
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from houseway.errors import Refused
from houseway.game_api.notation import deal
from houseway.game_api.settle import settle, settle_json
from houseway.law import DOWN_UNDER, choose, cites

LETTER = choose(DOWN_UNDER)
USUAL = choose(DOWN_UNDER, {"dealer_soft_22": "counts_as_12"})


def refused(dealer, *hands, rules=LETTER, wagers=None, seat=1, **given):
    """How a round with one seat and a bet of ten dollars is refused."""
    held = [
        {"split": len(hands) > 1, **(hand if isinstance(hand, dict) else {"cards": hand})}
        for hand in hands
    ]
    wagers = {"bet": "10.00"} if wagers is None else wagers
    with pytest.raises(Refused) as info:
        settle(deal(rules, dealer=dealer, seats={seat: {"wagers": wagers, "hands": held, **given}}))
    found = info.value
    return found.code, found.clause, found.seat, found.field


def settles(dealer, *hands, rules=LETTER, **given):
    held = [{"cards": hand, "split": len(hands) > 1} for hand in hands]
    seats = {1: {"wagers": {"bet": "10.00"}, "hands": held, **given}}
    return settle(deal(rules, dealer=dealer, seats=seats))


# --- wagers


@cites(DOWN_UNDER, "685a.6(d)")
def test_without_a_bet_there_is_no_hand():
    assert refused("Ks 9d", "Th Qc", wagers={})[0] == "no_wager"
    rules = choose(DOWN_UNDER, {"match_the_dealer": True})
    found = refused("Ks 9d", "Th Qc", rules=rules, wagers={"match_the_dealer": "1.00"})
    assert found == ("standard_wager_missing", "685a.6(e)", 1, "wagers.match_the_dealer")
    found = refused("As 9d", "Th Qc", wagers={"insurance": "1.00"})
    assert found == ("standard_wager_missing", "685a.8(b)", 1, "wagers.insurance")


@pytest.mark.parametrize(
    ("wagers", "code", "field"),
    [
        ({"bet": "10.00", "match_the_dealer": "1.00"}, "wager_not_offered", "match_the_dealer"),
        ({"bet": "10.00", "ante": "1.00"}, "wager_not_offered", "ante"),
        ({"bet": "0.00"}, "no_wager", "bet"),
        ({"bet": "10.25"}, "not_in_chips", "bet"),
        ({"bet": "ten"}, "not_an_amount", "bet"),
        # 3 to 2 on an odd number of chips would need half a chip
        ({"bet": "10.50"}, "not_payable", "bet"),
    ],
)
@cites(DOWN_UNDER, "685a.6(e)", "685a.11(a)")
def test_a_wager_that_is_not_offered_or_not_in_chips(wagers, code, field):
    found = refused("Ks 9d", "Th Qc", wagers=wagers)
    assert (found[0], found[2], found[3]) == (code, 1, f"wagers.{field}")


def test_the_posted_limits():
    rules = choose(DOWN_UNDER, limits={"bet": {"min": "15.00", "max": "100.00"}})
    assert refused("Ks 9d", "Th Qc", rules=rules)[0] == "below_minimum"
    found = refused("Ks 9d", "Th Qc", rules=rules, wagers={"bet": "101.00"})
    assert found[0] == "above_maximum"


@cites(DOWN_UNDER, "685a.8(a)", "685a.8(b)", "685a.7(g)")
def test_insurance_needs_an_ace_and_stays_within_half_the_bet():
    wagers = {"bet": "10.00", "insurance": "5.00"}
    assert refused("Ks 9d", "Th Qc", wagers=wagers) == (
        "decision_not_open", "685a.8(a)", 1, "wagers.insurance",
    )  # fmt: skip
    wagers = {"bet": "10.00", "insurance": "5.50"}
    assert refused("As 9d", "Th Qc", wagers=wagers) == (
        "insurance_above_half", "685a.8(b)", 1, "wagers.insurance",
    )  # fmt: skip


@cites(DOWN_UNDER, "685a.7(g)")
def test_even_money_needs_an_ace_and_a_blackjack_and_no_insurance():
    assert refused("Ks 9d", "Ah Qc", even_money=True)[1] == "685a.8(a)"
    assert refused("As 9d", "Th Qc", even_money=True)[1] == "685a.7(g)"
    found = refused("As 9d", "Ah Qc", even_money=True, wagers={"bet": "10.00", "insurance": "5.00"})
    assert found == ("decision_not_open", "685a.7(g)", 1, "even_money")
    # ace and ten after a split are no blackjack
    assert refused("As 9d", "Ah Qc", "Ad Qd", even_money=True)[1] == "685a.7(g)"


# --- seats


@cites(DOWN_UNDER, "685a.2(a)")
def test_there_are_six_seats():
    for seat in (0, 7):
        assert refused("Ks 9d", "Th Qc", seat=seat)[:2] == ("no_such_seat", "685a.2(a)")
    hand = {"seat": 1, "wagers": {"bet": "10.00"}, "hands": [{"cards": ["Th", "Qc"]}]}
    with pytest.raises(Refused) as info:
        settle_json(
            json.dumps({"chapter": DOWN_UNDER, "dealer": ["Ks", "9d"], "seats": [hand, hand]})
        )
    assert info.value.code == "seat_twice"


@cites(DOWN_UNDER, "685a.6(f)")
def test_one_player_on_several_boxes():
    def table(rules, *seats):
        hand = {"wagers": {"bet": "10.00"}, "hands": [{"cards": "Th Qc"}], "player": "Ada"}
        return settle(deal(rules, dealer="Ks 9d", seats=dict.fromkeys(seats, hand)))

    two = choose(DOWN_UNDER, {"adjacent_boxes": 2})
    assert [seat.net for seat in table(two, 3, 4).seats] == [1000, 1000]
    for rules, seats, code in (
        (LETTER, (3, 4), "too_many_boxes"),
        (two, (3, 4, 5), "too_many_boxes"),
        (two, (3, 5), "boxes_not_adjacent"),
    ):
        with pytest.raises(Refused) as info:
            table(rules, *seats)
        assert (info.value.code, info.value.clause) == (code, "685a.6(f)")


# --- the player's hands


@pytest.mark.parametrize(
    ("hands", "clause", "field"),
    [
        (["Th Qc 5d 2c"], "685a.7(k)", "hands.1.cards"),  # bust already
        (["Th 5c 6d 2c"], "685a.7(k)(1)", "hands.1.cards"),  # hard 21
        (["Ah 4c 6d 2c"], "685a.7(k)(1)", "hands.1.cards"),  # soft 21
        (["Ah Kc 2d"], "685a.7(i)(1)", "hands.1.cards"),  # a blackjack is paid and gone
        ([{"cards": "Ah Kc 2d", "doubled": True}], "685a.7(i)(1)", "hands.1.doubled"),
        (["Ah 2c 3d", "Ad 5c"], "685a.10(e)", "hands.1.cards"),  # split aces get one card
        ([{"cards": "Ah 2c 3d", "doubled": True}, "Ad 5c"], "685a.10(e)", "hands.1.doubled"),
        ([{"cards": "Kh Ac 3d", "doubled": True}, "Kd 5c"], "685a.7(k)(1)", "hands.1.doubled"),
        (["9h 2c", "8d 3c"], "685a.10(a)", "hands"),  # not alike
        (["9h 2c", "Td 3c"], "685a.10(a)", "hands"),
        (["Ah 2c", "Kd 3c"], "685a.10(a)", "hands"),
    ],
)
@cites(DOWN_UNDER, "685a.7(i)(2)", "685a.7(k)", "685a.7(k)(1)", "685a.9(a)", "685a.10(a)")
@cites(DOWN_UNDER, "685a.10(e)")
def test_a_decision_that_was_not_open(hands, clause, field):
    assert refused("Ks 9d", *hands) == ("decision_not_open", clause, 1, field)


@cites(DOWN_UNDER, "685a.7(k)(2)")
def test_a_double_draws_one_card():
    for held in ("6h 5c", "6h 5c 2d 3d"):
        found = refused("Ks 9d", {"cards": held, "doubled": True})
        assert found == ("wrong_number_of_cards", "685a.7(k)(2)", 1, "hands.1.cards")


@cites(DOWN_UNDER, "685a.9(a)")
def test_a_double_is_in_chips_and_no_more_than_the_bet():
    found = refused("Ks 9d", {"cards": "6h 5c 2d", "doubled": "10.50"})
    assert found == ("double_above_bet", "685a.9(a)", 1, "hands.1.doubled")
    found = refused("Ks 9d", {"cards": "6h 5c 2d", "doubled": "2.25"})
    assert found == ("not_in_chips", None, 1, "hands.1.doubled")


@cites(DOWN_UNDER, "685a.10(a)", "685a.10(c)")
def test_how_many_hands_there_can_be():
    assert refused("Ks 9d")[0] == "wrong_number_of_hands"
    found = refused("Ks 9d", "8h 2c", "8d 3c", "8c 4c")
    assert found == ("wrong_number_of_hands", "685a.10(c)", 1, "hands")
    found = refused("Ks 9d", {"cards": "8h 8c", "split": True})
    assert found == ("wrong_number_of_hands", "685a.10(a)", 1, "hands")
    unmarked = [{"cards": "8h 2c", "split": False}, {"cards": "8d 2c", "split": False}]
    assert refused("Ks 9d", *unmarked)[:2] == ("wrong_number_of_hands", "685a.10(a)")


@cites(DOWN_UNDER, "685a.10(a)")
def test_what_is_wagered_on_a_split_or_a_double_agrees_with_the_hands():
    wagers = {"bet": "10.00", "split": "5.00"}
    found = refused("Ks 9d", "8h 2c", "8d 3c", wagers=wagers)
    assert found == ("wager_not_as_played", "685a.10(a)", 1, "wagers.split")
    found = refused("Ks 9d", "8h 2c", wagers={"bet": "10.00", "double": "5.00"})
    assert found == ("wager_not_as_played", "685a.9(a)", 1, "wagers.double")
    same = {"bet": "10.00", "split": "10.00"}
    split = [{"cards": "8h 2c", "split": True}, {"cards": "8d 3c", "split": True}]
    seats = {1: {"wagers": same, "hands": split}}
    assert settle(deal(LETTER, dealer="Ks 9d", seats=seats)).seat(1).net == -2000


def test_a_hand_with_too_few_cards():
    for held in ("", "8h"):
        found = refused("Ks 9d", held)
        assert found == ("wrong_number_of_cards", "685a.7(e)", 1, "hands.1.cards")
    assert refused("Ks 9d", "8h 2c", "8d")[3] == "hands.2.cards"


def test_what_belongs_to_other_games():
    for given_, value in (
        ("fourth", "8h"),
        ("three", "8h 2c 3c"),
        ("two", "8h 2c"),
        ("cards", "8h 2c"),
        ("coupon", {"bet": "5.00"}),
    ):
        found = refused("Ks 9d", "8h 2c", **{given_: value})
        assert found == ("not_in_this_game", None, 1, given_)
    found = refused("Ks 9d", {"cards": "8h 2c", "wagers": {"bet": "1.00"}})
    assert found == ("not_in_this_game", None, 1, "hands.1")
    seats = {1: {"wagers": {"bet": "10.00"}, "hands": [{"cards": "8h 2c"}]}}
    with pytest.raises(Refused) as info:
        settle(deal(LETTER, dealer="Ks 9d", community="2c", seats=seats))
    assert (info.value.code, info.value.field) == ("not_in_this_game", "community")


@cites(DOWN_UNDER, "685a.7(i)(2)")
def test_nobody_surrenders_or_folds():
    for decision in ("surrender", "fold", "play"):
        found = refused("Ks 9d", "8h 2c", decision=decision)
        assert found == ("decision_not_open", "685a.7(i)(2)", 1, "decision")


# --- the dealer


@pytest.mark.parametrize(
    ("dealer", "rules", "code", "clause"),
    [
        ("Ks", LETTER, "wrong_number_of_cards", "685a.7(e)"),
        ("Ks 6d", LETTER, "dealer_drew_too_few", "685a.7(m)"),
        ("As 5d", LETTER, "dealer_drew_too_few", "685a.7(m)"),
        ("As 5d 6h", USUAL, "dealer_drew_too_few", "685a.7(m)"),
        ("As Ad", USUAL, "dealer_drew_too_few", "685a.7(m)"),
        ("Ks 7d 2h", LETTER, "dealer_drew_too_many", "685a.7(m)"),
        ("As 6d 2h", LETTER, "dealer_drew_too_many", "685a.7(m)"),  # stands on a soft 17
        ("As Ad 5h", LETTER, "dealer_drew_too_many", "685a.7(m)"),
        ("As 5d 6h 5c", LETTER, "dealer_drew_too_many", "685a.7(m)"),
        ("Ks 6d 6h 2c", LETTER, "dealer_drew_too_many", "685a.7(m)"),  # stands on a hard 22
        ("Ks 6d 6h 2c", USUAL, "dealer_drew_too_many", "685a.7(m)"),
        ("Ks 6d 8h 2c", LETTER, "dealer_drew_too_many", "685a.7(m)"),  # bust
        ("As Kd 2c", LETTER, "dealer_drew_too_many", "685a.7(h)"),
    ],
)
@cites(DOWN_UNDER, "685a.7(h)", "685a.7(m)")
def test_the_dealer_draws_exactly_as_the_text_says(dealer, rules, code, clause):
    assert refused(dealer, "Th Qc", rules=rules) == (code, clause, None, "dealer")


@cites(DOWN_UNDER, "685a.7(l)", "685a.7(m)")
def test_with_no_hand_left_the_dealers_draws_may_be_left_out():
    bust, blackjack = ["Th Qc 5d"], ["Ah Qc"]
    for hands in (bust, blackjack, ["Kh 5c 8d", "Qh 5d 9d"]):
        without, complete = settles("Ks 5d", *hands), settles("Ks 5d 6h", *hands)
        assert without == complete
        assert refused("Ks 2d 3h", *hands)[0] == "dealer_drew_too_few"
        assert refused("Ks 5d 6h 2c", *hands)[0] == "dealer_drew_too_many"
    # a hand of another box that is still in asks for them
    with pytest.raises(Refused) as info:
        settle(
            deal(
                LETTER,
                dealer="Ks 5d",
                seats={
                    1: {"wagers": {"bet": "10.00"}, "hands": [{"cards": "Th Qc 5d"}]},
                    2: {"wagers": {"bet": "10.00"}, "hands": [{"cards": "Th Qc"}]},
                },
            )
        )
    assert info.value.code == "dealer_drew_too_few"


@cites(DOWN_UNDER, "685a.7(h)", "685a.9(b)", "685a.10(d)")
def test_nobody_draws_against_a_dealers_blackjack():
    found = refused("Ks Ad", "8h 2c 5d")
    assert found == ("decision_not_open", "685a.7(h)", 1, "hands.1.cards")


# --- the pack


@cites(DOWN_UNDER, "685a.3(a)")
def test_no_card_is_out_more_often_than_there_are_decks():
    for decks in (4, 5, 6, 8):
        rules = choose(DOWN_UNDER, {"decks": decks, "adjacent_boxes": 6})
        twos = " ".join(["2h"] * decks)
        pair = {1: {"wagers": {"bet": "10.00"}, "hands": [{"cards": twos}]}}
        assert settle(deal(rules, dealer="Ks 9d", seats=pair)).seat(1).net == -1000
        one_more = {**pair, 2: {"wagers": {"bet": "10.00"}, "hands": [{"cards": "2h 3c"}]}}
        with pytest.raises(Refused) as info:
            settle(deal(rules, dealer="Ks 9d", seats=one_more))
        found = info.value
        assert (found.code, found.clause) == ("card_twice", "685a.3(a)")
        assert (found.seat, found.field) == (2, "hands.1.cards")


def test_a_card_that_does_not_exist():
    assert refused("Ks 9d", "Th 1c")[0] == "no_such_card"
    assert refused("Ks 9d", "Th Jk")[0] == "card_not_in_deck"


@pytest.mark.parametrize(
    ("dealer", "hands", "seat", "field"),
    [
        ("Jk 9d", ["Th 9c"], None, "dealer"),
        ("Ks Jk", ["Th 9c"], None, "dealer"),
        ("Ks 2d Jk", ["Th 9c"], None, "dealer"),
        ("Ks 9d", ["Jk 2c 5h"], 1, "hands.1.cards"),
        ("Ks 9d", ["5d 2c Jk"], 1, "hands.1.cards"),
        ("Ks 9d", [{"cards": "5d Jk 3c", "doubled": True}], 1, "hands.1.cards"),
        ("Ks 9d", ["8d 9c", "8h Jk"], 1, "hands.2.cards"),
    ],
)
@cites(DOWN_UNDER, "685a.3(a)")
def test_a_joker_is_refused_wherever_it_lies(dealer, hands, seat, field):
    assert refused(dealer, *hands) == ("card_not_in_deck", "685a.3(a)", seat, field)


# --- rules


@cites(DOWN_UNDER, "685a.3(a)", "685a.3(b)", "685a.6(e)", "685a.6(f)")
@pytest.mark.parametrize(
    ("options", "code", "clause"),
    [
        ({"decks": 7}, "no_such_value", "685a.3(a)"),
        ({"match_the_dealer": True, "decks": 4}, "options_do_not_go_together", "685a.6(e)"),
        ({"match_the_dealer": True, "decks": 5}, "options_do_not_go_together", "685a.6(e)"),
        ({"shuffler": "plain", "decks_in_play": 1}, "options_do_not_go_together", "685a.3(a)"),
        ({"decks_in_play": 2}, "options_do_not_go_together", "685a.3(b)"),
        (
            {"dealing": "continuous_shuffler", "shuffler": "plain"},
            "options_do_not_go_together",
            "685a.5(a)",
        ),
        ({"adjacent_boxes": 7}, "no_such_value", "685a.6(f)"),
        ({"dealer_soft_22": "pushes"}, "no_such_value", "685a.3(d)(3)"),
        ({"payout_limit": "50000.00"}, "no_such_option", None),
    ],
)
def test_rules_that_the_chapter_does_not_allow(options, code, clause):
    with pytest.raises(Refused) as info:
        choose(DOWN_UNDER, options)
    assert (info.value.code, info.value.clause) == (code, clause)


@cites(DOWN_UNDER, "685a.3(b)")
def test_a_shuffler_brings_two_batches_and_a_continuous_one_does_not():
    assert choose(DOWN_UNDER, {"shuffler": "counting"})["decks_in_play"] == 2
    assert choose(DOWN_UNDER, {"dealing": "continuous_shuffler"})["decks_in_play"] == 1


# --- one wrong card in a right round


@given(st.randoms(use_true_random=True), st.sampled_from([22, 21]))
@cites(DOWN_UNDER, "685a.7(m)")
def test_a_dealer_with_one_card_more_or_less_is_refused(chance: Random, most):
    game = plain.play(chance, decks=6, match=False, dealer_most=most, seats=[1, 4])
    assume(
        any(
            plain.best(hand.cards, 21) <= 21
            for box in game.boxes
            if not box.has_blackjack()
            for hand in box.hands
        )
    )
    right = list(game.dealer)
    for wrong in ([*right, "2c"], right[:-1]):
        game.dealer = wrong
        assume(json.dumps(plain.as_round(game)).count('"2c"') <= 6)
        with pytest.raises(Refused) as info:
            settle_json(json.dumps(plain.as_round(game)))
        assert info.value.field == "dealer"


@given(st.randoms(use_true_random=True))
@cites(DOWN_UNDER, "685a.7(k)", "685a.7(k)(1)", "685a.7(k)(2)", "685a.10(e)")
def test_a_card_for_a_finished_hand_is_refused(chance: Random):
    game = plain.play(chance, decks=6, match=False, dealer_most=22, seats=[1, 2, 3])
    finished = [
        hand
        for box in game.boxes
        for hand in box.hands
        if hand.doubled
        or plain.best(hand.cards, 21) >= 21
        or (hand.split and hand.cards[0][0] == "A")
    ]
    assume(finished)
    chance.choice(finished).cards.append("2c")
    with pytest.raises(Refused) as info:
        settle_json(json.dumps(plain.as_round(game)))
    assert info.value.field.startswith("hands.")
