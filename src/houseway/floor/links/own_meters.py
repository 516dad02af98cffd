"""A table's own meters: what they held through time, and added up again from what was wagered and paid.

    seed + wagers x rate + resets + released - payments = meter

The meters are followed event by event from the last opening of the table. An event that states
another amount than they come to is named.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from houseway.errors import Refused
from houseway.floor.links.contributions import staked_on
from houseway.floor.links.history import Point, moments, version_at
from houseway.floor.links.operations import recorded_table
from houseway.floor.links.reconcile import Departure, MeterSum, Reconciled, whole
from houseway.floor.recorded_table import table_event
from houseway.floor.streams import PREFIX, stream
from houseway.law import MeterTerms
from houseway.meters import Meter
from houseway.money import Cents, cents, dollars, odds
from houseway.store import Log
from houseway.table import events as e
from houseway.table import rules_of
from houseway.table.state import wager_of


def own_meters(log: Log, table: str) -> dict[str, MeterTerms]:
    """The meters of a table that no link has, with their terms."""
    recorded = recorded_table(log, table)
    if not recorded.table.chapter:
        return {}
    rules = rules_of(recorded.table)
    return {
        name: rules.meter(name)
        for name in recorded.table.meters
        if not recorded.feeding.linked(name)
    }


def tables_with_own_meters(log: Log) -> list[str]:
    names = [name.removeprefix(PREFIX) for name in sorted(log.heads(prefix=PREFIX))]
    return [name for name in names if own_meters(log, name)]


def _must_have(log: Log, table: str) -> dict[str, MeterTerms]:
    found = own_meters(log, table)
    if not found:
        raise Refused("no_such_meter", f"table {table} has no meter of its own", field="table")
    return found


# through time


def points_of_table(log: Log, table: str, count: int = 24) -> list[Point]:
    """What the meters held at evenly spaced moments of the record."""
    streams = {name: f"meter/{table}/{name}" for name in _must_have(log, table)}
    heads = log.heads(streams.values())
    if not heads:
        raise Refused("nothing_yet", f"the meters of table {table} have not moved yet")
    first = min(next(log.read(name, 0, 1)).time for name in heads)
    last = max(event.time for event in log.last(heads).values())
    found = []
    for moment in moments(first, last, count):
        holds = {}
        for name, place in streams.items():
            at = version_at(log, place, heads[place].version if place in heads else 0, moment)
            if at:
                holds[name] = Fraction(next(log.read(place, at - 1, at)).data["holds"])
        text = moment.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
        found.append(
            Point(
                text,
                {name: str(held) for name, held in holds.items()},
                {name: dollars(int(held)) for name, held in holds.items()},
            )
        )
    return [point for point in found if point.holds.keys() == found[-1].holds.keys()]


# added up again


@dataclass
class _Running:
    """One meter, and every part of its amount."""

    terms: MeterTerms
    meter: Meter
    seed: Cents
    wagers: Cents = 0
    in_round: Cents = 0
    resets: Cents = 0
    released: Fraction = Fraction(0)
    paid: Cents = 0
    #: contributions of returned wagers that had gone with a payment
    kept: Fraction = Fraction(0)

    def grow(self, stake: Cents) -> None:
        self.wagers += stake
        self.meter = self.meter.grown(stake, self.terms)

    def take_back(self, stake: Cents, *, paid: bool) -> None:
        """The wagers of a void round are returned; a meter that has paid keeps its reset amount."""
        before = self.meter
        self.wagers -= stake
        self.meter = before.taken_back(stake, self.terms, paid=paid)
        self.kept += self.meter.holds - before.holds + stake * self.terms.rate

    def pay(self, share: Fraction) -> Cents:
        before = self.meter
        amount, self.meter = before.paid(share)
        self.paid += amount
        if share == 1:
            self.resets += before.reset
            self.released += before.reserve
        return amount

    def sum(self, name: str, holds: str) -> MeterSum:
        contributed = self.wagers * self.terms.rate
        comes_to = self.seed + contributed + self.resets + self.released + self.kept - self.paid
        return MeterSum(
            name, str(self.seed), str(self.wagers), str(self.terms.rate), str(contributed),
            str(self.resets), str(self.released), str(self.kept), "0", str(self.paid), str(comes_to), holds,
            str(self.meter.reserve),
        )  # fmt: skip


@dataclass
class _Table:
    name: str
    terms: dict[str, MeterTerms]
    running: dict[str, _Running] = field(default_factory=dict)
    departs: list[Departure] = field(default_factory=list)

    def take(self, event: e.Event, version: int) -> None:
        match event:
            case e.TableOpened():
                self.departs.clear()
                self.running = {
                    name: _Running(
                        terms, Meter(Fraction(event.meters[name]), terms.reset), terms.seed
                    )
                    for name, terms in self.terms.items()
                    if name in event.meters
                }
            case e.ProgressiveCollected():
                for name, one in self.running.items():
                    wager = name.partition(".")[0]
                    one.in_round = sum(
                        cents(amount)
                        for _, key, amount in event.wagers
                        if wager_of(key)[0] == wager
                    )
                    one.grow(one.in_round)
            case e.RoundVoided():
                paid = {line["meter"] for line in event.stands}
                for name, one in self.running.items():
                    stands = staked_on(name.partition(".")[0], event.stands)
                    one.take_back(one.in_round - stands, paid=name in paid)
                    one.in_round = 0
            case e.RoundEnded():
                for one in self.running.values():
                    one.in_round = 0
            case e.WagerSettled() if event.meter in self.running:
                amount = self.running[event.meter].pay(odds(event.odds).value)
                if amount != cents(event.from_meter):
                    self._departs(version, f"{event.meter} owed {amount}, not {event.from_meter}")
            case e.MeterMoved() if event.meter in self.running:
                holds = self.running[event.meter].meter.holds
                if Fraction(event.holds) != holds:
                    self._departs(
                        version, f"{event.meter} came to {holds} cents, not {event.holds}"
                    )
            case _:
                pass

    def _departs(self, version: int, says: str) -> None:
        self.departs.append(Departure(stream(self.name), version, says))


def reconcile_table(log: Log, table: str) -> Reconciled:
    """The own meters of a table added up again since it was last opened."""
    found = _Table(table, _must_have(log, table))
    for recorded in whole(log, stream(table), found.departs):
        event = table_event(recorded)
        if event is not None:
            found.take(event, recorded.version)
    state = recorded_table(log, table).table
    sums = tuple(one.sum(name, state.meters[name]) for name, one in found.running.items())
    found.departs += [
        Departure(
            stream(table), state.version,
            f"{one.meter} holds {one.holds} cents, but its parts add up to {one.comes_to}",
        )
        for one in sums
        if Fraction(one.holds) != Fraction(one.comes_to)
    ]  # fmt: skip
    return Reconciled(f"table {table}", not found.departs, sums, tuple(found.departs))
