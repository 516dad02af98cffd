"""The ante of Saigon 5 Card: how to set every hand, and its expected result.

A player or a dealer either does not qualify or shows a point count. What the game pays when two of
those eleven states meet is asked of the game itself; which state to set, where a hand leaves a
choice, is found by comparing what each brings against all dealer's hands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from math import comb, lcm
from operator import mul

import msgspec

from houseway.games.saigon.hands import Setting
from houseway.games.saigon.maths import tallies
from houseway.games.saigon.settlement import settle_ante
from houseway.law import Rules
from houseway.maths.figures import Spread

DEALER_HANDS = comb(48, 5)
DEALS = comb(53, 5) * DEALER_HANDS

#: States: does not qualify, then a point count of 1 to 10.
STATES = range(11)


class Payoffs(msgspec.Struct, frozen=True, dict=True):
    """What the game pays, in units of the ante: a line for the player's state, a place for the
    dealer's.
    """

    nets: tuple[tuple[Fraction, ...], ...]

    @cached_property
    def part(self) -> int:
        """How many parts of the ante make it, that all payoffs are whole numbers of."""
        return lcm(*(net.denominator for line in self.nets for net in line))

    @cached_property
    def whole(self) -> tuple[tuple[int, ...], ...]:
        """The payoffs in such parts."""
        return tuple(tuple(int(net * self.part) for net in line) for line in self.nets)


def payoffs(rules: Rules, most: Fraction | None = None) -> Payoffs:
    """Ask the game what it pays when two states meet; a payout limit leaves at most `most` antes."""
    stake = 100 * lcm(*(p.odds.value.denominator for p in rules.table("ante").pays.values()))

    def setting(state: int) -> Setting:
        return Setting((), (), state > 0, state)

    return Payoffs(
        tuple(
            tuple(
                net if most is None else min(net, most)
                for dealer in STATES
                for net in [
                    Fraction(settle_ante(rules, stake, setting(mine), setting(dealer)).net, stake)
                ]
            )
            for mine in STATES
        )
    )


class Settings(msgspec.Struct, frozen=True, dict=True):
    """The state that each kind of hand is set to."""

    pays: Payoffs
    state: tuple[int, ...]

    @cached_property
    def spread(self) -> Spread:
        tally = tallies.kinds()
        met = [[0] * len(STATES) for _ in STATES]
        for state, times, dealer in zip(self.state, tally.ways, tally.dealer, strict=True):
            line = met[state]
            for other, count in enumerate(dealer):
                line[other] += times * count
        ways: dict[Fraction, int] = {}
        for nets, counts in zip(self.pays.nets, met, strict=True):
            for net, count in zip(nets, counts, strict=True):
                if count:
                    ways[net] = ways.get(net, 0) + count
        return Spread(ways, DEALS)

    @cached_property
    def outcomes(self) -> dict[str, int]:
        """Deals by who qualifies and who is higher."""
        tally = tallies.kinds()
        found = dict.fromkeys(
            ("win", "win_with_5", "push", "lose", "neither_qualifies", "dealer_alone_qualifies"), 0
        )
        for state, times, dealer in zip(self.state, tally.ways, tally.dealer, strict=True):
            if state == 0:
                found["neither_qualifies"] += times * dealer[0]
                found["dealer_alone_qualifies"] += times * sum(dealer[1:])
            else:
                found["win_with_5" if state == 5 else "win"] += times * sum(dealer[:state])
                found["push"] += times * dealer[state]
                found["lose"] += times * sum(dealer[state + 1 :])
        return found


def sumprod(first: Sequence[int], second: Sequence[int]) -> int:
    return sum(map(mul, first, second))


def settings(
    pays: Payoffs, choose: Callable[[Sequence[int], Sequence[int]], int] | None = None
) -> Settings:
    """The best setting of every kind of hand, or the one that `choose` picks among its counts."""
    tally = tallies.kinds()
    whole = pays.whole
    states = []
    for counts, dealer in zip(tally.counts, tally.dealer, strict=True):
        if len(counts) < 2:
            states.append(counts[0] if counts else 0)
        elif choose is not None:
            states.append(choose(counts, dealer))
        else:
            brings = [sumprod(whole[state], dealer) for state in counts]
            states.append(counts[brings.index(max(brings))])  # of equals the highest count
    return Settings(pays, tuple(states))


def avoid_five(counts: Sequence[int], dealer: Sequence[int]) -> int:
    """The highest count that is not 5, wherever there is one."""
    del dealer
    return next((count for count in counts if count != 5), counts[0])


def highest(counts: Sequence[int], dealer: Sequence[int]) -> int:
    """The highest count, as the dealer sets."""
    del dealer
    return counts[0]


def hands_with_a_choice(between: tuple[int, ...] | None = None) -> int:
    """Hands whose qualifying settings differ in point count; or that can be both of these."""
    tally = tallies.kinds()
    return sum(
        ways
        for counts, ways in zip(tally.counts, tally.ways, strict=True)
        if len(counts) > 1 and (between is None or set(between) <= set(counts))
    )
