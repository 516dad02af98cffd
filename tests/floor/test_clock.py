"""The server's clock: monotonic, never earlier than a table's last event, its steps on the record."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from held_table import ACE_UP, in_a_house, insurance

from houseway.floor import clock
from houseway.floor.bots.dealer import DECIDING, deadline
from houseway.floor.casino import Casino
from houseway.floor.gaming_day import CLOCK
from houseway.floor.people.directory import monotonic_of
from houseway.law import MD, choose
from houseway.store import open_log
from houseway.table import commands as c
from houseway.table.procedure.opening import float_of


class Hands:
    """The two clocks of a machine, set by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall = datetime(2026, 3, 1, 12, tzinfo=UTC)
        self.passed = 100.0
        monkeypatch.setattr(clock, "_wall", lambda: self.wall)
        monkeypatch.setattr(clock.time, "monotonic", lambda: self.passed)

    def wait(self, seconds: float) -> None:
        self.wall += timedelta(seconds=seconds)
        self.passed += seconds


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Hands:
    return Hands(monkeypatch)


def test_a_wall_clock_that_is_set_back_does_not_turn_time_back(hands: Hands) -> None:
    keeps = clock.Clock()
    first = keeps.now()
    hands.wait(10)
    hands.wall -= timedelta(hours=1)
    assert keeps.now() - first == timedelta(seconds=10)
    hands.wait(5)
    assert keeps.now() - first == timedelta(seconds=15)
    assert keeps.steps() == [("2026-03-01T12:00:10.000Z", "2026-03-01T11:00:10.000Z")]
    assert keeps.steps() == []
    # and set right again
    hands.wall += timedelta(hours=1)
    assert keeps.now() - first == timedelta(seconds=15)
    assert len(keeps.steps()) == 1


def test_a_machine_that_slept_wakes_in_its_own_time(hands: Hands) -> None:
    keeps = clock.Clock()
    first = keeps.now()
    hands.wall += timedelta(hours=8)
    assert keeps.now() - first == timedelta(hours=8)
    hands.wait(1)
    assert keeps.now() - first == timedelta(hours=8, seconds=1)
    assert len(keeps.steps()) == 1


def test_no_command_of_the_server_is_refused_for_its_time(
    hands: Hands, monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    """Another worker may be ahead; and the step of the wall clock is on the record."""
    log = open_log(f"{tmp_path}/house.db")
    monkeypatch.setattr(clock, "_CLOCK", clock.Clock())
    casino = Casino(log)

    async def play() -> None:
        await casino.open("1", choose(MD), float_of("5000.00"), by="frank")
        ahead = clock.text(hands.wall + timedelta(minutes=5))
        await casino.act("1", c.ReceiveDecks(role="dealer", who="dora", at=ahead, deck="1"))
        hands.wall -= timedelta(hours=1)
        mine = c.InspectCards(role="dealer", who="dora", at=clock.now(), deck="1")
        await casino.act("1", mine)

    asyncio.run(play())
    state = casino.table("1").state
    assert state.decks["1"].stage == "inspected"
    assert state.at == "2026-03-01T12:05:00.000Z"
    recorded = [event.data for event in log.read(CLOCK)]
    assert recorded == [
        {"expected": "2026-03-01T12:00:00.000Z", "shown": "2026-03-01T11:00:00.000Z"}
    ]
    casino.close()


def test_a_deadline_is_no_nearer_when_the_wall_clock_is_set_forward(
    hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither that of a decision nor that of a session without use, and however often it is set."""
    monkeypatch.setattr(clock, "_CLOCK", clock.Clock())
    begun = clock.now()
    hands.wait(10)
    assert clock.steady(clock.now()) - clock.steady(begun) == 10
    for _ in range(2):
        hands.wall += timedelta(hours=8)
        between = clock.now()
        hands.wait(5)
    assert clock.steady(clock.now()) - clock.steady(begun) == 20
    assert clock.steady(clock.now()) - clock.steady(between) == 5
    hands.wall -= timedelta(hours=20)
    assert clock.steady(clock.now()) - clock.steady(begun) == 20
    assert monotonic_of(begun) == hands.passed - 20


def test_a_player_keeps_the_time_to_decide_when_the_clock_is_set() -> None:
    async def test(house: Any) -> None:
        await insurance(house, "rosa", "otto")
        with pytest.MonkeyPatch.context() as patch:
            ahead = clock._wall
            patch.setattr(clock, "_wall", lambda: ahead() + timedelta(hours=3))
            clock.now()
            left, _ = deadline(house.live, 1, frozenset())
            assert left > DECIDING - 30
            plan = house.dealer.plan(house.live)
            assert plan.at - clock.steady(clock.now()) > DECIDING - 30

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "_CLOCK", clock.Clock())
        in_a_house(test, "down-under", ACE_UP)
