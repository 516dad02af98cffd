"""The course of a round of Down Under Blackjack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from houseway.cards import Card
from houseway.game_api.round import Line, Seat
from houseway.games.down_under.table import (
    before_decisions,
    hands,
    irregularities,
    missed_cards,
    reader,
)
from houseway.games.down_under.table.actions import ACTIONS
from houseway.games.down_under.table.corrections import card_corrected
from houseway.games.down_under.table.state import DownUnderState, PlayedBox, own, played
from houseway.money import dollars
from houseway.table import commands as c
from houseway.table.actions import Actions
from houseway.table.event_text import PileName
from houseway.table.game import TableGame
from houseway.table.moment import Moment
from houseway.table.procedure.dealing import Deal, steps_of_deal
from houseway.table.procedure.settling import may_settle, settle_next
from houseway.table.round_building import Cards
from houseway.table.spans import MOMENTS
from houseway.table.state import Box, OwnBox, OwnState, Table, hand_pile, seat_pile

#: what is settled before the dealer's hand is complete: the phase, its step, and what follows
_EARLY = {
    "matching": ("settle_match_the_dealer", before_decisions.after_matching),
    "insurance": ("collect_insurance", reader.after_insurance),
    "deciding": ("pay_blackjack", hands.turn_goes_on),
}


def _settled_by(now: Moment) -> tuple[str, ...]:
    return _EARLY[now.table.phase][:1] if now.table.phase in _EARLY else ()


ACTIONS.action(c.SettleNext, ("dealer",), ("settling", *_EARLY), may_settle, words=_settled_by)(
    settle_next
)


class DownUnderTable(TableGame):
    """Hands that grow card by card, a hole card under the reader, wagers settled early."""

    actions: ClassVar[Actions] = ACTIONS
    own_state: ClassVar[type[OwnState] | None] = DownUnderState
    own_box: ClassVar[type[OwnBox] | None] = PlayedBox
    round_line: ClassVar[tuple[str, ...]] = (
        "burning", "betting", "dealing", "matching", "insuring", "reading", "insurance", "deciding",
        "revealing", "drawing", "settling", "clearing",
    )  # fmt: skip
    moments: ClassVar[Mapping[str, str]] = {
        **MOMENTS,
        "bets_closed": "dealing",
        "last_card": "drawing",
        "shoe_in_use": "drawing",
    }
    phases: ClassVar[Mapping[str, str]] = {
        "matching": "Match-the-Dealer is being settled",
        "insuring": "insurance is open",
        "insurance": "losing insurance is being collected",
        "reading": "the hole card goes to the reader",
        "drawing": "the dealer draws",
    }
    names: ClassVar[Mapping[str, str]] = {"match_the_dealer": "Match-the-Dealer"}
    pile_names: ClassVar[Mapping[str, PileName]] = {
        "hole": PileName("the hole card", "the dealer as the hole card", single=True)
    }
    dealer_piles: ClassVar[tuple[str, ...]] = ("dealer", "hole")
    secret_piles: ClassVar[frozenset[str]] = frozenset(("hole",))
    devices: ClassVar[tuple[str, ...]] = ("reader",)
    when_late: ClassVar[tuple[str, ...]] = ("stand", "decline_insurance", "decline_cut")
    reports: ClassVar[Mapping[str, tuple[dict[str, Any], ...]]] = {
        **missed_cards.REPORTS,
        "wrong_light": ({"cause": "light"}, {"cause": "area"}),
    }

    def hand_piles(self, seat: int, hand: int = 0) -> tuple[str, ...]:
        return (hand_pile(seat, hand),) if hand else (seat_pile(seat), seat_pile(seat, 2))

    def box_piles(self, seat: int) -> dict[str, str]:
        return {"cards": seat_pile(seat), "second_hand": seat_pile(seat, 2)}

    def after_cut_in_round(self, now: Moment) -> None:
        irregularities.complete_the_round(now)

    def round_resumes(self, now: Moment) -> None:
        irregularities.go_on(now)

    # the deal

    def before_deal(self, now: Moment) -> None:
        before_decisions.first_card(now)

    def check_deal(self, now: Moment) -> None:
        before_decisions.check_reader(now)

    def deal_plan(self, now: Moment) -> tuple[Deal, ...]:
        return before_decisions.deal_plan(now.table.hands, *before_decisions.late_seats(now))

    def deal_steps(self, now: Moment, step: Deal) -> tuple[str, ...]:
        found = steps_of_deal(now, step)
        late = {seat_pile(seat) for seat in own(now.table).dealt_late}
        if step.to not in late:
            return found
        return tuple("deal_late_second" if name == "deal_second" else name for name in found)

    def after_deal(self, now: Moment) -> None:
        reader.first_cards_lie(now)

    # decisions

    def to_act(self, now: Moment) -> list[tuple[int, int]]:
        acting = hands.current(now)
        return [acting] if acting else []

    def waits_for_card(self, now: Moment) -> bool:
        return hands.waits_for_card(now)

    def deal_in_turn(self, now: Moment) -> tuple[str, ...]:
        return hands.deal_in_turn(now)

    def deal_awaited(self, now: Moment, cards: tuple[str, ...]) -> None:
        hands.deal_awaited(now, cards[0] if cards else "")

    # the settlement

    def seat(self, now: Moment, box: Box, cards: Cards) -> Seat:
        return before_decisions.seat_of(now.box(box.seat), cards)

    def hands_that_count(self, now: Moment) -> list[Box]:
        """A hand with one card decides nothing yet or, if it is dead, any more."""
        found = super().hands_that_count(now)
        return [box for box in found if before_decisions.has_two(now, box)]

    def dealer_hand(self, now: Moment, cards: Cards) -> tuple[Card, ...]:
        return before_decisions.dealer_hand(now, cards)

    def reveal(self, now: Moment, given: tuple[str, ...]) -> None:
        hands.reveal(now, given)

    def lines(self, now: Moment) -> list[tuple[int, Line]] | None:
        return before_decisions.all_lines(now)

    def settled_early(self, now: Moment) -> None:
        _EARLY[now.table.phase][1](now)

    def box_view(self, box: Box) -> dict[str, Any]:
        mine = played(box)
        doubled = {hand: dollars(amount) for hand, amount in mine.doubled.items()}
        return {"doubled": doubled, "even_money": mine.even_money}

    def corrected(self, now: Moment, before: Table, reason: str) -> None:
        card_corrected(now, before, reason)
