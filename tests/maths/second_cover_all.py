"""Cover All by a second program: how many sets of hands share no card, card by card.

Deals without a wanted hand are counted by inclusion and exclusion over the wanted hands that are
dealt. How many sets of j wanted hands share no card is found by going through the deck: the lowest
card that is left is in none of them, or is the lowest of one of them.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, perm

from second_program import DECK, Worked, back, of_nets, three_names

from houseway.law import Paytable

#: from the highest; a hand counts by the first that it is
ORDER = ("mini_royal", "straight_flush", "three_of_a_kind", "straight")
MOST = 8


@cache
def disjoint(last: int) -> list[int]:
    """How many sets of 0 to 8 hands of the first so many kinds share no card."""
    wanted = set(ORDER[: last + 1])
    starts: dict[int, list[int]] = {}
    for hand in combinations(range(52), 3):
        if wanted & set(three_names(tuple(DECK[card] for card in hand))):
            starts.setdefault(hand[0], []).append(1 << hand[1] | 1 << hand[2])

    @cache
    def sets(card: int, used: int) -> tuple[int, ...]:
        """From this card on, where the cards of `used` are gone."""
        if card == 52:
            return (1,) + (0,) * MOST
        total = list(sets(card + 1, used & ~(1 << card)))
        if not used >> card & 1:
            for rest in starts.get(card, ()):
                if not used & rest:
                    more = sets(card + 1, (used | rest) & ~(1 << card))
                    for size in range(MOST):
                        total[size + 1] += more[size]
        return tuple(total)

    return list(sets(0, 0))


def deals(hands: int, gone: int = 0) -> int:
    """Ways to deal so many hands, one after the other, when so many hands are gone."""
    found = 1
    for place in range(gone, gone + hands):
        found *= comb(52 - 3 * place, 3)
    return found


def without(last: int, hands: int) -> int:
    """Deals of so many hands of which none is one of the first so many kinds."""
    return sum(
        (-1) ** size * disjoint(last)[size] * perm(hands, size) * deals(hands - size, size)
        for size in range(hands + 1)
    )


def cover_all(table: Paytable, players: int) -> Worked:
    """The highest of the players' hands and the dealer's."""
    hands = players + 1
    left = [deals(hands), *(without(last, hands) for last in range(len(ORDER)))]
    nets: Counter[Fraction] = Counter({Fraction(-1): left[-1]})
    rows = {}
    for name, before, after in zip(ORDER, left, left[1:], strict=False):
        paid = next((one for one in (name, "straight_flush") if one in table.pays), None)
        if name in table.pays or (name == "mini_royal" and paid):
            came = back(table[paid].odds, 100)
            nets[came - 1] += before - after
            rows[paid, came] = rows.get((paid, came), Fraction(0)) + Fraction(
                before - after, left[0]
            )
        else:
            nets[Fraction(-1)] += before - after
    found = of_nets(nets, left[0])
    found.rows = rows
    return found
