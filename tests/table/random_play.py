"""Random play for the tests of whole games: fields for a command, and ending a round."""

from __future__ import annotations

import random
from typing import Any

import msgspec
from tables import key_in

from houseway.cards import SeededSource
from houseway.errors import Refused
from houseway.games.down_under.table.state import own
from houseway.table import COMMANDS, NextStep, legal, next_steps, rules_of
from houseway.table.driver import Driver
from houseway.table.state import Table

ROLES = ("dealer", "floorperson", "player", "device", "surveillance", "system")
AMOUNTS = ("1.00", "5.00", "10.00", "2.50", "0.00", "7.77", "100000.00", "x")


def fields_for(name: str, table: Table, rng: random.Random) -> dict[str, Any]:
    """Fields that may or may not make sense."""
    wagers = [*rules_of(table).chapter.wagers, "envy"]
    cards = [card for pile in table.piles.values() for card in pile] or ["As"]
    some = {
        "seat": lambda: rng.randint(0, 8),
        "hand": lambda: rng.choice((0, 0, 0, 1, 2)),
        "wager": lambda: rng.choice(wagers),
        "amount": lambda: rng.choice(AMOUNTS),
        "value": lambda: rng.choice(AMOUNTS),
        "player": lambda: rng.choice(("ann", "bob", "")),
        "dealer": lambda: "another",
        "deck": lambda: rng.choice(("1", "2", "3")),
        "back": lambda: rng.choice(("", "red", "blue")),
        "depth": lambda: rng.choice((0, 9, 10, 20, 26, 43, 60, 100, 400)),
        "count": lambda: rng.choice((0, 1, 2, 3, 5, 43, 52)),
        "card": lambda: rng.choice((*cards[:5], "", "As", "Zz", "?")),
        "cards": lambda: tuple(rng.sample(cards, min(len(cards), rng.choice((0, 0, 1, 3))))),
        "order": lambda: () if rng.random() < 0.8 else tuple(cards),
        "reason": lambda: rng.choice(("", "because")),
        "device": lambda: rng.choice((*table.devices, "kettle")),
        "how": lambda: rng.choice(("covered", "signed", "removed", "kicked")),
        "light": lambda: rng.choice(("", "blue", "red", "yellow", "green")),
        "cause": lambda: rng.choice(("light", "area", "x")),
        "area": lambda: rng.choice(("", "small", "medium", "large", "x")),
        "to": lambda: rng.choice(("player", "house")),
        "place": lambda: rng.choice((*table.piles, "nowhere")),
        "was": lambda: rng.choice(cards),
        "chips": lambda: {rng.choice(("5.00", "1.00", "3.00")): rng.randint(-1, 5)},
        "part": lambda: "",
    }
    kind = COMMANDS[name]
    required = {field.name for field in msgspec.structs.fields(kind) if field.required} - {
        "role",
        "at",
    }
    found = {}
    for field in kind.__struct_fields__:
        if field in some and (field in required or rng.random() < 0.6):
            found[field] = some[field]()
    for flag in ("late_card", "second_card", "exposed", "misdealt", "preshuffled", "face_up"):
        if flag in kind.__struct_fields__ and (flag in required or rng.random() < 0.3):
            found[flag] = rng.random() < 0.5
    return found


def driver_at(table: Table, seed: int = 1) -> Driver:
    """A driver that goes on from a table as it stands; its record begins there."""
    driver = Driver(table.chapter, source=SeededSource(seed), start="2027-01-01T12:00:01")
    driver.table, driver.record, driver.commands = table, [], []
    return driver


def _asked(table: Table, step: NextStep) -> bool:
    """Whether a player decides, or the dealer for one who left."""
    return step.role == "player" or not table.boxes[step.seat - 1].player


def finish(driver: Driver) -> None:
    """From wherever the table is, the round can be brought to its end by the house alone."""
    for _ in range(600):
        table = driver.table
        if not table.hands and table.phase == "betting":
            return
        if not any(box.player for box in table.boxes) and not table.hands:
            driver.seat_player(1, "ann")
            continue
        broken = [d.id for d in table.devices.values() if d.condition in ("broken", "jammed")]
        if broken:
            driver.send("repair_device", "floorperson", device=broken[0])
            continue
        gone = [box for box in table.boxes if box.wagers and not box.player and not box.out]
        if gone and "declare_abandoned" in legal(table, "floorperson", gone[0].seat):
            driver.send("declare_abandoned", "floorperson", seat=gone[0].seat)
            continue
        if table.phase == "trouble" and own(table).light_seats:
            driver.send("hand_goes_on", "dealer", seat=own(table).light_seats[0])
            continue
        if table.phase == "chips" and not any(
            step.command in ("count_progressive_chips", "start_game") for step in next_steps(table)
        ):
            raise AssertionError("stuck over the chips")
        if "shoe_runs_out" in legal(table, "system"):
            driver.send("shoe_runs_out", "floorperson")
            continue
        asked = [
            step
            for step in next_steps(table)
            if step.seat and step.kind == "next" and _asked(table, step)
        ]
        if table.hands and asked and table.phase in ("deciding", "insuring"):
            name = "stand" if any(s.command == "stand" for s in asked) else asked[0].command
            if name == "insure":
                name = "decline_insurance"
            driver.send(name, "dealer", seat=asked[0].seat)
            continue
        try:
            key_in(driver)
        except Refused as refusal:
            # a tray that cannot pay is filled, as the refusal says
            if refusal.code != "tray_short":
                raise
            driver.send("fill", "floorperson", chips={"5000.00": 100, "1.00": 5000, "0.50": 50})
    raise AssertionError(f"stuck in {table.phase}: {next_steps(table)}")
