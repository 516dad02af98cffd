"""The system dealer passes over no decision: each has its full time, and an answer ends the wait."""

from __future__ import annotations

import asyncio
from datetime import datetime
from functools import partial

import pytest

from houseway.errors import Refused
from houseway.floor.bots import dealer as dealers
from houseway.floor.bots.dealer import AWAY, DECIDING, SystemDealer
from houseway.floor.bots.players import Company
from houseway.floor.casino import Casino, command_of
from houseway.floor.demonstration import furnish, tables
from houseway.law import DOWN_UNDER, cites
from houseway.store import open_log
from houseway.table import legal, rules_of
from houseway.table.card_source import pack

#: what the five texts let a player decide once wagers are made, and the cut that is offered
DECISIONS = {
    "play", "fold", "forfeit_unseen", "set_hands", "hit", "stand", "double", "split", "insure",
    "take_even_money", "decline_insurance", "refuse_card", "cut", "decline_cut",
}  # fmt: skip
#: what each player does in the end
ANSWERS = ("set_hands", "decline_insurance", "decline_cut", "play", "stand")


class House:
    """A table whose dealer acts only when the test lets it: what it would do, and when."""

    def __init__(self, casino: Casino, name: str, laid: list[str] | None = None) -> None:
        self.casino, self.name = casino, name
        self.dealer = SystemDealer(casino)
        if laid:
            self._lay(laid)

    def _lay(self, laid: list[str]) -> None:
        """Down Under's shoe with these cards first; the burned card and the cut are allowed for."""
        house = self.dealer._house
        plain = house.fields

        def fields(table, step):
            if table.name != self.name or step.command not in ("shuffle", "cut"):
                return plain(table, step)
            rest = list(pack(rules_of(table)))
            for card in laid:
                rest.remove(card)
            cut = len(rest) // 2
            order = rest[1 : cut + 1] + rest[:1] + laid + rest[cut + 1 :]
            return {"order": order} if step.command == "shuffle" else {"depth": cut}

        house.fields = fields  # type: ignore[method-assign]

    @property
    def live(self):
        return self.casino.table(self.name)

    @property
    def table(self):
        return self.live.state

    async def sit(self, *players: str) -> None:
        for seat, id in enumerate(players, 1):
            if self.casino.people.find(id) is None:
                person = self.casino.people.add(id, id.title(), ["player"], by="test")
                self.casino.give(person, 100_000, by="test")
            await self.does(seat, "sit_down", player=id, who=id)
            sold = command_of(
                "buy_in", {"seat": seat, "amount": "500.00"}, role="dealer", who="system"
            )
            await self.casino.act(self.name, sold)

    async def does(self, seat: int, kind: str, who: str = "", **fields) -> None:
        who = who or self.table.boxes[seat - 1].player
        made = command_of(kind, {"seat": seat, **fields}, role="player", who=who)
        await self.casino.act(self.name, made)

    def wait(self, plan) -> float:
        """Seconds from the last thing that happened to what the house does next."""
        return round(plan.at - datetime.fromisoformat(self.live.moved_at).timestamp(), 3)

    async def goes_on(self, until=lambda table: False) -> None:
        """The house acts, whatever its clock says, until somebody has a decision to make."""
        for _ in range(400):
            plan = self.dealer.plan(self.live)
            if plan is None or until(self.table) or self.deciding():
                return
            await self.casino.act(self.name, plan.command)
        raise AssertionError("the house does not come to an end")

    def deciding(self) -> list[int]:
        """The seats to which the table itself says that a decision is open."""
        return [
            box.seat
            for box in self.table.boxes
            if box.player and DECISIONS & set(legal(self.table, "player", box.seat))
        ]


def _in_a_house(test, name, laid=None):
    async def run():
        casino = Casino(open_log(":memory:"))
        try:
            await furnish(casino)
            await test(House(casino, name, laid))
        finally:
            casino.close()

    asyncio.run(run())


#: an ace up, a ten below it; seat 1 has a blackjack, seat 2 twenty
ACE_UP = ["As", "Kd", "Ah", "Kc", "Qc", "6d", "5c"]


async def _seated(house, *players):
    """The first player to sit is offered the cut of a new table's cards, and declines it."""
    await house.goes_on()
    await house.sit(*players)
    await house.goes_on(_betting)
    for seat in house.deciding():
        await house.does(seat, "decline_cut")
    await house.goes_on(_betting)
    assert house.table.phase == "betting"


def _after(number, table):
    """Once a later round than this has ended."""
    return table.round > number and not table.hands


def _betting(table):
    return table.phase == "betting"


async def _insurance(house, *players):
    await _seated(house, *players)
    for seat in range(1, len(players) + 1):
        await house.does(seat, "place_wager", wager="bet", amount="20.00")
    await house.goes_on()
    assert house.table.phase == "insuring"


@cites(DOWN_UNDER, "685a.7(g)", "685a.8(a)", "685a.8(b)")
def test_insurance_and_even_money_are_open_as_long_as_any_decision():
    async def test(house):
        await _insurance(house, "rosa", "otto")
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

    _in_a_house(test, "down-under", ACE_UP)


def test_one_answer_gives_the_others_no_more_time():
    async def test(house):
        await _insurance(house, "rosa", "otto")
        before = house.dealer.plan(house.live).at
        await house.does(1, "decline_insurance")
        assert house.dealer.plan(house.live).at == before

    _in_a_house(test, "down-under", ACE_UP)


@pytest.mark.parametrize("gone", ["away", "left", "system"])
def test_nobody_waits_for_a_seat_that_cannot_answer(gone):
    async def test(house):
        await _insurance(house, "rosa", "system-otto" if gone == "system" else "otto")
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

    _in_a_house(test, "down-under", ACE_UP)


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
        await house.goes_on(_betting)
        ready = datetime.fromisoformat(house.live.moved_at).timestamp()
        assert house.dealer.plan(house.live).at == ready + dealers.BETTING

    _in_a_house(test, "down-under")


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

    _in_a_house(test, "down-under")


def test_system_players_answer_what_they_are_asked():
    async def test(house):
        company = Company(house.casino, pace=0)
        await _insurance(house, "rosa", "system-otto")
        assert company.next(house.live)[:2] == ("system-otto", "decline_insurance")
        await house.does(2, "decline_insurance")
        assert company.next(house.live) is None

    _in_a_house(test, "down-under", ACE_UP)


@pytest.mark.parametrize("name", tables())
def test_no_decision_of_any_game_is_passed_over(name):
    """Whole rounds: whenever the table says that a player may decide, the house waits in full."""

    async def test(house):
        await _seated(house, "rosa", "otto", "pat")
        wager = next(iter(rules_of(house.table).limits))
        met = set()
        for _ in range(12):
            await house.goes_on(_betting)
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

    _in_a_house(test, name)
