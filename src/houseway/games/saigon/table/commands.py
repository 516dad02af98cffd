"""The command that only Saigon 5 Card has."""

from __future__ import annotations

from houseway.table.commands import Command


class SetHands(Command, frozen=True, kw_only=True):
    """Set five cards as three and two."""

    seat: int
    three: tuple[str, ...] = ()
    two: tuple[str, ...] = ()
