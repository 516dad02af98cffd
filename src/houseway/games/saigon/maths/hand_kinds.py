"""Saigon 5 Card: every player's hand against every dealer's hand, by the values of their cards.

The ante knows only values: ace to nine, ten (sixteen cards), and the joker. So the 2,869,685 hands
of five cards are 2,708 kinds, and how many dealer's hands of one kind go with a player's hand of
another is a product of binomials over the values. The bonus knows suits; it is counted for each
suit pattern and filed under the same kinds, so that the two wagers can be taken together.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from houseway.games.saigon.maths.bonus_hands import saigon_bonus
from houseway.games.saigon.maths.counts import BONUS, Kinds
from houseway.maths.counting.bulk_hands import Cards, Ints, canonical_sets, cards_of

JOKER = 11
#: What a joker may count.
JOKER_VALUES = (3, 6, 9)
IN_DECK = {**dict.fromkeys(range(1, 10), 4), 10: 16, JOKER: 1}


def point_counts(two: tuple[int, ...]) -> set[int]:
    """The point counts that two values can have."""
    totals = {0}
    for value in two:
        totals = {t + v for t in totals for v in (JOKER_VALUES if value == JOKER else (value,))}
    return {total if total <= 10 else total - 10 for total in totals}


def qualifying_counts(five: tuple[int, ...]) -> list[int]:
    """The point counts of all settings of five values that qualify, best first."""
    found: set[int] = set()
    for places in combinations(range(5), 3):
        plain = sum(five[place] for place in places if five[place] != JOKER)
        has_joker = any(five[place] == JOKER for place in places)
        if any((plain + more) % 10 == 0 for more in (JOKER_VALUES if has_joker else (0,))):
            found |= point_counts(tuple(five[p] for p in range(5) if p not in places))
    return sorted(found, reverse=True)


def _hands_of(deck: Mapping[int, int]) -> list[tuple[int, ...]]:
    return [
        five
        for five in combinations_with_replacement(range(1, JOKER + 1), 5)
        if all(five.count(value) <= deck[value] for value in set(five))
    ]


def beside_kinds(
    counts: NDArray[np.int64], set_to: NDArray[np.int64], deck: Mapping[int, int]
) -> Ints:
    """How many dealer's hands of each setting go with one player's hand of each kind.

    For one kind the number is a product over eleven values of ways to take what is left. It is
    taken in two halves, of which each can have a few hundred different counts: the sum over all
    dealer's kinds is first taken over their lower halves, then over their higher ones.
    """
    choose = np.array([[comb(n, k) for k in range(6)] for n in range(17)], float)
    halves = []
    for half in (range(1, 6), range(6, JOKER + 1)):
        columns = [value - 1 for value in half]
        vectors, which = np.unique(counts[:, columns], axis=0, return_inverse=True)
        table = np.ones((len(vectors), len(vectors)))
        for place, value in enumerate(half):
            left = deck[value] - vectors[:, place]
            table *= choose[left[:, None], vectors[None, :, place]]
        halves.append((table, which.ravel()))
    (low, low_of), (high, high_of) = halves
    found = np.zeros((len(counts), 11))
    higher = high[high_of]
    for setting in range(11):
        there = set_to == setting
        lower = np.zeros((len(high), len(low)))
        np.add.at(lower, high_of[there], low.T[low_of[there]])
        found[:, setting] = np.einsum("ph,ph->p", lower.T[low_of], higher)
    return found.astype(np.int64)


def _bonus_by_kind(counts: NDArray[np.int64]) -> Ints:
    """How many hands of each kind make each bonus outcome."""
    base = 6 ** np.arange(JOKER)
    keys = counts @ base
    order = np.argsort(keys)
    value_of_rank = np.array([*range(2, 10), 10, 10, 10, 10, 1])
    table = np.zeros(len(counts) * len(BONUS))
    for size in (5, 4):
        masks, ways = canonical_sets(size)
        joker = np.full(len(masks), size == 4)
        outcome = saigon_bonus(masks, joker)
        values: Cards = value_of_rank[cards_of(masks, size) >> 2]
        key = base[values - 1].sum(axis=1) + (base[JOKER - 1] if size == 4 else 0)
        kind = order[np.searchsorted(keys[order], key)]
        table += np.bincount(kind * len(BONUS) + outcome, weights=ways, minlength=len(table))
    return table.astype(np.int64).reshape(-1, len(BONUS))


def kinds(deck: Mapping[int, int] = IN_DECK) -> Kinds:
    """Count everything that the two wagers of the game can come to.

    Another deck (how many cards of each value) has no suits, and so no bonus.
    """
    values = _hands_of(deck)
    counts = np.array([[five.count(value) for value in range(1, JOKER + 1)] for five in values])
    can = [qualifying_counts(five) for five in values]
    # the dealer's setting is the qualifying one with the highest point count
    set_to = np.array([best[0] if best else 0 for best in can])
    ways = [prod(comb(deck[v], five.count(v)) for v in set(five)) for five in values]
    return Kinds(
        [list(five) for five in values],
        ways,
        can,
        beside_kinds(counts, set_to, deck).tolist(),
        _bonus_by_kind(counts).tolist() if deck is IN_DECK else [],
    )


def other_bonus(joker: str) -> dict[str, int]:
    """Bonus hands as they would be with another joker.

    `joker_wild`: any card; `joker_only_ace`: an ace and nothing else; `joker_nothing`: no card at
    all, but for five aces and the royal flush.
    """
    masks, ways = canonical_sets(5)
    counts = np.bincount(saigon_bonus(masks, np.zeros(len(masks), bool)), ways, len(BONUS))
    four, four_ways = canonical_sets(4)
    four = four.astype(np.int64)
    as_read = saigon_bonus(four, np.ones(len(four), bool))
    fills = {"joker_wild": range(52), "joker_only_ace": range(48, 52), "joker_nothing": ()}[joker]
    best = saigon_bonus(four, np.zeros(len(four), bool))
    for card in fills:
        filled = four.copy()
        filled[:, card & 3] |= 1 << (card >> 2)
        added = filled[:, card & 3] != four[:, card & 3]
        found = saigon_bonus(filled, np.zeros(len(four), bool))
        found = np.where(found == _ROYAL, _ROYAL_JOKER, found)
        best = np.where(added, np.minimum(best, found), best)
    rare = (as_read == _FIVE_ACES) | (as_read == _ROYAL_JOKER) & (joker != "joker_only_ace")
    best = np.where(rare, as_read, best)
    counts += np.bincount(best, four_ways, len(BONUS))
    return dict(zip(BONUS, counts.astype(int).tolist(), strict=True))


_FIVE_ACES, _ROYAL, _ROYAL_JOKER = range(3)
