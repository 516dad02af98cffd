"""What falls due by the clock: the reader's inspection in each gaming day, a deck's change."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tables import check_all, opened, refused

from houseway.law import DOWN_UNDER, MD, PRIME, SAIGON, cites
from houseway.table import events as e
from houseway.table import fold, legal, next_steps, read_event
from houseway.table.gaming_day import FacilityTime


def by_the_clock(driver, time):
    driver.clock = datetime.fromisoformat(time)


def stand(_table, _seat, steps):
    names = [step.command for step in steps]
    return next(name for name in ("stand", "decline_insurance") if name in names), {}


@cites(DOWN_UNDER, "685a.2(d)")
def test_no_round_begins_in_a_gaming_day_before_the_reader_is_inspected():
    """The day begins at six: a round begun a minute before goes on, the next waits."""
    driver = opened(DOWN_UNDER, start="2026-03-01T05:58:00")
    driver.wager(1, {"bet": "10.00"})
    driver.send("deal", "dealer")
    by_the_clock(driver, "2026-03-01T06:00:00")
    early = refused(driver, "inspect_reader", "floorperson")
    assert early.code == "out_of_turn"
    driver.finish(stand)
    assert driver.table.phase == "betting"
    # the house does what next_steps says
    driver.house()
    days = [event.day for event in driver.record if isinstance(event, e.DeviceInspected)]
    assert days == ["2026-02-28", "2026-03-01"]
    check_all(driver)


@cites(DOWN_UNDER, "685a.2(d)")
def test_the_next_step_says_so_and_only_the_floorperson_may():
    driver = opened(DOWN_UNDER, start="2026-03-01T12:00:00")
    driver.wager(1, {"bet": "10.00"})
    tomorrow = "2026-03-02T06:00:00"
    assert "inspect_reader" not in legal(driver.table, "floorperson", at="2026-03-02T05:59:59")
    assert "inspect_reader" in legal(driver.table, "floorperson", at=tomorrow)
    first = next_steps(driver.table, at=tomorrow)[0]
    assert (first.command, first.role, first.clause) == (
        "inspect_reader", "floorperson", "685a.2(d)",
    )  # fmt: skip
    by_the_clock(driver, tomorrow)
    refusal = refused(driver, "deal", "dealer")
    # this one is younger than a day, so only the inspection stands in the way
    assert (refusal.code, refusal.clause) == ("not_inspected", "685a.2(d)")
    assert refused(driver, "inspect_reader", "dealer").code == "not_your_part"
    driver.send("inspect_reader", "floorperson")
    assert refused(driver, "inspect_reader", "floorperson").code == "out_of_turn"
    driver.send("deal", "dealer")


@cites(DOWN_UNDER, "685a.2(d)")
def test_the_day_is_the_facilitys_own_and_the_record_carries_it():
    driver = opened(
        DOWN_UNDER, start="2026-07-01T08:00:00+00:00", zone="America/Chicago", day_begins="03:00"
    )
    # eight in Greenwich is three in the morning in Chicago in summer
    assert driver.table.devices["reader"].inspected == "2026-07-01"
    record = [read_event(msgspec.json.encode(event)) for event in driver.record]
    assert fold(record) == driver.table
    driver.wager(1, {"bet": "10.00"})
    by_the_clock(driver, "2026-07-02T07:59:00+00:00")
    driver.send("deal", "dealer")
    late = opened(DOWN_UNDER, start="2026-07-01T08:00:00+00:00")
    # four in New York: still the day before
    assert late.table.devices["reader"].inspected == "2026-06-30"


def test_a_zone_or_an_hour_that_does_not_exist_is_refused():
    for parts in ({"zone": "Mars/Olympus"}, {"day_begins": "25:00"}):
        with pytest.raises(Exception, match="is not a time zone and a time"):
            opened(DOWN_UNDER, **parts)


@given(
    st.datetimes(),
    st.sampled_from(("00:00", "05:30", "06:00", "23:59")),
)
def test_a_gaming_day_is_a_calendar_day_moved_by_its_beginning(at, begins):
    """By the facility's own clock: the calendar day of the time shifted back by the day's beginning."""
    hours, minutes = map(int, begins.split(":"))
    seconds = at.hour * 3600 + at.minute * 60 + at.second
    before = seconds < hours * 3600 + minutes * 60
    assume(at.year > 1)
    expected = (at.date() - timedelta(days=before)).isoformat()
    assert FacilityTime("America/New_York", begins).day(at.isoformat()) == expected


@pytest.mark.parametrize(
    ("chapter", "hours", "clause"),
    [(MD, 8, "3.C(2)"), (PRIME, 8, "679a.3(c)(2)"), (SAIGON, 8, "680a.3(c)(2)"),
     (DOWN_UNDER, 24, "685a.3(c)")],
)  # fmt: skip
@cites(MD, "3.C", "3.C(2)")
@cites(PRIME, "679a.3(c)", "679a.3(c)(2)")
@cites(SAIGON, "680a.3(c)", "680a.3(c)(2)")
@cites(DOWN_UNDER, "685a.3(c)")
def test_a_deck_whose_hours_are_up_is_changed_before_anything_else(chapter, hours, clause):
    """With wagers already down: they wait on the layout for the fresh deck."""
    driver = opened(chapter, start="2026-03-01T07:00:00")
    wager = "bet" if chapter == DOWN_UNDER else "ante"
    driver.wager(1, {wager: "10.00"})
    steps = [step.command for step in next_steps(driver.table, at=driver.clock.isoformat())
             if step.kind == "next"]  # fmt: skip
    assert "change_decks" not in steps
    day = 1 + (7 + hours) // 24
    by_the_clock(driver, f"2026-03-0{day}T{(7 + hours) % 24:02d}:01:00")
    closes = ("deal" if chapter == DOWN_UNDER else "no_more_bets", "dealer")
    overdue = refused(driver, *closes)
    if chapter == DOWN_UNDER:
        driver.send("inspect_reader", "floorperson")
    assert (overdue.code, overdue.clause) == ("deck_overdue", clause)
    first = next_steps(driver.table, at=driver.clock.isoformat())[0]
    assert (first.command, first.kind) == ("change_decks", "next")
    driver.house()
    assert driver.table.phase == "opening"
    driver.until("betting")
    assert driver.table.boxes[0].layout == {wager: 1000}
    driver.send(*closes)
    check_all(driver)
