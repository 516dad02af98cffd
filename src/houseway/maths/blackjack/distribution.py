"""How a round ends: every net result with its exact probability.

After a split both hands meet the same dealer, so their results go together. They are counted over
every pair of last hands: how many orders of cards give each pair of kinds (a total, a bust, doubled
or not) and leave each composition does not depend on chances; those follow modulo several primes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import perm

import numpy as np

from houseway.maths.blackjack.counting import Counted, net, splits_happen, staked, unsplit
from houseway.maths.blackjack.exact import exactly, from_residues
from houseway.maths.blackjack.hands import hand_of
from houseway.maths.blackjack.kernels import DOUBLE, HIT, STAND, Floats, Ints
from houseway.maths.blackjack.pair_kernels import both_kinds, orders, sums_of, together
from houseway.maths.blackjack.solve import Play
from houseway.maths.blackjack.states import cards_of, hand_keys
from houseway.maths.blackjack.table import Table
from houseway.maths.blackjack.variant import Variant


@dataclass(frozen=True, slots=True)
class LastHands:
    """What a hand of a split can end with: its cards, in how many orders, and what it wins."""

    cards: Ints
    ways: Floats
    #: index of what it wins for each end of the dealer, all that occur
    kind: Ints
    wins: tuple[tuple[int, ...], ...]


def last_hands(play: Play, pair: int, case: int) -> LastHands:
    """Every last hand of one split hand under this play."""
    table, states = play.table, play.table.states
    start = states.at((pair, 1), hand_of(pair))
    policy, child = play.policy[: start + 1, case], states.child[: start + 1]
    drawn, doubled = orders(child, policy, start)
    keys = hand_keys()[states.hand[: start + 1]]
    one_more = keys[:, None] + (1 << 5 * np.arange(10, dtype=np.int64))
    plain, twice = net(table.rules).plain, net(table.rules).doubled
    # a bust loses what a 16 loses to a 17, whatever the dealer has
    bust, bust_twice = (plain[0][0],) * 7, (twice[0][0],) * 7
    pays = states.pays[: start + 1].tolist()
    found: list[tuple[Ints, Floats, list[tuple[int, ...]]]] = []
    for action, came, wins in ((STAND, drawn, plain), (DOUBLE, doubled, twice)):
        here = np.flatnonzero((came > 0) & ((policy == STAND) | (action == DOUBLE)))
        found.append((keys[here], came[here], [wins[pays[position]] for position in here]))
    for action, lost in ((HIT, bust), (DOUBLE, bust_twice)):
        position, card = np.nonzero((child < 0) & ((policy == action) & (drawn > 0))[:, None])
        found.append((one_more[position, card], drawn[position], [lost] * len(position)))
    lines = [line for _, _, many in found for line in many]
    wins_all = tuple(dict.fromkeys(lines))
    return LastHands(
        np.concatenate([cards for cards, _, _ in found]),
        np.concatenate([ways for _, ways, _ in found]),
        np.array([wins_all.index(line) for line in lines], dtype=np.int64),
        wins_all,
    )


def split_results(play: Play, pair: int, case: int) -> dict[int, Fraction]:
    """How likely both hands of a split win so many bets together, in one case, exactly."""
    table = play.table
    last = last_hands(play, pair, case)
    gone, which = sums_of(last.cards, last.cards, True)
    cards = cards_of(gone)
    kinds = [(i, j) for i in range(len(last.wins)) for j in range(i + 1)]
    numbered = np.zeros((len(last.wins), len(last.wins)), dtype=np.int64)
    for number, (i, j) in enumerate(kinds):
        numbered[i, j] = numbered[j, i] = number
    counts = both_kinds(which, len(gone), last.ways, last.kind, numbered, len(kinds))
    assert counts.max() < 2**42  # so that they are residues, and were never rounded

    known = table.cases[case]
    alone = Table(table.rules, table.shoe, only_cases=(known,), positions=table.states)
    removed = np.array(hand_of(pair, pair))
    unseen_cards = np.array(table.shoe) - removed - np.array(hand_of(known.up))
    drawn = cards - removed
    most_drawn = int(drawn.sum(axis=1).max())
    hidden = alone.case_hole[0]
    holes = int(unseen_cards[hidden > 0].sum())
    deck = int(unseen_cards.sum()) - 1
    longest = min(deck, most_drawn + alone.dealer.most_cards - 2)
    denominator = holes * perm(deck, longest)
    nets = sorted(
        {a + b for i, j in kinds for a, b in zip(last.wins[i], last.wins[j], strict=True)}
    )

    def residues(prime: int) -> list[int]:
        falling = np.array(
            [[perm(int(copies), k) % prime for k in range(32)] for copies in unseen_cards],
            dtype=np.float64,
        )
        one_over = np.array(
            [pow(perm(deck, k), -1, prime) for k in range(min(deck, most_drawn) + 1)]
        )
        ends = alone.ends(np.array(table.shoe) - cards, prime)
        met = together(
            counts, ends, drawn, hidden, holes, falling, one_over.astype(np.float64), float(prime)
        )
        sums = dict.fromkeys(nets, 0)
        for number, (i, j) in enumerate(kinds):
            for end in range(7):
                sums[last.wins[i][end] + last.wins[j][end]] += int(met[number, end])
        scale = denominator * pow(holes, -1, prime)
        return [often * scale % prime for often in sums.values()]

    wholes = from_residues(residues, [denominator] * len(nets), check=False)
    if sum(wholes) != denominator:
        raise ArithmeticError("the results of a split do not add up")
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
