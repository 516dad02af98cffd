"""Player against dealer, three cards each: every hand against every other without a dealer loop.

How often is a dealer's hand below, level with or above a player's hand, none of their cards being
the same? Call a dealer's hand *low* when its value is below a bound. The low hands that share no
card with a set R of removed cards number, by inclusion and exclusion over the cards they share,

    low hands - those with a given card of R + those with a given two of R - those with three of R

and each of these is read from a prefix table: low hands in all, low hands with one card (by rank,
since suits are alike), low hands with two cards (by their ranks and whether they are suited). Low
hands with three cards of R are single hands. The tables have a line for each of the 741 values, and
the player's hands are taken once for each of the 1,755 suit patterns.

The same tables serve a dealer who is dealt from a part of the deck (two suits: all red), dealer's
hands that are weighted (by how many twos they hold), and more than three removed cards (the two
community cards): only the deck, the weights or R change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from houseway.games.three_card.maths.counting.counts import Duel
from houseway.maths.counting.bulk_hands import MINI_ROYAL, Cards, Ints, three_card_values

_APART, _TWO_SUITED, _SUITED = [(0, 1, 2)], [(0, 0, 1), (0, 1, 0), (1, 0, 0)], [(0, 0, 0)]


class Patterns:
    """One hand of each suit pattern of a deck, sorted by value, and how many hands it stands for."""

    def __init__(self, ranks: Sequence[int] = range(13), suits: int = 4) -> None:
        hands, ways = [], []
        for low, middle, high in combinations_with_replacement(ranks, 3):
            for pattern, count in _patterns(low, middle, high, suits):
                hands.append([low * 4 + pattern[0], middle * 4 + pattern[1], high * 4 + pattern[2]])
                ways.append(count)
        cards = np.array(hands)
        values = three_card_values(cards)
        order = np.argsort(values, kind="stable")
        self.suits = suits
        self.cards: Cards = cards[order]
        self.ways: Ints = np.array(ways)[order]
        self.values: Ints = values[order]
        #: whether the last pattern is the mini royal, of which the spades have a name of their own
        self.royal = bool(self.values[-1] == MINI_ROYAL)


def _patterns(
    low: int, middle: int, high: int, suits: int
) -> list[tuple[tuple[int, int, int], int]]:
    """The suit patterns of three ranks, with the number of hands of each in a deck of `suits`."""
    if low == high:
        found = [((0, 1, 2), comb(suits, 3))]
    elif low == middle:
        found = [((0, 1, 2), comb(suits, 2) * (suits - 2)), ((0, 1, 0), comb(suits, 2) * 2)]
    elif middle == high:
        found = [((2, 0, 1), comb(suits, 2) * (suits - 2)), ((0, 0, 1), comb(suits, 2) * 2)]
    else:
        found = [(pattern, suits * (suits - 1) * (suits - 2)) for pattern in _APART]
        found += [(pattern, suits * (suits - 1)) for pattern in _TWO_SUITED]
        found += [(pattern, suits) for pattern in _SUITED]
    return [(pattern, count) for pattern, count in found if count]


_LINE = 1 + 13 + 2 * 169  # in all, with one card, with two cards unsuited and suited
_SIXTHS = 6  # tables count in sixths, so that each pair of cards has a whole share of its hands


def _one(cards: Cards) -> Cards:
    return 1 + (cards >> 2)


def _two(first: Cards, second: Cards) -> Cards:
    low, high = np.minimum(first, second) >> 2, np.maximum(first, second) >> 2
    return np.asarray(14 + 169 * ((first & 3) == (second & 3)) + low * 13 + high)


class Dealer:
    """The dealer's hands of one deck in prefix tables; `weigh` gives a hand a whole number."""

    def __init__(
        self,
        deck: Patterns,
        weigh: Callable[[Cards], Ints] = lambda hands: np.ones(len(hands), int),
    ) -> None:
        self._weigh = weigh
        self.values, line = np.unique(deck.values, return_inverse=True)
        weight = weigh(deck.cards) * deck.ways * _SIXTHS
        suits = deck.suits
        places, parts = [np.zeros(len(line), int)], [weight]
        for card in deck.cards.T:
            places.append(_one(card))
            parts.append(weight // suits)
        for first, second in combinations(deck.cards.T, 2):
            alike = first >> 2 == second >> 2
            suited = first & 3 == second & 3
            apart = np.where(alike, comb(suits, 2), suits * (suits - 1))
            places.append(_two(first, second))
            parts.append(weight // np.where(suited, suits, apart))
        whole = np.bincount(
            (line * _LINE + np.array(places)).ravel(),
            weights=np.array(parts).ravel(),
            minlength=len(self.values) * _LINE,
        )
        # doubles hold these whole numbers exactly: they stay far below 2 ** 53
        self._below = np.zeros((len(self.values) + 1, _LINE))
        np.cumsum(whole.reshape(-1, _LINE), axis=0, out=self._below[1:])

    def low(self, bound: Ints, removed: Cards) -> Ints:
        """For each row: hands with a value below its bound and none of the removed cards, weighed."""
        line = np.searchsorted(self.values, bound)
        found = self._below[line, 0].copy()
        for card in removed.T:
            found -= self._below[line, _one(card)]
        for first, second in combinations(removed.T, 2):
            found += self._below[line, _two(first, second)]
        for three in combinations(range(removed.shape[1]), 3):
            hands = removed[:, three]
            found -= np.where(three_card_values(hands) < bound, self._weigh(hands) * _SIXTHS, 0)
        return np.asarray(found.astype(np.int64) // _SIXTHS)


def against(dealer: Dealer, values: Ints, removed: Cards, qualifies: int) -> Ints:
    """The six columns of a duel for players' hands of these values, these cards being gone."""
    below = dealer.low(values, removed)
    level = dealer.low(values + 1, removed) - below
    low = dealer.low(np.full(len(values), qualifies), removed)
    rest = dealer.low(np.full(len(values), dealer.values[-1] + 1), removed)
    weak = values < qualifies
    low_below, low_level = np.minimum(below, low), np.where(weak, level, 0)
    columns = [
        low_below,
        low_level,
        low - low_below - low_level,
        below - low_below,
        level - low_level,
        rest - np.maximum(low, below + level),
    ]
    return np.stack(columns, axis=1)


def duel(qualifies: int, deck: Patterns | None = None) -> Duel:
    """Every hand of a deck against every other; the dealer qualifies from that value on."""
    deck = deck or Patterns()
    value = deck.values.tolist()
    ways = deck.ways.tolist()
    dealer = against(Dealer(deck), deck.values, deck.cards, qualifies).tolist()
    if deck.royal and deck.suits == 4:
        value.append(value[-1])
        ways[-1:] = [3, 1]
        dealer.append(dealer[-1])
    return Duel(value, ways, dealer)


def twos(hands: NDArray[np.integer]) -> Ints:
    """How many twos each hand holds."""
    return np.asarray((hands >> 2 == 0).sum(axis=1), np.int64)
