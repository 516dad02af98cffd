"""Rounds by the million: compiled kernels, runs on many machines, and tests of random sources.

The package can be called: `houseway.simulate(chapter, rounds=1_000_000)`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from houseway.arguments import checked
from houseway.extras import naming_extras
from houseway.law import Rules, choose
from houseway.shown import HasFigures, ShownAsPage


class Simulation(dict[str, Any], ShownAsPage, HasFigures):
    """What a run says, as `simulate --json` writes it."""


class _Simulate(ModuleType):
    """The package, which runs a simulation when it is called."""

    @checked
    @naming_extras()
    def __call__(
        self,
        rules: Rules | str,
        rounds: int = 1_000_000,
        *,
        players: int = 1,
        wagers: Mapping[str, str] | None = None,
        strategy: str = "optimal",
        seed: int | str = 1,
    ) -> Simulation:
        """Play rounds and return the estimates beside the exact figures, as `simulate --json` does.

        `rules` may be a chapter's id, which stands for its default rules; `wagers` are amounts by
        wager, {"ante": "10.00"}, by default every wager that is offered.
        """
        from houseway.money import cents
        from houseway.simulate.plan import plan_of
        from houseway.simulate.prepared import playing
        from houseway.simulate.results.report import result_json
        from houseway.simulate.runner import run

        plan = plan_of(
            choose(rules) if isinstance(rules, str) else rules,
            players=players,
            wagers={id: cents(amount) for id, amount in (wagers or {}).items()} or None,
            strategy=strategy,
            seed=seed,
        )
        return Simulation(result_json(playing(plan.encode()), run(plan, rounds)))


sys.modules[__name__].__class__ = _Simulate
