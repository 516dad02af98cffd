"""The game solved: the best play of every hand in every case, and what the bet is worth.

The two hands of a split are each played by the best strategy that knows the pair, the up card, the
range and the hand's own cards, but not the cards of the other hand. Their values then add up exactly,
because a card nobody looks at is as good as any other: the second hand is worth what the first is.
Looking at the first hand's cards while playing the second can only gain; `memory` says how much.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from houseway.games.down_under.maths.solver.game_arrays import Deal, Table
from houseway.games.down_under.maths.solver.hands import Hand, hand_of
from houseway.games.down_under.maths.solver.kernels import Actions, Floats
from houseway.games.down_under.maths.solver.quantities import Counted, net
from houseway.games.down_under.maths.solver.splits import number, split_value
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
    #: stand, hit, double and standing doubled, at each position and case
    values: Floats
    #: splitting into at most 2, 3 and 4 hands, for each pair and case
    splits: Floats

    @cached_property
    def worth(self) -> Floats:
        """The value of each position and case under this play, splitting aside."""
        return worth_of(self.values, self.policy)

    @cached_property
    def value(self) -> float:
        """What one unit bet wins on average."""
        return average(self.table, self.hands, net(self.table.rules), self.worth, self.splits, 0)

    def by_itself(self, deal: Deal) -> float:
        """What a deal is worth if it is not split."""
        return float(self.worth[deal.position, deal.case])

    @cached_property
    def came(self) -> Floats:
        """How often play comes to each position: undoubled, and as a doubled hand's last card.

        Hands beyond the second of a pair split again are not counted here.
        """
        table = self.table
        dealt = np.zeros(self.policy.shape)
        for deal in table.deals:
            start, often = deal.position, deal.ways / table.ways
            if deal.pair >= 0 and self.hands[deal.pair, deal.case]:
                start, often = table.states.at((deal.pair, 1), hand_of(deal.pair)), 2 * often
            dealt[start, deal.case] += often
        return table.reach(self.policy, dealt)


def worth_of(values: Floats, policy: Actions) -> Floats:
    chosen = np.take_along_axis(values, np.maximum(policy, 0)[:, :, None].astype(np.intp), axis=2)
    found: Floats = np.where(policy >= 0, chosen[:, :, 0], 0.0)
    return found


def average(
    table: Table, hands: Hands, counted: Counted, worth: Floats, splits: Floats, prime: int
) -> float:
    """The average of what is counted over all deals, in doubles or modulo a prime."""
    total: float = 0
    ways, part = table.weighed(counted.weigh)
    alone = worth[[deal.position for deal in table.deals], [deal.case for deal in table.deals]]
    for deal, often, adds in zip(table.deals, ways, alone.tolist(), strict=True):
        if deal.pair >= 0 and (split := hands[deal.pair, deal.case]):
            adds = (
                splits[deal.pair, deal.case, split - 2] if counted.split is None else counted.split
            )
        total += often * (int(adds) if prime else float(adds))
    total = total * number(Fraction(1, part), prime) + number(table.by_blackjacks(counted), prime)
    return total * number(Fraction(1, table.ways), prime) % prime if prime else total / table.ways


def split_values(
    table: Table, worth: Floats, prime: int = 0, pairs: Iterable[tuple[int, int]] | None = None
) -> Floats:
    """Every split in every case (or some of them), for each number of hands allowed."""
    found = np.full((10, len(table.cases), 3), -np.inf)
    for pair, case in table.pairs if pairs is None else pairs:
        for most in range(2, most_hands(table.rules, pair) + 1):
            found[pair, case, most - 2] = split_value(table, worth, pair, case, most, prime)
    return found


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
    values = table.values(table.all_ends, policy, net(table.rules), choose=True)
    worth = worth_of(values, policy)
    splits = split_values(table, worth)
    return Play(table, policy, best_hands(table, worth, splits), values, splits)


def evaluate(table: Table, policy: Actions, hands: Hands) -> Play:
    """A given way to play."""
    values = table.values(table.all_ends, policy, net(table.rules))
    return Play(table, policy, hands, values, split_values(table, worth_of(values, policy)))
