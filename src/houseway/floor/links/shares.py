"""Winners who share a linked meter, where the submission says so (Massachusetts 13(d)(c)).

One deck holds one hand that wins the meter, so several winners sit at several tables. A win is
claimed on the link when its cards are seen. All that are claimed before the first of them is paid
are hits of one round and get the same, to the cent: with the first payment the meter gives the
shares of all and starts again, and those of the others wait for their turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from houseway.floor.links.record import Claim, LinkState, Reading
from houseway.law import MA, cites
from houseway.money import cents, dollars, odds
from houseway.store import New
from houseway.table import Event, Table
from houseway.table import events as e


def are_shared(standing: LinkState) -> bool:
    return bool(standing.rules["rules"].get("several_meter_hits") == "shared")


def _open(claims: tuple[Claim, ...], meter: str) -> list[Claim]:
    return [claim for claim in claims if claim.meter == meter and claim.amount is None]


@cites(MA, "13(d)(c)")
def shares(reading: Reading, table: Table) -> dict[str, tuple[str, int]]:
    """What this table's winner of a meter receives, and how many share what the meter shows."""
    found = {}
    for claim in reading.standing.claims:
        if claim.table == table.name:
            if claim.amount is not None:
                found[claim.meter] = (dollars(claim.amount), 0)
                continue
            winners = len(_open(reading.standing.claims, claim.meter))
            amount, _ = reading.meter(claim.meter).paid(Fraction(1), winners)
            found[claim.meter] = (dollars(amount), winners)
    return found


def figured(table: Table, found: dict[str, tuple[str, int]]) -> bool:
    """Whether the wins still due at a table are already calculated with these shares."""
    return all(
        (dollars(line.from_meter), line.winners) == found[line.meter]
        for line in table.due
        if line.meter in found
    )


@cites(MA, "13(d)(c)")
def claims_and_payments(
    table: Table,
    reading: Reading,
    events: tuple[Event, ...],
    new: Callable[[Event, str, dict[str, Any]], New],
) -> Iterator[New]:
    """What a table's events do to the claims on a link and to its meters."""
    claims = reading.standing.claims
    for event in events:
        if isinstance(event, e.WagerSettled) and event.meter in reading.standing.terms:
            yield from _paid(table, reading, claims, event, new)
        elif isinstance(event, e.SettlementDue | e.RoundVoided):
            due = _due(table, reading, event)
            mine = [one for one in claims if one.table == table.name]
            gone = [one for one in mine if not any(_same(one, other) for other in due)]
            come = [one for one in due if not any(_same(one, other) for other in mine)]
            for kind, changed in (("claim_withdrawn", gone), ("win_claimed", come)):
                for claim in changed:
                    yield new(event, kind, _body(table, claim))
            claims = (*(one for one in claims if one not in gone), *come)


def _due(table: Table, reading: Reading, event: e.SettlementDue | e.RoundVoided) -> list[Claim]:
    if isinstance(event, e.RoundVoided):
        return []
    return [
        Claim(table.name, line["seat"], line["meter"], line["outcome"])
        for line in event.lines
        if line.get("meter") in reading.standing.terms
    ]


def _same(one: Claim, other: Claim) -> bool:
    return one.of(other.table, other.seat, other.meter)


def _body(table: Table, claim: Claim) -> dict[str, Any]:
    return {
        "table": claim.table, "round": table.round, "seat": claim.seat, "meter": claim.meter,
        "outcome": claim.outcome,
    }  # fmt: skip


def _paid(
    table: Table,
    reading: Reading,
    claims: tuple[Claim, ...],
    win: e.WagerSettled,
    new: Callable[[Event, str, dict[str, Any]], New],
) -> Iterator[New]:
    (mine,) = [one for one in claims if one.of(table.name, win.seat, win.meter)]
    if mine.amount is not None:
        yield new(win, "share_paid", {**_body(table, mine), "amount": mine.amount})
        return
    winners = [mine, *(one for one in _open(claims, win.meter) if one is not mine)]
    before = reading.meter(win.meter)
    amount, after = before.paid(odds(win.odds).value, len(winners))
    if amount != cents(win.from_meter):
        raise AssertionError(f"{win.meter} gives {amount} to each, {win.from_meter} was figured")
    for number, claim in enumerate(winners):
        last = number == len(winners) - 1
        held = before.holds - number * amount
        released = before.reserve if last else Fraction(0)
        yield new(win, "meter_paid", {
            **_body(table, claim), "wager": win.wager, "odds": win.odds, "clause": win.clause,
            "amount": amount, "whole": last, "held": str(held), "released": str(released),
            "holds": str(after.holds if last else held - amount),
            "wagered": {name: feed.wagered for name, feed in reading.feeds.items()},
            "number": number, "winners": len(winners), "set_aside": claim is not mine,
        })  # fmt: skip
