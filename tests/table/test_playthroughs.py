"""Golden playthroughs: whole games as text that a dealer can read, compared line by line.

After a change of the table that is meant, `HOUSEWAY_WRITE=1 pytest tests/table/test_playthroughs.py`
writes them anew; what changed is then read in the diff.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest
from tables import EVERY_GAME, check_all

from houseway.cards import SeededSource
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON
from houseway.table import next_steps
from houseway.table.driver import Driver
from houseway.table.telling import line

FOLDER = Path(__file__).parent / "playthroughs"


def some(_table, seat, steps):
    """A player who folds at seat 2, insures once, and stands."""
    names = [step.command for step in steps if step.seat == seat]
    if seat == 2 and "fold" in names:
        return "fold", {}
    for name in ("stand", "decline_insurance"):
        if name in names:
            return name, {}
    return names[0], {}


def whole_game(chapter, rules, wagers):
    """From opening to closing: two rounds."""
    driver = Driver(chapter, rules, source=SeededSource(7))
    for seat in (1, 2, 3):
        driver.seat_player(seat, f"player {seat}")
    for _ in range(2):
        driver.until("betting")
        for seat in (1, 2, 3):
            driver.wager(seat, wagers)
        driver.finish(some)
    count = {f"{v // 100}.{v % 100:02d}": n for v, n in driver.table.tray.items()}
    driver.send("close_table", "floorperson", count=count)
    return driver


def begun(chapter, rules=None, wager="ante", until="dealing", cards=2):
    driver = Driver(chapter, rules, source=SeededSource(7))
    for seat in (1, 2):
        driver.seat_player(seat, f"player {seat}")
    driver.until("betting")
    for seat in (1, 2):
        driver.wager(seat, {wager: "10.00"})
    if wager == "bet":
        driver.send("deal", "dealer")
    driver.until(until)
    if until == "dealing":
        for _ in range(cards):
            driver.send("deal", "dealer")
    return driver


def two_face_up(chapter):
    driver = begun(chapter)
    driver.send("card_found_face_up", "dealer")
    driver.send("deal", "dealer")
    driver.send("card_found_face_up", "dealer")
    return driver


def wrong_number(chapter):
    driver = begun(chapter, cards=4)
    driver.send("wrong_number_of_cards", "dealer", seat=2, count=2)
    return driver


def exposed(chapter):
    driver = begun(chapter, until="deciding")
    driver.send("dealer_card_exposed", "dealer")
    if driver.table.hands:
        driver.finish(some)
    return driver


def shoe_jams(chapter):
    driver = begun(chapter, {"dealing": "automated_shoe", "shuffler": "plain"}, cards=1)
    driver.send("device_jams", "device", device="automated_shoe")
    driver.until("betting")
    return driver


def stub_wrong(chapter):
    driver = begun(chapter, until="stub")
    driver.send("count_stub", "dealer", count=40, misdealt=False)
    return driver


def wrong_light():
    driver = begun(DOWN_UNDER, wager="bet", until="reading")
    true = driver.table.piles["hole"][0][0]
    driver.send("read_hole_card", "device", light="blue" if true not in "2345" else "red")
    driver.until("deciding")
    while driver.table.phase == "deciding":
        if not driver.house():
            seat = next(step.seat for step in next_steps(driver.table) if step.command == "stand")
            driver.send("stand", "player", seat=seat)
    driver.send("reveal_dealer", "dealer")
    driver.send("call_hand_dead", "dealer", seat=1)
    driver.send("hand_goes_on", "dealer", seat=2)
    driver.until("clearing")
    return driver


POKER = (MD, MA, PRIME, SAIGON)
STORIES = {
    **{
        f"{chapter}-{number}": partial(whole_game, chapter, rules, wagers)
        for number, (chapter, rules, wagers) in enumerate(EVERY_GAME)
    },
    **{f"{id}-two-cards-face-up": partial(two_face_up, id) for id in POKER},
    **{f"{id}-wrong-number": partial(wrong_number, id) for id in POKER},
    **{f"{id}-dealer-exposed": partial(exposed, id) for id in POKER},
    **{f"{id}-shoe-jams": partial(shoe_jams, id) for id in POKER},
    **{f"{id}-stub-wrong": partial(stub_wrong, id) for id in POKER},
    f"{DOWN_UNDER}-wrong-light": wrong_light,
}


@pytest.mark.parametrize("name", STORIES)
def test_playthrough(name):
    driver = STORIES[name]()
    if driver.table.phase != "closed":
        check_all(driver)
    text = "".join(f"{line(event)}\n" for event in driver.record)
    path = FOLDER / f"{name}.txt"
    if os.environ.get("HOUSEWAY_WRITE"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
