"""Corrections: the floorperson puts right what was keyed in or paid wrongly.

Nothing is rewritten. A corrected card is a new event; what it changes is figured again, and what
was paid already is compensated. A payment found wrong on review is compensated the same way.
"""

from __future__ import annotations

from houseway.games.round import Line
from houseway.money import Cents, cents, dollars
from houseway.refusal import Refused
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.chance import named
from houseway.table.engine import Moment, action
from houseway.table.rounds import in_order, settled
from houseway.table.settling import line_out
from houseway.table.state import Due
from houseway.table.tray import chips_in, chips_out


@action(
    c.CorrectCard,
    ("floorperson",),
    ("deciding", "collecting", "revealing", "settling"),
    anywhere=True,
)
def correct_card(now: Moment, command: c.CorrectCard) -> None:
    """A card that was keyed in wrongly; one that was seen elsewhere cannot be the right one."""
    held = now.table.piles.get(command.place, ())
    if command.was not in held or command.place in ("shoe", "discard", "shuffler"):
        raise Refused("not_these_cards", f"no {command.was} lies there", field="was")
    if not command.reason:
        raise Refused("no_reason", "a correction has a reason", field="reason")
    others = [text for text in held if text != command.was]
    named(now, (*others, command.card), command.place)
    before = _net(now.table.settled)
    now.say(
        e.CardCorrected,
        place=command.place,
        was=command.was,
        card=command.card,
        reason=command.reason,
    )
    if now.table.phase == "settling" and (now.table.due or now.table.settled):
        _figure_again(now, before, command.reason)


def _net(lines: tuple[Due, ...]) -> dict[tuple[int, str, int], Cents]:
    return {
        (line.seat, line.wager, line.hand): -line.stake
        if line.result in ("lose", "forfeit")
        else line.paid
        for line in lines
    }


def _key(seat: int, line: Line) -> tuple[int, str, int]:
    return seat, line.wager, line.hand or 0


def _figure_again(now: Moment, done: dict[tuple[int, str, int], Cents], reason: str) -> None:
    lines = in_order(now, settled(now))
    for seat in dict.fromkeys(seat for seat, _, _ in done):
        was = sum(net for (at, _, _), net in done.items() if at == seat)
        now_is = sum(line.net for at, line in lines if at == seat and _key(at, line) in done)
        # a bonus that only the right card pays has no line among those settled
        if now_is != was:
            compensate(now, seat, now_is - was, reason)
    left = [(seat, line) for seat, line in lines if _key(seat, line) not in done]
    now.say(
        e.SettlementDue,
        lines=tuple(line_out(seat, line) for seat, line in left if line.result != "forfeit"),
    )
    if not now.table.due:
        now.begin("clearing")


def compensate(now: Moment, seat: int, amount: Cents, reason: str) -> None:
    """So much more to the player; below nothing, so much back into the tray."""
    tray = chips_out(now.table, amount) if amount > 0 else chips_in(now.table, -amount)
    now.say(e.PaymentCorrected, seat=seat, amount=dollars(amount), reason=reason, tray=tray)


@action(c.CorrectPayment, ("floorperson",), anywhere=True)
def correct_payment(now: Moment, command: c.CorrectPayment) -> None:
    """A payment found wrong on review."""
    now.box(command.seat)
    amount = cents(command.amount)
    if not command.reason:
        raise Refused("no_reason", "a correction has a reason", field="reason")
    if not amount or command.to not in ("player", "house"):
        raise Refused("no_amount", "name an amount, to the player or to the house", field="amount")
    compensate(now, command.seat, amount if command.to == "player" else -amount, command.reason)
