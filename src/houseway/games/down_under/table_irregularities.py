"""What 685a.12 foresees beyond other card games: cards not dealt, missed, refused; wrong lights."""

from __future__ import annotations

from collections import Counter

from houseway.cards import card
from houseway.errors import Refused
from houseway.games.down_under.hands import light
from houseway.games.down_under.table_hands import current, hands_of, turn_goes_on
from houseway.games.down_under.table_round import has_blackjack
from houseway.law import DOWN_UNDER, cites
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.card_source import draw
from houseway.table.engine import WAYS, Moment, action, way
from houseway.table.procedure.irregularities import hand_is_over, hand_of
from houseway.table.procedure.voiding import void
from houseway.table.round_building import hands_in
from houseway.table.state import UNKNOWN, seat_pile


def _passed_over(now: Moment, seat: int) -> None:
    step = WAYS["next_deal"](now)
    if step is None or step.to != seat_pile(seat):
        raise now.refuse("out_of_turn", f"seat {seat} was not passed over", "no_card_dealt")


@action(c.NoCardDealt, ("dealer", "floorperson"), ("dealing",), _passed_over)
@cites(DOWN_UNDER, "685a.12(f)")
def no_card_dealt(now: Moment, command: c.NoCardDealt) -> None:
    """No card: the hand is dead. One card: the second after the others, if the player wishes."""
    clause = now.clause("no_card_dealt")
    if hand_of(now, command.seat) and command.second_card:
        now.emit(e.DealtLate, clause, seat=command.seat)
        return
    if command.second_card:
        raise now.refuse("decision_not_open", "the hand has no first card", "no_card_dealt")
    hand_is_over(now, command.seat, "not dealt", clause)
    if not hands_in(now):
        WAYS["no_hands_left"](now)
    elif WAYS["next_deal"](now) is None:
        WAYS["after_first_cards"](now)


@way("no_hands_left")
def no_hands_left(now: Moment) -> None:
    """Every hand is dead: there is nothing to play for."""
    now.begin("clearing")


def _was_missed(now: Moment, seat: int) -> None:
    box = now.box(seat)
    if seat not in now.table.hands or box.out or "stand" not in box.decisions.values():
        raise now.refuse("out_of_turn", f"no card was missed at seat {seat}", "missed_hit")


@action(c.MissedHit, ("dealer", "floorperson"), ("deciding", "revealing"), _was_missed)
@cites(DOWN_UNDER, "685a.12(g)")
def missed_hit(now: Moment, command: c.MissedHit) -> None:
    """At the player's option a late card, before the hole card is turned, or a dead hand."""
    clause = now.clause("missed_hit")
    hand = _missed_hand(now, command)
    if command.late_card:
        now.emit(e.LateCardDue, clause, seat=command.seat, hand=hand)
        now.begin("deciding")
        return
    hand_is_over(now, command.seat, "missed", clause, hand)
    _go_on(now)


def _missed_hand(now: Moment, command: c.MissedHit) -> int:
    """The hand that was taken to stand; of two that stand it is named."""
    box = now.box(command.seat)
    stood = [hand for hand, decision in box.decisions.items() if decision == "stand"]
    if command.hand:
        stood = [hand for hand in stood if hand == command.hand]
    if len(stood) != 1:
        raise Refused(
            "which_hand",
            "say which hand of the split was missed" if stood else "no card was missed there",
            field="hand",
        )
    return stood[0] if box.split else 0


def _go_on(now: Moment) -> None:
    if not hands_in(now):
        no_hands_left(now)
    elif now.table.phase == "deciding":
        turn_goes_on(now)


def _exposed(now: Moment, seat: int) -> None:
    acting = current(now)
    if not now.table.aside or acting is None or acting[0] != seat:
        raise now.refuse("out_of_turn", f"no card is offered to seat {seat}", "refuse_card")


