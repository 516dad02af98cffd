"""Saigon 5 Card simulated: the simulation part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from houseway.law import Rules
from houseway.money import Cents
from houseway.simulate.game import SimulationGame

if TYPE_CHECKING:
    from houseway.simulate.kernels.kernel import Kernel
    from houseway.simulate.plan import Plan
    from houseway.simulate.prepared import Playing
    from houseway.simulate.results.exact import Exact, Ways


class SaigonSimulation(SimulationGame):
    """Five cards set as three and two."""

    strategies = ("optimal", "as_the_dealer", "avoid_five")

    def strategy(self, rules: Rules, name: str, /) -> Any:
        from houseway.games.saigon.simulation.strategies import strategy

        return strategy(rules, name)

    def kernel(
        self,
        plan: Plan,
        rules: Rules,
        strategy: Any,
        *,
        round_by_round: bool,  # noqa: ARG002
    ) -> Kernel:
        from houseway.games.saigon.simulation.kernel import kernel

        return kernel(plan, rules, strategy)

    def decisions(self, rules: Rules, /) -> Mapping[str, Any]:
        """Return a point count to set; a hand that cannot have it is set the best way."""
        from houseway.games.saigon.simulation.strategies import aims

        return aims(rules)

    def exact(self, playing: Playing, position: int, wager: str, /) -> Exact | None:
        from houseway.games.saigon.simulation.exact import ante
        from houseway.simulate.results.exact import of_par_sheet

        if wager == "ante":
            return ante(playing, position)
        return of_par_sheet(playing, position, wager)

    def taken_by_limit(self, playing: Playing, stakes: Mapping[str, Cents], /) -> Ways | None:
        from houseway.games.saigon.simulation.exact import taken_by_limit

        return taken_by_limit(playing, stakes)


GAME: SimulationGame = SaigonSimulation()
