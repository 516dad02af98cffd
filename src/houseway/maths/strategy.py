"""The optimal strategy of a chapter or of a table's rules: `houseway.strategy`."""

from __future__ import annotations

from houseway.arguments import checked
from houseway.extras import naming_extras
from houseway.law import Rules, choose
from houseway.maths.game import MATHS
from houseway.maths.strategy_view import StrategyView


@naming_extras()
@checked
def strategy(rules: Rules | str) -> StrategyView:
    """Return the best way to play the main wager: in words, as a picture, and what others cost.

    `rules` may be a chapter's id, which stands for its default rules.
    """
    chosen = choose(rules) if isinstance(rules, str) else rules
    return MATHS.of(chosen.chapter).strategy(chosen)
