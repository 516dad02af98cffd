"""The facility's gaming day at a table of the casino, and the system's dealer by the clock."""

from __future__ import annotations

import asyncio

from houseway.floor import clock
from houseway.floor.bots.dealer import SystemDealer
from houseway.floor.casino import Casino
from houseway.floor.gaming_day import FacilityTime, set_facility_time
from houseway.law import DOWN_UNDER, chapter, choose, cites
from houseway.store.backends.memory import MemoryLog
from houseway.table.procedure.opening import float_of


@cites(DOWN_UNDER, "685a.2(d)", "685a.3(c)")
def test_the_systems_floorperson_inspects_and_changes_decks_when_the_clock_says_so(monkeypatch):
    log = MemoryLog()
    set_facility_time(log, FacilityTime("UTC", "09:00"), "floor", "2026-03-01T00:00:00Z")
    monkeypatch.setattr(clock, "now", lambda: "2026-03-01T08:59:00.000Z")
    casino = Casino(log)
    asyncio.run(casino.open("1", choose(chapter(DOWN_UNDER), {}), float_of("5000.00"), by=""))
    dealer = SystemDealer(casino, pace=0)

    def next_of_the_house():
        """What the dealer plans, carried out."""
        plan = dealer.plan(casino.table("1"))
        assert plan is not None
        asyncio.run(casino.act("1", plan.command))
        return type(plan.command).__name__

    assert casino.table("1").state.zone == "UTC"
    assert next_of_the_house() == "InspectReader"
    assert casino.table("1").state.devices["reader"].inspected == "2026-02-28"
    assert next_of_the_house() == "ReceiveDecks"
    monkeypatch.setattr(clock, "now", lambda: "2026-03-01T09:00:00.000Z")
    assert next_of_the_house() == "InspectReader"
    assert casino.table("1").state.devices["reader"].inspected == "2026-03-01"
    assert next_of_the_house() == "InspectCards"
    # a day and a minute after the deck came
    monkeypatch.setattr(clock, "now", lambda: "2026-03-02T09:01:00.000Z")
    assert [next_of_the_house() for _ in range(3)] == [
        "ChangeDecks", "InspectReader", "InspectCards",
    ]  # fmt: skip
    casino.close()
