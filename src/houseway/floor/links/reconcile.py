"""A link reconciled: the wagers and payments of the tables' own streams beside its meters.

    seed + wagers x rate + resets + released + adjusted + moved - payments = meter

Nothing here trusts a running sum. The wagers are counted again from what the tables recorded when
they took the chips in, and the payments from what they paid. Each feed is added up from its first
event, and each win is recalculated from the wagers it names. Where something differs, the event is
named.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import msgspec

from houseway.floor.links.contributions import staked_on
from houseway.floor.links.operations import Link
from houseway.floor.links.record import (
    FEEDS,
    Feed,
    LinkState,
    Reading,
    feed_stream,
    link_stream,
    read_feed,
    stand,
)
from houseway.floor.recorded_table import table_event
from houseway.floor.streams import stream as table_stream
from houseway.money import Cents, cents, odds
from houseway.store import Event, Log
from houseway.table import events as e
from houseway.table.state import wager_of


class Departure(msgspec.Struct, frozen=True):
    """Where the record does not add up."""

    stream: str
    version: int
    says: str


class MeterSum(msgspec.Struct, frozen=True):
    """One meter, exactly, in cents: its parts, their sum, and what the meter shows."""

    meter: str
    seed: str
    wagers: str
    rate: str
    contributed: str
    resets: str
    released: str
    adjusted: str
    moved: str
    paid: str
    comes_to: str
    holds: str
    reserve: str


class Reconciled(msgspec.Struct, frozen=True):
    link: str
    exact: bool
    meters: tuple[MeterSum, ...]
    departs: tuple[Departure, ...]


class _AtTable(msgspec.Struct):
    """What a table's own stream says that it wagered on a link and was paid from it."""

    wagered: Cents = 0
    paid: dict[str, Cents] = {}
    #: table's version, seat, meter, amount
    wins: list[tuple[int, int, str, Cents]] = []
    #: versions at which chips were taken in
    taken_in: dict[int, Cents] = {}


def reconcile(log: Log, name: str) -> Reconciled:
    """Add a link up again from its tables; for a record nobody writes to at the moment."""
    reading = Link(log, name).read()
    standing = reading.standing
    departs: list[Departure] = []
    tables = {}
    asked, wins = _wins(log, standing, departs)
    for table in standing.tables:
        feed = _feed(log, table, standing, asked.get(table, {}), departs)
        tables[table] = _at_table(log, table, standing, feed, departs)
        _compare(table, tables[table], feed, wins.get(table, []), departs)
    for stream in log.heads(prefix=FEEDS):
        _, table, link = stream.split("/")
        if link == name and table not in standing.tables:
            departs.append(
                Departure(stream, 1, f"table {table} feeds {name}, which it never joined")
            )
    meters = tuple(_sum(reading, meter, tables) for meter in standing.terms)
    departs += [
        Departure(link_stream(name), reading.version, f"{one.meter} holds {one.holds} cents, but its parts add up to {one.comes_to}")
        for one in meters
        if one.comes_to != one.holds
    ]  # fmt: skip
    return Reconciled(name, not departs, meters, tuple(departs))


def _sum(reading: Reading, name: str, tables: dict[str, _AtTable]) -> MeterSum:
    terms, ledger = reading.standing.terms[name], reading.standing.ledgers[name]
    wagers = sum(one.wagered for one in tables.values())
    paid = sum(one.paid.get(name, 0) for one in tables.values())
    # shares of winners whose turn has not come
    paid += sum(claim.amount or 0 for claim in reading.standing.claims if claim.meter == name)
    contributed = wagers * terms.rate
    comes_to = (
        ledger.seed + contributed + ledger.resets + ledger.released + ledger.adjusted
        + ledger.moved - paid
    )  # fmt: skip
    return MeterSum(
        name, str(ledger.seed), str(wagers), str(terms.rate), str(contributed),
        str(ledger.resets), str(ledger.released), str(ledger.adjusted), str(ledger.moved),
        str(paid), str(comes_to), str(reading.meter(name).holds), str(reading.reserve(name)),
    )  # fmt: skip


def whole(log: Log, stream: str, departs: list[Departure], after: int = 0) -> Iterator[Event]:
    """A stream, and where an event of it is missing."""
    for event in log.read(stream, after):
        if event.version != after + 1:
            departs.append(Departure(stream, after + 1, "this event is missing"))
        after = event.version
        yield event


# the link's wins


def _wins(
    log: Log, standing: LinkState, departs: list[Departure]
) -> tuple[dict[str, dict[Cents, int]], dict[str, list[tuple[int, int, str, Cents]]]]:
    """The sums of wagers that wins were paid on, by table, and the wins by table."""
    asked: dict[str, dict[Cents, int]] = {}
    wins: dict[str, list[tuple[int, int, str, Cents]]] = {}
    before = LinkState()
    for event in whole(log, link_stream(standing.name), departs):
        if event.kind == "meter_paid":
            body = event.data
            departs += _check_win(before, event)
            for table, wagered in body["wagered"].items():
                asked.setdefault(table, {}).setdefault(wagered, event.version)
            win = (event.version, body["seat"], body["meter"], body["amount"])
            wins.setdefault(body["table"], []).append(win)
        elif event.kind == "claim_withdrawn":
            _unpaid(wins.get(event.data["table"], []), before, event.data)
        before = stand(before, event)
    for claim in standing.claims:
        _unpaid(wins.get(claim.table, []), standing, msgspec.to_builtins(claim))
    return asked, wins


