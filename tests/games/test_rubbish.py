"""Rubbish in: whatever is done to a round, it is settled or refused, and nothing else happens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.cards import deck_with_joker
from houseway.errors import Refused
from houseway.game_api.settle import settle_json
from houseway.law import CHAPTERS

EXAMPLES = Path(__file__).parents[2] / "examples"
ROUNDS = {id: json.loads((EXAMPLES / f"{id}.json").read_text()) for id in CHAPTERS}

scraps = (
    st.none()
    | st.booleans()
    | st.integers(-3, 99)
    | st.sampled_from(["", "x", "-1.00", "0.00", "0.01", "1e9", "99999999999999.00", "none", "own"])
    | st.sampled_from([str(card) for card in deck_with_joker()])
    | st.sampled_from(["play", "fold", "forfeit", "A", "own", "seat", "ante", "bet"])
    | st.just([])
    | st.just({})
    | st.just([["As"]])
    | st.just({"ante": "5.00"})
)


def places(value: Any, path: tuple = ()) -> list[tuple]:
    """Every place in a JSON value."""
    found = [path] if path else []
    inside = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, part in inside:
        found.extend(places(part, (*path, key)))
    return found


def spoiled(whole: Any, path: tuple, scrap: Any, how: str) -> Any:
    """A copy with one place replaced, removed or doubled."""
    copy = json.loads(json.dumps(whole))
    around = copy
    for key in path[:-1]:
        around = around[key]
    if how == "remove":
        del around[path[-1]]
    elif how == "double" and isinstance(around, list):
        around.append(around[path[-1]])
    elif how == "add" and isinstance(around, dict):
        around[str(scrap)] = scrap
    else:
        around[path[-1]] = scrap
    return copy


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
@settings(max_examples=300)
@given(data=st.data())
def test_a_spoiled_round_is_settled_or_refused(id: str, data: st.DataObject) -> None:
    whole = ROUNDS[id]
    for _ in range(data.draw(st.integers(1, 3))):
        where = places(whole)
        if not where:
            break
        whole = spoiled(
            whole,
            data.draw(st.sampled_from(where)),
            data.draw(scraps),
            data.draw(st.sampled_from(["replace", "remove", "double", "add"])),
        )
    try:
        settled = settle_json(json.dumps(whole))
    except Refused as refusal:
        assert refusal.code
        assert len(str(refusal).splitlines()) == 1
        return
    total = sum(_cents(seat.net) for seat in settled.seats) + _cents(settled.house)
    assert total == sum(_cents(meter.paid) for meter in settled.meters.values())


def _cents(text: str) -> int:
    return int(text.replace(".", ""))


@settings(max_examples=200)
@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_bytes_are_refused(text: bytes) -> None:
    with pytest.raises(Refused):
        settle_json(text)
