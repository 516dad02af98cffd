"""Every split of a game, played with memory of its first hand."""

from __future__ import annotations

from collections.abc import Iterator

from houseway.games.down_under.maths.solver.hands import ACE
from houseway.games.down_under.maths.solver.solve import Play
from houseway.games.down_under.maths.solver.split_memory import MARGIN, Remembered, remembered


def all_remembered(play: Play, margin: float = MARGIN) -> Iterator[Remembered]:
    """Every split that is made, or might be with memory. Aces get one card: nothing to decide."""
    table = play.table
    for deal in table.deals:
        if deal.pair < 0 or (deal.pair == ACE and table.rules.split_aces == "one_card"):
            continue
        if play.splits[deal.pair, deal.case, 0] >= play.by_itself(deal) - margin:
            yield remembered(play, deal.pair, deal.case, margin)
