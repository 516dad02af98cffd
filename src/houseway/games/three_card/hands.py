"""Three-card hands: their order, and what a paytable calls them.

A hand's value is one integer, higher is better, equal is a tie. Hands of one rank are compared by
the pair and then the odd card, by the high card of a straight (ace-two-three being the lowest),
and card by card from the top otherwise. Suits never matter to the order.
"""

from __future__ import annotations

from collections.abc import Sequence

from houseway.cards import ACE, KING, QUEEN, RANK_NAMES, SPADES, THREE, TWO, Card
from houseway.law import MA, MD, PRIME, cites, names_of

HIGH_CARD, PAIR, FLUSH, STRAIGHT, THREE_OF_A_KIND, STRAIGHT_FLUSH = range(6)
NAMES = ("high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush")

_WIDTH = 13**3  # room below each rank for the cards that break ties
#: The value of ace, king and queen of one suit.
MINI_ROYAL = STRAIGHT_FLUSH * _WIDTH + ACE


def _unsuited(first: int, second: int, third: int) -> int:
    low, middle, high = sorted((first, second, third))
    if low == high:
        return THREE_OF_A_KIND * _WIDTH + high
    if middle in (low, high):
        odd = high if low == middle else low
        return PAIR * _WIDTH + middle * 13 + odd
    if high - low == 2:
        return STRAIGHT * _WIDTH + high
    if (low, middle, high) == (TWO, THREE, ACE):
        return STRAIGHT * _WIDTH + THREE
    return HIGH_CARD * _WIDTH + high * 169 + middle * 13 + low


def _suited(plain: int) -> int:
    """The value that a hand of this value has if its cards are of one suit."""
    kind, rest = divmod(plain, _WIDTH)
    if kind == STRAIGHT:
        return STRAIGHT_FLUSH * _WIDTH + rest
    return FLUSH * _WIDTH + rest if kind == HIGH_CARD else plain


_UNSUITED = [_unsuited(a, b, c) for a in range(13) for b in range(13) for c in range(13)]
_SUITED = [_suited(plain) for plain in _UNSUITED]


@cites(MD, "6.A", "6.B", "6.C", "6.D*", "6.E", "6.E(1)", "6.E(2)", "11.D(3)(b)")
@cites(MA, "3(a)", "3(b)*", "3(c)")
@cites(PRIME, "679a.6(a)", "679a.6(b)*", "679a.6(c)", "679a.11(c)(2)")
def value(hand: Sequence[Card]) -> int:
    """The worth of a three-card hand as one number."""
    first, second, third = hand
    index = (first >> 2) * 169 + (second >> 2) * 13 + (third >> 2)
    if first & 3 == second & 3 == third & 3:
        return _SUITED[index]
    return _UNSUITED[index]


def rank(of: int) -> int:
    """HIGH_CARD up to STRAIGHT_FLUSH, from a value."""
    return of // _WIDTH


_MINI_ROYAL = names_of("mini_royal")
_MINI_ROYAL_SPADES = names_of("mini_royal_spades")
_OUTCOMES = tuple((name,) for name in NAMES)


def outcomes(hand: Sequence[Card], of: int) -> tuple[str, ...]:
    """What a paytable may call the hand, the most particular name first."""
    if of == MINI_ROYAL:
        return _MINI_ROYAL_SPADES if hand[0] & 3 == SPADES else _MINI_ROYAL
    return _OUTCOMES[of // _WIDTH]


def least(high_card: int) -> int:
    """The value that every hand with at least this high card reaches."""
    return HIGH_CARD * _WIDTH + high_card * 169


def name(hand: Sequence[Card]) -> str:
    """For a person: "pair of eights", "queen high"."""
    of = value(hand)
    kind, rest = divmod(of, _WIDTH)
    if of == MINI_ROYAL:
        return "mini royal"
    if kind == PAIR:
        return f"pair of {_plural(rest // 13)}"
    if kind == THREE_OF_A_KIND:
        return f"three {_plural(rest)}"
    if kind in (STRAIGHT, STRAIGHT_FLUSH):
        what = "straight flush" if kind == STRAIGHT_FLUSH else "straight"
        return f"{what}, {RANK_NAMES[rest]} high"
    high = RANK_NAMES[rest // 169]
    return f"flush, {high} high" if kind == FLUSH else f"{high} high"


def _plural(of_rank: int) -> str:
    word = RANK_NAMES[of_rank]
    return word + ("es" if word == "six" else "s")


assert _SUITED[ACE * 169 + KING * 13 + QUEEN] == MINI_ROYAL
