"""Misfortunes that every card game knows, each with the end that its chapter prescribes."""

from __future__ import annotations

from houseway.errors import Refused
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, cites
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.card_source import draw, named
from houseway.table.engine import Moment, action, known_already
from houseway.table.procedure.voiding import void
from houseway.table.state import UNKNOWN

#: while cards come out of the shoe
DRAWING = ("dealing", "deciding", "drawing")
#: from the first card until the dealer's hand is shown
BEFORE_THE_REVEAL = ("dealing", "stub", "deciding", "collecting", "revealing")


def _from_the_shoe(now: Moment, _seat: int) -> None:
    if "shoe" not in now.table.piles or not now.table.hands:
        raise now.refuse("out_of_turn", "no card is drawn now", "card_found_face_up")


@action(c.CardFoundFaceUp, ("dealer", "device"), DRAWING, _from_the_shoe)
@cites(MD, "13.A", "13.B")
@cites(MA, "14(a)")
@cites(PRIME, "679a.13(a)")
@cites(SAIGON, "680a.13(a)")
@cites(DOWN_UNDER, "685a.12(a)")
def card_found_face_up(now: Moment, command: c.CardFoundFaceUp) -> None:
    """It goes unused to the rack; with a second one the round is void, save in Down Under."""
    given = (command.card,) if command.card else ()
    cards = draw(now, 1, given, face_up=True)
    clause = now.clause("card_found_face_up")
    now.emit(e.FaceUpFound, clause, card=cards[0])
    now.emit(e.CardsDealt, clause, to="discard", cards=cards, step=0)
    now.game.after_card(now, "")
    if now.table.face_up > 1 and now.has_step("second_face_up"):
        void(now, "a second card lay face up", "second_face_up")


@action(c.CardDrawnInError, ("dealer", "device"), DRAWING, _from_the_shoe)
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
    if not now.has_step("card_exposed_in_error") or now.table.phase == "dealing":
        raise now.refuse(
            "out_of_turn",
            "a card whose face was seen while the hands are dealt is not used: "
            "report it as found face up",
            "card_found_face_up",
            field="exposed",
        )
    top = now.table.piles["shoe"][0]
    card = command.card or top
    if card == UNKNOWN:
        raise Refused("cards_not_known", "key in the card that was seen", field="card")
    if top == UNKNOWN:
        named(now, (card,), "aside")
    elif command.card:
        raise known_already("card")
    now.emit(e.DrawnInError, now.clause("card_exposed_in_error"), card=card)


def _has_hand(now: Moment, seat: int) -> None:
    if seat and seat not in now.table.hands:
        raise now.refuse(
            "no_wager", f"there is no hand at seat {seat}", "wrong_number_of_cards", seat=seat
        )


#: a wrong number of cards is often found when the hands are turned, or picked up
@action(
    c.WrongNumberOfCards,
    ("dealer", "floorperson"),
    (*BEFORE_THE_REVEAL, "settling", "clearing"),
    _has_hand,
)
@cites(MD, "13.D")
@cites(MA, "14(c)")
@cites(PRIME, "679a.13(c)")
@cites(SAIGON, "680a.13(c)")
def wrong_number_of_cards(now: Moment, command: c.WrongNumberOfCards) -> None:
    """A player or the dealer has too many or too few: all hands are void."""
    if command.count < 0:
        raise Refused("not_a_count", "cards are counted from nothing up", field="count")
    if command.count == now.game.hand_size(now, command.seat):
        raise now.refuse(
            "not_wrong", f"{command.count} cards are the right number", "wrong_number_of_cards"
        )
    who = f"seat {command.seat}" if command.seat else "the dealer"
    void(now, f"{who} was dealt {command.count} cards", "wrong_number_of_cards")


@action(c.DealerCardExposed, ("dealer", "floorperson"), BEFORE_THE_REVEAL)
@cites(MD, "13.E")
@cites(MA, "14(d)")
@cites(PRIME, "679a.13(d)")
def dealer_card_exposed(now: Moment, command: c.DealerCardExposed) -> None:
    """Three Card Poker voids, Prime settles what is optional, the others have no clause."""
    place = next((name for name in now.game.dealer_piles[::-1] if name in now.table.piles), "")
    if not place:
        raise now.refuse("out_of_turn", "the dealer has no card yet", "dealer_card_exposed")
    held = now.table.piles[place]
    if command.card and place in now.game.secret_piles and UNKNOWN not in held:
        raise known_already("card")
    if command.card and command.card not in held:
        if UNKNOWN not in held:
            # these were keyed in as they were dealt
            raise Refused("not_these_cards", "the dealer has no such card", field="card")
        named(now, (command.card,), place)
    clause = now.clause("dealer_card_exposed")
    now.emit(e.CardExposed, clause, place=place, card=command.card or held[-1])
    if now.has_step("exposed_card_voids"):
        void(now, "a card of the dealer was seen too early", "dealer_card_exposed")
    elif now.has_step("exposed_card_settles_optional"):
        now.emit(e.TroubleNoted, clause, trouble="exposed")
        if now.table.phase not in ("dealing", "stub"):
            now.begin("revealing")
