"""The live table: commands in, events out; procedures, devices, irregularities, views."""

# each part registers its commands with the engine
from houseway.table import (
    clearing,
    corrections,
    dealing,
    deciding,
    devices,
    down_under_corrections,
    down_under_hands,
    down_under_round,
    down_under_shoe,
    down_under_troubles,
    inventory,
    irregularities,
    linked,
    opening,
    progressive,
    settling,
    shuffling,
    wagering,
)
from houseway.table.commands import COMMANDS, Command, read_command
from houseway.table.engine import NextStep, decide, legal, next_steps, rules_of, run
from houseway.table.events import EVENTS, Event, read_event
from houseway.table.evolve import evolve, fold
from houseway.table.state import Table

_PARTS = (
    clearing,
    deciding,
    dealing,
    down_under_corrections,
    down_under_hands,
    down_under_round,
    down_under_shoe,
    down_under_troubles,
    corrections,
    devices,
    inventory,
    irregularities,
    linked,
    opening,
    progressive,
    settling,
    shuffling,
    wagering,
)

__all__ = [
    "COMMANDS", "EVENTS", "Command", "Event", "NextStep", "Table", "decide", "evolve", "fold",
    "legal", "next_steps", "read_command", "read_event", "rules_of", "run",
]  # fmt: skip
