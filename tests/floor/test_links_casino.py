"""The web's casino feeds and pays links like any other table on the record."""

from __future__ import annotations

import asyncio
from fractions import Fraction

import pytest
from linked import BY, ROYAL, SIGNED, LinkedTable, cents_of, open_link, rules

from houseway.floor.casino import Casino
from houseway.floor.links.operations import Link
from houseway.floor.links.reconcile import reconcile
from houseway.floor.people.directory import Person
from houseway.store import open_log
from houseway.store.backends.memory import MemoryLog
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


def test_a_table_shows_its_link_as_it_stands_whoever_moved_it(tmp_path) -> None:
    """A wager at another table or an adjustment at another worker reaches everybody who watches this one."""

    async def run() -> None:
        path = str(tmp_path / "house.db")
        here, there = Casino(open_log(path)), Casino(open_log(path))
        try:
            link = open_link(here.log)
            for name in "ab":
                link.join(name, rules(), BY)
            b = LinkedTable(here.log, "b")
            LinkedTable(here.log, "a")
            for name in "ab":
                here.catch_up(name)
                there.catch_up(name)
            told: list[str] = []
            here.watch("a", told.append)
            here.follow(asyncio.get_running_loop())
            before, version = here.stamp("a"), here.table("a").version
            assert Fraction(here.shown("a").meters["progressive"]) == 250_000
            # the other table takes in its wagers, in another process
            b.sit()
            await asyncio.to_thread(b.round)
            fed = 250_000 + 200 * Fraction(147, 1000)
            await _until(lambda: Fraction(here.shown("a").meters["progressive"]) == fed)
            assert here.stamp("a") != before
            # and two people put the meter right, at another worker
            told.clear()
            Link(there.log, "wide").adjust("progressive", Fraction(500), SIGNED)
            await _until(lambda: Fraction(here.shown("a").meters["progressive"]) == fed + 500)
            await _until(lambda: "a" in told)
            # what the table itself has on record is another thing
            assert here.table("a").version == version
        finally:
            here.close()
            there.close()

    asyncio.run(run())


@pytest.mark.slow
@pytest.mark.parametrize("alone", [False, True])
def test_a_link_opened_beside_the_house_is_known_to_it_at_once(tmp_path, alone) -> None:
    """Opened, joined, moved, left and shut down by another worker, or from a terminal."""

    async def run() -> None:
        path = str(tmp_path / "house.db")
        table = LinkedTable(open_log(path), "a")
        table.close()
        here, beside = Casino(open_log(path)), open_log(path)
        try:
            told: list[str] = []
            here.watch("a", told.append)
            here.follow(asyncio.get_running_loop(), alone=alone)
            live = here.table("a")
            assert (live.feeding.links, "progressive" in live.state.meters) == ({}, True)
            link = open_link(beside)
            link.join("a", rules(), BY)
            await _until(lambda: live.feeding.links == {"progressive": "wide"})
            assert "a" in told
            # nothing was wagered on it yet: what two people put right is its first movement
            told.clear()
            link.adjust("progressive", Fraction(500), SIGNED)
            await _until(lambda: Fraction(here.shown("a").meters["progressive"]) == 250_500)
            await _until(lambda: "a" in told)
            link.leave("a", BY)
            await _until(lambda: live.feeding.links == {})
            link.join("a", rules(), BY)
            await _until(lambda: live.feeding.links == {"progressive": "wide"})
            link.shut_down(SIGNED)
            await _until(lambda: live.feeding.links == {})
        finally:
            here.close()
            beside.close()
            table.log.close()

    asyncio.run(run())


def test_a_table_opened_by_another_worker_has_its_own_meters_again(tmp_path) -> None:
    async def run() -> None:
        path = str(tmp_path / "house.db")
        log = open_log(path)
        link = open_link(log)
        link.join("a", rules(), BY)
        LinkedTable(log, "a").close()
        link.leave("a", BY)
        here = Casino(open_log(path))
        try:
            here.follow(asyncio.get_running_loop())
            # its meters are the link's until it is opened under meters of its own
            assert here.table("a").feeding.linked("progressive")
            LinkedTable(log, "a")
            await _until(lambda: here.table("a").state.phase != "closed")
            assert not here.table("a").feeding.linked("progressive")
        finally:
            here.close()
            log.close()

    asyncio.run(run())


async def _until(so) -> None:
    for _ in range(2000):
        if so():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not come to that")
