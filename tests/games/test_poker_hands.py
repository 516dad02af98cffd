"""Five-card hands in five and in six cards: names, counts, six-card royals."""

from collections import Counter
from math import comb

import plain_poker as plain
import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.cards import card, cards, standard_deck
from houseway.game_api.poker import best_five, has_straight, six_card_royal
from houseway.law import MA, MD, PRIME, cites

DECK = standard_deck()

#: any cards, and cards among which flushes and royals are common
five_or_six = st.lists(st.sampled_from(DECK), min_size=5, max_size=6, unique=True) | st.lists(
    st.sampled_from([one for one in DECK if one.suit == 2 or one.rank > 6]),
    min_size=5,
    max_size=6,
    unique=True,
)


def counted(size: int) -> Counter[str]:
    """The program's own name for every hand of a given size."""
    found: Counter[str] = Counter()
    for numbers, hands in plain.suit_classes(size):
        found[best_five([DECK[number] for number in numbers])] += hands
    assert found.total() == comb(52, size)
    return found


@cites(MD, "6.G", "6.G(1)", "6.G(2)", "6.G(3)", "6.G(4)", "6.G(5)", "6.G(6)", "6.G(7)")
@pytest.mark.slow
def test_all_2_598_960_five_card_hands_fall_into_their_ranks() -> None:
    distinct = comb(13, 5)
    assert counted(5) == {
        "royal_flush": 4,
        "straight_flush": 4 * (plain.RUNS - 1),
        "four_of_a_kind": 13 * 48,
        "full_house": 13 * comb(4, 3) * 12 * comb(4, 2),
        "flush": 4 * (distinct - plain.RUNS),
        "straight": plain.RUNS * (4**5 - 4),
        "three_of_a_kind": 13 * comb(4, 3) * comb(12, 2) * 4**2,
        "two_pair": comb(13, 2) * comb(4, 2) ** 2 * 11 * 4,
        "pair": 13 * comb(4, 2) * comb(12, 3) * 4**3,
        "high_card": (distinct - plain.RUNS) * (4**5 - 4),
    }


@cites(MD, "6.F", "6.F(1)", "6.F(2)", "6.F(3)", "6.F(4)", "6.F(5)", "6.F(6)", "6.F(7)")
@cites(MD, "11.D(8)(b)")
@pytest.mark.slow
def test_all_20_358_520_six_card_hands_fall_into_the_rank_of_their_best_five() -> None:
    assert counted(6) == plain.six_card_counts()


@cites(MD, "6.F", "6.G", "11.D(8)(b)", "11.D(9)(c)")
@cites(MA, "6(g)(1)")
@cites(PRIME, "679a.6(d)*")
@given(five_or_six)
def test_the_best_five_are_the_best_of_all_fives(hand) -> None:
    assert best_five(hand) == plain.best_five(list(map(str, hand)))


@cites(MD, "6.G")
@pytest.mark.slow
def test_every_five_cards_are_called_what_the_plain_ranking_calls_them() -> None:
    for numbers, _ in plain.suit_classes(5):
        hand = [DECK[number] for number in numbers]
        assert best_five(hand) == plain.five_card(list(map(str, hand)))


@cites(MD, "6.C")
@given(five_or_six, st.permutations("cdhs"), st.randoms(use_true_random=False))
def test_neither_suits_nor_order_matter(hand, suits, chance) -> None:
    """What lets the counts above look at one hand of each class of suits."""
    renamed = [card(str(one)[0] + suits["cdhs".index(str(one)[1])]) for one in hand]
    chance.shuffle(renamed)
    assert best_five(renamed) == best_five(hand)


@cites(MD, "6.F(8)", "11.D(8)(d)")
@pytest.mark.slow
def test_four_of_all_six_card_hands_are_super_royals() -> None:
    found = [
        numbers
        for numbers, _ in plain.suit_classes(6)
        if six_card_royal([DECK[number] for number in numbers]) is not None
    ]
    assert [[DECK[number].rank for number in numbers] for numbers in found] == [
        [card(f"{rank}s").rank for rank in "9TJQKA"]
    ]


