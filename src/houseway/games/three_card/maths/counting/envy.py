"""Envy: the mini royals of other players, together with one's own hand.

The four mini royals share no card. One's own hand blocks those it shares a card with; the others
are *free*. With k other players, the deals in which a given j of the free ones are held number
k!/(k-j)! times the deals of the other hands, and inclusion and exclusion over the free ones that
are not wanted leaves the deals in which exactly the wanted ones are held.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from math import comb, perm

from houseway.cards import Card
from houseway.games.three_card import hands as three_card
from houseway.games.three_card.maths.counting.counts import THREE
from houseway.games.three_card.maths.counting.cover_all import deals

#: How many of the player's hands come to an outcome and leave free the spades (0 or 1) and so many of
#: the other three: by outcome, `[spades, others, hands]`.
Own = dict[str, list[list[int]]]


def own_hands(duel_ways: dict[str, int]) -> Own:
    """One's own hands by outcome and by the mini royals they leave free.

    A hand blocks a suit when it holds that suit's ace, king or queen. Only hands that hold some of
    those twelve cards are listed one by one; all others leave everything free.
    """
    high = [(rank, suit) for rank in (10, 11, 12) for suit in range(4)]
    low = [(rank, suit) for rank in range(10) for suit in range(4)]
    counted: Counter[tuple[str, int, int]] = Counter()
    for held in (1, 2, 3):
        for mine in combinations(high, held):
            blocked = {suit for _, suit in mine}
            spades, others = int(3 not in blocked), 3 - len(blocked - {3})
            for rest in combinations(low, 3 - held):
                counted[_outcome(mine + rest), spades, others] += 1
    for name, ways in duel_ways.items():
        listed = sum(count for (outcome, _, _), count in counted.items() if outcome == name)
        counted[name, 1, 3] += ways - listed
    found: Own = {name: [] for name in THREE}
    for (outcome, spades, others), count in sorted(counted.items()):
        if count:
            found[outcome].append([spades, others, count])
    return found


def _outcome(hand: tuple[tuple[int, int], ...]) -> str:
    cards = [Card(rank * 4 + suit) for rank, suit in hand]
    return three_card.outcomes(cards, three_card.value(cards))[0]


@cache
def held_by_others(others: int, spades_free: int, rest_free: int) -> dict[tuple[int, int], int]:
    """Deals of so many other hands, one's own being gone, by the mini royals that they hold.

    The key is how many of them are spades (0 or 1) and how many are of the other suits.
    """

    def holding(royals: int) -> int:
        return perm(others, royals) * deals(others + 1, start=royals + 1) if royals <= others else 0

    return {
        (spades, rest): comb(rest_free, rest)
        * sum(
            (-1) ** (more + extra)
            * comb(spades_free - spades, more)
            * comb(rest_free - rest, extra)
            * holding(spades + rest + more + extra)
            for more in range(spades_free - spades + 1)
            for extra in range(rest_free - rest + 1)
        )
        for spades in range(spades_free + 1)
        for rest in range(rest_free + 1)
        if spades + rest <= others
    }
