"""A casino floor's day: what each table wins, and how far from the expected a hold may lie."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, lgamma, log, log1p

import numpy as np

from houseway.errors import Refused
from houseway.law import Rules
from houseway.maths.counting.threads import cores
from houseway.meters import Meter
from houseway.money import Cents
from houseway.simulate.kernels.counts import Ints
from houseway.simulate.kernels.random_streams import start
from houseway.simulate.plan import Plan, rules_of
from houseway.simulate.prepared import Playing, finished, playing
from houseway.simulate.results.tally import Tally, staked
from houseway.simulate.runner import Threads, Workers, in_order

_DAYS = 1 << 6  # of one table, in a block; part of every result
_CHUNK = 1 << 16
#: days of a table whose wins are kept, each by itself
KEPT = 10_000_000

#: a hit of a meter: which day of which table, round, meter, share in per cent, position
Hit = tuple[int, int, int, int, int]


@dataclass(frozen=True)
class Group:
    """Tables of one kind: how many there are, and how many rounds a day each plays."""

    name: str
    plan: Plan
    tables: int
    rounds: int
    per_hour: int = 40

    @property
    def rules(self) -> Rules:
        return rules_of(self.plan)


@dataclass(frozen=True)
class Days:
    """What the tables of a group won: [day, table] in cents, and what was wagered in all."""

    group: Group
    wins: Ints
    wagered: Fraction
    hits: tuple[Hit, ...] = ()

    @property
    def handle(self) -> Fraction:
        """What is wagered at one table on one day, on average."""
        return self.wagered / self.wins.size


def band(wins: Ints, low: float = 0.005, high: float = 0.995) -> tuple[Cents, Cents]:
    """The band of a day's win, exceeded on one day in a hundred."""
    days, ordered = len(wins), np.sort(wins)
    return int(ordered[int(low * days)]), int(ordered[min(days - 1, int(high * days))])


def band_error(
    wins: Ints, low: float = 0.005, high: float = 0.995
) -> list[tuple[Cents | None, Cents | None]]:
    """Between which days' wins each bound of a band lies with 99% confidence.

    How many days stay below a quantile is binomial, whatever the distribution of the wins is. None:
    there are too few days to bound it on that side.
    """
    ordered = np.sort(wins).tolist()
    # the upper bound is the lower one of the days counted from the best
    below, above = _quantile_bounds(ordered, low), _quantile_bounds(ordered[::-1], 1 - high)
    return [below, above[::-1]]


def _quantile_bounds(ordered: list[Cents], share: float) -> tuple[Cents | None, Cents | None]:
    """The outermost and the innermost place of a quantile near the first of these days."""
    days, out = len(ordered), 0.005
    first = last = 0
    below = 0.0  # the chance that fewer than `last` days lie beyond the quantile
    while below < 1 - out and last <= days:
        if below <= out:
            first = last
        below += exp(
            lgamma(days + 1) - lgamma(last + 1) - lgamma(days - last + 1)
            + last * log(share) + (days - last) * log1p(-share)
        )  # fmt: skip
        last += 1
    return (
        ordered[first - 1] if first else None,
        ordered[last - 1] if last <= days else None,
    )


def day_block(encoded: bytes, number: int, days: int, rounds: int) -> tuple[Ints, int, list[Hit]]:
    """The house's win on each day of a block, what was wagered, and the hits of meters."""
    game = playing(encoded, round_by_round=True)
    count = min(_DAYS, days - number * _DAYS)
    stream = start(f"{game.plan.seed} days", number)
    wins = np.zeros(count, np.int64)
    tally = Tally.none(game)
    hits: list[Hit] = []
    for day in range(count):
        table = game.new_table()  # a table opens with new cards
        done = 0
        while done < rounds:
            nets = np.zeros((min(rounds - done, _CHUNK), game.positions), np.int64)
            counts = game.empty()
            table.rounds(len(nets), stream, counts, nets)
            tally.add(finished(game, counts, len(nets)), len(nets))
            wins[day] += -nets.sum() + _by_meters(game, counts.events)
            for at, meter, share, position in counts.events[
                1 : 1 + int(counts.events[0, 0])
            ].tolist():
                hits.append((number * _DAYS + day, done + at, meter, share, position))
            done += len(nets)
    wagered = sum(
        staked(game, tally, position, column)
        for position in range(game.positions)
        for _, column in game.wagers
    )
    return wins, wagered, hits


