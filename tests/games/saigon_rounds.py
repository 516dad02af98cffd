"""Rounds of Saigon 5 Card that the tests settle, change and have refused."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import strategies as st

from houseway.cards import deck_with_joker
from houseway.errors import Refused
from houseway.game_api.settle import settle_json
from houseway.law import SAIGON

NO_TEN = "Ac Ad 2c 2d 3c"  # no three of these make 10, 20 or 30
NONE_EITHER = "Ah As 2h 2s 3h"
#: two cards for each point count
COUNTS = {
    1: "9 2", 2: "A A", 3: "A 2", 4: "A 3", 5: "A 4",
    6: "2 4", 7: "3 4", 8: "4 4", 9: "4 5", 10: "4 6",
}  # fmt: skip


def with_count(count: int, first: str, second: str) -> str:
    """King, queen and jack make 30, and two cards have this point count."""
    low, high = COUNTS[count].split()
    return f"K{first} Q{first} J{first} {low}{first} {high}{second}"


def players(count: int) -> str:
    return with_count(count, "h", "s")


def dealers(count: int) -> str:
    return with_count(count, "c", "d")


def round_with(seat: dict[str, object] | None = None, **changes: object) -> str:
    """A round that stands, with some of it changed."""
    first = {"seat": 1, "wagers": {"ante": "10.00"}, "cards": players(9).split(), **(seat or {})}
    whole: dict[str, object] = {
        "chapter": SAIGON,
        "rules": {"bonus": "A"},
        "dealer": dealers(8).split(),
        "seats": [first],
        **changes,
    }
    return json.dumps(whole)


def refusal(text: str) -> Refused:
    with pytest.raises(Refused) as caught:
        settle_json(text)
    return caught.value


@st.composite
def rounds(draw: st.DrawFn) -> dict[str, object]:
    seats = draw(st.lists(st.integers(1, 6), min_size=1, max_size=6, unique=True))
    count = 5 * len(seats) + 5
    deck = st.sampled_from(deck_with_joker())
    dealt = draw(st.lists(deck, min_size=count, max_size=count, unique=True))
    amounts = st.integers(1, 500).map(lambda amount: f"{amount}.00")
    found = []
    for place, number in enumerate(seats):
        wagers = {"ante": draw(amounts)}
        if draw(st.booleans()):
            wagers["bonus"] = draw(amounts)
        hand = dealt[5 * place + 5 : 5 * place + 10]
        found.append({"seat": number, "wagers": wagers, "cards": [str(each) for each in hand]})
    dealer = [str(each) for each in dealt[:5]]
    return {"chapter": SAIGON, "rules": {"bonus": "A"}, "dealer": dealer, "seats": found}


def money(text: str) -> Fraction:
    return Fraction(text)
