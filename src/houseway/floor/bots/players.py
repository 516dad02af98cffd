"""System players: company at a table for whoever would rather not sit alone.

They come when a player asks, wager the least, decide by a plain rule of thumb, and leave when the
last person has left. At the table they are players like any other, with chips of their own.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from houseway.errors import Refused
from houseway.floor import clock
from houseway.floor.bots.dealer import mine
from houseway.floor.casino import Casino
from houseway.floor.live_table import Live
from houseway.floor.people.accounts import ALLOWANCE
from houseway.floor.people.directory import Person
from houseway.money import cents, dollars
from houseway.table import Table, awaited, rules_of
from houseway.table.commands import COMMANDS
from houseway.table.engine import Moment
from houseway.table.views import seat_view

PREFIX = "system-"
_NAMES = ("Ruth", "Otis", "Nell", "Ivo", "Mabel", "Gus", "Cleo")
_BUY = "200.00"


def is_system(player: str) -> bool:
    return player.startswith(PREFIX)


class Company:
    """Every system player of the house."""

    def __init__(
        self, casino: Casino, *, pace: float = 1.0, worker: int = 0, workers: int = 1
    ) -> None:
        self._casino = casino
        self._worker, self._workers = worker, workers
        self._pace = pace
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def start(self) -> None:
        self._unwatch = self._casino.watch("*", self._see)
        for name in self._casino.tables:
            self._see(name)

    def _see(self, name: str) -> None:
        if not mine(name, self._worker, self._workers):
            return
        boxes = self._casino.table(name).state.boxes if name in self._casino.tables else ()
        if name not in self._tasks and any(is_system(box.player) for box in boxes):
            self._tasks[name] = asyncio.create_task(self._play(name))

    async def stop(self) -> None:
        self._unwatch()
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def sit(self, table: str, count: int) -> int:
        """Fill so many free seats; the number that were."""
        live = self._casino.table(table)
        free = [box.seat for box in live.state.boxes if not box.player and not box.wagers]
        sitting = {box.player for box in live.state.boxes}
        done = 0
        for number, seat in enumerate(free[:count]):
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
                id, f"{_NAMES[number % len(_NAMES)]} (system)", ["player"], by="system"
            )
        if self._casino.purse_of(id) < cents(_BUY):
            self._casino.give(found, ALLOWANCE, by="system")
        return found

    async def _send(self, table: str, who: str, name: str, **fields: Any) -> None:
        role = "dealer" if name == "buy_in" else "player"
        by = "system" if name == "buy_in" else who
        command = COMMANDS[name](role=role, who=by, at=clock.now(), **fields)  # type: ignore[arg-type]
        with contextlib.suppress(Refused):
            await self._casino.act(table, command)

    async def _play(self, name: str) -> None:
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
        """What one of them does now; None: nothing."""
        table = live.state
        ours = [box for box in table.boxes if is_system(box.player)]
        alone = not any(box.player and not is_system(box.player) for box in table.boxes)
        people_wager = any(box.wagers for box in table.boxes if not is_system(box.player))
        for box in ours:
            if alone and not table.hands:
                return box.player, "leave_seat", {"seat": box.seat}
            if not table.hands and people_wager and not box.wagers and table.phase == "betting":
                wager, least = _least(table)
                if live.racks.get(box.seat, 0) < 4 * least:
                    return box.player, "buy_in", {"seat": box.seat, "amount": _BUY}
                now = Moment(table, "player")
                hand = now.game.first_hand(now)
                fields = {"seat": box.seat, "wager": wager, "amount": dollars(least), "hand": hand}
                return box.player, "place_wager", fields
        for seat in awaited(table):
            player = table.boxes[seat - 1].player
            if is_system(player):
                name, fields = decision(table, seat)
                return player, name, {"seat": seat, **fields}
        return None


def _least(table: Table) -> tuple[str, int]:
    rules = rules_of(table)
    wager = next(one for one in rules.chapter.wagers.values() if one.kind == "standard")
    limit = rules.limits.get(wager.id)
    least = limit.min if limit and limit.min else 500
    step = rules.step(wager.id)
    return wager.id, -(-least // step) * step


def decision(table: Table, seat: int) -> tuple[str, dict[str, Any]]:
    """By what the seat may see: no cut, and for the rest the game's own rule of thumb."""
    seen = seat_view(table, seat)
    if "decline_cut" in seen.legal:
        return "decline_cut", {}
    now = Moment(table, "player")
    return now.game.simple_decision(now, seen)
