"""What an event does to a table: one small function for each. Nothing else changes a table.

These functions read no chapter, no clock and no random source. `fold` of a record is the table it
left.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from houseway.table import events as e

# each part registers what its events do
from houseway.table.evolve import cards, house, wagers
from houseway.table.evolve.registry import EVOLVE
from houseway.table.state import Table

_PARTS = (cards, house, wagers)


def evolve(table: Table, event: e.Event) -> Table:
    """The table after an event."""
    after = EVOLVE[type(event)](table, event)
    own = after.own
    if own is None or (kept := own.after(event)) is own:
        return after
    return replace(after, own=kept)


def fold(events: Iterable[e.Event], table: Table | None = None) -> Table:
    """The table that a record leads to."""
    table = table or Table()
    for event in events:
        table = evolve(table, event)
    return table
