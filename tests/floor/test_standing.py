"""Who is away is played for as instructed, and gives up the seat after a time, chips and all."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

import pytest
from held_table import in_a_house, insurance, seated

from houseway.floor import clock
from houseway.floor.bots import dealer as dealers
from houseway.floor.casino import command_of
from houseway.floor.people import presence
from houseway.law import DOWN_UNDER, cites

#: seat 1 has a six and a five against the dealer's six
ELEVEN = ["6s", "6h", "5d", "Tc", "9c", "Td", "2c", "Kh", "3c"]
#: seat 1 has a blackjack, and the dealer shows an ace
BEFORE_AN_ACE = ["As", "Ah", "Kd", "9c"]
TABLE = "down-under"


@pytest.fixture(autouse=True)
def _no_wait(monkeypatch):
    monkeypatch.setattr(dealers, "AWAY", 0.0)


async def _goes_away(house, until, *, seat=1):
    """The person of a seat closes the page, and the house deals on by itself until something is so."""
    player = house.table.boxes[seat - 1].player
    await asyncio.to_thread(house.casino.people.set_away, TABLE, player, away=True)
    house.dealer.pace = 0
    changed = asyncio.Event()
    unwatch = house.casino.watch(TABLE, lambda _: changed.set())
    house.dealer.start()
    try:
        async with asyncio.timeout(60):
            while not until(house.table):
                await changed.wait()
                changed.clear()
    finally:
        unwatch()
        await house.dealer.stop()


def _over(table):
    return bool(table.settled) and not table.hands


def _kinds(house):
    return [event.kind for event in house.casino.log.read(house.live.stream)]


def _by_instruction(house):
    """The keys of everything that an instruction decided."""
    told = [str(event.body) for event in house.casino.log.read(house.live.stream)]
    return [one for one in told if "standing instruction of rosa: best" in one]


async def _dealt(house, chips="500.00"):
    await seated(house, "rosa")
    if chips != "500.00":
        # what is left after the rest has gone back to the bankroll
        await house.does(1, "leave_seat")
        await house.does(1, "sit_down", player="rosa", who="rosa")
        sold = {"seat": 1, "amount": chips}
        await house.casino.act(TABLE, command_of("buy_in", sold, role="dealer", who="system"))
    await house.does(1, "place_wager", wager="bet", amount="20.00")
    await house.goes_on()
    assert house.table.phase == "deciding"


@cites(DOWN_UNDER, "685a.9(a)")
def test_the_best_strategy_doubles_eleven_against_a_six_and_is_on_the_record():
    async def test(house):
        await _dealt(house)
        await _goes_away(house, _over)
        assert {line.wager for line in house.table.settled} > {"bet"}, "it doubled"
        assert _by_instruction(house)

    in_a_house(test, TABLE, ELEVEN)


def test_an_instruction_never_wagers_more_than_the_chips_at_the_seat():
    async def test(house):
        await _dealt(house, chips="30.00")
        await _goes_away(house, _over)
        assert {line.wager for line in house.table.settled} == {"bet"}, "10 are too few to double"
        assert _by_instruction(house)

    in_a_house(test, TABLE, ELEVEN)


def test_who_wants_no_play_stands():
    async def test(house):
        await _dealt(house)
        await asyncio.to_thread(house.casino.people.instruct, "rosa", "plain")
        await _goes_away(house, _over)
        assert {line.wager for line in house.table.settled} == {"bet"}
        assert not _by_instruction(house)

    in_a_house(test, TABLE, ELEVEN)


@cites(DOWN_UNDER, "685a.8(a)", "685a.7(g)")
def test_an_instruction_takes_neither_insurance_nor_even_money():
    async def test(house):
        # a blackjack before an ace: even money is open, and insurance
        await insurance(house, "rosa")
        await _goes_away(house, _over)
        assert "insurance" not in {line.wager for line in house.table.settled}
        assert not [kind for kind in _kinds(house) if "even_money" in kind]
        assert house.table.settled

    in_a_house(test, TABLE, BEFORE_AN_ACE)


def test_where_a_person_deals_no_instruction_decides():
    async def test(house):
        await seated(house, "rosa")
        taken = command_of("change_dealer", {"dealer": "dana"}, role="dealer", who="dana")
        await house.casino.act(TABLE, taken)
        await asyncio.to_thread(house.casino.people.set_away, TABLE, "rosa", away=True)
        assert house.dealer.plan(house.live) is None

    in_a_house(test, TABLE)


@pytest.mark.parametrize("how", ["page closed", "nobody before the page"])
def test_a_seat_that_does_not_answer_is_given_up_with_its_chips(how, monkeypatch):
    async def test(house):
        await seated(house, "rosa")
        had = house.casino.purse_of("rosa")
        if how == "page closed":
            await asyncio.to_thread(house.casino.people.set_away, TABLE, "rosa", away=True)
            later = datetime.fromisoformat(clock.now()) + timedelta(seconds=dealers.GIVEN_UP)
        else:
            here, now = presence.Presence(house.casino), [1000.0]
            monkeypatch.setattr(presence, "monotonic", lambda: now[0])
            page = here.at(TABLE, "rosa")
            page.__enter__()
            assert not here.is_idle(TABLE, "rosa")
            now[0] += presence.IDLE + 1
            assert here.is_idle(TABLE, "rosa")
            house.dealer._idle = here.is_idle
            later = datetime.fromisoformat(clock.now())
        await house.dealer._give_up_seats(house.live)
        if how == "page closed":
            assert house.table.boxes[0].player == "rosa", "not before its time"
            monkeypatch.setattr(clock, "now", later.isoformat)
            await house.dealer._give_up_seats(house.live)
        assert not house.table.boxes[0].player
        assert house.casino.purse_of("rosa") == had + 50_000

    in_a_house(test, TABLE)


def test_a_seat_with_a_wager_is_not_given_up(monkeypatch):
    async def test(house):
        await seated(house, "rosa")
        await house.does(1, "place_wager", wager="bet", amount="20.00")
        house.dealer._idle = lambda *_: True
        await house.dealer._give_up_seats(house.live)
        assert house.table.boxes[0].player == "rosa"

    in_a_house(test, TABLE)
