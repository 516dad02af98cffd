"""The round that lies on the table, as the games settle it.

The table decides no wager by itself: it puts a `Round` together and has it settled, unchecked. What
is wagered and dealt is checked when that is done. The rest of a round in which a hand was abandoned,
or a wager given back, need not be one that could be wagered. A hand that went to the rack unseen may
have cards that nobody knows; unknown cards stand in for them, since nothing that is settled depends
on which they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from msgspec.structs import replace

from houseway.cards import Card, cards
from houseway.game_api.round import LOST, Line, Round, Seat, Settlement
from houseway.law import MA, MD, PRIME, SAIGON, cites
from houseway.money import Cents
from houseway.table.card_source import unseen
from houseway.table.moment import Moment
from houseway.table.procedure.wagering import of_all_hands
from houseway.table.state import UNKNOWN, Box, seat_pile, wager_of


class Cards:
    """Cards of a place, on the table or in the rack, with stand-ins for the unknown."""

    def __init__(self, now: Moment) -> None:
        self._now = now
        self._spare: Iterator[str] | None = None
        #: places that have stand-ins
        self.unseen: set[str] = set()

    def __call__(self, *places: str) -> tuple[Card, ...]:
        table = self._now.table
        held: tuple[str, ...] = ()
        for place in places:
            here = table.racked.get(place, ()) + table.piles.get(place, ())
            if UNKNOWN in here:
                self.unseen.add(place)
            held += here
        return cards([self._known(text) for text in held] if UNKNOWN in held else held)

    def _known(self, text: str) -> str:
        if text != UNKNOWN:
            return text
        if self._spare is None:
            self._spare = iter(unseen(self._now))
        return next(self._spare)


def hands_in(now: Moment) -> list[Box]:
    """The boxes whose hands take part."""
    boxes = now.table.boxes
    return [box for seat in now.table.hands if not (box := boxes[seat - 1]).out]


@cites(PRIME, "679a.12(h)")
@cites(SAIGON, "680a.12(d)")
def settled_before_out(now: Moment) -> list[Box]:
    """Boxes that are out of the round, each with the wagers that its cards decided before.

    What they were paid counts toward a payout limit, and is put right with a corrected card.
    """
    done = decided_by_cards(now)
    found = []
    for seat in now.table.hands:
        box = now.table.boxes[seat - 1]
        mine = {name: x for name, x in box.wagers.items() if (seat, *wager_of(name)) in done}
        lying = Cards(now)
        lying(*now.game.hand_piles(seat))
        if box.out and mine and not lying.unseen:
            found.append(replace(box, wagers=mine))
    return found


def decided_by_cards(now: Moment) -> set[tuple[int, str, int]]:
    """The settled lines by seat, wager and hand, except those of wagers that were abandoned."""
    lost = now.clause("declare_abandoned")
    done = (x for x in now.table.settled if not lost or x.clause != lost)
    return {(x.seat, x.wager, x.hand) for x in done}


def holder(now: Moment, box: Box) -> str:
    """The player who sat at the box when the bets were closed, and whose hand it is."""
    return now.table.holders.get(box.seat, box.player)


def round_of(
    now: Moment, without: frozenset[int] = frozenset(), lying: Cards | None = None
) -> Round:
    """The round that is played, every decision made; `without` seats whose cards nobody knows."""
    lying, game = lying or Cards(now), now.game
    hands = game.hands_that_count(now)
    seats = tuple(game.seat(now, box, lying) for box in hands if box.seat not in without)
    meters = {name: shows(holds) for name, holds in now.table.meters.items()}
    community = game.community(now, seats, lying)
    return Round(now.rules, game.dealer_hand(now, lying), seats, community, meters)


def shows(holds: str) -> Cents:
    exact = Fraction(holds)
    return exact.numerator // exact.denominator


def one_hand_seat(now: Moment, box: Box, lying: Cards) -> Seat:
    """A box with one hand, as it was dealt."""
    return Seat(
        box.seat,
        own_wagers(now, box.wagers),
        lying(seat_pile(box.seat)),
        box.decisions.get(0),
        holder(now, box),
    )


def own_wagers(now: Moment, wagers: Mapping[str, Cents]) -> dict[str, Cents]:
    """The wagers that were made before a decision; the others follow from it."""
    made = now.rules.chapter.wagers
    return {
        name: amount
        for name, amount in wagers.items()
        if made[wager_of(name)[0]].made != "on_decision"
    }


@cites(MD, "11.D(3)")
@cites(MA, "10(c)(1)", "10(c)(1)(ii)", "10(c)(2)", "12(j)")
@cites(SAIGON, "680a.11(d)")
def in_order(now: Moment, settlement: Settlement) -> list[tuple[int, Line]]:
    """The lines in the order in which they are settled: from the dealer's right.

    Where the chapter settles by procedure, losing wagers come first; what the whole table decides
    comes when all players are done.
    """
    done = decided_by_cards(now)
    lines = [
        (seat.seat, line)
        for seat in sorted(settlement.seats, key=lambda seat: -seat.seat)
        for line in seat.lines
        # of a box that is out only what was settled before is still of interest
        if not now.box(seat.seat).out or (seat.seat, line.wager, line.hand or 0) in done
    ]
    if now.has_step("collect_losers_first"):
        lines.sort(key=lambda entry: entry[1].result not in LOST)
    of_all = of_all_hands(now.rules.chapter)
    last = [wager for wager in of_all if now.has_step(f"{wager}_last")]
    if last:
        lines.sort(
            key=lambda entry: last.index(entry[1].wager) + 1 if entry[1].wager in last else 0
        )
    return lines
