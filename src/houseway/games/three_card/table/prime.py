"""Three Card Prime at the table: the fourth card, and a dealer's card that is seen too early."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar

from houseway.cards import cards as read_cards
from houseway.game_api.round import Seat, Settlement
from houseway.games.three_card import hands as three_card
from houseway.games.three_card.prime import VOID_IF_EXPOSED, settle_exposed
from houseway.games.three_card.seats import FourthCardSeat
from houseway.games.three_card.table.common import ThreeCardTable
from houseway.law import PRIME, cites
from houseway.table.event_text import PileName
from houseway.table.moment import Moment
from houseway.table.procedure.dealing import Deal, deals_in_stacks
from houseway.table.round_building import Cards, one_hand_seat, round_of
from houseway.table.state import UNKNOWN, Box, Due, seat_pile

_PAIR_BONUS = "pair_bonus"


@lru_cache(maxsize=1024)
@cites(PRIME, "679a.10(g)", "679a.10(g)(1)", "679a.10(g)(2)")
def _stacks_of_four(
    seats: tuple[int, ...], size: int, fourth: tuple[int, ...], dealer: str
) -> tuple[Deal, ...]:
    """Stacks clockwise, the dealer's last; the top card of each is moved off."""
    return (
        *(
            Deal(
                seat_pile(seat), size + 1, top_to=f"fourth.{seat}" if seat in fourth else "discard"
            )
            for seat in seats
        ),
        Deal(dealer, size + 1, top_to="discard"),
    )


def _with_fourth(now: Moment) -> tuple[int, ...]:
    """The seats that get a fourth card: they have wagered on it."""
    table = now.table
    if now.options[_PAIR_BONUS] == "none":
        return ()
    return tuple(seat for seat in table.hands if _PAIR_BONUS in table.boxes[seat - 1].wagers)


class PrimeTable(ThreeCardTable):
    """A fourth card for the Pair Bonus, turned for a pair or better."""

    names: ClassVar[Mapping[str, str]] = {"all_six": "All-Six"}
    pile_names: ClassVar[Mapping[str, PileName]] = {
        "fourth": PileName("the fourth card of {seat}", "{seat} as its fourth card", single=True)
    }

    def hand_piles(self, seat: int, hand: int = 0) -> tuple[str, ...]:
        return (seat_pile(seat), f"fourth.{seat}")

    def own_piles(self, seat: int) -> tuple[str, ...]:
        """A fourth card lies face down for its player too."""
        return (seat_pile(seat),)

    def box_piles(self, seat: int) -> dict[str, str]:
        return {"cards": seat_pile(seat), "fourth": f"fourth.{seat}"}

    @cites(PRIME, "679a.13(c)")
    def hand_size(self, now: Moment, seat: int) -> int:
        """A fourth card belongs to the hand of a player who wagered on it."""
        return super().hand_size(now, seat) + (seat in _with_fourth(now))

    def deal_plan(self, now: Moment) -> tuple[Deal, ...]:
        if not now.options.get("stacks_of_four") or not deals_in_stacks(now):
            return super().deal_plan(now)
        left = now.options.get("dealer_stack") == "left_in_shoe"
        return _stacks_of_four(
            now.table.hands,
            now.rules.chapter.number("hand_cards"),
            _with_fourth(now),
            "dealer_stack" if left else "dealer",
        )

    @cites(PRIME, "679a.8(c)", "679a.9(b)", "679a.10(c)")
    def dealt_beside(self, now: Moment) -> tuple[Deal, ...]:
        return tuple([Deal(f"fourth.{seat}") for seat in _with_fourth(now)])

    def seat(self, now: Moment, box: Box, cards: Cards) -> Seat:
        held = one_hand_seat(now, box, cards)
        fourth = cards(f"fourth.{box.seat}")
        return held.as_kind(FourthCardSeat, fourth=fourth[0]) if fourth else held

    @cites(PRIME, "679a.13(d)")
    def settlement(self, now: Moment, blank: frozenset[int]) -> Settlement | None:
        """A dealer's card seen too early sends ante and play back, and optional wagers are settled."""
        if now.table.trouble == "exposed":
            return settle_exposed(round_of(now))
        return super().settlement(now, blank)

    @cites(PRIME, "679a.13(d)", "679a.7(b)")
    def void_wagers(self, now: Moment) -> tuple[str, ...]:
        """After a dealer's card was seen, ante and play: of a player who walked away too."""
        return VOID_IF_EXPOSED if now.table.trouble == "exposed" else ()

    def deciding_piles(self, now: Moment, seat: int) -> list[str]:
        found = super().deciding_piles(now, seat)
        if f"fourth.{seat}" in now.table.piles and _fourth_decides(now, seat):
            found.append(f"fourth.{seat}")
        return found

    def pile_of_line(self, now: Moment, wager: str, seat: int) -> str:
        return f"fourth.{seat}" if wager == _PAIR_BONUS else ""

    def part_to_turn(self, now: Moment, line: Due) -> str:
        """A fourth card is turned for a Pair Bonus that wins."""
        fourth = self.pile_of_line(now, line.wager, line.seat)
        down = fourth in now.table.piles and fourth not in now.table.shown
        return "fourth" if down and line.result == "win" else ""


@cites(PRIME, "679a.11(d)(2)(i)", "679a.11(d)(2)(ii)")
def _fourth_decides(now: Moment, seat: int) -> bool:
    """A fourth card is turned for a pair or better, and for nothing less."""
    held = now.table.piles.get(seat_pile(seat), ())
    if UNKNOWN in held:
        return False
    hand = read_cards(held)
    return three_card.outcomes(hand, three_card.value(hand))[-1] != "high_card"
