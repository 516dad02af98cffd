"""Records of earlier versions stay readable, and no event changes its shape unnoticed."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from houseway.floor.audit.rounds import find_round
from houseway.floor.audit.verify_deal import verify_deal
from houseway.floor.event_versions import SCHEMAS
from houseway.floor.gaming_day import FacilityTime
from houseway.floor.recorded_table import FOLDING, RecordedTable, table_event
from houseway.store import Event, New, Write
from houseway.store.backends.memory import MemoryLog
from houseway.store.snapshots import keep, open_at
from houseway.store.verify import verify
from houseway.table import events as e
from houseway.table.events import EVENTS

HERE = Path(__file__).parent


def older() -> MemoryLog:
    """A round of a table as it was recorded when every event had its first shape."""
    log = MemoryLog()
    rows = [json.loads(line) for line in (HERE / "record-1.jsonl").read_text().splitlines()]
    for row in rows:
        row |= {name: bytes.fromhex(row[name]) for name in ("previous", "hash")}
    log.load([Event(**row) for row in rows], "older")
    return log


def test_a_record_of_the_first_schemas_is_read_searched_and_proved(projections_of) -> None:
    log = older()
    assert verify(log).unbroken
    first = next(log.read("table/1"))
    assert (first.kind, first.schema, "zone" in first.data) == ("table_opened", 1, False)
    opened = table_event(first)
    assert isinstance(opened, e.TableOpened)
    assert (opened.zone, opened.day_begins) == (FacilityTime().zone, FacilityTime().begins)
    table = RecordedTable(log, "1").table
    assert (table.round, table.zone) == (1, FacilityTime().zone)
    found = projections_of(log)
    round = find_round(found, "1.1.1")
    assert sum(hand["net"] for hand in round["hands"]) + round["win"] == 0
    assert verify_deal(log, round).proved


def test_new_events_are_written_with_the_newest_schema() -> None:
    assert SCHEMAS.latest("table_opened") == 2
    from playing import played, record

    log = MemoryLog()
    record(log, played(0, rounds=1))
    for event in log.read("table/1"):
        assert event.schema == SCHEMAS.latest(event.kind)


def test_whoever_changes_the_shape_of_an_event_adds_a_step() -> None:
    """A field may be added that can be left out. Anything else is a new schema: write a step in
    `floor/event_versions.py`, then pin the new shape in `shapes.json`."""
    pinned = json.loads((HERE / "shapes.json").read_text())
    for kind, known in pinned.items():
        assert kind in EVENTS, f"{kind} is on record somewhere: rename it by a step"
        now = {field.name: field.required for field in msgspec.structs.fields(EVENTS[kind])}
        if SCHEMAS.latest(kind) == known["schema"]:
            gone = known["fields"].keys() - now.keys()
            needed = {name for name, required in now.items() if required}
            new = needed - {name for name, how in known["fields"].items() if how == "needed"}
            assert not gone | new, f"{kind} changed its shape: {sorted(gone | new)}"
    assert pinned.keys() == EVENTS.keys()


def test_a_snapshot_of_other_code_is_not_read() -> None:
    log = older()
    keep(log, "table/1", FOLDING, open_at(log, "table/1", FOLDING))
    assert open_at(log, "table/1", FOLDING).folded == 0
    other = FOLDING._replace(code=(*FOLDING.code, "store/event.py"))
    assert open_at(log, "table/1", other).folded == log.head("table/1").version


def test_an_event_from_the_future_is_named() -> None:
    import pytest

    from houseway.errors import Refused

    log = MemoryLog()
    log.append(Write("table/9", 0, (New("table_opened", {}, "x", "2026-01-01T12:00:00Z", 3),)))
    with pytest.raises(Refused) as caught:
        RecordedTable(log, "9")
    assert caught.value.code == "schema_too_new"
