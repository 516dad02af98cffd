"""The live table: commands in, events out; procedures, devices, irregularities, views."""

# each part registers its commands with the engine
from houseway.games.down_under import table_corrections as down_under_corrections
from houseway.games.down_under import table_hands as down_under_hands
from houseway.games.down_under import table_irregularities as down_under_troubles
from houseway.games.down_under import table_round as down_under_round
from houseway.games.down_under import table_shoe as down_under_shoe
from houseway.table import chip_inventory as inventory
from houseway.table import linked_meters as linked
from houseway.table.commands import COMMANDS, Command, read_command
from houseway.table.engine import NextStep, awaited, decide, legal, next_steps, rules_of, run
from houseway.table.events import EVENTS, Event, read_event
from houseway.table.evolve import evolve, fold
from houseway.table.procedure import (
    clearing,
    corrections,
    dealing,
    deciding,
    devices,
    irregularities,
    opening,
    progressive,
    settling,
    shuffling,
    wagering,
)
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
    "COMMANDS", "EVENTS", "Command", "Event", "NextStep", "Table", "awaited", "decide", "evolve",
    "fold", "legal", "next_steps", "read_command", "read_event", "rules_of", "run",
]  # fmt: skip
