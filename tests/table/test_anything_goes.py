"""Random commands from all roles, legal and not: whatever happens, nothing is lost or stuck."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tables import EVERY_GAME, check_all, key_in

from houseway.cards import SeededSource
from houseway.errors import Refused
from houseway.table import COMMANDS, fold, legal, next_steps, read_event, rules_of, run
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


class AnythingGoes(RuleBasedStateMachine):
    """One table, and everybody at it doing as they please."""

    game = EVERY_GAME[0]

    @initialize(seed=st.integers(0, 1000))
    def open(self, seed: int) -> None:
        chapter, rules, self.wagers = self.game
        self.driver = Driver(chapter, rules, source=SeededSource(seed))
        for seat in (1, 2, 3):
            self.driver.seat_player(seat, f"player {seat}")

    @property
    def table(self) -> Table:
        return self.driver.table

    def attempt(self, name: str, role: str, **fields: Any) -> bool:
        """A refusal changes nothing, and nothing but a refusal is ever raised."""
        before = self.table
        try:
            self.driver.send(name, role, **fields)
        except Refused:
            assert self.table is before
            return False
        return True

    @rule(steps=st.integers(1, 12))
    def the_house_leads_on(self, steps: int) -> None:
        for _ in range(steps):
            try:
                if not self.driver.house():
                    return
            except Refused as refusal:
                if refusal.code not in ("cards_not_known", "no_such_light", "shoe_empty"):
                    raise
                return

    @precondition(lambda self: self.table.phase == "betting")
    @rule(seat=st.sampled_from((1, 2, 3)))
    def somebody_wagers(self, seat: int) -> None:
        for wager, amount in self.wagers.items():
            self.attempt("place_wager", "player", seat=seat, wager=wager, amount=amount)

    @rule(rng=st.randoms(use_true_random=False))
    def a_player_acts(self, rng: random.Random) -> None:
        asked = [
            step
            for step in next_steps(self.table)
            if step.role == "player" and step.seat and step.kind == "next"
        ]
        if asked and self.table.hands:
            step = rng.choice(asked)
            fields = fields_for(step.command, self.table, rng)
            fields.pop("seat", None)
            if step.command in ("insure", "double"):
                fields["amount"] = "5.00"
            self.attempt(step.command, "player", seat=step.seat, **fields)

    @rule(rng=st.randoms(use_true_random=False), role=st.sampled_from(ROLES))
    def somebody_tries_something_open(self, rng: random.Random, role: str) -> None:
        seat = rng.randint(0, len(self.table.boxes))
        names = [name for name in legal(self.table, role, seat) if name != "close_table"]
        if names:
            name = rng.choice(names)
            fields = fields_for(name, self.table, rng)
            fields.pop("seat", None)
            self.attempt(name, role, seat=seat, **fields)

    @rule(rng=st.randoms(use_true_random=False), role=st.sampled_from(ROLES))
    def somebody_tries_anything(self, rng: random.Random, role: str) -> None:
        name = rng.choice([name for name in COMMANDS if name not in ("open_table", "close_table")])
        fields = fields_for(name, self.table, rng)
        seat = fields.pop("seat", 0)
        self.attempt(name, role, seat=seat, who=rng.choice(("", "player 1")), **fields)

    @invariant()
    def everything_adds_up(self) -> None:
        if hasattr(self, "driver"):
            check_all(self.driver)

    @invariant()
    def somebody_can_go_on(self) -> None:
        """What is announced as the next step is open, and there is one."""
        if hasattr(self, "driver"):
            steps = next_steps(self.table)
            assert steps
            for step in steps:
                assert step.command in legal(self.table, step.role, step.seat)

    def teardown(self) -> None:
        if hasattr(self, "driver"):
            finish(self.driver)
            record = [read_event(msgspec.json.encode(event)) for event in self.driver.record]
            assert fold(record) == self.table
            assert len(msgspec.json.encode(self.table)) < 100_000


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
        if table.phase == "trouble":
            driver.send("hand_goes_on", "dealer", seat=table.light_seats[0])
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
            if step.role == "player" and step.seat and step.kind == "next"
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


@pytest.mark.parametrize("number", range(len(EVERY_GAME)))
def test_anything_goes(number: int) -> None:
    from hypothesis.stateful import run_state_machine_as_test

    machine = type(f"Game{number}", (AnythingGoes,), {"game": EVERY_GAME[number]})
    run_state_machine_as_test(
        machine, settings=settings(max_examples=8, stateful_step_count=30, deadline=None)
    )


def test_a_stale_command_is_refused() -> None:
    driver = Driver(*EVERY_GAME[0][:2])
    driver.seat_player(1, "ann")
    last = driver.commands[-1]
    with pytest.raises(Refused) as refused:
        run(driver.table, last)
    assert refused.value.code == "stale"
