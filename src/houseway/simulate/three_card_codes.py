"""What the wagers of three-card hands come to: each, in every round of a batch, a *code*.

A code is a small whole number; `Table.net` says what it wins or loses. Nothing here knows a payout.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.cards import DIAMONDS, HEARTS, SPADES
from houseway.simulate.batch import Batch
from houseway.simulate.compiled import inlined, step
from houseway.simulate.counts import Ints
from houseway.simulate.five_of_six import (
    BITS,
    CARRY,
    FIVE_SUITED,
    SUITS,
    THREE_RANKS,
    best_five,
)

WAGERS = (
    "ante_play", "pair_plus", "progressive", "coupon", "envy", "six_cards",
    "five_card_progressive", "five_card_envy", "cover_all", "prime", "pair_bonus",
)  # fmt: skip
(
    ANTE_PLAY, PAIR_PLUS, PROGRESSIVE, COUPON, ENVY, SIX_CARDS, FIVE_CARDS, FIVE_ENVY, COVER_ALL,
    PRIME, PAIR_BONUS,
) = range(11)  # fmt: skip
#: the first of them come to one code together: the kind of a hand, and how it stands
TOGETHER = COUPON + 1

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
    [NOT_QUALIFIED] * 4 + [LOWER, LEVEL, HIGHER, HIGHER] + [FOLDED] * 8 + [FORFEITED] * 8, np.uint8
)
#: The codes: kind and relation for the ante, Pair Plus, the progressive and coupons beside them; mini
#: royals held by others; six cards; five cards; kind and whether the fourth card is a two.
CODES = KINDS * RELATIONS
OTHERS = 4
_TWO, _THREE, _13, _169, _2197 = (np.uint64(number) for number in (2, 3, 13, 169, 2197))

#: A hand is one word: kind, decision, number of its ranks, place of its value among all values (as
#: `Table.hands` has them), then how many of its cards are red, and how many of each suit.
DECISION, RANKS, VALUE, RED, OF_SUIT = 3, 5, 14, 24, 32
HAND_KIND, HAND_DECISION, HAND_RANKS, HAND_VALUE, HAND_RED = 7, 3, 511, 1023, 3
_RANKS = len(THREE_RANKS)
_OF_CARD = np.array(
    [int(SUITS[card]) << OF_SUIT | (card & 3 in (DIAMONDS, HEARTS)) << RED for card in range(52)],
    np.int64,
)
_FIVE_SUITED, _CARRY = FIVE_SUITED << OF_SUIT, CARRY << OF_SUIT
#: by how many of the player's cards are red, and of the dealer's: not of one color, of one, of the
#: dealer's too
_COLORS = np.array([2, 1, 1, 1] + [0] * 8 + [1, 1, 1, 2], np.uint8)


class Table(NamedTuple):
    """One table as arrays. `P` hands are wagered on, in the order of the seats."""

    #: by `index_of`: the lower fields of a hand's word
    hands: NDArray[np.uint32]
    #: the best of six and of five cards by their ranks, no five of a suit (`five_of_six.by_ranks`)
    sixes: NDArray[np.uint8]
    fives: NDArray[np.uint8]
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
    #: the net, with the wagers that share their codes together in place of the first
    paid: Ints
    limit: int
    #: [2, code] the meter that a progressive code is paid from, or -1, and its share in per cent
    meter: Ints
    share: Ints
    resets: Ints
    #: [P, five-card hand] what a position is awarded for another's hand
    five_envy: Ints
    two: int


def index_of(first: int, second: int, third: int) -> int:
    """Where three cards stand in `Table.hands`: by their ranks and by which suits are the same."""
    ranks = (first >> 2) * 169 + (second >> 2) * 13 + (third >> 2)
    suits = ((first ^ second) & 3 == 0) + 2 * ((second ^ third) & 3 == 0)
    return ranks + 2197 * (suits + 3 * ((first ^ third) & 3 == 0))


@inlined
def place_of(first: np.uint64, second: np.uint64, third: np.uint64) -> np.uint64:
    """The same compiled: cards are unsigned words, which need no guard against counting from the end
    of an array.
    """
    ranks = (first >> _TWO) * _169 + (second >> _TWO) * _13 + (third >> _TWO)
    suits = np.uint64((first ^ second) & _THREE == 0) + _TWO * np.uint64(
        (second ^ third) & _THREE == 0
    )
    suits += _THREE * np.uint64((first ^ third) & _THREE == 0)
    return ranks + _2197 * suits


@step
def look(table: Table, batch: Batch, count: int) -> bool:
    """Make a word of every hand; says whether any is a mini royal."""
    hands, cards, words = table.hands, batch.cards, batch.words
    royal = False
    for hand in range(table.dealt + 1):
        place = 3 * hand
        for number in range(count):
            first = np.uint64(cards[number, place])
            second = np.uint64(cards[number, place + 1])
            third = np.uint64(cards[number, place + 2])
            word = np.int64(hands[place_of(first, second, third)])
            if word & HAND_KIND == MINI_ROYAL:
                royal = True
                word += first & _THREE == SPADES
            words[hand, number] = word + _OF_CARD[first] + _OF_CARD[second] + _OF_CARD[third]
    return royal


@step
def relate(table: Table, batch: Batch, count: int) -> None:
    """Codes of the ante: what a hand is, and how it stands to the dealer's."""
    words, codes = batch.words, batch.code
    for position in range(len(table.hand_of)):
        hand, decides = 1 + table.hand_of[position], table.decides[position]
        for number in range(count):
            mine, dealer = words[hand, number], words[0, number] >> VALUE & HAND_VALUE
            value = mine >> VALUE & HAND_VALUE
            decision = mine >> DECISION & HAND_DECISION if decides else PLAY
            stands = 4 * (dealer >= table.qualifies) + (value >= dealer) + (value > dealer)
            relation = RELATION[np.uint64(8 * decision + stands)]
            codes[position, number] = (mine & HAND_KIND) * RELATIONS + relation


