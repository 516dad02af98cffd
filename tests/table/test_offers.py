"""`next_steps` never offers what `decide` refuses, at every state that random play with trouble reaches."""

from __future__ import annotations

import contextlib
import random

import pytest
from offers import ABOUT_FIELDS, check_offers, sensible
from random_play import finish
from tables import EVERY_GAME, opened

from houseway.errors import Refused
from houseway.table import next_steps
from houseway.table.driver import BY_SYSTEM, Driver


def play(driver: Driver, wagers: dict[str, str], rng: random.Random, steps: int) -> None:
    """One thing that is offered after another, mostly what leads on, now and then trouble."""
    for _ in range(steps):
        check_offers(driver)
        table = driver.table
        if table.phase == "betting" and not any(box.wagers for box in table.boxes):
            for box in table.boxes:
                if box.player:
                    # a device out of order takes no wager
                    with contextlib.suppress(Refused):
                        driver.wager(box.seat, wagers)
            if any(box.wagers for box in driver.table.boxes):
                continue
        offered = next_steps(table, irregularities=True, at=driver.clock.isoformat())
        trouble = [
            step for step in offered
            if step.kind != "next" and step.command not in ABOUT_FIELDS | {"spread_idle"}
        ]  # fmt: skip
        leads = [
            step for step in offered
            if step.kind == "next" and step.command not in ABOUT_FIELDS - {"set_hands"}
        ]  # fmt: skip
        step = rng.choice(trouble if trouble and (rng.random() < 0.08 or not leads) else leads)
        role = "system" if step.command in BY_SYSTEM else step.role
        for fields in rng.sample(ways := sensible(driver, step), len(ways)):
            try:
                driver.send(step.command, role, seat=step.seat, **fields)
            except Refused:
                continue
            break


@pytest.mark.parametrize("game", range(len(EVERY_GAME)))
def test_everything_offered_is_accepted(game: int) -> None:
    id, rules, wagers = EVERY_GAME[game]
    rng = random.Random(game)
    driver = opened(id, rules, players=2, seed=game)
    play(driver, wagers, rng, 90)
    finish(driver)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("game", range(len(EVERY_GAME)))
def test_everything_offered_is_accepted_over_many_rounds(game: int, seed: int) -> None:
    id, rules, wagers = EVERY_GAME[game]
    rng = random.Random(1000 * seed + game)
    driver = opened(id, rules, players=1 + seed % 4, seed=seed)
    play(driver, wagers, rng, 400)
    finish(driver)