@cites(MD, "6.F(8)", "7.F(5)(a)", "11.D(8)(d)")
@cites(PRIME, "679a.6(d)(1)")
@pytest.mark.parametrize(("suit", "number"), [("c", 0), ("d", 1), ("h", 2), ("s", 3)])
def test_a_super_royal_knows_its_suit(suit: str, number: int) -> None:
    hand = cards(f"A{suit} 9{suit} Q{suit} K{suit} T{suit} J{suit}")
    assert six_card_royal(hand) == number
    assert best_five(hand) == "royal_flush"
    for other in ("9", "A"):
        without = [one for one in hand if str(one)[0] != other]
        assert six_card_royal([*without, card(f"8{suit}")]) is None
        assert six_card_royal([*without, card(f"{other}{'cdhs'[number - 1]}")]) is None


@cites(MD, "6.F(2)", "6.F(6)")
@pytest.mark.parametrize(
    ("hand", "name"),
    [
        ("As 2s 3s 4s 5s 9d", "straight_flush"),
        ("9s Ts Js Qs Ks 2d", "straight_flush"),
        ("Ts Js Qs Ks As 9d", "royal_flush"),  # a nine of another suit changes nothing
        ("As 2h 3d 4c 5s Kd", "straight"),
        ("Qs Kh Ad 2c 3s 4d", "high_card"),  # nothing goes round the ace
        ("Ts Js Qs Kd As Ah", "straight"),
        ("2s 5s 9s Js Ks Kd", "flush"),
        ("7s 7h 7d 4s 4h 4d", "full_house"),
        ("7s 7h 4d 4s 2h 2d", "two_pair"),
    ],
)
def test_hands_at_the_edges(hand: str, name: str) -> None:
    assert best_five(cards(hand)) == name


#: every rank of the text with its highest, its lowest and a middling hand of five cards
RANKED = {
    "royal_flush": ("Ts Js Qs Ks As", "Ac Kc Qc Jc Tc"),
    "straight_flush": ("9d Td Jd Qd Kd", "Ah 2h 3h 4h 5h", "6c 5c 8c 7c 4c"),
    "four_of_a_kind": ("As Ah Ad Ac Ks", "2s 2h 2d 2c 3s", "8s 8h 8d 8c As"),
    "full_house": ("As Ah Ad Ks Kh", "2s 2h 2d 3s 3h", "4s 4h 9d 9s 9h"),
    "flush": ("As Ks Qs Js 9s", "2c 3c 4c 5c 7c", "Ad 2d 3d 4d 6d"),
    "straight": ("As Kh Qd Jc Ts", "As 2h 3d 4c 5s", "9s Th Jd Qc Kc"),
    "three_of_a_kind": ("As Ah Ad Ks Qh", "2s 2h 2d 4s 3h", "7c 7d 7s Ah 2c"),
    "two_pair": ("As Ah Ks Kh Qd", "2s 2h 3s 3h 4d"),
    "pair": ("As Ah Ks Qh Jd", "2s 2h 5s 4h 3d"),
    "high_card": ("As Kh Qd Jc 9s", "7s 5h 4d 3c 2s", "Ks Ah 2d 3c 4s"),
}


@cites(MD, "6.G*", "6.F", "6.F(1)", "6.F(2)", "6.F(3)", "6.F(4)", "6.F(5)", "6.F(6)", "6.F(7)")
@cites(PRIME, "679a.6(d)", "679a.6(d)(2)", "679a.6(d)(3)", "679a.6(d)(4)", "679a.6(d)(5)")
@cites(PRIME, "679a.6(d)(6)", "679a.6(d)(7)", "679a.6(d)(8)")
@pytest.mark.parametrize("name", RANKED)
def test_every_rank_alone_and_with_a_sixth_card(name: str) -> None:
    """A sixth card never makes a hand less, and the highest of two that it holds is its name."""
    order = list(RANKED)
    for text in RANKED[name]:
        hand = cards(text)
        assert best_five(hand) == name
        assert best_five(hand[::-1]) == name
        for sixth in DECK:
            if sixth not in hand:
                found = best_five([*hand, sixth])
                assert order.index(found) <= order.index(name)
                assert found == plain.best_five([*map(str, hand), str(sixth)])


@cites(MD, "6.F(6)", "6.G(6)")
def test_ten_of_all_rank_sets_of_five_are_runs() -> None:
    fives = [ranks for ranks in range(1 << 13) if ranks.bit_count() == 5]
    runs = [ranks for ranks in fives if has_straight(ranks)]
    assert len(fives) == comb(13, 5)
    assert sorted(runs) == sorted([0b1_0000_0000_1111, *(0b11111 << low for low in range(9))])
