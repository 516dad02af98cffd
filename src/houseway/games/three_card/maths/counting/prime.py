"""What Three Card Prime asks besides the duel: colors, and the twos that are left.

Two of the four suits are red, so a dealer's hand of the player's color is a hand from a deck of
two suits, and the duel's tables for such a deck count it. A fourth card is a two more or less often
as the dealer holds fewer or more of them, so dealer's hands are also weighed by their twos.
"""

from __future__ import annotations

import numpy as np

from houseway.games.three_card.maths.counting.counts import Primes
from houseway.games.three_card.maths.counting.duel import Dealer, Patterns, against, twos
from houseway.maths.counting.bulk_hands import canonical_keys, masks_of


def primes(qualifies: int) -> Primes:
    """Counted for each row of the duel; the dealer qualifies from that value on."""
    deck, color = Patterns(), Patterns(suits=2)
    dealer_twos = against(Dealer(deck, twos), deck.values, deck.cards, qualifies)
    keys = canonical_keys(masks_of(deck.cards))
    order = np.argsort(keys)
    row = order[np.searchsorted(keys[order], canonical_keys(masks_of(color.cards)))]
    one_color = np.zeros(len(keys), np.int64)
    one_color[row] = 2 * color.ways
    same_color = np.zeros((len(keys), 6), np.int64)
    same_color[row] = against(Dealer(color), color.values, color.cards, qualifies)
    same_twos = np.zeros((len(keys), 6), np.int64)
    same_twos[row] = against(Dealer(color, twos), color.values, color.cards, qualifies)
    one_color[-1] = 3
    return Primes(
        [*twos(deck.cards).tolist(), 0],
        [*dealer_twos.tolist(), dealer_twos[-1].tolist()],
        [*one_color.tolist(), 1],
        [*same_color.tolist(), same_color[-1].tolist()],
        [*same_twos.tolist(), same_twos[-1].tolist()],
    )
