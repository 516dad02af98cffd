"""A long run with irregularities, device faults, role changes, late discoveries and clock jumps."""

from __future__ import annotations

from typing import Any

import pytest
from long_trouble import Trouble
from tables import EVERY_GAME
from trouble_cells import kinds, show

from houseway.law import CHAPTERS


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(EVERY_GAME)))
def test_a_table_in_trouble_goes_on(number: int) -> None:
    chapter, rules, _ = EVERY_GAME[number]
    seats, keyed = (1, 2, 3, 7)[number % 4], number % 3 == 2
    Trouble(chapter, dict(rules), number, seats=seats, keyed=keyed).play(60, offers=2)


@pytest.mark.full
@pytest.mark.parametrize(
    ("id", "rules"),
    [pytest.param(id, rules, id=show(id, rules)) for id in CHAPTERS for rules in kinds(id)],
)
def test_a_table_in_trouble_goes_on_and_on(id: str, rules: dict[str, Any]) -> None:
    for seed, (seats, keyed) in enumerate(((3, False), (7, False), (2, True), (1, False))):
        Trouble(id, rules, seed, seats=seats, keyed=keyed).play(300, offers=3)
