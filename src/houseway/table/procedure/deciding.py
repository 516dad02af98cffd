"""The players' decisions, clockwise from the dealer's left, and the collection of what is given up."""

from __future__ import annotations

from houseway.game_api.round import Line
from houseway.game_api.settle import settle_unchecked
from houseway.law import MA, MD, PRIME, SAIGON, cites
from houseway.money import dollars
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.actions import action
from houseway.table.moment import Moment
from houseway.table.money.stakes import check_seated, give_back
from houseway.table.procedure.wagering import by_hand, decision_wager, of_all_hands
from houseway.table.round_building import hands_in, round_of
from houseway.table.spans import Span
from houseway.table.state import Box, Due, Table, key, open_stakes, wager_of

WHO = ("player", "dealer")


def undecided(now: Moment) -> list[tuple[int, int]]:
    """Seats and hands that have yet to decide, in the order in which they are asked."""
    found = []
    for seat in now.table.hands:
        box = now.table.boxes[seat - 1]
        if box.out or 0 in box.decisions:
            continue
        for hand, wagers in by_hand(box).items():
            if hand not in box.decisions and now.game.asks(now, wagers):
                found.append((seat, hand))
    return found


def hand_asked(table: Table, seat: int) -> int:
    """Which of several hands a seat decides on now; 0 where it wagers on one hand of its own."""
    now = Moment(table, "player")
    if not now.game.first_hand(now):
        return 0
    waiting = now.game.to_act(now)
    return waiting[0][1] if waiting and waiting[0][0] == seat else 0


def begin_decisions(now: Moment) -> None:
    if now.table.trouble == "exposed":
        now.begin("revealing")
        return
    now.begin("deciding")
    decisions_go_on(now)


def decisions_go_on(now: Moment) -> None:
    """Once everyone has decided, collect forfeited hands before the dealer's hand is shown."""
    if now.game.to_act(now):
        return
    now.begin("collecting" if forfeits(now) else "revealing")


def check_turn(now: Moment, seat: int, step: str = "play") -> None:
    """Refuse a decision from a seat whose turn it is not."""
    waiting = now.game.to_act(now)
    if not waiting or waiting[0][0] != seat:
        asked = f"seat {waiting[0][0]} is asked now" if waiting else "everyone has decided"
        raise now.refuse("not_your_turn", asked, step, seat=seat)


@cites(MA, "6(c)", "10(b)")
def _may_play(now: Moment, seat: int) -> None:
    """A play wager needs a player; for one who left the hand can only be folded."""
    check_turn(now, seat)
    check_seated(now.box(seat), now.clause("play"))


def _may_fold(now: Moment, seat: int) -> None:
    check_turn(now, seat)


def _hand(now: Moment, seat: int, hand: int) -> int:
    expected = now.game.to_act(now)[0][1]
    if hand and hand != expected:
        raise now.refuse("not_your_turn", f"hand {expected} of seat {seat} is asked now", "play")
    return expected


@action(c.Play, WHO, ("deciding",), _may_play)
@cites(MD, "11.B")
@cites(MA, "10(b)")
@cites(PRIME, "679a.11(b)")
def play(now: Moment, command: c.Play) -> None:
    """A second wager equal to the one that it follows."""
    hand = _hand(now, command.seat, command.hand)
    wager = decision_wager(now.rules.chapter)
    assert wager is not None
    wagers = now.box(command.seat).wagers
    amount = next(wagers[name] for one in wager.needs if (name := key(one, hand)) in wagers)
    clause = now.clause("play")
    now.emit(
        e.WagerPlaced, clause, seat=command.seat, wager=wager.id, amount=dollars(amount), hand=hand
    )
    now.emit(e.Decided, clause, seat=command.seat, decision="play", hand=hand)
    decisions_go_on(now)


@action(c.Fold, WHO, ("deciding",), _may_fold)
@cites(MD, "11.B", "11.C(1)", "11.C(2)", "11.C(3)")
@cites(MA, "10(b)")
@cites(PRIME, "679a.11(b)")
def fold(now: Moment, command: c.Fold) -> None:
    hand = _hand(now, command.seat, command.hand)
    now.emit(e.Decided, now.clause("fold"), seat=command.seat, decision="fold", hand=hand)
    decisions_go_on(now)


def _may_forfeit(now: Moment, seat: int) -> None:
    check_turn(now, seat)
    if not now.box(seat).player:
        raise now.refuse(
            "nobody_there", "only the player may forfeit a hand unseen: fold it", "forfeit_unseen"
        )


@action(c.ForfeitUnseen, WHO, ("deciding",), _may_forfeit)
@cites(MA, "10(b)")
def forfeit_unseen(now: Moment, command: c.ForfeitUnseen) -> None:
    """The whole hand is given up without being shown; its cards are counted only."""
    now.emit(e.Decided, now.clause("forfeit_unseen"), seat=command.seat, decision="forfeit")
    decisions_go_on(now)


# players who leave


