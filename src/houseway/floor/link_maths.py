"""The exact figures beside a link's meters: what the wager returns now, when it is fair, how long.

All of it comes from the exact engine, for the rules the link was opened under, at what the meters
show at this moment. The pace is what the link's own tables did of late.
"""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction
from itertools import pairwise

import msgspec

from houseway.floor.link_record import Reading, feed_stream, read_feed
from houseway.law import Rules, chapter, choose
from houseway.maths.figures import decimal, exact, percent
from houseway.maths.par import Asked, entries_of
from houseway.maths.progressive import Progressive
from houseway.money import Cents, dollars
from houseway.refusal import Refused
from houseway.store import Log

#: so many rounds back the pace is measured
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
    """A wager at this stake with so many players, at the meters of this moment."""

    stake: str
    players: int
    returns: str
    returns_percent: str
    house_edge_percent: str
    meters: tuple[MeterFigures, ...]
    #: wagers an hour over all tables of the link; empty where too little was played
    wagers_an_hour: str = ""


def rules_of_link(reading: Reading) -> Rules:
    file = reading.standing.rules
    return choose(
        chapter(file["chapter"]), file.get("rules"), limits=file.get("limits"),
        meters=file.get("meters"), paytables=file.get("paytables"),
    )  # fmt: skip


def figures(
    log: Log, reading: Reading, *, stake: Cents | None = None, players: int = 1,
    wagers_an_hour: Fraction | None = None,
) -> Figures:  # fmt: skip
    """What the wager is worth at this moment."""
    rules, wager = rules_of_link(reading), reading.standing.wager
    shows = {name: meter.shows for name, meter in reading.meters.items()}
    stakes = (stake,) if stake is not None else ()
    asked = Asked(rules.chapter, rules, stakes, (players,), shows)
    entries = entries_of(asked, wager)
    if not entries or entries[0].progressive is None:
        raise Refused("no_figures", f"there are no exact figures for {wager}")
    one = entries[0].progressive.wager
    pace = wagers_an_hour or measured(log, reading, one.stake)
    returns = 1 - one.edge(shows)
    return Figures(
        dollars(one.stake), players, exact(returns), percent(returns), percent(one.edge(shows)),
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
        if not feed.open:
            continue
        last = reading.versions[table]
        rounds = [
            (datetime.fromisoformat(event.time), read_feed(event).stake)
            for event in log.read(feed_stream(table, feed.link), max(0, last - 2 * _ROUNDS))
            if event.kind == "contributed"
        ]
        seconds = sum(
            (after - before).total_seconds() for (before, _), (after, _) in pairwise(rounds)
        )
        if seconds > 0:
            wagered = sum(amount for _, amount in rounds[1:])
            total += Fraction(wagered, stake) * 3600 / Fraction(seconds)
    return total or None
