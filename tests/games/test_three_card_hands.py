"""Three-card hands: their names, their order, and how many of each there are."""

from collections import Counter
from itertools import combinations, pairwise, permutations
from math import comb

import plain_poker as plain
import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.cards import card, cards, show, standard_deck
from houseway.games.three_card import hands as three_card
from houseway.law import MD, cites

DECK = standard_deck()
hands = st.lists(st.sampled_from(DECK), min_size=3, max_size=3, unique=True)


def rank_name(hand) -> str:
    return three_card.NAMES[three_card.rank(three_card.value(hand))]


@pytest.fixture(scope="module")
def every_hand():
    """All 22,100 hands with their values."""
    found = {hand: three_card.value(hand) for hand in combinations(DECK, 3)}
    assert len(found) == comb(52, 3)
    return found


@cites(MD, "6.D", "6.D(1)", "6.D(2)", "6.D(3)", "6.D(4)", "6.D(5)")
def test_all_22_100_hands_fall_into_their_ranks(every_hand) -> None:
    sequences = 12  # ace-two-three up to queen-king-ace
    suitings = 4**3
    counted = Counter(three_card.NAMES[three_card.rank(value)] for value in every_hand.values())
    assert counted == {
        "straight_flush": sequences * 4,
        "three_of_a_kind": 13 * comb(4, 3),
        "straight": sequences * (suitings - 4),
        "flush": (comb(13, 3) - sequences) * 4,
        "pair": 13 * comb(4, 2) * 12 * 4,
        "high_card": (comb(13, 3) - sequences) * (suitings - 4),
    }


@cites(MD, "6.A", "6.C", "6.D*", "6.E", "6.E(1)", "6.E(2)")
def test_every_hand_has_the_place_the_plain_ranking_gives_it(every_hand) -> None:
    """The values sort all hands as the clause does, ties included."""
    plainly = {hand: plain.three_card(list(map(str, hand))) for hand in every_hand}
    order = sorted(every_hand, key=every_hand.get)
    for lower, higher in pairwise(order):
        same = every_hand[lower] == every_hand[higher]
        assert plainly[lower] == plainly[higher] if same else plainly[lower] < plainly[higher]


@cites(MD, "6.E(2)")
def test_ties_are_as_many_as_the_ranks_allow(every_hand) -> None:
    """Hands tie exactly when their ranks agree and they are suited alike, or are of one kind."""
    distinct = {
        "straight_flush": 12,
        "three_of_a_kind": 13,
        "straight": 12,
        "flush": comb(13, 3) - 12,
        "pair": 13 * 12,
        "high_card": comb(13, 3) - 12,
    }
    values = set(every_hand.values())
    assert Counter(three_card.NAMES[three_card.rank(value)] for value in values) == distinct


@cites(MD, "6.D", "6.D(1)", "6.D(2)", "6.D(3)", "6.D(4)", "6.D(5)", "6.B", "6.E(1)")
@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("As Ks Qs", "Kh Qh Jh"),  # 6.D(1): highest of the straight flushes
        ("4d 3d 2d", "Ac 3c 2c"),  # and the lowest, with the ace below the two
        ("Ac 3c 2c", "As Ah Ad"),  # any straight flush over any three of a kind
        ("As Ah Ad", "Ks Kh Kd"),  # 6.D(2)
        ("2s 2h 2d", "As Kh Qd"),
        ("As Kh Qd", "Ks Qh Jd"),  # 6.D(3)
        ("4s 3h 2d", "As 3h 2d"),
        ("As 3h 2d", "Ah Kh Jh"),
        ("5h 3h 2h", "As Ah Kd"),  # 6.D(4): the lowest flush over the highest pair
        ("As Ah 2d", "Ks Kh Ad"),  # 6.D(5)
        ("2s 2h 3d", "As Kh Jd"),
        ("3s 3h 2d", "2s 2h Ad"),  # the pair before the odd card
        ("9s 9h 5d", "9c 9d 4d"),
        ("Ah Jh 3h", "As Js 2s"),  # 6.E(1): card by card
        ("Qs 9h 5d", "Qh 9d 4c"),
        ("As Kh Td", "Ah Kd 9c"),
    ],
)
def test_the_order_of_the_text(higher: str, lower: str) -> None:
    assert three_card.value(cards(higher)) > three_card.value(cards(lower))


@cites(MD, "6.B")
@pytest.mark.parametrize("hand", ["Ks Ah 2d", "Qs Kh 2d", "As 2h 4d", "As 3h 4d"])
def test_no_sequence_goes_round_the_ace(hand: str) -> None:
    assert rank_name(cards(hand)) == "high_card"


@cites(MD, "6.C", "6.E(2)")
@given(hands, st.permutations("cdhs"))
def test_suits_are_equal(hand, suits) -> None:
    renamed = [card(str(one)[0] + suits["cdhs".index(str(one)[1])]) for one in hand]
    assert three_card.value(renamed) == three_card.value(hand)


@cites(MD, "11.D(3)(b)")
@given(hands)
def test_a_hand_is_worth_the_same_in_any_order(hand) -> None:
    assert len({three_card.value(order) for order in permutations(hand)}) == 1


@cites(MD, "12.E(2)", "1.B(3)")
def test_ace_king_queen_suited_has_names_of_its_own(every_hand) -> None:
    """The most particular name comes first, and only four hands have one."""
    named = {
        show(hand): three_card.outcomes(hand, value)
        for hand, value in every_hand.items()
        if len(three_card.outcomes(hand, value)) > 1
    }
    assert named == {
        f"Q{suit} K{suit} A{suit}": (
            *(["mini_royal_spades"] if suit == "s" else []),
            "mini_royal",
            "straight_flush",
        )
        for suit in "cdhs"
    }


@cites(MD, "11.D(3)(c)", "11.D(3)(d)")
def test_queen_high_is_where_the_dealer_begins_to_play(every_hand) -> None:
    least = three_card.least(card("Qs").rank)
    below = [hand for hand, value in every_hand.items() if value < least]
    # three different ranks from the two to the jack, neither in sequence nor of one suit
    sequences = 8  # two-three-four up to nine-ten-jack
    assert len(below) == (comb(10, 3) - sequences) * (4**3 - 4)
    assert all(one.rank < card("Qs").rank for hand in below for one in hand)
