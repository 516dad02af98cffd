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

_ROYAL = 0b11111 << TEN
_SIX_CARD_ROYAL = 0b111111 << NINE


def has_straight(ranks: int) -> bool:
    """Whether a set of ranks, one bit each, holds five in a row."""
    run = ranks << 1 | ranks >> ACE & 1
    return bool(run & run >> 1 & run >> 2 & run >> 3 & run >> 4)


@cites(MD, "6.F", "6.G", "11.D(8)(b)", "11.D(9)(c)")
@cites(MA, "6(g)(1)")
@cites(PRIME, "679a.6(d)", "679a.11(d)(3)")
def best_five(hand: Sequence[Card]) -> str:
    """The name of the best five-card hand that five or six cards hold."""
    suits = [0, 0, 0, 0]
    counts = [0] * 13
    for card in hand:
        suits[card & 3] |= 1 << (card >> 2)
        counts[card >> 2] += 1
    flush = False
    for ranks in suits:
        if ranks.bit_count() >= 5:
            if ranks & _ROYAL == _ROYAL:
                return "royal_flush"
            if has_straight(ranks):
                return "straight_flush"
            flush = True
    counts.sort(reverse=True)
    most, next_most = counts[0], counts[1]
    if most == 4:
        return "four_of_a_kind"
    if most == 3 and next_most >= 2:
        return "full_house"
    if flush:
        return "flush"
    if has_straight(suits[0] | suits[1] | suits[2] | suits[3]):
        return "straight"
    if most == 3:
        return "three_of_a_kind"
    if most == 2:
        return "two_pair" if next_most == 2 else "pair"
    return "high_card"


def six_card_royal(hand: Sequence[Card]) -> int | None:
    """The suit, if six cards are nine to ace of one suit."""
    suit = hand[0] & 3
    ranks = 0
    for card in hand:
        if card & 3 != suit:
            return None
        ranks |= 1 << (card >> 2)
    return suit if ranks == _SIX_CARD_ROYAL else None
