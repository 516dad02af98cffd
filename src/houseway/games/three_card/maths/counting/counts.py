"""What the kernels count, as values that can be kept and read without NumPy.

Every number here is a count of deals. No payout enters any of them.
"""

from __future__ import annotations

import msgspec

#: The columns of a duel. The dealer's hand does not qualify, or does, and is below, level with or
#: above the player's.
COLUMNS = ("low_below", "low_level", "low_above", "below", "level", "above")

#: Three-card outcomes in ascending order: the rows of a duel stand in this order too.
THREE = (
    "high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush", "mini_royal",
    "mini_royal_spades",
)  # fmt: skip

#: Five-card outcomes from the highest, as in `poker.NAMES`.
FIVE = (
    "royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight",
    "three_of_a_kind", "two_pair", "pair", "high_card",
)  # fmt: skip

#: Six-card outcomes from the highest: the six-card royals, then the best five.
SIX = ("six_card_royal_diamonds", "six_card_royal", *FIVE)

#: How many of `FIVE` and of `SIX` are three of a kind or better.
FIVE_PAID = FIVE.index("three_of_a_kind") + 1
SIX_PAID = SIX.index("three_of_a_kind") + 1

#: What Cover All pays on, from the highest.
COVERED = ("mini_royal", "straight_flush", "three_of_a_kind", "straight")


class Duel(msgspec.Struct, frozen=True):
    """One row for each suit pattern of a player's hand, in ascending order of value.

    `ways` is how many hands have the pattern; `dealer` says, for one of them, how many dealer's
    hands fall into each column. The mini royal of spades has a row of its own, the last.
    """

    value: list[int]
    ways: list[int]
    dealer: list[list[int]]


class Splits(msgspec.Struct, frozen=True):
    """Deals of three and three cards whose six make three of a kind or better.

    One entry for each row of the duel, column of the duel and six-card outcome that occur
    together: how many deals, how many twos the dealer holds in them altogether, in how many the
    player's cards are of one color, and in how many the dealer's are of that color too; last the
    dealer's twos in those.
    """

    row: list[int]
    column: list[int]
    six: list[int]
    deals: list[int]
    twos: list[int]
    one_color: list[int]
    both_one_color: list[int]
    one_color_twos: list[int]
    both_one_color_twos: list[int]


class FiveCards(msgspec.Struct, frozen=True):
    """Deals of three and two cards whose five make three of a kind or better.

    One entry for each row of the duel and five-card outcome that occur together: `deals` counts
    the player's and the community's cards, `dealer` the dealer's hands with them by column of the
    duel, `six` the dealer's hands with them by the six-card outcome of player and dealer.
    """

    row: list[int]
    five: list[int]
    deals: list[int]
    dealer: list[list[int]]
    six: list[list[int]]


class Primes(msgspec.Struct, frozen=True):
    """What Three Card Prime asks besides, for each row of the duel.

    `twos` is how many twos a hand of the row holds; `dealer_twos` how many the dealer holds, over
    all dealer's hands of each column. `one_color` is how many hands of the row are of one color;
    for one of those, `same_color` is how many dealer's hands of each column are of that color
    too, and `same_color_twos` how many twos those hold.
    """

    twos: list[int]
    dealer_twos: list[list[int]]
    one_color: list[int]
    same_color: list[list[int]]
    same_color_twos: list[list[int]]
