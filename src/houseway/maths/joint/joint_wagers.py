"""The joint edge and deviation of all wagers of one seat, for a PAR sheet."""

from __future__ import annotations

from collections.abc import Mapping

from houseway.law import Chapter, Rules, choose
from houseway.maths.game import MATHS
from houseway.maths.joint.at_stakes import JointPlay, stakes_by_entry
from houseway.maths.joint.covariance import Together, together
from houseway.maths.joint.limited import payout_limit
from houseway.maths.par import Asked, base_wager
from houseway.money import Cents


def everything(law: Chapter) -> Rules:
    """Rules under which every wager is offered, each with the first of its tables."""
    offered = {}
    for wager in law.about.wagers:
        if wager.option:
            choices = law.options[wager.option].choices
            offered[wager.option] = next(c.value for c in choices if c.value not in ("none", False))
    return choose(law, offered)


def played_at_stakes(asked: Asked, stakes: Mapping[str, Cents]) -> JointPlay:
    """Wagers of one seat at these stakes, by wager or entry."""
    rules = asked.rules or everything(asked.law)
    by_entry = stakes_by_entry(rules, stakes)
    return MATHS.of(asked.law).joint_play(rules, by_entry, asked.meters)


def taken_together(asked: Asked) -> tuple[Together | None, dict[str, str], list[str]]:
    """The joint figures, which table each wager has in them, and what is left out and why."""
    rules = asked.rules or everything(asked.law)
    game = MATHS.of(asked.law)
    models, tables = game.models(rules, asked.meters)
    whole = together(models) if len(models) > 1 else None
    if whole is not None and payout_limit(rules) is not None:
        whole = game.limited(rules, {name: _stake(asked, name) for name in tables})
    return whole, dict(tables), game.left_out(rules)


def _stake(asked: Asked, entry: str) -> Cents:
    """What is wagered where it matters: as asked, the table's maximum, its minimum, or $100."""
    if asked.stakes:
        return asked.stakes[0]
    wager = base_wager(asked.law, entry)
    limit = asked.rules.limits.get(wager.id) if asked.rules is not None and wager else None
    return (limit.max or limit.min if limit else None) or 10_000
