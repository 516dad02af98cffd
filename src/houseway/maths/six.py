"""The player's three cards and the dealer's three together: six-card hands, and their splits.

The 20,358,520 sets of six cards have 962,988 suit patterns. One in fourteen sets holds three of a
kind or better; only those are split, twenty ways each, into a player's hand and a dealer's, to
count how the six-card hand goes together with everything else that the same cards decide: the
ante, the player's own hand, the colours of both, the twos that the dealer holds. (Whatever is not
counted there holds nothing better than two pair.)

`met_by_five` counts, for the five-card progressive, how often both hands come together: three
cards h of the player, two community cards y and z, three cards of the dealer that are none of
those two. Of the dealer's hands d that are disjoint from h, inclusion and exclusion over y and z
leaves all(h) - with(h, y) - with(h, z) + with(h, y, z). The six-card hand of h and d does not care
which of its cards are whose, so with(h, y) is the number of sets of six around the four cards
h + y, and so on: a number that belongs to the *set* of three, four or five cards.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

import msgspec
import numpy as np
from numpy.typing import NDArray

from houseway.maths.duel import Patterns, twos
from houseway.maths.hands import (
    TRIPS,
    Cards,
    Ints,
    best_five,
    canonical_keys,
    canonical_sets,
    cards_of,
    masks_of,
    orders,
    six_card_royal,
    three_card_values,
)

#: Six-card outcomes from the highest. The first two are six-card royals.
SIX = (
    "six_card_royal_diamonds", "six_card_royal", "royal_flush", "straight_flush",
    "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind",
    "two_pair", "pair", "high_card",
)  # fmt: skip
_SIX_ROYAL = 1
_PAID = SIX.index("three_of_a_kind") + 1
_FIVE_PAID = TRIPS + 1


class Splits(msgspec.Struct, frozen=True):
    """Deals of three and three cards whose six make three of a kind or better.

    One entry for each row of the duel, column of the duel and six-card outcome that occur
    together: how many deals, how many twos the dealer holds in them altogether, in how many the
    player's cards are of one colour, and in how many the dealer's are of that colour too.
    """

    row: list[int]
    column: list[int]
    six: list[int]
    deals: list[int]
    twos: list[int]
    one_colour: list[int]
    both_one_colour: list[int]


@cache
def _sixes() -> tuple[Cards, Ints, NDArray[np.int64]]:
    """Every pattern of six cards, its ways, and its index in `SIX`, all six-card royals as one."""
    masks, ways = canonical_sets(6)
    found = best_five(masks).astype(np.int64) + 2
    found[six_card_royal(masks)] = _SIX_ROYAL
    return masks, ways, found


def six_card_hands() -> dict[str, int]:
    """How many sets of six cards make each outcome."""
    _, ways, found = _sixes()
    counts = np.bincount(found, weights=ways, minlength=len(SIX)).astype(int)
    diamonds = counts[_SIX_ROYAL] // 4
    counts[0], counts[_SIX_ROYAL] = diamonds, counts[_SIX_ROYAL] - diamonds
    return dict(zip(SIX, counts.tolist(), strict=True))


@cache
def _paying_sixes() -> tuple[Cards, Cards, Ints, NDArray[np.int64]]:
    masks, ways, found = _sixes()
    paid = found < _PAID
    masks = masks[paid].astype(np.int64)
    return masks, cards_of(masks, 6), ways[paid], found[paid]


class Threes:
    """Every three-card hand by its number among all of them: value, row of the duel, twos, suits."""

    def __init__(self) -> None:
        hands = np.array(list(combinations(range(52), 3)))
        hands = hands[np.argsort(self.number(hands))]
        keys = canonical_keys(masks_of(Patterns().cards))
        order = np.argsort(keys)
        self.value = three_card_values(hands)
        self.row = order[np.searchsorted(keys[order], canonical_keys(masks_of(hands)))]
        self.twos = twos(hands)
        self.suits = np.bitwise_or.reduce(1 << (hands & 3), axis=1)

    @staticmethod
    def number(hands: Cards) -> Ints:
        """Where hands of ascending cards stand."""
        low, middle, high = hands.T.astype(np.int64)
        return high * (high - 1) * (high - 2) // 6 + middle * (middle - 1) // 2 + low


def _colourings() -> tuple[Ints, Ints]:
    """By the suits two hands use: how many of the six ways to call two suits red make the first
    hand one colour, and both of them that colour."""
    one = np.zeros((16, 16), np.int64)
    both = np.zeros((16, 16), np.int64)
    for red in (sum(1 << suit for suit in pair) for pair in combinations(range(4), 2)):
        for colour in (red, 15 ^ red):
            mine = np.array([suits & ~colour == 0 for suits in range(16)])
            one += mine[:, None]
            both += mine[:, None] & mine[None, :]
    return one, both


def splits(qualifies: int) -> Splits:
    """Split every six-card hand that pays; the dealer qualifies from that value on."""
    _, cards, ways, outcome = _paying_sixes()
    threes = Threes()
    one, both = _colourings()
    rows, size = int(threes.row.max()) + 2, len(SIX)
    royal_row = rows - 2
    tables = np.zeros((4, rows * 6 * size))
    for mine in combinations(range(6), 3):
        player = threes.number(cards[:, mine])
        dealer = threes.number(cards[:, [place for place in range(6) if place not in mine]])
        value, other = threes.value[player], threes.value[dealer]
        column = np.where(other < value, 0, np.where(other == value, 1, 2)) + 3 * (
            other >= qualifies
        )
        place = (threes.row[player] * 6 + column) * size + outcome
        suits = threes.suits[player], threes.suits[dealer]
        for table, weight in zip(
            tables, (6, 6 * threes.twos[dealer], one[suits], both[suits]), strict=True
        ):
            table += np.bincount(place, weights=ways * weight, minlength=len(table))
    whole = np.rint(tables / 6).astype(np.int64).reshape(4, rows, 6, size)
    _name_the_suits(whole, royal_row)
    row, column, six = np.nonzero(whole[0])
    deals, dealer_twos, one_colour, both_one_colour = whole[:, row, column, six].tolist()
    return Splits(
        row.tolist(), column.tolist(), six.tolist(), deals, dealer_twos, one_colour, both_one_colour
    )


def _name_the_suits(table: NDArray[np.int64], royal_row: int) -> None:
    """Give the mini royal of spades its row and the six-card royal of diamonds its column.

    Each of four suits has a quarter of what is of one suit. Where both are named, the player's ace,
    king and queen are of the suit of the whole: spades, diamonds, or one of the other two.
    """
    both_royal = table[:, royal_row, :, _SIX_ROYAL].copy()
    table[:, :, :, 0] = table[:, :, :, _SIX_ROYAL] // 4
    table[:, :, :, _SIX_ROYAL] -= table[:, :, :, 0]
    table[:, royal_row + 1] = table[:, royal_row] // 4
    table[:, royal_row] -= table[:, royal_row + 1]
    table[:, royal_row + 1, :, 0] = 0
    table[:, royal_row + 1, :, _SIX_ROYAL] = both_royal // 4
    table[:, royal_row, :, 0] = both_royal // 4
    table[:, royal_row, :, _SIX_ROYAL] = both_royal // 2


def met_by_five() -> list[list[int]]:
    """Deals of three, two and three cards by five-card outcome (player and community) and six-card
    outcome (player and dealer), where both hold three of a kind or better.

    A line for each of the first seven of `poker.NAMES`, a column for the first nine of `SIX`.
    """
    fives, ways = canonical_sets(5)
    found = best_five(fives)
    paid = found < _FIVE_PAID
    fives, ways, found = fives[paid].astype(np.int64), ways[paid], found[paid]
    sixes = _paying_sixes()
    around = np.zeros((len(fives), _PAID))
    # (cards of the set, how often each subset of that size stands in the sum, its sign)
    for size, times in ((3, 1), (4, -4), (5, 10)):
        subsets = _subsets(fives, cards_of(fives, 5), size)
        known, counts = _around(np.unique(subsets), sixes, size)
        around += times * counts[np.searchsorted(known, subsets)].sum(axis=1)
    table = np.zeros((_FIVE_PAID, _PAID))
    np.add.at(table, found, around * ways[:, None])
    whole = np.rint(table).astype(np.int64)
    diamonds = whole[:, _SIX_ROYAL] // 4
    whole[:, 0], whole[:, _SIX_ROYAL] = diamonds, whole[:, _SIX_ROYAL] - diamonds
    return whole.tolist()  # type: ignore[no-any-return]


def _subsets(masks: Cards, cards: Cards, size: int) -> Ints:
    """The keys of all subsets of that size, a column each."""
    found = []
    rows = np.arange(len(masks))
    for gone in combinations(range(cards.shape[1]), cards.shape[1] - size):
        left = masks.copy()
        for place in gone:
            left[rows, cards[:, place] & 3] -= 1 << (cards[:, place] >> 2)
        found.append(canonical_keys(left))
    return np.stack(found, axis=1)


def _around(
    wanted: Ints, sixes: tuple[Cards, Cards, Ints, NDArray[np.int64]], size: int
) -> tuple[Ints, NDArray[np.float64]]:
    """For one set of each wanted pattern: sets of six around it, by outcome."""
    masks, cards, ways, outcome = sixes
    counts = np.zeros(len(wanted) * _PAID)
    for keys in _subsets(masks, cards, size).T:
        place = np.minimum(np.searchsorted(wanted, keys), len(wanted) - 1)
        hit = wanted[place] == keys
        counts += np.bincount(
            place[hit] * _PAID + outcome[hit], weights=ways[hit], minlength=len(counts)
        )
    parts = np.stack([wanted >> shift & 0x1FFF for shift in (39, 26, 13, 0)], axis=1)
    return wanted, counts.reshape(-1, _PAID) / orders(parts)[:, None]
