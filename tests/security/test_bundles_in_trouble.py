"""The bundle of a round passes its check, whatever went wrong in that round."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from houseway.floor.audit import check as checker
from houseway.floor.audit.export import bundle
from houseway.floor.audit.projections import Projections
from houseway.floor.audit.rounds import Filters, find_round, search
from houseway.law import DOWN_UNDER, cites
from houseway.store.backends.memory import MemoryLog
from houseway.table.driver import Driver

sys.path.append(str(Path(__file__).parents[1] / "floor"))
sys.path.append(str(Path(__file__).parents[1] / "table"))
from long_trouble import Trouble
from playing import record
from random_play import finish
from tables import EVERY_GAME, bets, keyed


def check_bundles(driver: Driver, folder: Path) -> None:
    """Check the bundle of each round of a played table."""
    log = MemoryLog()
    record(log, driver, "1")
    with Projections(":memory:") as found:
        found.update(log)
        for one in search(found, Filters()):
            for public in (False, True):
                place = folder / f"{one['id']}-{public}"
                bundle(log, find_round(found, one["id"]), place, public=public)
                checker.check(place)
                # every event of these games is known to the checker
                assert json.loads((place / "round.json").read_text())["retold"]


def in_trouble(number: int, seed: int, steps: int) -> Driver:
    chapter, rules, _ = EVERY_GAME[number]
    trouble = Trouble(chapter, dict(rules), seed, seats=1 + seed % 4, keyed=seed % 3 == 2)
    trouble.play(steps, offers=0)
    return trouble.driver


@pytest.mark.parametrize("number", range(0, len(EVERY_GAME), 2))
def test_rounds_in_trouble_have_bundles_that_pass(number: int, tmp_path: Path) -> None:
    check_bundles(in_trouble(number, 2 * number + 1, 40), tmp_path)


@cites(DOWN_UNDER, "685a.12(f)")
def test_a_card_that_a_box_never_had_is_not_in_its_hand(tmp_path: Path) -> None:
    """The record had given it to the box: it is the next card of the shoe, and another is keyed in."""
    driver = keyed(DOWN_UNDER, players=2)
    bets(driver, 1, 2)
    for card in ("8c", "8d", "9s", "7h", "6h"):
        driver.send("deal", "dealer", cards=(card,))
    driver.send("deal", "dealer")
    driver.send("no_card_dealt", "dealer", seat=2, second_card=True)
    driver.send("deal", "dealer", cards=("9c",))
    finish(driver)
    assert not driver.table.hands
    check_bundles(driver, tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("number", range(len(EVERY_GAME)))
def test_many_rounds_in_trouble_have_bundles_that_pass(
    number: int, seed: int, tmp_path: Path
) -> None:
    check_bundles(in_trouble(number, seed, 200), tmp_path)
