"""What the kernel of Saigon 5 Card counts, as values that can be kept and read without NumPy.

Every number here is a count of deals. No payout enters any of them.
"""

from __future__ import annotations

import msgspec

#: What the Saigon bonus pays on, from the highest; the joker is an ace or completes.
BONUS = (
    "five_aces", "royal_flush", "royal_flush_joker", "straight_flush", "four_of_a_kind",
    "full_house", "flush", "straight", "three_of_a_kind", "two_pair", "nothing",
)  # fmt: skip


class Kinds(msgspec.Struct, frozen=True):
    """Saigon hands by the values of their cards, one entry for each kind.

    `values` are its cards, 1 to 10 and 11 for the joker; `ways` how many hands are of the kind;
    `counts` the point counts that its qualifying settings can have, best first, none if it cannot
    qualify; `dealer` how many dealer's hands go with one hand of the kind: those that do not
    qualify, then those set to a point count of 1, 2, up to 10; `bonus` how many of the hands make
    each of `BONUS`.
    """

    values: list[list[int]]
    ways: list[int]
    counts: list[list[int]]
    dealer: list[list[int]]
    bonus: list[list[int]]
