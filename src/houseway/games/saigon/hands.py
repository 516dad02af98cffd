"""Saigon hands: five cards set as three and two, and the same five as a poker hand.

The three cards qualify when they total 10, 20 or 30; the other two, the showdown hand, have a
point count. The joker takes the value that is best for its holder, in either hand. All these
numbers come from the chapter.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, product
from operator import attrgetter
from typing import NamedTuple

import msgspec

from houseway.cards import ACE, JOKER, RANKS, TEN, Card
from houseway.game_api.poker import best_five
from houseway.law import SAIGON, Chapter, cites

_JOKER = 0  # stands for any value of the joker; every other card is worth at least one

#: Which three of five places are the three-card hand, and which two are left.
_SPLITS = tuple(
    (*three, *(place for place in range(5) if place not in three))
    for three in combinations(range(5), 3)
)


class Standing(NamedTuple):
    """What decides an ante: whether the three cards qualify, and what the other two count."""

    qualifies: bool
    point_count: int


class Setting(msgspec.Struct, frozen=True):
    """Five cards set into two hands."""

    three: tuple[Card, ...]
    two: tuple[Card, ...]
    qualifies: bool
    point_count: int

    @property
    def standing(self) -> Standing:
        return Standing(self.qualifies, self.point_count)


_point_count = attrgetter("point_count")


class Values:
    """What cards are worth under one edition of the chapter, and what hands come to."""

    @cites(SAIGON, "680a.6(a)*", "680a.6(b)*")
    def __init__(self, law: Chapter) -> None:
        by_rank, joker = law.fact("card_values").value, law.fact("joker_values").value
        totals = law.fact("qualifying_totals").value
        assert isinstance(by_rank, dict)
        assert isinstance(joker, tuple)
        assert isinstance(totals, tuple)
        most = law.number("point_count_most")
        ranks = [int(by_rank[rank]) for rank in RANKS]
        may_be = {worth: (worth,) for worth in ranks} | {_JOKER: tuple(map(int, joker))}

        def sums(*worths: int) -> list[int]:
            return [sum(each) for each in product(*(may_be[worth] for worth in worths))]

        #: what five worths in ascending order come to; there are few of them
        self._standing = cache(self._best_of)
        #: by card number
        self._worth = [worth for worth in ranks for _ in range(4)] + [_JOKER]
        # every three and every two that a hand can hold, so that settling only looks them up
        self._qualifying = {
            three for three in product(may_be, repeat=3) if set(sums(*three)) & set(totals)
        }
        self._counts = {
            two: max(total - most if total > most else total for total in sums(*two))
            for two in product(may_be, repeat=2)
        }

    @cites(SAIGON, '680a.1 "Qualify"', "680a.6(a)", "680a.6(a)(4)")
    def qualifies(self, three: Sequence[Card]) -> bool:
        """Whether three cards can total 10, 20 or 30."""
        first, second, third = three
        worth = self._worth
        return (worth[first], worth[second], worth[third]) in self._qualifying

    @cites(SAIGON, '680a.1 "Showdown hand"', "680a.6(b)")
    def point_count(self, two: Sequence[Card]) -> int:
        """1 to 10; with the joker the highest it can be, which is never the ill-paid 5."""
        first, second = two
        return self._counts[self._worth[first], self._worth[second]]

    @cites(SAIGON, "680a.11(b)", "680a.11(b)(1)", "680a.11(b)(2)")
    def settings(self, hand: Sequence[Card]) -> list[Setting]:
        """The settings open to five cards: those that qualify, or all ten where none does."""
        worths = [self._worth[card] for card in hand]
        qualifying = [
            split
            for split in _SPLITS
            if (worths[split[0]], worths[split[1]], worths[split[2]]) in self._qualifying
        ]
        qualifies = bool(qualifying)
        return [
            Setting(
                (hand[a], hand[b], hand[c]),
                (hand[d], hand[e]),
                qualifies,
                self._counts[worths[d], worths[e]],
            )
            for a, b, c, d, e in qualifying or _SPLITS
        ]

    @cites(SAIGON, "680a.11(c)(1)", "680a.11(c)(2)")
    def best(self, hand: Sequence[Card]) -> Setting:
        """The open setting with the highest point count.

        Without the joker every qualifying setting has the same count, since the three are a
        multiple of ten: only a holder of the joker ever has a choice. It can be one between 5,
        which pays half, and 1 or 2, which seldom win at all; so the highest is taken there too.
        """
        return max(self.settings(hand), key=_point_count)

    def best_standing(self, hand: Sequence[Card]) -> Standing:
        """What five cards come to in their best setting, whatever the order they came in."""
        worth = self._worth
        first, second, third, fourth, fifth = sorted([worth[card] for card in hand])
        return self._standing(first, second, third, fourth, fifth)

    def _best_of(self, *worths: int) -> Standing:
        return self.best([Card(self._worth.index(worth)) for worth in worths]).standing

    def as_set(self, three: Sequence[Card], two: Sequence[Card]) -> Setting:
        """Two hands as they lie."""
        return Setting(tuple(three), tuple(two), self.qualifies(three), self.point_count(two))


@cache
def values(law: Chapter) -> Values:
    """The values of an edition, worked out once."""
    return Values(law)


_STRAIGHTS = (1 << ACE | 0b1111, *(0b11111 << low for low in range(9)))
#: Four ranks, one bit each, that one more card makes a straight of.
_STRAIGHT_BUT_ONE = frozenset(
    ranks ^ 1 << rank for ranks in _STRAIGHTS for rank in range(13) if ranks >> rank & 1
)
_BELOW_TEN = (1 << TEN) - 1
_BY_COUNTS = {
    (5,): "five_aces",
    (4, 1): "four_of_a_kind",
    (3, 2): "full_house",
    (3, 1): "three_of_a_kind",
    (2, 2): "two_pair",
    (2, 1): "pair",
}


@cites(SAIGON, "680a.6(c)*", "680a.11(e)", "680a.11(e)(2)")
def bonus_hand(hand: Sequence[Card]) -> str:
    """The name of the best poker hand that five cards make.

    The joker is an ace, or fills a straight, a flush or both; it never pairs anything else.
    """
    if JOKER not in hand:
        return best_five(hand)
    four = [card for card in hand if card != JOKER]
    ranks = 0
    for card in four:
        ranks |= 1 << (card >> 2)
    if ranks.bit_count() == 4:
        flush = len({card & 3 for card in four}) == 1
        if flush and not ranks & _BELOW_TEN:
            return "royal_flush_joker"
        straight = ranks in _STRAIGHT_BUT_ONE
        if flush:
            return "straight_flush" if straight else "flush"
        if straight:
            return "straight"
        return "pair" if ranks >> ACE else "high_card"
    # two cards of one rank: no straight, and not four of one suit
    counts = [0] * 13
    counts[ACE] = 1
    for card in four:
        counts[card >> 2] += 1
    counts.sort(reverse=True)
    return _BY_COUNTS[tuple(count for count in counts[:2] if count)]
