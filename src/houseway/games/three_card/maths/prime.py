"""What Three Card Prime asks besides the duel: colours, and the twos that are left.

Two of the four suits are red, so a dealer's hand of the player's colour is a hand from a deck of
two suits, and the duel's tables for such a deck count it. A fourth card is a two more or less often
as the dealer holds fewer or more of them, so dealer's hands are also weighed by their twos.
"""

from __future__ import annotations

import numpy as np

from houseway.games.three_card.maths.counts import Primes
from houseway.games.three_card.maths.duel import Dealer, Patterns, against, twos
from houseway.maths.hands import canonical_keys, masks_of


def primes(qualifies: int) -> Primes:
    """Counted for each row of the duel; the dealer qualifies from that value on."""
    deck, colour = Patterns(), Patterns(suits=2)
    dealer_twos = against(Dealer(deck, twos), deck.values, deck.cards, qualifies)
    keys = canonical_keys(masks_of(deck.cards))
    order = np.argsort(keys)
    row = order[np.searchsorted(keys[order], canonical_keys(masks_of(colour.cards)))]
    one_colour = np.zeros(len(keys), np.int64)
    one_colour[row] = 2 * colour.ways
    same_colour = np.zeros((len(keys), 6), np.int64)
    same_colour[row] = against(Dealer(colour), colour.values, colour.cards, qualifies)
    same_twos = np.zeros(len(keys), np.int64)
    same_twos[row] = against(Dealer(colour, twos), colour.values, colour.cards, qualifies).sum(
        axis=1
    )
    one_colour[-1] = 3
    return Primes(
        [*twos(deck.cards).tolist(), 0],
        [*dealer_twos.tolist(), dealer_twos[-1].tolist()],
        [*one_colour.tolist(), 1],
        [*same_colour.tolist(), same_colour[-1].tolist()],
        [*same_twos.tolist(), int(same_twos[-1])],
    )
