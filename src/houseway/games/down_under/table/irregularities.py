"""The irregularities of 685a.12 that other card games do not have: cards not dealt, missed or
refused, and wrong lights.
"""

from __future__ import annotations

from collections import Counter
from functools import partial

from houseway.cards import cards
from houseway.errors import Refused
from houseway.games.down_under.hands import dealer_draws as draws_on
from houseway.games.down_under.hands import numbers
from houseway.games.down_under.table import commands as own_commands
from houseway.games.down_under.table import events as own_events
from houseway.games.down_under.table.actions import ACTIONS
from houseway.games.down_under.table.before_decisions import (
    after_matching,
    all_lines,
    become_due,
    has_blackjack,
    no_such_area,
)
from houseway.games.down_under.table.hands import (
    CORRECTED,
    current,
    dealer_cards,
    dealer_goes_on,
    hands_of,
    pile_of,
    turn_goes_on,
    waits_for_card,
)
from houseway.games.down_under.table.light import check_light, note_wrong_light
from houseway.games.down_under.table.reader import after_insurance, first_cards_lie
from houseway.games.down_under.table.state import own, played
from houseway.law import DOWN_UNDER, cites
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.actions import Fields
from houseway.table.card_source import check_dealing_device, draw, left_in_shoe
from houseway.table.moment import Moment
from houseway.table.money.stakes import give_back
from houseway.table.procedure.dealing import next_deal
from houseway.table.procedure.deciding import rack_hand
from houseway.table.procedure.irregularities import card_drawn_in_error, card_found_face_up
from houseway.table.procedure.resettlement import make_good
from houseway.table.procedure.shoe import cut_offers, look_for_cover_card, unused_card
from houseway.table.procedure.shuffling import resumed
from houseway.table.procedure.voiding import void
from houseway.table.round_building import hands_in
from houseway.table.spans import DRAWING, Span
from houseway.table.state import (
    DEAD,
    UNKNOWN,
    exposed_cards,
    open_stakes,
    order_is_lost,
    wager_of,
)

#: a card may come out wrongly as long as there is a shoe: with the burn card, before the first card
#: of a round, which closes the bets, and after the last
_ANY_CARD = Span("burning", "end")


def _next_card_lies_there(now: Moment, _seat: int) -> None:
    if not left_in_shoe(now.table):
        raise now.refuse("out_of_turn", "there is no card in the shoe", "card_found_face_up")
    check_dealing_device(now)


_while_cards_come = partial(
    ACTIONS.action, roles=("dealer", "device"), when=_next_card_lies_there, span=_ANY_CARD
)
_while_cards_come(c.CardFoundFaceUp)(card_found_face_up)
_while_cards_come(c.CardDrawnInError)(card_drawn_in_error)

#: the hand of a split that a wager without a number is on
HAND_OF = {"bet": 1, "split": 2}


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
        if not hand or (number or HAND_OF.get(wager)) == hand:
            give_back(now, seat, name, clause)
    now.emit(e.HandOut, clause, seat=seat, why=why, hand=hand)
    rack_hand(now, seat, clause, hand)


def no_hands_left(now: Moment) -> None:
    """Every hand is dead: there is nothing to play for, but what was settled by a card that was
    corrected since.
    """
    unused_card(now)
    if now.table.settled:
        make_good(now, all_lines(now), CORRECTED)
    now.begin("clearing")


#: when every box should have its first two cards, and none may have more
_BEFORE_DRAWS = ("matching", "insuring", "reading", "insurance", "deciding")


def go_on(now: Moment) -> None:
    """The round goes on from where it stands: a hand may have left it since, or be owed a card.

    In an interruption it waits until that is over.
    """
    if own(now.table).late_cards and now.table.phase in ("revealing", "drawing", "settling"):
        now.begin("deciding")
    if now.table.phase in _BEFORE_DRAWS and next_deal(now) is not None:
        # a box is found to have one card: its second comes before anything else
        if now.table.due:
            become_due(now, [])
        now.begin("dealing")
    phase = now.table.phase
    if not hands_in(now):
        no_hands_left(now)
    elif phase == "dealing":
        if next_deal(now) is None:
            first_cards_lie(now)
    elif phase == "matching":
        if not now.table.due:
            after_matching(now)
    elif phase == "insurance":
        if not now.table.due:
            after_insurance(now)
    elif phase == "deciding":
        if not now.table.due:
            turn_goes_on(now)
    elif phase in ("drawing", "settling"):
        dealer_goes_on(now)
    elif phase == "trouble":
        # the hands that waited may have been chosen for in a trouble that came between
        after_trouble(now)


