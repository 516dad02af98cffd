"""The event that only Saigon 5 Card has, and what it does to a table."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from houseway.table.event_text import named
from houseway.table.events import Event, Piles
from houseway.table.evolve.registry import evolves, moved, with_box
from houseway.table.state import UNKNOWN, Table


class HandsSet(Event, frozen=True, kw_only=True):
    of_seat: ClassVar[bool] = True

    seat: int
    three: tuple[str, ...]
    two: tuple[str, ...]

    def text(self) -> str:
        by_dealer = self.role == "dealer"
        sets = f"seat {self.seat} is set as" if by_dealer else f"seat {self.seat} sets"
        if not self.three:
            return f"{sets} two hands"
        return f"{sets} {named(self.three)} and {named(self.two)}"

    def in_public(self) -> HandsSet:
        return replace(self, three=(), two=())

    def marked(self, piles: Piles, marks: Piles) -> HandsSet:
        """The two hands hold the cards that the seat had before, set or not."""
        of_card = {
            card: mark
            for place in (f"seat.{self.seat}", f"three.{self.seat}", f"two.{self.seat}")
            for card, mark in zip(piles.get(place, ()), marks.get(place, ()), strict=True)
        }
        return replace(
            self,
            three=tuple(of_card.get(card, UNKNOWN) for card in self.three),
            two=tuple(of_card.get(card, UNKNOWN) for card in self.two),
        )


@evolves(HandsSet)
def _set(table: Table, event: HandsSet) -> Table:
    boxes = with_box(table, event.seat, decisions={0: "set"})
    piles = dict(table.piles)
    piles.pop(f"seat.{event.seat}", None)  # set again: the two hands lie there already
    piles[f"three.{event.seat}"] = event.three
    piles[f"two.{event.seat}"] = event.two
    return moved(table, event, boxes=boxes, piles=piles)
