"""Cover All: the transfer over ranks against matchings and deals that are listed one by one."""

from itertools import combinations
from math import comb

import pytest

from houseway.errors import Refused
from houseway.games.three_card.maths.counting import tallies
from houseway.games.three_card.maths.counting.cover_all import (
    cover_all,
    deals,
    matchings_of_straight_flushes,
    matchings_of_straights,
    none_of,
)
from houseway.games.three_card.maths.outcomes import cover_all as outcomes
from houseway.law import MA, chapter, cites
from houseway.maths.wagers import edge


def runs(ranks):
    """Three ranks in a row; the highest rank stands below the lowest too."""
    return [{ranks - 1, 0, 1}] + [{low, low + 1, low + 2} for low in range(ranks - 2)]


def is_straight(hand, ranks):
    return {rank for rank, _ in hand} in runs(ranks)


def is_straight_flush(hand, ranks):
    return is_straight(hand, ranks) and len({suit for _, suit in hand}) == 1


def is_three(hand):
    return len({rank for rank, _ in hand}) == 1


def count_matchings(hands):
    """How many sets of hands of a given size share no card, by trying all of them."""
    counts = {}

    def extend(size, start, used):
        counts[size] = counts.get(size, 0) + 1
        for place in range(start, len(hands)):
            if not used & hands[place]:
                extend(size + 1, place + 1, used | hands[place])

    extend(0, 0, frozenset())
    return [counts[size] for size in range(len(counts))]


@pytest.mark.parametrize(("ranks", "suits"), [(4, 2), (5, 2), (6, 2), (4, 3), (5, 3), (4, 4)])
def test_matchings_of_small_decks(ranks, suits):
    pack = [(rank, suit) for rank in range(ranks) for suit in range(suits)]
    every = [frozenset(hand) for hand in combinations(pack, 3)]
    flushes = [hand for hand in every if is_straight_flush(hand, ranks)]
    with_threes = [hand for hand in every if is_straight_flush(hand, ranks) or is_three(hand)]
    straights = [hand for hand in every if is_straight(hand, ranks) or is_three(hand)]
    assert matchings_of_straight_flushes(ranks, suits) == count_matchings(flushes)
    assert matchings_of_straight_flushes(ranks, suits, threes=True) == count_matchings(with_threes)
    if len(pack) <= 15:
        assert matchings_of_straights(ranks, suits) == count_matchings(straights)


@pytest.mark.parametrize("hands", [1, 2, 3])
def test_deals_of_a_small_deck_one_by_one(hands):
    ranks, suits = 5, 2
    pack = [(rank, suit) for rank in range(ranks) for suit in range(suits)]

    def free(left, count):
        if count == 0:
            return 1
        return sum(
            free([card for card in left if card not in hand], count - 1)
            for hand in combinations(left, 3)
            if not is_straight(hand, ranks)
        )

    matched = matchings_of_straights(ranks, suits)
    assert none_of(matched, hands, len(pack)) == free(pack, hands)


def test_the_first_matchings_of_the_whole_deck():
    assert matchings_of_straight_flushes()[1] == 48
    assert matchings_of_straight_flushes(threes=True)[1] == 48 + 52
    assert matchings_of_straights()[1] == 12 * 4**3 + 52
    pack = [(rank, suit) for rank in range(13) for suit in range(4)]
    hands = [
        frozenset(hand) for hand in combinations(pack, 3) if is_straight(hand, 13) or is_three(hand)
    ]
    pairs = sum(not one & two for one, two in combinations(hands, 2))
    assert matchings_of_straights()[2] == pairs
    few = [hand for hand in hands if is_three(hand) or is_straight_flush(hand, 13)]
    twos = sum(not one & two for one, two in combinations(few, 2))
    assert matchings_of_straight_flushes(threes=True)[2] == twos


@cites(MA, "12(b)", "12(g)")
def test_two_hands_from_the_duel():
    """With one player the highest of two hands can also be counted from the duel's own rows."""
    tally = tallies.duel(tallies.QUEEN_HIGH)
    straight = 3 * 13**3  # the values of all straights are above this, all below is nothing
    below = level = 0
    for value, ways, dealer in zip(tally.value, tally.ways, tally.dealer, strict=True):
        if value < straight:
            below += ways * (dealer[0] + dealer[3])
            level += ways * (dealer[1] + dealer[4])
    # of two hands that are nothing either is the lower, or they are level
    assert cover_all()["2"]["nothing"] == 2 * below + level


@cites(MA, "12(c)", "12(k)")
def test_every_number_of_players():
    law = chapter(MA)
    last = None
    for players in range(1, 8):
        found = tallies.cover_all()[players + 1]
        assert sum(found.values()) == deals(players + 1)
        chances = {name: ways / deals(players + 1) for name, ways in found.items()}
        if last is not None:  # more hands: something is the highest more often, nothing less often
            assert all(chances[name] > last[name] for name in chances if name != "nothing")
            assert chances["nothing"] < last["nothing"]
        last = chances
        table = law.paytables["cover_all", str(players)]
        assert 0 < edge(outcomes(players), table) < 1


def test_the_chance_of_a_mini_royal_by_inclusion_and_exclusion_over_suits():
    """The four mini royals share no card: each of them by itself, less two of them, and so on."""
    hands = 8
    total = deals(hands)
    chosen = sum(
        (-1) ** (j + 1) * comb(4, j) * _ordered(hands, j) * deals(hands, start=j)
        for j in range(1, 5)
    )
    assert tallies.cover_all()[hands]["mini_royal"] == chosen
    assert chosen < total


def _ordered(hands, j):
    found = 1
    for step in range(j):
        found *= hands - step
    return found


@pytest.mark.parametrize("players", [0, 8, -1])
def test_players_that_there_are_not(players):
    with pytest.raises(Refused) as refused:
        outcomes(players)
    assert refused.value.field == "players"
