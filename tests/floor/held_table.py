"""A table whose dealer acts only when the test lets it."""

from __future__ import annotations

import asyncio
from datetime import datetime

from houseway.floor.bots.dealer import SystemDealer
from houseway.floor.casino import Casino, command_of
from houseway.floor.demonstration import furnish
from houseway.store import open_log
from houseway.table import legal, rules_of
from houseway.table.card_source import pack

#: what the five texts let a player decide once wagers are made, and the cut that is offered
DECISIONS = {
    "play", "fold", "forfeit_unseen", "set_hands", "hit", "stand", "double", "split", "insure",
    "take_even_money", "decline_insurance", "refuse_card", "cut", "decline_cut",
}  # fmt: skip


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
                person = self.casino.people.add(id, id.title(), ["player"], by="system")
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


def in_a_house(test, name, laid=None):
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


async def seated(house, *players):
    """Each player is offered the cut of a new table's cards in turn, and declines it."""
    await house.goes_on()
    await house.sit(*players)
    await house.goes_on(betting)
    while asked := house.deciding():
        await house.does(asked[0], "decline_cut")
        await house.goes_on(betting)
    assert house.table.phase == "betting"


def betting(table):
    return table.phase == "betting"


async def insurance(house, *players):
    await seated(house, *players)
    for seat in range(1, len(players) + 1):
        await house.does(seat, "place_wager", wager="bet", amount="20.00")
    await house.goes_on()
    assert house.table.phase == "insuring"
