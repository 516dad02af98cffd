"""The system's dealer and floorperson: they take the table's next step when it is time.

The table says what comes next. When it happens is decided here, from times on the record, so that a
house that was stopped in the middle of a round goes on where it was.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, NamedTuple

from houseway.cards import Source, SystemSource, shuffled
from houseway.errors import Refused
from houseway.floor import clock
from houseway.floor.bots.standing import best_decision
from houseway.floor.bots.table_tasks import TableTasks
from houseway.floor.casino import Casino
from houseway.floor.live_table import Live
from houseway.present import PRESENTATION
from houseway.table import NextStep, Table, awaited, legal, next_steps, rules_of
from houseway.table.card_source import cards_to_shuffle
from houseway.table.commands import COMMANDS, Command, DeclineCut
from houseway.table.driver import BY_SYSTEM, Driver
from houseway.table.moment import situation

#: how long a player who is ready waits for the shuffle
_READY = 12.0

#: the actor names of the system's dealer and of computer players
SYSTEM = "system"
#: who acts as the floor at a table that the system deals, since nobody verifies their own work
SYSTEM_FLOOR = "system floor"
_COMPUTER_PLAYER = "system-"

#: seconds for the players: to wager after the first chip, and for each decision
BETTING, DECIDING = 25.0, 45.0

#: more seconds for somebody whose line has stalled
ON_ITS_WAY = 30.0

#: seconds for a decision of somebody who is away, of a system player, and of an empty seat
AWAY = 2.0

#: seconds after which somebody who is away gives up the seat
GIVEN_UP = 300.0

#: seconds that a step of the house takes, so that its order can be followed
_PACE = {
    "deal": 0.17, "shuffle": 0.6, "cut": 0.4, "no_more_bets": 0.4, "settle_next": 0.8,
    "reveal_dealer": 0.7, "turn_hand": 0.5, "clear_hands": 2.2,
}  # fmt: skip
_OTHERWISE = 0.35

#: seconds after which a table where nothing happens is looked at again
LOOK_AGAIN = 60.0


class Plan(NamedTuple):
    """What is to happen next, and when."""

    at: float
    command: Command
    #: the seat whose player's standing instruction decides instead, if it can
    standing: int = 0


#: what only people can see to: nobody says for them that a device was covered or repaired
_BY_PEOPLE = ("set_device_aside", "repair_device")


class _House(Driver):
    """Fills in the fields of a step as the driver does, for a table that others keep."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.table = Table()
        #: the order that was sealed ahead for the next shuffle of a whole deck
        self.sealed: tuple[str, ...] = ()

    def fields(self, table: Table, step: NextStep) -> dict[str, Any]:
        self.table = table
        return self.fields_of(step)

    def fields_of(self, step: NextStep) -> dict[str, Any]:
        if step.command == "shuffle":
            return {**step.choices[0], "order": self.next_order(self.table)}
        return super().fields_of(step)

    def next_order(self, table: Table) -> tuple[str, ...]:
        """The order that was sealed ahead, where it has the cards of this shuffle; or a fresh one."""
        cards = cards_to_shuffle(table)
        if len(self.sealed) == len(cards) and sorted(self.sealed) == sorted(cards):
            return self.sealed
        return tuple(shuffled(cards, self.source))


_told = _House(SystemSource())


def known_fields(table: Table, step: NextStep) -> dict[str, Any]:
    """The fields of a step that the house knows already."""
    return _told.fields(table, step)


