"""The exact figures beside meters: what the wager returns now, when it is fair, how long.

All of it comes from the exact engine, for the rules of the link or the table, at what the meters
show at this moment. The pace is what the tables themselves did of late.
"""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction
from itertools import pairwise

import msgspec

from houseway.errors import Refused
from houseway.floor.links.record import Reading, feed_stream, read_feed
from houseway.law import MeterTerms, Rules, rules_from
from houseway.maths.figures import decimal, exact, percent
from houseway.maths.par import Asked, entries_of
from houseway.maths.progressive import Progressive
from houseway.money import Cents, dollars
from houseway.store import Log
from houseway.table import Table, rules_of

#: how many of the latest rounds the pace is measured over
_ROUNDS = 100


class MeterFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """One meter: how often a wager wins of it, when the wager is fair, the wait for a whole win."""

    meter: str
    shows: str
    chance: str
    break_even: str
    break_even_dollars: str
    whole_chance: str
    hours_to_whole: str = ""


class Figures(msgspec.Struct, frozen=True, omit_defaults=True):
    """The figures of a wager at a stake and a number of players, at the current meters."""

    stake: str
    players: int
    returns: str
    returns_percent: str
    house_edge_percent: str
    meters: tuple[MeterFigures, ...]
    #: wagers an hour over all tables of the link; empty where too little was played
    wagers_an_hour: str = ""


def rules_of_link(reading: Reading) -> Rules:
    return rules_from(reading.standing.rules)


def figures(
    log: Log, reading: Reading, *, stake: Cents | None = None, players: int = 1,
    wagers_an_hour: Fraction | None = None,
) -> Figures:  # fmt: skip
    """What the wager of a link is worth at this moment."""
    shows = {name: meter.shows for name, meter in reading.meters.items()}
    one = _progressive(rules_of_link(reading), reading.standing.wager, shows, stake, players)
    return _figures(one, shows, players, wagers_an_hour or measured(log, reading, one.stake))


def figures_of_table(
    log: Log, table: Table, wager: str, *, stake: Cents | None = None, players: int = 1,
    wagers_an_hour: Fraction | None = None,
) -> Figures:  # fmt: skip
    """What a wager on a table's own meters is worth at this moment."""
    rules = rules_of(table)
    shows = {
        name: int(Fraction(holds))
        for name, holds in table.meters.items()
        if name.partition(".")[0] == wager
    }
    one = _progressive(rules, wager, shows, stake, players)
    name = next(iter(shows))
    pace = wagers_an_hour or _pace_of_table(log, table.name, name, rules.meter(name), one.stake)
    return _figures(one, shows, players, pace)


def _progressive(
    rules: Rules, wager: str, shows: dict[str, Cents], stake: Cents | None, players: int
) -> Progressive:
    if stake is not None and stake <= 0:
        raise Refused("not_an_amount", "the wager must be greater than zero", field="stake")
    stakes = (stake,) if stake is not None else ()
    entries = entries_of(Asked(rules.chapter, rules, stakes, (players,), shows), wager)
    if not entries or entries[0].progressive is None:
        raise Refused("no_figures", f"there are no exact figures for {wager}")
    return entries[0].progressive.wager


def _figures(
    one: Progressive, shows: dict[str, Cents], players: int, pace: Fraction | None
) -> Figures:
    edge = one.edge(shows)
    return Figures(
        dollars(one.stake), players, exact(1 - edge), percent(1 - edge), percent(edge),
        tuple(_meter(one, name, shows, pace) for name in shows),
        decimal(pace, 1) if pace else "",
    )  # fmt: skip


def _meter(
    one: Progressive, name: str, shows: dict[str, Cents], pace: Fraction | None
) -> MeterFigures:
    even = one.break_even(name, shows) / 100
    whole = sum((hit.probability for hit in one.hits[name] if hit.share == 1), Fraction(0))
    hours = decimal(1 / (whole * pace), 1) if pace and whole else ""
    return MeterFigures(
        name, dollars(shows[name]), exact(one.chance(name)), exact(even), decimal(even, 2),
        exact(whole), hours,
    )  # fmt: skip


def measured(log: Log, reading: Reading, stake: Cents) -> Fraction | None:
    """Wagers an hour over the tables that feed the link, from their last rounds."""
    total = Fraction(0)
    for table, feed in reading.feeds.items():
        if feed.open:
            events = log.read(
                feed_stream(table, feed.link), max(0, reading.versions[table] - 2 * _ROUNDS)
            )
            total += _pace([
                (event.time, Fraction(read_feed(event).stake))
                for event in events
                if event.kind == "contributed"
            ])  # fmt: skip
    return total / stake or None


def _pace_of_table(
    log: Log, table: str, meter: str, terms: MeterTerms, stake: Cents
) -> Fraction | None:
    """The same for a table's own meter: what was wagered is what it grew by, over its rate."""
    stream = f"meter/{table}/{meter}"
    events = list(log.read(stream, max(0, log.head(stream).version - 2 * _ROUNDS)))
    if not terms.rate:
        return None
    grown = [
        (after.time, (Fraction(after.data["holds"]) - Fraction(before.data["holds"])) / terms.rate)
        for before, after in pairwise(events)
        if after.data["why"] == "wagers"
    ]
    return _pace(grown) / stake or None


def _pace(rounds: list[tuple[str, Fraction]]) -> Fraction:
    """Cents wagered an hour, from when they were wagered."""
    times = [datetime.fromisoformat(time) for time, _ in rounds]
    seconds = sum((after - before).total_seconds() for before, after in pairwise(times))
    wagered = sum((amount for _, amount in rounds[1:]), Fraction(0))
    return wagered * 3600 / Fraction(seconds) if seconds > 0 else Fraction(0)
