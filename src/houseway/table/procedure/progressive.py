"""Progressives at one table: sensors, lock-out, the count of chips, meters, validation.

A wager on its sensor is accepted until bets are closed. The chips taken in must be as many as the
system accepted, or the deal stops. What each wager adds to its meters is exact, and comes out again
when the round is void. A win waits for the floor before it is paid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType

from msgspec.structs import replace

from houseway.errors import Refused
from houseway.law import MA, MD, cites
from houseway.meters import Meter
from houseway.money import Cents, cents, dollars, odds
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.actions import Fields, action
from houseway.table.moment import Moment
from houseway.table.procedure.tray import chips_in
from houseway.table.state import Due, key, wager_of


def accepted(now: Moment) -> list[tuple[int, str, Cents]]:
    """The progressive wagers that the system holds: seat, key of the wager, amount."""
    wagers = now.rules.chapter.wagers
    return [
        (box.seat, name, amount)
        for box in now.table.boxes
        for name, amount in box.wagers.items()
        if wagers[wager_of(name)[0]].kind == "progressive"
    ]


def system_works(now: Moment) -> bool:
    """Whether the progressive system accepts, locks and confirms."""
    device = now.table.devices.get("progressive")
    return device is None or device.condition == "working"


@cites(MD, "2.C", "7.F(4)(b)", "7.F(6)(b)")
@cites(MA, "13(a)", "13(b)")
def progressive_stops(now: Moment, clause: str) -> None:
    """Wagers that a broken system no longer vouches for go back; those it took in stand."""
    why = "the progressive system is out of order"
    in_round = bool(now.table.hands)
    if in_round and now.place != "chips":
        return
    for seat, name, amount in accepted(now):
        wager, hand = wager_of(name)
        fields = {"seat": seat, "wager": wager, "amount": dollars(amount), "hand": hand}
        if in_round:
            now.emit(e.ProgressiveStruck, clause, reason=why, **fields)
        else:
            now.emit(e.WagerTakenBack, clause, **fields)
    if now.table.phase == "chips":
        now.begin("dealing")


@cites(MD, "8.C(1)", "9.B(1)", "10.A(2)", "2.C(2)")
@cites(MA, "13(a)", "13(b)")
def lock(now: Moment) -> None:
    """With the bets the system is closed; chips on the sensors are taken in before the deal.

    A system out of order locks nothing: it holds no wager either.
    """
    if now.rules.meter_names and system_works(now):
        now.emit(e.ProgressiveLocked, now.clause("lock_progressive"), accepted=len(accepted(now)))
    now.begin("chips" if accepted(now) else "dealing")


@action(
    c.CountProgressiveChips,
    ("dealer",),
    ("chips",),
    choices=lambda now, _: [{"count": len(accepted(now))}],
)
@cites(MD, "8.C(2)(b)", "9.B(2)(b)", "10.A(3)(b)")
def count_progressive_chips(now: Moment, command: c.CountProgressiveChips) -> None:
    """The number of chips is the number of wagers accepted, or nothing is dealt."""
    wagers = accepted(now)
    if command.count != len(wagers):
        raise now.refuse(
            "chips_do_not_match",
            f"{command.count} chips where the system accepted {len(wagers)} wagers; "
            "count again, or call the floorperson",
            "count_progressive_chips",
            field="count",
        )
    collect(now, "count_progressive_chips")


@action(c.StartGame, ("dealer",), ("chips",))
@cites(MA, "13(b)")
def start_game(now: Moment, _command: c.StartGame) -> None:
    """START GAME: the accepted wagers light up and the dealer takes the chips in."""
    collect(now, "start_game")


def collect(now: Moment, step: str) -> None:
    """The chips go into the tray, and the meters grow."""
    wagers = accepted(now)
    tray: dict[str, int] = {}
    for _, _, amount in wagers:
        for value, count in chips_in(now.table, amount).items():
            tray[value] = tray.get(value, 0) + count
    now.emit(
        e.ProgressiveCollected,
        now.clause(step),
        count=len(wagers),
        wagers=tuple((seat, name, dollars(amount)) for seat, name, amount in wagers),
        tray=tray,
    )
    for name, stake in _by_meter(now, wagers):
        grown = meter(now, name).grown(stake, now.rules.meter(name))
        meter_moved(now, name, grown, "wagers", grow_clause(now, name))
    now.begin("dealing")


def grow_clause(now: Moment, meter: str) -> str:
    """The clause by which wagers add to this meter."""
    return now.clause(f"grow_{meter.partition('.')[0]}", "grow_meter")


def meter(now: Moment, name: str) -> Meter:
    table = now.table
    reserve = Fraction(table.reserves.get(name, "0"))
    return Meter(Fraction(table.meters[name]), now.rules.meter(name).reset, reserve)


def meter_moved(now: Moment, name: str, after: Meter, why: str, clause: str) -> None:
    now.emit(
        e.MeterMoved,
        clause,
        meter=name,
        holds=str(after.holds),
        shows=dollars(after.shows),
        why=why,
        reserve=str(after.reserve),
    )


def _by_meter(now: Moment, wagers: Iterable[tuple[int, str, Cents]]) -> Iterator[tuple[str, Cents]]:
    """What these wagers have staked on each meter that takes a share of them."""
    staked: Counter[str] = Counter()
    for _, name, amount in wagers:
        staked[wager_of(name)[0]] += amount
    for name in now.rules.meter_names:
        stake = staked[name.partition(".")[0]]
        if stake and now.rules.meter(name).takes:
            yield name, stake


def take_back_contributions(now: Moment, stands: tuple[Due, ...]) -> None:
    """What the returned wagers of a void round added to the meters is taken out again.

    `stands` are the lines that a meter has paid: their wagers are not returned.
    """
    if now.place == "chips":
        return  # nothing was taken in yet
    kept = {(line.seat, line.key) for line in stands}
    returned = (wager for wager in accepted(now) if wager[:2] not in kept)
    paid = {line.meter for line in stands}
    for name, stake in _by_meter(now, returned):
        before = meter(now, name)
        after = before.taken_back(stake, now.rules.meter(name), paid=name in paid)
        if after != before:
            meter_moved(now, name, after, "void", grow_clause(now, name))


def _holds_one(now: Moment, seat: int) -> None:
    if not any(at == seat for at, _, _ in accepted(now)):
        raise now.refuse(
            "no_wager", f"the system holds no progressive wager of seat {seat}",
            "strike_progressive_wager",
        )  # fmt: skip


def _held_by(now: Moment, seat: int) -> list[Fields]:
    """The progressive wagers of a seat, as values for a command's field."""
    held = (wager_of(name) for at, name, _ in accepted(now) if at == seat)
    return [{"wager": wager, "hand": hand} for wager, hand in held]


