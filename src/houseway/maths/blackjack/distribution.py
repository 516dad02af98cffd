"""How a round ends: every net result with its probability, and the deviation.

What ends without a split is counted exactly. After a split both hands meet the same dealer, so their
results go together; those are summed over every pair of last hands in double precision, and given
to twelve digits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import perm, sqrt

import numpy as np

from houseway.maths.blackjack.counting import Counted, net, splits_happen, staked, unsplit
from houseway.maths.blackjack.exact import exactly
from houseway.maths.blackjack.hands import hand_of
from houseway.maths.blackjack.kernels import DOUBLE, HIT, STAND, Floats, Ints
from houseway.maths.blackjack.pair_kernels import orders, sums_of, together
from houseway.maths.blackjack.solve import Play
from houseway.maths.blackjack.states import cards_of, hand_keys
from houseway.maths.blackjack.table import Table
from houseway.maths.blackjack.variant import Variant

#: two hands, doubled
MOST = 4


def split_results(play: Play, pair: int, case: int) -> dict[int, float]:
    """How likely both hands of a split win so many bets together, in one case."""
    table, states = play.table, play.table.states
    start = states.at((pair, 1), hand_of(pair))
    policy = play.policy[: start + 1, case]
    drawn, doubled = orders(states.child[: start + 1], policy, start)
    keys = hand_keys()[states.hand[: start + 1]]
    one_more = keys[:, None] + (1 << 5 * np.arange(10, dtype=np.int64))
    bust = states.child[: start + 1] < 0
    stands = (policy == STAND) & (drawn > 0)
    twice = doubled > 0
    over = bust & ((policy == HIT) & (drawn > 0))[:, None]
    over_twice = bust & ((policy == DOUBLE) & (drawn > 0))[:, None]
    orders_of = np.repeat(drawn[:, None], 10, axis=1)
    # kinds of last hands: rows of the pay tables, plain and doubled; a bust is as a 16 to a 17
    plain, two = net(table.rules).arrays
    lost = np.full((1, 7), plain[0, 0])
    wins = np.concatenate([plain, two, lost, 2 * lost]).astype(np.int64)
    rows = len(plain)
    pays = states.pays[: start + 1]
    last = np.concatenate([keys[stands], keys[twice], one_more[over], one_more[over_twice]])
    ways = np.concatenate([drawn[stands], doubled[twice], orders_of[over], orders_of[over_twice]])
    kind = np.concatenate(
        [
            pays[stands],
            pays[twice] + rows,
            np.full(over.sum(), 2 * rows),
            np.full(over_twice.sum(), 2 * rows + 1),
        ]
    )
    gone, which = sums_of(last, last, True)
    cards = cards_of(gone)
    alone = Table(table.rules, table.shoe, only_cases=(table.cases[case],), positions=states)
    chance = one_order(table, pair, case, cards)
    ends = alone.ends(np.array(table.shoe) - cards)
    found = together(which, chance, ends, ways, kind, wins, MOST)
    return {won - MOST: float(often) for won, often in enumerate(found) if often > 0}


def one_order(table: Table, pair: int, case: int, cards: Ints) -> Floats:
    """The chance of drawing, in one order, what both hands have beyond the pair itself."""
    known = table.cases[case]
    left = np.array(table.shoe) - np.array(hand_of(pair, pair, known.up))
    drawn = cards - np.array(hand_of(pair, pair))
    hole = np.isin(np.arange(10), list(known.holes))
    total, holes = int(left.sum()) - 1, int(left[hole].sum())
    chance = np.maximum(holes - drawn[:, hole].sum(axis=1), 0) / holes
    for card in range(10):
        copies = int(left[card])
        falling = np.array([perm(copies, taken) for taken in range(32)], dtype=np.float64)
        chance = chance * falling[drawn[:, card]]
    size = drawn.sum(axis=1)
    unseen = np.array([float(perm(total, taken)) for taken in range(int(size.max()) + 1)])
    found: Floats = chance / unseen[size]
    return found


@dataclass(frozen=True, slots=True)
class Distribution:
    """The round by its net result in bets."""

    #: outcome, net and exact probability: without splits
    exact: dict[str, tuple[Fraction, Fraction]]
    split: Fraction
    #: net result and probability, all rounds, to twelve digits
    nets: dict[Fraction, float]
    edge: Fraction
    staked: Fraction

    @property
    def deviation(self) -> float:
        square = sum(float(won) ** 2 * often for won, often in self.nets.items())
        return sqrt(square - float(self.edge) ** 2)

    @property
    def hit_frequency(self) -> float:
        """How often the player comes out ahead."""
        return sum(often for won, often in self.nets.items() if won > 0)


#: how a round ends without a split or a blackjack: name, net of the bet, doubled or not
ENDS = (
    ("win", 1, False), ("push", 0, False), ("lose", -1, False),
    ("doubled_win", 2, True), ("doubled_push", 0, True), ("doubled_lose", -2, True),
)  # fmt: skip


def counts(rules: Variant) -> list[Counted]:
    """What `distribution` needs to know exactly."""
    return [
        net(rules),
        staked(),
        splits_happen(),
        *(unsplit(rules, won, doubled) for _, won, doubled in ENDS),
    ]


def distribution(play: Play, counted: Sequence[Fraction] | None = None) -> Distribution:
    """Every result of a round under this way to play; for at most one split.

    `counted` are the exact averages of `counts`, where they are known already.
    """
    rules, table = play.table.rules, play.table
    value, stake, split, *ends = counted or exactly((play, counts(rules)))[0]
    alone, dealer, both = (Fraction(ways, table.ways) for ways in table.blackjacks)
    exact = {
        "blackjack": (rules.blackjack_pays, alone),
        "dealer_blackjack": (Fraction(-1), dealer),
        "both_blackjack": (Fraction(0), both),
    }
    for (name, bets, _), chance in zip(ENDS, ends, strict=True):
        exact[name] = (Fraction(bets), chance)
    nets: defaultdict[Fraction, float] = defaultdict(float)
    for won, chance in exact.values():
        nets[won] += float(chance)
    for deal in table.deals:
        if deal.pair >= 0 and play.hands[deal.pair, deal.case]:
            for bets, often in split_results(play, deal.pair, deal.case).items():
                nets[Fraction(bets)] += often * deal.ways / table.ways
    return Distribution(exact, split, dict(sorted(nets.items())), -value, stake)
