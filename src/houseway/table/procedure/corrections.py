"""Corrections: the floorperson puts right what was keyed in or paid wrongly.

Nothing is rewritten. A corrected card is a new event; payouts are calculated by the cards as
corrected and the decisions as they were taken, and what was paid already is made good. A round that
is over is not figured again: what was paid in it wrongly is corrected as a payment.
"""

from __future__ import annotations

from houseway.errors import Refused
from houseway.money import cents
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.actions import action
from houseway.table.card_source import named
from houseway.table.moment import Moment
from houseway.table.procedure.resettlement import compensate, settle_again
from houseway.table.procedure.settling import unknown
from houseway.table.state import UNKNOWN


def _in_a_round(now: Moment, _seat: int) -> None:
    if not now.table.hands:
        raise Refused(
            "out_of_turn",
            "the round is over and its wagers are gone: correct the payment, not the card",
        )


@action(c.CorrectCard, ("floorperson",), (), _in_a_round, anywhere=True)
def correct_card(now: Moment, command: c.CorrectCard) -> None:
    """A card that was keyed in wrongly; one that was seen elsewhere cannot be the right one."""
    held = _seen(now, command.place)
    number = command.number or (held.index(command.was) + 1 if command.was in held else 0)
    if not 1 <= number <= len(held) or held[number - 1] != command.was or command.was == UNKNOWN:
        raise Refused("not_these_cards", f"no {command.was} lies there", field="was")
    if not command.number and held.count(command.was) > 1:
        raise Refused(
            "which_card", f"several {command.was} lie there: say which by its number",
            field="number",
        )  # fmt: skip
    if command.card == command.was:
        raise Refused("not_wrong", f"that card is the {command.was}", field="card")
    named(now, (command.card,), "")
    before = now.table
    now.emit(
        e.CardCorrected,
        place=command.place,
        was=command.was,
        card=command.card,
        reason=command.reason,
        number=number,
    )
    now.game.corrected(now, before, command.reason)


def figure_again(now: Moment, reason: str) -> None:
    """Recalculate at once, or when a card that now matters has been turned and keyed in."""
    if now.table.phase not in ("settling", "clearing"):
        return
    lines = now.game.lines(now)
    if lines is None:
        now.emit(e.SettlementDue, lines=())
    else:
        settle_again(now, lines, reason)
    now.begin("settling" if now.table.due or unknown(now) else "clearing")


def _seen(now: Moment, place: str) -> tuple[str, ...]:
    """The cards of a place if they are or were face up: hidden ones cannot be probed."""
    table = now.table
    if place in table.shown and place in table.piles:
        return table.piles[place]
    seat = place.partition(".")[2]
    if place in table.racked and seat:
        box = table.boxes[int(seat.partition(".")[0]) - 1]
        if not box.out and not {"fold", "forfeit"} & set(box.decisions.values()):
            return table.racked[place]
    return ()


@action(c.CorrectPayment, ("floorperson",), anywhere=True)
def correct_payment(now: Moment, command: c.CorrectPayment) -> None:
    """A payment found wrong on review."""
    now.box(command.seat)
    amount = cents(command.amount)
    if not amount or command.to not in ("player", "house"):
        raise Refused("no_amount", "name an amount, to the player or to the house", field="amount")
    compensate(now, command.seat, amount if command.to == "player" else -amount, command.reason)
