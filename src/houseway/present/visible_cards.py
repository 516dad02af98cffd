"""Which cards somebody may see.

A card that lies face down is known to the player whose hand it is and to nobody else. Only the
record knows more: an investigator sees each hand as it lay.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import msgspec

from houseway.cards import Card, card
from houseway.table.state import UNKNOWN, Table
from houseway.table.views import own_piles

#: the cards on the felt by pile; None for one that the reader may not see
VisibleCards = Mapping[str, tuple[Card | None, ...]]

#: piles that are not on the felt; nobody sees into them
_AWAY = ("deck", "shoe", "shuffler", "discard", "aside")


class Viewer(msgspec.Struct, frozen=True):
    """The reader of a view: a role at the table, and the seat of a player."""

    role: str = "public"
    seat: int = 0


def is_on_felt(pile: str) -> bool:
    """Whether a pile lies where hands lie, and not in a shoe, a device or the rack."""
    return pile.partition(".")[0] not in _AWAY


def visible_cards(table: Table, viewer: Viewer, own: Collection[str] | None = None) -> VisibleCards:
    """Every pile on the felt, card by card as this reader may see it.

    `own` are the piles of the reader's own; by default those of the boxes that the player holds.
    """
    if own is None:
        own = own_piles(table, viewer.seat) if viewer.seat else ()
    everything = viewer.role == "record"
    seen: dict[str, tuple[Card | None, ...]] = {}
    for name, pile in table.piles.items():
        if not is_on_felt(name):
            continue
        known = everything or name in table.shown or name in own
        # the dealer's hand is the same hand while it waits in the shoe
        place = "dealer" if name == "dealer_stack" else name
        seen[place] = tuple(card(text) if known and text != UNKNOWN else None for text in pile)
    return seen


def known(cards: tuple[Card | None, ...]) -> tuple[Card, ...]:
    """The cards of a hand if all of them are visible; otherwise none."""
    faces = tuple(face for face in cards if face is not None)
    return faces if len(faces) == len(cards) else ()