@action(
    c.RefuseCard,
    ("player", "dealer"),
    ("deciding",),
    _exposed,
    pressing=lambda now: bool(now.table.aside) and now.table.phase == "deciding",
)
@cites(DOWN_UNDER, "685a.12(c)")
def refuse_card(now: Moment, command: c.RefuseCard) -> None:
    """Who will not have the exposed card draws no more in this round."""
    box = now.box(command.seat)
    clause = now.clause("refuse_card")
    for hand in hands_of(box):
        if hand not in box.decisions:
            now.emit(e.Decided, clause, seat=box.seat, decision="refused", hand=hand)
    turn_goes_on(now)


@way("unused_card")
@cites(DOWN_UNDER, "685a.12(c)")
def unused_card(now: Moment) -> None:
    """An exposed card that neither player nor dealer can use goes to the rack."""
    if now.table.aside:
        taken = draw(now, 1, (now.table.aside,))
        clause = now.clause("discard_exposed_card")
        now.emit(e.CardsDealt, clause, to="discard", cards=taken, step=0)
        WAYS["look_for_cover_card"](now, "")


def _dealer_stands(now: Moment, _seat: int) -> None:
    # blackjacks and even money were paid before the dealer drew
    early = {box.seat for box in hands_in(now) if box.even_money or has_blackjack(now, box)}
    begun = any(
        line.wager in ("bet", "split", "double") and line.seat not in early
        for line in now.table.settled
    )
    if "hole" not in now.table.shown or "shoe" not in now.table.piles or begun:
        raise now.refuse("out_of_turn", "the dealer is not drawing", "dealer_drew_in_error")


@action(c.DealerDrewInError, ("dealer", "floorperson"), ("settling",), _dealer_stands)
@cites(DOWN_UNDER, "685a.12(d)")
def dealer_drew_in_error(now: Moment, command: c.DealerDrewInError) -> None:
    """A card drawn on a total on which the dealer stands goes to the rack."""
    taken = draw(now, 1, (command.card,) if command.card else ())
    clause = now.clause("dealer_drew_in_error")
    now.emit(e.DrawnInError, clause, card="" if UNKNOWN in taken else taken[0])
    now.emit(e.CardsDealt, clause, to="discard", cards=taken, step=0)
    WAYS["look_for_cover_card"](now, "")


#: a round that needs cards to be completed
COMPLETING = ("dealing", "deciding", "drawing")


def _empty(now: Moment, _seat: int) -> None:
    if "shoe" in now.table.piles:
        raise now.refuse("out_of_turn", "there are cards in the shoe", "shoe_runs_out")


def _card_awaited(now: Moment) -> bool:
    """Whether the round cannot go on without a card, and there is none."""
    waits = now.table.phase != "deciding" or WAYS["waits_for_card"](now)
    return waits and now.table.phase in COMPLETING and "shoe" not in now.table.piles


@action(
    c.ShoeRunsOut, ("dealer", "floorperson", "system"), COMPLETING, _empty, pressing=_card_awaited
)
@cites(DOWN_UNDER, "685a.12(e)")
def shoe_runs_out(now: Moment, command: c.ShoeRunsOut) -> None:
    """The discards are shuffled and the cut is offered; then one card goes back unseen."""
    held = now.table.piles.get("discard", ())
    clause = now.clause("shoe_runs_out")
    if command.order:
        known = Counter(text for text in held if text != UNKNOWN)
        if len(command.order) != len(held) or known - Counter(command.order):
            raise Refused("not_this_deck", "these are not the cards of the rack", field="order")
    order = command.order or (UNKNOWN,) * len(held)
    now.emit(
        e.CardsShuffled,
        clause,
        deck=now.table.in_play,
        gathered=("discard",),
        to="shoe",
        cards=order,
    )
    seats = WAYS["offer_cut"](now)
    now.emit(e.CutOrdered, clause, reason="the shoe ran out", seats=seats, again=False)
    now.begin("cutting")


@way("complete_the_round")
@cites(DOWN_UNDER, "685a.12(e)")
def complete_the_round(now: Moment) -> None:
    """With the discards cut, the first card goes to the rack face down and the round goes on."""
    clause = now.clause("shoe_runs_out")
    now.emit(e.CardsDealt, clause, to="discard", cards=draw(now, 1, ()), step=0)


# the broken reader


