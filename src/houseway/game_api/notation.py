"""A round written the way a person would in a notebook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from houseway.game_api.round import Round
from houseway.game_api.round_json import RoundIn, SeatIn, not_a_round, round_of
from houseway.law import Rules

_HANDS = ("cards", "three", "two")


def deal(
    rules: Rules,
    *,
    dealer: str,
    seats: Mapping[int, Mapping[str, Any]],
    community: str = "",
    meters: Mapping[str, str] | None = None,
    winners: Mapping[str, int] | None = None,
) -> Round:
    """A round under these rules; cards as "As Kd 7c", seats as in `settle`'s JSON by number."""
    try:
        parsed = [
            msgspec.convert({"seat": number, **_split(seat)}, SeatIn)
            for number, seat in seats.items()
        ]
    except msgspec.ValidationError as error:
        raise not_a_round(error, None) from None
    given = RoundIn(
        chapter=rules.chapter.id,
        dealer=dealer.split(),
        seats=parsed,
        community=community.split(),
        meters=dict(meters or {}),
        winners=dict(winners or {}),
    )
    return round_of(given, rules)


def _split(seat: Mapping[str, Any]) -> dict[str, Any]:
    """Hands written as one text become lists of cards."""
    found: dict[str, Any] = {
        key: value.split() if key in _HANDS and isinstance(value, str) else value
        for key, value in seat.items()
    }
    if "hands" in found:
        found["hands"] = [_split(hand) for hand in found["hands"]]
    return found
