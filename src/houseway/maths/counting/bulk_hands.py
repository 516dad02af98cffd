"""Many hands at once: the games' own rankings on NumPy arrays.

A hand is a row of card numbers, or four suit masks (clubs, diamonds, hearts, spades; one bit a
rank). The answers are those of the plain functions: `three_card.value`, an index into
`poker.NAMES`. Suits are interchangeable in most questions, so sets of
cards are counted once for each suit pattern: a set is *canonical* when its suit masks descend, and
it stands for as many sets as its masks have different orders.
"""

from __future__ import annotations

from itertools import combinations
from math import factorial, prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

#: Cards and masks are of whatever width is at hand; counts are of 64 bits.
Cards: TypeAlias = NDArray[Any]
Ints: TypeAlias = NDArray[Any]

JOKER = 52
WIDTH = 13**3  # as in `games.three_card`: room below each rank for the cards that break ties
HIGH_CARD, PAIR, FLUSH, STRAIGHT, THREE_OF_A_KIND, STRAIGHT_FLUSH = range(6)
MINI_ROYAL = STRAIGHT_FLUSH * WIDTH + 12

#: Indices into `poker.NAMES`, from the highest to the lowest.
ROYAL, SF, QUADS, FULL, FLUSH5, STRAIGHT5, TRIPS, TWO_PAIR, PAIR5, HIGH5 = range(10)

ROYAL_MASK = 0b11111 << 8


def _tables() -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """For each set of ranks: how many there are, and whether five are in a row."""
    sets = np.arange(1 << 13, dtype=np.int32)
    count = np.zeros(1 << 13, np.uint8)
    for rank in range(13):
        count += (sets >> rank & 1).astype(np.uint8)
    run = sets << 1 | sets >> 12 & 1
    return count, (run & run >> 1 & run >> 2 & run >> 3 & run >> 4) > 0


COUNT, IN_A_ROW = _tables()


def three_card_values(hands: Cards) -> Ints:
    """The worth of three-card hands, as `three_card.value` has it."""
    ranks = np.sort(np.asarray(hands) >> 2, axis=1)
    suits = np.asarray(hands) & 3
    return values_of((suits[:, 0] == suits[:, 1]) & (suits[:, 1] == suits[:, 2]), *ranks.T)


def values_of(suited: NDArray[np.bool_], low: Cards, middle: Cards, high: Cards) -> Ints:
    """The same from ascending ranks and whether all are of one suit."""
    low, middle, high = (np.asarray(rank, np.int64) for rank in (low, middle, high))
    paired = (low == middle) | (middle == high)
    wheel = (low == 0) & (middle == 1) & (high == 12)
    run = ~paired & ((high - low == 2) | wheel)
    kind = np.where(run, STRAIGHT, HIGH_CARD)
    kind += np.where(suited & ~paired, FLUSH, 0)  # a straight becomes a straight flush
    kind = np.where(paired, np.where(low == high, THREE_OF_A_KIND, PAIR), kind)
    ties = high * 169 + middle * 13 + low
    ties = np.where(run, np.where(wheel, 1, high), ties)
    ties = np.where(paired, middle * 13 + low + high - middle, ties)
    ties = np.where(low == high, high, ties)
    return np.asarray(kind * WIDTH + ties)


def masks_of(hands: Cards) -> Cards:
    """Hands as four suit masks each; a joker is in none of them."""
    hands = np.asarray(hands)
    bits = np.where(hands == JOKER, 0, 1 << (hands >> 2))
    return np.stack([np.where(hands & 3 == suit, bits, 0).sum(axis=1) for suit in range(4)], axis=1)


