"""Irregularities of every card game, each with the outcome that its chapter prescribes."""

from __future__ import annotations

from collections import Counter

from houseway.errors import Refused
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, cites
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.actions import action
from houseway.table.card_source import (
    LOST_ORDER,
    check_dealing_device,
    draw,
    known_already,
    named,
    seen_in,
)
from houseway.table.moment import Moment
from houseway.table.procedure.shoe import unused_card
from houseway.table.procedure.voiding import void
from houseway.table.spans import BEFORE_REVEAL, CARDS_TO_COME, DRAWING, WHOLE_ROUND
from houseway.table.state import UNKNOWN, exposed_cards, order_is_lost, wager_of


def _from_the_shoe(now: Moment, _seat: int) -> None:
    # before the first card a stack that is cut or shuffled once more is not drawn from
    prepared = now.table.phase != now.place and not now.table.dealt
    if "shoe" not in now.table.piles or not now.table.hands or prepared:
        raise now.refuse("out_of_turn", "no card is drawn now", "card_found_face_up")
    check_dealing_device(now)


@action(c.CardFoundFaceUp, ("dealer", "device"), when=_from_the_shoe, span=DRAWING)
@cites(MD, "13.A", "13.B")
@cites(MA, "14(a)")
@cites(PRIME, "679a.13(a)")
@cites(SAIGON, "680a.13(a)")
@cites(DOWN_UNDER, "685a.12(a)")
def card_found_face_up(now: Moment, command: c.CardFoundFaceUp) -> None:
    """It goes unused to the rack; with a second one the round is void, save in Down Under."""
    given = (command.card,) if command.card else ()
    behind = len(exposed_cards(now.table))
    cards = draw(now, 1, given, face_up=True, behind=behind)
    clause = now.clause("card_found_face_up")
    now.emit(e.FaceUpFound, clause, card=cards[0])
    now.emit(e.CardsDealt, clause, to="discard", cards=cards, step=0, behind=behind)
    now.game.after_card(now, "")
    if now.table.face_up > 1 and now.has_step("second_face_up"):
        void(now, "a second card lay face up", "second_face_up")


@action(c.CardDrawnInError, ("dealer", "device"), when=_from_the_shoe, span=DRAWING)
@cites(MD, "13.C")
@cites(MA, "14(b)")
@cites(PRIME, "679a.13(b)")
@cites(SAIGON, "680a.13(b)")
@cites(DOWN_UNDER, "685a.12(b)", "685a.12(c)")
def card_drawn_in_error(now: Moment, command: c.CardDrawnInError) -> None:
    """Unseen, it is the next card. Seen, in Down Under and after the deal, it is offered as that."""
    if not command.exposed:
        now.emit(e.DrawnInError, now.clause("card_drawn_in_error"))
        return
    if not now.has_step("card_exposed_in_error") or now.place in ("burning", "betting", "dealing"):
        raise now.refuse(
            "out_of_turn",
            "a card whose face was seen while the hands are dealt is not used: "
            "report it as found face up",
            "card_found_face_up",
            field="exposed",
        )
    behind = len(exposed_cards(now.table))
    top = now.table.piles["shoe"][behind]
    card = command.card or top
    if card == UNKNOWN:
        raise Refused("cards_not_known", "key in the card that was seen", field="card")
    if top == UNKNOWN:
        named(now, (card,))
    elif command.card:
        raise known_already("card")
    now.emit(e.DrawnInError, now.clause("card_exposed_in_error"), card=card, behind=behind)
    if now.place in ("settling", "clearing"):
        unused_card(now)  # nobody draws any more


def _has_hand(now: Moment, seat: int) -> None:
    if seat and seat not in now.table.hands:
        raise now.refuse(
            "no_wager", f"there is no hand at seat {seat}", "wrong_number_of_cards", seat=seat
        )


