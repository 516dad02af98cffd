"""What each card that leaves the shoe does to the bet: the figures that card counters live by."""

from __future__ import annotations

from fractions import Fraction

from houseway.games.down_under.maths.solver.exact import exact_value
from houseway.games.down_under.maths.solver.solve import solve
from houseway.games.down_under.maths.solver.variant import Variant


def bet_removed(rules: Variant) -> list[Fraction]:
    """How the value of the bet at its best play changes when one card of each value is gone."""
    whole = exact_value(solve(rules))
    changes = []
    for card in range(10):
        less = tuple(n - (value == card) for value, n in enumerate(rules.shoe))
        changes.append(exact_value(solve(rules, less)) - whole)
    return changes
