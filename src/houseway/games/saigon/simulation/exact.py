"""Saigon 5 Card exactly, as it is set: every deal by what its ante and its Bonus come to.

A hand is one of some thousand sets of ranks, and how it is set depends on those alone; its Bonus
depends on whether it is a flush besides. What the dealer may hold beside it depends on the values of
its cards. So all deals are counted by classes, for any strategy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb, prod

from houseway.cards import JOKER
from houseway.games.saigon.maths import tallies
from houseway.games.saigon.maths.ante import DEALS, STATES
from houseway.games.saigon.simulation.kernel import SETTINGS, Table, sets
from houseway.games.saigon.simulation.strategies import card_values
from houseway.maths.figures import Spread
from houseway.money import Cents
from houseway.simulate.kernels.kernel import CompiledKernel
from houseway.simulate.prepared import Playing, playing
from houseway.simulate.results.exact import Exact, Ways


def ante(game: Playing, position: int) -> Exact:
    """The ante under the strategy that is played."""
    net, stake = game.net[position, 0].tolist(), game.plan.stakes[position]["ante"]
    ways: dict[Fraction, int] = {}
    for (code, _), count in deals(game.plan.encode()).items():
        came = Fraction(net[code], stake)
        ways[came] = ways.get(came, 0) + count
    return Exact.of(Spread(ways, DEALS))


def taken_by_limit(game: Playing, stakes: Mapping[str, Cents]) -> Ways:
    """What the payout limit takes: the ante and the Bonus together, over the limit."""
    table = _table(game)
    position = game.plan.stakes.index(dict(stakes))
    ante, bonus = table.limited[position].tolist()
    ways: Counter[int] = Counter()
    for (first, second), count in deals(game.plan.encode()).items():
        ways[max(0, ante[first] + bonus[second] - table.limit)] += count
    return ways, DEALS


def _table(game: Playing) -> Table:
    assert isinstance(game.kernel, CompiledKernel)
    assert isinstance(game.kernel.table, Table)
    return game.kernel.table


@lru_cache(maxsize=16)
def deals(encoded: bytes) -> dict[tuple[int, int], int]:
    """How many of all deals come to a code of the ante with a code of the Bonus."""
    game = playing(encoded)
    worth, table = card_values(game.rules), _table(game)
    kinds = tallies.kinds()
    number_of = {tuple(values): number for number, values in enumerate(kinds.values)}
    hands: Counter[tuple[int, int, int]] = Counter()
    for key, hand in sets():
        ranks = Counter(card >> 2 for card in hand if card != JOKER)
        every = prod(comb(4, count) for count in ranks.values())
        # the joker is of the suit of the others
        flushes = 4 if len(ranks) + (JOKER in hand) == len(hand) else 0
        kind = number_of[tuple(sorted(worth[card] for card in hand))]
        bonus, state = divmod(int(table.mine[key]), 16)
        hands[kind, state, bonus] += every - flushes
        hands[kind, state, int(table.flushes[key])] += flushes
    found: Counter[tuple[int, int]] = Counter()
    for (kind, state, bonus), count in hands.items():
        for dealer in STATES:
            found[state * SETTINGS + dealer, bonus] += count * kinds.dealer[kind][dealer]
    return {met: count for met, count in found.items() if count}
