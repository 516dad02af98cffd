"""What a block of rounds adds up to, in whole numbers: the same shape for every game."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.simulate.kernels.compiled import inlined

Ints = NDArray[np.int64]


class Counts(NamedTuple):
    """Sums over rounds; `P` hands are wagered on."""

    #: [P, wager, code] how often a wager came to a code
    codes: Ints
    #: [P, wager, 3] what was paid beyond the net of a code (a meter's share): the sum, and what it
    #: adds to the sum of squares, in two parts
    varying: Ints
    #: [P] net of all wagers; [P, P] products of two positions' nets, in two parts
    totals: Ints
    low: Ints
    high: Ints
    #: [n, 4] hits of meters: round, meter, share in per cent, position; the first row counts them
    events: Ints


def empty(positions: int, wagers: int, codes: int, events: int = 0) -> Counts:
    """Empty counts, with room for this many meter hits."""
    return Counts(
        np.zeros((positions, wagers, codes), np.int64),
        np.zeros((positions, wagers, 3), np.int64),
        np.zeros(positions, np.int64),
        np.zeros((positions, positions), np.int64),
        np.zeros((positions, positions), np.int64),
        np.zeros((events + 1, 4), np.int64),
    )


@inlined
def add_totals(
    total: Ints, begin: int, count: int, counts: Counts, nets: Ints, covariance: bool
) -> None:
    """Add the nets of these rounds and their products, in two parts, so that no sum can overflow;
    `total` is by round and position. Where `nets` has room, round `begin` is the first that they
    are kept of.
    """
    for one in range(total.shape[1]):
        added = 0
        for number in range(count):
            added += total[number, one]
        counts.totals[one] += added
        for other in range(0 if covariance else one, one + 1):
            low = high = 0
            for number in range(count):
                product = total[number, one] * total[number, other]
                low += product & 0xFFFFFFFF
                high += product >> 32
            counts.low[one, other] += low
            counts.high[one, other] += high
    for number in range(count if len(nets) else 0):
        for position in range(total.shape[1]):
            nets[begin + number, position] = total[number, position]
