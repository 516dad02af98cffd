"""What the wagers of three-card hands come to: each, in every round, a *code*.

A code is a small whole number; `Table.net` says what it wins or loses. Nothing here knows a payout.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.cards import DIAMONDS, HEARTS, SPADES
from houseway.simulate.kernels.compiled import inlined, step
from houseway.simulate.kernels.counts import Ints
from houseway.simulate.kernels.five_of_six import (
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
#: codes of six cards, and once more for a hand given up unseen; of five, and for one given up
SIXES, FIVES = 12, 10

#: A hand is one word: kind, decision, number of its ranks, place of its value among all values, then
#: how many of its cards are red, and how many of each suit. The lower fields are `Table.hands`.
DECISION, RANKS, VALUE, RED, OF_SUIT = 3, 5, 14, 24, 32
HAND_KIND, HAND_DECISION, HAND_RANKS, HAND_RED = 7, 3, 511, 3
#: and, when they are known, the codes of six cards and of five
BESIDE_DEALER, BESIDE_COMMUNITY, HAND_BESIDE = 48, 53, 31
HAND_DECIDED = 31  # kind and decision
HAND_VALUE = 1023 << VALUE
#: hands in a row of `Table.sixes` and `Table.fives`
ROW = len(THREE_RANKS)
HAND_ROW = (1 << OF_SUIT) - 1
HAND_SUITS = 0xFFFF << OF_SUIT
FIVE_OF_SUIT, CARRIED = FIVE_SUITED << OF_SUIT, CARRY << OF_SUIT
#: by kind, decision and how the hand stands
ANTE_CODE = np.array(
    [
        kind * RELATIONS + RELATION[8 * min(decision, FORFEIT) + stands]
        for decision in range(4)
        for kind in range(KINDS)
        for stands in range(8)
    ],
    np.uint8,
)
#: by how many of the player's cards are red, and of the dealer's: not of one color, of one, of the
#: dealer's too
COLORS = np.array([2, 1, 1, 1] + [0] * 8 + [1, 1, 1, 2], np.uint8)

#: no three of these have the sum of three others (Bose and Chowla): a sum names three ranks
RANK_KEYS = (0, 108, 118, 175, 256, 263, 292, 405, 711, 713, 1047, 1095, 1110)
#: A card is one word too, and three of them add up: their keys, a number for each, and the upper
#: fields of the hand they make.
KEYS, NUMBER = 0xFFF, 16
OF_CARD = np.array(
    [
        RANK_KEYS[card >> 2]
        | card << NUMBER
        | (card & 3 in (DIAMONDS, HEARTS)) << RED
        | int(SUITS[card]) << OF_SUIT
        for card in range(52)
    ],
    np.int64,
)
UPPER = -1 << RED
#: added to the suits of three cards: three of one suit carry into its highest bit
_THREE_OF_SUIT = 0x5555 << OF_SUIT
_ONE, _TWO = np.uint64(1), np.uint64(2)
#: where the hands of one suit begin in `Table.known`
SUITED = KEYS + 1
#: beside a hand in `Table.known`: a mini royal, or one that is decided by its suits
CLOSER = 1 << 31


class Table(NamedTuple):
    """One table as arrays. `P` hands are wagered on, in the order of the seats."""

    #: by the sum of their keys: the lower fields of a hand's word
    known: NDArray[np.uint32]
    #: by `index_of`: the same, where suits matter too
    hands: NDArray[np.uint32]
    #: the best of six and of five cards by their ranks, no five of a suit (`five_of_six.by_ranks`)
    sixes: NDArray[np.uint8]
    fives: NDArray[np.uint8]
    #: the least value, in its place in a word, with which the dealer qualifies
    qualifies: int
    #: places of the deck that a round uses
    cards: int
    #: for each position where the cards of its hand begin, and whose it is
    own: Ints
    owner: Ints
    #: whether there is an ante, without which nothing is decided; and what of a word is heeded then:
    #: all of it, or all but the decision
    decides: NDArray[np.bool_]
    heeded: Ints
    #: hands of the table besides the dealer's, and where the cards after them begin
    dealt: int
    rest: int
    #: [wager] whether it is made at any position
    made: NDArray[np.bool_]
    #: [P, wager, code] what the player is up or down, and what of it a payout limit counts
    net: Ints
    limited: Ints
    #: the net in one row, with the wagers that share their codes together in place of the first,
    #: marked where there is more to settle: a meter, or others who envy the hand
    paid: Ints
    limit: int
    #: [2, P, code] the meter that a progressive code is paid from, or -1, and its share in per cent
    meter: Ints
    share: Ints
    #: by meter: what it shows at the start of every round, and what it is reset to
    shows: Ints
    resets: Ints
    #: [P, five-card hand] what a position is awarded for another's hand
    five_envy: Ints
    two: int


#: how many indices there are
INDICES = 7 * 2197


def index_of(first: int, second: int, third: int) -> int:
    """Where three cards stand in `Table.hands`: by their ranks and by which suits are the same."""
    ranks = (first >> 2) * 169 + (second >> 2) * 13 + (third >> 2)
    suits = ((first ^ second) & 3 == 0) + 2 * ((second ^ third) & 3 == 0)
    return ranks + 2197 * (suits + 3 * ((first ^ third) & 3 == 0))


def sum_of(first: int, second: int, third: int) -> int:
    """Where three cards stand in `Table.known`: by their ranks and whether all are of one suit."""
    keys = sum(RANK_KEYS[card >> 2] for card in (first, second, third))
    return keys + SUITED * (first & 3 == second & 3 == third & 3)


@step
def look_closer(hands: NDArray[np.uint32], first: int, second: int, third: int) -> int:
    """The lower fields of a hand's word, from three cards' words."""
    one, two, three = (first >> NUMBER) & 63, (second >> NUMBER) & 63, (third >> NUMBER) & 63
    ranks = (one >> 2) * 169 + (two >> 2) * 13 + (three >> 2)
    suits = ((one ^ two) & 3 == 0) + 2 * ((two ^ three) & 3 == 0) + 3 * ((one ^ three) & 3 == 0)
    known: Any = np.int64(hands[ranks + 2197 * suits])
    royal = known & HAND_KIND == MINI_ROYAL
    return known + (royal and one & 3 == SPADES)  # type: ignore[no-any-return]


@inlined
def hand_at(known: NDArray[np.uint32], hands: NDArray[np.uint32], laid: Ints, place: int) -> int:
    """The word of the hand at a place."""
    here = np.uint64(place)
    one, two, three = laid[here], laid[here + _ONE], laid[here + _TWO]
    cards = one + two + three
    suited = SUITED * ((cards + _THREE_OF_SUIT) & CARRIED != 0)
    hand: Any = np.int64(known[np.uint64((cards & KEYS) + suited)])
    if hand & CLOSER:
        hand = look_closer(hands, one, two, three)
    return hand + (cards & UPPER)  # type: ignore[no-any-return]


@step
def best_suited(laid: Ints, own: int, place: int, count: int) -> int:
    """The best five of a hand and some cards from another place, where five may share a suit."""
    held = suits = 0
    for number in range(3 + count):
        card = laid[own + number if number < 3 else place + number - 3] >> NUMBER & 63
        held |= BITS[card]
        suits += SUITS[card]
    return best_five(held, suits)
