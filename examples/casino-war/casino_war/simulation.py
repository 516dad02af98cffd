"""The simulation part of Casino War.

A strategy says for each rank, from the two to the ace, whether a tie with it goes to war. A function
of one's own is asked `decide(rank)` with the rank as a text, such as `"T"`; it answers `"war"` or
`"surrender"`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from casino_war.settlement import SURRENDER, WAR, is_tie
from houseway.cards import RANKS, Card
from houseway.game_api.round import Round, Seat
from houseway.law import Rules
from houseway.simulate.game import SimulationGame

if TYPE_CHECKING:
    from houseway.simulate.kernels.kernel import Kernel
    from houseway.simulate.plan import Plan
    from houseway.simulate.prepared import Playing
    from houseway.simulate.results.exact import Exact

Wars = tuple[bool, ...]


class CasinoWarSimulation(SimulationGame):
    """One card each, and a war."""

    strategies = ("optimal", "always_war", "always_surrender")

    def strategy(self, rules: Rules, name: str, /) -> Wars:
        from casino_war.maths import best_decision
        from houseway.simulate.strategies import answer, function_at, is_function, unknown

        if is_function(name):
            ask = function_at(name)
            return tuple(answer(name, ask, [WAR, SURRENDER], rank) == WAR for rank in RANKS)
        if name not in self.strategies:
            raise unknown(rules, name)
        always = best_decision(rules) if name == "optimal" else name.removeprefix("always_")
        return (always == WAR,) * len(RANKS)

    def play_round(
        self, plan: Plan, rules: Rules, strategy: Wars, draw: Callable[[], Card], /
    ) -> Round:
        """One round in plain Python, for tests of the compiled kernel."""
        firsts = [draw() for _ in plan.stakes]
        dealer = [draw()]
        decisions = [
            None if not is_tie(mine, dealer[0]) else WAR if strategy[mine.rank] else SURRENDER
            for mine in firsts
        ]
        if WAR in decisions:
            for _ in range(rules.chapter.number("war_burn_cards")):
                draw()
        hands = [
            (mine, draw()) if decision == WAR else (mine,)
            for mine, decision in zip(firsts, decisions, strict=True)
        ]
        if WAR in decisions:
            dealer.append(draw())
        seats = tuple(
            Seat(number, stakes, hand, decision)
            for number, (stakes, hand, decision) in enumerate(
                zip(plan.stakes, hands, decisions, strict=True), 1
            )
        )
        return Round(rules, tuple(dealer), seats)

    def kernel(self, plan: Plan, rules: Rules, strategy: Wars, *, round_by_round: bool) -> Kernel:
        from casino_war.kernel import kernel

        return kernel(plan, rules, strategy)

    def exact(self, playing: Playing, position: int, wager: str, /) -> Exact | None:
        from casino_war.maths import ante_spread
        from houseway.simulate.results.exact import Exact, of_par_sheet

        if wager == "ante_war":
            return Exact.of(ante_spread(playing.rules, sum(playing.strategy)))
        return of_par_sheet(playing, position, wager)


GAME: SimulationGame = CasinoWarSimulation()