def _offered(now: Moment) -> int:
    """The seat that is offered the next card: the one that acts, or one promised a late card."""
    acting = current(now)
    late = own(now.table).late_cards
    if acting is not None:
        return acting[0]
    return int(late[0].split(".")[1]) if late else 0


def _exposed(now: Moment, seat: int) -> None:
    if not now.table.aside or _offered(now) != seat:
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
    """Who will not have the exposed card draws no more in this round, at none of his boxes.

    A split hand that waits for its second card stays as it lies, and a late card is not dealt.
    """
    clause = now.clause("refuse_card")
    late = own(now.table).late_cards
    who = now.table.holders.get(command.seat, "")
    for box in hands_in(now):
        if box.seat != command.seat and (not who or now.table.holders.get(box.seat) != who):
            continue
        if has_blackjack(now, box) or played(box).even_money:
            continue
        for hand in hands_of(box):
            if hand not in box.decisions or pile_of(box, hand) in late:
                now.emit(e.Decided, clause, seat=box.seat, decision="refused", hand=hand)
    turn_goes_on(now)


def _dealer_stands(now: Moment, _seat: int) -> None:
    if "hole" not in now.table.shown or not left_in_shoe(now.table):
        raise now.refuse("out_of_turn", "the dealer is not drawing", "dealer_drew_in_error")
    draws = draws_on(now.rules, cards(dealer_cards(now)))
    if draws and now.place not in ("settling", "clearing"):
        raise now.refuse(
            "out_of_turn", "the dealer does not stand on this total", "dealer_drew_in_error"
        )
    check_dealing_device(now)


@ACTIONS.action(
    own_commands.DealerDrewInError,
    ("dealer", "floorperson"),
    when=_dealer_stands,
    span=Span("insurance", "end"),
)
@cites(DOWN_UNDER, "685a.12(d)")
def dealer_drew_in_error(now: Moment, command: own_commands.DealerDrewInError) -> None:
    """A card drawn on a total on which the dealer stands goes to the rack."""
    behind = len(exposed_cards(now.table))
    taken = draw(now, 1, (command.card,) if command.card else (), behind=behind)
    clause = now.clause("dealer_drew_in_error")
    now.emit(e.DrawnInError, clause, card="" if UNKNOWN in taken else taken[0], behind=behind)
    now.emit(e.CardsDealt, clause, to="discard", cards=taken, step=0, behind=behind)
    look_for_cover_card(now)


def _empty(now: Moment, _seat: int) -> None:
    if "shoe" in now.table.piles:
        raise now.refuse("out_of_turn", "there are cards in the shoe", "shoe_runs_out")


def _card_awaited(now: Moment) -> bool:
    """Whether the round cannot be completed without a card, and there is none."""
    phase = now.table.phase
    waits = phase in ("dealing", "drawing")
    if phase == "deciding":
        waits = waits_for_card(now) or current(now) is not None
    return waits and "shoe" not in now.table.piles


@ACTIONS.action(
    c.ShoeRunsOut,
    ("dealer", "floorperson", "system"),
    when=_empty,
    span=DRAWING,
    pressing=_card_awaited,
)
@cites(DOWN_UNDER, "685a.12(e)", "685a.5(h)")
def shoe_runs_out(now: Moment, command: c.ShoeRunsOut) -> None:
    """The discards are shuffled, and cut where cards are cut here; then one goes back unseen."""
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
    if not now.has_step("cut"):
        complete_the_round(now)
        return
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
    devices = (now.table.devices.get(id) for id in ("reader", "continuous_shuffler"))
    stopped = any(d and d.condition == "broken" for d in devices)
    if not now.table.hands or not (stopped or order_is_lost(now.table)):
        raise now.refuse("out_of_turn", "the round can be completed", "void_round")


@ACTIONS.action(
    c.VoidRound,
    ("floorperson",),
    when=_cannot_go_on,
    span=DRAWING,
    pressing=lambda now: bool(now.table.hands),
    by=lambda now: (_void_by(now),),
)
@cites(DOWN_UNDER, "685a.12(i)", "685a.12(k)")
def void_round(now: Moment, command: c.VoidRound) -> None:
    """Nothing is dealt without reader and shuffler: where one cannot be repaired, bets go back."""
    void(now, command.reason, _void_by(now))


