"""A table as one reader sees it, live or recorded: what the presentation of a game works on."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from houseway.cards import Card
from houseway.law import Rules
from houseway.present.settled import result_of
from houseway.present.view import Back, CardView, HandView, Result
from houseway.present.visible_cards import VisibleCards
from houseway.table.state import Table

Hand = tuple[Card | None, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """The table, and the cards that its reader may see, by pile."""

    rules: Rules
    table: Table
    cards: VisibleCards
    back: Back = "red"

    def pile(self, name: str) -> Hand:
        return self.cards.get(name, ())

    def laid(self, cards: Hand, marked: Collection[Card] = ()) -> tuple[CardView, ...]:
        """Cards as they lie, with those highlighted that are marked."""
        return tuple(
            CardView(face, back=self.back, marked=face is not None and face in marked)
            for face in cards
        )

    def hand(
        self, cards: Hand, place: str = "cards", says: str = "", marked: Collection[Card] = ()
    ) -> HandView:
        return HandView(self.laid(cards, marked), place, says)

    def result(self, seat: int, hand: int = 0) -> Result:
        """The result of a hand, once it is settled."""
        return result_of(self.rules.chapter, self.table.settled, seat, hand)

    def is_settled(self, seat: int) -> bool:
        return any(line.seat == seat for line in self.table.settled)
