"""The casino: commands in, events onto the record, the new state to everybody who watches.

One rule holds throughout: nothing is true before it is on disk. A command is decided on the state
of the table, its events are appended at the version they were decided at, and only then the state
moves on. If another worker was quicker the command is decided again on what it wrote.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import threading
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from houseway.errors import Refused
from houseway.floor import clock
from houseway.floor.gaming_day import facility_time, record_clock_step
from houseway.floor.links.current import CurrentMeters
from houseway.floor.links.record import FEEDS
from houseway.floor.links.record import PREFIX as LINKS
from houseway.floor.live_table import Live
from houseway.floor.people import accounts as purse
from houseway.floor.people.directory import PEOPLE, People, Person
from houseway.floor.people.duties import check_separate
from houseway.floor.streams import PREFIX
from houseway.law import Rules
from houseway.money import Cents
from houseway.store import Conflict, Event, Log, New, Write, retrying
from houseway.store.background_snapshots import BackgroundSnapshots
from houseway.store.event import check_event, is_name
from houseway.store.group_commit import GroupCommitter
from houseway.table import Table
from houseway.table import commands as c

_ATTEMPTS = 8
#: seconds between two looks at what is written by somebody else: in a terminal, at other workers
_NOW_AND_THEN, _OTHERS = 0.25, 0.5
#: what moves a linked meter is written to one of these
_LINKED = (FEEDS, LINKS)
#: with these a table that another worker has moved its links too
_MOVES_METERS = frozenset({"progressive_collected", "round_voided", "meter_moved"})


class Done(msgspec.Struct, frozen=True):
    """A command carried out: the version it led to, and whether it had been done before."""

    table: str
    version: int
    again: bool = False


class Casino:
    """Every table of one record."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.people = People(log)
        self.tables: dict[str, Live] = {}
        self._linked = CurrentMeters(log)
        self._commits = GroupCommitter(log)
        self._snapshots = BackgroundSnapshots(log)
        self._locks: dict[str, asyncio.Lock] = {}
        self._heads: dict[str, Event] = {}
        #: whether other workers write to the same record
        self.shared = False
        #: whether a table has its home here
        self._home: Callable[[str], bool] = lambda _: False
        #: called after something was written here to a table that has its home at another worker
        self.tell_home: Callable[[str], None] = lambda _: None
        #: tables that another worker has moved on, and that nobody has looked at here since
        self._behind: set[str] = set()
        self._watchers: dict[str, set[Callable[[str], None]]] = {}
        self._unfollow: Callable[[], None] = lambda: None
        #: counted for whoever runs the house
        self.commands = 0
        self.refusals = 0
        #: where the links stood before the tables were read that feed them
        self._links_at = {name: head.version for name, head in log.heads(prefix=LINKS).items()}
        for name in sorted(self.log.heads(prefix=PREFIX)):
            self._load(name.removeprefix(PREFIX))

    def _load(self, name: str) -> Live:
        live = self.tables[name] = Live(self.log, name, self._heads, self._snapshots)
        return live

    @property
    def restarted(self) -> int:
        """How many threads died and were replaced."""
        return self._commits.restarted + self._snapshots.restarted

    def check_threads(self) -> None:
        """Replace a thread that has died; whoever listens for others does it for itself."""
        self._commits.ensure()
        self._snapshots.ensure()

    def close(self) -> None:
        self._unfollow()
        self._commits.close()
        self._snapshots.close()
        self.log.close()

    def lost_shoes(self) -> list[str]:
        """Tables whose shoe was sealed with a key that is not here."""
        return [name for name, live in self.tables.items() if live.shoe_is_lost]

    async def give_up_lost_shoes(self) -> None:
        """Void the round of a shoe whose order nobody can read, and have it shuffled again.

        A round that has all its cards is completed, and its shuffle comes after it.
        Where the floor may not order a shuffle, a fresh deck comes to the table.
        """
        reason = {"reason": "this server does not have the key of the shoe"}
        for name in self.lost_shoes():
            live = self.tables[name]
            fresh = {"deck": live.table.in_play}
            for kind, fields in (
                ("void_round", reason), ("order_reshuffle", reason), ("change_decks", fresh),
            ):  # fmt: skip
                waits = live.table.phase == "shuffling" or "shoe" not in live.table.piles
                if kind != "void_round" and waits:
                    break
                with contextlib.suppress(Refused):
                    command = command_of(kind, fields, role="floorperson", who="system")
                    await self.act(name, command)

    # looking

    def table(self, name: str) -> Live:
        found = self.tables.get(name)
        if found is None:
            raise Refused("no_such_table", f"there is no table {name}", field="table")
        if name in self._behind:
            # a record that is away just now shows its tables as they were
            with contextlib.suppress(Refused):
                self.catch_up(name)
        return found

    def all_tables(self) -> dict[str, Live]:
        """Every table as it stands."""
        return {name: self.table(name) for name in tuple(self.tables)}

    def watch(self, table: str, told: Callable[[str], None]) -> Callable[[], None]:
        """Call `told` after every change of a table (`*`: of any table); returns a function that
        stops it.
        """
        watchers = self._watchers.setdefault(table, set())
        watchers.add(told)
        return lambda: watchers.discard(told)

    def tell(self, table: str) -> None:
        """Tell everybody who watches a table to look at it again."""
        for group in (table, "*"):
            for told in tuple(self._watchers.get(group, ())):
                told(table)

    def shown(self, name: str) -> Table:
        """A table as it is shown: its linked meters as they stand now, whichever table moved them."""
        return self._linked.table(self.table(name))

    def stamp(self, name: str) -> str:
        """The version of a table, and of the links it feeds: what is shown changes with it."""
        live = self.table(name)
        return f"{name}:{live.version}{self._linked.stamp(live)}"

    def link_moved(self, *links: str) -> None:
        """A link has other figures now: let everybody who watches one of its tables see them."""
        self._linked.moved(links)
        for name, live in self.tables.items():
            if not {*links}.isdisjoint(live.feeding.links.values()):
                self.tell(name)

    def link_changed(self, link: str) -> None:
        """Something rare was done to a link: a table may have joined it or left it."""
        self._linked.moved((link,))
        for name in self._linked.tables(link):
            if name in self.tables:
                self.tables[name].feeding.read()
                self.tell(name)

    def fresh(self, name: str) -> Live:
        """A table with everything that any worker wrote; callers always see their own last command."""
        if self.shared and is_name(PREFIX + name) and not self._holds(name):
            self.catch_up(name)
        return self.table(name)

    def _holds(self, name: str) -> bool:
        """Whether nobody else acts at a table, so that what is known of it here is all there is."""
        if not self._home(name) or name not in self.tables:
            return False
        if self.log.holds(PREFIX + name):
            return True
        if self.log.hold(PREFIX + name):
            self.catch_up(name)  # whoever held it before may have written
            return True
        return False

    def wake(self) -> None:
        """Let everybody who watches look again, as when the house closes."""
        for group, watchers in self._watchers.items():
            for told in tuple(watchers):
                told(group)

    def follow(
        self,
        loop: asyncio.AbstractEventLoop,
        *,
        alone: bool = False,
        home: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """Follow what other processes write, until the casino is closed.

        With `alone`, no other worker acts at its tables, but people and links may still be changed
        from a terminal. Otherwise it holds the tables that have their `home` here: only this worker
        decides for them, so no other events need be folded. Other tables are only marked as
        changed, and are read when somebody looks at them.
        """
        self.shared, self._home = not alone, home
        prefixes = (LINKS,) if alone else (LINKS, FEEDS, PREFIX)
        stop = threading.Event()
        at = {PEOPLE: self.people.version, **self._links_at}
        if not alone:
            at |= {PREFIX + name: live.version for name, live in self.tables.items()}
            at |= {name: head.version for name, head in self.log.heads(prefix=FEEDS).items()}
            for name in tuple(self.tables):
                self._holds(name)

        def listen() -> None:
            while not stop.wait(_NOW_AND_THEN if alone else _OTHERS):
                try:
                    self.log.look_held()
                    heads = self.log.heads([PEOPLE])
                    for prefix in prefixes:
                        heads |= self.log.heads(prefix=prefix)
                    for name, head in heads.items():
                        if head.version > at.get(name, 0):
                            at[name] = head.version
                            loop.call_soon_threadsafe(self._heard, name, head.version)
                except Exception:  # noqa: BLE001 - whatever happened, others are listened to again
                    # the record is away for a moment, or the loop for good: look again
                    stop.wait(0.5)

        thread = threading.Thread(target=listen, name="houseway-follow", daemon=True)
        thread.start()

        def end() -> None:
            stop.set()
            thread.join(2)

        self._unfollow = end

    def _heard(self, stream: str, version: int) -> None:
        name = stream.removeprefix(PREFIX)
        live = self.tables.get(name)
        # a record that is away just now is read again with the next event, or the next question
        with contextlib.suppress(Refused):
            if stream == PEOPLE:
                self.people.catch_up()
                self.tell(stream)
            elif stream.startswith(LINKS):
                self.link_changed(stream.removeprefix(LINKS))
            elif stream.startswith(FEEDS):
                self.link_moved(stream.rpartition("/")[2])
            elif live is None:
                self.catch_up(name)
            elif live.version < version:
                self._behind.add(name)
                self.tell(name)

    def catch_up_now(self, name: str) -> None:
        """Fold what another worker says that it appended; a record that is away is read later."""
        with contextlib.suppress(Refused):
            self.catch_up(name)

    def catch_up(self, name: str) -> None:
        """Fold what another worker appended to a table."""
        self._behind.discard(name)
        live = self.tables.get(name) or Live(self.log, name, self._heads, self._snapshots)
        if name not in self.tables and live.version:
            self.tables[name] = live
            self.tell(name)
        news = tuple(self.log.read(live.stream, live.version))
        for event in news:
            check_event(event)
        if news:
            live.take(news)
            if any(one.kind == "table_opened" for one in news):
                live.feeding.read()  # one that was closed is dropped with the opening
            self.tell(name)
            if any(one.kind in _MOVES_METERS for one in news):
                self.link_moved(*live.feeding.links.values())

    def seat_of(self, table: str, person: str) -> int:
        """Where somebody sits; 0: nowhere at this table."""
        boxes = self.table(table).state.boxes
        return next((box.seat for box in boxes if box.player == person), 0)

    def in_a_round(self, person: str) -> bool:
        """Whether somebody plays or deals in a round that is going on."""
        return any(
            live.state.hands
            and (live.state.dealer == person or any(b.player == person for b in live.state.boxes))
            for live in self.all_tables().values()
        )

    # doing

    async def open(self, name: str, rules: Rules, tray: Mapping[str, int], *, by: str) -> Done:
        """Open a table under these rules."""
        file = rules.as_file()
        when = facility_time(self.log)
        command = c.OpenTable(
            role="floorperson" if by else "system",
            who=by or "system",
            at=clock.now(),
            table=name,
            chapter=rules.chapter.id,
            edition=rules.chapter.about.edition,
            rules=file.get("rules", {}),
            limits=file.get("limits", {}),
            meters=file.get("meters", {}),
            paytables=file.get("paytables", {}),
            tray=dict(tray),
            zone=when.zone,
            day_begins=when.begins,
        )
        return await self.act(name, command, key=f"open:{name}:{secrets.token_hex(4)}")

    async def act(
        self,
        name: str,
        command: c.Command,
        *,
        key: str = "",
        seen: int | None = None,
        check: Callable[[Table], None] = lambda _: None,
    ) -> Done:
        """Carry out a command, durably, once for each key.

        Separation of duties is checked, and so is `check`, on the table as the command finds it.
        """
        self.commands += 1
        live = self.tables.get(name)
        if live is None:
            if not isinstance(command, c.OpenTable):
                raise Refused("no_such_table", f"there is no table {name}", field="table")
            live = Live(self.log, name, self._heads, self._snapshots)
        async with self._locks.setdefault(name, asyncio.Lock()):
            for _ in range(_ATTEMPTS):
                before = live.done(key)
                if before is not None:
                    return Done(name, before, again=True)
                try:
                    check_separate(live.state, command)
                    check(live.state)
                    return await self._once(live, command, key, seen)
                except Conflict as conflict:
                    # another worker was quicker, here or with the player's chips
                    self._heads.pop(conflict.stream, None)
                    self.tables[name] = live
                    self.catch_up(name)
                except Refused:
                    self.refusals += 1
                    raise
        raise Refused("busy", "too many people are acting at this table at once; try again")

    async def _once(self, live: Live, command: c.Command, key: str, seen: int | None) -> Done:
        if seen is not None:
            live.check_fresh(seen, getattr(command, "seat", 0))
        for step in clock.steps():
            record_clock_step(self.log, step)
        events = live.decide(live.stamped(command))
        racks = purse.after(live.racks, events)
        purse.check(racks, live.racks)
        if not events:
            return Done(live.name, live.version)
        try:
            writes = live.writes(events, key)
        except Refused as refusal:
            raise refusal.at(seat=getattr(command, "seat", None)) from None
        recorded = await self._append(live, *writes)
        self.tables[live.name] = live
        self.tell(live.name)
        if any(one.stream.startswith(_LINKED) for one in recorded):
            self.link_moved(*live.feeding.links.values())
        return Done(live.name, live.version)

    async def _append(self, live: Live, *writes: Write) -> tuple[Event, ...]:
        """Put writes of a table on record, and take them in."""
        # what was handed to the record is not taken back because somebody stopped waiting for it
        recorded = await asyncio.shield(asyncio.wrap_future(self._commits.submit(*writes)))
        for one in recorded:
            if one.stream != live.stream:
                self._heads[one.stream] = one
        live.take(one for one in recorded if one.stream == live.stream)
        if self.shared and not self._home(live.name):
            self.tell_home(live.name)
        return recorded

    async def add_number(self, name: str, person: str, number: str, *, key: str = "") -> Done:
        """A seated player's own number goes into the next shuffle of a table, durably."""
        live = self.table(name)
        async with self._locks.setdefault(name, asyncio.Lock()):
            for _ in range(_ATTEMPTS):
                before = live.done(key)
                if before is not None:
                    return Done(name, before, again=True)
                write = live.number_added(person, number, clock.now(), key)
                try:
                    await self._append(live, write)
                except Conflict:
                    self.catch_up(name)
                    continue
                self.tell(name)
                return Done(name, live.version)
        raise Refused("busy", "too many people are acting at this table at once; try again")

    def give(self, person: Person, amount: Cents, *, by: str) -> None:
        """Play money for somebody's purse."""
        name = purse.stream(person.id)

        def decide() -> list[Write]:
            last = self.log.last([name]).get(name)
            before = purse.account(self.log, person.id, last)
            body = {
                "player": person.id, "cents": amount, "chips": before.chips,
                "purse": before.purse + amount,
            }  # fmt: skip
            new = New("play_money_given", body, by, clock.now(), purse.SCHEMA)
            return [Write(name, last.version if last else 0, (new,))]

        for event in retrying(self.log, decide):
            self._heads[event.stream] = event

    def purse_of(self, person: str, *, known: bool = False) -> Cents:
        """What is in a purse; with `known`, as far as is known here without reading the record.

        The last event of an account is known here, unless another worker has written since.
        """
        name = purse.stream(person)
        last = self._heads.get(name) if known or not self.shared else None
        if last is None and (read := self.log.last([name]).get(name)) is not None:
            last = self._heads[name] = read
        return purse.account(self.log, person, last).purse


def command_of(kind: str, fields: Mapping[str, Any], *, role: str, who: str) -> c.Command:
    """A command from what a page or a program sent, in a role and a name it cannot choose."""
    found = c.COMMANDS.get(kind)
    if found is None:
        raise Refused("no_such_command", f"there is no command {kind}", field="command")
    forbidden = {"role", "who", "at", "version", "command"} & fields.keys()
    if forbidden:
        raise Refused("not_yours_to_say", f"{min(forbidden)} is filled in by the house")
    whole = {**fields, "command": kind, "role": role, "who": who, "at": clock.now()}
    try:
        return msgspec.convert(whole, found)
    except msgspec.ValidationError as error:
        raise c.not_a_command(error, whole) from None
