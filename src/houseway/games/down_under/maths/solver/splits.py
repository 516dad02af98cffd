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
from fractions import Fraction
from functools import cache
from math import comb
from typing import TYPE_CHECKING

from houseway.games.down_under.maths.solver.hands import Hand, hand_of
from houseway.games.down_under.maths.solver.kernels import Floats

if TYPE_CHECKING:
    from houseway.games.down_under.maths.solver.game_arrays import Table


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


def number(exact: Fraction | int, prime: int) -> float:
    """A fraction as a double, or as the residue that stands for it."""
    if not prime:
        return float(exact)
    exact = Fraction(exact)
    return exact.numerator * pow(exact.denominator, -1, prime) % prime


def split_value(table: Table, worth: Floats, card: int, case: int, most: int, prime: int) -> float:
    """What splitting this pair is worth in this case, with up to `most` hands made of it.

    `worth` is the value of every position and case under the play that is followed.
    """
    if most == 2:  # two hands, each with any second card
        one = worth[table.states.at((card, 1), hand_of(card)), case]
        return 2 * int(one) % prime if prime else 2 * float(one)

    def of(hand: Hand, gone: int) -> float:
        value = float(worth[table.states.at((card, gone), hand), case])
        return int(value) if prime else value

    def any_second(gone: int) -> float:
        """One hand with any second card, `gone` other cards of the pair's value being out."""
        return of(hand_of(card), gone)

    def chance(gone: int) -> float:
        """That its second card is of the pair's value too."""
        return table.another(card, gone + 1, case, prime)

    def other_second(gone: int) -> float:
        """The same hand, but nothing where the second card is of the pair's value."""
        if not (paired := chance(gone)):
            return any_second(gone)
        return any_second(gone) - paired * of(hand_of(card, card), gone)

    def all_pair(cards: int) -> float:
        """The chance that so many given cards are all of the pair's value, two being out."""
        product: float = 1
        for gone in range(1, cards + 1):
            product *= chance(gone)
        return product

    total: float = 0
    for (hands, differ), ways in courses(most).items():
        for more in range(differ + 1):
            if not (sure := all_pair(hands - 2 + more)):
                break
            sign = -ways if more % 2 else ways
            known = comb(differ - 1, more) * differ if differ and more < differ else 0
            if known:
                total += sign * known * sure * other_second(hands - 1 + more)
            if free := hands - differ:
                total += sign * comb(differ, more) * free * sure * any_second(hands - 1 + more)
    return total % prime if prime else total
