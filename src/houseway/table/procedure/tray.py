"""The table inventory container: chips by value, and how an amount is made of them.

Chip values divide one another, so taking the largest first finds the chips for an amount whenever
there are any.
"""

from __future__ import annotations

from collections.abc import Mapping

from houseway.errors import Refused
from houseway.money import Cents, cents, dollars, spoken
from houseway.table.state import Table

#: the values of chips that a float may hold
VALUES: tuple[Cents, ...] = tuple(
    cents(text)
    for text in (
        "10000.00", "5000.00", "1000.00", "500.00", "100.00", "25.00", "5.00", "1.00", "0.50",
        "0.25", "0.05", "0.01",
    )
)  # fmt: skip


def total(chips: Mapping[Cents, int]) -> Cents:
    return sum(value * count for value, count in chips.items())


def value_of(chips: Mapping[str, int]) -> Cents:
    return sum(cents(value) * count for value, count in chips.items())


def chips_in(table: Table, amount: Cents) -> dict[str, int]:
    """The chips that an amount on the layout is made of, as they go into the tray."""
    made: dict[str, int] = {}
    for value in _values(table):
        count, amount = divmod(amount, value)
        if count:
            made[dollars(value)] = count
    if amount:
        raise Refused("not_in_chips", f"{spoken(amount)} cannot be made of the chips in play")
    return made


def chips_out(table: Table, amount: Cents, kept: Mapping[str, int] | None = None) -> dict[str, int]:
    """Chips for a payment out of the tray, as negative counts; refused if the tray lacks them.

    Chips that are `kept` lie in the tray and pay nobody yet.
    """
    tray = dict(table.tray)
    for text, count in (kept or {}).items():
        tray[cents(text)] -= count
    made: dict[str, int] = {}
    left = amount
    for value in _values(table):
        count = max(0, min(left // value, tray.get(value, 0)))
        if count:
            made[dollars(value)] = -count
            left -= count * value
    if left:
        held = total(tray)
        beside = " beside what was just collected" if kept else ""
        why = (
            f"the tray holds {spoken(held)}{beside}"
            if held < amount
            else f"the tray has no chips for the last {spoken(left)}"
        )
        raise Refused(
            "tray_short", f"{spoken(amount)} cannot be paid: {why}; call for a fill", field="tray"
        )
    return made


def exchange(
    table: Table, into: Cents, out: Cents, kept: Mapping[str, int] | None = None
) -> dict[str, int]:
    """How a settlement changes the tray: only by the difference, since change is given."""
    if into >= out:
        return chips_in(table, into - out)
    return chips_out(table, out - into, kept)


def _values(table: Table) -> tuple[Cents, ...]:
    return tuple(sorted({*VALUES, *table.tray}, reverse=True))


def read_chips(given: Mapping[str, int], field: str) -> dict[str, int]:
    """Chips as somebody counted them; refused if a value is unknown or a count negative."""
    made = {}
    for text, count in given.items():
        value = cents(text)
        if value not in VALUES:
            raise Refused("no_such_chip", f"there is no chip of {spoken(value)}", field=field)
        if count < 0:
            raise Refused("no_such_chip", "chip counts must not be negative", field=field)
        if count:
            made[dollars(value)] = count
    return made
