"""A line of a settlement: as the games say it, as the table keeps it, as an event carries it."""

from __future__ import annotations

from typing import Any

from houseway.game_api.round import Line
from houseway.money import dollars
from houseway.table.state import Due


def due_of(seat: int, line: Line) -> Due:
    return Due(
        seat, line.wager, line.stake, line.result, line.paid, line.clause, line.odds or "",
        line.hand or 0, line.meter or "", line.from_meter, line.outcome or "",
    )  # fmt: skip


def due_out(line: Due) -> dict[str, Any]:
    """A line as an event carries it."""
    out: dict[str, Any] = {
        "seat": line.seat,
        "wager": line.wager,
        "stake": dollars(line.stake),
        "result": line.result,
        "paid": dollars(line.paid),
        "clause": line.clause,
    }
    if line.odds:
        out["odds"] = line.odds
    if line.hand:
        out["hand"] = line.hand
    if line.meter:
        out["meter"] = line.meter
        out["from_meter"] = dollars(line.from_meter)
    if line.outcome:
        out["outcome"] = line.outcome
    if line.validated:
        out["validated"] = True
    if line.winners != 1:
        out["winners"] = line.winners
    return out
