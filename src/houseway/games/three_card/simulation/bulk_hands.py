"""Three-card hands in bulk: `games.three_card.value` for arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from houseway.games.three_card.hands import value
from houseway.games.three_card.simulation.codes import INDICES
from houseway.games.three_card.simulation.tables import every_hand
from houseway.simulate.kernels.compiled import compiled

_VALUES = np.zeros(INDICES, np.int16)
for _index, _hand in every_hand():
    _VALUES[_index] = value(_hand)
# whether two of three suits are equal changes no hand's value
_PLAIN = np.concatenate([_VALUES[:2197], _VALUES[6 * 2197 :]])


@compiled
def three_card_values(hands: NDArray[np.uint8], into: NDArray[np.int16]) -> None:
    """Rows of three cards to the value of each."""
    for row in range(len(hands)):
        first, second, third = hands[row, 0], hands[row, 1], hands[row, 2]
        ranks = (first >> 2) * 169 + (second >> 2) * 13 + (third >> 2)
        into[row] = _PLAIN[ranks + 2197 * ((first ^ second | second ^ third) & 3 == 0)]
