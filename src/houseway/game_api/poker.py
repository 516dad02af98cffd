"""The best five-card hand among five or six cards, and six-card royals.

The ace is high in ten-to-ace and low in ace-to-five; nothing wraps around.
"""

from __future__ import annotations

from collections.abc import Sequence

from houseway.cards import ACE, NINE, TEN, Card
from houseway.law import MA, MD, PRIME, cites

#: From the highest to the lowest.
NAMES = (
    "royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight",
    "three_of_a_kind", "two_pair", "pair", "high_card",
)  # fmt: skip

_SUIT = (1 << 13) - 1
#: one bit for each card, thirteen for each suit; above them a count for each suit, in four bits
_CODES = tuple(
    1 << (13 * (number & 3) + (number >> 2)) | 1 << (52 + 4 * (number & 3)) for number in range(52)
)
#: each count starts at three, so that the fifth card of a suit sets its highest bit
_THREE_EACH = 0x3333 << 52
_FIVE_OF_ONE = 0x8888 << 52
#: a count for each rank, in three bits, and the same counts of suits above them
_KINDS = tuple(1 << 3 * (number >> 2) | 1 << (39 + 4 * (number & 3)) for number in range(52))
_RANK_COUNTS = (1 << 39) - 1
_THREE_EACH_KIND, _FIVE_OF_ONE_KIND = _THREE_EACH >> 13, _FIVE_OF_ONE >> 13
#: the names of hands without a flush, by their counts of ranks: fewer than 25,000
_BY_RANKS: dict[int, str] = {}
_ROYAL = 0b11111 << TEN
_SIX_CARD_ROYAL = 0b111111 << NINE


def has_straight(ranks: int) -> bool:
    """Whether a set of ranks, one bit each, holds five in a row."""
    run = ranks << 1 | ranks >> ACE & 1
    return bool(run & run >> 1 & run >> 2 & run >> 3 & run >> 4)


@cites(MD, "6.F", "6.F(1)", "6.F(2)", "6.F(3)", "6.F(4)", "6.F(5)", "6.F(6)", "6.F(7)", "6.G*")
@cites(MD, "11.D(8)(b)", "11.D(9)(c)")
@cites(MA, "6(g)(1)")
@cites(PRIME, "679a.6(d)", "679a.6(d)(2)", "679a.6(d)(3)", "679a.6(d)(4)", "679a.6(d)(5)")
@cites(PRIME, "679a.6(d)(6)", "679a.6(d)(7)", "679a.6(d)(8)", "679a.11(d)(3)")
def best_five(hand: Sequence[Card]) -> str:
    """The name of the best five-card hand that five or six cards of one deck hold."""
    kinds = _THREE_EACH_KIND
    for card in hand:
        kinds += _KINDS[card]
    if kinds & _FIVE_OF_ONE_KIND:
        return _best_five(hand)
    # without a flush, how often each rank is there decides
    name = _BY_RANKS.get(kinds & _RANK_COUNTS)
    if name is None:
        name = _BY_RANKS[kinds & _RANK_COUNTS] = _best_five(hand)
    return name


def _best_five(hand: Sequence[Card]) -> str:
    held = _THREE_EACH
    for card in hand:
        held += _CODES[card]
    clubs, diamonds = held & _SUIT, held >> 13 & _SUIT
    hearts, spades = held >> 26 & _SUIT, held >> 39 & _SUIT
    flush = held & _FIVE_OF_ONE
    if flush:
        suited = max(clubs, diamonds, hearts, spades, key=int.bit_count)
        if suited & _ROYAL == _ROYAL:
            return "royal_flush"
        if has_straight(suited):
            return "straight_flush"
    ranks = clubs | diamonds | hearts | spades
    repeats = len(hand) - ranks.bit_count()
    threes = twos = 0
    if repeats:
        black, red = clubs & spades, diamonds & hearts
        either_black, either_red = clubs | spades, diamonds | hearts
        if black & red:
            return "four_of_a_kind"
        threes = black & either_red | red & either_black
        twos = black | red | either_black & either_red
        if threes and (threes.bit_count() == 2 or twos != threes):
            return "full_house"
    if flush:
        return "flush"
    if has_straight(ranks):
        return "straight"
    if threes:
        return "three_of_a_kind"
    if repeats:
        return "two_pair" if repeats >= 2 else "pair"
    return "high_card"


@cites(MD, "6.F(8)", "7.F(5)(a)", "11.D(8)(d)")
@cites(PRIME, "679a.6(d)(1)")
def six_card_royal(hand: Sequence[Card]) -> int | None:
    """The suit, if six cards are nine to ace of one suit."""
    suit = hand[0] & 3
    ranks = 0
    for card in hand:
        if card & 3 != suit:
            return None
        ranks |= 1 << (card >> 2)
    return suit if ranks == _SIX_CARD_ROYAL else None
