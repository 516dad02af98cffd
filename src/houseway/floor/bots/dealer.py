"""The system's dealer and floorperson: they do what the table says is to be done, in their time.

What comes next is the table's to say; when, is decided here, from times on the record, so that a
house that was stopped in the middle of a round goes on where it was.
"""

from __future__ import annotations

import asyncio
import contextlib
from datetime import UTC, datetime
from typing import Any, NamedTuple
from zlib import crc32

from houseway.cards import Source, SystemSource, shuffled
from houseway.errors import Refused
from houseway.floor import clock
from houseway.floor.casino import Casino
from houseway.floor.live_table import Live
from houseway.table import NextStep, Table, awaited, legal, next_steps, rules_of
from houseway.table.card_source import pack
from houseway.table.commands import COMMANDS, Command, DeclineCut
from houseway.table.driver import BY_SYSTEM, Driver
from houseway.table.engine import situation

#: how long a player who is ready waits for the shuffle
_READY = 12.0

#: who deals where no person does, and how system players are called
SYSTEM = "system"
_COMPANY = "system-"

#: seconds for the players: to wager after the first chip, and for each decision
BETTING, DECIDING = 25.0, 45.0

#: seconds for a decision of somebody who is away, of a system player, and of an empty seat
AWAY = 2.0

#: seconds that a step of the house takes, so that its order can be followed
_PACE = {
    "deal": 0.17, "shuffle": 0.6, "cut": 0.4, "no_more_bets": 0.4, "settle_next": 0.8,
    "reveal_dealer": 0.7, "turn_hand": 0.5, "clear_hands": 2.2, "dealer_draws": 0.6,
    "read_hole_card": 0.6,
}  # fmt: skip
_OTHERWISE = 0.35

#: seconds after which a table where nothing happens is looked at again
LOOK_AGAIN = 60.0


def mine(table: str, worker: int, workers: int) -> bool:
    """Whether the house's part at a table is this worker's: one of them deals at each."""
    return crc32(table.encode()) % workers == worker


class Plan(NamedTuple):
    """What is to happen next, and when."""

    at: float
    command: Command


