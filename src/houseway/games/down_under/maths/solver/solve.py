"""The game solved: the best play of every hand in every case, and what the bet is worth.

The two hands of a split are each played by the best strategy that knows the pair, the up card, the
range and the hand's own cards, but not the cards of the other hand. Their values then add up exactly,
because a card nobody looks at is as good as any other: the second hand is worth what the first is.
Looking at the first hand's cards while playing the second can only gain; `memory` says how much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from houseway.games.down_under.maths.solver.arrays import Actions, Floats
from houseway.games.down_under.maths.solver.game_arrays import Deal, Table
from houseway.games.down_under.maths.solver.hands import Hand, hand_of
from houseway.games.down_under.maths.solver.quantities import net
from houseway.games.down_under.maths.solver.splits import split_value
from houseway.games.down_under.maths.solver.states import most_hands
from houseway.games.down_under.maths.solver.variant import Variant

Hands: TypeAlias = NDArray[np.int8]


@dataclass(frozen=True)
class Play:
    """A way to play, and what it is worth in doubles. `exact` gives the worth as a fraction."""

    table: Table
    #: stand, hit or double at each position and case
    policy: Actions
    #: how many hands each pair is split into at most in each case, 0 where it is not split
    hands: Hands
    #: `worth`, `values` and `splits`, where they are known already
    known: tuple[Floats, Floats, Floats] | None = None

    @cached_property
    def _figured(self) -> tuple[Floats, Floats, Floats]:
        if self.known is not None:
            return self.known
        worth, values = self.table.values(self.policy, net(self.table.rules))
        return worth, values, split_values(self.table, worth)

    @property
    def worth(self) -> Floats:
        """The value of each position and case under this play, splitting aside."""
        return self._figured[0]

    @property
    def values(self) -> Floats:
        """Stand, hit, double and standing doubled, at each position and case."""
        return self._figured[1]

    @property
    def splits(self) -> Floats:
        """Splitting into at most 2, 3 and 4 hands, for each pair and case."""
        return self._figured[2]

    @cached_property
    def value(self) -> float:
        """What one unit bet wins on average."""
        table = self.table
        position, case, pair, often = table.deal_arrays
        adds = self.worth[position, case]
        for at in np.flatnonzero((pair >= 0) & (self.hands[pair, case] > 0)):
            adds[at] = self.splits[pair[at], case[at], self.hands[pair[at], case[at]] - 2]
        blackjacks = float(table.by_blackjacks(net(table.rules)) / table.ways)
        return float(often @ adds) + blackjacks

    def by_itself(self, deal: Deal) -> float:
        """What a deal is worth if it is not split."""
        return float(self.worth[deal.position, deal.case])

    @cached_property
    def came(self) -> Floats:
        """How often play comes to each position: undoubled, and as a doubled hand's last card.

        Hands beyond the second of a pair split again are not counted here.
        """
        table = self.table
        starts = np.zeros(self.policy.shape)
        for deal in table.deals:
            start, often = deal.position, float(deal.orders)
            if deal.pair >= 0 and self.hands[deal.pair, deal.case]:
                start, often = table.states.at((deal.pair, 1), hand_of(deal.pair)), 2 * often
            starts[start, deal.case] += often
        return table.reach(self.policy, starts)


def split_values(table: Table, worth: Floats) -> Floats:
    """Every split in every case, for each number of hands allowed."""
    found = np.full((10, len(table.cases), 3), -np.inf)
    for pair in range(10):
        cases = [case for card, case in table.pairs if card == pair]
        if cases:
            for most, value in enumerate(pair_split(table, worth, pair, cases)):
                found[pair, cases, most] = value
    return found


def pair_split(table: Table, worth: Floats, pair: int, cases: Sequence[int]) -> list[Floats]:
    """What splitting a pair into at most two, three... hands is worth in these cases.

    `worth` has a column for every case, or for these alone.
    """
    columns = cases if worth.shape[1] == len(table.cases) else slice(None)

    def worth_of(hand: Hand, gone: int) -> Floats:
        found: Floats = worth[table.states.at((pair, gone), hand)][columns]
        return found

    def chance(gone: int) -> Floats:
        copies, of_all = table.another(pair, gone)
        found: Floats = (copies / of_all)[cases]
        return found

    return [
        split_value(
            most,
            lambda gone: worth_of(hand_of(pair), gone),
            lambda gone: worth_of(hand_of(pair, pair), gone),
            chance,
        )
        for most in range(2, most_hands(table.rules, pair) + 1)
    ]


def best_hands(table: Table, worth: Floats, splits: Floats) -> Hands:
    """Into how many hands a pair is best split, 0 for not at all."""
    hands = np.zeros((10, len(table.cases)), dtype=np.int8)
    for deal in table.deals:
        if deal.pair >= 0:
            ways = splits[deal.pair, deal.case]
            if ways.max() > worth[deal.position, deal.case]:
                hands[deal.pair, deal.case] = 2 + int(ways.argmax())
    return hands


def solve(rules: Variant, shoe: Hand | None = None) -> Play:
    """The best play, found in doubles; see `exact.decided` for near ties."""
    return best_play(Table(rules, shoe))


def best_play(table: Table) -> Play:
    """The best play at a table."""
    policy = np.full((len(table.states.row), len(table.cases)), -1, dtype=np.int8)
    worth, values = table.values(policy, net(table.rules), choose=True)
    splits = split_values(table, worth)
    hands = best_hands(table, worth, splits)
    return Play(table, policy, hands, (worth, values, splits))
