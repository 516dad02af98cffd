"""What happens at the tray beside the game: buy-ins, tips, fills, credits, the closing count."""

from __future__ import annotations

from houseway.errors import Refused
from houseway.money import cents, dollars
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.actions import action
from houseway.table.moment import Moment
from houseway.table.procedure.tray import chips_out, read_chips, total, value_of


def _amount(text: str) -> int:
    amount = cents(text)
    if not amount:
        raise Refused("no_amount", "name an amount", field="amount")
    return amount


def _sits(now: Moment, seat: int) -> None:
    if not now.box(seat).player:
        raise Refused("nobody_there", f"nobody sits at seat {seat}", seat=seat)


@action(c.BuyIn, ("dealer", "player"), when=_sits, anywhere=True, unasked=True)
def buy_in(now: Moment, command: c.BuyIn) -> None:
    """Exchange cash for chips; the cash goes into the drop box."""
    amount = _amount(command.amount)
    tray = chips_out(now.table, amount)
    now.emit(e.ChipsSold, seat=command.seat, amount=dollars(amount), tray=tray)


@action(c.Tip, ("player", "dealer"), when=_sits, anywhere=True, unasked=True)
def tip(now: Moment, command: c.Tip) -> None:
    """Put chips for the dealer into the tip box, not into the tray."""
    now.emit(e.TipGiven, seat=command.seat, amount=dollars(_amount(command.amount)))


@action(c.Fill, ("floorperson",), anywhere=True)
def fill(now: Moment, command: c.Fill) -> None:
    """Move chips from the cage into the tray."""
    chips = read_chips(command.chips, "chips")
    if not chips:
        raise Refused("no_amount", "a fill brings chips", field="chips")
    now.emit(e.TrayFilled, tray=chips)


@action(c.Credit, ("floorperson",), anywhere=True)
def credit(now: Moment, command: c.Credit) -> None:
    """Move chips from the tray back to the cage; never more than are there."""
    chips = read_chips(command.chips, "chips")
    for value, count in chips.items():
        if now.table.tray.get(cents(value), 0) < count:
            raise Refused("tray_short", f"the tray has fewer chips of {value}", field="chips")
    if not chips:
        raise Refused("no_amount", "a credit takes chips", field="chips")
    now.emit(e.TrayCredited, tray={value: -count for value, count in chips.items()})


def _may_close(now: Moment, _seat: int) -> None:
    if now.table.phase == "closed":
        raise Refused("not_open", "this table is closed")
    if now.table.hands:
        raise Refused("out_of_turn", "a round is being played; close between rounds")
    if any(box.layout for box in now.table.boxes):
        raise Refused(
            "out_of_turn", "wagers are on the layout; close between rounds, when they are gone"
        )


@action(c.CloseTable, ("floorperson",), (), _may_close, anywhere=True)
def close_table(now: Moment, command: c.CloseTable) -> None:
    """Count the tray and close the table; a difference from the record is recorded too."""
    count = read_chips(command.count, "count")
    now.emit(
        e.TableClosed, count=count, difference=dollars(value_of(count) - total(now.table.tray))
    )
