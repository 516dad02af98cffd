"""Meters that other tables feed and empty: what they hold is read off before anything hangs on it.

A win is figured when the cards are seen and paid when its turn comes; in between another table may
have been paid, or have added to the meter. So the wins still due are figured again from what the
meter holds at that turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from houseway.games.round import Line
from houseway.law import MA, MD, cites
from houseway.meters import Meter
from houseway.money import cents, odds
from houseway.refusal import Refused
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.engine import Moment, action
from houseway.table.progressive import meter, meter_moved
from houseway.table.settling import line_out
from houseway.table.state import Due


@action(c.ReadMeters, ("system",), anywhere=True)
@cites(MD, "12.E(4)")
@cites(MA, "13(d)(c)")
def read_meters(now: Moment, command: c.ReadMeters) -> None:
    """The table takes over what the link says, and figures its open wins by it."""
    if not command.meters and not command.shares:
        raise Refused("nothing_to_read", "name the meters and what they hold", field="meters")
    for name, text in command.meters.items():
        if name not in now.table.meters:
            raise Refused("no_such_meter", f"this table has no meter {name}", field="meters")
        holds = _read(text)
        if holds != Fraction(now.table.meters[name]):
            after = Meter(holds, now.rules.meter(name).reset)
            meter_moved(now, name, after, "link", now.clause("grow_meter"))
    for name, (_, winners) in command.shares.items():
        if name not in now.table.meters or winners < 0:
            raise Refused("no_such_share", f"nobody shares {name} at this table", field="shares")
    due = tuple(_again(now, command))
    if due != now.table.due:
        now.say(e.SettlementDue, lines=tuple(map(_out, due)))


def _read(text: str) -> Fraction:
    whole, _, part = text.partition("/")
    if not (whole.isdecimal() and (part or "1").isdecimal() and int(part or 1)):
        raise Refused("not_an_amount", f"{text!r} is not a number of cents like 12345/7")
    return Fraction(int(whole), int(part or 1))


def _again(now: Moment, command: c.ReadMeters) -> Iterator[Due]:
    """The wins still due, each at what the meter will show at its turn, or at its equal share."""
    meters = {line.meter: meter(now, line.meter) for line in now.table.due if line.meter}
    for line in now.table.due:
        if line.meter in command.shares:
            text, winners = command.shares[line.meter]
            amount = cents(text)
            line = replace(line, paid=amount - line.stake, from_meter=amount, winners=winners)
        elif line.meter:
            amount, meters[line.meter] = meters[line.meter].paid(odds(line.odds).value)
            # as when it was first figured: the share is all that the player receives
            line = replace(line, paid=amount - line.stake, from_meter=amount)
        yield line


def _out(due: Due) -> dict[str, Any]:
    line = Line(
        due.wager, due.stake, due.result, due.paid, due.clause, due.odds or None,  # type: ignore[arg-type]
        due.hand or None, due.meter or None, due.from_meter, due.outcome or None,
    )  # fmt: skip
    out = {**line_out(due.seat, line), **({"validated": True} if due.validated else {})}
    return {**out, **({"winners": due.winners} if due.winners != 1 else {})}
