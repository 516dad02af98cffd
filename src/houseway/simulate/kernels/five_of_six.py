"""The best five of five or six cards, compiled: `games.poker.best_five` for kernels and arrays.

A hand is four suits side by side in one word, sixteen bits each, one bit a rank; beside it a count
of each suit in four bits. Answers are indices into `games.poker.NAMES`, with two more for nine to
ace of one suit: `ROYAL_SIX` and, in diamonds, `ROYAL_SIX_DIAMONDS`.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np
from numpy.typing import NDArray

from houseway.cards import DIAMONDS
from houseway.game_api.poker import NAMES, has_straight
from houseway.simulate.kernels.compiled import compiled, inlined

(ROYAL, STRAIGHT_FLUSH, QUADS, FULL, FLUSH, STRAIGHT, TRIPS, TWO_PAIR, PAIR, HIGH) = range(10)
assert NAMES[QUADS] == "four_of_a_kind"
assert NAMES[HIGH] == "high_card"
ROYAL_SIX, ROYAL_SIX_DIAMONDS = 10, 11

BITS = np.array([1 << (16 * (card & 3) + (card >> 2)) for card in range(52)], np.int64)
SUITS = np.array([1 << (4 * (card & 3)) for card in range(52)], np.int64)
_STRAIGHTS = np.array([has_straight(ranks) for ranks in range(1 << 13)], np.int8)


def _class(straight: int, flush: int, quads: int, thrice: int, several: int, pairs: int) -> int:
    """The name of a hand that is not a straight flush, from its properties."""
    if quads:
        return QUADS
    if thrice and several:
        return FULL
    if flush or straight:
        return FLUSH if flush else STRAIGHT
    if thrice:
        return TRIPS
    return TWO_PAIR if several else PAIR if pairs else HIGH


#: by six bits in the order of `_class`, the first lowest: a table avoids unpredictable branches
_CLASS = np.array(
    [_class(*(bits >> place & 1 for place in range(6))) for bits in range(64)], np.int8
)
_LANE = 0xFFFF
FIVE_SUITED = 0x3333  # added to four counts of suits: five of one suit carry into its highest bit
CARRY = 0x8888
_ROYAL_RANKS, _SIX_RANKS = 0b11111 << 8, 0b111111 << 7


@inlined
def best_five(held: int, suits: int) -> int:
    """The best hand in a word of suits, given how many there are of each suit."""
    clubs, diamonds = held & _LANE, held >> 16 & _LANE
    hearts, spades = held >> 32 & _LANE, held >> 48 & _LANE
    suited = -1
    if (suits + FIVE_SUITED) & CARRY:
        for suit in range(4):
            if (suits >> 4 * suit & 15) >= 5:
                suited = suit
        lane = held >> 16 * suited & _LANE
        if lane & _ROYAL_RANKS == _ROYAL_RANKS:
            if lane == _SIX_RANKS:
                return ROYAL_SIX_DIAMONDS if suited == DIAMONDS else ROYAL_SIX
            return ROYAL
        if _STRAIGHTS[lane]:
            return STRAIGHT_FLUSH
    black, red = clubs & spades, diamonds & hearts
    either_black, either_red = clubs | spades, diamonds | hearts
    pairs = black | red | either_black & either_red
    found = np.int64(_STRAIGHTS[np.uint64(either_black | either_red)]) | (suited >= 0) << 1
    found |= (black & red != 0) << 2
    found |= ((black & either_red | red & either_black) != 0) << 3
    found |= (pairs & (pairs - 1) != 0) << 4 | (pairs != 0) << 5
    best: int = _CLASS[np.uint64(found)]
    return best


@compiled
def best_of(hands: np.ndarray, into: np.ndarray) -> None:
    """Rows of five or six cards to the best hand of each."""
    size = hands.shape[1]
    for row in range(len(hands)):
        held = suits = 0
        for place in range(size):
            card = hands[row, place]
            held |= BITS[card]
            suits += SUITS[card]
        into[row] = best_five(held, suits)


#: three ranks, the lowest first: their place here is their number
THREE_RANKS = tuple(combinations_with_replacement(range(13), 3))


@cache
def by_ranks() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The best hand of cards of which no five share a suit: three ranks with three others by number,
    and three with two as `13 * one + other`. All seats of a round look into one row.
    """
    threes = np.array(THREE_RANKS)
    found = []
    for others in (threes, np.array(list(product(range(13), repeat=2)))):
        best = np.zeros(len(others) * len(threes), np.uint8)
        _best_by_ranks(others, threes, best)
        found.append(best)
    return found[0], found[1]


@compiled
def _best_by_ranks(others: np.ndarray, threes: np.ndarray, into: NDArray[np.uint8]) -> None:
    for row in range(len(others)):
        for column in range(len(threes)):
            held = 0
            for place in range(3 + others.shape[1]):
                rank = threes[column, place] if place < 3 else others[row, place - 3]
                suit = 0  # the first without this rank; no rank occurs five times
                while suit < 4 and held >> 16 * suit + rank & 1:
                    suit += 1
                if suit < 4:
                    held |= 1 << 16 * suit + rank
            into[row * len(threes) + column] = best_five(held, 0)
