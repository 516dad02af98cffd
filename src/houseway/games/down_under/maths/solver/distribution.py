"""How a round ends: every net result with its exact probability.

After a split both hands meet the same dealer, so their results go together. They are counted over
every pair of last hands that are not bust: how many orders of cards give each pair of kinds (a
total, doubled or not) and leave each composition does not depend on chances; those follow modulo
several primes. What one hand does alone is known, so the pairs with a bust are what is missing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import perm

import numpy as np

from houseway.games.down_under.maths.solver.exact import exactly, from_residues
from houseway.games.down_under.maths.solver.game_arrays import Table
from houseway.games.down_under.maths.solver.hands import hand_of
from houseway.games.down_under.maths.solver.kernels import DOUBLE, STAND, Floats, Ints
from houseway.games.down_under.maths.solver.pair_kernels import (
    both_kinds,
    orders,
    sums_of,
    together,
)
from houseway.games.down_under.maths.solver.quantities import (
    Counted,
    net,
    splits_happen,
    staked,
    unsplit,
)
from houseway.games.down_under.maths.solver.solve import Play
from houseway.games.down_under.maths.solver.states import cards_of, hand_keys
from houseway.games.down_under.maths.solver.variant import Variant


@dataclass(frozen=True, slots=True)
class LastHands:
    """What a hand of a split can end with, a bust aside: cards, in how many orders, what it wins."""

    cards: Ints
    ways: Floats
    #: index of what it wins for each end of the dealer, all that occur
    kind: Ints
    wins: tuple[tuple[int, ...], ...]


def last_hands(play: Play, pair: int, case: int) -> LastHands:
    """Every last hand of one split hand under this play, but for those that drew once too often."""
    table, states = play.table, play.table.states
    start = states.at((pair, 1), hand_of(pair))
    policy, child = play.policy[: start + 1, case], states.child[: start + 1]
    drawn, doubled = orders(child, policy, start)
    keys = hand_keys()[states.hand[: start + 1]]
    plain, twice = net(table.rules).plain, net(table.rules).doubled
    pays = states.pays[: start + 1].tolist()
    stands = np.flatnonzero((drawn > 0) & (policy == STAND))
    last = np.flatnonzero(doubled > 0)
    # who doubles can bust too; that loses what a doubled 16 loses to a 17, whatever the dealer has
    at, card = np.nonzero((child < 0) & ((policy == DOUBLE) & (drawn > 0))[:, None])
    lines = [plain[pays[position]] for position in stands]
    lines += [twice[pays[position]] for position in last]
    lines += [(twice[0][0],) * 7] * len(at)
    wins = tuple(dict.fromkeys(lines))
    return LastHands(
        np.concatenate([keys[stands], keys[last], keys[at] + (1 << 5 * card.astype(np.int64))]),
        np.concatenate([drawn[stands], doubled[last], drawn[at]]),
        np.array([wins.index(line) for line in lines], dtype=np.int64),
        wins,
    )


class Odds:
    """Chances of cards drawn after a split in one case, modulo any prime."""

    def __init__(self, table: Table, pair: int, case: int) -> None:
        self.known = table.cases[case]
        self.alone = Table(
            table.rules, table.shoe, only_cases=(self.known,), positions=table.states
        )
        self.pair = np.array(hand_of(pair, pair))
        self.unseen = np.array(table.shoe) - self.pair - np.array(hand_of(self.known.up))
        self.hidden = self.alone.case_hole[0]
        self.holes = int(self.unseen[self.hidden > 0].sum())
        self.deck = int(self.unseen.sum()) - 1

    def denominator(self, cards: Ints) -> int:
        """A whole number that makes every chance one when these sets of cards have been drawn."""
        drawn = int((cards - self.pair).sum(axis=1).max(initial=0))
        most = drawn + self.alone.dealer.most_cards - 2
        return self.holes * perm(self.deck, min(self.deck, most))

    def met(self, cards: Ints, counts: Floats, prime: int) -> list[list[int]]:
        """How likely hands of each kind meet each end of the dealer; `counts` are orders of cards."""
        drawn = cards - self.pair
        size = int(drawn.sum(axis=1).max(initial=0))
        falling, unseen = self._chances(size, prime)
        ends = self.alone.ends(np.array(self.alone.shoe) - cards, prime)
        found = together(
            counts, ends, drawn, self.hidden, self.holes, falling, unseen, float(prime)
        )
        back = pow(self.holes, -1, prime)
        return [[int(often) * back for often in line] for line in found.tolist()]

    def _chances(self, size: int, prime: int) -> tuple[Floats, Floats]:
        """Ways to take so many of each value, and one over the ways to take so many cards of all."""
        falling = np.ones((10, 32))
        for card, copies in enumerate(self.unseen.tolist()):
            ways = 1
            for taken in range(31):
                ways = ways * max(copies - taken, 0) % prime
                falling[card, taken + 1] = ways
        unseen = np.ones(size + 1)
        back = pow(perm(self.deck, size), -1, prime)
        for taken in range(size, 0, -1):
            unseen[taken] = back
            back = back * (self.deck - taken + 1) % prime
        return falling, unseen


def split_results(play: Play, pair: int, case: int) -> dict[int, Fraction]:
    """How likely both hands of a split win so many bets together, in one case, exactly."""
    last = last_hands(play, pair, case)
    kinds = [(i, j) for i in range(len(last.wins)) for j in range(i + 1)]
    numbered = np.zeros((len(last.wins), len(last.wins)), dtype=np.int64)
    for number, (i, j) in enumerate(kinds):
        numbered[i, j] = numbered[j, i] = number
    gone, which = sums_of(last.cards, last.cards, True)
    both = both_kinds(which, len(gone), last.ways, last.kind, numbered, len(kinds))
    assert both.max(initial=0) < 2**42  # so that they are residues, and were never rounded
    pairs = cards_of(gone)
    # one hand alone, the other card of the pair lying beside it
    singles = cards_of(last.cards) + np.array(hand_of(pair))
    one = np.zeros((len(last.cards), len(last.wins)))
    one[np.arange(len(last.cards)), last.kind] = last.ways

    odds = Odds(play.table, pair, case)
    denominator = odds.denominator(pairs)
    lost = net(play.table.rules).plain[0][0]
    nets = sorted(
        {2 * lost}
        | {lost + won for line in last.wins for won in line}
        | {a + b for i, j in kinds for a, b in zip(last.wins[i], last.wins[j], strict=True)}
    )

    def residues(prime: int) -> list[int]:
        sums = dict.fromkeys(nets, 0)
        # twice each kind, once for either hand: what is not met by another kind is met by a bust
        with_bust = [[2 * often for often in line] for line in odds.met(singles, one, prime)]
        for (i, j), line in zip(kinds, odds.met(pairs, both, prime), strict=True):
            for end, often in enumerate(line):
                with_bust[i][end] -= often
                with_bust[j][end] -= often
                sums[last.wins[i][end] + last.wins[j][end]] += often
        for line, wins in zip(with_bust, last.wins, strict=True):
            for often, won in zip(line, wins, strict=True):
                sums[lost + won] += often
        sums[2 * lost] += 1 - sum(sums.values())
        return [often * denominator % prime for often in sums.values()]

    wholes = from_residues(residues, [denominator] * len(nets), check=False)
    return {
        won: Fraction(ways, denominator) for won, ways in zip(nets, wholes, strict=True) if ways
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