def _cannot_go_on(now: Moment, _seat: int) -> None:
    if not now.table.hands or now.table.devices["reader"].condition == "working":
        raise now.refuse("out_of_turn", "the round can be completed", "void_round")


@action(
    c.VoidRound,
    ("floorperson",),
    ("dealing", "matching", "insuring", "reading", "insurance", "deciding", "revealing", "drawing"),
    _cannot_go_on,
)
@cites(DOWN_UNDER, "685a.12(i)")
def void_round(now: Moment, command: c.VoidRound) -> None:
    """Nothing is dealt without the reader: where it cannot be repaired, the bets go back."""
    if not command.reason:
        raise Refused("no_reason", "a void round has a reason", field="reason")
    void(now, command.reason, "void_round")


# the wrong light


@way("check_light")
@cites(DOWN_UNDER, "685a.12(h)")
def check_light(now: Moment) -> bool:
    """Once the hole card is turned, a light that was wrong is found out."""
    shown = now.table.devices["reader"].shows
    hole = now.table.piles["hole"][0]
    if not shown or shown == light(now.rules, card(hole)) or now.table.trouble:
        return False
    _trouble(now, "light")
    return bool(now.table.light_seats)


def _trouble(now: Moment, cause: str) -> None:
    seats = tuple(box.seat for box in hands_in(now) if {"bet", "split"} & box.layout.keys())
    now.emit(e.LightWrong, now.clause("wrong_light"), cause=cause, seats=seats)
    if seats:
        now.begin("trouble")


def _read(now: Moment, _seat: int) -> None:
    if not now.table.devices["reader"].shows or now.table.trouble:
        raise now.refuse("out_of_turn", "the reader was not used", "wrong_light")


@action(c.WrongLight, ("dealer", "floorperson"), ("deciding", "revealing"), _read)
@cites(DOWN_UNDER, "685a.12(h)")
def wrong_light(now: Moment, command: c.WrongLight) -> None:
    """The hole card lies in the wrong area, or its light was seen to be wrong."""
    if command.cause not in ("light", "area"):
        raise Refused("no_such_cause", "the light or the area was wrong", field="cause")
    _trouble(now, command.cause)


def _in_trouble(now: Moment) -> bool:
    return now.table.phase == "trouble"


def _waits(now: Moment, seat: int) -> None:
    if seat not in now.table.light_seats:
        raise now.refuse("out_of_turn", f"seat {seat} waits for nothing", "wrong_light")


@action(c.HandGoesOn, ("dealer",), ("trouble",), _waits, pressing=_in_trouble)
@cites(DOWN_UNDER, "685a.12(h)")
def hand_goes_on(now: Moment, command: c.HandGoesOn) -> None:
    """The dealer's first way out: the hand goes on with the decisions already made."""
    now.emit(e.LightSettled, now.clause("hand_goes_on"), seat=command.seat)
    after_trouble(now)


@action(c.CallHandDead, ("dealer",), ("trouble",), _waits, pressing=_in_trouble)
@cites(DOWN_UNDER, "685a.12(h)")
def call_hand_dead(now: Moment, command: c.CallHandDead) -> None:
    """The second: the hand is dead and its bet goes back, one over 21 included."""
    clause = now.clause("call_hand_dead")
    box = now.box(command.seat)
    if command.hand and (not box.split or command.hand not in hands_of(box)):
        raise Refused(
            "no_such_hand", f"seat {box.seat} has no hand {command.hand} of a split", field="hand"
        )
    now.emit(e.LightSettled, clause, seat=command.seat, goes_on=False, hand=command.hand)
    hand_is_over(now, command.seat, f"wrong {now.table.trouble}", clause, command.hand)
    after_trouble(now)


def after_trouble(now: Moment) -> None:
    if now.table.light_seats:
        return
    if not hands_in(now):
        no_hands_left(now)
        return
    resume = now.table.resume
    if resume not in ("deciding", "insurance") and "hole" in now.table.shown:
        WAYS["dealer_goes_on"](now)
        return
    now.begin(resume)
    if resume == "deciding":
        turn_goes_on(now)
