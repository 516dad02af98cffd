"""One account for each player: chips at the tables and money in the purse never disagree."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from houseway.cards import SeededSource
from houseway.errors import Refused
from houseway.floor.casino import Casino
from houseway.floor.people import accounts as purse
from houseway.floor.people.accounts import Account, account
from houseway.law import MD
from houseway.store import New, Write
from houseway.store.backends.memory import MemoryLog
from houseway.store.backends.sqlite import SQLiteLog
from houseway.store.verify import verify
from houseway.table.commands import COMMANDS
from houseway.table.driver import Driver


def act(casino: Casino, table: str, name: str, **fields) -> None:
    role, who = ("dealer", "dana") if name == "buy_in" else ("player", "ann")
    command = COMMANDS[name](role=role, who=who, at="2026-01-01T13:00:00", **fields)
    asyncio.run(casino.act(table, command))


def house(log, *tables: str) -> Casino:
    """A casino whose tables are ready for wagers."""
    casino = Casino(log)
    for name in tables:
        driver = Driver(MD, name=name, source=SeededSource(1))
        driver.seat_player(7, "zoe")
        driver.ready()
        for command in driver.commands:
            asyncio.run(casino.act(name, replace(command, version=None)))
    return casino


def sit(casino: Casino, table: str, seat: int, amount: str) -> None:
    act(casino, table, "sit_down", seat=seat, player="ann")
    act(casino, table, "buy_in", seat=seat, amount=amount)


def test_chips_at_two_tables_and_the_purse_are_one_account() -> None:
    casino = house(MemoryLog(), "a", "b")
    ann = casino.people.add("ann", "Ann", ["player"], by="test")
    casino.give(ann, 100_000, by="test")
    sit(casino, "a", 1, "300.00")
    sit(casino, "b", 2, "200.00")
    assert account(casino.log, "ann") == Account(chips=50_000, purse=50_000)
    act(casino, "a", "place_wager", seat=1, wager="ante", amount="25.00")
    racks = casino.table("a").racks[1], casino.table("b").racks[2]
    assert racks == (27_500, 20_000)
    assert account(casino.log, "ann") == Account(chips=sum(racks), purse=50_000)
    # who leaves between rounds takes the wager along
    act(casino, "a", "leave_seat", seat=1)
    assert account(casino.log, "ann") == Account(chips=20_000, purse=80_000)
    act(casino, "b", "leave_seat", seat=2)
    assert account(casino.log, "ann") == Account(chips=0, purse=100_000)
    # every event holds the balance that the moves before it add up to
    chips = 0
    for event in casino.log.read("chips/ann"):
        chips += event.data["cents"] if event.kind == "chips_moved" else 0
        assert event.data["chips"] == chips
    assert casino.log.heads(prefix="purse/") == {}
    casino.close()


def test_nobody_buys_with_more_than_the_purse_holds() -> None:
    casino = house(MemoryLog(), "a")
    ann = casino.people.add("ann", "Ann", ["player"], by="test")
    casino.give(ann, 10_000, by="test")
    act(casino, "a", "sit_down", seat=1, player="ann")
    with pytest.raises(Refused) as caught:
        act(casino, "a", "buy_in", seat=1, amount="100.01")
    assert (caught.value.code, caught.value.seat) == ("not_enough_money", 1)
    act(casino, "a", "buy_in", seat=1, amount="100.00")
    assert account(casino.log, "ann") == Account(chips=10_000, purse=0)
    casino.close()


def test_two_workers_never_spend_the_same_money(tmp_path) -> None:
    path = tmp_path / "r.db"
    first = house(SQLiteLog(path), "a", "b")
    ann = first.people.add("ann", "Ann", ["player"], by="test")
    first.give(ann, 30_000, by="test")
    second = Casino(SQLiteLog(path))
    sit(first, "a", 1, "200.00")
    act(second, "b", "sit_down", seat=1, player="ann")
    with pytest.raises(Refused) as caught:
        act(second, "b", "buy_in", seat=1, amount="200.00")
    assert caught.value.code == "not_enough_money"
    # the first worker remembers where the account stood; the second moves it on
    act(second, "b", "buy_in", seat=1, amount="100.00")
    act(first, "a", "place_wager", seat=1, wager="ante", amount="10.00")
    assert account(first.log, "ann") == Account(chips=29_000, purse=0)
    second.close()
    first.close()


def test_a_record_with_purses_of_their_own_goes_on() -> None:
    """As Houseway wrote them before: two streams, no balance, cashed chips only in the purse."""
    log, at = MemoryLog(), "2026-01-01T12:00:00Z"

    def older(stream: str, *said: tuple[str, dict]) -> None:
        news = tuple(New(kind, body, "ann", at) for kind, body in said)
        log.append(Write(stream, log.head(stream).version, news))

    older("purse/ann", ("play_money_given", {"amount": "5000.00"}))
    older("purse/ann", ("chips_bought", {"amount": "300.00", "table": "a"}))
    moves = [30_000, -2_500, 5_000]
    bodies = [{"table": "a", "version": 9, "player": "ann", "cents": one} for one in moves]
    older("chips/ann", *(("chips_moved", body) for body in bodies))
    older("purse/ann", ("chips_cashed", {"amount": "325.00", "table": "a"}))
    # 300 bought, 25 won, 325 cashed
    assert account(log, "ann") == Account(chips=0, purse=502_500)
    casino = house(log, "a")
    casino.people.add("ann", "Ann", ["player"], by="test")
    assert casino.purse_of("ann") == 502_500
    sit(casino, "a", 1, "25.00")
    assert account(log, "ann") == Account(chips=2_500, purse=500_000)
    # from now on the account stands by itself
    assert log.head("purse/ann").version == 3
    last = log.last(["chips/ann"])["chips/ann"]
    assert (last.schema, last.data["purse"]) == (purse.SCHEMA, 500_000)
    assert verify(log).unbroken
    casino.close()