@action(c.StrikeProgressiveWager, ("floorperson",), ("chips",), _holds_one, choices=_held_by)
def strike_progressive_wager(now: Moment, command: c.StrikeProgressiveWager) -> None:
    """The floor settles a mismatch: the wager comes off, and its chip goes back."""
    name = key(command.wager, command.hand)
    held = {(seat, wager): amount for seat, wager, amount in accepted(now)}
    if (command.seat, name) not in held:
        raise now.refuse(
            "no_wager", f"the system holds no {command.wager} of seat {command.seat}",
            "strike_progressive_wager", field="wager",
        )  # fmt: skip
    now.emit(
        e.ProgressiveStruck,
        now.clause("strike_progressive_wager"),
        seat=command.seat,
        wager=command.wager,
        amount=dollars(held[command.seat, name]),
        reason=command.reason,
        hand=command.hand,
    )
    if not accepted(now):
        now.begin("dealing")


# winning


def to_validate(now: Moment, line: Due) -> bool:
    """Whether a line waits for the floor: a progressive win not yet validated."""
    wager = now.rules.chapter.wagers.get(line.wager)
    return (
        wager is not None
        and wager.kind == "progressive"
        and line.result == "win"
        and not line.validated
    )


def _waits(now: Moment, seat: int) -> None:
    line = now.table.due[0] if now.table.due else None
    if (
        line is None
        or line.seat != seat
        or not now.game.cards_are_seen(now)
        or not to_validate(now, line)
    ):
        raise now.refuse(
            "nothing_to_validate", "no progressive win of that seat is due", "validate_progressive"
        )
    if not system_works(now):
        raise now.refuse(
            "device_out_of_order",
            "the progressive system confirms no win while it is out of order",
            "progressive_breaks",
        )


def validated_by(now: Moment) -> tuple[str, ...]:
    """The step by which the next win is validated, where its wager has one of its own."""
    return (f"validate_{now.table.due[0].wager}",) if now.table.due else ()


@action(
    c.ValidateProgressive,
    ("floorperson",),
    ("settling",),
    _waits,
    words=validated_by,
    choices=lambda now, _: [{"wager": line.wager, "hand": line.hand} for line in now.table.due[:1]],
)
@cites(MD, "11.D(7)", "11.D(7)(a)", "11.D(7)(c)", "11.D(9)(d)", "11.D(9)(d)(i)", "11.D(9)(e)")
@cites(MA, "13(d)(f)")
def validate_progressive(now: Moment, command: c.ValidateProgressive) -> None:
    """The floorperson, or a superior, has looked at the hand and at the light."""
    line = now.table.due[0]
    if (line.wager, line.hand) != (command.wager, command.hand):
        raise Refused("nothing_to_validate", f"{line.wager} is what waits at seat {line.seat}")
    now.emit(
        e.PayoutValidated,
        now.clause(*validated_by(now), "validate_progressive"),
        seat=line.seat,
        wager=line.wager,
        hand=line.hand,
    )


def at_the_meter(
    now: Moment, lines: Iterable[Due], shares: Mapping[str, tuple[str, int]] = MappingProxyType({})
) -> Iterator[Due]:
    """Wins still due, each at what its meter will show at its turn, or at its equal share.

    What was cut into shares stays as it was cut until the link says otherwise.
    """
    meters: dict[str, Meter] = {}
    for line in lines:
        if line.meter in shares:
            text, winners = shares[line.meter]
            amount = cents(text)
            line = replace(line, paid=amount - line.stake, from_meter=amount, winners=winners)
        elif line.meter and line.winners == 1:
            before = meters.get(line.meter) or meter(now, line.meter)
            amount, meters[line.meter] = before.paid(odds(line.odds).value)
            # the share is all that the player receives
            line = replace(line, paid=amount - line.stake, from_meter=amount)
        yield line


def pay_from_meter(now: Moment, line: Due) -> None:
    """The meter gives what it paid, and starts again where it paid all.

    Where winners share it the first to be paid takes the shares of all out of it.
    """
    if line.winners:
        _, after = meter(now, line.meter).paid(odds(line.odds).value, line.winners)
        meter_moved(now, line.meter, after, "paid", line.clause)
