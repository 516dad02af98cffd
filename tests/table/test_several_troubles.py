"""Two troubles at once: what the table says next is taken, in every way it names, and leads out."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from offers import check_offers, lead_out
from random_play import driver_at
from tables import check_cards
from trouble_cells import kinds, show

from houseway.errors import Refused
from houseway.law import CHAPTERS
from houseway.table import Table
from houseway.table.trouble_table import attempt, moments, reports


def troubled(table: Table, rng: random.Random) -> tuple[str, Table]:
    """The table after two reports that it takes, one after the other, and what they were."""
    said = []
    for _ in range(2):
        tried = reports(table)
        for report in rng.sample(tried, len(tried)):
            outcome = attempt(table, report)
            if outcome.accepted and outcome.after is not None:
                table = outcome.after
                said.append(f"{report.command} {dict(report.fields)}")
                break
    return ", ".join(said), table


def wrong(id: str, rules: dict[str, Any], some: int) -> list[str]:
    """What goes wrong after two troubles, at some moments of a round."""
    rng = random.Random(f"{id} {rules}")
    found = []
    at = [table for tables in moments(id, rules).values() for table in tables]
    for _ in range(some):
        begun = rng.choice(at)
        said, table = troubled(begun, rng)
        driver = driver_at(table)
        try:
            check_offers(driver)
            lead_out(driver)
            check_cards(driver.table)
        except (AssertionError, Refused) as why:
            found.append(f"in {begun.phase}, {said}, then {table.phase}: {why}")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
def test_two_troubles_lead_out(id: str) -> None:
    every = kinds(id)
    for rules in every[:: max(1, len(every) // 2)]:
        found = wrong(id, rules, 40)
        assert not found, "\n".join(found)


@pytest.mark.full
@pytest.mark.parametrize(
    ("id", "rules"),
    [pytest.param(id, rules, id=show(id, rules)) for id in CHAPTERS for rules in kinds(id)],
)
def test_two_troubles_of_every_equipment_lead_out(id: str, rules: dict[str, Any]) -> None:
    found = wrong(id, rules, 800)
    assert not found, "\n".join(itertools.islice(found, 20))
