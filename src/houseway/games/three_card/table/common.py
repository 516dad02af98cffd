"""What the three-card games share at the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from houseway.cards import QUEEN, cards
from houseway.games.three_card import hands as three_card
from houseway.games.three_card.poker_settlement import check_version
from houseway.money import Cents
from houseway.table.engine import Moment
from houseway.table.game import TableGame
from houseway.table.views import SeatView


class ThreeCardTable(TableGame):
    """An ante, three cards, and play or fold."""

    def check_wagers(self, now: Moment, wagers: Mapping[str, Cents]) -> None:
        if "version" in now.rules.options:
            check_version(now.rules, wagers)

    def simple_decision(self, now: Moment, seen: SeatView) -> tuple[str, dict[str, Any]]:
        """Play a queen or better."""
        size = now.rules.chapter.number("hand_cards")
        held = cards(seen.public.boxes[seen.seat - 1].cards or seen.public.community[:size])
        return ("play" if three_card.value(held) >= three_card.least(QUEEN) else "fold"), {}