class SystemDealer(TableTasks):
    """Deals at every table without a human dealer, and takes the floorperson's steps there."""

    def __init__(
        self,
        casino: Casino,
        *,
        pace: float = 1.0,
        source: Source | None = None,
        worker: int = 0,
        workers: int = 1,
        stalled: Callable[[str, str], bool] = lambda *_: False,
        idle: Callable[[str, str], bool] = lambda *_: False,
    ) -> None:
        super().__init__(casino, worker=worker, workers=workers)
        #: whether the connection to a player's open page has stopped answering
        self._stalled = stalled
        #: whether nobody has sat before a player's open page for long
        self._idle = idle
        self.pace = pace
        self._house = _House(source or SystemSource())

    async def run(self, name: str) -> None:
        """Deal at a table."""
        changed = asyncio.Event()
        stop = self._casino.watch(name, lambda _: changed.set())
        trouble = 0
        planned: tuple[object, ...] | None = None
        at: float | None = None
        try:
            while True:
                changed.clear()
                live = self._casino.table(name)
                await self._give_up_seats(live)
                now = live.noted.stirred, live.wagered_at, self._casino.people.away
                if planned != now:
                    # chips that come and go before the deal change no plan
                    planned = now
                    plan = self.plan(live)
                    at = None if plan is None else plan.at
                if at is None or at > _now():
                    try:
                        wait = LOOK_AGAIN if at is None else at - _now()
                        async with asyncio.timeout(wait):
                            await changed.wait()
                    except TimeoutError:
                        # by the clock alone a deck's hours end and a gaming day begins
                        planned = None if at is None else planned
                    continue
                plan, planned = self.plan(live), None
                if plan is None or plan.at > _now():
                    continue
                try:
                    await self._carry_out(live, plan)
                    trouble = 0
                except Refused:
                    # somebody was quicker, or a person must decide: look again, less and less often
                    trouble = min(trouble + 1, 6)
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(0.05 * 2**trouble):
                            await changed.wait()
        finally:
            stop()

    async def _carry_out(self, live: Live, plan: Plan) -> None:
        if plan.standing:
            player = live.state.boxes[plan.standing - 1].player
            rack = live.racks.get(plan.standing, 0)
            version = live.state.version
            # exact values may take a moment to work out
            found = await asyncio.to_thread(best_decision, live.state, plan.standing, rack)
            if live.state.version != version:
                return
            if found is not None:
                name, fields = found
                fields = {**fields, "seat": plan.standing, "version": version}
                command = COMMANDS[name](role="player", who=player, at=clock.now(), **fields)
                # on the record with the event: who decided was the person's instruction
                key = f"standing instruction of {player}: best, {version}"
                await self._casino.act(live.name, command, key=key)
                return
        await self._casino.act(live.name, plan.command)

    async def _give_up_seats(self, live: Live) -> None:
        """A player who does not answer for long gives up the seat; the chips go back to the bankroll."""
        table = live.state
        for box in table.boxes:
            if not box.player or box.wagers or box.seat in table.hands:
                continue
            if self._long_gone(live.name, box.player):
                leave = COMMANDS["leave_seat"](
                    role="player", who=box.player, at=clock.now(), seat=box.seat
                )  # type: ignore[call-arg]
                with contextlib.suppress(Refused):
                    await self._casino.act(live.name, leave)

    def _long_gone(self, table: str, player: str) -> bool:
        people = self._casino.people
        if (table, player) in people.away:
            return _now() - clock.steady(people.away_since(table, player)) >= GIVEN_UP
        return self._idle(table, player)

    def plan(self, live: Live) -> Plan | None:
        """What the house does next at a table, and when; None while it waits for people."""
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
            if step.command in _BY_PEOPLE:
                return None
            if step.kind == "next" and step.role != "player" and step.command != "spread_idle":
                # the house keeps the cards of a table that nobody sits at ready
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
        own = PRESENTATION.of(rules_of(table).chapter).pace
        takes = own.get(step.command) or _PACE.get(step.command, _OTHERWISE)
        wait = 0.0 if opening else takes * self.pace
        return Plan(clock.steady(live.moved_at) + wait, self.command(live, step))

    def order(self, live: Live, command: str = "shuffle") -> tuple[str, ...]:
        """The order for the cards of a table, or for those in the rack when the shoe ran out."""
        if command == "shuffle":
            self._know_sealed(live)
            return self._house.next_order(live.state)
        return tuple(shuffled(live.state.piles.get("discard", ()), self._house.source))

    def _know_sealed(self, live: Live) -> None:
        ahead = live.next_shuffle
        self._house.sealed = ahead.order if ahead else ()

    def command(self, live: Live, step: NextStep) -> Command:
        """A step of the house as its command."""
        kind = COMMANDS[step.command]
        self._know_sealed(live)
        fields = self._house.fields(live.state, step)
        if "seat" in kind.__struct_fields__:
            fields["seat"] = step.seat
        role = "system" if step.command in BY_SYSTEM else step.role
        who = SYSTEM_FLOOR if role == "floorperson" else SYSTEM
        return kind(role=role, who=who, at=clock.now(), version=live.state.version, **fields)  # type: ignore[arg-type]

    def _late(self, live: Live, seat: int) -> Plan | None:
        open_now = legal(live.state, "dealer", seat)
        late = situation(live.state).game.when_late
        name = next((name for name in late if name in open_now), None)
        if name is None:
            return None
        command = COMMANDS[name](
            role="dealer", who=SYSTEM, at=clock.now(), version=live.state.version, seat=seat
        )  # type: ignore[call-arg]
        wait = patience(live, seat, self._casino.people.away)
        if wait == DECIDING and self._stalled(live.name, live.state.boxes[seat - 1].player):
            # what was pressed in time may still be on its way
            wait += ON_ITS_WAY
        player = live.state.boxes[seat - 1].player
        is_person = bool(player) and not player.startswith(_COMPUTER_PLAYER)
        best = is_person and self._casino.people.instruction(player, "best") == "best"
        return Plan(clock.steady(live.moved_at) + wait, command, seat if best else 0)

    def _is_away(self, live: Live, person: str) -> bool:
        return (live.name, person) in self._casino.people.away

    async def deal_now(self, name: str, person: str) -> None:
        """A player is ready: the bets are closed if everyone who sits there has wagered.

        A player who is ready during the shuffle only waits for the shuffle to end.
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
                # a player who is ready does not want to cut
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
            and not box.player.startswith(_COMPUTER_PLAYER)
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
    if not player or player.startswith(_COMPUTER_PLAYER) or (live.name, player) in away:
        return AWAY
    return DECIDING


def deadline(live: Live, seat: int, away: frozenset[tuple[str, str]]) -> tuple[float, float] | None:
    """The seconds left for the players and the total; None if no clock is running.

    The time is that of `seat` if it has a decision to make; `away` names players who are gone.
    """
    table = live.state
    if table.dealer not in ("", SYSTEM):
        return None
    waiting = awaited(table)
    if waiting:
        most = patience(live, seat if seat in waiting else waiting[0], away)
        return max(0.0, clock.steady(live.moved_at) + most - _now()), most
    if not table.hands and live.wagered_at:
        return max(0.0, _betting_since(live) + BETTING - _now()), BETTING
    return None


def _betting_since(live: Live) -> float:
    """When the time to wager began: at the first wager, or later if the cards were not ready."""
    return max(clock.steady(live.wagered_at), clock.steady(live.moved_at))


def _now() -> float:
    return clock.steady(clock.now())