@step
def match_colors(table: Table, batch: Batch, count: int) -> None:
    """Codes of the Prime Wager."""
    words, codes = batch.words, batch.code
    for position in range(len(table.hand_of)):
        hand = 1 + table.hand_of[position]
        for number in range(count):
            red = words[hand, number] >> RED & HAND_RED
            dealer = words[0, number] >> RED & HAND_RED
            codes[position, number] = _COLORS[np.uint64(4 * red + dealer)]


@step
def see_fourth(table: Table, batch: Batch, count: int) -> None:
    """Codes of the Pair Bonus: the kind, and whether the fourth card is a two."""
    words, codes, cards = batch.words, batch.code, batch.cards
    rest = 3 + 3 * table.dealt
    for position in range(len(table.hand_of)):
        hand = 1 + table.hand_of[position]
        for number in range(count):
            two = np.int64(cards[number, rest + position]) >> 2 == table.two
            codes[position, number] = (words[hand, number] & HAND_KIND) + KINDS * two


@inlined
def best_suited(cards: NDArray[np.uint8], number: int, hand: int, place: int, suits: int) -> int:
    """The best five of a hand and what lies at the other places, where five may share a suit."""
    held = 0
    for here in range(3 * hand, 3 * hand + 3):
        held |= BITS[cards[number, here]]
    for here in range(place, min(place + 3, cards.shape[1])):
        held |= BITS[cards[number, here]]
    return best_five(held, suits >> OF_SUIT)


@step
def join_dealer(table: Table, batch: Batch, count: int) -> None:
    """Codes of six cards: twelve outcomes, and once more for a hand given up unseen."""
    words, codes, cards, sixes = batch.words, batch.code, batch.cards, table.sixes
    for position in range(len(table.hand_of)):
        hand, decides = 1 + table.hand_of[position], table.decides[position]
        for number in range(count):
            mine, dealer = words[hand, number], words[0, number]
            row, column = dealer >> RANKS & HAND_RANKS, mine >> RANKS & HAND_RANKS
            code: Any = np.int64(sixes[np.uint64(row * _RANKS + column)])
            if (mine + dealer + _FIVE_SUITED) & _CARRY:
                code = best_suited(cards, number, hand, 0, mine + dealer)
            unseen = decides and mine >> DECISION & HAND_DECISION == FORFEIT
            codes[position, number] = code + 12 * unseen


@inlined
def with_community(table: Table, batch: Batch, number: int, hand: int) -> int:
    """The best of a hand with the two community cards."""
    cards = batch.cards
    rest = 3 + 3 * table.dealt
    mine = batch.words[hand, number]
    one, other = np.uint64(cards[number, rest]), np.uint64(cards[number, rest + 1])
    row = _13 * (one >> _TWO) + (other >> _TWO)
    suits = mine + _OF_CARD[one] + _OF_CARD[other]
    if (suits + _FIVE_SUITED) & _CARRY:
        return best_suited(cards, number, hand, rest, suits)
    ranks = np.uint64(mine >> RANKS & HAND_RANKS)
    best: Any = np.int64(table.fives[row * np.uint64(_RANKS) + ranks])
    return best  # type: ignore[no-any-return]


@step
def join_community(table: Table, batch: Batch, count: int) -> None:
    """Codes of the Five Card Progressive: ten outcomes, and once more for a hand given up."""
    words, codes = batch.words, batch.code
    for position in range(len(table.hand_of)):
        hand, decides = 1 + table.hand_of[position], table.decides[position]
        for number in range(count):
            given_up = decides and words[hand, number] >> DECISION & HAND_DECISION != PLAY
            code = with_community(table, batch, number, hand)
            codes[position, number] = code + 10 * given_up


@step
def cover_all(table: Table, batch: Batch, count: int) -> None:
    """Codes of Cover All: the highest hand of the table that anybody looked at."""
    words, codes = batch.words, batch.code
    for number in range(count):
        best = words[0, number]
        for position in range(len(table.hand_of)):
            word = words[1 + table.hand_of[position], number]
            unseen = table.decides[position] and word >> DECISION & HAND_DECISION == FORFEIT
            higher = word >> VALUE & HAND_VALUE > best >> VALUE & HAND_VALUE
            if higher and not unseen:
                best = word
        for position in range(len(table.hand_of)):
            codes[position, number] = best & HAND_KIND


@step
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


@step
def envy(table: Table, batch: Batch, count: int) -> None:
    """Codes of envy: the mini royals that others hold and did not fold, one bonus each."""
    words, codes = batch.words, batch.code
    for position in range(len(table.hand_of)):
        for number in range(count):
            spades = others = 0
            for hand in range(table.dealt):
                word = words[1 + hand, number]
                kind, decision = word & HAND_KIND, word >> DECISION & HAND_DECISION
                if kind >= MINI_ROYAL and held_by_others(
                    table, hand, decision, table.owner[position]
                ):
                    spades += kind == MINI_ROYAL_SPADES
                    others += kind == MINI_ROYAL
            codes[position, number] = spades * OTHERS + others
