"""A void round: every wager goes back to the cent, the meters give theirs up, the cards go in."""

from __future__ import annotations

from houseway.errors import Refused
from houseway.money import dollars
from houseway.table import events as e
from houseway.table.card_source import remove_deck
from houseway.table.engine import WAYS, Moment
from houseway.table.procedure.progressive import contribute
from houseway.table.procedure.resettlement import compensate
from houseway.table.procedure.tray import chips_out
from houseway.table.state import Due, wager_of


def void(now: Moment, why: str, step: str, *, deck_goes: bool = False) -> None:
    """All hands are void: wagers returned, an ante folded earlier in the round included."""
    clause = now.clause(step)
    paid = [line for line in now.table.settled if line.result not in ("lose", "forfeit")]
    _check_meters(paid)
    now.emit(e.RoundVoided, clause, why=why)
    _take_back_payments(now, paid, why, clause)
    return_all(now, clause, {(line.seat, line.key) for line in paid})
    end_void(now, clause, deck_goes=deck_goes)


def _check_meters(paid: list[Due]) -> None:
    """What a meter has paid, other tables may have been shown: that is not undone here."""
    for line in paid:
        if line.meter:
            raise Refused(
                "meter_has_paid",
                f"the {line.meter} meter has paid seat {line.seat} already; what is to come back "
                "is agreed with the floor and recorded as a corrected payment",
            )


def _take_back_payments(now: Moment, paid: list[Due], why: str, clause: str) -> None:
    """Payments made before the round was found to be void come back into the tray."""
    for seat in dict.fromkeys(line.seat for line in paid):
        won = sum(line.paid for line in paid if line.seat == seat)
        if won:
            compensate(now, seat, -won, why, clause)
    if paid:
        now.emit(e.SettlementCorrected, clause, lines=())


def return_all(now: Moment, clause: str, back: set[tuple[int, str]]) -> None:
    """Every wager of the round, save those whose stakes the players have `back` already."""
    collected = now.table.phase not in ("chips", "betting")
    for seat in now.table.hands:
        box = now.table.boxes[seat - 1]
        for name, amount in box.wagers.items():
            if (seat, name) in back:
                continue
            wager, hand = wager_of(name)
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
    if collected:
        contribute(now, "void")


def end_void(now: Moment, clause: str, *, deck_goes: bool = False) -> None:
    """The cards go to the rack, and from there to the shuffle or off the table."""
    from houseway.table.procedure.clearing import gather, next_round

    gather(now, clause)
    goes_on = now.has_step("shoe_goes_on") and not WAYS["shoe_is_over"](now)
    now.emit(e.RoundEnded, clause, round=now.table.round, to_shuffle=not goes_on)
    if deck_goes:
        gone = now.table.in_play
        waiting = next((id for id in now.table.decks if id != gone), "")
        if waiting:
            now.emit(e.DeckTurn, now.clause("turn_decks"), out=gone, into=waiting)
        remove_deck(now, gone, "the deck is not complete", clause)
        now.begin("opening")
    else:
        next_round(now)
