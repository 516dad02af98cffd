"""The registry of what each event does to a table, and small helpers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from houseway.money import Cents, cents
from houseway.table import events as e
from houseway.table.commands import snake
from houseway.table.state import OWN_STATES, Box, Table

E = TypeVar("E", bound=e.Event)
K = TypeVar("K")
V = TypeVar("V")

#: what each event does, by its type
EVOLVE: dict[type[e.Event], Callable[[Table, Any], Table]] = {}


def evolves(kind: type[E]) -> Callable[[Callable[[Table, E], Table]], Callable[[Table, E], Table]]:
    """Register what an event does, and with it an event of a family."""

    def register(function: Callable[[Table, E], Table]) -> Callable[[Table, E], Table]:
        EVOLVE[kind] = function
        if e.EVENTS.setdefault(snake(kind.__name__), kind) is not kind:
            raise TypeError(f"there are two events {kind.__name__}")
        return function

    return register


def code_files() -> tuple[str, ...]:
    """The files that say what events do to a table and what families keep, for snapshots."""
    modules = {function.__module__ for function in EVOLVE.values()}
    modules.update(state.__module__ for state in OWN_STATES.values())
    found = ((name, sys.modules[name].__file__) for name in sorted(modules))
    return tuple(file for _, file in found if file)


def moved(table: Table, event: e.Event, **changes: Any) -> Table:
    return replace(table, version=event.version, at=event.at, **changes)


def having(mapping: Mapping[K, V], changes: Mapping[K, V | None]) -> dict[K, V]:
    """A copy of a mapping with some entries changed; None removes one."""
    found = dict(mapping)
    for name, value in changes.items():
        if value is None:
            found.pop(name, None)
        else:
            found[name] = value
    return found


def with_box(table: Table, seat: int, **changes: Any) -> tuple[Box, ...]:
    boxes = list(table.boxes)
    boxes[seat - 1] = replace(boxes[seat - 1], **changes)
    return tuple(boxes)


def with_piles(table: Table, **piles: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    return {name: cards for name, cards in {**table.piles, **piles}.items() if cards}


def with_tray(table: Table, chips: Mapping[str, int]) -> dict[Cents, int]:
    if not chips:
        return dict(table.tray)
    tray = dict(table.tray)
    for value, count in chips.items():
        tray[cents(value)] = tray.get(cents(value), 0) + count
    return tray
