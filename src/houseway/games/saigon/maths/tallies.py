"""The tallies of Saigon 5 Card: from the cache, or counted now and kept.

Nothing here needs NumPy while a tally is in the cache; the kernel is imported when one is counted.
"""

from __future__ import annotations

from functools import cache

from houseway.games.saigon.maths.counts import Kinds
from houseway.maths.counting.tallies import Tallies

#: The code that counts. `tests/maths` makes sure that it uses no other code of the package.
KERNELS = (
    "houseway.games.saigon.maths.bonus_hands",
    "houseway.games.saigon.maths.counts",
    "houseway.games.saigon.maths.hand_kinds",
    "houseway.maths.counting.bulk_hands",
)
TALLIES = Tallies("saigon", KERNELS)


@cache
def kinds() -> Kinds:
    """Every kind of hand, and what goes with it."""

    def count() -> Kinds:
        from houseway.games.saigon.maths import hand_kinds as kernel

        return kernel.kinds()

    return TALLIES.recall("kinds", Kinds, count)


@cache
def other_bonus(joker: str) -> dict[str, int]:
    """Bonus hands by outcome with another joker than the text's."""

    def count() -> dict[str, int]:
        from houseway.games.saigon.maths import hand_kinds as kernel

        return kernel.other_bonus(joker)

    return TALLIES.recall("other_bonus", dict[str, int], count, joker)
