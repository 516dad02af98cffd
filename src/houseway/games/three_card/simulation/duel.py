"""One hand against the dealer's, three cards each: the shortest way to a round.

Two of the 22,100 hands are picked at once from one random word and thrown away where they share a
card, so every deal of two hands is equally likely. Only what both hands are matters here, so this
serves the ante with Pair Plus and the three-card progressive at a table of one.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from houseway.cards import SPADES
from houseway.games.three_card.simulation.codes import (
    DECISION,
    FOLD,
    KINDS,
    MINI_ROYAL,
    PLAY,
    RELATION,
    RELATIONS,
    VALUE,
    Table,
    index_of,
)
from houseway.simulate.kernels.compiled import compiled
from houseway.simulate.kernels.counts import Ints
from houseway.simulate.kernels.random_streams import GAMMA, mix

#: rounds of a block
BLOCK = 1 << 24
HANDS = np.uint64(22_100)
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)
_FAVORED = np.uint64(2**32 % 22_100)
_DECK = np.uint64((1 << 52) - 1)
_KEY, _VALUE = np.uint64(52), np.uint64(54)
#: what is counted: kind, folded or not, then whether the dealer qualifies and how the hands stand
_COUNTS = KINDS * 2 * 8
_SHARED = _COUNTS  # counted there, where nobody looks: both hands hold one card


def arrays(table: Table) -> tuple[NDArray[np.uint64], NDArray[np.uint8], int]:
    """Each hand as a set of cards below its key; what is counted of each key; the value with which
    the dealer qualifies.

    A key is the place of a hand's value among all values, whether it is folded, and whether it is
    all spades, lowest bit last.
    """
    hands = list(combinations(range(52), 3))
    known = table.hands[[index_of(*hand) for hand in hands]].astype(np.int64)
    spades = np.array([all(card & 3 == SPADES for card in hand) for hand in hands])
    folded = known >> DECISION & 3 != PLAY
    kind = (known & 7) + (spades & (known & 7 == MINI_ROYAL))
    key = (known >> VALUE) * 4 + 2 * folded + spades
    classes = np.zeros(1 << 12, np.uint8)
    classes[key] = kind * 16 + folded * 8
    held = np.array([sum(1 << card for card in hand) for hand in hands], np.uint64)
    return held | key.astype(np.uint64) << _KEY, classes, table.qualifies >> VALUE


def room() -> Ints:
    """Counts that `duel` begins with: two in turn, since most rounds come to a few codes and must
    not wait for each other.
    """
    return np.zeros(4 * _COUNTS, np.int64)


@compiled
def duel(
    rounds: int,
    stream: NDArray[np.uint64],
    hands: NDArray[np.uint64],
    classes: NDArray[np.uint8],
    qualifies: int,
    counts: Ints,
    codes: Ints,
) -> None:
    """Play a number of rounds and count their codes, as `kernel.play` counts the ante's."""
    at = stream[0]
    least = np.uint64(qualifies)
    done = turn = 0
    while done < rounds:
        at += GAMMA
        word = mix(at)
        first = (word >> _HALF) * HANDS
        second = (word & _LOW) * HANDS
        if (first & _LOW) < _FAVORED or (second & _LOW) < _FAVORED:
            continue  # the remainder that would favor some hands
        player, dealer = hands[first >> _HALF], hands[second >> _HALF]
        apart = player & dealer & _DECK == 0
        value, other = player >> _VALUE, dealer >> _VALUE
        stands = 4 * (other >= least) + (value >= other) + (value > other)
        # without a branch: what shares a card is counted apart
        counts[turn + classes[player >> _KEY] + stands + _SHARED * (not apart)] += 1
        turn ^= 2 * _COUNTS
        done += apart
    for place in range(_COUNTS):
        kind, folded, stands = place >> 4, place >> 3 & 1, place & 7
        code = kind * RELATIONS + RELATION[8 * folded * FOLD + stands]
        codes[code] += counts[place] + counts[2 * _COUNTS + place]
    stream[0] = at
