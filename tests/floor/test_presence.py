"""A player who closes the browser does not hold up the others, and returns with the page."""

from __future__ import annotations

import asyncio

import pytest

from houseway.errors import Refused
from houseway.floor.bots import dealer as dealers
from houseway.floor.bots.dealer import SystemDealer
from houseway.floor.casino import Casino, command_of
from houseway.floor.demonstration import furnish
from houseway.floor.people.presence import Presence
from houseway.store import open_log

TABLE = "prime"


async def _until(so):
    for _ in range(1000):
        if so():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not happen")


async def _do(casino, person, kind, role="player", **fields):
    who = person if role == "player" else "system"
    await casino.act(TABLE, command_of(kind, fields, role=role, who=who))


async def _two_players(casino):
    """Rosa at seat 1 and Otto at seat 2, with chips, before the deal."""
    await furnish(casino)
    for seat, id in ((1, "rosa"), (2, "otto")):
        person = casino.people.add(id, id.title(), ["player"], by="test")
        casino.give(person, 100_000, by="test")
        await _do(casino, id, "sit_down", seat=seat, player=id)
        await _do(casino, id, "buy_in", "dealer", seat=seat, amount="100.00")
    await _until(lambda: casino.table(TABLE).state.phase == "betting")


def _played(test, monkeypatch, grace=0.02):
    monkeypatch.setattr(dealers, "AWAY", 0.05)

    async def run():
        casino = Casino(open_log(":memory:"))
        dealer, presence = SystemDealer(casino, pace=0), Presence(casino, grace=grace)
        presence.start()
        dealer.start()
        try:
            await _two_players(casino)
            await test(casino, dealer, presence)
        finally:
            await presence.stop()
            await dealer.stop()
            casino.close()

    asyncio.run(run())


def test_the_house_decides_soon_for_who_has_gone_and_waits_for_who_is_there(monkeypatch):
    async def test(casino, _dealer, presence):
        live = casino.table(TABLE)
        # the best strategy would play a hand that is good enough
        casino.people.instruct("rosa", "plain")
        with presence.at(TABLE, "otto"):
            with presence.at(TABLE, "rosa"):
                await _do(casino, "rosa", "place_wager", seat=1, wager="ante", amount="5.00")
                await _do(casino, "otto", "place_wager", seat=2, wager="ante", amount="5.00")
                await _until(lambda: live.state.phase == "deciding")
                await asyncio.sleep(0.15)
                assert not live.state.boxes[0].decisions
            await _until(lambda: live.state.boxes[0].decisions.get(0) == "fold")
            assert (TABLE, "rosa") in casino.people.away
            await asyncio.sleep(0.15)
            assert not live.state.boxes[1].decisions

    _played(test, monkeypatch)


def test_a_page_loaded_again_in_time_was_never_away(monkeypatch):
    async def test(casino, _dealer, presence):
        before = casino.log.head("people").version
        for _ in range(3):
            with presence.at(TABLE, "rosa"):
                await asyncio.sleep(0.01)
        with presence.at(TABLE, "rosa"):
            await asyncio.sleep(0.3)
            assert casino.log.head("people").version == before

    _played(test, monkeypatch, grace=0.2)


def test_bets_are_closed_without_who_has_gone_and_not_without_who_is_there(monkeypatch):
    monkeypatch.setattr(dealers, "BETTING", 60.0)

    async def test(casino, dealer, presence):
        dealer.pace = 0.001  # players have their time as soon as the house has a pace
        live = casino.table(TABLE)
        with presence.at(TABLE, "rosa"):
            with pytest.raises(Refused, match="wager first"):
                await dealer.deal_now(TABLE, "otto")
            await _do(casino, "otto", "place_wager", seat=2, wager="ante", amount="5.00")
            with pytest.raises(Refused, match="not wagered yet"):
                await dealer.deal_now(TABLE, "otto")
        await _until(lambda: (TABLE, "rosa") in casino.people.away)
        await dealer.deal_now(TABLE, "otto")
        await _until(lambda: live.state.phase == "deciding")
        assert list(live.state.hands) == [2]

    _played(test, monkeypatch)


def test_who_acts_is_back(monkeypatch):
    async def test(casino, _dealer, presence):
        with presence.at(TABLE, "rosa"):
            pass
        await _until(lambda: (TABLE, "rosa") in casino.people.away)
        presence.seen(TABLE, "rosa")
        await _until(lambda: (TABLE, "rosa") not in casino.people.away)
        kinds = [event.kind for event in casino.log.read("people")]
        assert kinds[-2:] == ["went_away", "came_back"]

    _played(test, monkeypatch)


def test_a_page_at_another_worker_is_a_page(monkeypatch, tmp_path):
    """Two tabs at two workers: one is closed, and the other worker says that somebody is there."""

    async def run():
        here, there = (Casino(open_log(str(tmp_path / "house.db"))) for _ in range(2))
        mine, other = Presence(here, grace=0.02), Presence(there, grace=0.02)
        try:
            await furnish(here)
            person = here.people.add("rosa", "Rosa", ["player"], by="test")
            here.give(person, 100_000, by="test")
            await _do(here, "rosa", "sit_down", seat=1, player="rosa")
            for casino, presence in ((here, mine), (there, other)):
                casino.follow(asyncio.get_running_loop())
                presence.start()
            await _until(lambda: TABLE in there.tables and there.people.find("rosa"))
            with other.at(TABLE, "rosa"):
                with mine.at(TABLE, "rosa"):
                    pass

                def last():
                    return [event.kind for event in here.log.read("people")][-2:]

                await _until(lambda: last() == ["went_away", "came_back"])
                await _until(lambda: (TABLE, "rosa") not in here.people.away)
                assert last() == ["went_away", "came_back"]
        finally:
            for casino, presence in ((here, mine), (there, other)):
                await presence.stop()
                casino.close()

    asyncio.run(run())


@pytest.mark.parametrize("turns", range(6))
def test_the_dealer_stops_even_if_a_table_changes_at_that_moment(turns):
    async def run():
        casino = Casino(open_log(":memory:"))
        dealer = SystemDealer(casino, pace=0)
        dealer.start()
        await _two_players(casino)
        await asyncio.sleep(0.05)
        for name in casino.tables:
            casino.tell(name)
        for _ in range(turns):  # of the loop, between the change and the end of the wait for it
            await asyncio.sleep(0)
        async with asyncio.timeout(5):
            await dealer.stop()
        casino.close()

    asyncio.run(run())
