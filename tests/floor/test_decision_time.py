"""The system dealer passes over no decision: each has its full time, and an answer ends the wait."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from types import SimpleNamespace

import pytest
from held_table import ACE_UP, DECISIONS, betting, in_a_house, insurance, seated

from houseway.errors import Refused
from houseway.floor.bots import dealer as dealers
from houseway.floor.bots.dealer import AWAY, DECIDING
from houseway.floor.bots.players import BotPlayers
from houseway.floor.demonstration import tables
from houseway.law import DOWN_UNDER, MD, cites
from houseway.table import legal, rules_of
from houseway.table.driver import Driver

#: what each player does in the end
ANSWERS = ("set_hands", "decline_insurance", "decline_cut", "play", "stand")


def _after(number, table):
    """Once a later round than this has ended."""
    return table.round > number and not table.hands


@cites(DOWN_UNDER, "685a.7(g)", "685a.8(a)", "685a.8(b)")
def test_insurance_and_even_money_are_open_as_long_as_any_decision():
    async def test(house):
        await insurance(house, "rosa", "otto")
        assert house.wait(house.dealer.plan(house.live)) == DECIDING
        left, whole = dealers.deadline(house.live, 2, frozenset())
        assert whole == DECIDING
        assert left > DECIDING - 30
        await house.does(1, "take_even_money")
        # the other has the rest of the time
        assert house.dealer.plan(house.live).command.seat == 2
        assert house.wait(house.dealer.plan(house.live)) == DECIDING
        await house.does(2, "insure", amount="10.00")
        plan = house.dealer.plan(house.live)
        assert type(plan.command).__name__ == "CloseInsurance"
        assert house.wait(plan) < 1

    in_a_house(test, "down-under", ACE_UP)


def test_one_answer_gives_the_others_no_more_time():
    async def test(house):
        await insurance(house, "rosa", "otto")
        before = house.dealer.plan(house.live).at
        await house.does(1, "decline_insurance")
        assert house.dealer.plan(house.live).at == before

    in_a_house(test, "down-under", ACE_UP)


@pytest.mark.parametrize("gone", ["away", "left", "system"])
def test_nobody_waits_for_a_seat_that_cannot_answer(gone):
    async def test(house):
        await insurance(house, "rosa", "system-otto" if gone == "system" else "otto")
        if gone == "away":
            house.casino.people.set_away("down-under", "otto", away=True)
        elif gone == "left":
            await house.does(2, "leave_seat")
        plan = house.dealer.plan(house.live)
        assert plan.command.seat == 2
        assert house.wait(plan) == AWAY
        await house.casino.act("down-under", plan.command)
        # rosa still has her own time
        assert house.wait(house.dealer.plan(house.live)) == DECIDING

    in_a_house(test, "down-under", ACE_UP)


@cites(DOWN_UNDER, "685a.5(c)", "685a.5(c)(3)", "685a.5(c)(4)")
def test_who_is_offered_the_cut_has_time_to_cut():
    async def test(house):
        await house.sit("rosa", "otto")
        await house.goes_on()
        assert house.table.phase == "cutting"
        offered = house.table.cut_offers[0]
        assert house.wait(house.dealer.plan(house.live)) == DECIDING
        await house.does(offered, "place_wager", wager="bet", amount="20.00")
        with pytest.raises(Refused, match=f"seat {offered} has to decide first"):
            await house.dealer.deal_now("down-under", "otto")
        await house.does(offered, "cut", depth=40)
        assert house.table.phase == "loading"
        assert house.wait(house.dealer.plan(house.live)) < 1
        # the time to wager begins when the cards are ready
        await house.goes_on(betting)
        ready = datetime.fromisoformat(house.live.moved_at).timestamp()
        assert house.dealer.plan(house.live).at == ready + dealers.BETTING

    in_a_house(test, "down-under")


def test_who_wants_to_be_dealt_in_declines_the_cut():
    async def test(house):
        await house.sit("rosa")
        await house.goes_on()
        assert house.table.cut_offers == (1,)
        await house.does(1, "place_wager", wager="bet", amount="20.00")
        house.dealer.pace = 0
        house.dealer.start()
        await house.dealer.deal_now("down-under", "rosa")
        await house.dealer.stop()
        assert house.table.hands == (1,)

    in_a_house(test, "down-under")


def test_system_players_answer_what_they_are_asked():
    async def test(house):
        company = BotPlayers(house.casino, pace=0)
        await insurance(house, "rosa", "system-otto")
        assert company.next(house.live)[:2] == ("system-otto", "decline_insurance")
        await house.does(2, "decline_insurance")
        assert company.next(house.live) is None

    in_a_house(test, "down-under", ACE_UP)


@cites(MD, "7.G(3)")
@pytest.mark.parametrize("electronic", [False, True])
def test_system_players_make_every_wager_that_is_compulsory(electronic):
    """Otherwise the bets of the people beside them could never be closed."""
    driver = Driver(MD, {"version": "both_compulsory", "electronic": electronic})
    hand = 1 if electronic else 0
    for seat, player in ((1, "rosa"), (2, "system-otto")):
        driver.seat_player(seat, player)
    driver.until("betting")
    driver.wager(1, {"ante": "10.00", "pair_plus": "10.00"}, hand)

    async def test(house):
        company = BotPlayers(house.casino, pace=0)
        for wager in ("ante", "pair_plus"):
            live = SimpleNamespace(state=driver.table, racks={2: 10_000})
            who, command, fields = company.next(live)
            assert (who, command, fields["wager"]) == ("system-otto", "place_wager", wager)
            driver.send(command, "player", **fields)
        assert company.next(SimpleNamespace(state=driver.table, racks={})) is None

    in_a_house(test, "down-under")
    driver.until("dealing")
    assert driver.table.hands == (1, 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", tables())
def test_no_decision_of_any_game_is_passed_over(name):
    """Whole rounds: whenever the table says that a player may decide, the house waits in full."""

    async def test(house):
        await seated(house, "rosa", "otto", "pat")
        wager = next(iter(rules_of(house.table).limits))
        met = set()
        for _ in range(12):
            await house.goes_on(betting)
            for seat in (1, 2, 3):
                await house.does(seat, "place_wager", wager=wager, amount="10.00")
            number = house.table.round
            while house.table.round == number or house.table.hands or house.deciding():
                await house.goes_on(partial(_after, number))
                for seat in house.deciding()[:1]:
                    plan = house.dealer.plan(house.live)
                    assert house.wait(plan) == DECIDING, house.table.phase
                    open_now = legal(house.table, "player", seat)
                    met |= DECISIONS & set(open_now)
                    answer = next(one for one in ANSWERS if one in open_now)
                    await house.does(seat, answer)
        assert met

    in_a_house(test, name)