class _House(Driver):
    """The driver's knowledge of what a step needs to be told, at a table that others keep."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.table = Table()

    def fields(self, table: Table, step: NextStep) -> dict[str, Any]:
        self.table = table
        return self.fields_of(step)


_told = _House(SystemSource())


def known_fields(table: Table, step: NextStep) -> dict[str, Any]:
    """What the house knows already of what a step asks for."""
    return _told.fields(table, step)


class SystemDealer:
    """Deals at every table that has no person dealing, and sees to the floor's part there."""

    def __init__(
        self,
        casino: Casino,
        *,
        pace: float = 1.0,
        source: Source | None = None,
        worker: int = 0,
        workers: int = 1,
    ) -> None:
        self._casino = casino
        self._worker, self._workers = worker, workers
        self.pace = pace
        self._house = _House(source or SystemSource())
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def start(self) -> None:
        """Deal at the tables that are open now, and at those that open later."""
        self._unwatch = self._casino.watch("*", self._see)
        for name in self._casino.tables:
            self._see(name)

    def _see(self, name: str) -> None:
        its = mine(name, self._worker, self._workers)
        if its and name not in self._tasks and name in self._casino.tables:
            self._tasks[name] = asyncio.create_task(self._deal(name))

    async def stop(self) -> None:
        self._unwatch()
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _deal(self, name: str) -> None:
        changed = asyncio.Event()
        stop = self._casino.watch(name, lambda _: changed.set())
        trouble = 0
        planned: tuple[object, ...] | None = None
        at: float | None = None
        try:
            while True:
                changed.clear()
                live = self._casino.table(name)
                now = live.noted.stirred, live.wagered_at, self._casino.people.away
                if planned != now:
                    # chips that come and go before the deal change no plan
                    planned = now
                    plan = self.plan(live)
                    at = None if plan is None else plan.at
                if at is None or at > _now():
                    try:
                        wait = LOOK_AGAIN if at is None else at - _now()
                        await asyncio.wait_for(changed.wait(), wait)
                    except TimeoutError:
                        # by the clock alone a deck's hours end and a gaming day begins
                        planned = None if at is None else planned
                    continue
                plan, planned = self.plan(live), None
                if plan is None or plan.at > _now():
                    continue
                try:
                    await self._casino.act(name, plan.command)
                    trouble = 0
                except Refused:
                    # somebody was quicker, or a person must decide: look again, less and less often
                    trouble = min(trouble + 1, 6)
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(changed.wait(), 0.05 * 2**trouble)
        finally:
            stop()

    def plan(self, live: Live) -> Plan | None:
        """What the house does next at a table, and when; None: nothing, people are awaited."""
        table = live.state
        # where a person deals, the house waits for that person
        if table.phase == "closed" or table.dealer not in ("", SYSTEM):
            return None
        waiting = awaited(table)
        if waiting:
            # whatever the house could do, no decision of a player is passed over
            late = [plan for seat in waiting if (plan := self._late(live, seat)) is not None]
            return min(late, key=lambda plan: plan.at, default=None)
        for step in next_steps(table, at=clock.now()):
            if step.kind == "next" and step.role != "player":
                return self._house_step(live, step)
        return None

    def _house_step(self, live: Live, step: NextStep) -> Plan | None:
        table = live.state
        if step.command in ("no_more_bets", "deal") and not table.hands:
            # the bets are closed when everyone has one, or when the clock says so
            if not live.wagered_at:
                return None
            # players have their time however fast the house deals; without a pace nobody waits
            return Plan(
                _betting_since(live) + (BETTING if self.pace else 0), self.command(live, step)
            )
        opening = table.round == 0 and not any(box.player for box in table.boxes)
        wait = 0.0 if opening else _PACE.get(step.command, _OTHERWISE) * self.pace
        return Plan(_seconds(live.moved_at) + wait, self.command(live, step))

    def order(self, table: Table, command: str = "shuffle") -> list[str]:
        """A fresh order for the cards of a table, or for those in the rack when the shoe ran out."""
        cards = pack(rules_of(table)) if command == "shuffle" else table.piles.get("discard", ())
        return list(shuffled(cards, self._house.source))

    def command(self, live: Live, step: NextStep) -> Command:
        """A step of the house as its command."""
        kind = COMMANDS[step.command]
        fields = self._house.fields(live.state, step)
        if "seat" in kind.__struct_fields__:
            fields["seat"] = step.seat
        role = "system" if step.command in BY_SYSTEM else step.role
        return kind(role=role, who=SYSTEM, at=clock.now(), version=live.state.version, **fields)  # type: ignore[arg-type]

    def _late(self, live: Live, seat: int) -> Plan | None:
        open_now = legal(live.state, "dealer", seat)
        late = situation(live.state).game.when_late
        name = next((name for name in late if name in open_now), None)
        if name is None:
            return None
        command = COMMANDS[name](
            role="dealer", who=SYSTEM, at=clock.now(), version=live.state.version, seat=seat
        )  # type: ignore[call-arg]
        return Plan(
            _seconds(live.moved_at) + patience(live, seat, self._casino.people.away), command
        )

    def _is_away(self, live: Live, person: str) -> bool:
        return (live.name, person) in self._casino.people.away

    async def deal_now(self, name: str, person: str) -> None:
        """A player is ready: the bets are closed if everyone who sits there has wagered.

        Who is ready while the cards are still being shuffled has only to wait for that.
        """
        changed = asyncio.Event()
        end = self._casino.watch(name, lambda _: changed.set())
        try:
            async with asyncio.timeout(_READY):
                while not await self._close_bets(name, person):
                    await changed.wait()
                    changed.clear()
        except TimeoutError:
            raise Refused("out_of_turn", "there is nothing to deal yet") from None
        finally:
            end()

    async def _close_bets(self, name: str, person: str) -> bool:
        live = self._casino.table(name)
        table = live.state
        if table.hands:
            return True
        if table.dealer not in ("", SYSTEM):
            raise Refused("not_your_part", "the dealer closes the bets")
        if not any(box.wagers for box in table.boxes):
            raise Refused("nothing_wagered", "there is nothing to deal yet: wager first")
        for seat in awaited(table):
            if table.boxes[seat - 1].player == person and seat in table.cut_offers:
                # who wants to be dealt in does not want to cut
                declined = DeclineCut(role="player", who=person, at=clock.now(), seat=seat)
                await self._casino.act(name, declined)
                return False
            if patience(live, seat, self._casino.people.away) == DECIDING:
                raise Refused("waiting", f"seat {seat} has to decide first", seat=seat)
        waiting = [
            box.player
            for box in table.boxes
            if box.player
            and not box.wagers
            and not box.player.startswith(_COMPANY)
            and not self._is_away(live, box.player)
        ]
        if any(one != person for one in waiting):
            raise Refused("waiting", f"{len(waiting)} at the table have not wagered yet")
        for step in next_steps(table, at=clock.now()):
            if step.kind == "next" and step.command in ("no_more_bets", "deal"):
                try:
                    await self._casino.act(name, self.command(live, step))
                except Refused as refusal:
                    if refusal.code != "stale":
                        raise
                    return False  # the clock closed the bets at the same moment: look again
                return True
        return False


def patience(live: Live, seat: int, away: frozenset[tuple[str, str]]) -> float:
    """Seconds for a decision at a seat."""
    player = live.state.boxes[seat - 1].player
    if not player or player.startswith(_COMPANY) or (live.name, player) in away:
        return AWAY
    return DECIDING


def deadline(live: Live, seat: int, away: frozenset[tuple[str, str]]) -> tuple[float, float] | None:
    """Seconds left for the players now, and of how many; None where no clock runs.

    The time is that of `seat` where it has a decision to make; `away` is who has gone.
    """
    table = live.state
    if table.dealer not in ("", SYSTEM):
        return None
    waiting = awaited(table)
    if waiting:
        most = patience(live, seat if seat in waiting else waiting[0], away)
        return max(0.0, _seconds(live.moved_at) + most - _now()), most
    if not table.hands and live.wagered_at:
        return max(0.0, _betting_since(live) + BETTING - _now()), BETTING
    return None


def _betting_since(live: Live) -> float:
    """When the time to wager began: at the first wager, or later if the cards were not ready."""
    return max(_seconds(live.wagered_at), _seconds(live.moved_at))


def _now() -> float:
    return datetime.now(UTC).timestamp()


def _seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()
