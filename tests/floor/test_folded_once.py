"""What a command makes happen is folded into the table once, and a family's state is kept."""

from __future__ import annotations

import pytest
from playing import GAMES, played, record

from houseway.cards import SeededSource
from houseway.floor import deal_proof
from houseway.floor.deal_proof import DealProofState
from houseway.floor.recorded_table import CODE, FOLDING, RecordedTable, TableRecord
from houseway.law import DOWN_UNDER
from houseway.store.backends.memory import MemoryLog
from houseway.table.driver import Driver


@pytest.mark.parametrize("game", range(len(GAMES)))
def test_the_record_takes_over_the_table_that_was_decided(game, monkeypatch) -> None:
    driver, log = played(game), MemoryLog()
    folded = []
    plain = deal_proof.evolve

    def counted(table, event):
        folded.append(event)
        return plain(table, event)

    monkeypatch.setattr(deal_proof, "evolve", counted)
    table = record(log, driver)
    # the table of marks for the proof of the deal, and no other
    assert len(folded) == len(driver.record)
    assert table.table == driver.table
    assert RecordedTable(log, "1").table == driver.table
    assert len(folded) > len(driver.record)


def test_a_snapshot_holds_the_state_of_a_family() -> None:
    driver = Driver(DOWN_UNDER, source=SeededSource(1))
    for seat in (1, 2):
        driver.seat_player(seat, f"player {seat}")
    driver.ready()
    for seat in (1, 2):
        driver.wager(seat, {"bet": "10.00"})
    driver.until("deciding")
    driver.send("wrong_light", "dealer", cause="light")
    assert driver.table.own is not None
    kept = TableRecord(DealProofState(driver.table))
    assert FOLDING.unpack(FOLDING.pack(kept)) == kept


def test_the_code_of_a_familys_events_and_state_is_part_of_every_snapshot() -> None:
    named = {name.replace("\\", "/") for name in CODE}
    for file in ("events.py", "state.py"):
        assert any(name.endswith(f"games/down_under/table/{file}") for name in named)
    assert any(name.endswith("games/saigon/table/events.py") for name in named)
    assert any(name.endswith("table/evolve/wagers.py") for name in named)
