"""Write a round by hand, as in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast, get_args, get_origin

import msgspec

from houseway.arguments import checked
from houseway.cards import Card
from houseway.game_api.round import Round
from houseway.game_api.round_json import not_a_round, round_of, shape
from houseway.law import Rules

#: "As Kd 7c", ["As", "Kd", "7c"], or cards as `houseway.cards` gives them
CardsGiven = str | Iterable[str | Card]


@checked
def deal(
    rules: Rules,
    *,
    dealer: CardsGiven,
    seats: Mapping[int, Mapping[str, Any]],
    community: CardsGiven = "",
    meters: Mapping[str, str] | None = None,
    winners: Mapping[str, int] | None = None,
) -> Round:
    """Return a round under these rules, with seats by number, each as in `settle`'s JSON.

    Cards are a text ("As Kd 7c"), a list of texts, or cards.
    """
    kinds = shape()
    try:
        parsed = [
            msgspec.convert({"seat": number, **_listed(seat, kinds.seat)}, kinds.seat)
            for number, seat in seats.items()
        ]
    except msgspec.ValidationError as error:
        raise not_a_round(error, None) from None
    given = kinds.round(
        chapter=rules.chapter.id,
        dealer=_texts(dealer),
        seats=parsed,
        community=_texts(community),
        meters=dict(meters or {}),
        winners=dict(winners or {}),
    )
    return round_of(given, rules)


def _listed(given: Mapping[str, Any], kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Cards in any form become lists of texts."""
    found = dict(given)
    for field in msgspec.structs.fields(kind):
        value = found.get(field.name)
        items = _items(field.type)
        if items is str and isinstance(value, Iterable):
            found[field.name] = _texts(value)
        elif isinstance(value, Card):
            found[field.name] = str(value)
        elif items is not None and issubclass(items, msgspec.Struct) and isinstance(value, list):
            found[field.name] = [
                _listed(one, items) if isinstance(one, Mapping) else one for one in value
            ]
    return found


def _texts(given: CardsGiven) -> list[str]:
    return given.split() if isinstance(given, str) else [str(one) for one in given]


def _items(kind: Any) -> type | None:
    """What a list holds, where a field is a list, or a list or nothing."""
    for one in (kind, *get_args(kind)):
        if get_origin(one) is list:
            return cast(type, get_args(one)[0])
    return None
