"""Saigon 5 Card settled through the public surface: every branch, every row, every round."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from saigon_rounds import (
    COUNTS,
    NO_TEN,
    NONE_EITHER,
    dealers,
    money,
    players,
    refusal,
    round_with,
    rounds,
)

import houseway
from houseway.cards import JOKER, SUITS, Card, deck_with_joker
from houseway.game_api.settle import settle_json
from houseway.law import SAIGON, cites

EXAMPLE = Path(__file__).parents[2] / "examples" / f"{SAIGON}.json"


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


# What holds in every round.


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
            net = money(settle_json(text).seats[0].net)
            # without the joker all settings that qualify come to the same
            assert JOKER in hand or net == best
        else:
            assert refusal(text).code == "not_set_to_qualify"


@given(st.permutations(players(9).split()), st.permutations(dealers(8).split()))
def test_the_order_of_the_cards_is_nothing(mine, dealer):
    assert ante(" ".join(mine), " ".join(dealer)) == ante(players(9), dealers(8))


def test_the_example_file_settles():
    out = settle_json(EXAMPLE.read_bytes())
    # the dealer's K-7-3 leave 4 and ace: a 5; the players have 10, 5, 1 with a full house, and 9
    assert [seat.net for seat in out.seats] == ["5.00", "0.00", "80.00", "15.00"]
