"""The player's three cards and the dealer's three together: six-card hands, and their splits.

The 20,358,520 sets of six cards have 962,988 suit patterns. One in fourteen sets holds three of a
kind or better; only those are split, twenty ways each, into a player's hand and a dealer's, to
count the six-card hand jointly with everything else that the same cards decide: the
ante, the player's own hand, the colors of both, the twos that the dealer holds. (Whatever is not
counted there holds nothing better than two pair.)
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from houseway.games.three_card.maths.counting.counts import SIX, SIX_PAID, Splits
from houseway.games.three_card.maths.counting.duel import Patterns, twos
from houseway.maths.counting.bulk_hands import (
    Cards,
    Ints,
    best_five,
    canonical_keys,
    canonical_sets,
    cards_of,
    masks_of,
    orders,
    six_card_royal,
    three_card_values,
)

_SIX_ROYAL = 1  # its place in `SIX`; the one of diamonds is named at the end


@cache
def _sixes() -> tuple[Cards, Ints, NDArray[np.int64]]:
    """Every pattern of six cards, its ways, and its index in `SIX`, all six-card royals as one."""
    masks, ways = canonical_sets(6)
    found = best_five(masks).astype(np.int64) + 2
    found[six_card_royal(masks)] = _SIX_ROYAL
    return masks, ways, found


def six_card_hands() -> dict[str, int]:
    """How many sets of six cards make each outcome."""
    _, ways, found = _sixes()
    counts = np.bincount(found, weights=ways, minlength=len(SIX)).astype(int)
    diamonds = counts[_SIX_ROYAL] // 4
    counts[0], counts[_SIX_ROYAL] = diamonds, counts[_SIX_ROYAL] - diamonds
    return dict(zip(SIX, counts.tolist(), strict=True))


@cache
def _paying_sixes() -> tuple[Cards, Cards, Ints, NDArray[np.int64]]:
    masks, ways, found = _sixes()
    paid = found < SIX_PAID
    masks = masks[paid].astype(np.int64)
    return masks, cards_of(masks, 6), ways[paid], found[paid]


class Threes:
    """Every three-card hand by its number among all of them: value, row of the duel, twos, suits."""

    def __init__(self) -> None:
        hands = np.array(list(combinations(range(52), 3)))
        hands = hands[np.argsort(self.number(hands))]
        keys = canonical_keys(masks_of(Patterns().cards))
        order = np.argsort(keys)
        self.value = three_card_values(hands)
        self.row = order[np.searchsorted(keys[order], canonical_keys(masks_of(hands)))]
        self.twos = twos(hands)
        self.suits = np.bitwise_or.reduce(1 << (hands & 3), axis=1)
        #: rows of the duel, with the last one for the mini royal of spades
        self.rows = len(keys) + 1

    @staticmethod
    def number(hands: Cards) -> Ints:
        """Where hands of ascending cards stand."""
        low, middle, high = hands.T.astype(np.int64)
        return np.asarray(high * (high - 1) * (high - 2) // 6 + middle * (middle - 1) // 2 + low)


def _colorings() -> tuple[Ints, Ints]:
    """By the suits two hands use: how many of the six ways to call two suits red make the first
    hand one color, and both of them that color.
    """
    one = np.zeros((16, 16), np.int64)
    both = np.zeros((16, 16), np.int64)
    for red in (sum(1 << suit for suit in pair) for pair in combinations(range(4), 2)):
        for color in (red, 15 ^ red):
            mine = np.array([suits & ~color == 0 for suits in range(16)])
            one += mine[:, None]
            both += mine[:, None] & mine[None, :]
    return one, both


def splits(qualifies: int) -> Splits:
    """Split every six-card hand that pays; the dealer qualifies from that value on."""
    _, cards, ways, outcome = _paying_sixes()
    threes = Threes()
    one, both = _colorings()
    rows, size = threes.rows, len(SIX)
    tables = np.zeros((6, rows * 6 * size))
    for mine in combinations(range(6), 3):
        player = threes.number(cards[:, mine])
        dealer = threes.number(cards[:, [place for place in range(6) if place not in mine]])
        value, other = threes.value[player], threes.value[dealer]
        column = np.where(other < value, 0, np.where(other == value, 1, 2)) + 3 * (
            other >= qualifies
        )
        place = (threes.row[player] * 6 + column) * size + outcome
        suits = threes.suits[player], threes.suits[dealer]
        twos = threes.twos[dealer]
        weights = (6, 6 * twos, one[suits], both[suits], one[suits] * twos, both[suits] * twos)
        for table, weight in zip(tables, weights, strict=True):
            table += np.bincount(place, weights=ways * weight, minlength=len(table))
    whole = np.rint(tables / 6).astype(np.int64).reshape(6, rows, 6, size)
    name_the_suits(whole)
    row, column, six = np.nonzero(whole[0])
    return Splits(row.tolist(), column.tolist(), six.tolist(), *whole[:, row, column, six].tolist())


def name_the_suits(table: NDArray[np.int64]) -> None:
    """Give the mini royal of spades its row and the six-card royal of diamonds its column.

    The table ends in rows of the duel, anything, and six-card outcomes. Each of four suits has a
    quarter of what is of one suit. Where both are named, the player's ace, king and queen are of
    the suit of the whole: spades, diamonds, or one of the other two.
    """
    royal, spades, diamonds = -2, -1, 0
    both_royal = table[..., royal, :, _SIX_ROYAL].copy()
    table[..., diamonds] = table[..., _SIX_ROYAL] // 4
    table[..., _SIX_ROYAL] -= table[..., diamonds]
    table[..., spades, :, :] = table[..., royal, :, :] // 4
    table[..., royal, :, :] -= table[..., spades, :, :]
    table[..., spades, :, diamonds] = 0
    table[..., spades, :, _SIX_ROYAL] = both_royal // 4
    table[..., royal, :, diamonds] = both_royal // 4
    table[..., royal, :, _SIX_ROYAL] = both_royal // 2


def subset_keys(masks: Cards, cards: Cards, places: tuple[int, ...]) -> Ints:
    """The keys of the subsets that hold these places of the sets' cards."""
    left = masks.astype(np.int64)
    rows = np.arange(len(masks))
    for gone in range(cards.shape[1]):
        if gone not in places:
            left[rows, cards[:, gone] & 3] -= 1 << (cards[:, gone] >> 2)
    return canonical_keys(left)


