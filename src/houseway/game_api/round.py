"""A round as it is settled, and what settling it says.

These are the values that go in and come out of a game's pure functions: cards are cards and money
is cents. `round_json` turns them into JSON and back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, TypeVar

import msgspec

from houseway.cards import Card
from houseway.errors import Refused
from houseway.law import Rules
from houseway.meters import Meter
from houseway.money import Cents, odds
from houseway.shown import HasFigures, ShownAsPage, ShownAsPicture

Result = Literal["win", "lose", "push", "forfeit", "returned", "bonus"]
#: the results by which the house keeps the stake
LOST = ("lose", "forfeit")
S = TypeVar("S", bound="Seat")


class Wagers(dict[str, Cents]):
    """The wagers of a position, which nothing changes: what depends on them is found by them."""

    __slots__ = ("_hash",)

    def __init__(self, made: Mapping[str, Cents]) -> None:
        super().__init__(made)
        self._hash = hash(frozenset(made.items()))

    def __hash__(self) -> int:  # type: ignore[override]
        return self._hash

    def __reduce__(self) -> tuple[type[Wagers], tuple[dict[str, Cents]]]:
        return Wagers, (dict(self),)  # hashes of text differ from process to process


def hashable(wagers: Mapping[str, Cents]) -> Wagers:
    """The same wagers as a key."""
    if type(wagers) is Wagers:
        return wagers
    return Wagers(wagers) if wagers else _NONE


_NONE = Wagers({})


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


def player_of(seat: Seat) -> str:
    """The player at a seat: the name given, or a name made from the seat."""
    # not a possible name, so that no named player is taken for an unnamed one
    return seat.player or f"\0{seat.seat}"


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


class Line(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
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
        """What the player is up or down by all lines."""
        return net(self.lines)


@lru_cache(maxsize=1 << 12)
def net(lines: tuple[Line, ...]) -> Cents:
    """What a player is up or down by some lines."""
    return sum([line.net for line in lines])


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
        self._rules = rules
        self._amounts = amounts
        self._winners = winners
        #: the meters that have paid, and how much
        self._meters: dict[str, Meter] = {}
        self._paid: dict[str, Cents] = {}

    def pay(self, line: Line) -> Line:
        """Pay the share of a meter that a line is due, at this player's turn."""
        name, share = line.meter, line.odds
        assert name is not None
        assert share is not None
        reset = self._rules.meter(name).reset
        before = self._meters.get(name) or Meter(Fraction(self._amounts.get(name, reset)), reset)
        amount, after = before.paid(odds(share).value, self._winners.get(name, 1))
        self._meters[name] = after
        self._paid[name] = self._paid.get(name, 0) + amount
        # the player receives exactly the share; the stake was collected before the deal
        return msgspec.structs.replace(line, paid=amount - line.stake, from_meter=amount)

    def pay_all(self, lines: tuple[Line, ...]) -> tuple[Line, ...]:
        """Pay, in their order, the lines that are due a share of a meter."""
        for line in lines:
            if line.meter:
                return tuple([self.pay(one) if one.meter else one for one in lines])
        return lines

    def results(self) -> dict[str, MeterResult]:
        if not self._amounts and not self._paid:
            return dict(self._rules.remembering(_reset)())
        return {name: self._result(name) for name in self._rules.meter_names}

    def _result(self, name: str) -> MeterResult:
        after = self._meters.get(name)
        if after is None:
            return MeterResult(0, self._amounts.get(name, self._rules.meter(name).reset))
        return MeterResult(self._paid[name], after.shows)


def _reset(rules: Rules) -> dict[str, MeterResult]:
    """Meters of which nothing is known, and which paid nothing."""
    return {name: MeterResult(0, rules.meter(name).reset) for name in rules.meter_names}


def settlement(lines: Mapping[int, Iterable[Line]], meters: Meters) -> Settlement:
    """Put the lines of each seat together."""
    seats = tuple(SeatResult(seat, tuple(lines[seat])) for seat in sorted(lines))
    return Settlement(seats, meters.results())
