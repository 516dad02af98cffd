"""Wagers of one seat at chosen stakes: what a round brings, and the best play of them all.

A decision may touch more than the wager that it is made for: a fold forfeits others as well. The
best play of each wager alone is then not the best of all together, and `JointPlay` has both.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from houseway.errors import Refused, choose_from
from houseway.law import Rules
from houseway.maths.figures import decimal, exact, percent, root
from houseway.maths.joint.covariance import Together, together
from houseway.maths.joint.limited import payout_limit
from houseway.maths.sheet import PlayedOut, StakesOut, StrategyOut
from houseway.money import Cents, dollars


class Played(msgspec.Struct, frozen=True, dict=True):
    """One way to play: the covariance of the wagers, and its rule where there is one."""

    whole: Together
    says: str
    strategy: StrategyOut | None = None

    def mean(self, stakes: Mapping[str, Cents]) -> Fraction:
        """What a round brings on average, in cents."""
        return sum((stakes[name] * mean for name, mean in self.whole.means.items()), Fraction(0))

    def out(self, stakes: Mapping[str, Cents]) -> PlayedOut:
        loss = -self.mean(stakes)
        edge = loss / sum(stakes.values())
        variance = sum(
            (stakes[name] ** 2 * value for name, value in self.whole.variances.items()), Fraction(0)
        )
        for (first, second), value in self.whole.covariances.items():
            variance += 2 * stakes[first] * stakes[second] * value
        return PlayedOut(
            self.says,
            exact(loss / 100),
            decimal(loss / 100, 4),
            exact(edge),
            percent(edge),
            root(variance / 10_000, 2),
            {name: exact(-mean) for name, mean in self.whole.means.items()},
            self.strategy,
        )


class JointPlay(msgspec.Struct, frozen=True, dict=True):
    """Wagers at some stakes: each by its own best strategy, and the best of all together."""

    #: by entry of the sheet, in cents
    stakes: Mapping[str, Cents]
    separately: Played
    #: None where no decision touches more than one of them
    jointly: Played | None = None
    #: the wagers that a decision about another one touches
    touched: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def out(self) -> StakesOut:
        found = StakesOut(
            {name: dollars(stake) for name, stake in self.stakes.items()},
            dollars(sum(self.stakes.values())),
            self.separately.out(self.stakes),
            notes=list(self.notes),
        )
        if self.jointly is None:
            return found
        gain = self.jointly.mean(self.stakes) - self.separately.mean(self.stakes)
        return msgspec.structs.replace(
            found,
            jointly=self.jointly.out(self.stakes),
            gain=exact(gain / 100),
            gain_dollars=decimal(gain / 100, 4),
            gain_percent={name: percent(gain / self.stakes[name]) for name in self.touched},
        )


def stakes_by_entry(rules: Rules, stakes: Mapping[str, Cents]) -> dict[str, Cents]:
    """Stakes by entry of the sheet, checked: every wager is offered, and the first one is made."""
    law = rules.chapter
    offered = [
        wager
        for wager in law.about.wagers
        if wager.made == "before_deal" and rules.offers(wager.id)
    ]
    names = {wager.id: wager.entry for wager in offered}
    for name, stake in stakes.items():
        if name not in names and name not in names.values():
            raise Refused(
                "no_such_wager",
                f"{name} is not wagered before the deal here",
                remedy=choose_from(name, names),
                field="stakes",
            )
        if stake <= 0:
            raise Refused("no_wager", "the stake must be greater than zero", field=f"stakes.{name}")
    found = {names.get(name, name): stake for name, stake in stakes.items()}
    if offered[0].entry not in found:
        raise Refused(
            "no_wager", f"a stake on {offered[0].id} is needed", field=f"stakes.{offered[0].id}"
        )
    return found


#: said of figures at stakes that a payout limit may cut
LIMITED = "Cut by the payout limit, which counts all wagers of a player in the order of settlement."


def by_unit_models(
    rules: Rules, stakes: Mapping[str, Cents], meters: Mapping[str, Cents]
) -> JointPlay:
    """Wagers that no common decision touches, and that pay odds whatever is staked."""
    from houseway.maths.game import MATHS

    known, law = MATHS.of(rules.chapter).models(rules, meters)[0], rules.chapter
    models = {law.wagers[n].entry if n in law.wagers else n: model for n, model in known.items()}
    for name in stakes:
        if name not in models:
            raise Refused(
                "no_figures", f"there are no joint figures with {name}", field=f"stakes.{name}"
            )
    whole = together({name: model for name, model in models.items() if name in stakes})
    notes = ["No decision about one of these wagers touches another."]
    if payout_limit(rules) is not None:
        whole = MATHS.of(rules.chapter).limited(rules, stakes) or whole
        notes.append(LIMITED)
    return JointPlay(
        stakes, Played(whole, "each wager by its own best strategy"), notes=tuple(notes)
    )
