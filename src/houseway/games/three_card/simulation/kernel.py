"""Three-card games compiled: Maryland's, Massachusetts' and Three Card Prime, up to seven seats.

Every payout stands in arrays made from the chapter's paytables (`tables`), so a new paytable needs
no new kernel; what a hand comes to is worked out in `codes`. A deck is an
array of words that add up to hands, so that a hand is known by one look into a table.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.games.three_card.simulation.codes import (
    ANTE_CODE,
    BESIDE_COMMUNITY,
    BESIDE_DEALER,
    CARRIED,
    CODES,
    COLORS,
    COVER_ALL,
    DECISION,
    ENVY,
    FIVE_CARDS,
    FIVE_ENVY,
    FIVE_OF_SUIT,
    FIVES,
    FORFEIT,
    HAND_BESIDE,
    HAND_DECIDED,
    HAND_DECISION,
    HAND_KIND,
    HAND_RANKS,
    HAND_RED,
    HAND_ROW,
    HAND_SUITS,
    HAND_VALUE,
    KINDS,
    MINI_ROYAL,
    MINI_ROYAL_SPADES,
    NUMBER,
    OF_CARD,
    OTHERS,
    PAIR_BONUS,
    PLAY,
    PRIME,
    PROGRESSIVE,
    RANKS,
    RED,
    ROW,
    SIX_CARDS,
    SIXES,
    TOGETHER,
    WAGERS,
    Table,
    best_suited,
    hand_at,
)
from houseway.simulate.kernels.compiled import compiled, inlined, step
from houseway.simulate.kernels.counts import Counts, Ints, add_totals
from houseway.simulate.kernels.random_streams import lay

#: rounds that are settled together
BATCH = 64
_SEAT = len(WAGERS) * CODES  # entries of a position in the arrays by wager and code
_PRIME, _PAIR, _SIX, _FIVE = (CODES * wager for wager in (PRIME, PAIR_BONUS, SIX_CARDS, FIVE_CARDS))
#: the order of settlement, which a payout limit follows
_ORDER = np.array([*range(TOGETHER), PRIME, PAIR_BONUS, SIX_CARDS, FIVE_CARDS])
#: added to what a code pays where there is more to settle; no net comes near it
MARK = -1 << 60
_MARKED = MARK >> 1


class Room(NamedTuple):
    """What the rounds that are settled together are written on."""

    #: their cards, one round after the other
    laid: Ints
    #: [round, 1 + P] the dealer's hand, then each position's
    words: Ints
    #: [round, P] what a position is up or down
    total: Ints
    #: counts like `Counts.codes` in one row, several where there are few positions, for rounds in
    #: turn: a processor stumbles over adding to what it has just added to
    met: Ints


def room_for(table: Table) -> Room:
    """Room for the rounds of a table."""
    positions = len(table.own)
    turns = 2 if positions < 4 else 1
    return Room(
        laid=np.zeros(BATCH * table.cards, np.int64),
        words=np.zeros((BATCH, 1 + positions), np.int64),
        total=np.zeros((BATCH, positions), np.int64),
        met=np.zeros(_SEAT * positions * turns, np.int64),
    )


@inlined
def ante_code(mine: int, theirs: int, qualifies: int) -> int:
    value, dealer = mine & HAND_VALUE, theirs & HAND_VALUE
    stands = 4 * (dealer >= qualifies) + (value >= dealer) + (value > dealer)
    place = np.uint64(8 * (mine & HAND_DECIDED) + stands)
    return np.int64(ANTE_CODE[place])  # type: ignore[return-value]


@inlined
def color_code(mine: int, theirs: int) -> int:
    reds = 4 * (mine >> RED & HAND_RED) + (theirs >> RED & HAND_RED)
    return np.int64(COLORS[np.uint64(reds)])  # type: ignore[return-value]


@inlined
def fourth_code(mine: int, fourth: int, two: int) -> int:
    return (mine & HAND_KIND) + KINDS * (fourth >> NUMBER + 2 & 15 == two)


@inlined
def community_of(laid: Ints, rest: int) -> int:
    """The community's cards: where their ranks are in `Table.fives`, and above that their suits."""
    one, other = laid[np.uint64(rest)], laid[np.uint64(rest + 1)]
    row = 13 * (one >> NUMBER + 2 & 15) + (other >> NUMBER + 2 & 15)
    found: int = (one & HAND_SUITS) + (other & HAND_SUITS) + ROW * row
    return found


