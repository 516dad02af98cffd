"""A stake has one life: it is placed, may be raised, and ends exactly once.

It ends when it is settled (won, lost, pushed, forfeited), returned, taken back or struck. `Box.ended`
keeps what has ended. Two events open a stake again: a void round opens what the house took, and a
corrected settlement opens the lines that it replaces.

`STAKE_CHECKS` stand where events are emitted, so no part of the table can release a stake twice, let a
round end with a stake still open, or place chips for a seat where nobody sits. They never
apply to events that are read from a record.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from houseway.errors import Refused
from houseway.money import cents, dollars, spoken
from houseway.table import events as e
from houseway.table.procedure.tray import chips_out
from houseway.table.state import Box, Table, key, open_stakes, stake_of, wager_of

if TYPE_CHECKING:
    from houseway.table.moment import Moment


def _placed(table: Table, event: e.WagerPlaced) -> None:
    box = table.boxes[event.seat - 1]
    check_seated(box)
    if key(event.wager, event.hand) in box.ended:
        raise _ended(box, event.wager, event.hand)


def _released(
    table: Table, event: e.WagerReturned | e.WagerTakenBack | e.ProgressiveStruck
) -> None:
    _check_open(table.boxes[event.seat - 1], event.wager, event.hand, cents(event.amount))


def _settled(table: Table, event: e.WagerSettled) -> None:
    stake = cents(event.stake)
    if stake:
        _check_open(table.boxes[event.seat - 1], event.wager, event.hand, stake)


def _corrected(table: Table, event: e.SettlementCorrected) -> None:
    """Refuse to correct the line of a stake that did not end by its settlement."""
    settled = {(line.seat, line.wager, line.hand) for line in table.settled}
    for line in event.lines:
        which = (line["seat"], line["wager"], line.get("hand", 0))
        if which not in settled and cents(line["stake"]):
            _check_open(table.boxes[which[0] - 1], which[1], which[2], cents(line["stake"]))


def _round_ended(table: Table, _event: e.RoundEnded) -> None:
    for box in table.boxes:
        for name in open_stakes(box):
            wager, _ = wager_of(name)
            raise Refused(
                "stake_open",
                f"the {wager} of seat {box.seat} was neither settled nor returned",
                seat=box.seat,
            )


#: what must hold before an event of each kind is emitted; each refuses what would break it
STAKE_CHECKS: dict[type[e.Event], Callable[[Table, Any], None]] = {
    e.WagerPlaced: _placed,
    e.WagerReturned: _released,
    e.WagerTakenBack: _released,
    e.ProgressiveStruck: _released,
    e.WagerSettled: _settled,
    e.SettlementCorrected: _corrected,
    e.RoundEnded: _round_ended,
}


def _check_open(box: Box, wager: str, hand: int, amount: int) -> None:
    name = stake_of(box, wager, hand)
    if not name:
        raise Refused("no_wager", f"there is no {wager} at seat {box.seat}", seat=box.seat)
    if name in box.ended:
        raise _ended(box, wager, hand)
    if box.wagers[name] != amount:
        says = f"the {wager} of seat {box.seat} is {spoken(box.wagers[name])}, not {spoken(amount)}"
        raise Refused("not_the_stake", says, seat=box.seat)


def _ended(box: Box, wager: str, hand: int) -> Refused:
    how = box.ended[stake_of(box, wager, hand)]
    says = f"the {wager} of seat {box.seat} has ended already: {how}"
    return Refused("stake_ended", says, seat=box.seat)


def check_seated(box: Box, clause: str | None = None) -> None:
    """Refuse chips at a seat that its player has left."""
    if not box.player:
        raise Refused(
            "nobody_there",
            f"nobody sits at seat {box.seat}: no wager can be made there",
            clause=clause,
            seat=box.seat,
        )


def give_back(now: Moment, seat: int, name: str, clause: str) -> None:
    """Return an open stake to its player, from the tray if its chips are already there."""
    box = now.table.boxes[seat - 1]
    wager, hand = wager_of(name)
    amount = box.wagers[name]
    in_tray = amount - box.layout.get(name, 0)
    now.emit(
        e.WagerReturned,
        clause,
        seat=seat,
        wager=wager,
        amount=dollars(amount),
        hand=hand,
        tray=chips_out(now.table, in_tray) if in_tray else {},
    )
