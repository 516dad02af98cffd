"""What the three-card games share at the table."""

from __future__ import annotations

from collections.abc import Mapping

from houseway.games.three_card.poker_settlement import check_version
from houseway.law import Rules
from houseway.money import Cents
from houseway.table.game import TableGame


class ThreeCardTable(TableGame):
    """An ante, three cards, and play or fold."""

    def check_wagers(self, rules: Rules, wagers: Mapping[str, Cents]) -> None:
        if "version" in rules.options:
            check_version(rules, wagers)
