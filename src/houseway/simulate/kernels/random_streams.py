"""Random words for kernels, one stream for each block of a run.

Word `i` of block `b` is a mix (SplitMix64, Stafford's 13th) of the counter `b * 2**36 + i`, shifted by
a key made of the seed. So a block's words are known from the seed and its number alone, on any core
or machine, and no two blocks of a run share a word. A block may use up to 2**36 words, a run may have
up to 2**28 blocks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from houseway.simulate.kernels.compiled import compiled, inlined

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)
_BLOCK = 2**36
#: the most blocks of a run
BLOCKS = 2**28
_WORD = 2**64
#: as many draws as this go into one word when decks are dealt: 53 * 52 * … * 44 is below 2**57
BATCH = 10
_SELDOM = np.uint64(1 << 57)
_NONE, _ONE, _BATCH = np.uint64(0), np.uint64(1), np.uint64(BATCH)


def start(seed: int | str, block: int) -> NDArray[np.uint64]:
    """The stream of a block at its beginning: one counter that kernels move on."""
    if not 0 <= block < BLOCKS:
        raise ValueError(f"a run has at most {BLOCKS:,} blocks")
    key = int.from_bytes(hashlib.sha256(f"houseway:simulate:{seed}".encode()).digest()[:8], "big")
    return np.array([(key + block * _BLOCK * int(GAMMA)) % _WORD], np.uint64)


@inlined
def mix(counter: np.uint64) -> np.uint64:
    """One word from one counter."""
    word = (counter ^ (counter >> _30)) * _FIRST
    word = (word ^ (word >> _27)) * _SECOND
    return word ^ (word >> _31)


@intrinsic
def _high(typing_context, first, second):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202, ARG001
    def generate(context, builder, signature, given):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202, ARG001
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(given[0], wide), builder.zext(given[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), generate


#: The upper 64 bits of a product of two words: a draw below the second if the first is random.
high = cast("Callable[[np.uint64, np.uint64], np.uint64]", _high)


@inlined
def draw(deck: np.ndarray, first: int, count: int, at: np.uint64) -> np.uint64:
    """Draw a few cards to the places from `first` on, each left card equally likely.

    Fisher and Yates, from whatever order the deck is in, all draws from one word (Brackett-Rozinsky
    and Lemire): they are exactly uniform because a remainder that would favor some is thrown away,
    which happens less than once in a hundred words. The sizes left must multiply to less than 2**57.
    """
    size = len(deck)
    while True:
        at += GAMMA
        left = mix(at)
        for place in range(first, first + count):
            below = np.uint64(size - place)
            here = np.uint64(place)
            chosen = here + high(left, below)
            left *= below
            deck[here], deck[chosen] = deck[chosen], deck[here]
        if left >= _SELDOM:
            break
        bound = np.uint64(1)
        for place in range(first, first + count):
            bound *= np.uint64(size - place)
        if left >= bound or left >= (np.uint64(0) - bound) % bound:
            break
    return at


@inlined
def deal(
    deck: np.ndarray, count: np.uint64, into: np.ndarray, place: np.uint64, at: np.uint64
) -> np.uint64:
    """The same for the first of a deck, any number of them; and put them down at a place as well.

    They are read there, a few rounds later: reading what was just written at random stalls a
    processor.
    """
    first, size = _NONE, np.uint64(len(deck))
    while first < count:
        last = min(first + _BATCH, count)
        while True:
            at += GAMMA
            left = mix(at)
            here, bound = first, _ONE
            while here < last:
                below = size - here
                chosen = here + high(left, below)
                left *= below
                bound *= below
                card = deck[chosen]
                deck[chosen] = deck[here]
                deck[here] = card
                into[place + here] = card
                here += _ONE
            if left >= _SELDOM or left >= bound or left >= (_NONE - bound) % bound:
                break
        first = last
    return at


@inlined
def lay(
    deck: np.ndarray,
    words: np.ndarray,
    given: np.ndarray,
    begin: int,
    count: int,
    cards: int,
    laid: np.ndarray,
    at: np.uint64,
) -> np.uint64:
    """Lay the cards of each round, one round after the other.

    Each round is dealt from the whole deck; or, where `given` has rows, it has the cards of its row,
    each as the word that `words` has for it.
    """
    for number in range(count):
        if len(given):
            for place in range(cards):
                laid[cards * number + place] = words[given[begin + number, place]]
        else:
            at = deal(deck, np.uint64(cards), laid, np.uint64(cards * number), at)
    return at


@compiled
def words(stream: NDArray[np.uint64], into: NDArray[np.uint64]) -> None:
    """The next words of a stream as they are, for the random source on trial."""
    at = stream[0]
    for place in range(len(into)):
        at += GAMMA
        into[place] = mix(at)
    stream[0] = at