def best_five(masks: Cards) -> NDArray[np.int8]:
    """The best five-card hand that five or six cards hold: an index into `poker.NAMES`."""
    clubs, diamonds, hearts, spades = suits = np.ascontiguousarray(masks.T)
    black, red = clubs | spades, diamonds | hearts
    both_black, both_red = clubs & spades, diamonds & hearts
    thrice = both_black & red | both_red & black
    pairs = COUNT[both_black | both_red | black & red]
    found: NDArray[np.int8] = _BY_PAIRS[pairs]
    found[thrice > 0] = TRIPS
    found[IN_A_ROW[black | red]] = STRAIGHT5
    five_suited = [COUNT[suit] >= 5 for suit in suits]
    for suited in five_suited:
        found[suited] = FLUSH5
    found[(thrice > 0) & (pairs >= 2)] = FULL
    found[both_black & both_red > 0] = QUADS
    for suit, suited in zip(suits, five_suited, strict=True):
        held = suit[suited]
        found[suited] = np.where(IN_A_ROW[held], SF, found[suited])
        found[suited] = np.where(held & ROYAL_MASK == ROYAL_MASK, ROYAL, found[suited])
    return found


_BY_PAIRS = np.array([HIGH5, PAIR5, TWO_PAIR, TWO_PAIR], np.int8)


def six_card_royal(masks: Cards) -> NDArray[np.bool_]:
    """Whether six cards are nine to ace of one suit."""
    royal = ROYAL_MASK | 1 << 7
    found: NDArray[np.bool_] = masks[:, 0] == royal
    for suit in range(1, 4):
        found |= masks[:, suit] == royal
    return found


def canonical_sets(size: int, ranks: int = 13) -> tuple[Cards, Ints]:
    """Every set of `size` cards up to the names of the suits, and how many sets each stands for."""
    by_count = [
        np.array(
            [sum(1 << r for r in some) for some in combinations(range(ranks), count)], np.int16
        )
        for count in range(size + 1)
    ]
    found = []
    for counts in _descending(size, 4, min(size, ranks)):
        masks = np.zeros((1, 0), np.int16)
        for suit, count in enumerate(counts):
            choices = by_count[count]
            left = np.repeat(masks, len(choices), axis=0)
            right = np.tile(choices, len(masks))
            if suit and counts[suit - 1] == count:  # equal counts: descend by the mask itself
                keep = left[:, -1] >= right
                left, right = left[keep], right[keep]
            masks = np.column_stack([left, right])
        found.append(masks)
    masks = np.concatenate(found)
    return masks, orders(masks)


def _descending(total: int, parts: int, most: int) -> list[tuple[int, ...]]:
    if parts == 0:
        return [()] if total == 0 else []
    return [
        (first, *rest)
        for first in range(min(most, total), -1, -1)
        for rest in _descending(total - first, parts - 1, first)
    ]


def orders(descending: Cards) -> Ints:
    """In how many orders four descending masks can stand: 24 over the orders of equal ones."""
    first, second, third = (descending[:, suit] == descending[:, suit + 1] for suit in range(3))
    pattern = first * 4 + second * 2 + third
    return np.asarray(_ORDERS[pattern])


def _orders_by_pattern() -> Ints:
    found = []
    for pattern in range(8):
        runs, run = [], 1
        for bit in (4, 2, 1):
            if pattern & bit:
                run += 1
            else:
                runs.append(run)
                run = 1
        found.append(24 // prod(factorial(length) for length in [*runs, run]))
    return np.array(found, np.int64)


_ORDERS = _orders_by_pattern()


def canonical_keys(masks: Cards) -> Ints:
    """One number for each suit pattern: the masks, largest first, side by side."""
    ordered = np.sort(masks, axis=1).astype(np.int64)
    return ordered[:, 3] << 39 | ordered[:, 2] << 26 | ordered[:, 1] << 13 | ordered[:, 0]


def cards_of(masks: Cards, size: int) -> Cards:
    """The cards of each set, ascending."""
    left = np.ascontiguousarray(masks.T).astype(np.int64)
    found = np.empty((len(masks), size), np.int64)
    place = np.zeros(len(masks), np.int64)
    rows = np.arange(len(masks))
    for suit in range(4):
        while (has := left[suit] > 0).any():
            lowest = left[suit, has] & -left[suit, has]
            found[rows[has], place[has]] = _RANK_OF[lowest] * 4 + suit
            left[suit, has] ^= lowest
            place[has] += 1
    return np.sort(found, axis=1)


_RANK_OF = np.zeros((1 << 12) + 1, np.int64)
_RANK_OF[1 << np.arange(13)] = np.arange(13)
