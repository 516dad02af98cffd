"""Rounds dealt and settled a few dozen at a time, for games that begin each with a whole deck.

Each step is done for all rounds of a batch before the next: deal, look at the hands, then one wager
after the other. So every step is a short loop that a processor runs well. A wager of a hand comes to
a *code*, a small whole number; arrays say what a code wins or loses, and counting codes is all that
a run has to do.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.simulate.compiled import step
from houseway.simulate.counts import Counts, Ints
from houseway.simulate.streams import deal

#: rounds that are played together
BATCH = 128
#: wagers by number: as elements of an array the compiler does not know them, and makes one function
#: for all of them
NUMBER = np.arange(16)


class Batch(NamedTuple):
    """Rounds that are played together; `P` hands are wagered on."""

    #: [round, place] as they were dealt
    cards: NDArray[np.uint8]
    #: [hand, round] what there is to know of a hand; the dealer's first
    words: Ints
    #: [P, round] the code of the wager that is being settled, what a position is up or down, and
    #: what is left of its payout limit
    code: NDArray[np.uint8]
    total: Ints
    left: Ints


@step
def new_batch(cards: int, hands: int, positions: int) -> Batch:
    return Batch(
        np.zeros((BATCH, cards), np.uint8),
        np.zeros((hands, BATCH), np.int64),
        np.zeros((positions, BATCH), np.uint8),
        np.zeros((positions, BATCH), np.int64),
        np.zeros((positions, BATCH), np.int64),
    )


@step
def begin_batch(
    batch: Batch, count: int, deck: Ints, given: Ints, begin: int, limit: int, at: np.uint64
) -> np.uint64:
    """Deal so many rounds, each from a whole deck, or take the cards that are given."""
    dealt, cards = batch.cards, batch.cards.shape[1]
    for number in range(count):
        if len(given):
            for place in range(cards):
                dealt[number, place] = given[begin + number, place]
            continue
        # one hand and the dealer's, and what goes with them: a number that the compiler knows
        if cards == 7:
            at = deal(deck, 0, 7, at)
        elif cards == 10:
            at = deal(deck, 0, 10, at)
        else:
            at = deal(deck, 0, cards, at)
        for place in range(cards):
            dealt[number, place] = deck[place]
    for position in range(len(batch.total)):
        for number in range(count):
            batch.total[position, number], batch.left[position, number] = 0, limit
    return at


@step
def pay(
    batch: Batch,
    count: int,
    wager: int,
    net: Ints,
    limited: Ints,
    limit: int,
    counts: Counts,
    begin: int,
    lines: Ints,
) -> None:
    """Count the codes of a wager and add what they win or lose; a payout limit cuts as it goes."""
    totals, left, met = batch.total, batch.left, counts.codes
    for position in range(len(totals)):
        for number in range(count):
            code = np.uint64(batch.code[position, number])
            met[position, wager, code] += 1
            amount = net[position, wager, code]
            if limit:
                counted = limited[position, wager, code]
                kept = min(counted, left[position, number])
                left[position, number] -= kept
                amount -= counted - kept
            totals[position, number] += amount
            if len(lines):
                lines[begin + number, position, wager] = amount


@step
def end_batch(
    batch: Batch, count: int, counts: Counts, begin: int, nets: Ints, covariance: bool
) -> None:
    """Add the nets of the rounds and their products; two parts, so that no sum can overflow."""
    total = batch.total
    for one in range(len(total)):
        added = 0
        for number in range(count):
            added += total[one, number]
        counts.totals[one] += added
        for other in range(0 if covariance else one, one + 1):
            low = high = 0
            for number in range(count):
                product = total[one, number] * total[other, number]
                low += product & 0xFFFFFFFF
                high += product >> 32
            counts.low[one, other] += low
            counts.high[one, other] += high
        if len(nets):
            for number in range(count):
                nets[begin + number, one] = total[one, number]
