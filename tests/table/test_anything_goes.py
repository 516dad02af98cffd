"""Random commands from all roles, legal and not: whatever happens, nothing is lost or stuck."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from random_play import ROLES, fields_for, finish
from tables import EVERY_GAME, check_all

from houseway.cards import SeededSource
from houseway.errors import Refused
from houseway.table import COMMANDS, fold, legal, next_steps, read_event, run
from houseway.table.driver import Driver
from houseway.table.state import Table


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


@pytest.mark.slow
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
