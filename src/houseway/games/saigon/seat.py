"""What a seat of Saigon 5 Card has of its own: the cards as the player set them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

import msgspec

from houseway.cards import Card
from houseway.game_api.round import Seat
from houseway.game_api.round_json import CardsIn, read_cards
from houseway.game_api.rules import SeatFields
from houseway.law import Rules
from houseway.money import Cents


class SetHandsIn(msgspec.Struct, frozen=True):
    """The setting in JSON."""

    three: CardsIn | None = None
    two: CardsIn | None = None


class SaigonSeat(Seat, frozen=True):
    """A seat with its cards set as three and two; one of them names the other."""

    three: tuple[Card, ...] | None = None
    two: tuple[Card, ...] | None = None


def is_set(seat: Seat) -> TypeGuard[SaigonSeat]:
    """Whether the player of a seat said how the cards are set."""
    return isinstance(seat, SaigonSeat) and (seat.three is not None or seat.two is not None)


def _read(given: SetHandsIn, _wagers: Mapping[str, Cents], _rules: Rules) -> dict[str, Any]:
    said = {"three": given.three, "two": given.two}
    return {
        name: read_cards(cards, None, name) for name, cards in said.items() if cards is not None
    }


seat_fields = SeatFields(SetHandsIn, SaigonSeat, _read)
