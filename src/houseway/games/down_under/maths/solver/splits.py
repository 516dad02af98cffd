"""What splitting is worth, exactly, for two, three or four hands.

Every hand is played by its own cards alone, so hands may be dealt in any order without changing an
average: think of the second card of every hand as dealt first. A card of the pair's value makes one
more hand, while that is allowed; any other card completes a hand's second. With n hands allowed,
what happens is told by how many such cards came, x, and how many others, y, before the last x.

A hand is then worth what it is worth with so many cards of that value gone, given that the second
cards of some other hands are *not* of that value. Those are taken care of by inclusion and exclusion:
"none of y cards is one" is all, less those where a given one is, and so on; each term is a hand
with more cards of that value gone, which is a family of `states`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from math import comb
from typing import Any, TypeAlias

#: a fraction, or an array of doubles
Value: TypeAlias = Any


@cache
def courses(most: int) -> dict[tuple[int, int], int]:
    """How a pair becomes hands: (hands, of which the second card is known to differ) -> courses.

    Hands that are not known to differ got their second card when no more splitting was allowed.
    """
    found: Counter[tuple[int, int]] = Counter()

    def deal(hands: int, complete: int) -> None:
        if hands in (most, complete):
            found[hands, complete] += 1
            return
        deal(hands + 1, complete)
        deal(hands, complete + 1)

    deal(2, 0)
    return dict(found)


def split_value(
    most: int,
    any_second: Callable[[int], Value],
    pair_second: Callable[[int], Value],
    chance: Callable[[int], Value],
) -> Value:
    """What splitting a pair is worth, with up to `most` hands made of it.

    It is asked what one hand is worth when so many other cards of the pair's value are gone: with
    any second card, and with one of that value; and the chance that the next card is of that value
    when so many of them have left the shoe. Values are fractions, or doubles for many cases at once.
    """
    if most == 2:  # two hands, each with any second card
        return 2 * any_second(1)

    def other_second(gone: int) -> Value:
        """The same hand, but nothing where the second card is of the pair's value."""
        return any_second(gone) - chance(gone + 1) * pair_second(gone)

    def all_pair(cards: int) -> Value:
        """The chance that so many given cards are all of the pair's value, two being out."""
        product: Value = 1
        for gone in range(1, cards + 1):
            product = product * chance(gone + 1)
        return product

    total: Value = 0
    for (hands, differ), ways in courses(most).items():
        for more in range(differ + 1):
            sure = all_pair(hands - 2 + more)
            sign = -ways if more % 2 else ways
            known = comb(differ - 1, more) * differ if differ and more < differ else 0
            if known:
                total = total + sign * known * sure * other_second(hands - 1 + more)
            if free := hands - differ:
                total = total + sign * comb(differ, more) * free * sure * any_second(
                    hands - 1 + more
                )
    return total
