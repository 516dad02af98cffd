"""Every hand a player or the dealer can hold, by its cards, and what each further card makes of it.

Cards are counted by value: index 0 is the ace, 1 the two, up to 9 for ten, jack, queen and king. A
hand is how many it has of each, so an order of cards never matters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

VALUES = "A23456789T"
ACE, TEN = 0, 9
#: what the dealer can end on: 17, 18, 19, 20, 21, 22 and more than 22
ENDS = 7
END_22, END_BUST = 5, 6

Hand: TypeAlias = tuple[int, ...]
EMPTY: Hand = (0,) * 10


def within(points: int, value: int = 1) -> Iterator[Hand]:
    """All hands, the empty one first, whose points with every ace as 1 are no more than these."""
    if value > 10:
        yield ()
        return
    for copies in range(points // value + 1):
        for rest in within(points - copies * value, value + 1):
            yield (copies, *rest)


def hard(hand: Hand) -> int:
    return sum(value * copies for value, copies in enumerate(hand, 1))


def plus(hand: Hand, card: int, copies: int = 1) -> Hand:
    return (*hand[:card], hand[card] + copies, *hand[card + 1 :])


def hand_of(*cards: int) -> Hand:
    return tuple(map(cards.count, range(10)))


def player_total(hand: Hand) -> tuple[int, bool]:
    """685a.3(d)(3): one ace counts 11 unless that makes more than 21. The total, and if soft."""
    points = hard(hand)
    soft = hand[ACE] > 0 and points + 10 <= 21
    return points + 10 * soft, soft


def dealer_total(hand: Hand, soft_22: bool) -> tuple[int, bool]:
    """The dealer's ace counts 11 unless that makes more than 22, or, in the other reading, 21.

    To the letter two aces are 22 (both count 11): no other hand can hold two aces at 11.
    """
    most = 22 if soft_22 else 21
    points = hard(hand)
    as_eleven = min(hand[ACE], max(0, (most - points) // 10))
    return points + 10 * as_eleven, as_eleven > 0


@dataclass(frozen=True, slots=True)
class PlayerHands:
    """All hands that are not bust, most points first, so that a hand follows all it can become."""

    hands: tuple[Hand, ...]
    index: dict[Hand, int]
    #: index of the hand with one more card of each value, or -1 where that is bust
    child: list[list[int]]
    totals: list[int]
    soft: list[bool]


@cache
def player_hands() -> PlayerHands:
    hands = tuple(sorted((hand for hand in within(21) if any(hand)), key=hard, reverse=True))
    index = {hand: number for number, hand in enumerate(hands)}
    child = [[index.get(plus(hand, card), -1) for card in range(10)] for hand in hands]
    totals, soft = zip(*map(player_total, hands), strict=True)
    return PlayerHands(hands, index, child, list(totals), list(soft))


def dealer_end(hand: Hand, soft_22: bool, hit_soft_17: bool) -> int | None:
    """Where the dealer stands (685a.7(m)), as an index into the ends, or None: he draws."""
    total, soft = dealer_total(hand, soft_22)
    if total < 17 or (total == 17 and soft and hit_soft_17):
        return None
    return min(total - 17, END_BUST)


@dataclass(frozen=True, slots=True)
class DealerHands:
    """The dealer's unfinished hands from one up card, the up card first and the longest last.

    Lines of `draws` are a hand, the next card and where it leads: a later hand, or -1 - end where
    the dealer is done.
    """

    hands: tuple[Hand, ...]
    draws: list[tuple[int, int, int]]

    @property
    def most_cards(self) -> int:
        return sum(self.hands[-1]) + 1


def dealer_hands(soft_22: bool, hit_soft_17: bool, up: int, holes: frozenset[int]) -> DealerHands:
    """Only hands that the dealer can come to with one of these hole cards."""
    hands = [hand_of(up)]
    index: dict[Hand, int] = {}
    draws = []
    for number, hand in enumerate(hands):  # it grows while it is looked at
        for card in range(10) if number else sorted(holes):
            longer = plus(hand, card)
            end = dealer_end(longer, soft_22, hit_soft_17)
            if end is None and longer not in index:
                index[longer] = len(hands)
                hands.append(longer)
            draws.append((number, card, index[longer] if end is None else -1 - end))
    return DealerHands(tuple(hands), draws)
