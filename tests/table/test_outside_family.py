"""A family from outside the package brings commands, events and state of its own.

It is an installed package with an entry point; nothing in `houseway` names it. The test puts one on
the path of a new process, so that its commands do not stay in this one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TABLE_PART = '''
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from houseway.table.commands import Command
from houseway.table.actions import Actions
from houseway.table.events import Event, RoundEnded
from houseway.table.evolve.registry import evolves, moved
from houseway.table.game import TableGame
from houseway.table.procedure.deciding import WHO, check_turn, decisions_go_on
from houseway.table import events as e
from houseway.table.state import OwnState, Table

ACTIONS = Actions()


class GoToWar(Command, frozen=True, kw_only=True):
    """A second wager, and another card."""

    seat: int


class WarBegun(Event, frozen=True, kw_only=True):
    seat: int
    of_seat: ClassVar[bool] = True

    def text(self) -> str:
        return f"seat {self.seat} goes to war"


class WarState(msgspec.Struct, OwnState, frozen=True, tag="war", tag_field="family"):
    at_war: dict[int, int] = {}

    def after(self, event):
        return None if isinstance(event, RoundEnded) else self


@evolves(WarBegun)
def _begun(table: Table, event: WarBegun) -> Table:
    before = table.own.at_war if table.own else {}
    return moved(table, event, own=WarState({**before, event.seat: event.version}))


@ACTIONS.action(GoToWar, WHO, ("deciding",), check_turn, anywhere=True)
def go_to_war(now, command):
    now.emit(WarBegun, seat=command.seat)
    now.emit(e.Decided, seat=command.seat, decision="fold")
    decisions_go_on(now)


class WarTable(TableGame):
    actions: ClassVar[Actions] = ACTIONS
    own_state: ClassVar[type[OwnState] | None] = WarState
    phases = {"parley": "the parties talk"}
    when_late: ClassVar[tuple[str, ...]] = ("go_to_war",)


GAME: TableGame = WarTable()
'''

SCRIPT = """
import json
import sys

import msgspec

from houseway.cards import SeededSource
from houseway.floor.recorded_table import CODE
from houseway.law import PRIME
from houseway.table import COMMANDS, EVENTS, TABLE, Table, awaited, fold, legal, read_command
from houseway.table import read_event
from houseway.table.driver import Driver
from houseway.table.event_text import describe
from houseway.table.state import restore

# the game is played by the rules of a chapter that is there; only its table part is the outside one
from war.table import GAME

TABLE._loaded["three_card", "prime"] = GAME

driver = Driver(PRIME, source=SeededSource(1))
for seat in (1, 2):
    driver.seat_player(seat, f"player {seat}")
driver.ready()
for seat in (1, 2):
    driver.wager(seat, {"ante": "10.00"})
driver.until("deciding")
asked = awaited(driver.table)
open_now = legal(driver.table, "player", 1)
sent = read_command(json.dumps({
    "command": "go_to_war", "role": "player", "who": "player 1", "at": driver.clock.isoformat(),
    "seat": 1,
}))
events = driver.send("go_to_war", "player", seat=1)
own = driver.table.own
packed = msgspec.json.encode(msgspec.to_builtins(driver.table, str_keys=True))
again = msgspec.json.Decoder(Table, dec_hook=restore).decode(packed)
replayed = fold(read_event(msgspec.json.encode(event)) for event in driver.record)
driver.send("go_to_war", "player", seat=2)
while driver.table.hands:
    driver.house()
print(json.dumps({
    "asked": asked,
    "legal": open_now,
    "sent": type(sent).__name__,
    "said": describe(events[0]),
    "known": "go_to_war" in COMMANDS and "war_begun" in EVENTS,
    "own": type(own).__name__,
    "restored": again.own == own,
    "replayed": replayed.own == own,
    "after": driver.table.own,
    "code": any(name.endswith("war/table.py") for name in CODE),
}))
"""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A package `war` that is installed in a folder."""
    package = tmp_path / "war"
    package.mkdir()
    (package / "__init__.py").write_text('PARTS = {"table": "war.table:GAME"}\n')
    (package / "table.py").write_text(TABLE_PART)
    about = tmp_path / "war-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: war\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[houseway.games]\nwar = war:PARTS\n")
    return tmp_path


def test_a_family_from_outside_plays_with_commands_events_and_state_of_its_own(installed):
    path = os.pathsep.join((str(installed), os.environ.get("PYTHONPATH", "")))
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        check=False, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    heard = json.loads(done.stdout)
    assert heard["asked"] == [1]
    assert {"play", "fold", "go_to_war"} <= set(heard["legal"])
    assert heard["legal"][-1] == "go_to_war"
    assert heard["sent"] == "GoToWar"
    assert heard["said"] == "seat 1 goes to war"
    assert heard["known"]
    assert heard["own"] == "WarState"
    assert heard["restored"]
    assert heard["replayed"]
    assert heard["after"] is None
    assert heard["code"]
