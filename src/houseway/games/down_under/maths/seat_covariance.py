"""Two seats of Down Under Blackjack: how far what they win goes together.

There is no formula for it: they are played once, and what comes of it is kept.
"""

from __future__ import annotations

from fractions import Fraction

from houseway.games.down_under.maths.figures import SOURCES, named
from houseway.games.down_under.maths.solver.variant import variant_of
from houseway.law import Rules
from houseway.law.chapter import Wager
from houseway.maths.counting.tallies import Tallies

#: rounds that two seats play; what comes of them is right to half a per cent
_ROUNDS = 400_000
_PLAYED_BY = (
    *(f"houseway.simulate.{name}" for name in ("plan", "prepared")),
    *(f"houseway.simulate.kernels.{name}" for name in ("counts", "kernel", "random_streams")),
    "houseway.games.down_under.simulation.kernel",
    "houseway.games.down_under.simulation.strategies",
)
_PLAYED = Tallies("down_under", (*SOURCES, *_PLAYED_BY))


def bets_together(rules: Rules, wager: Wager) -> Fraction:
    """The covariance of two seats' bets with all that follows from them, in units of both bets."""

    def play() -> str:
        from houseway.simulate.plan import plan_of, usual_wagers
        from houseway.simulate.results.tally import covariance
        from houseway.simulate.runner import run

        bet = usual_wagers(rules)[wager.id]
        plan = plan_of(rules, players=2, wagers={wager.id: bet}, covariance=True)
        return str(covariance(run(plan, _ROUNDS), 0, 1) / bet**2)

    return Fraction(_PLAYED.recall("bets_together", str, play, named(variant_of(rules))))
