"""The joint edge and deviation of all wagers of one seat, for a PAR sheet."""

from __future__ import annotations

from houseway.law import Chapter, Rules, choose
from houseway.maths.covariance import Together, together
from houseway.maths.game import MATHS
from houseway.maths.par import Asked


def everything(law: Chapter) -> Rules:
    """Rules under which every wager is offered, each with the first of its tables."""
    offered = {}
    for wager in law.about.wagers:
        if wager.option:
            choices = law.options[wager.option].choices
            offered[wager.option] = next(c.value for c in choices if c.value not in ("none", False))
    return choose(law, offered)


def taken_together(asked: Asked) -> tuple[Together | None, dict[str, str], list[str]]:
    """The joint figures, which table each wager has in them, and what is left out and why."""
    rules = asked.rules or everything(asked.law)
    game = MATHS.of(asked.law)
    models, tables = game.models(rules, asked.meters)
    whole = together(models) if len(models) > 1 else None
    return whole, dict(tables), game.left_out(rules)
