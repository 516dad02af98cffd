"""The tallies of the three-card games by name: from the cache, or counted now and kept.

Nothing here needs NumPy while a tally is in the cache; the kernels are imported when one must be
counted. All tallies have one key, the code of all kernels together: a change of any counts all
anew, which is a matter of seconds and never of doubt.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import groupby

from houseway.games.three_card.maths.counting.counts import THREE, Duel, FiveCards, Primes, Splits
from houseway.games.three_card.maths.counting.envy import Own, own_hands
from houseway.maths.counting.tallies import Tallies

#: The code that counts. `tests/maths` makes sure that it uses no other code of the package.
KERNELS = (
    "houseway.cards.card",
    "houseway.games.three_card.hands",
    "houseway.games.three_card.maths.counting.counts",
    "houseway.games.three_card.maths.counting.cover_all",
    "houseway.games.three_card.maths.counting.duel",
    "houseway.games.three_card.maths.counting.envy",
    "houseway.games.three_card.maths.counting.five_cards",
    "houseway.games.three_card.maths.counting.prime",
    "houseway.games.three_card.maths.counting.six_cards",
    "houseway.maths.counting.bulk_hands",
)
TALLIES = Tallies("three_card", KERNELS)


@cache
def duel(qualifies: int) -> Duel:
    """Three cards against three; the dealer qualifies from that value on."""

    def count() -> Duel:
        from houseway.games.three_card.maths.counting import duel as kernel

        return kernel.duel(qualifies)

    return TALLIES.recall("duel", Duel, count, qualifies)


@cache
def splits(qualifies: int) -> Splits:
    """Three and three cards whose six pay."""

    def count() -> Splits:
        from houseway.games.three_card.maths.counting import six_cards as kernel

        return kernel.splits(qualifies)

    return TALLIES.recall("splits", Splits, count, qualifies)


@cache
def five_cards(qualifies: int) -> FiveCards:
    """Three and two cards whose five pay."""

    def count() -> FiveCards:
        from houseway.games.three_card.maths.counting import five_cards as kernel

        return kernel.five_cards(qualifies)

    return TALLIES.recall("five_cards", FiveCards, count, qualifies)


@cache
def primes(qualifies: int) -> Primes:
    """Colors and twos."""

    def count() -> Primes:
        from houseway.games.three_card.maths.counting import prime as kernel

        return kernel.primes(qualifies)

    return TALLIES.recall("primes", Primes, count, qualifies)


@cache
def six_card_hands() -> dict[str, int]:
    """Sets of six cards by outcome."""

    def count() -> dict[str, int]:
        from houseway.games.three_card.maths.counting import six_cards as kernel

        return kernel.six_card_hands()

    return TALLIES.recall("six", dict[str, int], count)


@cache
def five_card_hands() -> dict[str, int]:
    """Sets of five cards by outcome."""

    def count() -> dict[str, int]:
        from houseway.games.three_card.maths.counting import five_cards as kernel

        return kernel.five_card_hands()

    return TALLIES.recall("five", dict[str, int], count)


@cache
def cover_all() -> dict[int, dict[str, int]]:
    """Deals of two to eight hands by the highest."""

    def count() -> dict[str, dict[str, int]]:
        from houseway.games.three_card.maths.counting import cover_all as kernel

        return kernel.cover_all()

    kept = TALLIES.recall("cover_all", dict[str, dict[str, int]], count)
    return {int(hands): counts for hands, counts in kept.items()}


@cache
def three_card_hands() -> dict[str, int]:
    """Three-card hands by outcome, from the rows of any duel."""
    found = dict.fromkeys(THREE, 0)
    tally = duel(QUEEN_HIGH)
    for name, row in rows(tally):
        found[name] += tally.ways[row]
    return found


@cache
def own_hands_and_envy() -> Own:
    """One's own hands by outcome and the mini royals they leave to others."""
    return TALLIES.recall("envy", Own, lambda: own_hands(three_card_hands()))


#: The least value of a queen-high hand.
QUEEN_HIGH = 10 * 169


def rows(tally: Duel) -> Iterator[tuple[str, int]]:
    """The rows of a duel with their three-card outcome."""
    last = len(tally.value) - 1
    for row, value in enumerate(tally.value):
        kind = value // 13**3
        if kind == 5 and value % 13**3 == 12:
            yield ("mini_royal_spades" if row == last else "mini_royal"), row
        else:
            yield THREE[kind], row


@cache
def groups(qualifies: int) -> tuple[tuple[str, range], ...]:
    """The rows of a duel by outcome: they stand together."""
    found = []
    for name, members in groupby(rows(duel(qualifies)), key=lambda pair: pair[0]):
        numbers = [row for _, row in members]
        found.append((name, range(numbers[0], numbers[-1] + 1)))
    return tuple(found)
