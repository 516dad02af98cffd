"""Setting the hands: Saigon's one decision."""

from __future__ import annotations

from houseway.cards import cards as read_cards
from houseway.errors import Refused
from houseway.games.saigon.hands import values
from houseway.games.saigon.seat import SaigonSeat
from houseway.games.saigon.settlement import check_setting
from houseway.games.saigon.table.commands import SetHands
from houseway.games.saigon.table.events import HandsSet
from houseway.law import SAIGON, cites
from houseway.table.actions import Actions
from houseway.table.moment import Moment
from houseway.table.procedure.deciding import WHO, decisions_go_on
from houseway.table.state import UNKNOWN, seat_pile

ACTIONS = Actions()


@cites(SAIGON, "680a.11(b)")
def _has_not_set(now: Moment, seat: int) -> None:
    """Players set their hands in any order: none is prescribed."""
    if (seat, 0) not in now.game.to_act(now):
        raise now.refuse("not_your_turn", f"seat {seat} has no hand to set", "set_hands", seat=seat)


@ACTIONS.action(SetHands, WHO, ("deciding",), _has_not_set)
@cites(SAIGON, "680a.11(b)", "680a.11(b)(1)", "680a.11(b)(2)")
def set_hands(now: Moment, command: SetHands) -> None:
    """Three cards and two; without a word the best way, and unseen where nobody knows the cards."""
    held = now.table.piles[seat_pile(command.seat)]
    law = now.rules.chapter
    size = law.number("three_cards")
    if UNKNOWN in held:
        if command.three or command.two:
            raise Refused("cards_not_known", "these cards are keyed in when they are turned")
        three, two = held[:size], held[size:]
    elif command.three or command.two:
        if now.role != "player":
            raise now.refuse(
                "not_your_part",
                "only the player sees these cards; without cards they are set the best way",
                "set_hands",
                field="three",
            )
        three, two = command.three, command.two
        mine = SaigonSeat(
            command.seat, {}, read_cards(held), three=read_cards(three), two=read_cards(two)
        )
        check_setting(law, mine)
    else:
        best = values(law).best(read_cards(held))
        three, two = tuple(map(str, best.three)), tuple(map(str, best.two))
    now.emit(HandsSet, now.clause("set_hands"), seat=command.seat, three=three, two=two)
    decisions_go_on(now)
