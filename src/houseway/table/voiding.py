"""A void round: every wager goes back to the cent, the meters give theirs up, the cards go in."""

from __future__ import annotations

from houseway.money import dollars
from houseway.table import events as e
from houseway.table.chance import remove_deck
from houseway.table.engine import Moment
from houseway.table.progressive import contribute
from houseway.table.state import wager_of
from houseway.table.tray import chips_out


def void(now: Moment, why: str, step: str, *, deck_goes: bool = False) -> None:
    """All hands are void: wagers returned, an ante folded earlier in the round included."""
    clause = now.clause(step)
    now.say(e.RoundVoided, clause, why=why)
    return_all(now, clause)
    end_void(now, clause, deck_goes=deck_goes)


def return_all(now: Moment, clause: str) -> None:
    collected = now.table.phase not in ("chips", "betting")
    for seat in now.table.hands:
        box = now.table.boxes[seat - 1]
        for name, amount in box.wagers.items():
            wager, hand = wager_of(name)
            in_tray = amount - box.layout.get(name, 0)
            now.say(
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
    from houseway.table.clearing import gather, next_round

    gather(now, clause)
    now.say(e.RoundEnded, clause, round=now.table.round)
    if deck_goes:
        remove_deck(now, now.table.in_play, "the deck is not complete", clause)
        now.begin("opening")
    else:
        next_round(now)
