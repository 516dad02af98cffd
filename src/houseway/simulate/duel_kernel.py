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
from houseway.simulate.compiled import compiled
from houseway.simulate.counts import Ints
from houseway.simulate.streams import GAMMA, mix
from houseway.simulate.three_card_kernel import (
    CODES,
    MINI_ROYAL,
    PLAY,
    RELATION,
    RELATIONS,
    Table,
    index_of,
)

HANDS = np.uint64(22_100)
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)
_FAVOURED = np.uint64(2**32 % 22_100)
_DECK = np.uint64((1 << 52) - 1)
_RANK, _FOLDED, _ONE = np.uint64(52), np.uint64(63), np.uint64(1)
_RANKS = np.uint64((1 << 11) - 1)
_TRASH = 64
assert CODES <= _TRASH


def arrays(table: Table) -> tuple[NDArray[np.uint64], Ints, int]:
    """Each hand as a set of cards, the rank of its value and whether it is folded; the kind of each
    rank; the rank with which the dealer qualifies.

    A rank is twice the place of a value among all values, and one more for a suit of spades.
    """
    hands = list(combinations(range(52), 3))
    known = table.hands[[index_of.py_func(*hand) for hand in hands]].astype(np.int64)  # type: ignore[attr-defined]
    spades = np.array([all(card & 3 == SPADES for card in hand) for hand in hands])
    rank = 2 * (known >> 5) + spades
    kind = known & 7
    kinds = np.zeros(rank.max() + 2, np.int64)
    kinds[rank] = (kind + (spades & (kind == MINI_ROYAL))) * RELATIONS
    held = np.array([sum(1 << card for card in hand) for hand in hands], np.uint64)
    folded = (known >> 3 & 3 != PLAY).astype(np.uint64)
    words = held | rank.astype(np.uint64) << _RANK | folded << _FOLDED
    return words, kinds, table.qualifies


@compiled
def duel(
    rounds: int,
    stream: NDArray[np.uint64],
    hands: NDArray[np.uint64],
    kinds: Ints,
    qualifies: int,
    codes: Ints,
) -> None:
    """Play so many rounds and count their codes, as `three_card_kernel.play` counts the ante's."""
    at = stream[0]
    # two counts in turn, since most rounds come to a few codes and must not wait for each other
    counts = np.zeros(4 * _TRASH, np.int64)
    least = np.uint64(qualifies)
    done = turn = 0
    while done < rounds:
        at += GAMMA
        word = mix(at)
        first = (word >> _HALF) * HANDS
        second = (word & _LOW) * HANDS
        if (first & _LOW) < _FAVOURED or (second & _LOW) < _FAVOURED:
            continue  # the remainder that would favour some hands
        player, dealer = hands[first >> _HALF], hands[second >> _HALF]
        apart = player & dealer & _DECK == 0
        mine = player >> _RANK & _RANKS
        value, other = mine >> _ONE, (dealer >> _RANK & _RANKS) >> _ONE
        above = (value >= other) + (value > other)
        relation = np.int64(player >> _FOLDED) * 8 + 4 * (other >= least) + above
        code = kinds[mine] + RELATION[relation]
        # without a branch: what shares a card is counted where nobody looks
        counts[turn + code + _TRASH * (not apart)] += 1
        turn ^= 2 * _TRASH
        done += apart
    for code in range(len(codes)):
        codes[code] += counts[code] + counts[2 * _TRASH + code]
    stream[0] = at
