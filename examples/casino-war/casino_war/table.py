"""Casino War at the live table: a tie is decided by the player, and a war is dealt after it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from casino_war.settlement import SURRENDER, WAR, is_tie
from houseway.cards import card
from houseway.law import cites
from houseway.money import dollars
from houseway.table import events as e
from houseway.table.actions import Actions
from houseway.table.card_source import draw
from houseway.table.commands import Command
from houseway.table.game import TableGame
from houseway.table.moment import Moment
from houseway.table.money.stakes import check_seated
from houseway.table.procedure.dealing import Deal
from houseway.table.procedure.deciding import WHO, check_turn
from houseway.table.procedure.settling import figure
from houseway.table.procedure.voiding import void
from houseway.table.round_building import hands_in
from houseway.table.spans import MOMENTS
from houseway.table.state import UNKNOWN, Table, seat_pile

ACTIONS = Actions()


class GoToWar(Command, frozen=True, kw_only=True):
    """Add a raise equal to the ante, and get another card."""

    seat: int


class Surrender(Command, frozen=True, kw_only=True):
    """Give up half of the ante."""

    seat: int


def _may_go_to_war(now: Moment, seat: int) -> None:
    """A raise needs a player; for one who left the tie can only be surrendered."""
    check_turn(now, seat, "go_to_war")
    check_seated(now.box(seat), now.clause("go_to_war"))


def _may_surrender(now: Moment, seat: int) -> None:
    check_turn(now, seat, "surrender")


@ACTIONS.action(GoToWar, WHO, ("deciding",), _may_go_to_war)
@cites("casino-war", "6(a)", "6(c)")
def go_to_war(now: Moment, command: GoToWar) -> None:
    clause, ante = now.clause("go_to_war"), now.box(command.seat).wagers["ante"]
    now.emit(e.WagerPlaced, clause, seat=command.seat, wager="raise", amount=dollars(ante))
    now.emit(e.Decided, clause, seat=command.seat, decision=WAR)
    _go_on(now)


@ACTIONS.action(Surrender, WHO, ("deciding",), _may_surrender)
@cites("casino-war", "6(a)", "6(b)")
def surrender(now: Moment, command: Surrender) -> None:
    now.emit(e.Decided, now.clause("surrender"), seat=command.seat, decision=SURRENDER)
    _go_on(now)


def _go_on(now: Moment) -> None:
    """The next tie, then the cards of the war, then the settlement."""
    if now.game.to_act(now) or now.game.waits_for_card(now):
        now.begin("deciding")
        return
    now.begin("settling")
    figure(now)


def _ties(table: Table) -> list[int]:
    """The seats whose first card ties the dealer's."""
    dealer = table.piles.get("dealer", (UNKNOWN,))[0]
    if dealer == UNKNOWN:
        return []
    return [
        seat
        for seat in table.hands
        if (mine := table.piles.get(seat_pile(seat))) and is_tie(card(mine[0]), card(dealer))
    ]


def _awaiting_card(now: Moment) -> list[str]:
    """The piles that are still to get their card of the war, the dealer's last."""
    at_war = [seat_pile(box.seat) for box in hands_in(now) if WAR in box.decisions.values()]
    places = [*at_war, "dealer"] if at_war else []
    return [place for place in places if len(now.table.piles[place]) == 1]


class CasinoWarTable(TableGame):
    """All cards lie face up. After a tie the player decides, and a war is dealt."""

    actions: ClassVar[Actions] = ACTIONS
    round_line: ClassVar[tuple[str, ...]] = ("dealing", "deciding", "settling", "clearing")
    #: the cards of a war are drawn while players decide, and the dealer hides no card
    moments: ClassVar[Mapping[str, str]] = {
        **MOMENTS,
        "bets_closed": "dealing",
        "last_card": "deciding",
        "shoe_in_use": "deciding",
        "reveal": "deciding",
    }
    dealer_piles: ClassVar[tuple[str, ...]] = ("dealer",)
    when_late: ClassVar[tuple[str, ...]] = ("surrender",)

    @cites("casino-war", "5(a)")
    def deal_plan(self, now: Moment) -> tuple[Deal, ...]:
        seats = (Deal(seat_pile(seat), face_up=True) for seat in now.table.hands)
        return (*seats, Deal("dealer", face_up=True))

    def after_deal(self, now: Moment) -> None:
        _go_on(now)

    @cites("casino-war", "6(a)")
    def to_act(self, now: Moment) -> list[tuple[int, int]]:
        boxes = {box.seat: box for box in hands_in(now)}
        ties = [seat for seat in _ties(now.table) if seat in boxes]
        return [(seat, 0) for seat in ties if not boxes[seat].decisions]

    def waits_for_card(self, now: Moment) -> bool:
        return not self.to_act(now) and bool(_awaiting_card(now))

    def deal_in_turn(self, now: Moment) -> tuple[str, ...]:
        return ("deal_war", "deal")

    @cites("casino-war", "6(d)")
    def deal_awaited(self, now: Moment, cards: tuple[str, ...]) -> None:
        """Three cards are burned before the first card of a war."""
        if len(now.table.piles["dealer"]) == 1 and not _begun(now):
            burned = draw(now, now.rules.chapter.number("war_burn_cards"), ())
            clause = now.clause("burn_for_war")
            now.emit(e.CardsDealt, clause, to="discard", cards=burned, step=0)
        (place, *_) = _awaiting_card(now)
        taken = draw(now, 1, cards, face_up=True)
        clause = now.clause("deal_war")
        now.emit(e.CardsDealt, clause, to=place, cards=taken, face_up=True, step=0)
        _go_on(now)

    def hand_size(self, now: Moment, seat: int) -> int:
        """A seat at war has a card more, and so has the dealer of a war."""
        law, boxes = now.rules.chapter, hands_in(now)
        at_war = [box.seat for box in boxes if WAR in box.decisions.values()]
        war = seat in at_war if seat else bool(at_war)
        return law.number("hand_cards") + (law.number("war_cards") if war else 0)

    @cites("casino-war", "8(b)")
    def corrected(self, now: Moment, before: Table, reason: str) -> None:
        """A tie that was none, or one that was overlooked, voids the round."""
        if now.table.phase != "dealing" and _ties(before) != _ties(now.table):
            void(now, reason, "tie_corrected")
        else:
            super().corrected(now, before, reason)


def _begun(now: Moment) -> bool:
    """Whether a card of the war was dealt."""
    return any(len(now.table.piles[seat_pile(seat)]) > 1 for seat in now.table.hands)


GAME: TableGame = CasinoWarTable()
