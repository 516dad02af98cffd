"""Saigon 5 Card at the table: five cards are set as three and two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from houseway.game_api.round import Line, Seat, Settlement
from houseway.game_api.settle import settle_unchecked
from houseway.games.saigon.seat import SaigonSeat
from houseway.games.saigon.table import showdown
from houseway.games.saigon.table.actions import ACTIONS
from houseway.games.saigon.table.events import HandsSet
from houseway.money import Cents
from houseway.table.actions import Actions
from houseway.table.event_text import PileName
from houseway.table.game import TableGame
from houseway.table.moment import Moment
from houseway.table.round_building import Cards, holder, own_wagers, round_of
from houseway.table.state import Box, Due, seat_pile


class SaigonTable(TableGame):
    """Two hands of each seat, the showdown hand turned only where it decides."""

    actions: ClassVar[Actions] = ACTIONS
    when_late: ClassVar[tuple[str, ...]] = ("set_hands", "decline_cut")
    pile_names: ClassVar[Mapping[str, PileName]] = {
        "three": PileName("the three-card hand of {seat}"),
        "two": PileName("the showdown hand of {seat}"),
    }

    def hand_piles(self, seat: int, hand: int = 0) -> tuple[str, ...]:
        return (seat_pile(seat), f"three.{seat}", f"two.{seat}")

    def box_piles(self, seat: int) -> dict[str, str]:
        return {"cards": seat_pile(seat), "three": f"three.{seat}", "two": f"two.{seat}"}

    def first_piles(self, seat: int) -> tuple[str, ...]:
        return (seat_pile(seat), f"three.{seat}")

    def asks(self, now: Moment, wagers: Mapping[str, Cents]) -> bool:
        return True

    def seat(self, now: Moment, box: Box, cards: Cards) -> Seat:
        three, two = cards(f"three.{box.seat}"), cards(f"two.{box.seat}")
        return SaigonSeat(
            box.seat,
            own_wagers(now, box.wagers),
            (*cards(seat_pile(box.seat)), *three, *two),
            player=holder(now, box),
            three=three or None,
            two=two or None,
        )

    def settlement(self, now: Moment, blank: frozenset[int]) -> Settlement | None:
        """Other cards may stand in for unknown ones, but not in hands that were set by what they are."""
        if any(line.seat in blank for line in now.table.settled):
            return None
        return settle_unchecked(round_of(now, blank))

    def arranged(self, now: Moment, cards: tuple[str, ...]) -> tuple[str, ...]:
        return showdown.arranged(now, cards)

    def deciding_piles(self, now: Moment, seat: int) -> list[str]:
        found = [seat_pile(seat), f"three.{seat}"]
        if f"two.{seat}" in now.table.piles and showdown.two_decides(now, seat):
            found.append(f"two.{seat}")
        return found

    def pile_of_line(self, now: Moment, wager: str, seat: int) -> str:
        made = now.rules.chapter.wagers.get(wager)
        return f"two.{seat}" if made is not None and made.settled_on == "five_cards" else ""

    def undecided_seat(self, now: Moment, pile: str) -> int:
        part, _, text = pile.partition(".")
        seat = int(text)
        # once a hand that does not qualify is known to be set rightly, the other two are for the Bonus
        decided = part == "two" and not showdown.three_qualify(now, seat)
        return 0 if decided and not showdown.setting_unseen(now, seat) else seat

    def lines(self, now: Moment) -> list[tuple[int, Line]] | None:
        showdown.set_right(now)
        return super().lines(now)

    def why_again(self, now: Moment) -> tuple[str, str]:
        if any(isinstance(event, HandsSet) for event in now.events):
            return "three of the cards qualify", now.clause("set_hands")
        return super().why_again(now)

    def part_to_turn(self, now: Moment, line: Due) -> str:
        two = f"two.{line.seat}"
        down = two in now.table.piles and two not in now.table.shown
        return "two" if down and showdown.decides(now, line) else ""

    def turn_step(self, now: Moment, seat: int, part: str) -> str:
        return showdown.why_two(now, seat) if part == "two" else super().turn_step(now, seat, part)


GAME: TableGame = SaigonTable()
