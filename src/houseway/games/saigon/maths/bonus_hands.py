"""Many bonus hands of Saigon 5 Card at once: the game's own ranking on NumPy arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from houseway.maths.counting.bulk_hands import COUNT, IN_A_ROW, ROYAL_MASK, Cards, best_five

_BONUS_OF = np.array([1, 3, 4, 5, 6, 7, 8, 9, 10, 10], np.int8)  # from `poker.NAMES` to `BONUS`


def saigon_bonus(masks: Cards, joker: NDArray[np.bool_]) -> NDArray[np.int8]:
    """The bonus hand of five cards, or of four and the joker: an index into `BONUS`.

    With the joker: as an ace it makes five aces, four, a full house, three, two pair; it completes
    a royal flush, straight flush, flush or straight where one card is missing.
    """
    found = _BONUS_OF[best_five(masks)]
    four = masks[joker]
    if not len(four):
        return found
    aces = (four >> 12).sum(axis=1)
    clubs, diamonds, hearts, spades = four.T
    any_suit = clubs | diamonds | hearts | spades
    pairs = COUNT[
        clubs & diamonds | (clubs | diamonds) & hearts | (clubs | diamonds | hearts) & spades
    ]
    thrice = clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)
    quads = clubs & diamonds & hearts & spades
    flush = (COUNT[four] == 4).any(axis=1)
    run = (COUNT[any_suit] == 4) & _ONE_SHORT[any_suit]
    royal = flush & (any_suit & ~ROYAL_MASK == 0)
    with_joker = np.full(len(four), 10, np.int8)
    with_joker[(aces == 1) & (pairs == 1) | (pairs == 2)] = 9
    with_joker[(thrice > 0) | (aces == 2)] = 8
    with_joker[run] = 7
    with_joker[flush] = 6
    with_joker[(aces == 2) & (pairs == 2) | (aces == 1) & (thrice > 0)] = 5
    with_joker[(quads > 0) | (aces == 3)] = 4
    with_joker[flush & run] = 3
    with_joker[royal] = 2
    with_joker[aces == 4] = 0
    found[joker] = with_joker
    return found


def _one_short() -> NDArray[np.bool_]:
    """For each set of ranks: whether one more would put five in a row."""
    sets = np.arange(1 << 13)
    filled = [IN_A_ROW[sets | 1 << rank] for rank in range(13)]
    return np.asarray(np.stack(filled).any(axis=0))


_ONE_SHORT = _one_short()
