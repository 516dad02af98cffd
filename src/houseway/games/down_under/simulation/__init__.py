"""Down Under Blackjack simulated: the simulation part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec

from houseway.errors import Refused
from houseway.law import Rules
from houseway.money import Cents
from houseway.simulate.game import SimulationGame

if TYPE_CHECKING:
    from houseway.simulate.kernels.decision_kernel import DecisionKernel
    from houseway.simulate.kernels.kernel import Kernel
    from houseway.simulate.plan import Plan
    from houseway.simulate.prepared import Playing
    from houseway.simulate.results.exact import Exact


class DownUnderSimulation(SimulationGame):
    """Blackjack with a hint of the hole card, from a shoe that lasts for many rounds."""

    strategies = ("optimal", "chart", "mimic_the_dealer", "never_bust")

    def strategy(self, rules: Rules, name: str, /) -> Any:
        from houseway.games.down_under.simulation.strategies import strategy

        return strategy(rules, name)

    def kernel(
        self,
        plan: Plan,
        rules: Rules,
        strategy: Any,
        *,
        round_by_round: bool,  # noqa: ARG002
    ) -> Kernel:
        from houseway.games.down_under.simulation.kernel import kernel

        return kernel(plan, rules, strategy)

    def decision_kernel(
        self,
        rules: Rules,
        wagers: Mapping[str, Cents],
        seats: int,
        moves: Sequence[str],
        hints: Sequence[str],
        /,
    ) -> DecisionKernel | None:
        from houseway.games.down_under.simulation.decisions import DownUnderSeats

        return DownUnderSeats(rules, wagers, seats, moves, hints)

    def check_insures(self, rules: Rules, /) -> None:
        """Insurance is open to everybody."""

    def check_cover(self, rules: Rules, cover: int, /) -> None:
        from houseway.games.down_under.simulation.kernel import cover_most

        most = cover_most(rules)
        if not 0 <= cover <= most:
            raise Refused(
                "cover_card_too_deep",
                f"at most {most} cards lie before the cover card, not {cover}",
                clause=rules.chapter.fact("cover_card_least").clause,
                field="cover",
            )

    def stake_of(self, playing: Playing, position: int, wager: str, /) -> Cents:
        if wager == "insurance":
            return playing.plan.stakes[position]["bet"] // 2
        return super().stake_of(playing, position, wager)

    def made_in(self, playing: Playing, wager: str, /) -> Fraction:
        from houseway.games.down_under.simulation.exact import insured_in

        return insured_in(playing) if wager == "insurance" else Fraction(1)

    def needed(self, playing: Playing, /) -> Cents:
        """Return the wagers themselves: nobody has to double or split."""
        return sum(playing.plan.stakes[0].values())

    def exact(self, playing: Playing, position: int, wager: str, /) -> Exact | None:
        from houseway.games.down_under.simulation.exact import exact

        return exact(playing, position, wager)

    def fresh_plan(self, playing: Playing, /) -> Plan | None:
        """Return the plan with fresh shoes: mathematics knows their composition alone."""
        from houseway.games.down_under.simulation.exact import cover_of

        if not cover_of(playing):
            return None
        plan = playing.plan
        return msgspec.structs.replace(plan, cover=0, seed=f"{plan.seed} fresh")


GAME: SimulationGame = DownUnderSimulation()
