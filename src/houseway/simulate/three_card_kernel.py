"""Three-card games compiled: Maryland's, Massachusetts' and Three Card Prime, up to seven seats.

Every payout stands in arrays made from the chapter's paytables (`three_card_tables`), so a new
paytable needs no new kernel. A wager of a hand comes to a *code* (`three_card_codes`), and counting
codes is all that a run has to do.

Rounds are played a few dozen at a time, and each step is done for all of them before the next: deal,
look at the hands, then one wager after the other. So every step is a short loop that a processor
runs well.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from houseway.simulate import three_card_codes as codes
from houseway.simulate.compiled import compiled, inlined, step
from houseway.simulate.counts import Counts, Ints
from houseway.simulate.streams import deal
from houseway.simulate.three_card_codes import (
    ANTE_PLAY,
    BATCH,
    COVER_ALL,
    DECISION,
    ENVY,
    FIVE_CARDS,
    FIVE_ENVY,
    HAND_DECISION,
    PAIR_BONUS,
    PAIR_PLUS,
    PRIME,
    PROGRESSIVE,
    SIX_CARDS,
    Batch,
    Table,
    held_by_others,
    with_community,
)

#: a wager as a number that the compiler does not know, so that it makes one function for all
NUMBER = np.arange(len(codes.WAGERS))


@step
def deal_batch(batch: Batch, count: int, cards: int, deck: Ints, at: np.uint64) -> np.uint64:
    """Deal so many rounds, each from a whole deck."""
    dealt = batch.cards
    for number in range(count):
        # one hand and the dealer's, and what goes with them: a number that the compiler knows
        if cards == 6:
            at = deal(deck, 0, 6, at)
        elif cards == 7:
            at = deal(deck, 0, 7, at)
        elif cards == 8:
            at = deal(deck, 0, 8, at)
        else:
            at = deal(deck, 0, cards, at)
        for place in range(cards):
            dealt[number, place] = deck[place]
    return at


@step
def pay(
    table: Table, batch: Batch, count: int, wager: int, counts: Counts, begin: int, lines: Ints
) -> None:
    """Count the codes of a wager and add what they win or lose; a payout limit cuts as it goes."""
    totals, left = batch.total, batch.left
    net, limited, met = table.net, table.limited, counts.codes
    for position in range(len(table.hand_of)):
        for number in range(count):
            code = np.uint64(batch.code[position, number])
            met[position, wager, code] += 1
            amount = net[position, wager, code]
            if wager == ANTE_PLAY:
                amount = table.together[position, code]
            if table.limit:
                counted = limited[position, wager, code]
                kept = min(counted, left[position, number])
                left[position, number] -= kept
                amount -= counted - kept
            totals[position, number] += amount
            if len(lines):
                lines[begin + number, position, wager] = amount


@step
def pay_meters(
    table: Table,
    batch: Batch,
    count: int,
    wager: int,
    meters: Ints,
    counts: Counts,
    begin: int,
    lines: Ints,
) -> None:
    """Pay what a code takes of a meter: in a round the highest seat first."""
    row = 0 if wager == PROGRESSIVE else 1
    events = counts.events
    before = events[0, 0]
    for position in range(len(table.hand_of) - 1, -1, -1):
        for number in range(count):
            code = np.uint64(batch.code[position, number])
            meter = table.meter[row, code]
            if meter >= 0:
                share, shows = table.share[row, code], meters[meter]
                for hit in range(before + 1, min(events[0, 0] + 1, len(events))):
                    if events[hit, 0] == begin + number and events[hit, 1] == meter:
                        shows = after(shows, events[hit, 2], table.resets[meter])
                paid = shows * share // 100
                last = events[0, 0] + 1
                if last < len(events):  # whoever hits more often than there is room is told so
                    events[last, 0], events[last, 1] = begin + number, meter
                    events[last, 2], events[last, 3] = share, position
                events[0, 0] = last
                vary(counts.varying, position, wager, table.net[position, wager, code], paid)
                batch.total[position, number] += paid
                if len(lines):
                    lines[begin + number, position, wager] += paid


@inlined
def after(shows: int, share: int, reset: int) -> int:
    """What a meter shows once a share of it is paid; paid whole, it starts again."""
    left: int = shows - shows * share // 100
    return left + reset if share == 100 else left


@inlined
def vary(varying: Ints, position: int, wager: int, net: int, more: int) -> None:
    """Add what is paid beyond a net, and by how much it makes the square larger."""
    varying[position, wager, 0] += more
    larger = more * (more + 2 * net)
    varying[position, wager, 1] += larger & 0xFFFFFFFF
    varying[position, wager, 2] += larger >> 32


@step
def pay_five_card_envy(
    table: Table, batch: Batch, count: int, counts: Counts, begin: int, lines: Ints
) -> None:
    """What the Rules Submission awards every position for the five-card hands of others."""
    for position in range(len(table.hand_of)):
        for number in range(count):
            amount: Any = np.int64(0)
            for hand in range(1, table.dealt + 1):
                decision = batch.words[hand, number] >> DECISION & HAND_DECISION
                if held_by_others(table, hand - 1, decision, table.owner[position]):
                    best = with_community(table, batch, number, hand)
                    amount += table.five_envy[position, best]
            counts.codes[position, FIVE_ENVY, 1 if amount else 0] += 1
            vary(counts.varying, position, NUMBER[FIVE_ENVY], NUMBER[0], amount)
            batch.total[position, number] += amount
            if len(lines):
                lines[begin + number, position, FIVE_ENVY] = amount


@step
def add_up(batch: Batch, count: int, counts: Counts, covariance: bool) -> None:
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


@step
def apart(table: Table, batch: Batch, count: int, begin: int, lines: Ints) -> None:
    """The first three wagers, which are paid together, each by itself. A payout limit leaves the
    ante as it was paid, for where there is one it is the only one of the three.
    """
    for position in range(len(table.hand_of)):
        for number in range(count):
            code = np.uint64(batch.code[position, number])
            for wager in (PAIR_PLUS, PROGRESSIVE):
                amount = table.net[position, wager, code]
                lines[begin + number, position, wager] = amount
                lines[begin + number, position, ANTE_PLAY] -= amount


@compiled
def play(
    table: Table,
    rounds: int,
    stream: NDArray[np.uint64],
    deck: Ints,
    given: Ints,
    meters: Ints,
    counts: Counts,
    nets: Ints,
    lines: Ints,
    covariance: bool,
) -> None:
    """Deal, decide and settle so many rounds, each from a whole deck, and move the stream on.

    Where `given` has rows, those are the cards, and none are drawn: the dealer's three, three for
    each hand, then the community's two or a fourth card for each. Meters show `meters` at the start
    of every round. `nets` takes each round's net by position, `lines` by position and wager, if
    they have room.
    """
    made, positions = table.made, len(table.hand_of)
    batch = Batch(
        np.zeros((BATCH, table.cards), np.uint8),
        np.zeros((table.dealt + 1, BATCH), np.int64),
        np.zeros((positions, BATCH), np.uint8),
        np.zeros((positions, BATCH), np.int64),
        np.zeros((positions, BATCH), np.int64),
    )
    at = stream[0]
    for begin in range(0, rounds, BATCH):
        count = min(BATCH, rounds - begin)
        if len(given):
            for number in range(count):
                for place in range(table.cards):
                    batch.cards[number, place] = given[begin + number, place]
        else:
            at = deal_batch(batch, count, table.cards, deck, at)
        for position in range(positions):
            for number in range(count):
                batch.total[position, number], batch.left[position, number] = 0, table.limit
        royal = codes.look(table, batch, count)
        codes.relate(table, batch, count)
        pay(table, batch, count, NUMBER[ANTE_PLAY], counts, begin, lines)
        if len(lines):
            apart(table, batch, count, begin, lines)
        if made[PROGRESSIVE]:
            pay_meters(table, batch, count, NUMBER[PROGRESSIVE], meters, counts, begin, lines)
        if made[PRIME]:
            codes.match_colors(table, batch, count)
            pay(table, batch, count, NUMBER[PRIME], counts, begin, lines)
        if made[PAIR_BONUS]:
            codes.see_fourth(table, batch, count)
            pay(table, batch, count, NUMBER[PAIR_BONUS], counts, begin, lines)
        if made[SIX_CARDS]:
            codes.join_dealer(table, batch, count)
            pay(table, batch, count, NUMBER[SIX_CARDS], counts, begin, lines)
        if made[FIVE_CARDS]:
            codes.join_community(table, batch, count)
            pay(table, batch, count, NUMBER[FIVE_CARDS], counts, begin, lines)
            pay_meters(table, batch, count, NUMBER[FIVE_CARDS], meters, counts, begin, lines)
        if made[FIVE_ENVY]:
            pay_five_card_envy(table, batch, count, counts, begin, lines)
        if made[COVER_ALL]:
            codes.cover_all(table, batch, count)
            pay(table, batch, count, NUMBER[COVER_ALL], counts, begin, lines)
        if made[ENVY]:
            if royal:
                codes.envy(table, batch, count)
                pay(table, batch, count, NUMBER[ENVY], counts, begin, lines)
            else:
                for position in range(positions):
                    counts.codes[position, ENVY, 0] += count
        add_up(batch, count, counts, covariance)
        if len(nets):
            for number in range(count):
                for position in range(positions):
                    nets[begin + number, position] = batch.total[position, number]
    stream[0] = at