def _unpaid(
    wins: list[tuple[int, int, str, Cents]], standing: LinkState, body: dict[str, Any]
) -> None:
    """Leave out a share that the meter gave and the table did not pay."""
    key = (body["table"], body["seat"], body["meter"])
    if any(claim.of(*key) and claim.amount is not None for claim in standing.claims):
        wins.pop()


def _check_win(before: LinkState, event: Event) -> Iterator[Departure]:
    """A win is what the meter showed, with the wagers it names and nothing else."""
    body = event.data
    name, wagered = body["meter"], sum(body["wagered"].values())
    meter = before.ledgers[name].meter(before.terms[name], wagered)
    if body.get("winners"):
        # those paid before it in the same breath had the same
        shown = meter.shows + body["number"] * body["amount"]
        amount = shown * odds(body["odds"]).value // body["winners"]
    else:
        amount, _ = meter.paid(odds(body["odds"]).value)
    if Fraction(body["held"]) != meter.holds or body["amount"] != amount:
        says = f"{name} held {meter.holds} cents and owed {amount}, not {body['amount']}"
        yield Departure(event.stream, event.version, says)


# a table's feed, and the table


class _Fed(msgspec.Struct):
    wagered: Cents = 0
    #: between which versions of the table's stream the feed was open; the last may be open still
    spans: list[tuple[int, int | None]] = []
    contributed: list[tuple[int, Cents]] = []


def _feed(
    log: Log, table: str, standing: LinkState, asked: dict[Cents, int], departs: list[Departure]
) -> _Fed:
    found = _Fed()
    seen = {0}
    before = Feed(table, standing.name, standing.wager)
    for event in whole(log, feed_stream(table, standing.name), departs):
        feed = read_feed(event)
        if feed.wagered != before.wagered + feed.stake:
            says = f"{before.wagered} and {feed.stake} cents do not add up to {feed.wagered}"
            departs.append(Departure(event.stream, event.version, says))
        if event.kind == "feed_opened":
            found.spans.append((feed.at, None))
        elif event.kind == "feed_closed":
            found.spans[-1:] = [(found.spans[-1][0] if found.spans else 0, feed.at)]
        elif event.kind == "contributed":
            found.contributed.append((feed.at, feed.stake))
        elif event.kind == "taken_out" and not -before.in_play <= feed.stake < 0:
            says = f"{-feed.stake} was taken out of a round with {before.in_play}"
            departs.append(Departure(event.stream, event.version, says))
        if feed.wagered in asked:
            seen.add(feed.wagered)
        found.wagered += feed.stake
        before = feed
    for wagered, version in asked.items():
        if wagered not in seen:
            says = f"table {table} had never wagered {wagered}"
            departs.append(Departure(link_stream(standing.name), version, says))
    return found


def _at_table(
    log: Log, table: str, standing: LinkState, feed: _Fed, departs: list[Departure]
) -> _AtTable:
    found = _AtTable(paid={}, wins=[], taken_in={})
    in_round = 0
    if not feed.spans:
        return found
    for recorded in whole(log, table_stream(table), departs, feed.spans[0][0]):
        at = recorded.version
        if not any(start < at and (end is None or at <= end) for start, end in feed.spans):
            continue
        event = table_event(recorded)
        match event:
            case e.ProgressiveCollected():
                stake = sum(
                    cents(amount)
                    for _, name, amount in event.wagers
                    if wager_of(name)[0] == standing.wager
                )
                if stake:
                    found.taken_in[at] = stake
                found.wagered += stake
                in_round = stake
            case e.RoundVoided():
                found.wagered -= in_round - staked_on(standing.wager, event.stands)
                in_round = 0
            case e.RoundEnded():
                in_round = 0
            case e.WagerSettled() if event.meter in standing.terms:
                amount = cents(event.from_meter)
                found.paid[event.meter] = found.paid.get(event.meter, 0) + amount
                found.wins.append((at, event.seat, event.meter, amount))
            case _:
                pass
    return found


def _compare(
    table: str,
    at_table: _AtTable,
    feed: _Fed,
    wins: list[tuple[int, int, str, Cents]],
    departs: list[Departure],
) -> None:
    """Wager by wager and win by win: what the table did and what the link has of it."""
    stream = table_stream(table)
    fed = iter(feed.contributed)
    for at, stake in at_table.taken_in.items():
        before, added = next(fed, (at, None))
        if added != stake or before >= at:
            says = f"{stake} was wagered here, the link was given {added or 0}"
            departs.append(Departure(stream, at, says))
            break
    else:
        if (more := next(fed, None)) is not None:
            says = f"the link was given {more[1]} that was not wagered after event {more[0]}"
            departs.append(Departure(stream, more[0], says))
    for index in range(max(len(at_table.wins), len(wins))):
        here = at_table.wins[index] if index < len(at_table.wins) else None
        there = wins[index] if index < len(wins) else None
        if here is None or there is None or here[1:] != there[1:]:
            says = f"the table paid {here and here[1:]}, the link {there and there[1:]}"
            departs.append(Departure(stream, here[0] if here else 0, says))
            break
