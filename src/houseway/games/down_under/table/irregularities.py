"""What 685a.12 foresees beyond other card games: cards not dealt, missed, refused; wrong lights."""

from __future__ import annotations

from collections import Counter

from houseway.errors import Refused
from houseway.games.down_under.table import commands as own_commands
from houseway.games.down_under.table import events as own_events
from houseway.games.down_under.table.actions import ACTIONS
from houseway.games.down_under.table.before_decisions import after_first_cards, has_blackjack
from houseway.games.down_under.table.hands import (
    current,
    dealer_goes_on,
    hands_of,
    turn_goes_on,
    waits_for_card,
)
from houseway.games.down_under.table.light import note_wrong_light
from houseway.games.down_under.table.state import own
from houseway.law import DOWN_UNDER, cites
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.card_source import draw
from houseway.table.engine import Moment
from houseway.table.procedure.dealing import next_deal
from houseway.table.procedure.deciding import rack_hand
from houseway.table.procedure.irregularities import BEFORE_THE_REVEAL, dealer_card_exposed
from houseway.table.procedure.shoe import cut_offers, look_for_cover_card
from houseway.table.procedure.voiding import void
from houseway.table.round_building import hands_in
from houseway.table.stakes import give_back
from houseway.table.state import DEAD, UNKNOWN, open_stakes, seat_pile, wager_of

# the dealer's up card lies open before insurance and the reader are through
ACTIONS.action(
    c.DealerCardExposed, ("dealer", "floorperson"), (*BEFORE_THE_REVEAL, "insuring", "reading")
)(dealer_card_exposed)

#: the hand of a split that a wager without a number is on
_SPLIT = {"bet": 1, "split": 2}


@cites(DOWN_UNDER, "685a.10(a)", "685a.12(g)")
def hand_is_over(now: Moment, seat: int, why: str, clause: str, hand: int = 0) -> None:
    """A dead hand: its wagers that are undecided go back, and its cards to the rack.

    The two of a split are hands of their own: one may be dead and the other play on.
    """
    box = now.box(seat)
    if DEAD in box.decisions.values():
        hand = 0  # the other is dead already, and with this one the seat is out
    for name in open_stakes(box):
        wager, number = wager_of(name)
        if not hand or (number or _SPLIT.get(wager)) == hand:
            give_back(now, seat, name, clause)
    now.emit(e.HandOut, clause, seat=seat, why=why, hand=hand)
    rack_hand(now, seat, clause, hand)


def _passed_over(now: Moment, seat: int) -> None:
    step = next_deal(now)
    if step is None or step.to != seat_pile(seat):
        raise now.refuse("out_of_turn", f"seat {seat} was not passed over", "no_card_dealt")


@ACTIONS.action(own_commands.NoCardDealt, ("dealer", "floorperson"), ("dealing",), _passed_over)
@cites(DOWN_UNDER, "685a.12(f)")
def no_card_dealt(now: Moment, command: own_commands.NoCardDealt) -> None:
    """No card: the hand is dead. One card: the second after the others, if the player wishes."""
    clause = now.clause("no_card_dealt")
    if seat_pile(command.seat) in now.table.piles and command.second_card:
        now.emit(own_events.DealtLate, clause, seat=command.seat)
        return
    if command.second_card:
        raise now.refuse("decision_not_open", "the hand has no first card", "no_card_dealt")
    hand_is_over(now, command.seat, "not dealt", clause)
    if not hands_in(now):
        no_hands_left(now)
    elif next_deal(now) is None:
        after_first_cards(now)


def no_hands_left(now: Moment) -> None:
    """Every hand is dead: there is nothing to play for."""
    now.begin("clearing")


def _was_missed(now: Moment, seat: int) -> None:
    box = now.box(seat)
    if seat not in now.table.hands or box.out or "stand" not in box.decisions.values():
        raise now.refuse("out_of_turn", f"no card was missed at seat {seat}", "missed_hit")


@ACTIONS.action(
    own_commands.MissedHit, ("dealer", "floorperson"), ("deciding", "revealing"), _was_missed
)
@cites(DOWN_UNDER, "685a.12(g)")
def missed_hit(now: Moment, command: own_commands.MissedHit) -> None:
    """At the player's option a late card, before the hole card is turned, or a dead hand."""
    clause = now.clause("missed_hit")
    hand = _missed_hand(now, command)
    if command.late_card:
        now.emit(own_events.LateCardDue, clause, seat=command.seat, hand=hand)
        now.begin("deciding")
        return
    hand_is_over(now, command.seat, "missed", clause, hand)
    _go_on(now)


def _missed_hand(now: Moment, command: own_commands.MissedHit) -> int:
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


@ACTIONS.action(
    own_commands.RefuseCard,
    ("player", "dealer"),
    ("deciding",),
    _exposed,
    pressing=lambda now: bool(now.table.aside) and now.table.phase == "deciding",
)
@cites(DOWN_UNDER, "685a.12(c)")
def refuse_card(now: Moment, command: own_commands.RefuseCard) -> None:
    """Who will not have the exposed card draws no more in this round."""
    box = now.box(command.seat)
    clause = now.clause("refuse_card")
    for hand in hands_of(box):
        if hand not in box.decisions:
            now.emit(e.Decided, clause, seat=box.seat, decision="refused", hand=hand)
    turn_goes_on(now)


def _dealer_stands(now: Moment, _seat: int) -> None:
    # blackjacks and even money were paid before the dealer drew
    early = {box.seat for box in hands_in(now) if box.even_money or has_blackjack(now, box)}
    begun = any(
        line.wager in ("bet", "split", "double") and line.seat not in early
        for line in now.table.settled
    )
    if "hole" not in now.table.shown or "shoe" not in now.table.piles or begun:
        raise now.refuse("out_of_turn", "the dealer is not drawing", "dealer_drew_in_error")


