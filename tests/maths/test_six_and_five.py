"""Six and five cards, and how they meet the duel: against deals taken one by one, and formulas."""

import random
from collections import Counter
from itertools import combinations
from math import comb

import plain_poker
import pytest
from plain_deals import QUEEN_HIGH, column, dealers, deck, hands, one_color, six_outcome, twos

from houseway.cards import Card, cards
from houseway.game_api import poker
from houseway.games.three_card import hands as three_card
from houseway.games.three_card.maths.counting import tallies
from houseway.games.three_card.maths.counting.counts import FIVE, FIVE_PAID, SIX, SIX_PAID
from houseway.games.three_card.maths.counting.duel import Patterns
from houseway.law import MA, MD, PRIME, cites

PACK = deck()


@cites(MD, "6.F", "12.F")
@cites(PRIME, "679a.6(d)")
def test_six_cards_by_combinatorics():
    found = tallies.six_card_hands()
    closed = plain_poker.six_card_counts()
    assert found["six_card_royal_diamonds"] == 1
    assert found["six_card_royal"] == 3
    assert sum(found.values()) == comb(52, 6) == 20_358_520
    royals = found["six_card_royal_diamonds"] + found["six_card_royal"]
    assert {name: found[name] + (royals if name == "royal_flush" else 0) for name in FIVE} == closed


@cites(MD, "6.G", "12.G")
def test_five_cards_are_the_well_known_counts():
    """The frequencies of poker hands that every book and encyclopedia prints."""
    assert tallies.five_card_hands() == {
        "royal_flush": 4, "straight_flush": 36, "four_of_a_kind": 624, "full_house": 3_744,
        "flush": 5_108, "straight": 10_200, "three_of_a_kind": 54_912, "two_pair": 123_552,
        "pair": 1_098_240, "high_card": 1_302_540,
    }  # fmt: skip


def entries(row):
    """The splits of one row: by column and outcome, what was counted."""
    s = tallies.splits(QUEEN_HIGH)
    return {
        (s.column[at], SIX[s.six[at]]): (
            s.deals[at], s.twos[at], s.one_color[at], s.both_one_color[at]
        )
        for at in range(len(s.row))
        if s.row[at] == row
    }  # fmt: skip


def plain_splits(hand):
    """The same for one hand, dealer by dealer."""
    mine = three_card.value(hand)
    found = Counter()
    for dealer in dealers(hand, PACK):
        outcome = six_outcome(hand, dealer)
        if SIX.index(outcome) < SIX_PAID:
            key = (column(mine, three_card.value(dealer)), outcome)
            found[key, "deals"] += 1
            found[key, "twos"] += twos(dealer)
            found[key, "one"] += one_color(hand)
            found[key, "both"] += one_color((*hand, *dealer))
    return found


def test_splits_of_hands_taken_at_random():
    """Deals and twos do not depend on which suits a hand has, so one hand speaks for its row."""
    tally = tallies.duel(QUEEN_HIGH)
    patterns = Patterns()
    for row in random.Random(7).sample(range(len(patterns.values) - 1), 4):
        hand = tuple(PACK[card] for card in patterns.cards[row])
        plain = plain_splits(hand)
        kept = {key: (deals, seen) for key, (deals, seen, _, _) in entries(row).items()}
        # diamonds are named by suit and not by pattern: put the six-card royals together
        assert _joined(kept) == {
            key: (tally.ways[row] * plain[key, "deals"], tally.ways[row] * plain[key, "twos"])
            for key, what in plain
            if what == "deals"
        }


def _joined(kept):
    joined = {}
    for (place, outcome), (deals, seen) in kept.items():
        key = (place, "six_card_royal" if "six_card_royal" in outcome else outcome)
        old = joined.get(key, (0, 0))
        joined[key] = (old[0] + deals, old[1] + seen)
    return joined


