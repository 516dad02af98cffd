"""The player's three cards and two community cards: five-card hands, and what they meet.

Of the 134,459 suit patterns of five cards one in thirty-five holds three of a kind or better. Each
of those is parted ten ways into a player's hand and the community's two. The dealer's hands that
use none of the five are counted twice over:

- against the player's hand, by the prefix tables of `duel` with five cards removed;
- by the six-card hand they make with the player's. Let h be the player's cards, y and z the
  community's. Of the dealer's hands that share no card with h, inclusion and exclusion over y and z
  leaves all(h) - with(h, y) - with(h, z) + with(h, y, z). A six-card hand does not care which of its
  cards are whose, so with(h, y) is the number of sets of six around the four cards h + y, and so
  on: a number that belongs to a *set* of three, four or five cards, and is counted for sets.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from houseway.games.three_card.maths.counting.counts import (
    FIVE,
    FIVE_PAID,
    SIX,
    SIX_PAID,
    FiveCards,
)
from houseway.games.three_card.maths.counting.duel import Dealer, Patterns, against
from houseway.games.three_card.maths.counting.six_cards import (
    Threes,
    name_the_suits,
    sixes_around,
    sixes_around_threes,
    subset_keys,
)
from houseway.maths.counting.bulk_hands import Cards, Ints, best_five, canonical_sets, cards_of


def five_card_hands() -> dict[str, int]:
    """How many sets of five cards make each outcome."""
    masks, ways = canonical_sets(5)
    counts = np.bincount(best_five(masks), weights=ways, minlength=len(FIVE)).astype(int)
    return dict(zip(FIVE, counts.tolist(), strict=True))


class _Around:
    """Sets of six around the subsets of given sets of five, looked up by the places they hold."""

    def __init__(self, masks: Cards, cards: Cards, size: int) -> None:
        places = list(combinations(range(5), size))
        keys = [subset_keys(masks, cards, chosen) for chosen in places]
        wanted, which = np.unique(np.stack(keys), return_inverse=True)
        self._which = dict(zip(places, which.reshape(len(places), -1), strict=True))
        self._counts = sixes_around(wanted, size)

    def __call__(self, *places: int) -> np.ndarray:
        return self._counts[self._which[tuple(sorted(places))]]


def five_cards(qualifies: int) -> FiveCards:
    """Hands of three of a kind or better, parted in every way, with every dealer's hand."""
    masks, ways = canonical_sets(5)
    found = best_five(masks)
    paid = found < FIVE_PAID
    masks, ways, found = masks[paid], ways[paid], found[paid]
    cards = cards_of(masks, 5)
    around = {size: _Around(masks, cards, size) for size in (4, 5)}
    threes = Threes()
    around_three = sixes_around_threes(threes)
    dealer = Dealer(Patterns())
    deals = np.zeros(threes.rows * FIVE_PAID)
    columns = np.zeros((threes.rows * FIVE_PAID, 6))
    sixes = np.zeros((threes.rows * FIVE_PAID, len(SIX)))
    for mine in combinations(range(5), 3):
        y, z = (place for place in range(5) if place not in mine)
        hand = threes.number(cards[:, mine])
        place = threes.row[hand] * FIVE_PAID + found
        deals += np.bincount(place, weights=ways, minlength=len(deals))
        _add(columns, place, against(dealer, threes.value[hand], cards, qualifies), ways)
        with_six = around_three[threes.row[hand]] + around[5](*range(5))
        with_six -= around[4](*mine, y) + around[4](*mine, z)
        _add(sixes[:, :SIX_PAID], place, np.rint(with_six), ways)
    shape = (threes.rows, FIVE_PAID, -1)
    by_six = sixes.astype(np.int64).reshape(shape)
    name_the_suits(by_six)
    rest = np.column_stack([deals, columns]).astype(np.int64).reshape(shape)
    rest[-1] = rest[-2] // 4  # of the mini royals a quarter are spades, which have the last row
    rest[-2] -= rest[-1]
    row, five = np.nonzero(rest[:, :, 0])
    counts = rest[row, five]
    return FiveCards(
        row.tolist(),
        five.tolist(),
        counts[:, 0].tolist(),
        counts[:, 1:].tolist(),
        by_six[row, five, :SIX_PAID].tolist(),
    )


def _add(table: np.ndarray, place: Ints, counts: np.ndarray, ways: Ints) -> None:
    for column in range(counts.shape[1]):
        table[:, column] += np.bincount(place, counts[:, column] * ways, minlength=len(table))
