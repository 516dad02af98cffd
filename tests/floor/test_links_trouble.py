"""Links in trouble: out of reach, tampered with, moved by another worker, waited for."""

from __future__ import annotations

from fractions import Fraction

import pytest
from linked import (
    BY,
    NOON,
    RATE,
    ROYAL,
    SEED,
    SIGNED,
    LinkedTable,
    cents_of,
    code,
    is_exact,
    open_link,
    rules,
    two_tables,
)

from houseway.errors import Refused
from houseway.floor.audit.corruption import DAMAGE
from houseway.floor.links.reconcile import Departure, reconcile
from houseway.floor.live_table import Live
from houseway.floor.recorded_table import RecordedTable
from houseway.money import cents
from houseway.store import New, Unavailable, Write
from houseway.store.backends.memory import MemoryLog


class Gone(MemoryLog):
    """A record in which the link can be taken away."""

    gone = False

    def last(self, streams):
        if self.gone and any(name.startswith("feed/") for name in streams):
            raise Unavailable("record_unreachable", "the database cannot be reached")
        return super().last(streams)


def test_a_table_without_its_link_takes_no_progressive_wagers_and_says_so() -> None:
    log = Gone()
    link, a, _ = two_tables(log)
    a.ready()
    a.wager(1, {"ante": "10.00"})
    log.gone = True
    with pytest.raises(Refused) as refused:
        a.wager(1, {"progressive": "1.00"})
    assert code(refused) == "link_lost"
    assert "no progressive wager can be accepted" in str(refused.value)
    a.wager(2, {"ante": "10.00"})
    log.gone = False
    a.wager(1, {"progressive": "1.00"})
    a.send("no_more_bets", "dealer")
    a.on_to("betting")
    assert cents_of(link) == SEED + 100 * RATE


@pytest.mark.parametrize(
    ("stream", "kind", "change", "says"),
    [
        ("feed/a/wide", "contributed", {"wagered": 10**6, "stake": 100}, "do not add up"),
        ("feed/a/wide", "contributed", {"wagered": 300, "stake": 100, "at": 10**4}, "was not wagered"),
        (
            "link/wide",
            "meter_paid",
            {"table": "a", "round": 9, "seat": 1, "wager": "progressive", "meter": "progressive",
             "outcome": "mini_royal_spades", "odds": "100% of meter", "clause": "", "amount": 5,
             "whole": False, "held": "5", "released": "0", "holds": "0", "wagered": {"a": 77}},
            "owed",
        ),
    ],
)  # fmt: skip
def test_reconciling_names_what_departs(stream, kind, change, says) -> None:
    log = MemoryLog()
    _, a, _ = two_tables(log)
    a.round()
    is_exact(log)
    last = log.last([stream])[stream]
    body = {**last.data, **change} if stream.startswith("feed") else change
    log.append(Write(stream, last.version, (New(kind, body, "thief", NOON),)))
    found = reconcile(log, "wide")
    assert not found.exact
    departs = [one for one in found.departs if says in one.says]
    assert departs
    assert departs[0].stream in (stream, "table/a")


def test_reconciling_misses_every_event_that_is_gone() -> None:
    """Whichever event was removed behind its back; the last of a stream is an anchor's business."""
    log = MemoryLog()
    link, a, b = two_tables(log)
    for table in (a, b):
        table.round()
    a.round({1: ROYAL})
    link.adjust("progressive", Fraction(1), SIGNED)
    is_exact(log)
    for stream in ("link/wide", "feed/a/wide", "feed/b/wide"):
        events = log._streams[stream]
        for at in range(len(events) - 1):
            log._streams[stream] = events[:at] + events[at + 1 :]
            try:
                found = reconcile(log, "wide")
            except DAMAGE:
                continue  # which a command tells with the event that is missing
            assert Departure(stream, at + 1, "this event is missing") in found.departs
        log._streams[stream] = events
    # and a table that the link does not know of
    log.append(Write("feed/c/wide", 0, (New("feed_opened", {}, "thief", NOON),)))
    (departs,) = reconcile(log, "wide").departs
    assert (departs.stream, departs.says) == (
        "feed/c/wide", "table c feeds wide, which it never joined",
    )  # fmt: skip


def test_the_table_is_the_same_again_from_the_record() -> None:
    log = MemoryLog()
    _, a, b = two_tables(log)
    a.round({1: ROYAL})
    b.round()
    for table in (a, b):
        assert RecordedTable(log, table.recorded.name).table == table.table


def test_two_workers_may_take_turns_at_one_linked_table() -> None:
    """One had read the table before it was linked; it still writes what the other put in."""
    log = MemoryLog()
    late = RecordedTable(log, "a")
    link, a, b = two_tables(log)
    b.round()
    a.up_to("dealing", {})
    before = cents_of(link)
    late.read()
    a.recorded = late
    for _ in range(2):
        a.send("card_found_face_up", "dealer")
    assert cents_of(link) == before - 200 * RATE
    a.recorded = RecordedTable(log, "a")
    other = RecordedTable(log, "a")
    a.up_to("settling", {1: ROYAL})
    other.read()
    a.recorded = other
    a.on_to("betting")
    assert [event.kind for event in log.read("link/wide")][-1] == "meter_paid"
    is_exact(log)


def test_a_command_made_against_the_table_as_it_was_seen_still_counts() -> None:
    """Reading the meters moves the table's version on; that is no reason to call a command stale."""
    from houseway.table.commands import SettleNext, TurnHand

    log = MemoryLog()
    _, a, b = two_tables(log)
    a.up_to("settling", {1: ROYAL})
    b.round()
    at, seat = a.clock.isoformat(), 2
    seen = a.table.version
    events = a.recorded.send(TurnHand(role="dealer", who="dana", at=at, version=seen, seat=seat))
    assert [type(event).__name__ for event in events][:2] == ["MeterMoved", "SettlementDue"]
    with pytest.raises(Refused) as refused:
        a.recorded.send(SettleNext(role="dealer", who="dana", at=at, version=seen))
    assert code(refused) == "stale"
    a.table = a.recorded.table
    a.on_to("betting")
    is_exact(log)


def test_a_round_without_progressive_wagers_follows_one_that_had_some() -> None:
    """What was in play in the round before is not in play any more, and holds nobody up."""
    log = MemoryLog()
    link, a, _ = two_tables(log)
    a.round()
    held = cents_of(link)
    for _ in range(2):
        for seat in (1, 2):
            a.wager(seat, {"ante": "10.00"})
        a.send("no_more_bets", "dealer")
        a.on_to("betting")
    assert a.table.round == 3
    assert cents_of(link) == held
    kinds = [event.kind for event in log.read("feed/a/wide")]
    assert kinds == ["feed_opened", "contributed", "round_settled"]
    is_exact(log)


def test_a_table_remembers_what_its_own_meters_paid_and_leaves_the_links_wins_to_the_link() -> None:
    log = MemoryLog()
    link = open_link(log)
    link.join("a", rules(), BY)
    for name in ("a", "alone"):
        table = LinkedTable(log, name)
        table.sit()
        table.round({1: ROYAL})
    own, linked = Live(log, "alone"), Live(log, "a")
    (hit,) = own.hits
    assert (hit.table, hit.seat, hit.meter, hit.outcome) == (
        "alone", 1, "progressive", "mini_royal_spades",
    )  # fmt: skip
    assert cents(hit.amount) == int(SEED + 200 * RATE)
    assert linked.hits == ()
    assert [win.table for win in link.read().standing.wins] == ["a"]
