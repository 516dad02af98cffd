"""The evaluators on arrays say what the games' own functions say, hand by hand."""

from itertools import combinations
from math import comb

import numpy as np
import plain_poker
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_deals import deck, hands

from houseway.cards import Card
from houseway.game_api import poker
from houseway.games.saigon.hands import bonus_hand
from houseway.games.saigon.maths.bonus_hands import saigon_bonus
from houseway.games.saigon.maths.counts import BONUS
from houseway.games.three_card import hands as three_card
from houseway.games.three_card.maths.counting.counts import FIVE
from houseway.maths.counting import bulk_hands as bulk


def test_every_three_card_hand():
    every = hands(deck())
    assert len(every) == 22_100
    values = bulk.three_card_values(np.array(every))
    assert values.tolist() == [three_card.value(hand) for hand in every]


def test_five_and_six_cards_of_a_small_deck_completely():
    # ranks that hold royal, wheel and ordinary runs: ace, two, three, four, five and ten to king
    pack = deck([0, 1, 2, 3, 12], range(3))
    for size in (5, 6):
        every = hands(pack, size)
        found = bulk.best_five(bulk.masks_of(np.array(every)))
        assert [FIVE[place] for place in found] == [poker.best_five(hand) for hand in every]


@given(st.lists(st.sets(st.integers(0, 51), min_size=6, max_size=6), min_size=1, max_size=40))
def test_any_six_cards(sets):
    every = [sorted(cards) for cards in sets]
    masks = bulk.masks_of(np.array(every))
    plain = [plain_poker.best_five([str(Card(c)) for c in hand]) for hand in every]
    assert [FIVE[place] for place in bulk.best_five(masks)] == plain
    royal = [poker.six_card_royal([Card(c) for c in hand]) is not None for hand in every]
    assert bulk.six_card_royal(masks).tolist() == royal


def test_six_card_royals():
    masks = bulk.masks_of(
        np.array([[28 + 4 * step + suit for step in range(6)] for suit in range(4)])
    )
    assert bulk.six_card_royal(masks).all()
    assert (bulk.best_five(masks) == 0).all()


def saigon(hands_):
    rows = np.array([[int(card) for card in hand] for hand in hands_])
    return [BONUS[place] for place in saigon_bonus(bulk.masks_of(rows), (rows == 52).any(axis=1))]


def plain_bonus(hand):
    name = bonus_hand([Card(card) for card in hand])
    return name if name in BONUS else "nothing"


def test_saigon_bonus_with_the_joker_on_a_small_deck_completely():
    pack = deck([0, 1, 2, 3, 11, 12])
    every = [(*four, 52) for four in combinations(pack, 4)]
    assert saigon(every) == [plain_bonus(hand) for hand in every]


@given(st.lists(st.sets(st.integers(0, 52), min_size=5, max_size=5), min_size=1, max_size=60))
def test_saigon_bonus_of_any_hands(sets):
    every = [sorted(cards) for cards in sets]
    assert saigon(every) == [plain_bonus(hand) for hand in every]


@pytest.mark.slow
def test_canonical_sets_stand_for_every_set_once():
    for size in range(1, 7):
        masks, ways = bulk.canonical_sets(size)
        assert int(ways.sum()) == comb(52, size)
        assert len(np.unique(bulk.canonical_keys(masks))) == len(masks)
        assert (bulk.COUNT[masks].sum(axis=1) == size).all()


def test_canonical_sets_of_a_small_deck_one_by_one():
    ranks = 4
    pack = np.array(hands(deck(range(ranks)), 4))
    seen, counts = np.unique(bulk.canonical_keys(bulk.masks_of(pack)), return_counts=True)
    masks, ways = bulk.canonical_sets(4, ranks)
    keys = bulk.canonical_keys(masks)
    order = np.argsort(keys)
    assert keys[order].tolist() == seen.tolist()
    assert ways[order].tolist() == counts.tolist()


@given(st.sets(st.integers(0, 51), min_size=5, max_size=5))
def test_cards_and_masks_are_the_same_set(cards):
    hand = np.array([sorted(cards)])
    assert bulk.cards_of(bulk.masks_of(hand), 5).tolist() == hand.tolist()
