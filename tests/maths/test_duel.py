"""Player against dealer: kernel, plain enumeration and closed combinatorics agree exactly."""

import random
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_deals import QUEEN_HIGH, columns_of, deck, hands, one_color, twos

from houseway.games.three_card import hands as three_card
from houseway.games.three_card.maths.counting import tallies
from houseway.games.three_card.maths.counting.duel import Dealer, Patterns, against, duel
from houseway.games.three_card.maths.counting.duel import twos as count_twos
from houseway.law import MA, MD, PRIME, cites


def by_pattern(pack, patterns, qualifies, weigh=lambda dealer: 1):
    """The plain columns of every hand of a deck, by the pattern's value and suits."""
    return {hand: columns_of(hand, pack, qualifies, weigh=weigh) for hand in hands(pack)}


@pytest.mark.parametrize(
    ("ranks", "suits", "qualifies"),
    [
        ((8, 10, 11, 12), 4, QUEEN_HIGH),  # ace, king, queen and ten: mini royals, and straights
        ((0, 1, 2, 12), 4, three_card.least(2)),  # the wheel
        ((0, 1, 2, 3, 12), 2, three_card.least(3)),  # one color
        ((5, 7, 9), 3, three_card.least(9)),
    ],
)
def test_small_decks_completely(ranks, suits, qualifies):
    pack = deck(ranks, range(suits))
    patterns = Patterns(ranks, suits)
    columns = against(Dealer(patterns), patterns.values, patterns.cards, qualifies).tolist()
    assert sum(patterns.ways) == comb(len(pack), 3)
    plain = by_pattern(pack, patterns, qualifies)
    by_cards = {
        tuple(cards): found for cards, found in zip(patterns.cards.tolist(), columns, strict=True)
    }
    # the example of every pattern, taken card by card
    for cards, found in by_cards.items():
        assert found == plain[tuple(card for card in pack if card in cards)]
    # and all hands together
    whole = [
        sum(w * c[place] for w, c in zip(patterns.ways.tolist(), columns, strict=True))
        for place in range(6)
    ]
    assert whole == [sum(found[place] for found in plain.values()) for place in range(6)]


@settings(max_examples=15, deadline=None)
@given(
    st.sets(st.integers(0, 12), min_size=3, max_size=4),
    st.integers(2, 3),
    st.integers(0, 12),
    st.data(),
)
def test_any_small_deck_with_any_cards_gone_and_weighed(ranks, suits, high, data):
    pack = deck(sorted(ranks), range(suits))
    patterns = Patterns(sorted(ranks), suits)
    hand = data.draw(st.sampled_from(hands(pack)))
    left = [card for card in pack if card not in hand]
    gone = tuple(data.draw(st.lists(st.sampled_from(left), max_size=2, unique=True)))
    removed = [[*hand, *gone]]
    import numpy as np

    for weigh, plain in ((None, lambda d: 1), (count_twos, twos)):
        dealer = Dealer(patterns, weigh) if weigh else Dealer(patterns)
        found = against(
            dealer, np.array([three_card.value(hand)]), np.array(removed), three_card.least(high)
        )
        assert found[0].tolist() == columns_of(
            hand, pack, three_card.least(high), gone, weigh=plain
        )


@cites(MD, "6.D", "6.E", "11.D(3)(c)", "11.D(3)(d)")
def test_hands_of_the_whole_deck_taken_at_random():
    tally = tallies.duel(QUEEN_HIGH)
    patterns = Patterns()
    chance = random.Random(679)
    pack = deck()
    for row in chance.sample(range(len(patterns.values)), 5):
        hand = tuple(pack[card] for card in patterns.cards[row])
        assert tally.dealer[row] == columns_of(hand, pack)


def test_published_counts():
    """Counts that anyone can look up, for example in the Wizard of Odds' Three Card Poker pages."""
    tally = tallies.duel(QUEEN_HIGH)
    assert sum(tally.ways) == comb(52, 3) == 22_100
    assert sum(w * sum(d) for w, d in zip(tally.ways, tally.dealer, strict=True)) == 407_170_400
    qualifying = sum(w for w, v in zip(tally.ways, tally.value, strict=True) if v >= QUEEN_HIGH)
    assert qualifying == 15_380
    # the same from combinatorics: three ranks below a queen, no run, not of one suit
    assert qualifying == comb(52, 3) - (comb(10, 3) - 8) * (4**3 - 4)
    assert tallies.three_card_hands() == {
        "high_card": (comb(13, 3) - 12) * (4**3 - 4),
        "pair": 13 * comb(4, 2) * 48,
        "flush": 4 * (comb(13, 3) - 12),
        "straight": 12 * (4**3 - 4),
        "three_of_a_kind": 13 * comb(4, 3),
        "straight_flush": 4 * 11,
        "mini_royal": 3,
        "mini_royal_spades": 1,
    }


def test_dealer_and_player_see_the_same_deck():
    """Swap the two: below becomes above, and every deal is counted once on each side."""
    tally = tallies.duel(QUEEN_HIGH)
    whole = [sum(w * d[c] for w, d in zip(tally.ways, tally.dealer, strict=True)) for c in range(6)]
    assert whole[0] + whole[3] == whole[2] + whole[5]
    low = 22_100 - 15_380
    assert whole[0] + whole[1] + whole[2] == low * comb(49, 3)


@pytest.mark.parametrize("high", ["J", "K"])
def test_another_qualifier_moves_hands_between_columns_only(high):
    from houseway.cards import RANKS

    plain, other = tallies.duel(QUEEN_HIGH), duel(three_card.least(RANKS.index(high)))
    assert plain.ways == other.ways
    for one, two in zip(plain.dealer, other.dealer, strict=True):
        assert [one[c] + one[c + 3] for c in range(3)] == [two[c] + two[c + 3] for c in range(3)]


@cites(PRIME, "679a.11(d)(1)(ii)", "679a.11(d)(2)(ii)")
def test_colors_and_twos_of_the_whole_deck():
    more = tallies.primes(QUEEN_HIGH)
    assert sum(more.one_color) == 2 * comb(26, 3)
    pack = deck()
    patterns = Patterns()
    chance = random.Random(680)
    for row in chance.sample(range(len(patterns.values)), 3):
        hand = tuple(pack[card] for card in patterns.cards[row])
        assert more.twos[row] == twos(hand)
        assert more.dealer_twos[row] == columns_of(hand, pack, weigh=twos)
    colored = [row for row, hands_ in enumerate(more.one_color) if hands_]
    for row in chance.sample(colored, 3):
        cards = patterns.cards[min(row, len(patterns.values) - 1)]
        # call the two suits in use, or any two, clubs and spades
        suits = dict(zip(dict.fromkeys(int(card) & 3 for card in cards), (0, 3), strict=False))
        hand = tuple(pack[(int(card) & ~3) + suits[int(card) & 3]] for card in cards)
        assert one_color(hand)
        same = columns_of(hand, pack, weigh=lambda d, h=hand: one_color((*h, *d)))
        assert more.same_color[row] == same
        weighed = columns_of(hand, pack, weigh=lambda d, h=hand: one_color((*h, *d)) * twos(d))
        assert more.same_color_twos[row] == weighed


@cites(MA, "3(b)", "3(c)")
def test_rows_stand_by_outcome_and_in_order():
    tally = tallies.duel(QUEEN_HIGH)
    assert tally.value == sorted(tally.value)
    names = [name for name, _ in tallies.groups(QUEEN_HIGH)]
    assert names == list(tallies.three_card_hands())
