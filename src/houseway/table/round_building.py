"""The round that lies on the table, as the games settle it.

The table decides no wager by itself: it puts a `Round` together and asks `settle`. A hand that went
to the rack unseen may have cards that nobody knows; unknown cards stand in for them, since nothing
that is settled depends on which they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from houseway.cards import Card, card
from houseway.game_api.round import Hand, Line, Round, Seat, Settlement
from houseway.game_api.settle import settle
from houseway.money import Cents
from houseway.table.card_source import unseen
from houseway.table.engine import WAYS, Moment
from houseway.table.procedure.wagering import by_hand
from houseway.table.state import UNKNOWN, Box, seat_pile


class _Cards:
    """Cards of a place, on the table or in the rack, with stand-ins for the unknown."""

    def __init__(self, now: Moment) -> None:
        self._now = now
        self._spare: Iterator[str] | None = None

    def __call__(self, *places: str) -> tuple[Card, ...]:
        table = self._now.table
        held: tuple[str, ...] = ()
        for place in places:
            held += table.racked.get(place, ()) + table.piles.get(place, ())
        return tuple(card(self._known(text)) for text in held)

    def _known(self, text: str) -> str:
        if text != UNKNOWN:
            return text
        if self._spare is None:
            self._spare = iter(unseen(self._now))
        return next(self._spare)


def hands_in(now: Moment) -> list[Box]:
    """The boxes whose hands take part."""
    return [
        now.table.boxes[seat - 1] for seat in now.table.hands if not now.table.boxes[seat - 1].out
    ]


def round_of(now: Moment, without: frozenset[int] = frozenset()) -> Round:
    """The round that is played, every decision made; `without` seats whose cards nobody knows."""
    cards = _Cards(now)
    if now.has_step("deal_hole_card"):
        seats = tuple(WAYS["seat"](box, cards) for box in hands_in(now))
        up = cards("dealer")
        # a hole card that was not shown is nobody's business yet
        hole = cards("hole") if "hole" in now.table.shown else ()
        dealer = (*up[:1], *hole, *up[1:])
    else:
        seats = tuple(_seat(now, box, cards) for box in hands_in(now) if box.seat not in without)
        dealer = cards("dealer_stack", "dealer")
    meters = {name: shows(holds) for name, holds in now.table.meters.items()}
    # without a hand that wagered on them the community cards decide nothing
    wanted = now.options.get("electronic") or any(
        "five_card_progressive" in seat.wagers for seat in seats
    )
    return Round(now.rules, dealer, seats, cards("community") if wanted else (), meters)


def shows(holds: str) -> Cents:
    exact = Fraction(holds)
    return exact.numerator // exact.denominator


def _seat(now: Moment, box: Box, cards: _Cards) -> Seat:
    electronic = bool(now.rules.options.get("electronic"))
    hands: tuple[Hand, ...] = ()
    wagers = {name: amount for name, amount in box.wagers.items() if name != "play"}
    if electronic:
        hands = tuple(
            Hand(
                number=number,
                wagers={name: amount for name, amount in placed.items() if name != "play"},
                decision=box.decisions.get(number),
            )
            for number, placed in by_hand(box).items()
        )
        wagers = {}
    three, two = cards(f"three.{box.seat}"), cards(f"two.{box.seat}")
    fourth = cards(f"fourth.{box.seat}")
    decision = box.decisions.get(0)
    return Seat(
        box.seat,
        wagers,
        (*cards(seat_pile(box.seat)), *three, *two),
        None if decision == "set" else decision,
        box.player,
        fourth[0] if fourth else None,
        three or None,
        two or None,
        hands,
        coupon=box.coupons,
    )


def settled(now: Moment) -> Settlement:
    """What the games say that this round comes to."""
    return settle(round_of(now))


def in_order(now: Moment, settlement: Settlement) -> list[tuple[int, Line]]:
    """The lines in the order in which they are settled: from the dealer's right.

    Where the chapter settles by procedure, losing wagers come first; what the whole table decides
    comes when all players are done.
    """
    lines = [
        (seat.seat, line)
        for seat in sorted(settlement.seats, key=lambda seat: -seat.seat)
        for line in seat.lines
    ]
    if now.has_step("collect_losers_first"):
        lines.sort(key=lambda entry: entry[1].result not in ("lose", "forfeit"))
    last = [wager for wager in ("cover_all", "envy") if now.has_step(f"{wager}_last")]
    lines.sort(key=lambda entry: last.index(entry[1].wager) + 1 if entry[1].wager in last else 0)
    return lines
