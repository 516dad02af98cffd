"""A live table on the record: the same table again from the record, and nothing half done."""

from __future__ import annotations

import msgspec
import pytest
from playing import GAMES, played, record

from houseway.errors import Refused
from houseway.floor.people.chip_changes import chips_of
from houseway.floor.recorded_table import FOLDING, RecordedTable, table_event, utc
from houseway.money import cents
from houseway.store import Unavailable
from houseway.store.backends.memory import MemoryLog
from houseway.store.backends.sqlite import SQLiteLog
from houseway.store.snapshots import open_at, wrong_snapshots
from houseway.store.verify import verify
from houseway.table import events as e
from houseway.table import fold
from houseway.table.commands import PlaceWager


@pytest.mark.parametrize("game", range(len(GAMES)))
def test_the_record_folds_to_the_table_that_was_played(game) -> None:
    driver, log = played(game), MemoryLog()
    table = record(log, driver)
    assert table.table == driver.table
    events = [event for one in log.read("table/1") if (event := table_event(one))]
    assert events == driver.record
    assert fold(events) == driver.table
    assert RecordedTable(log, "1").table == driver.table
    assert verify(log).unbroken


@pytest.mark.parametrize("game", range(len(GAMES)))
def test_chips_and_meters_move_with_the_table(game) -> None:
    driver, log = played(game), MemoryLog()
    table = record(log, driver)
    chips = sum(one.data["cents"] for name in log.heads(prefix="chips/") for one in log.read(name))
    tray = meters = 0
    for event in driver.record:
        if not isinstance(event, e.TableOpened):
            tray += sum(cents(value) * count for value, count in getattr(event, "tray", {}).items())
        if isinstance(event, e.WagerSettled) and event.from_meter:
            meters += cents(event.from_meter)
    # between rounds nothing lies on the layout: what the players lost is in the tray
    assert chips == meters - tray
    assert sum(chips_of(event)[1] for event in driver.record) == chips
    for meter, holds in table.table.meters.items():
        moves = list(log.read(f"meter/1/{meter}"))
        if moves:
            assert moves[-1].data["holds"] == holds
    assert len(table.table.meters) >= len(log.heads(prefix="meter/"))


def test_snapshots_open_a_table_at_once_and_are_what_the_log_folds_to(tmp_path) -> None:
    log = SQLiteLog(tmp_path / "r.db")
    table = record(log, played(0, rounds=6))
    opened = open_at(log, "table/1", FOLDING)
    assert opened.folded < 200 < opened.version
    assert opened.state.marked.table == table.table
    assert list(wrong_snapshots(log, FOLDING)) == []
    log.close()


def test_a_table_goes_on_from_the_record_in_another_process(tmp_path) -> None:
    driver = played(0)
    half = len(driver.commands) // 2
    log = SQLiteLog(tmp_path / "r.db")
    first = RecordedTable(log, "1")
    for command in driver.commands[:half]:
        first.send(command)
    log.close()
    log = SQLiteLog(tmp_path / "r.db")
    second = RecordedTable(log, "1")
    for command in driver.commands[half:]:
        second.send(command)
    assert second.table == driver.table
    assert verify(log).unbroken
    log.close()


def test_two_workers_at_one_table_decide_again_or_are_told_they_are_stale() -> None:
    driver, log = played(0, rounds=0), MemoryLog()
    driver.ready()
    one = record(log, driver)
    other = RecordedTable(log, "1")
    bet = {"role": "player", "at": "2026-01-01T13:00:00", "wager": "ante", "amount": "10.00"}
    now = one.table.version
    one.send(PlaceWager(**bet, who="player 1", seat=1, version=now))
    with pytest.raises(Refused) as caught:
        other.send(PlaceWager(**bet, who="player 2", seat=2, version=now))
    assert caught.value.code == "stale"
    one.send(PlaceWager(**{**bet, "wager": "pair_plus"}, who="player 1", seat=1))
    # without a version it is meant for the current table, even if others have moved it
    other.send(PlaceWager(**bet, who="player 2", seat=2))
    one.read()
    assert one.table == other.table
    assert one.table.boxes[0].wagers == {"ante": 1000, "pair_plus": 1000}
    assert one.table.boxes[1].wagers == {"ante": 1000}
    assert verify(log).unbroken


class _Full(MemoryLog):
    full = False

    def append_all(self, batches):
        if self.full:
            raise Unavailable("record_full", "the disk is full")
        return super().append_all(batches)


def test_what_cannot_be_recorded_has_not_happened() -> None:
    driver, log = played(0, rounds=0), _Full()
    driver.ready()
    table = record(log, driver)
    before = table.table
    log.full = True
    bet = PlaceWager(
        role="player",
        who="player 1",
        at="2026-01-01T13:00:00",
        seat=1,
        wager="ante",
        amount="10.00",
    )
    with pytest.raises(Unavailable):
        table.send(bet)
    assert table.table == before
    log.full = False
    table.send(bet)
    assert table.table.boxes[0].wagers == {"ante": 1000}
    assert sum(one.data["cents"] for one in log.read("chips/player 1")) == -1000


def test_times_are_put_on_record_in_utc() -> None:
    assert utc("2026-03-01T12:00:00") == "2026-03-01T12:00:00Z"
    assert utc("2026-03-01T12:00:00.250-05:00") == "2026-03-01T17:00:00.250000Z"
    with pytest.raises(Refused):
        utc("noon")


def test_a_state_survives_its_snapshot() -> None:
    table = record(MemoryLog(), played(3))
    state = table._opened.state
    assert FOLDING.unpack(FOLDING.pack(state)) == state
    assert len(FOLDING.pack(state)) < 100_000
    assert msgspec.json.decode(FOLDING.pack(state))
