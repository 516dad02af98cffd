"""How a round ends: every net result with its exact probability.

After a split both hands meet the same dealer, so their results are correlated. They are counted over
every pair of last hands that are not bust: how many orders of cards give each pair of kinds (a
total, doubled or not) and leave each composition does not depend on chances; those follow modulo
several primes. What one hand does alone is known, so the pairs with a bust are what is missing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from houseway.games.down_under.maths.solver.dealer import Ways, dealer_of, reading
from houseway.games.down_under.maths.solver.exact import (
    LastHands,
    enough,
    exactly,
    from_residues,
    part_of,
    tables_of,
)
from houseway.games.down_under.maths.solver.game_arrays import Table
from houseway.games.down_under.maths.solver.hands import hand_of
from houseway.games.down_under.maths.solver.kernels import sums_of, together
from houseway.games.down_under.maths.solver.quantities import (
    Counted,
    net,
    splits_happen,
    staked,
    unsplit,
)
from houseway.games.down_under.maths.solver.solve import Play
from houseway.games.down_under.maths.solver.states import cards_of
from houseway.games.down_under.maths.solver.variant import Variant

#: how the splits worked out so far end, by all that this depends on
_known_splits: dict[object, dict[int, Fraction]] = {}


def split_results(play: Play, pair: int, case: int) -> dict[int, Fraction]:
    """How likely both hands of a split win so many bets together, in one case, exactly.

    In many cases both readings of a soft 22 make one dealer, and are worked out once.
    """
    table, states = play.table, play.table.states
    start = states.at((pair, 1), hand_of(pair))
    counted = net(table.rules)
    last = part_of(states, play.policy[:, case], {start: 1}, [counted]).last
    hands = tuple(each.tobytes() for each in (last.cards, last.orders, last.kind))
    dealer = dealer_of(reading(table.rules), table.cases[case])
    key = dealer, table.shoe, pair, hands, counted.plain, counted.doubled
    if key not in _known_splits:
        _known_splits[key] = _both_hands(table, pair, case, start, counted, last)
    return _known_splits[key]


def _both_hands(
    table: Table, pair: int, case: int, start: int, counted: Counted, last: LastHands
) -> dict[int, Fraction]:
    states = table.states
    kinds, first, kind = np.unique(last.kind, return_index=True, return_inverse=True)
    i, j = np.tril_indices(len(kinds))
    numbered = np.zeros((len(kinds), len(kinds)), dtype=np.int64)
    numbered[i, j] = numbered[j, i] = np.arange(len(i))
    # beside the cards of one hand lies the other card of the pair, which two hands have themselves
    hands = last.cards - (1 << 5 * pair)
    gone, which = sums_of(hands, hands, True)
    rows = cards_of(np.concatenate([gone, last.cards]))
    ways = Ways(table.rules, table.shoe, table.cases[case], rows, hand_of(pair, pair))
    whole = ways.to(states.removed[states.row[start]])
    primes = enough(whole)
    moduli = np.array(primes)
    ends = ways.ends(primes)
    both = together(
        which, ends.reshape(len(rows), -1), last.orders, kind, numbered, len(i), moduli
    ).reshape(len(i), *ends.shape[1:])  # fmt: skip
    one = ends[len(gone) :] * last.orders[:, None, None]
    # twice each kind, once for either hand: what is not met by another kind is met by a bust
    with_bust = 2 * (np.add.reduceat(one, first) % moduli[:, None])
    np.subtract.at(with_bust, i, both)
    np.subtract.at(with_bust, j, both)

    lost = counted.plain[0][0]
    wins = tables_of([counted])[0, kinds]
    won = np.concatenate([wins[i] + wins[j], lost + wins])
    nets = np.unique(np.append(won, 2 * lost))
    sums = np.zeros((len(nets), len(primes)), dtype=np.int64)
    met = np.concatenate([both, with_bust]) % moduli[:, None]
    np.add.at(sums, np.searchsorted(nets, won), met.swapaxes(1, 2))
    rest = np.array([whole % prime for prime in primes]) - sums.sum(axis=0)
    sums[np.searchsorted(nets, 2 * lost)] += rest
    residues = dict(zip(primes, sums.T.tolist(), strict=True))
    numbers = from_residues(residues.__getitem__, [whole] * len(nets), check=False)
    return {
        bets: Fraction(often, whole)
        for bets, often in zip(nets.tolist(), numbers, strict=True)
        if often
    }


@dataclass(frozen=True, slots=True)
class Distribution:
    """The round by its result, exact."""

    #: without splits: outcome, net in bets and probability
    outcomes: dict[str, tuple[Fraction, Fraction]]
    split: Fraction
    #: net in bets and probability, all rounds
    nets: dict[Fraction, Fraction]
    edge: Fraction
    staked: Fraction


#: how a round ends without a split or a blackjack: name, net of the bet, doubled or not
ENDS = (
    ("win", 1, False), ("push", 0, False), ("lose", -1, False),
    ("doubled_win", 2, True), ("doubled_push", 0, True), ("doubled_lose", -2, True),
)  # fmt: skip


def counts(rules: Variant) -> list[Counted]:
    """What `distribution` needs to know of the rounds."""
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
    outcomes = {
        "blackjack": (rules.blackjack_pays, alone),
        "dealer_blackjack": (Fraction(-1), dealer),
        "both_blackjack": (Fraction(0), both),
    }
    for (name, bets, _), chance in zip(ENDS, ends, strict=True):
        outcomes[name] = (Fraction(bets), chance)
    nets: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    for won, chance in outcomes.values():
        nets[won] += chance
    for deal in table.deals:
        if deal.pair >= 0 and play.hands[deal.pair, deal.case]:
            share = Fraction(deal.ways, table.ways)
            for bets, chance in split_results(play, deal.pair, deal.case).items():
                nets[Fraction(bets)] += share * chance
    if sum(nets.values()) != 1 or sum(won * chance for won, chance in nets.items()) != value:
        raise ArithmeticError("the results of a round do not add up to the value of the bet")
    return Distribution(outcomes, split, dict(sorted(nets.items())), -value, stake)
