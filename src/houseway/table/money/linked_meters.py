"""Meters that other tables feed and empty: what they hold is read before anything depends on it.

A win is calculated when the cards are seen and paid when its turn comes; in between, another table
may have been paid, or have added to the meter. So the wins still due are recalculated from what the
meter holds at that turn.
"""

from __future__ import annotations

from fractions import Fraction

from houseway.errors import Refused, printable
from houseway.law import MA, MD, cites
from houseway.meters import Meter
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.actions import action
from houseway.table.moment import Moment
from houseway.table.money.settlement_lines import due_out
from houseway.table.procedure.progressive import at_the_meter, meter, meter_moved
from houseway.untrusted import whole_number


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
        reserve = _read(command.reserves.get(name, "0"))
        after = Meter(_read(text), now.rules.meter(name).reset, reserve)
        if after != meter(now, name):
            meter_moved(now, name, after, "link", now.clause("grow_meter"))
    for name, (_, winners) in command.shares.items():
        if name not in now.table.meters or winners < 0:
            raise Refused("no_such_share", f"nobody shares {name} at this table", field="shares")
    due = tuple(at_the_meter(now, now.table.due, command.shares))
    if due != now.table.due:
        now.emit(e.SettlementDue, lines=tuple(map(due_out, due)))


def _read(text: str) -> Fraction:
    whole, _, part = text.partition("/")
    top, bottom = whole_number(whole, _MOST), whole_number(part or "1", _MOST)
    if top is None or not bottom:
        raise Refused(
            "not_an_amount", f"{printable(text, 60)} is not a number of cents like 12345/7"
        )
    return Fraction(top, bottom)


#: a share of a meter is exact, and its denominator may be long
_MOST = 10**300