def _void_by(now: Moment) -> str:
    """The step by whose clause the round cannot go on: the reader's, or the shuffler's."""
    reader = now.table.devices["reader"].condition == "broken"
    shuffler = now.table.devices.get("continuous_shuffler")
    stopped = shuffler is not None and shuffler.condition == "broken"
    return "set_device_aside" if stopped and not reader else "void_round"


# the wrong light


def _read(now: Moment, _seat: int) -> None:
    if _in_trouble(now):
        raise now.refuse("out_of_turn", "the dealer already chooses hand by hand", "wrong_light")
    if not now.table.devices["reader"].shows:
        raise now.refuse("out_of_turn", "the reader was not used", "wrong_light")
    if not any({"bet", "split"} & set(open_stakes(box)) for box in hands_in(now)):
        raise now.refuse("out_of_turn", "every bet is settled", "wrong_light")
    if {"light", "area"} <= set(own(now.table).light_causes):
        raise now.refuse("out_of_turn", "light and area were already corrected", "wrong_light")


def _wrong_how(now: Moment, _seat: int) -> list[Fields]:
    """The light, or another area than the light calls for; each once in a round."""
    shows, known = now.table.devices["reader"].shows, own(now.table).light_causes
    areas = [area for area, color in numbers(now.rules).lights.items() if color != shows]
    ways: list[Fields] = [] if "light" in known else [{"cause": "light"}]
    return ways + [{"cause": "area", "area": area} for area in areas if "area" not in known]


@ACTIONS.action(
    own_commands.WrongLight,
    ("dealer", "floorperson"),
    when=_read,
    span=Span("insurance", "settlement"),
    choices=_wrong_how,
)
@cites(DOWN_UNDER, "685a.12(h)")
def wrong_light(now: Moment, command: own_commands.WrongLight) -> None:
    """The dealer's hand lies in the wrong area, or its light was seen to be wrong."""
    if command.cause not in ("light", "area"):
        raise Refused("no_such_cause", "the light or the area was wrong", field="cause")
    if command.cause in own(now.table).light_causes:
        raise now.refuse(
            "out_of_turn", f"the {command.cause} was put right in this round", "wrong_light"
        )
    if command.area:
        _check_area(now, command)
    note_wrong_light(now, command.cause, command.area)


def _check_area(now: Moment, command: own_commands.WrongLight) -> None:
    """The area in which the hand was found is one of the three, and not the one of the light."""
    lights = numbers(now.rules).lights
    if command.area not in lights:
        raise no_such_area(now)
    if command.cause == "area" and lights[command.area] == now.table.devices["reader"].shows:
        raise now.refuse(
            "not_wrong", f"{command.area} is the area that the light calls for", "wrong_light",
            field="area",
        )  # fmt: skip


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


def _dead_hands(now: Moment, seat: int) -> list[Fields]:
    """All that a seat has, or one hand of its split."""
    box = now.box(seat)
    return [{"hand": hand} for hand in (0, *(hands_of(box) if played(box).split else ()))]


@ACTIONS.action(
    own_commands.CallHandDead,
    ("dealer",),
    ("trouble",),
    _waits,
    pressing=_in_trouble,
    choices=_dead_hands,
)
@cites(DOWN_UNDER, "685a.12(h)")
def call_hand_dead(now: Moment, command: own_commands.CallHandDead) -> None:
    """The second: the hand is dead and its bet goes back, one over 21 included."""
    clause = now.clause("call_hand_dead")
    box = now.box(command.seat)
    if command.hand and (not played(box).split or command.hand not in hands_of(box)):
        raise Refused(
            "no_such_hand", f"seat {box.seat} has no hand {command.hand} of a split", field="hand"
        )
    now.emit(own_events.LightSettled, clause, seat=command.seat, goes_on=False, hand=command.hand)
    hand_is_over(now, command.seat, f"wrong {now.table.trouble}", clause, command.hand)
    after_trouble(now)


def after_trouble(now: Moment) -> None:
    """The dealer has chosen for every hand: the round goes on where it was interrupted."""
    if own(now.table).light_seats:
        return
    if not hands_in(now):
        no_hands_left(now)
        return
    resume = resumed(now)
    mine = own(now.table)
    turned = resume == "revealing" and "hole" in now.table.shown
    if turned and "light" in mine.light_causes and not mine.late_cards:
        # the wrong light was found as the hole card was turned
        dealer_goes_on(now)
        return
    now.begin(resume)
    if "hole" not in now.table.shown or not check_light(now):
        go_on(now)