def _by_meters(game: Playing, events: Ints) -> Cents:
    """What meters paid: that is not the house's money."""
    names = game.rules.meter_names
    shown: dict[tuple[int, int], Cents] = {}
    paid_in_all = 0
    for number, meter, share, _ in sorted(
        events[1 : 1 + int(events[0, 0])].tolist(), key=lambda hit: (hit[0], -hit[3])
    ):
        shows = shown.get((number, meter), game.plan.meters[names[meter]])
        paid = shows * share // 100
        left = shows - paid + (game.rules.meter(names[meter]).reset if share == 100 else 0)
        shown[number, meter] = left
        paid_in_all += paid
    return paid_in_all


def play_days(
    group: Group,
    days: int,
    workers: Workers | None = None,
    progress: Callable[[int], None] | None = None,
) -> Days:
    """Play a number of days of every table of a group; `progress` gets the table days that are done."""
    if days < 1 or group.tables < 1 or group.rounds < 1:
        raise Refused("no_rounds", "there must be at least one day, one table and one round")
    if days * group.tables > KEPT:
        raise Refused("too_many_days", f"at most {KEPT:,} days of a table are kept", field="days")
    mine = workers is None
    players: Workers = Threads(cores()) if workers is None else workers
    every = days * group.tables
    wins, wagered, hits = [], 0, []
    done = 0
    try:
        for won, put_up, hit in in_order(
            players, -(-every // _DAYS), day_block, group.plan.encode(), every, group.rounds
        ):
            wins.append(won)
            wagered += put_up
            hits += hit
            done += len(won)
            if progress:
                progress(done)
    finally:
        if mine:
            players.close()
    found = np.concatenate(wins).reshape(days, group.tables)
    return Days(group, found, Fraction(wagered), tuple(hits))


@dataclass(frozen=True)
class LinkedMeter:
    """One meter over all days, fed and hit by every table that it links."""

    meter: str
    #: day and what it paid, whole
    hits: tuple[tuple[int, Cents], ...]
    parts: int
    parts_paid: Cents
    contributed: Fraction
    shows: Cents


def linked(members: Sequence[Days]) -> list[LinkedMeter]:
    """Replay the meters that tables share: all of them at their own pace, one day after the other.

    A table's round is over a round's time after the one before; what every table has put in by then
    is in the meter. In a round the highest seat is paid first.
    """
    rules = members[0].group.rules
    days = len(members[0].wins)
    found = []
    for place, name in enumerate(rules.meter_names):
        terms = rules.meter(name)
        wager = name.partition(".")[0]
        stakes = [sum(made.get(wager, 0) for made in one.group.plan.stakes) for one in members]
        happened = sorted(
            (at // one.group.tables, Fraction(number + 1, one.group.per_hour), which,
             at % one.group.tables, -position, share)
            for which, one in enumerate(members)
            for at, number, meter, share, position in one.hits
            if meter == place
        )  # fmt: skip
        whole = sum(
            stake * one.group.rounds * one.group.tables
            for stake, one in zip(stakes, members, strict=True)
        )
        meter = Meter(Fraction(terms.seed), terms.reset)
        grown, hits, parts, paid_in_parts = 0, [], 0, 0
        for day, time, _, _, _, share in happened:
            by_now = day * whole + sum(
                stake * one.group.tables * min(one.group.rounds, int(time * one.group.per_hour))
                for stake, one in zip(stakes, members, strict=True)
            )
            meter = meter.grown(by_now - grown, terms)
            grown = by_now
            paid, meter = meter.paid(Fraction(share, 100))
            if share == 100:
                hits.append((day, paid))
            else:
                parts += 1
                paid_in_parts += paid
        meter = meter.grown(days * whole - grown, terms)
        put_in = days * whole * terms.takes
        found.append(LinkedMeter(name, tuple(hits), parts, paid_in_parts, put_in, meter.shows))
    return found
