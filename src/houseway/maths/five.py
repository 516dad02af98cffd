"""The player's three cards and two community cards: five-card hands, and how they meet the ante.

Of the 134,459 suit patterns of five cards one in thirty-five holds three of a kind or better. Each
of those is parted ten ways into a player's hand and the community's two, and the dealer's hands
that use none of the five are counted by the prefix tables of `duel`.
"""

from __future__ import annotations

from itertools import combinations

import msgspec
import numpy as np

from houseway.maths.duel import Dealer, Patterns, against
from houseway.maths.hands import TRIPS, best_five, canonical_sets, cards_of
from houseway.maths.six import Threes

#: Five-card outcomes from the highest, as in `poker.NAMES`.
FIVE = (
    "royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight",
    "three_of_a_kind", "two_pair", "pair", "high_card",
)  # fmt: skip


class FiveCards(msgspec.Struct, frozen=True):
    """One entry for each row of the duel and five-card outcome that occur together.

    `deals` counts the player's and the community's cards; `dealer` counts the dealer's hands with
    them, in the columns of the duel.
    """

    row: list[int]
    five: list[int]
    deals: list[int]
    dealer: list[list[int]]


def five_card_hands() -> dict[str, int]:
    """How many sets of five cards make each outcome."""
    masks, ways = canonical_sets(5)
    counts = np.bincount(best_five(masks), weights=ways, minlength=len(FIVE)).astype(int)
    return dict(zip(FIVE, counts.tolist(), strict=True))


def five_cards(qualifies: int) -> FiveCards:
    """Hands of three of a kind or better, parted in every way, against every dealer's hand."""
    masks, ways = canonical_sets(5)
    found = best_five(masks)
    paid = found <= TRIPS
    cards = cards_of(masks[paid], 5)
    ways, found = ways[paid], found[paid]
    threes = Threes()
    dealer = Dealer(Patterns())
    rows, size = int(threes.row.max()) + 2, TRIPS + 1
    table = np.zeros((rows * size, 7))
    for mine in combinations(range(5), 3):
        hand = threes.number(cards[:, mine])
        columns = against(dealer, threes.value[hand], cards, qualifies)
        counted = np.column_stack([np.ones(len(hand), int), columns]) * ways[:, None]
        np.add.at(table, threes.row[hand] * size + found, counted)
    whole = table.astype(np.int64).reshape(rows, size, 7)
    # of mini royals a quarter are spades, which have the last row
    whole[-1] = whole[-2] // 4
    whole[-2] -= whole[-1]
    row, five = np.nonzero(whole[:, :, 0])
    counts = whole[row, five]
    return FiveCards(
        row.tolist(), five.tolist(), counts[:, 0].tolist(), counts[:, 1:].tolist()
    )
