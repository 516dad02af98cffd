"""The best five-card hand of five or six cards, against a twin that tries every five."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.cards import ACE, TEN, Card, cards, standard_deck
from houseway.games.poker import NAMES, best_five, six_card_royal
from houseway.law import MA, MD, PRIME, cites


def plain_five(hand: tuple[Card, ...]) -> str:
    """Five cards, straight from the clause that defines each rank."""
    ranks = sorted(card.rank for card in hand)
    counts = sorted(Counter(ranks).values(), reverse=True)
    flush = len({card.suit for card in hand}) == 1
    in_a_row = len(set(ranks)) == 5 and ranks[4] - ranks[0] == 4
    straight = in_a_row or ranks == [0, 1, 2, 3, ACE]
    if flush and straight:
        return "royal_flush" if ranks[0] == TEN else "straight_flush"
    if counts[0] == 4:
        return "four_of_a_kind"
    if counts[:2] == [3, 2]:
        return "full_house"
    if flush:
        return "flush"
    if straight:
        return "straight"
    if counts[0] == 3:
        return "three_of_a_kind"
    if counts[:2] == [2, 2]:
        return "two_pair"
    return "pair" if counts[0] == 2 else "high_card"


def plain_best(hand: tuple[Card, ...]) -> str:
    """The highest rank among every five of the cards."""
    return min((plain_five(five) for five in combinations(hand, 5)), key=NAMES.index)


hands = st.lists(st.sampled_from(standard_deck()), min_size=5, max_size=6, unique=True).map(tuple)
suited = st.lists(
    st.sampled_from([card for card in standard_deck() if card.suit == 2 or card.rank > 6]),
    min_size=5,
    max_size=6,
    unique=True,
).map(tuple)


@cites(MD, "6.F*", "6.G*", "11.D(8)(b)", "11.D(9)(c)")
@cites(MA, "6(g)(1)")
@cites(PRIME, "679a.6(d)*")
@settings(max_examples=800)
@given(hands | suited)
def test_best_five_is_the_best_of_every_five(hand: tuple[Card, ...]) -> None:
    assert best_five(hand) == plain_best(hand)


def test_every_name_has_a_hand() -> None:
    examples = {
        "royal_flush": "As Ks Qs Js Ts 2c",
        "straight_flush": "Ah 2h 3h 4h 5h 9c",
        "four_of_a_kind": "8c 8d 8h 8s Kd Kc",
        "full_house": "8c 8d 8h Ks Kd Kc",
        "flush": "2d 5d 9d Jd Kd Ks",
        "straight": "Ac Kd Qh Js Td Tc",
        "three_of_a_kind": "7c 7d 7h As Jd 2c",
        "two_pair": "7c 7d As Ah 2d 2c",
        "pair": "7c 7d As Kh 2d 4c",
        "high_card": "7c 9d As Kh 2d 4c",
    }
    assert set(examples) == set(NAMES)
    for name, hand in examples.items():
        assert best_five(cards(hand)) == name


@cites(MD, "6.F(8)")
@cites(PRIME, "679a.6(d)(1)")
def test_a_six_card_royal_is_nine_to_ace_of_one_suit() -> None:
    assert six_card_royal(cards("Ad Kd Qd Jd Td 9d")) == 1
    assert six_card_royal(cards("Ad Kd Qd Jd Td 9c")) is None
    assert six_card_royal(cards("8d Kd Qd Jd Td 9d")) is None
    assert six_card_royal(cards("Ad Kd Qd Jd Td 8d")) is None