@step
def look(table: Table, room: Room, count: int) -> None:
    """Make a word of every hand, with what it comes to beside other cards."""
    known, hands, sixes, fives = table.known, table.hands, table.sixes, table.fives
    own, heeded, cards, rest = table.own, table.heeded, table.cards, table.rest
    six, five = table.made[SIX_CARDS], table.made[FIVE_CARDS]
    laid, words = room.laid, room.words
    for number in range(count):
        first = cards * number
        theirs = hand_at(known, hands, laid, first)
        words[number, 0] = theirs
        row = ROW * (theirs >> RANKS & HAND_RANKS)
        community = community_of(laid, first + rest) if five else 0
        for position in range(len(own)):
            word = hand_at(known, hands, laid, first + own[position])
            mine, column = word & heeded[position], word >> RANKS & HAND_RANKS
            decision = mine >> DECISION & HAND_DECISION
            if six:
                code: Any = np.int64(sixes[np.uint64(row + column)])
                if (word + theirs + FIVE_OF_SUIT) & CARRIED:
                    code = best_suited(laid, first + own[position], first, 3)
                mine |= code + SIXES * (decision == FORFEIT) << BESIDE_DEALER
            if five:
                code = np.int64(fives[np.uint64((community & HAND_ROW) + column)])
                if (word + community + FIVE_OF_SUIT) & CARRIED:
                    code = best_suited(laid, first + own[position], first + rest, 2)
                mine |= code + FIVES * (decision != PLAY) << BESIDE_COMMUNITY
            words[number, 1 + position] = mine


@step
def settle(table: Table, room: Room, count: int) -> bool:
    """Count and pay the outcomes of a number of rounds; returns whether any round needs more."""
    qualifies, two, paid, made = table.qualifies, table.two, table.paid, table.made
    prime, pair_bonus, six, five = made[PRIME], made[PAIR_BONUS], made[SIX_CARDS], made[FIVE_CARDS]
    laid, words, total, met = room
    positions = total.shape[1]
    turns = len(met) // (_SEAT * positions) - 1
    for number in range(count):
        fourth, theirs = table.cards * number + table.rest, words[number, 0]
        turn = _SEAT * positions * (number & turns)
        for position in range(positions):
            mine, seat = words[number, 1 + position], _SEAT * position
            code = ante_code(mine, theirs, qualifies)
            met[np.uint64(turn + seat + code)] += 1
            amount = paid[np.uint64(seat + code)]
            if prime:
                code = color_code(mine, theirs) + _PRIME
                met[np.uint64(turn + seat + code)] += 1
                amount += paid[np.uint64(seat + code)]
            if pair_bonus:
                code = fourth_code(mine, laid[np.uint64(fourth + position)], two) + _PAIR
                met[np.uint64(turn + seat + code)] += 1
                amount += paid[np.uint64(seat + code)]
            if six:
                code = (mine >> BESIDE_DEALER & HAND_BESIDE) + _SIX
                met[np.uint64(turn + seat + code)] += 1
                amount += paid[np.uint64(seat + code)]
            if five:
                code = (mine >> BESIDE_COMMUNITY & HAND_BESIDE) + _FIVE
                met[np.uint64(turn + seat + code)] += 1
                amount += paid[np.uint64(seat + code)]
            total[number, position] = amount
    least = 0
    for number in range(count):
        for position in range(positions):
            least = min(least, total[number, position])
    return least < _MARKED


@step
def settle_more(
    table: Table,
    room: Room,
    count: int,
    begin: int,
    before: int,
    counts: Counts,
    lines: Ints,
    always: bool,
) -> None:
    """What rounds have beyond the wagers of each hand: meters, a payout limit, the hands of others;
    and what they came to by wager, where that is wanted. The highest seat comes first.
    """
    total, laid, positions = room.total, room.laid, len(table.own)
    for number in range(count):
        more, first = always, table.cards * number
        for position in range(positions):
            more |= total[number, position] < _MARKED
        for position in range(positions - 1 if more else -1, -1, -1):
            mine, theirs = room.words[number, 1 + position], room.words[number, 0]
            up, left = 0, table.limit
            for wager in _ORDER:
                if not table.made[wager]:
                    continue
                if wager == PRIME:
                    code = color_code(mine, theirs)
                elif wager == PAIR_BONUS:
                    code = fourth_code(mine, laid[first + table.rest + position], table.two)
                elif wager == SIX_CARDS:
                    code = mine >> BESIDE_DEALER & HAND_BESIDE
                elif wager == FIVE_CARDS:
                    code = mine >> BESIDE_COMMUNITY & HAND_BESIDE
                else:
                    code = ante_code(mine, theirs, table.qualifies)
                amount = table.net[position, wager, code]
                if table.limit:
                    counted = table.limited[position, wager, code]
                    kept = min(counted, left)
                    left -= kept
                    amount -= counted - kept
                row = 0 if wager == PROGRESSIVE else 1
                if wager in (PROGRESSIVE, FIVE_CARDS) and table.meter[row, position, code] >= 0:
                    amount += pay_meter(table, counts, begin + number, before, position, row, code)
                if len(lines):
                    lines[begin + number, position, wager] = amount
                up += amount
            up += for_others(table, room, number, position, counts, lines, begin)
            total[number, position] = up