@pytest.mark.parametrize("ranks", ["9 8 7", "A K Q"])
def test_splits_of_every_hand_of_a_suited_row(ranks):
    """All four hands of a row, colors and named suits included; spades and diamonds are named."""
    tally = tallies.duel(QUEEN_HIGH)
    plain, spades = Counter(), Counter()
    for suit in "cdhs":
        hand = cards([rank + suit for rank in ranks.split()])
        (spades if suit == "s" and ranks == "A K Q" else plain).update(plain_splits(hand))
    value = three_card.value(hand)
    rows = [row for row, of in enumerate(tally.value) if of == value]
    for row, expected in zip(rows, (plain, spades), strict=False):
        assert entries(row) == {
            key: tuple(expected[key, what] for what in ("deals", "twos", "one", "both"))
            for key, what in expected
            if what == "deals"
        }


def test_splits_add_up_to_the_six_card_hands():
    s = tallies.splits(QUEEN_HIGH)
    found = Counter()
    for six, deals in zip(s.six, s.deals, strict=True):
        found[SIX[six]] += deals
    sets = tallies.six_card_hands()
    assert found == {name: sets[name] * comb(6, 3) for name in SIX[:SIX_PAID]}


def test_five_cards_add_up():
    f = tallies.five_cards(QUEEN_HIGH)
    found = Counter()
    for five, deals, dealer, row in zip(f.five, f.deals, f.dealer, f.row, strict=True):
        found[FIVE[five]] += deals
        assert sum(dealer) == deals * comb(47, 3), row
    sets = tallies.five_card_hands()
    assert found == {name: sets[name] * comb(5, 3) for name in FIVE[:FIVE_PAID]}


@pytest.mark.parametrize(
    ("held", "five"),
    [("As Ks Qs", "royal_flush"), ("Kc Qc Jc", "royal_flush"), ("Td 9d 8d", "straight_flush")],
)
def test_five_cards_with_a_dealer_taken_one_by_one(held, five):
    hand = cards(held)
    mine = three_card.value(hand)
    tally, f = tallies.duel(QUEEN_HIGH), tallies.five_cards(QUEEN_HIGH)
    rows = [row for row, of in enumerate(tally.value) if of == mine]
    row = rows[-1] if held.startswith("As") else rows[0]
    (at,) = (at for at in range(len(f.row)) if f.row[at] == row and FIVE[f.five[at]] == five)
    left = [card for card in PACK if card not in hand]
    pairs = [pair for pair in combinations(left, 2) if poker.best_five((*hand, *pair)) == five]
    assert f.deals[at] == len(pairs) * tally.ways[row]
    columns, sixes = [0] * 6, Counter()
    for pair in pairs:
        for dealer in dealers((*hand, *pair), PACK):
            columns[column(mine, three_card.value(dealer))] += 1
            sixes[six_outcome(hand, dealer)] += 1
    assert f.dealer[at] == [count * tally.ways[row] for count in columns]
    named = dict(zip(SIX, f.six[at], strict=False))
    royals = named.pop("six_card_royal_diamonds") + named.pop("six_card_royal")
    expected = {name: sixes[name] * tally.ways[row] for name in SIX[2:SIX_PAID]}
    assert named == expected
    assert royals == tally.ways[row] * (sixes["six_card_royal"] + sixes["six_card_royal_diamonds"])


@cites(MA, "6(g)(1)")
def test_every_three_card_hand_has_its_row():
    from houseway.games.three_card.maths.counting.six_cards import Threes

    threes = Threes()
    patterns = Patterns()
    seen = Counter()
    for hand in random.Random(3).sample(hands(PACK), 400):
        import numpy as np

        number = int(threes.number(np.array([sorted(hand)]))[0])
        row = threes.row[number]
        assert patterns.values[row] == three_card.value(hand) == threes.value[number]
        example = tuple(Card(card) for card in patterns.cards[row])
        assert sorted(map(sorted, _by_suit(example))) == sorted(map(sorted, _by_suit(hand)))
        seen[row] += 1
    assert len(seen) > 200


def _by_suit(hand):
    return [[c.rank for c in hand if c.suit == suit] for suit in {c.suit for c in hand}]
