"""Three-card games compiled: Maryland's, Massachusetts' and Three Card Prime, up to seven seats.

Every payout stands in arrays made from the chapter's paytables (`three_card_tables`), so a new
paytable needs no new kernel; what a hand comes to is worked out in `three_card_codes`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from houseway.simulate import three_card_codes as codes
from houseway.simulate.batch import BATCH, NUMBER, Batch, begin_batch, end_batch, new_batch, pay
from houseway.simulate.compiled import compiled, inlined, step
from houseway.simulate.counts import Counts, Ints
from houseway.simulate.three_card_codes import (
    ANTE_PLAY,
    COVER_ALL,
    DECISION,
    ENVY,
    FIVE_CARDS,
    FIVE_ENVY,
    HAND_DECISION,
    PAIR_BONUS,
    PRIME,
    PROGRESSIVE,
    SIX_CARDS,
    TOGETHER,
    Table,
    held_by_others,
    with_community,
)


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
def apart(table: Table, batch: Batch, count: int, begin: int, lines: Ints) -> None:
    """The wagers that are paid together, each by itself. A payout limit leaves the ante as it was
    paid, for where there is one it is the only one of them.
    """
    for position in range(len(table.hand_of)):
        for number in range(count):
            code = np.uint64(batch.code[position, number])
            for wager in range(ANTE_PLAY + 1, TOGETHER):
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
    made, net, limited, limit = table.made, table.paid, table.limited, table.limit
    positions = len(table.hand_of)
    batch = new_batch(table.cards, table.dealt + 1, positions)
    at = stream[0]
    for begin in range(0, rounds, BATCH):
        count = min(BATCH, rounds - begin)
        at = begin_batch(batch, count, deck, given, begin, limit, at)
        royal = codes.look(table, batch, count)
        codes.relate(table, batch, count)
        pay(batch, count, NUMBER[ANTE_PLAY], net, limited, limit, counts, begin, lines)
        if len(lines):
            apart(table, batch, count, begin, lines)
        if made[PROGRESSIVE]:
            pay_meters(table, batch, count, NUMBER[PROGRESSIVE], meters, counts, begin, lines)
        if made[PRIME]:
            codes.match_colors(table, batch, count)
            pay(batch, count, NUMBER[PRIME], net, limited, limit, counts, begin, lines)
        if made[PAIR_BONUS]:
            codes.see_fourth(table, batch, count)
            pay(batch, count, NUMBER[PAIR_BONUS], net, limited, limit, counts, begin, lines)
        if made[SIX_CARDS]:
            codes.join_dealer(table, batch, count)
            pay(batch, count, NUMBER[SIX_CARDS], net, limited, limit, counts, begin, lines)
        if made[FIVE_CARDS]:
            codes.join_community(table, batch, count)
            pay(batch, count, NUMBER[FIVE_CARDS], net, limited, limit, counts, begin, lines)
            pay_meters(table, batch, count, NUMBER[FIVE_CARDS], meters, counts, begin, lines)
        if made[FIVE_ENVY]:
            pay_five_card_envy(table, batch, count, counts, begin, lines)
        if made[COVER_ALL]:
            codes.cover_all(table, batch, count)
            pay(batch, count, NUMBER[COVER_ALL], net, limited, limit, counts, begin, lines)
        if made[ENVY] and royal:
            codes.envy(table, batch, count)
            pay(batch, count, NUMBER[ENVY], net, limited, limit, counts, begin, lines)
        elif made[ENVY]:
            for position in range(positions):
                counts.codes[position, ENVY, 0] += count
        end_batch(batch, count, counts, begin, nets, covariance)
    stream[0] = at