#: a wrong number of cards is often found when the hands are turned, or picked up
@action(c.WrongNumberOfCards, ("dealer", "floorperson"), when=_has_hand, span=WHOLE_ROUND)
@cites(MD, "13.D")
@cites(MA, "14(c)")
@cites(PRIME, "679a.13(c)")
@cites(SAIGON, "680a.13(c)")
def wrong_number_of_cards(now: Moment, command: c.WrongNumberOfCards) -> None:
    """A player or the dealer has too many or too few: all hands are void."""
    places = [name for name in now.game.shared_piles if now.game.pile_size(now, name)]
    if command.place and command.place not in places:
        there = " or ".join(places) or "no place in this round"
        raise Refused("no_such_place", f"cards of no seat lie in: {there}", field="place")
    if command.count == _should_have(now, command.seat, command.place):
        raise now.refuse(
            "not_wrong", f"{command.count} cards are the right number", "wrong_number_of_cards"
        )
    who = f"seat {command.seat}" if command.seat else "the dealer"
    why = f"{who} was dealt {command.count} cards"
    if command.place:
        why = f"the {command.place} cards were {command.count}"
    void(now, why, "wrong_number_of_cards")


def _should_have(now: Moment, seat: int, place: str) -> int:
    """How many cards belong there: while the hands are dealt, as many as were dealt so far."""
    if now.place != "dealing":
        return now.game.pile_size(now, place) if place else now.game.hand_size(now, seat)
    piles = (place,) if place else now.game.counted_piles(now, seat)
    return sum(len(now.table.piles.get(name, ())) for name in piles)


def _hidden_pile(now: Moment) -> str:
    """The dealer's cards that nobody should have seen yet."""
    piles = (name for name in now.game.dealer_piles[::-1] if name not in now.table.shown)
    return next((name for name in piles if name in now.table.piles), "")


def _hides_a_card(now: Moment, _seat: int) -> None:
    if not _hidden_pile(now):
        raise now.refuse("out_of_turn", "the dealer has no hidden card", "dealer_card_exposed")


def _optional_placed(now: Moment) -> bool:
    """Whether anybody in the round made a wager beside those against the dealer."""
    kinds = {id: wager.kind for id, wager in now.rules.chapter.wagers.items()}
    placed = [name for box in now.table.boxes for name in box.wagers]
    return any(kinds[wager_of(name)[0]] not in ("standard", "follows") for name in placed)


@action(c.DealerCardExposed, ("dealer", "floorperson"), when=_hides_a_card, span=BEFORE_REVEAL)
@cites(MD, "13.E")
@cites(MA, "14(d)")
@cites(PRIME, "679a.13(d)")
def dealer_card_exposed(now: Moment, command: c.DealerCardExposed) -> None:
    """Three Card Poker voids; so does Prime, but settles what is optional; others have no clause."""
    place = _hidden_pile(now)
    held = now.table.piles[place]
    seen = seen_in(now.table, place, now.who)
    hidden = place in now.game.secret_piles or Counter(held) - seen
    if command.card and UNKNOWN not in held and hidden:
        raise known_already("card")
    if command.card and not seen[command.card]:
        if UNKNOWN not in held:
            # who names it has keyed these in as they were dealt
            raise Refused("not_these_cards", "the dealer has no such card", field="card")
        named(now, (command.card,), place)
    clause = now.clause("dealer_card_exposed")
    now.emit(e.CardExposed, clause, place=place, card=command.card or held[-1])
    settles = now.has_step("exposed_card_settles_optional")
    if now.has_step("exposed_card_voids") or (settles and not _optional_placed(now)):
        void(now, "a card of the dealer was seen too early", "dealer_card_exposed")
    elif settles:
        now.emit(e.TroubleNoted, clause, trouble="exposed")
        if now.table.phase not in ("dealing", "stub"):
            now.begin("revealing")


def _cards_are_lost(now: Moment, _seat: int) -> None:
    if not now.table.hands or not order_is_lost(now.table):
        raise now.refuse("out_of_turn", "the round can be completed", *LOST_ORDER)


@action(c.VoidRound, ("floorperson",), when=_cards_are_lost, span=CARDS_TO_COME, anywhere=True)
@cites(MD, "13.G")
@cites(MA, "14(f)")
@cites(PRIME, "679a.13(f)")
@cites(SAIGON, "680a.13(e)")
def void_round(now: Moment, command: c.VoidRound) -> None:
    """The system's shoe fails to deal all cards of a round: it is void."""
    void(now, command.reason, next(filter(now.has_step, LOST_ORDER), ""))
