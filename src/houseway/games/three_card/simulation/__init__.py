"""Three-card games simulated: the simulation part of all variants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from houseway.errors import Refused
from houseway.games.three_card.massachusetts import check_coupons
from houseway.law import Rules
from houseway.money import Cents
from houseway.simulate.game import Positions, SimulationGame

if TYPE_CHECKING:
    from houseway.simulate.kernels.kernel import Kernel
    from houseway.simulate.plan import Plan
    from houseway.simulate.prepared import Playing
    from houseway.simulate.results.exact import Exact, Ways


class ThreeCardSimulation(SimulationGame):
    """Maryland's and Massachusetts' Three Card Poker and Three Card Prime."""

    strategies = ("optimal", "always_play", "play_any_queen", "mimic_the_dealer")

    def strategy(self, rules: Rules, name: str, /) -> Any:
        from houseway.games.three_card.simulation.strategies import strategy

        return strategy(rules, name)

    def kernel(self, plan: Plan, rules: Rules, strategy: Any, *, round_by_round: bool) -> Kernel:
        from houseway.games.three_card.simulation.prepare import kernel

        return kernel(plan, rules, strategy, round_by_round)

    def decisions(self, rules: Rules, /) -> Mapping[str, Any]:
        """Return play and fold; the electronic version has a decision for each of its hands."""
        if rules.options.get("electronic", False):
            return {}
        return {"play": lambda _hand: "play", "fold": lambda _hand: "fold"}

    def positions(self, rules: Rules, stakes: list[dict[str, Cents]], /) -> Positions:
        """Return a hand for each player; in the electronic version all three common hands."""
        if not rules.options.get("electronic", False):
            return super().positions(rules, stakes)
        if any("five_card_progressive" in seat for seat in stakes):
            raise Refused(
                "wager_not_offered",
                "the electronic version has no community cards for a five-card hand",
                clause=rules.chapter.options["electronic"].clause,
                field="wagers.five_card_progressive",
            )
        hands = range(3)
        return Positions(
            [seat for seat in stakes for _ in hands],
            [owner for owner in range(len(stakes)) for _ in hands],
            [hand for _ in stakes for hand in hands],
        )

    def check_coupon(
        self, rules: Rules, stakes: Sequence[Mapping[str, Cents]], coupon: Mapping[str, Cents], /
    ) -> None:
        if "coupon" not in rules.chapter.bonuses:
            super().check_coupon(rules, stakes, coupon)
        for number, seat in enumerate(stakes, 1):
            try:
                check_coupons(rules, seat, coupon)
            except Refused as refusal:
                raise refusal.at(seat=number) from None

    def stake_of(self, playing: Playing, position: int, wager: str, /) -> Cents:
        plan = playing.plan
        if wager == "coupon":
            return sum(plan.coupons[position].values())
        if wager == "five_card_envy":
            return plan.stakes[position].get("five_card_progressive", 0)
        return super().stake_of(playing, position, wager)

    def exact(self, playing: Playing, position: int, wager: str, /) -> Exact | None:
        from houseway.games.three_card.simulation.exact import exact

        return exact(playing, position, wager)

    def taken_by_limit(self, playing: Playing, stakes: Mapping[str, Cents], /) -> Ways | None:
        from houseway.games.three_card.simulation.limit import taken

        return taken(playing, stakes)


GAME: SimulationGame = ThreeCardSimulation()