def sixes_around(wanted: Ints, size: int) -> NDArray[np.float64]:
    """For one set of each wanted pattern of so many cards: the sets of six around it that pay."""
    masks, cards, ways, outcome = _paying_sixes()
    counts = np.zeros(len(wanted) * SIX_PAID)
    for places in combinations(range(6), size):
        keys = subset_keys(masks, cards, places)
        place = np.minimum(np.searchsorted(wanted, keys), len(wanted) - 1)
        hit = wanted[place] == keys
        counts += np.bincount(
            place[hit] * SIX_PAID + outcome[hit], weights=ways[hit], minlength=len(counts)
        )
    parts = np.stack([wanted >> shift & 0x1FFF for shift in (39, 26, 13, 0)], axis=1)
    return counts.reshape(-1, SIX_PAID) / orders(parts)[:, None]


def sixes_around_threes(threes: Threes) -> NDArray[np.float64]:
    """The same for one hand of each row of the duel."""
    _, cards, ways, outcome = _paying_sixes()
    counts = np.zeros(threes.rows * SIX_PAID)
    for places in combinations(range(6), 3):
        row = threes.row[threes.number(cards[:, places])]
        counts += np.bincount(row * SIX_PAID + outcome, weights=ways, minlength=len(counts))
    hands = np.bincount(threes.row, minlength=threes.rows)
    return counts.reshape(-1, SIX_PAID) / np.maximum(hands, 1)[:, None]
