"""The web's casino feeds and pays links like any other table on the record."""

from __future__ import annotations

import asyncio
from fractions import Fraction

from linked import BY, ROYAL, LinkedTable, cents_of, open_link, rules

from houseway.floor.casino import Casino
from houseway.floor.link_reconcile import reconcile
from houseway.floor.people import Person
from houseway.store.memory import MemoryLog
from houseway.table import Command


class InCasino:
    """Stands where a test's table has its record: commands go through the casino."""

    def __init__(self, casino: Casino, name: str, loop: asyncio.AbstractEventLoop) -> None:
        self.casino, self.name, self.loop = casino, name, loop

    @property
    def table(self):
        return self.casino.table(self.name).table

    def send(self, command: Command) -> tuple:
        self.loop.run_until_complete(self.casino.act(self.name, command))
        return ()


def test_a_table_of_the_casino_and_one_of_another_process_share_a_meter() -> None:
    log = MemoryLog()
    link = open_link(log)
    for name in "ab":
        link.join(name, rules(), BY)
    casino = Casino(log)
    loop = asyncio.new_event_loop()
    a, b = LinkedTable(log, "a"), LinkedTable(log, "b")
    casino.catch_up("a")
    a.recorded = InCasino(casino, "a", loop)
    b.sit()
    _sit(a)
    a.up_to("settling", {1: ROYAL})
    b.round(stake="5.00")
    held = 250_000 + 1200 * Fraction(147, 1000)
    assert cents_of(link) == held
    a.on_to("betting")
    (paid,) = [event.data for event in log.read("link/wide") if event.kind == "meter_paid"]
    assert (paid["table"], paid["amount"]) == ("a", int(held))
    a.void()
    assert cents_of(link) == held - int(held) + 100_000
    assert reconcile(log, "wide").departs == ()
    loop.close()
    casino.close()


def _sit(table: LinkedTable) -> None:
    """The casino wants chips to be bought before they are wagered."""
    table.sit()
    for seat in (1, 2):
        person = Person(f"a player {seat}", "", ("player",))
        table.recorded.casino.give(person, 50_000, by="test")
        table.send("buy_in", "player", seat=seat, amount="500.00")
