"""A round as it is settled, and what settling it says.

These are the values that go in and come out of a game's pure functions: cards are cards and money
is cents. `round_json` turns them into JSON and back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Literal, TypeVar

import msgspec

from houseway.cards import Card
from houseway.errors import Refused
from houseway.law import Rules
from houseway.meters import Meter
from houseway.money import Cents, Odds
from houseway.shown import HasFigures, ShownAsPage, ShownAsPicture

Result = Literal["win", "lose", "push", "forfeit", "returned", "bonus"]
#: the results by which the house keeps the stake
LOST = ("lose", "forfeit")
S = TypeVar("S", bound="Seat")


class Seat(msgspec.Struct, frozen=True):
    """One betting position with its wagers, cards and decision.

    A game whose seats have more, such as a fourth card, has a subclass (`rules.SeatFields`).
    """

    seat: int
    wagers: Mapping[str, Cents]
    cards: tuple[Card, ...] = ()
    decision: str | None = None
    #: who sits there; a player with several boxes has the same name at each
    player: str = ""

    def as_kind(self, kind: type[S], **own: Any) -> S:
        """The same seat as a game's own kind, which adds what only this game has at a seat."""
        return kind(self.seat, self.wagers, self.cards, self.decision, self.player, **own)


class Round(msgspec.Struct, ShownAsPicture, frozen=True):
    """Everything that decides a round. `meters` holds what each shows when the round is paid.

    `winners` counts those who share a meter over all tables that feed it, where winners share.
    """

    rules: Rules
    dealer: tuple[Card, ...]
    seats: tuple[Seat, ...]
    community: tuple[Card, ...] = ()
    meters: Mapping[str, Cents] = {}
    winners: Mapping[str, int] = {}

    def in_order_of_settlement(self) -> list[Seat]:
        """From the dealer's right, counter-clockwise: the highest seat first."""
        return sorted(self.seats, key=lambda seat: -seat.seat)


class Line(msgspec.Struct, frozen=True, gc=False):
    """The result of one wager, or of one bonus without a stake of its own.

    `paid` is what the player receives beside the stake.
    """

    wager: str
    stake: Cents
    result: Result
    paid: Cents
    clause: str
    odds: str | None = None
    hand: int | None = None
    #: the part of `paid` (or more, where the stake is part of it) that came out of a meter
    meter: str | None = None
    from_meter: Cents = 0
    #: the row of the paytable that paid
    outcome: str | None = None

    @property
    def net(self) -> Cents:
        """What the player is up or down by this line."""
        return -self.stake if self.result in LOST else self.paid


class SeatResult(msgspec.Struct, frozen=True):
    """The lines of one seat in the order they were settled."""

    seat: int
    lines: tuple[Line, ...]

    @property
    def net(self) -> Cents:
        # `Line.net`, without a call for each of thousands of lines a second
        return sum([-line.stake if line.result in LOST else line.paid for line in self.lines])


class MeterResult(msgspec.Struct, frozen=True):
    """What a meter paid in the round, and what it shows after."""

    paid: Cents
    shows: Cents


class Settlement(msgspec.Struct, ShownAsPage, HasFigures, frozen=True):
    """A settled round: seats in ascending order, the house's result, the meters."""

    seats: tuple[SeatResult, ...]
    meters: Mapping[str, MeterResult]

    @property
    def house(self) -> Cents:
        """What the house is up or down; what meters pay is not the house's money."""
        paid_by_meters = sum(meter.paid for meter in self.meters.values())
        return paid_by_meters - sum(seat.net for seat in self.seats)

    def seat(self, number: int) -> SeatResult:
        found = next((seat for seat in self.seats if seat.seat == number), None)
        if found is None:
            others = ", ".join(str(seat.seat) for seat in self.seats)
            raise Refused("no_such_seat", f"no seat {number} in this round; it has {others}")
        return found


class Meters:
    """The meters of one round while it is being paid, in the order of settlement."""

    def __init__(
        self, rules: Rules, amounts: Mapping[str, Cents], winners: Mapping[str, int] = {}
    ) -> None:
        # one deck holds a single hand that wins a shared meter: the others sit at other tables
        self._winners = winners
        self._meters = {
            name: Meter(
                Fraction(amounts.get(name, rules.meter(name).reset)), rules.meter(name).reset
            )
            for name in rules.meter_names
        }
        self._paid = dict.fromkeys(self._meters, 0)

    def shows(self, name: str) -> Cents:
        return self._meters[name].shows

    def pay(self, name: str, odds: Odds) -> Cents:
        """Pay a share of a meter at this player's turn."""
        winners = self._winners.get(name, 1)
        amount, self._meters[name] = self._meters[name].paid(odds.value, winners)
        self._paid[name] += amount
        return amount

    def results(self) -> dict[str, MeterResult]:
        return {
            name: MeterResult(self._paid[name], meter.shows) for name, meter in self._meters.items()
        }


def settlement(lines: Mapping[int, Iterable[Line]], meters: Meters) -> Settlement:
    """Put the lines of each seat together."""
    seats = tuple(SeatResult(seat, tuple(lines[seat])) for seat in sorted(lines))
    return Settlement(seats, meters.results())
