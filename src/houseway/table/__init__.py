"""The live table: commands in, events out; procedures, devices, irregularities, views."""

# each part registers its commands with the engine; a family registers its own when it is loaded
from houseway.table.commands import COMMANDS, Command, read_command
from houseway.table.engine import awaited, decide, legal, run
from houseway.table.events import EVENTS, Event, read_event
from houseway.table.evolve import evolve, fold
from houseway.table.game import TABLE, TableGame
from houseway.table.moment import rules_of
from houseway.table.money import chip_inventory as inventory
from houseway.table.money import linked_meters as linked
from houseway.table.next_step import NextStep, next_steps
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
    shoe,
    shuffling,
    wagering,
)
from houseway.table.state import Table

_PARTS = (
    clearing,
    deciding,
    dealing,
    corrections,
    devices,
    inventory,
    irregularities,
    linked,
    opening,
    progressive,
    settling,
    shoe,
    shuffling,
    wagering,
)

# families bring commands, events and phases of their own
TABLE.load_all()

__all__ = [
    "COMMANDS", "EVENTS", "TABLE", "Command", "Event", "NextStep", "Table", "TableGame", "awaited",
    "decide", "evolve", "fold", "legal", "next_steps", "read_command", "read_event", "rules_of",
    "run",
]  # fmt: skip
