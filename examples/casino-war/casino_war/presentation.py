"""How Casino War is shown: a card, and beside it the card of a war."""

from __future__ import annotations

from collections.abc import Sequence

from houseway.cards import RANK_NAMES, Card
from houseway.law import Rules
from houseway.money import Cents
from houseway.present.game import PresentationGame
from houseway.table.state import Box


class CasinoWarPresentation(PresentationGame):
    """All cards are dealt face up, two at most to each position."""

    decisions = {"go_to_war": "Go to war", "surrender": "Surrender"}
    discards_stub = False

    def hand_name(self, rules: Rules, cards: Sequence[Card]) -> str:
        """The rank of each card, the card of a war last."""
        return ", ".join(RANK_NAMES[card.rank] for card in cards).capitalize()

    def is_dealt_face_up(self, pile: str) -> bool:
        return True

    def hand_areas(self, rules: Rules) -> tuple[tuple[str, int], ...]:
        return (("cards", self.dealer_cards(rules)),)

    def dealer_cards(self, rules: Rules) -> int:
        return rules.chapter.number("hand_cards") + rules.chapter.number("war_cards")

    def cost(self, rules: Rules, box: Box, command: str, hand: int = 0) -> Cents:
        return box.wagers["ante"] if command == "go_to_war" else 0


GAME: PresentationGame = CasinoWarPresentation()
