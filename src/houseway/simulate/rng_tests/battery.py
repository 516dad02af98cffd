"""The tests. Each returns the p-value of a sample: the chance of one at least as extreme from a fair source.

Knuth's classical tests (The Art of Computer Programming, 3.3.2) on shuffles, deals and raw words;
Marsaglia's birthday spacings; Good's test of overlapping tuples. Two questions are asked of every
test: how the whole sample does, and, by Kolmogorov and Smirnov, whether the chances found in many
parts of it lie as evenly as chance would have them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from math import factorial, sqrt

import numpy as np
from numpy.typing import NDArray

from houseway.simulate.kernels.five_of_six import best_of
from houseway.simulate.rng_tests.statistics import (
    chi_square,
    chi_square_above,
    kolmogorov_smirnov,
    normal_both,
    poisson,
)

Array = NDArray[np.integer]
PARTS = 20


@dataclass(frozen=True)
class Test:
    """One test: of what sample, and how a p-value comes out of it."""

    name: str
    of: str
    says: str
    measure: Callable[[Array], float]


@dataclass(frozen=True)
class Finding:
    """What a test found in one source."""

    test: str
    of: str
    says: str
    size: int
    p: float
    #: Kolmogorov and Smirnov on the p-values of parts
    parts: tuple[float, ...]
    parts_p: float


# ---- shuffles: rows of 52 cards


def position_frequency(decks: Array) -> float:
    """Every card in every place equally often. 51 x 51 counts are free."""
    counts = np.zeros((52, 52))
    for place in range(52):
        counts[place] = np.bincount(decks[:, place], minlength=52)
    expected = len(decks) / 52
    # rows and columns are both given, so the statistic is a little smaller than for free counts
    value = float(((counts - expected) ** 2).sum() / expected) * 51 / 52
    return chi_square_above(value, 51 * 51)


def neighbours(decks: Array) -> float:
    """Every ordered pair of different cards equally often at the first two places, the middle two
    and the last two.
    """
    counts = np.zeros(52 * 52)
    for place in (0, 25, 50):
        pairs = decks[:, place].astype(np.int64) * 52 + decks[:, place + 1]
        counts += np.bincount(pairs, minlength=52 * 52)
    counts = counts.reshape(52, 52)[~np.eye(52, dtype=bool)]
    return chi_square(counts, 3 * len(decks) / (52 * 51))


def position_pairs(decks: Array) -> float:
    """The first and the last card of a deck as a pair."""
    pairs = decks[:, 0].astype(np.int64) * 52 + decks[:, 51]
    counts = np.bincount(pairs, minlength=52 * 52).reshape(52, 52)
    return chi_square(counts[~np.eye(52, dtype=bool)], len(decks) / (52 * 51))


def serial_shuffles(decks: Array) -> float:
    """The first card of a shuffle with the first of the next."""
    first = decks[:, 0].astype(np.int64)
    pairs = first[:-1:2] * 52 + first[1::2]
    return chi_square(np.bincount(pairs, minlength=52 * 52), len(pairs) / 52**2)


def fixed_places(decks: Array) -> float:
    """Fixed points: the number of cards that lie where they lay in the new deck."""
    counts = np.bincount((decks == np.arange(52)).sum(axis=1), minlength=53)
    chances = np.array(
        [
            sum((-1) ** j / factorial(j) for j in range(53 - k)) / factorial(k) if k < 6 else 0.0
            for k in range(6)
        ]
    )
    seen = np.append(counts[:6], counts[6:].sum())
    return chi_square(seen, np.append(chances, 1 - chances.sum()) * len(decks))


def ascents(decks: Array) -> float:
    """How often a card is followed by a higher one: runs up, by their number in each deck."""
    rises = (decks[:, 1:] > decks[:, :-1]).sum(axis=1)
    mean, variance = 51 / 2, 53 / 12
    return normal_both((float(rises.mean()) - mean) / sqrt(variance / len(decks)))


def order_of_five(decks: Array) -> float:
    """The 120 orders of the first five cards."""
    return _orders(decks[:, :5])


def _five_card_hands() -> Array:
    """How many of all five-card hands are of each rank, from the royal flush down."""
    from houseway.maths.counting.bulk_hands import best_five, canonical_sets

    masks, ways = canonical_sets(5)
    return np.bincount(best_five(masks), weights=ways, minlength=10)


def poker_deals(decks: Array) -> float:
    """Poker hands of the first five cards, against the exact counts."""
    found = np.zeros(len(decks), np.int8)
    best_of(np.ascontiguousarray(decks[:, :5]).astype(np.int8), found)
    found[found >= 10] = 0
    counts = np.bincount(found, minlength=10)
    expected = _five_card_hands()
    return _pooled(counts, expected / expected.sum() * len(decks))


def three_card_deals(decks: Array) -> float:
    """Three-card hands of seven players and the dealer, against the exact counts."""
    from houseway.maths.counting.bulk_hands import WIDTH, three_card_values

    every = np.array(list(combinations(range(52), 3)))
    expected, counts = (
        np.bincount(three_card_values(hands) // WIDTH, minlength=6)
        for hands in (every, decks[:, :3].astype(np.int64))
    )
    return _pooled(counts, expected / len(every) * len(decks))


def coupons_of_ranks(decks: Array) -> float:
    """How many decks' first cards until all thirteen ranks have been seen."""
    return _coupons(decks[:, 0].astype(np.int64) >> 2, 13)


