"""Activity log, page by page: every deed once, whatever the clocks of the workers said."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.errors import Refused
from houseway.floor.people import activity_log as module
from houseway.floor.people.access import ACCESS, LOOKED
from houseway.floor.people.activity_log import Activity, Place, activities
from houseway.floor.people.directory import PEOPLE
from houseway.store import New, Write
from houseway.store.backends.memory import MemoryLog

START = datetime.fromisoformat("2026-03-01T12:00:00")


def _looked(person: str, seconds: int) -> New:
    # whole seconds and parts of them are written differently
    time = (START + timedelta(milliseconds=seconds * 500)).isoformat() + "Z"
    return New(LOOKED, {"person": person, "what": "round", "of": str(seconds)}, person, time)


def _came_back(person: str, seconds: int) -> New:
    new = _looked(person, seconds)
    return New("came_back", {"table": "1", "person": person}, person, new.time)


def _all(log: MemoryLog, person: str, most: int) -> list[Activity]:
    """Every page, one after the other, by what an address says."""
    found: list[Activity] = []
    before: Place | None = None
    for _ in range(200):
        page = activities(log, person, most, before)
        found += page.activities
        assert len(page.activities) <= most
        if page.older is None:
            return found
        before = Place.read(str(page.older))
        assert before == page.older
    raise AssertionError("the pages do not end")


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 400)), max_size=30),
    st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 400)), max_size=30),
    st.sampled_from(["", "a", "c"]), st.integers(1, 7), st.integers(1, 9),
)  # fmt: skip
def test_all_pages_together_have_every_deed_once(looks, returns, person, most, far):
    log = MemoryLog()
    news = [[_looked(*one) for one in looks], [_came_back(*one) for one in returns]]
    for stream, events in zip((ACCESS, PEOPLE), news, strict=True):
        if events:
            log.append(Write(stream, 0, tuple(events)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_FAR", far)
        patch.setattr(module, "_FIRST", 2)
        patch.setattr(module, "_AT_ONCE", 3)
        found = _all(log, person, most)
    expected = {
        (stream, version)
        for stream, events in zip((ACCESS, PEOPLE), news, strict=True)
        for version, event in enumerate(events, 1)
        if person in ("", event.actor)
    }
    assert len(found) == len(expected)
    assert {(deed.stream, deed.version) for deed in found} == expected
    # of one stream the later comes first, always
    for stream in (ACCESS, PEOPLE):
        versions = [deed.version for deed in found if deed.stream == stream]
        assert versions == sorted(versions, reverse=True)


def test_a_page_may_begin_at_a_time():
    log = MemoryLog()
    log.append(Write(ACCESS, 0, tuple(_looked("a", 2 * second) for second in range(9))))
    found = activities(log, before=Place.read("2026-03-01T12:00:05")).activities
    assert [deed.version for deed in found] == [5, 4, 3, 2, 1]
    assert activities(log, before=Place.read("9999-12-31")).activities[0].version == 9
    assert activities(log, before=Place.read("0001-01-01")) == ([], None)


@pytest.mark.parametrize(
    "text", ["soon", "2026-03-01T12:00:05Z x access", "2026-03-01T12:00:05Z 4",
             "2026-03-01T12:00:05Z 4 ", "0001-01-01T00:00+05:00"],
)  # fmt: skip
def test_what_is_no_place_is_refused(text):
    with pytest.raises(Refused):
        Place.read(text)
