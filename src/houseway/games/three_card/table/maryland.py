"""Three Card Poker in Maryland at the table: community cards, and the electronic version."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

from houseway.cards import Card
from houseway.errors import Refused
from houseway.game_api.round import Seat
from houseway.games.three_card.seats import ElectronicHand, ElectronicSeat
from houseway.games.three_card.table.common import ThreeCardTable
from houseway.law import MD, Rules, cites
from houseway.table.moment import Moment
from houseway.table.procedure.dealing import Deal
from houseway.table.procedure.wagering import by_hand
from houseway.table.round_building import Cards, holder, own_wagers
from houseway.table.state import Box

_FIVE_CARDS = "five_card_progressive"
#: the hands that the community cards make in the electronic version
_HANDS = (1, 2, 3)


def _electronic(rules: Rules) -> bool:
    return bool(rules.options.get("electronic"))


@lru_cache(maxsize=4)
@cites(MD, "11.F", "11.F(1)", "11.F(2)")
def _common_hands(community: int, size: int) -> tuple[Deal, ...]:
    """The hands of the electronic version lie open to all; the dealer's does not."""
    return (*([Deal("community", face_up=True)] * community), *([Deal("dealer")] * size))


class MarylandTable(ThreeCardTable):
    """Two community cards for the five-card progressive, or three common hands."""

    shared_piles: ClassVar[tuple[str, ...]] = ("community",)

    def check_hand(self, now: Moment, hand: int) -> None:
        """In the electronic version a wager names the hand that it is on."""
        if not _electronic(now.rules):
            super().check_hand(now, hand)
        elif hand not in _HANDS:
            raise Refused(
                "no_such_hand", "the community cards make hands 1, 2 and 3",
                clause=now.rules.chapter.fact("electronic_community").clause, field="hand",
            )  # fmt: skip

    def first_hand(self, now: Moment) -> int:
        return _HANDS[0] if _electronic(now.rules) else 0

    @cites(MD, "13.D", "11.F(2)")
    def hand_size(self, now: Moment, seat: int) -> int:
        """In the electronic version a player's cards are the nine community cards."""
        if seat and _electronic(now.rules):
            return now.rules.chapter.number("electronic_community")
        return super().hand_size(now, seat)

    def counted_piles(self, now: Moment, seat: int) -> tuple[str, ...]:
        if seat and _electronic(now.rules):
            return self.shared_piles
        return super().counted_piles(now, seat)

    @cites(MD, "13.D", "8.E(2)", "11.F(2)")
    def pile_size(self, now: Moment, place: str) -> int:
        if _electronic(now.rules):
            return now.rules.chapter.number("electronic_community")
        return len(self.dealt_beside(now))

    def deal_plan(self, now: Moment) -> tuple[Deal, ...]:
        if _electronic(now.rules):
            law = now.rules.chapter
            return _common_hands(law.number("electronic_community"), law.number("hand_cards"))
        return super().deal_plan(now)

    @cites(MD, "8.E(2)", "9.C(4)", "10.B(6)")
    def dealt_beside(self, now: Moment) -> tuple[Deal, ...]:
        """Community cards, if anybody has wagered on them."""
        table = now.table
        if now.options[_FIVE_CARDS] == "none" or not any(
            _FIVE_CARDS in table.boxes[seat - 1].wagers for seat in table.hands
        ):
            return ()
        return (Deal("community"),) * now.rules.chapter.number("five_card_community")

    def seat(self, now: Moment, box: Box, cards: Cards) -> Seat:
        if not _electronic(now.rules):
            return super().seat(now, box, cards)
        hands = tuple(
            ElectronicHand(number, own_wagers(now, placed), box.decisions.get(number))
            for number, placed in by_hand(box).items()
        )
        return ElectronicSeat(box.seat, {}, player=holder(now, box), hands=hands)

    @cites(MD, "11.D(7)(e)(i)", "11.D(9)(h)")
    def hands_that_count(self, now: Moment) -> list[Box]:
        """A hand that lay open before its wagers were abandoned still earns others envy."""
        boxes = (now.box(seat) for seat in now.table.hands)
        return [box for box in boxes if not box.out or self._lies_open(now, box)]

    def _lies_open(self, now: Moment, box: Box) -> bool:
        """Whether everybody sees a hand on which every decision was made."""
        piles = self.shared_piles if _electronic(now.rules) else self.hand_piles(box.seat)
        decided = all(
            hand in box.decisions or not self.asks(now, wagers)
            for hand, wagers in by_hand(box).items()
        )
        return decided and not now.table.shown.isdisjoint(piles)

    def community(self, now: Moment, seats: Sequence[Seat], cards: Cards) -> tuple[Card, ...]:
        """Without a hand that wagered on them the community cards decide nothing."""
        wanted = _electronic(now.rules) or any(_FIVE_CARDS in seat.wagers for seat in seats)
        return cards("community") if wanted else ()

    def pile_of_line(self, now: Moment, wager: str, seat: int) -> str:
        return "community" if wager == _FIVE_CARDS else ""