def gaps_of_hearts(decks: Array) -> float:
    """Decks between two that begin with a heart."""
    return _gaps(decks[:, 0] & 3 == 2, 0.25)


# ---- raw words


def _octets(words: Array) -> NDArray[np.uint8]:
    return np.ascontiguousarray(words).view(np.uint8)


def bits(words: Array) -> float:
    """As many ones as noughts."""
    ones = int(np.unpackbits(_octets(words)).sum())
    n = 64 * len(words)
    return normal_both((2 * ones - n) / sqrt(n))


def octets(words: Array) -> float:
    """Every byte equally often."""
    return chi_square(np.bincount(_octets(words), minlength=256), 8 * len(words) / 256)


def serial(words: Array) -> float:
    """Pairs of bytes that follow each other, not overlapping."""
    pairs = np.ascontiguousarray(words).view(np.uint16)
    return chi_square(np.bincount(pairs, minlength=65536), len(pairs) / 65536)


def overlapping(words: Array) -> float:
    """Overlapping threes of half-bytes, less what pairs explain (Good)."""
    octets = _octets(words)
    halves = np.empty(2 * len(octets), np.int64)
    halves[::2], halves[1::2] = octets >> 4, octets & 15
    n = len(halves)
    around = np.concatenate([halves, halves[:2]])

    def psi(width: int) -> float:
        key = np.zeros(n, np.int64)
        for place in range(width):
            key = key * 16 + around[place : place + n]
        counts = np.bincount(key, minlength=16**width).astype(float)
        cells: int = 16**width
        return float((counts**2).sum()) * cells / n - n

    second_difference: float = psi(3) - 2 * psi(2) + psi(1)
    return chi_square_above(second_difference, 16**3 - 2 * 16**2 + 16)


def gaps(words: Array) -> float:
    """Words between two whose highest three bits are nought."""
    return _gaps(words >> np.uint64(61) == 0, 1 / 8)


def runs(words: Array) -> float:
    """Runs up; each new run starts after the word that broke the last: lengths 1 to 6 and more."""
    counts = _run_lengths(words)
    total = counts.sum()
    chances = np.array([1 / factorial(k) - 1 / factorial(k + 1) for k in range(1, 6)])
    return chi_square(counts, np.append(chances, 1 - chances.sum()) * total)


def _run_lengths(words: Array) -> Array:
    breaks = np.flatnonzero(words[1:] <= words[:-1]) + 1
    counts = np.zeros(6, np.int64)
    start = 0
    # the word that breaks a run is left out, so that runs do not depend on each other
    for at in breaks.tolist():
        if at <= start:
            continue
        counts[min(at - start, 6) - 1] += 1
        start = at + 1
    return counts


def poker(words: Array) -> float:
    """Different values among the first five half-bytes of each word."""
    halves = np.stack([words >> np.uint64(60 - 4 * place) & np.uint64(15) for place in range(5)])
    ordered = np.sort(halves, axis=0)
    different = 1 + (ordered[1:] != ordered[:-1]).sum(axis=0)
    stirling = [1, 15, 25, 10, 1]
    chances = np.array(
        [s * factorial(16) / factorial(16 - k) / 16**5 for k, s in enumerate(stirling, 1)]
    )
    counts = np.bincount(different, minlength=6)[1:]
    return _pooled(counts, chances * len(words))


def coupons(words: Array) -> float:
    """How many words until all eight values of their highest three bits have been seen."""
    return _coupons((words >> np.uint64(61)).astype(np.int64), 8)


