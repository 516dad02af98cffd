"""The point counts of 685a, and the decisions that each hand allows."""

from itertools import combinations_with_replacement

import pytest
from plain_blackjack import alike, best, blackjack

from houseway.cards import RANKS, cards, standard_deck
from houseway.games.down_under.hands import (
    both_large,
    dealer_draws,
    dealer_total,
    is_blackjack,
    light,
    open_decisions,
    player_total,
    value_range,
)
from houseway.law import DOWN_UNDER, choose, cites

LETTER = choose(DOWN_UNDER)
USUAL = choose(DOWN_UNDER, {"dealer_soft_22": "counts_as_12"})
READINGS = [(LETTER, 22), (USUAL, 21)]

#: every hand of two to five cards by what it counts; the suit plays no part
HANDS = [
    [rank + "s" for rank in ranks]
    for size in (2, 3, 4, 5)
    for ranks in combinations_with_replacement("23456789TKA", size)
]


@cites(DOWN_UNDER, "685a.3(d)", "685a.3(d)(1)", "685a.3(d)(2)", "685a.3(d)(3)")
def test_every_hand_counts_as_its_aces_allow():
    for hand in HANDS:
        held = cards(hand)
        assert player_total(LETTER, held).points == best(hand, 21)
        for rules, most in READINGS:
            assert dealer_total(rules, held).points == best(hand, most)
            assert dealer_draws(rules, held) == (best(hand, most) < 17)


def test_a_total_is_soft_while_an_ace_counts_eleven():
    for hand in HANDS:
        aces = sum(card[0] == "A" for card in hand)
        lowest = sum(
            1 if card[0] == "A" else 10 if card[0] in "TK" else int(card[0]) for card in hand
        )
        for rules, most in READINGS:
            total = dealer_total(rules, cards(hand))
            assert total.soft == (total.points > lowest)
            assert total.soft <= (aces > 0)
            assert total.points <= most or total.points == lowest


@cites(DOWN_UNDER, "685a.3(d)(2)")
def test_jack_queen_and_king_are_ten():
    for rank in "TJQK":
        assert player_total(LETTER, cards([rank + "h", "7c"])).points == 17


@pytest.mark.parametrize(
    ("hand", "letter", "usual"),
    [("As Ah", 22, 12), ("As 5h 6d", 22, 12), ("As 6h", 17, 17), ("As Kh", 21, 21)],
)
@cites(DOWN_UNDER, "685a.3(d)(3)", "685a.7(m)")
def test_the_dealers_soft_22_by_both_readings(hand, letter, usual):
    assert dealer_total(LETTER, cards(hand)).points == letter
    assert dealer_total(USUAL, cards(hand)).points == usual
    assert dealer_draws(LETTER, cards(hand)) == (letter < 17)
    assert dealer_draws(USUAL, cards(hand)) == (usual < 17)


@cites(DOWN_UNDER, '685a.1 "Blackjack"')
def test_four_times_sixteen_of_all_two_card_hands_are_a_blackjack():
    deck = standard_deck()
    found = [
        (first, second)
        for number, first in enumerate(deck)
        for second in deck[number + 1 :]
        if is_blackjack(LETTER, (first, second))
    ]
    assert len(found) == 4 * 16
    for first, second in found:
        assert blackjack([str(first), str(second)])
    assert not is_blackjack(LETTER, cards("As 5h 5d"))


@cites(DOWN_UNDER, "685a.3(d)#2(1)", "685a.3(d)#2(2)", "685a.3(d)#2(3)")
@cites(DOWN_UNDER, '685a.1 "Small"', '685a.1 "Medium"', '685a.1 "Large"')
def test_the_reader_knows_three_ranges():
    expected = {
        **dict.fromkeys("2345", ("small", "blue")),
        **dict.fromkeys("6789", ("medium", "red")),
        **dict.fromkeys("TJQKA", ("large", "yellow")),
    }
    for card in standard_deck():
        assert (value_range(LETTER, card), light(LETTER, card)) == expected[RANKS[card.rank]]


def test_large_hands_are_two_cards_from_ten_to_ace():
    assert both_large(LETTER, cards("Ts As"))
    assert both_large(LETTER, cards("As Ac"))
    assert not both_large(LETTER, cards("Ts 9s"))
    assert not both_large(LETTER, cards("Ts As Qd"))


@cites(DOWN_UNDER, "685a.7(i)(2)", "685a.7(k)", "685a.7(k)(1)", "685a.9(a)", "685a.10(a)")
@cites(DOWN_UNDER, "685a.10(c)", "685a.10(e)")
def test_what_is_open_on_every_hand():
    for hand in HANDS:
        held = cards(hand)
        below = best(hand, 21) < 21
        first = len(hand) == 2
        expected = {"hit", "stand"} if below else set()
        if below and first:
            expected |= {"double"} | ({"split"} if alike(*hand) else set())
        assert set(open_decisions(LETTER, held)) == expected
        # after a split nothing is split again, and an ace has had its one card
        after = set() if hand[0][0] == "A" else expected - {"split"}
        if hand[0][0] != "A" or first:
            assert set(open_decisions(LETTER, held, from_split=True)) == after


@cites(DOWN_UNDER, "685a.10(a)")
def test_the_texts_examples_of_pairs():
    assert "split" in open_decisions(LETTER, cards("8c 8h"))
    assert "split" in open_decisions(LETTER, cards("Kc Qh"))
    assert "split" in open_decisions(LETTER, cards("Tc Jh"))
    assert "split" not in open_decisions(LETTER, cards("9c Th"))


def test_a_hand_that_waits_for_its_second_card_decides_nothing():
    assert open_decisions(LETTER, cards("8c"), from_split=True) == ()


@cites(DOWN_UNDER, "685a.7(i)(2)")
def test_nobody_surrenders():
    for hand in HANDS:
        assert "surrender" not in open_decisions(LETTER, cards(hand))
