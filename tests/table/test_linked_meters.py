"""Linked meters at one table: what the link holds is read off before anything hangs on it."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.cards import SeededSource
from houseway.errors import Refused
from houseway.law import MA, MD, cites
from houseway.table import fold, read_event
from houseway.table.driver import Driver

METERS = {"progressive": {"rate": "14%", "seed": "2500.00", "reset": "1000.00"}}


def table() -> Driver:
    driver = Driver(
        MD, {"shuffler": "counting", "progressive": "A"}, source=SeededSource(3), meters=METERS
    )
    for seat in (1, 2):
        driver.seat_player(seat, f"player {seat}")
    driver.ready()
    return driver


def read(driver: Driver, holds: Fraction | str) -> None:
    driver.send("read_meters", "system", meters={"progressive": str(holds)})


@given(st.fractions(100_000, 10**9, max_denominator=10**6))
def test_the_table_takes_over_what_the_link_holds(holds) -> None:
    driver = table()
    read(driver, holds)
    assert Fraction(driver.table.meters["progressive"]) == holds
    assert fold(driver.record) == driver.table


@cites(MD, "12.E(4)")
@given(st.fractions(200_000, 10**9, max_denominator=999))
def test_wins_still_due_are_figured_again_and_stay_validated(holds) -> None:
    """Two mini royals of spades cannot be dealt; two wins of one meter are put on record instead."""
    driver = table()
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00", "progressive": "1.00"})
    driver.send("no_more_bets", "dealer")
    line = {
        "wager": "progressive", "stake": "1.00", "result": "win", "paid": "2499.28",
        "clause": "12.E(1)(a)(i)", "odds": "100% of meter", "meter": "progressive",
        "from_meter": "2500.28", "outcome": "mini_royal_spades",
    }  # fmt: skip
    event = {
        "event": "settlement_due", "version": driver.table.version + 1, "at": "", "role": "dealer",
        "who": "", "clause": "", "lines": [{**line, "seat": 2, "validated": True}, {**line, "seat": 1}],
    }  # fmt: skip
    import msgspec

    from houseway.table import evolve

    due = read_event(msgspec.json.encode(event))
    driver.record.append(due)
    driver.table = evolve(driver.table, due)
    read(driver, holds)
    first, second = driver.table.due
    whole = holds.numerator // holds.denominator
    # the first takes all that is shown, the second what it starts again with
    assert (first.from_meter, first.paid, first.validated) == (whole, whole - 100, True)
    left = holds - whole + 100_000
    assert second.from_meter == left.numerator // left.denominator == 100_000
    assert not second.validated
    assert fold(driver.record) == driver.table


@pytest.mark.parametrize(
    ("meters", "code"),
    [
        ({}, "nothing_to_read"),
        ({"mega": "1"}, "no_such_meter"),
        ({"progressive": "-5"}, "not_an_amount"),
        ({"progressive": "1/0"}, "not_an_amount"),
        ({"progressive": "1.5"}, "not_an_amount"),
        ({"progressive": "²"}, "not_an_amount"),
    ],
)
def test_what_is_no_reading_is_refused(meters, code) -> None:
    driver = table()
    with pytest.raises(Refused) as refused:
        driver.send("read_meters", "system", meters=meters)
    assert refused.value.code == code


@cites(MA, "13(d)(c)")
@pytest.mark.parametrize("shares", [{"mega": ("1.00", 2)}, {"progressive": ("1.00", -1)}])
def test_a_share_that_nobody_has_is_refused(shares) -> None:
    with pytest.raises(Refused) as refused:
        table().send("read_meters", "system", shares=shares)
    assert refused.value.code == "no_such_share"


def test_only_the_system_reads_meters() -> None:
    driver = table()
    for role in ("dealer", "player", "floorperson", "device"):
        with pytest.raises(Refused, match="is for the system"):
            driver.send("read_meters", role, meters={"progressive": "5"})
