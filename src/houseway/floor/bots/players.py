"""Computer players, for people who would rather not play alone.

They come when a player asks, wager the least, decide by a plain rule of thumb, and leave when the
last person has left. At the table they are players like any other, with chips of their own.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from houseway.errors import Refused
from houseway.floor import clock
from houseway.floor.bots.dealer import SYSTEM
from houseway.floor.bots.table_tasks import TableTasks
from houseway.floor.casino import Casino
from houseway.floor.live_table import Live
from houseway.floor.people.accounts import ALLOWANCE
from houseway.floor.people.directory import Person
from houseway.money import cents, dollars
from houseway.present import PRESENTATION
from houseway.present.teaching import rule_of_thumb
from houseway.table import awaited, rules_of
from houseway.table.commands import COMMANDS
from houseway.table.driver import least_wagers
from houseway.table.state import key

PREFIX = "system-"
_NAMES = ("Ruth", "Otis", "Nell", "Ivo", "Mabel", "Gus", "Cleo")
_BUY = "200.00"
#: what they wager where no minimum is posted, in cents
_USUAL = 500


def is_system(player: str) -> bool:
    return player.startswith(PREFIX)


class BotPlayers(TableTasks):
    """Every computer player of the house."""

    def __init__(
        self, casino: Casino, *, pace: float = 1.0, worker: int = 0, workers: int = 1
    ) -> None:
        super().__init__(casino, worker=worker, workers=workers)
        self._pace = pace

    def wanted(self, table: str) -> bool:
        """Whether a computer player sits there."""
        return any(is_system(box.player) for box in self._casino.table(table).state.boxes)

    async def sit(self, table: str, count: int, *, last: bool = False) -> int:
        """Fill up to `count` free seats, the first or the last; returns how many were filled."""
        live = self._casino.table(table)
        free = [box.seat for box in live.state.boxes if not box.player and not box.wagers]
        sitting = {box.player for box in live.state.boxes}
        done = 0
        for number, seat in enumerate(free[-count:] if last else free[:count]):
            person = await asyncio.to_thread(self._person, table, number, sitting)
            sitting.add(person.id)
            await self._send(table, person.id, "sit_down", seat=seat, player=person.id)
            await self._send(table, person.id, "buy_in", seat=seat, amount=_BUY)
            done += 1
        return done

    def _person(self, table: str, number: int, sitting: set[str]) -> Person:
        people = self._casino.people
        while True:
            id = f"{PREFIX}{table}-{number}"[:32]
            if id not in sitting:
                break
            number += 1
        found = people.find(id)
        if found is None:
            found = people.add(
                id, f"{_NAMES[number % len(_NAMES)]} (computer)", ["player"], by="system"
            )
        if self._casino.purse_of(id) < cents(_BUY):
            self._casino.give(found, ALLOWANCE, by="system")
        return found

    async def _send(self, table: str, who: str, name: str, **fields: Any) -> None:
        role = "dealer" if name == "buy_in" else "player"
        by = (self._casino.table(table).state.dealer or SYSTEM) if name == "buy_in" else who
        command = COMMANDS[name](role=role, who=by, at=clock.now(), **fields)  # type: ignore[arg-type]
        with contextlib.suppress(Refused):
            await self._casino.act(table, command)

    async def run(self, name: str) -> None:
        changed = asyncio.Event()
        stop = self._casino.watch(name, lambda _: changed.set())
        try:
            while True:
                changed.clear()
                act = self.next(self._casino.table(name))
                if act is None:
                    await changed.wait()
                    continue
                if self._pace:
                    await asyncio.sleep(0.5 * self._pace)
                who, command, fields = act
                before = self._casino.table(name).version
                await self._send(name, who, command, **fields)
                if self._casino.table(name).version == before:
                    await changed.wait()
        finally:
            stop()

    def next(self, live: Live) -> tuple[str, str, dict[str, Any]] | None:
        """The next command of one of them; None if there is none."""
        table = live.state
        ours = [box for box in table.boxes if is_system(box.player)]
        # a person who deals is company too, and deals to them without waiting for anybody's wager
        dealt_to = table.dealer not in ("", SYSTEM)
        people = any(box.player and not is_system(box.player) for box in table.boxes)
        alone = not (people or dealt_to)
        people_wager = any(box.wagers for box in table.boxes if not is_system(box.player)) or (
            dealt_to and not people
        )
        for box in ours:
            if alone and not table.hands:
                return box.player, "leave_seat", {"seat": box.seat}
            if not table.hands and people_wager and table.phase == "betting":
                rules = rules_of(table)
                least = least_wagers(rules, _USUAL)
                hand = next(iter(PRESENTATION.of(rules.chapter).common_hands(rules, {})), 0)
                missing = [name for name in least if key(name, hand) not in box.wagers]
                if not missing:
                    continue
                if not box.wagers and live.racks.get(box.seat, 0) < 4 * sum(least.values()):
                    return box.player, "buy_in", {"seat": box.seat, "amount": _BUY}
                chips = {"wager": missing[0], "amount": dollars(least[missing[0]])}
                return box.player, "place_wager", {"seat": box.seat, "hand": hand, **chips}
        for seat in awaited(table):
            player = table.boxes[seat - 1].player
            if is_system(player):
                name, fields = rule_of_thumb(table, seat)
                return player, name, {"seat": seat, **fields}
        return None
