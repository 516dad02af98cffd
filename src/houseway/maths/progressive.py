"""Progressive wagers: what they return for sure, what their meters add, and when that is enough.

A share of a meter is what the player receives, the stake having been dropped before the deal, as
with "for". So of one unit wagered the house keeps 1 - fixed return - (chance x share x meter) /
stake, and the wager breaks even where that is nothing. In the long run a meter pays what is put
into it: the rate of progression from every wager, and the reset amount each time it is won whole.

An envy bonus belongs to the fixed return; it grows with the number of other players.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property

import msgspec

from houseway.game_api.payouts import best_pay
from houseway.law import Paytable
from houseway.maths.figures import Spread
from houseway.maths.wagers import LOSES, Outcomes, beside
from houseway.money import Cents, Odds


class Hit(msgspec.Struct, frozen=True, dict=True):
    """One row of a paytable that pays a share of a meter."""

    outcome: str
    probability: Fraction
    share: Fraction


class Progressive(msgspec.Struct, frozen=True, dict=True):
    """A progressive wager at one stake, with this number of other players."""

    wager: str
    table: Paytable
    stake: Cents
    outcomes: Outcomes
    others: int = 0
    envy: Paytable | None = None
    #: the hands of another player that bring envy; those of `outcomes` where nothing is given
    envied: Outcomes | None = None

    @cached_property
    def hits(self) -> Mapping[str, tuple[Hit, ...]]:
        """The rows that pay a share of a meter, by meter."""
        found: dict[str, tuple[Hit, ...]] = {}
        for names, ways in self.outcomes.rows:
            pay = best_pay(self.table, names)
            if pay is not None and pay.odds.kind == "meter":
                name = meter_name(self.wager, pay.odds)
                hit = Hit(pay.hand, Fraction(ways, self.outcomes.total), pay.odds.value)
                found[name] = (*found.get(name, ()), hit)
        return found

    @cached_property
    def own_return(self) -> Fraction:
        """What of one unit comes back for sure, without the envy of others' hands."""
        total = Fraction(0)
        for names, ways in self.outcomes.rows:
            pay = best_pay(self.table, names)
            if pay is not None and pay.odds.kind != "meter":
                total += ways * (1 + beside(pay.odds, self.stake))
        return total / self.outcomes.total

    @cached_property
    def fixed_return(self) -> Fraction:
        """The same with envy."""
        return self.own_return + self.envy_return

    @property
    def envy_return(self) -> Fraction:
        """What the hands of all other players bring in envy."""
        return self.others * self.envy_moment()

    def envy_moment(self, power: int = 1) -> Fraction:
        """What one other player's hand brings in envy, in units of the stake, or its square."""
        if self.envy is None:
            return Fraction(0)
        hands = self.envied or self.outcomes
        total = Fraction(0)
        for names, ways in hands.rows:
            found = best_pay(self.envy, names)
            if found is not None:
                amount = found.odds.value / self.stake
                total += Fraction(ways, hands.total) * amount**power
        return total

    def expected_share(self, meter: str) -> Fraction:
        """What part of the meter a wager brings on average."""
        return self._shares[meter]

    @cached_property
    def _shares(self) -> Mapping[str, Fraction]:
        return {
            name: sum((hit.probability * hit.share for hit in hits), Fraction(0))
            for name, hits in self.hits.items()
        }

    def chance(self, meter: str) -> Fraction:
        """How often the meter pays anything."""
        return sum((hit.probability for hit in self.hits[meter]), Fraction(0))

    def edge(self, meters: Mapping[str, Cents]) -> Fraction:
        """The house edge while the meters show these amounts."""
        paid = sum((self.expected_share(name) * meters[name] for name in self.hits), Fraction(0))
        return 1 - self.fixed_return - paid / self.stake

    def break_even(self, meter: str, meters: Mapping[str, Cents]) -> Fraction:
        """The amount in cents at which the wager is fair, the other meters showing theirs."""
        others = {**meters, meter: 0}
        return max(self.edge(others), Fraction(0)) * self.stake / self.expected_share(meter)

    def long_run(self, rates: Mapping[str, Fraction], resets: Mapping[str, Cents]) -> Fraction:
        """The long-run return: fixed, and what the meters take in and are started again with."""
        taken = sum((rates[name] for name in self.hits), Fraction(0))
        begun = sum(
            (
                hit.probability * resets[name]
                for name, hits in self.hits.items()
                for hit in hits
                if hit.share == 1
            ),
            Fraction(0),
        )
        return self.fixed_return + taken + begun / self.stake

    def spread(self, meters: Mapping[str, Cents]) -> Spread:
        """Net results while the meters show these amounts, without any envy."""
        ways: dict[Fraction, int] = {}
        for names, count in self.outcomes.rows:
            net = self.net(names, meters)
            ways[net] = ways.get(net, 0) + count
        return Spread(ways, self.outcomes.total)

    def net(self, names: tuple[str, ...], meters: Mapping[str, Cents]) -> Fraction:
        """The net result of one outcome, in units of the stake."""
        found = best_pay(self.table, names)
        if found is None:
            return LOSES
        if found.odds.kind == "meter":
            amount = found.odds.value * meters[meter_name(self.wager, found.odds)]
            return amount / self.stake - 1
        return beside(found.odds, self.stake)

    def spread_with_envy(self, meters: Mapping[str, Cents]) -> Spread:
        """The same with the envy bonus, where a game counts the hands of several players together.

        Where it does not, the envy bonus is in the edge, and not in the spread.
        """
        return self.spread(meters)

    def variance(self, meters: Mapping[str, Cents]) -> Fraction:
        """The variance with envy; hands of others are taken as independent of the player's."""
        alone = self.spread(meters).variance
        return alone + self.others * (self.envy_moment(2) - self.envy_moment() ** 2)

    def variance_in_round(self, meters: Mapping[str, Cents]) -> Fraction:
        """What this wager adds at most to the variance of all such wagers in the round."""
        return self.variance(meters)


def meter_name(wager: str, odds: Odds) -> str:
    """The meter that a share is taken from, as `Rules.meter_name` has it."""
    return wager if odds.meter == "meter" else f"{wager}.{odds.meter}"
