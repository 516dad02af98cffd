"""Three-card games compiled: Maryland's, Massachusetts' and Three Card Prime, up to seven seats.

Every payout stands in arrays made from the chapter's paytables (`three_card_tables`), so a new
paytable needs no new kernel. A wager of a hand comes to a small whole number, its *code*; the array
`net` says what a code wins or loses, and counting codes is all that a run has to do.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.cards import DIAMONDS, HEARTS, SPADES
from houseway.simulate.compiled import compiled, inlined
from houseway.simulate.counts import Counts, Ints, add_totals, cut
from houseway.simulate.five_of_six import BITS, SUITS, best_five
from houseway.simulate.streams import deal

WAGERS = (
    "ante_play", "pair_plus", "progressive", "envy", "six_cards", "five_card_progressive",
    "five_card_envy", "cover_all", "prime", "pair_bonus",
)  # fmt: skip
(
    ANTE_PLAY, PAIR_PLUS, PROGRESSIVE, ENVY, SIX_CARDS, FIVE_CARDS, FIVE_ENVY, COVER_ALL, PRIME,
    PAIR_BONUS,
) = range(10)  # fmt: skip

#: how many indices there are
INDICES = 7 * 2197
#: kinds of three cards: the six ranks of `games.three_card.NAMES`, then the two mini royals
MINI_ROYAL, MINI_ROYAL_SPADES, KINDS = 6, 7, 8
#: what a player decides, as an index
PLAY, FOLD, FORFEIT = range(3)
#: how a hand stands to the dealer's: given up (twice), not qualified, lower, level, higher
RELATIONS = 6
FOLDED, FORFEITED, NOT_QUALIFIED, LOWER, LEVEL, HIGHER = range(6)
#: by decision, whether the dealer qualifies, and whether the hand is lower, level or higher: a
#: table, because nobody can guess these branches
RELATION = np.array(
    [NOT_QUALIFIED] * 4 + [LOWER, LEVEL, HIGHER, HIGHER] + [FOLDED] * 8 + [FORFEITED] * 8
)
#: The codes: kind and relation for the ante, Pair Plus and the progressive; mini royals held by
#: others; six cards; five cards; kind and whether the fourth card is a two.
CODES = KINDS * RELATIONS
OTHERS = 4
_ROW = len(WAGERS) * CODES
_TWO, _THREE, _13, _169, _2197 = (np.uint64(number) for number in (2, 3, 13, 169, 2197))
_SPADES = np.uint64(SPADES)
#: by how many of the player's cards are red, and of the dealer's: not of one color, of one, of the
#: dealer's too
_COLORS = np.array([2, 1, 1, 1] + [0] * 8 + [1, 1, 1, 2])
_RED = np.array([card & 3 in (DIAMONDS, HEARTS) for card in range(52)], np.int64)


class Table(NamedTuple):
    """One table as arrays. `P` hands are wagered on, in the order of the seats."""

    #: by `index_of`: the place of its value among all values * 32 + decision * 8 + kind
    hands: NDArray[np.uint16]
    #: the least such place with which the dealer qualifies
    qualifies: int
    #: places of the deck that a round uses
    cards: int
    #: for each position the hand it is on, and whose it is
    hand_of: Ints
    owner: Ints
    #: whether there is an ante, without which nothing is decided
    decides: NDArray[np.bool_]
    #: hands of the table besides the dealer's
    dealt: int
    #: [wager] whether it is made at any position
    made: NDArray[np.bool_]
    #: [P, wager, code] what the player is up or down, and what of it a payout limit counts
    net: Ints
    limited: Ints
    #: [P, code] the net of the first three wagers together, which share their codes
    together: Ints
    limit: int
    #: [2, code] the meter that a progressive code is paid from, or -1, and its share in per cent
    meter: Ints
    share: Ints
    resets: Ints
    #: [P, five-card hand] what a position is awarded for another's hand
    five_envy: Ints
    two: int


@inlined
def index_of(first: int, second: int, third: int) -> int:
    """Where three cards stand in `Table.hands`: by their ranks and by which suits are the same."""
    ranks = (first >> 2) * 169 + (second >> 2) * 13 + (third >> 2)
    suits = ((first ^ second) & 3 == 0) + 2 * ((second ^ third) & 3 == 0)
    return ranks + 2197 * (suits + 3 * ((first ^ third) & 3 == 0))


@inlined
def place_of(first: np.uint64, second: np.uint64, third: np.uint64) -> np.uint64:
    """The same for cards as unsigned words, which the compiler need not guard against counting
    from the end of an array.
    """
    ranks = (first >> _TWO) * _169 + (second >> _TWO) * _13 + (third >> _TWO)
    suits = np.uint64((first ^ second) & _THREE == 0) + _TWO * np.uint64(
        (second ^ third) & _THREE == 0
    )
    suits += _THREE * np.uint64((first ^ third) & _THREE == 0)
    return ranks + _2197 * suits


@compiled
def held_by_others(table: Table, hand: int, decision: int, me: int) -> bool:
    """Whether a hand stands unfolded for somebody else, and not for this owner too."""
    held = False
    for position in range(len(table.hand_of)):
        folded = table.decides[position] and decision != PLAY
        if table.hand_of[position] == hand and not folded:
            if table.owner[position] == me:
                return False
            held = True
    return held


@compiled
def envy(table: Table, deck: np.ndarray, position: int) -> int:
    """The code of the mini royals that others hold and did not fold: one bonus each."""
    spades = others = 0
    for hand in range(table.dealt):
        first, second, third = deck[3 + 3 * hand], deck[4 + 3 * hand], deck[5 + 3 * hand]
        found: Any = np.int64(table.hands[index_of(first, second, third)])
        if found & 7 == MINI_ROYAL and held_by_others(
            table, hand, found >> 3 & 3, table.owner[position]
        ):
            if first & 3 == SPADES:
                spades += 1
            else:
                others += 1
    return spades * OTHERS + others


@compiled
def five_card_envy(table: Table, deck: np.ndarray, position: int) -> int:
    """What the Rules Submission awards a position for the five-card hands of others."""
    rest = 3 + 3 * table.dealt
    amount = 0
    for hand in range(table.dealt):
        first, second, third = deck[3 + 3 * hand], deck[4 + 3 * hand], deck[5 + 3 * hand]
        decision: Any = np.int64(table.hands[index_of(first, second, third)]) >> 3 & 3
        if held_by_others(table, hand, decision, table.owner[position]):
            held = suits = 0
            for card in (first, second, third, deck[rest], deck[rest + 1]):
                held |= BITS[card]
                suits += SUITS[card]
            amount += table.five_envy[position, best_five(held, suits)]
    return amount


@inlined
def pay_meter(shows: Ints, resets: Ints, meter: int, share: int) -> int:
    """A share of what a meter shows now; paid whole, it starts again."""
    paid: int = shows[meter] * share // 100
    shows[meter] -= paid
    if share == 100:
        shows[meter] += resets[meter]
    return paid


@inlined
def hit(events: Ints, number: int, meter: int, share: int, position: int) -> None:
    """Write down that a meter was hit, as long as there is room."""
    last = events[0, 0] + 1
    if last < len(events):
        events[last, 0], events[last, 1] = number, meter
        events[last, 2], events[last, 3] = share, position
    events[0, 0] = last


@inlined
def vary(varying: Ints, position: int, wager: int, net: int, more: int) -> None:
    """Add what is paid beyond a net, and by how much it makes the square larger."""
    varying[position, wager, 0] += more
    larger = more * (more + 2 * net)
    varying[position, wager, 1] += larger & 0xFFFFFFFF
    varying[position, wager, 2] += larger >> 32


@compiled
def play(
    table: Table,
    rounds: int,
    stream: NDArray[np.uint64],
    deck: np.ndarray,
    given: np.ndarray,
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
    hands, hand_of, owner = table.hands, table.hand_of, table.owner
    # flat, with one index: every array below has a row of all wagers for each position
    net, limited, together = table.net.ravel(), table.limited.ravel(), table.together.ravel()
    limit, made, decides = table.limit, table.made, table.decides
    meter, share, resets = table.meter, table.share, table.resets
    codes, varying, events = counts.codes.ravel(), counts.varying, counts.events
    low, high, totals = counts.low, counts.high, counts.totals
    with_six, with_envy, with_five = made[SIX_CARDS], made[ENVY], made[FIVE_CARDS]
    with_five_envy = made[FIVE_ENVY]
    with_cover_all, with_prime, with_pair_bonus = made[COVER_ALL], made[PRIME], made[PAIR_BONUS]
    positions, cards = len(hand_of), table.cards
    rest = 3 + 3 * table.dealt
    total = np.zeros(positions, np.int64)
    left = np.zeros(positions, np.int64)
    shows = meters.copy()
    detailed = len(lines) > 0
    at = stream[0]
    for number in range(rounds):
        if len(given):
            for place in range(cards):
                deck[place] = given[number, place]
        # one hand and the dealer's, and what goes with them: a number that the compiler knows
        elif cards == 6:
            at = deal(deck, 0, 6, at)
        elif cards == 7:
            at = deal(deck, 0, 7, at)
        elif cards == 8:
            at = deal(deck, 0, 8, at)
        else:
            at = deal(deck, 0, cards, at)
        first, second, third = np.uint64(deck[0]), np.uint64(deck[1]), np.uint64(deck[2])
        dealer: Any = np.int64(hands[place_of(first, second, third)])
        dealer_value = dealer >> 5
        qualified = 4 * (dealer_value >= table.qualifies)
        dealer_held = BITS[first] | BITS[second] | BITS[third]
        dealer_suits = SUITS[first] + SUITS[second] + SUITS[third]
        dealer_red = _RED[first] + _RED[second] + _RED[third]
        best_value, best_kind = dealer_value, dealer & 7
        if best_kind == MINI_ROYAL and first & _THREE == _SPADES:
            best_kind = MINI_ROYAL_SPADES
        envied = False
        if limit:
            for position in range(positions):
                left[position] = limit
        # from the dealer's right: the highest seat is settled first
        for position in range(positions - 1, -1, -1):
            row = position * _ROW
            place = 3 + 3 * hand_of[position]
            first = np.uint64(deck[np.uint64(place)])
            second = np.uint64(deck[np.uint64(place + 1)])
            third = np.uint64(deck[np.uint64(place + 2)])
            hand: Any = np.int64(hands[place_of(first, second, third)])
            value, decision, kind = hand >> 5, hand >> 3 & 3, hand & 7
            if kind == MINI_ROYAL and first & _THREE == _SPADES:
                kind = MINI_ROYAL_SPADES
            if not decides[position]:
                decision = PLAY
            if with_cover_all and decision != FORFEIT and value > best_value:
                best_value, best_kind = value, kind
            if kind >= MINI_ROYAL:
                envied = True
            above = (value >= dealer_value) + (value > dealer_value)
            code = kind * RELATIONS + RELATION[np.uint64(decision * 8 + qualified + above)]
            codes[np.uint64(row + ANTE_PLAY * CODES + code)] += 1
            up: Any = together[np.uint64(position * CODES + code)]
            if limit:
                up -= cut(limited[np.uint64(row + ANTE_PLAY * CODES + code)], left, owner[position])
            if detailed:
                for wager in (ANTE_PLAY, PAIR_PLUS, PROGRESSIVE):
                    lines[number, position, wager] = net[np.uint64(row + wager * CODES + code)]
                if limit:
                    lines[number, position, ANTE_PLAY] = up
            if meter[0, np.uint64(code)] >= 0:
                hit(events, number, meter[0, np.uint64(code)], share[0, code], position)
                paid = pay_meter(shows, resets, meter[0, np.uint64(code)], share[0, code])
                vary(
                    varying,
                    position,
                    PROGRESSIVE,
                    net[np.uint64(row + PROGRESSIVE * CODES + code)],
                    paid,
                )
                up += paid
                if detailed:
                    lines[number, position, PROGRESSIVE] += paid
            if with_prime:
                red = _RED[first] + _RED[second] + _RED[third]
                code = _COLORS[np.uint64(4 * red + dealer_red)]
                codes[np.uint64(row + PRIME * CODES + code)] += 1
                amount = net[np.uint64(row + PRIME * CODES + code)]
                if limit:
                    amount -= cut(
                        limited[np.uint64(row + PRIME * CODES + code)], left, owner[position]
                    )
                up += amount
                if detailed:
                    lines[number, position, PRIME] = amount
            if with_pair_bonus:
                code = kind + KINDS * (deck[rest + position] >> 2 == table.two)
                codes[np.uint64(row + PAIR_BONUS * CODES + code)] += 1
                amount = net[np.uint64(row + PAIR_BONUS * CODES + code)]
                if limit:
                    amount -= cut(
                        limited[np.uint64(row + PAIR_BONUS * CODES + code)], left, owner[position]
                    )
                up += amount
                if detailed:
                    lines[number, position, PAIR_BONUS] = amount
            held = BITS[first] | BITS[second] | BITS[third]
            suits = SUITS[first] + SUITS[second] + SUITS[third]
            if with_six:
                # twelve outcomes, and once more for a hand given up unseen
                code = best_five(held | dealer_held, suits + dealer_suits) + 12 * (
                    decision == FORFEIT
                )
                codes[np.uint64(row + SIX_CARDS * CODES + code)] += 1
                amount = net[np.uint64(row + SIX_CARDS * CODES + code)]
                if limit:
                    amount -= cut(
                        limited[np.uint64(row + SIX_CARDS * CODES + code)], left, owner[position]
                    )
                up += amount
                if detailed:
                    lines[number, position, SIX_CARDS] = amount
            if with_five:
                held |= BITS[deck[rest]] | BITS[deck[rest + 1]]
                suits += SUITS[deck[rest]] + SUITS[deck[rest + 1]]
                code = best_five(held, suits) + 10 * (decision != PLAY)
                codes[np.uint64(row + FIVE_CARDS * CODES + code)] += 1
                amount = net[np.uint64(row + FIVE_CARDS * CODES + code)]
                if meter[1, np.uint64(code)] >= 0:
                    hit(events, number, meter[1, np.uint64(code)], share[1, code], position)
                    paid = pay_meter(shows, resets, meter[1, np.uint64(code)], share[1, code])
                    vary(varying, position, FIVE_CARDS, amount, paid)
                    amount += paid
                up += amount
                if detailed:
                    lines[number, position, FIVE_CARDS] = amount
            if with_five_envy:
                amount = five_card_envy(table, deck, position)
                codes[np.uint64(row + FIVE_ENVY * CODES + (1 if amount else 0))] += 1
                vary(varying, position, FIVE_ENVY, 0, amount)
                up += amount
                if detailed:
                    lines[number, position, FIVE_ENVY] = amount
            total[position] = up
        if with_cover_all:
            for position in range(positions):
                codes[np.uint64(position * _ROW + COVER_ALL * CODES + best_kind)] += 1
                total[position] += net[np.uint64(position * _ROW + COVER_ALL * CODES + best_kind)]
                if detailed:
                    lines[number, position, COVER_ALL] = net[
                        np.uint64(position * _ROW + COVER_ALL * CODES + best_kind)
                    ]
        if with_envy:
            for position in range(positions):
                code = 0
                if envied:
                    code = envy(table, deck, position)
                codes[np.uint64(position * _ROW + ENVY * CODES + code)] += 1
                total[position] += net[np.uint64(position * _ROW + ENVY * CODES + code)]
                if detailed:
                    lines[number, position, ENVY] = net[
                        np.uint64(position * _ROW + ENVY * CODES + code)
                    ]
        for place in range(len(meters)):
            shows[place] = meters[place]
        add_totals(total, totals, low, high, covariance)
        if len(nets):
            for position in range(positions):
                nets[number, position] = total[position]
    stream[0] = at
