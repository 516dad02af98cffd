"""The end of a round: hands to the rack so that each can be rebuilt, and on to the next."""

from __future__ import annotations

from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, cites
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.actions import action
from houseway.table.moment import Moment
from houseway.table.procedure.deciding import rack_hand
from houseway.table.procedure.progressive import system_works
from houseway.table.procedure.shoe import collect_shoe, unused_card
from houseway.table.procedure.wagering import of_all_hands
from houseway.table.state import seat_pile


def to_clear(now: Moment) -> int:
    """Where cards are collected player by player: the seat that is settled and not yet cleared.

    A hand that decides a wager of others too stays face up until the end.
    """
    table = now.table
    of_all = of_all_hands(now.rules.chapter)
    open_seats = {line.seat for line in table.due if line.wager not in of_all}
    for seat in reversed(table.hands):
        name = seat_pile(seat)
        if name not in table.piles or name not in table.shown or seat in open_seats:
            continue
        if _settled_all(now, seat) and not now.game.stays_exposed(now, seat):
            return seat
    return 0


def _settled_all(now: Moment, seat: int) -> bool:
    """Whether a seat has nothing left to settle, apart from what all hands decide."""
    done = {line.key for line in now.table.settled if line.seat == seat}
    done.update(of_all_hands(now.rules.chapter))
    return done.issuperset(now.table.boxes[seat - 1].wagers)


def _may_clear(now: Moment, seat: int) -> None:
    if seat:
        if (
            not now.has_step("clear_by_player")
            or now.table.phase != "settling"
            or to_clear(now) != seat
        ):
            raise now.refuse("out_of_turn", f"seat {seat} is not to be cleared now", "clear_hands")
    elif now.table.phase != "clearing":
        raise now.refuse("out_of_turn", "wagers are still to be settled", "clear_hands")
    elif now.has_step("end_game") and _runs_progressive(now):
        raise now.refuse("end_game_first", "press END GAME first", "end_game")


def _progressive(now: Moment) -> list[str]:
    return [
        name
        for box in now.table.boxes
        for name in box.wagers
        if now.rules.chapter.wagers[name.partition("@")[0]].kind == "progressive"
    ]


@action(c.ClearHands, ("dealer",), ("settling", "clearing"), _may_clear)
@cites(MA, "10(c)", "10(c)(1)(iv)", "10(c)(2)(iii)")
@cites(MD, "3.B(4)", "3.B(5)")
@cites(PRIME, "679a.3(b)(3)", "679a.3(b)(4)")
@cites(SAIGON, "680a.3(b)(3)", "680a.3(b)(4)")
def clear_hands(now: Moment, command: c.ClearHands) -> None:
    """Cards to the rack in an order from which every hand can be rebuilt; the dealer's last."""
    clause = now.clause("clear_hands")
    if command.seat:
        rack_hand(now, command.seat, clause)
        return
    gather(now, clause, now.clause("clear_dealer", "clear_hands"))
    over = now.game.shoe_is_over(now)
    now.emit(e.RoundEnded, clause, round=now.table.round, to_shuffle=over)
    next_round(now)


@cites(MD, "11.E")
@cites(MA, "10(d)")
@cites(PRIME, "679a.11(e)")
@cites(SAIGON, "680a.11(f)")
@cites(DOWN_UNDER, "685a.7(s)", "685a.12(c)")
def gather(now: Moment, clause: str, dealers: str) -> None:
    """Everything that lies on the table goes to the rack: players' hands in order, dealer last.

    `dealers` is the clause by which the dealer's cards go.
    """
    unused_card(now)
    for seat in reversed(now.table.hands):
        rack_hand(now, seat, clause)
    for name in (*now.game.shared_piles, *now.game.dealer_piles):
        if name in now.table.piles:
            count = len(now.table.piles[name])
            now.emit(e.CardsMoved, dealers, source=name, to="discard", count=count)


@cites(MD, "3.B(3)", "3.B(4)", "3.B(5)")
@cites(MA, "2(b)(3)", "2(b)(4)", "2(b)(5)")
@cites(PRIME, "679a.3(b)(2)", "679a.3(b)(3)", "679a.3(b)(4)")
@cites(SAIGON, "680a.3(b)(2)", "680a.3(b)(3)", "680a.3(b)(4)")
@cites(DOWN_UNDER, "685a.7(d)", "685a.7(d)(1)")
def next_round(now: Moment) -> None:
    """After every round a shuffle; of two decks the waiting one comes in, already shuffled."""
    if not now.game.shoe_is_over(now):
        now.begin("betting")
        return
    if now.has_step("shoe_goes_on"):
        collect_shoe(now)
    turn_or_shuffle(now)


@cites(MD, "3.B(4)")
@cites(MA, "2(b)(4)", "2(b)(5)")
@cites(PRIME, "679a.3(b)(3)")
@cites(SAIGON, "680a.3(b)(3)")
@cites(DOWN_UNDER, "685a.3(b)(4)")
def turn_or_shuffle(now: Moment) -> None:
    """Of two decks the other comes in, shuffled already or still to be; no deck is played twice."""
    from houseway.table.procedure.opening import missing_decks
    from houseway.table.procedure.shuffling import cut_or_play

    out = now.table.in_play
    waiting = next((deck for id, deck in now.table.decks.items() if id != out), None)
    missing = missing_decks(now)
    if waiting is not None or missing:
        # where the one that waited was taken off the table, its replacement has the turn
        into = waiting.id if waiting is not None else ""
        now.emit(e.DeckTurn, now.clause("turn_decks"), out=out, into=into)
    if missing:
        now.begin("opening")
    elif waiting is not None and waiting.stage == "shuffled":
        cut_or_play(now)
    else:
        now.begin("shuffling")


@action(
    c.EndGame,
    ("dealer",),
    ("clearing",),
    lambda now, _: _may_end(now),
)
def end_game(now: Moment, _command: c.EndGame) -> None:
    """END GAME readies the progressive system for the next hand."""
    now.emit(e.ProgressiveUnlocked, now.clause("end_game"))


def _runs_progressive(now: Moment) -> bool:
    """Whether the progressive system waits for END GAME; it does not if it is out of order."""
    return now.table.locked and bool(_progressive(now)) and system_works(now)


def _may_end(now: Moment) -> None:
    if not _runs_progressive(now):
        raise now.refuse("out_of_turn", "no progressive game is running", "end_game")