def orders(words: Array) -> float:
    """The 120 orders of five words."""
    return _orders(words[: len(words) // 5 * 5].reshape(-1, 5))


def birthday_spacings(words: Array) -> float:
    """Equal spacings between 4,096 birthdays in a year of 2**32 days: four a year on average."""
    days = (words >> np.uint64(32)).astype(np.int64)
    years = len(days) // 4096
    found = 0
    for year in range(years):
        spacings = np.sort(np.diff(np.sort(days[year * 4096 : (year + 1) * 4096])))
        found += int((spacings[1:] == spacings[:-1]).sum())
    return poisson(found, years * 4096**3 / (4 * 2**32))


# ---- shared


def _orders(rows: Array) -> float:
    """Every order of the values in a row equally often."""
    size = rows.shape[1]
    key = np.zeros(len(rows), np.int64)
    for place, rank in enumerate(np.argsort(rows, axis=1).T):
        key += rank * size**place
    known = [sum(r * size**p for p, r in enumerate(order)) for order in permutations(range(size))]
    counts = np.bincount(key, minlength=size**size)[known]
    return chi_square(counts, len(rows) / factorial(size))


def _gaps(marked: NDArray[np.bool_], chance: float) -> float:
    """The lengths of the gaps between marks."""
    lengths = np.diff(np.flatnonzero(marked)) - 1
    most = max(1, int(np.log(5 / max(len(lengths), 6) / 1) / np.log(1 - chance)))
    counts = np.bincount(np.minimum(lengths, most), minlength=most + 1)
    chances = chance * (1 - chance) ** np.arange(most)
    return chi_square(counts, np.append(chances, (1 - chance) ** most) * len(lengths))


def _coupons(values: Array, kinds: int) -> float:
    """Lengths of segments in which every kind has been seen."""
    lengths = []
    seen, left, length = [False] * kinds, kinds, 0
    for value in values.tolist():
        length += 1
        if not seen[value]:
            seen[value] = True
            left -= 1
            if left == 0:
                lengths.append(length)
                seen, left, length = [False] * kinds, kinds, 0
    chances = _coupon_chances(kinds)
    most = len(chances) - 1
    counts = np.bincount(np.minimum(np.array(lengths) - kinds, most), minlength=most + 1)
    return _pooled(counts, np.array(chances) * len(lengths))


@cache
def _coupon_chances(kinds: int) -> tuple[float, ...]:
    """How likely each length is, the last for all that are longer."""
    at = [0.0] * (kinds + 1)
    at[0] = 1.0
    chances: list[float] = []
    for length in range(1, 12 * kinds):
        for have in range(kinds, 0, -1):
            stay = at[have] * have / kinds if have < kinds else 0.0
            at[have] = stay + at[have - 1] * (kinds - have + 1) / kinds
        at[0] = 0.0
        if length >= kinds:
            chances.append(at[kinds])
    return (*chances, max(0.0, 1 - sum(chances)))


def _pooled(counts: Array, expected: NDArray[np.floating]) -> float:
    """Chi-square with rare outcomes put together, each cell expected at least five times."""
    order = np.argsort(expected)
    cells: list[tuple[float, float]] = []
    seen = wanted = 0.0
    for place in order.tolist():
        seen += float(counts[place])
        wanted += float(expected[place])
        if wanted >= 5:
            cells.append((seen, wanted))
            seen = wanted = 0.0
    if wanted and cells:
        last = cells.pop()
        cells.append((last[0] + seen, last[1] + wanted))
    if len(cells) < 2:
        return 0.5
    found, likely = np.array(cells).T
    return chi_square(found, likely)


SHUFFLES = (
    Test("position frequency", "shuffles", "every card in every place", position_frequency),
    Test("neighbours", "shuffles", "pairs of cards that lie side by side", neighbours),
    Test("position pairs", "shuffles", "the first card with the last", position_pairs),
    Test("serial", "shuffles", "a deck's first card with the next deck's", serial_shuffles),
    Test("fixed places", "shuffles", "cards that stay where they were", fixed_places),
    Test("runs", "shuffles", "cards followed by a higher one", ascents),
    Test("permutation", "shuffles", "the order of the first five cards", order_of_five),
    Test("gaps", "shuffles", "decks between two that begin with a heart", gaps_of_hearts),
    Test("coupon collector", "shuffles", "decks until every rank came first", coupons_of_ranks),
    Test("poker", "deals", "five-card hands against their exact counts", poker_deals),
    Test("three cards", "deals", "three-card hands against their exact counts", three_card_deals),
)
RAW = (
    Test("bits", "raw", "ones and zeros", bits),
    Test("frequency", "raw", "every byte", octets),
    Test("serial", "raw", "pairs of bytes", serial),
    Test("overlapping tuples", "raw", "overlapping triples of half-bytes", overlapping),
    Test("gaps", "raw", "words between two small ones", gaps),
    Test("runs", "raw", "lengths of runs up", runs),
    Test("poker", "raw", "different half-bytes among five", poker),
    Test("coupon collector", "raw", "words until every value was seen", coupons),
    Test("permutation", "raw", "the order of five words", orders),
    Test("birthday spacings", "raw", "equal spacings between birthdays", birthday_spacings),
)


def examine(tests: tuple[Test, ...], sample: Array) -> Iterator[Finding]:
    """Every test on a sample as a whole and in parts."""
    parts = np.array_split(sample, PARTS)
    for test in tests:
        found = tuple(test.measure(part) for part in parts)
        yield Finding(
            test.name,
            test.of,
            test.says,
            len(sample),
            test.measure(sample),
            found,
            kolmogorov_smirnov(found),
        )


def examine_draws(below: Callable[[int, int], Array], count: int) -> Iterator[Finding]:
    """Numbers below bounds that the tables draw: places of a deck, of a shoe, and awkward ones."""
    for n in (3, 52, 53, 312):
        draws = below(n, count)
        parts = tuple(
            chi_square(np.bincount(part, minlength=n), len(part) / n)
            for part in np.array_split(draws, PARTS)
        )
        yield Finding(
            f"below {n}",
            "draws",
            f"every number below {n}",
            count,
            chi_square(np.bincount(draws, minlength=n), count / n),
            parts,
            kolmogorov_smirnov(parts),
        )
