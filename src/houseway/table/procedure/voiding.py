"""A void round: every wager is returned to the cent, also out of the meters, and the cards are collected."""

from __future__ import annotations

from houseway.game_api.round import LOST
from houseway.table import events as e
from houseway.table.card_source import remove_deck
from houseway.table.moment import Moment
from houseway.table.money.settlement_lines import due_out
from houseway.table.money.stakes import give_back
from houseway.table.procedure.progressive import take_back_contributions
from houseway.table.procedure.resettlement import compensate
from houseway.table.state import Due, open_stakes


def void(now: Moment, why: str, step: str, *, deck_goes: bool = False) -> None:
    """All hands are void: wagers returned, an ante folded earlier in the round included.

    What a meter has paid stands, and its wager counts as settled.
    """
    clause = now.clause(step)
    settled = now.table.settled
    stands = tuple(line for line in settled if line.meter)
    undone = [line for line in settled if line.result not in LOST and not line.meter]
    now.emit(e.RoundVoided, clause, why=why, stands=tuple(map(due_out, stands)))
    _take_back_payments(now, undone, stands, why, clause)
    return_all(now, clause)
    take_back_contributions(now, stands)
    end_void(now, clause, deck_goes=deck_goes)


def _take_back_payments(
    now: Moment, undone: list[Due], stands: tuple[Due, ...], why: str, clause: str
) -> None:
    """Payments made before the round was found to be void come back into the tray."""
    for seat in dict.fromkeys(line.seat for line in undone):
        won = sum(line.paid for line in undone if line.seat == seat)
        if won:
            compensate(now, seat, -won, why, clause)
    if undone:
        now.emit(e.SettlementCorrected, clause, lines=tuple(map(due_out, stands)))


def return_all(now: Moment, clause: str) -> None:
    """Return every open stake and every coupon of the round."""
    for box in now.table.boxes:
        for name in open_stakes(box):
            give_back(now, box.seat, name, clause)
        for name in box.wagers:
            now.game.give_back_beside(now, box.seat, name, clause)


def end_void(now: Moment, clause: str, *, deck_goes: bool = False) -> None:
    """The cards go to the rack, and from there to the shuffle or off the table."""
    from houseway.table.procedure.clearing import gather, next_round

    gather(now, clause, clause)
    over = now.game.shoe_is_over(now)
    now.emit(e.RoundEnded, clause, round=now.table.round, to_shuffle=over)
    if deck_goes:
        gone = now.table.in_play
        waiting = next((id for id in now.table.decks if id != gone), "")
        if waiting:
            now.emit(e.DeckTurn, now.clause("turn_decks"), out=gone, into=waiting)
        remove_deck(now, gone, "the deck is not complete", clause)
        now.begin("opening")
    else:
        next_round(now)