@step
def pay_meter(
    table: Table,
    counts: Counts,
    number: int,
    before: int,
    position: int,
    row: int,
    code: int,
) -> int:
    """Pay what a code takes of a meter. A share that was paid in this round is no longer there;
    `before` hits were of earlier calls.
    """
    meter, share = table.meter[row, position, code], table.share[row, position, code]
    events, shows = counts.events, table.shows[meter]
    hits = min(events[0, 0] + 1, len(events))
    first = hits
    while first > before + 1 and events[first - 1, 0] == number:
        first -= 1
    for hit in range(first, hits):
        if events[hit, 1] == meter:
            shows -= shows * events[hit, 2] // 100
            if events[hit, 2] == 100:
                shows += table.resets[meter]
    paid: int = shows * share // 100
    last = events[0, 0] + 1
    if last < len(events):  # more hits than there is room for are reported
        events[last, 0], events[last, 1], events[last, 2] = number, meter, share
        events[last, 3] = position
    events[0, 0] = last
    wager = PROGRESSIVE if row == 0 else FIVE_CARDS
    vary(counts.varying, position, wager, table.net[position, wager, code], paid)
    return paid


@inlined
def vary(varying: Ints, position: int, wager: int, net: int, more: int) -> None:
    """Add what is paid beyond a net, and by how much it makes the square larger."""
    varying[position, wager, 0] += more
    larger = more * (more + 2 * net)
    varying[position, wager, 1] += larger & 0xFFFFFFFF
    varying[position, wager, 2] += larger >> 32


@step
def for_others(
    table: Table,
    room: Room,
    number: int,
    position: int,
    counts: Counts,
    lines: Ints,
    begin: int,
) -> int:
    """What a position is paid for the hands of others: Cover All for the highest that anybody
    looked at, envy for the mini royals and the five-card hands that were not folded.
    """
    made, codes, first = table.made, counts.codes, table.cards * number
    best = hand_at(table.known, table.hands, room.laid, first)
    spades = others = award = amount = 0
    for place in range(3, table.rest, 3):
        word = hand_at(table.known, table.hands, room.laid, first + place)
        seen, held, mine = False, False, False
        for other in range(len(table.own)):
            if table.own[other] == place:
                decision = (word & table.heeded[other]) >> DECISION & HAND_DECISION
                seen |= decision != FORFEIT
                held |= decision == PLAY
                mine |= decision == PLAY and table.owner[other] == table.owner[position]
        if seen and word & HAND_VALUE > best & HAND_VALUE:
            best = word
        if held and not mine:
            spades += word & HAND_KIND == MINI_ROYAL_SPADES
            others += word & HAND_KIND == MINI_ROYAL
            if made[FIVE_ENVY]:
                five = best_suited(room.laid, first + place, first + table.rest, 2)
                award += table.five_envy[position, five]
    if made[COVER_ALL]:
        code = best & HAND_KIND
        codes[position, COVER_ALL, code] += 1
        amount += table.net[position, COVER_ALL, code]
        if len(lines):
            lines[begin + number, position, COVER_ALL] = amount
    code = spades * OTHERS + others
    if made[ENVY] and code:
        codes[position, ENVY, code] += 1
        codes[position, ENVY, 0] -= 1
        amount += table.net[position, ENVY, code]
        if len(lines):
            lines[begin + number, position, ENVY] = table.net[position, ENVY, code]
    if made[FIVE_ENVY]:
        codes[position, FIVE_ENVY, 1 if award else 0] += 1
        vary(counts.varying, position, FIVE_ENVY, 0, award)
        if len(lines):
            lines[begin + number, position, FIVE_ENVY] = award
    return amount + award


@compiled
def play(
    table: Table,
    rounds: int,
    stream: NDArray[np.uint64],
    deck: Ints,
    given: Ints,
    counts: Counts,
    nets: Ints,
    lines: Ints,
    covariance: bool,
    room: Room,
) -> None:
    """Deal, decide and settle a number of rounds, each from a whole deck: a `kernel.Play`.

    The deck is of words (`OF_CARD`). Cards that are given are the dealer's three, three for each
    hand, then the community's two or a fourth card for each.
    """
    cards, made = table.cards, table.made
    always = made[COVER_ALL] or made[FIVE_ENVY] or table.limit > 0 or len(lines) > 0
    before, at = counts.events[0, 0], stream[0]
    for begin in range(0, rounds, BATCH):
        count = min(BATCH, rounds - begin)
        at = lay(deck, OF_CARD, given, begin, count, cards, room.laid, at)
        look(table, room, count)
        if settle(table, room, count) or always:
            settle_more(table, room, count, begin, before, counts, lines, always)
        add_totals(room.total, begin, count, counts, nets, covariance)
    for place in range(len(room.met)):
        position, code = place // _SEAT % len(table.own), place % _SEAT
        counts.codes[position, code // CODES, code % CODES] += room.met[place]
        room.met[place] = 0
    for position in range(len(table.own)):
        if made[ENVY]:
            counts.codes[position, ENVY, 0] += rounds
    stream[0] = at