def _abandoned(now: Moment, seat: int) -> None:
    box = now.box(seat)
    if box.player or not open_stakes(box) or box.out:
        raise now.refuse(
            "nobody_left", f"no player left wagers behind at seat {seat}", "declare_abandoned"
        )
    if not now.table.dealt:
        raise now.refuse("out_of_turn", "no card is dealt yet", "declare_abandoned")


@action(
    c.DeclareAbandoned,
    ("floorperson",),
    when=_abandoned,
    span=Span("first_card", "settlement"),
)
@cites(MD, "7.C(2)")
@cites(PRIME, "679a.7(b)")
@cites(SAIGON, "680a.7(b)")
def declare_abandoned(now: Moment, command: c.DeclareAbandoned) -> None:
    """The wagers that a player walked away from are taken as lost, and the hand is collected."""
    from houseway.table.procedure.settling import pay

    clause = now.clause("declare_abandoned")
    box = now.box(command.seat)
    void = now.game.void_wagers(now)
    for name in open_stakes(box):
        # a progressive wager lies in the tray already and is lost all the same
        wager, hand = wager_of(name)
        if wager in void:
            give_back(now, box.seat, name, now.game.why_again(now)[1])
        else:
            pay(now, Due(box.seat, wager, box.wagers[name], "lose", 0, clause, hand=hand))
    now.emit(e.HandOut, clause, seat=command.seat, why="abandoned")
    if now.table.shown.isdisjoint(now.game.first_piles(command.seat)):
        rack_hand(now, command.seat, clause)
    _without_hand(now)


@cites(MD, "7.C(2)")
@cites(PRIME, "679a.7(b)")
@cites(SAIGON, "680a.7(b)")
def _without_hand(now: Moment) -> None:
    """The round goes on from where it stands, one hand less in it."""
    from houseway.table.procedure.dealing import next_deal

    phase = now.table.phase
    if phase == "dealing" and next_deal(now) is None:
        now.game.after_deal(now)
    elif phase in ("deciding", "collecting"):
        decisions_go_on(now)
    elif phase == "settling":
        _settlement_without_hand(now)


@cites(MD, "12.E(4)", "11.D(7)(e)(i)")
def _settlement_without_hand(now: Moment) -> None:
    """What is still due is figured again.

    A hand that nobody has seen earns no other player anything; one that was turned lies there until
    the cards are cleared. What a meter would have paid to it is in the meter when it is the next
    player's turn.
    """
    from houseway.table.procedure.settling import figure

    figure(now)


def rack_hand(now: Moment, seat: int, clause: str, hand: int = 0) -> None:
    """Move a seat's cards, or those of one of its hands, to the rack."""
    for name in now.game.hand_piles(seat, hand):
        if name in now.table.piles:
            count = len(now.table.piles[name])
            now.emit(e.CardsMoved, clause, source=name, to="discard", count=count)


# what is given up


def is_folded(box: Box) -> bool:
    """Whether the player gave up the ante, with or without seeing the cards."""
    return any(decision in ("fold", "forfeit") for decision in box.decisions.values())


def forfeits(now: Moment) -> list[tuple[int, Line]]:
    """The wagers that folded hands gave up, as the games see it; no card decides them."""
    folded = {box.seat for box in hands_in(now) if is_folded(box)}
    if not folded:
        return []
    return [
        (result.seat, line)
        for result in settle_unchecked(round_of(now)).seats
        if result.seat in folded
        for line in result.lines
        if line.result == "forfeit"
    ]


def cards_still_needed(now: Moment, box: Box, given_up: list[tuple[int, Line]]) -> bool:
    """Whether a folded hand must stay: a wager on its own cards stands, or one looks at all hands."""
    gone = {key(line.wager, line.hand or 0) for seat, line in given_up if seat == box.seat}
    if "forfeit" in box.decisions.values():
        return False
    of_all = of_all_hands(now.rules.chapter)
    left = [name for name in box.layout if name not in gone and name not in of_all]
    # a progressive wager lies in the tray already
    left += [name for name in box.wagers if name not in box.layout and name not in gone]
    covered = any(name in other.wagers for other in now.table.boxes for name in of_all)
    return bool(left) or covered


@action(c.CollectForfeited, ("dealer",), ("collecting",))
@cites(MD, "11.D(1)")
@cites(MA, "10(b)", "9(c)(2)")
@cites(PRIME, "679a.11(c)")
def collect_forfeited(now: Moment, _command: c.CollectForfeited) -> None:
    """Forfeited wagers and their cards, before the dealer's hand is seen."""
    from houseway.table.money.settlement_lines import due_of
    from houseway.table.procedure.settling import pay

    given_up = forfeits(now)
    clause = now.clause("collect_forfeited")
    for seat in dict.fromkeys(seat for seat, _ in given_up):
        box = now.table.boxes[seat - 1]
        stays = cards_still_needed(now, box, given_up)
        for at, line in given_up:
            if at == seat:
                pay(now, due_of(seat, line))
        if not stays:
            rack_hand(now, seat, clause)
    now.begin("revealing")
