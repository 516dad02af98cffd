"""Rounds played by the system's own dealer and players, put on a record."""

from __future__ import annotations

from typing import Any

from houseway.cards import SeededSource, cards
from houseway.floor.recorded_table import RecordedTable
from houseway.games.saigon.hands import values
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON
from houseway.store import Log
from houseway.table import Table, rules_of
from houseway.table.driver import Driver

GAMES: list[tuple[str, dict[str, Any], dict[str, str]]] = [
    (MD, {}, {"ante": "10.00", "pair_plus": "5.00"}),
    (
        MD,
        {"shuffler": "counting", "progressive": "A", "five_card_progressive": "B"},
        {"ante": "10.00", "progressive": "1.00", "five_card_progressive": "5.00"},
    ),
    (MD, {"shuffler": "plain", "decks_in_play": 2}, {"ante": "10.00"}),
    (
        MA,
        {"shuffler": "counting", "cover_all": True, "progressive": "1"},
        {"ante": "10.00", "pair_plus": "5.00", "cover_all": "2.00", "progressive": "1.00"},
    ),
    (
        PRIME,
        {"prime": True, "pair_bonus": "A"},
        {"ante": "10.00", "prime": "5.00", "pair_bonus": "5.00"},
    ),
    (SAIGON, {"bonus": "A", "shuffler": "plain"}, {"ante": "10.00", "bonus": "5.00"}),
    (DOWN_UNDER, {"match_the_dealer": True}, {"bet": "10.00", "match_the_dealer": "5.00"}),
]


def decide(table: Table, seat: int, steps: Any) -> tuple[str, dict[str, Any]]:
    """Seat 2 folds every other round; Saigon's hands are set the best way."""
    open_now = {step.command for step in steps}
    if "play" in open_now:
        return ("fold" if seat == 2 and table.round % 2 else "play"), {}
    if "set_hands" not in open_now:
        return ("stand" if "stand" in open_now else "decline_insurance"), {}
    held = cards(table.piles[f"seat.{seat}"])
    best = values(rules_of(table).chapter).best(held)
    return "set_hands", {"three": tuple(map(str, best.three)), "two": tuple(map(str, best.two))}


def played(number: int, rounds: int = 3, *, name: str = "1", seed: int = 1) -> Driver:
    """A table with two players after some rounds; cards are shuffled before the wagers."""
    chapter, rules, wagers = GAMES[number]
    driver = Driver(chapter, rules, source=SeededSource(seed), name=name)
    for seat in (1, 2):
        driver.seat_player(seat, f"player {seat}")
    for _ in range(rounds):
        driver.ready()
        for seat in (1, 2):
            driver.wager(seat, wagers)
        driver.finish(decide)
    return driver


def lived_through() -> Driver:
    """A table on which much happened: a jammed shuffler, a win that the floor validated, a payment
    corrected, a shuffler that broke and was covered."""
    driver = Driver(
        MD,
        {"shuffler": "counting", "progressive": "A"},
        source=SeededSource(1),
        meters={"progressive": {"rate": "14%", "seed": "1000.00", "reset": "1000.00"}},
    )
    driver.seat_player(1, "ann")
    while driver.table.phase != "betting":
        if driver.table.phase == "shuffling":
            driver.send("shuffle", "device")  # nobody knows the order: cards are keyed in
        else:
            driver.house()
    driver.send("device_jams", "dealer", device="shuffler")
    driver.send("repair_device", "floorperson", device="shuffler")
    driver.send("shuffle", "device")  # the cards of a device that jammed are shuffled again
    driver.wager(1, {"ante": "10.00", "progressive": "1.00"})
    driver.until("deciding")
    driver.send("play", "player", seat=1)
    driver.send("reveal_dealer", "dealer", cards=("Ac", "Kd", "9h"))
    driver.send("turn_hand", "dealer", seat=1, cards=("4c", "5c", "6c"))
    while driver.table.hands:
        driver.house()
    # what people write is no markup of ours
    driver.send("correct_payment", "floorperson", seat=1, amount="2.50", reason="paid [/] short")
    driver.send("device_breaks", "dealer", device="shuffler")
    driver.send("set_device_aside", "floorperson", device="shuffler", how="covered")
    return driver


def record(log: Log, driver: Driver, name: str = "1") -> RecordedTable:
    """A played table, command by command, on a record."""
    table = RecordedTable(log, name)
    for command in driver.commands:
        table.send(command)
    return table