@ACTIONS.action(
    own_commands.DealerDrewInError, ("dealer", "floorperson"), ("settling",), _dealer_stands
)
@cites(DOWN_UNDER, "685a.12(d)")
def dealer_drew_in_error(now: Moment, command: own_commands.DealerDrewInError) -> None:
    """A card drawn on a total on which the dealer stands goes to the rack."""
    taken = draw(now, 1, (command.card,) if command.card else ())
    clause = now.clause("dealer_drew_in_error")
    now.emit(e.DrawnInError, clause, card="" if UNKNOWN in taken else taken[0])
    now.emit(e.CardsDealt, clause, to="discard", cards=taken, step=0)
    look_for_cover_card(now)


#: a round that needs cards to be completed
COMPLETING = ("dealing", "deciding", "drawing")


def _empty(now: Moment, _seat: int) -> None:
    if "shoe" in now.table.piles:
        raise now.refuse("out_of_turn", "there are cards in the shoe", "shoe_runs_out")


def _card_awaited(now: Moment) -> bool:
    """Whether the round cannot go on without a card, and there is none."""
    waits = now.table.phase != "deciding" or waits_for_card(now)
    return waits and now.table.phase in COMPLETING and "shoe" not in now.table.piles


@ACTIONS.action(
    own_commands.ShoeRunsOut,
    ("dealer", "floorperson", "system"),
    COMPLETING,
    _empty,
    pressing=_card_awaited,
)
@cites(DOWN_UNDER, "685a.12(e)")
def shoe_runs_out(now: Moment, command: own_commands.ShoeRunsOut) -> None:
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
    seats = cut_offers(now)
    now.emit(e.CutOrdered, clause, reason="the shoe ran out", seats=seats, again=False)
    now.begin("cutting")


@cites(DOWN_UNDER, "685a.12(e)")
def complete_the_round(now: Moment) -> None:
    """With the discards cut, the first card goes to the rack face down and the round goes on."""
    clause = now.clause("shoe_runs_out")
    now.emit(e.CardsDealt, clause, to="discard", cards=draw(now, 1, ()), step=0)


# the broken reader


def _cannot_go_on(now: Moment, _seat: int) -> None:
    if not now.table.hands or now.table.devices["reader"].condition == "working":
        raise now.refuse("out_of_turn", "the round can be completed", "void_round")


@ACTIONS.action(
    own_commands.VoidRound,
    ("floorperson",),
    ("dealing", "matching", "insuring", "reading", "insurance", "deciding", "revealing", "drawing"),
    _cannot_go_on,
)
@cites(DOWN_UNDER, "685a.12(i)")
def void_round(now: Moment, command: own_commands.VoidRound) -> None:
    """Nothing is dealt without the reader: where it cannot be repaired, the bets go back."""
    if not command.reason:
        raise Refused("no_reason", "a void round has a reason", field="reason")
    void(now, command.reason, "void_round")


# the wrong light


def _read(now: Moment, _seat: int) -> None:
    if not now.table.devices["reader"].shows or now.table.trouble:
        raise now.refuse("out_of_turn", "the reader was not used", "wrong_light")


@ACTIONS.action(
    own_commands.WrongLight, ("dealer", "floorperson"), ("deciding", "revealing"), _read
)
@cites(DOWN_UNDER, "685a.12(h)")
def wrong_light(now: Moment, command: own_commands.WrongLight) -> None:
    """The hole card lies in the wrong area, or its light was seen to be wrong."""
    if command.cause not in ("light", "area"):
        raise Refused("no_such_cause", "the light or the area was wrong", field="cause")
    note_wrong_light(now, command.cause)


def _in_trouble(now: Moment) -> bool:
    return now.table.phase == "trouble"


def _waits(now: Moment, seat: int) -> None:
    if seat not in own(now.table).light_seats:
        raise now.refuse("out_of_turn", f"seat {seat} waits for nothing", "wrong_light")


@ACTIONS.action(own_commands.HandGoesOn, ("dealer",), ("trouble",), _waits, pressing=_in_trouble)
@cites(DOWN_UNDER, "685a.12(h)")
def hand_goes_on(now: Moment, command: own_commands.HandGoesOn) -> None:
    """The dealer's first way out: the hand goes on with the decisions already made."""
    now.emit(own_events.LightSettled, now.clause("hand_goes_on"), seat=command.seat)
    after_trouble(now)


@ACTIONS.action(own_commands.CallHandDead, ("dealer",), ("trouble",), _waits, pressing=_in_trouble)
@cites(DOWN_UNDER, "685a.12(h)")
def call_hand_dead(now: Moment, command: own_commands.CallHandDead) -> None:
    """The second: the hand is dead and its bet goes back, one over 21 included."""
    clause = now.clause("call_hand_dead")
    box = now.box(command.seat)
    if command.hand and (not box.split or command.hand not in hands_of(box)):
        raise Refused(
            "no_such_hand", f"seat {box.seat} has no hand {command.hand} of a split", field="hand"
        )
    now.emit(own_events.LightSettled, clause, seat=command.seat, goes_on=False, hand=command.hand)
    hand_is_over(now, command.seat, f"wrong {now.table.trouble}", clause, command.hand)
    after_trouble(now)


def after_trouble(now: Moment) -> None:
    if own(now.table).light_seats:
        return
    if not hands_in(now):
        no_hands_left(now)
        return
    resume = now.table.resume
    if resume not in ("deciding", "insurance") and "hole" in now.table.shown:
        dealer_goes_on(now)
        return
    now.begin(resume)
    if resume == "deciding":
        turn_goes_on(now)
