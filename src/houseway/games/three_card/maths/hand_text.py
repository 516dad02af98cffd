"""Hands and strategies in words."""

from __future__ import annotations

from houseway.cards import RANK_NAMES, RANKS
from houseway.games.three_card import hands as three_card

_WIDTH = 13**3


def ranks_of(value: int) -> tuple[int, ...]:
    """The ranks of a three-card hand of this value, the ones that decide first."""
    kind, rest = divmod(value, _WIDTH)
    if kind == three_card.PAIR:
        pair, odd = divmod(rest, 13)
        return (pair, pair, odd)
    if kind == three_card.THREE_OF_A_KIND:
        return (rest,) * 3
    if kind in (three_card.STRAIGHT, three_card.STRAIGHT_FLUSH):
        return (rest, rest - 1, rest - 2 if rest > 1 else 12)
    high, rest = divmod(rest, 169)
    return (high, *divmod(rest, 13))


def short(value: int) -> str:
    """As on a card of the house: Q-6-4, 8-8-3, 9-8-7 straight."""
    kind = value // _WIDTH
    shown = "-".join(RANKS[rank] for rank in ranks_of(value))
    name = three_card.NAMES[kind].replace("_", " ")
    return shown if kind in (three_card.HIGH_CARD, three_card.PAIR) else f"{shown} {name}"


def spoken(value: int) -> str:
    """As one would say it: queen, six and four; a pair of eights with a three."""
    kind = value // _WIDTH
    first, second, third = (RANK_NAMES[rank] for rank in ranks_of(value))
    if kind == three_card.HIGH_CARD:
        return f"{first}, {second} and {third}"
    if kind == three_card.PAIR:
        return f"a pair of {first}{'es' if first == 'six' else 's'} with a {third}"
    return short(value)
