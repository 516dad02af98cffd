"""A live table on the record: a command is decided, its events are on disk, then it has happened.

The table's own stream holds its events and those of the fair-deal proof, in the order in which
they happened. What a command does to players' chips and to meters goes to their streams in the
same append: all of it, or none.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Protocol

import msgspec
from msgspec.structs import replace

from houseway.errors import Refused
from houseway.floor.deal_proof import (
    COMMITTED,
    FINISHED,
    KINDS,
    OPENED,
    SECRET,
    DealProofState,
    Secret,
    committed,
    finished,
    follow,
    new_order,
    opened,
)
from houseway.floor.editions import edition_of, edition_writes, learn_edition
from houseway.floor.event_versions import SCHEMAS
from houseway.floor.links.contributions import Feeding
from houseway.floor.people import accounts as purse
from houseway.floor.streams import stream
from houseway.money import Cents
from houseway.store import Conflict, Log, New, Write
from houseway.store import Event as Recorded
from houseway.store.fair_deal import SEED_BYTES
from houseway.store.snapshots import Folding, Opened, keep, open_at
from houseway.table import Command, Event, Table, read_event
from houseway.table import events as e
from houseway.table.evolve_registry import code_files
from houseway.table.state import restore

#: after so many events a snapshot is kept
_OFTEN = 200


class Appending(Protocol):
    """What appends: a log, or one that commits many tables together."""

    def append(self, *writes: Write) -> tuple[Recorded, ...]: ...


class TableRecord(msgspec.Struct, frozen=True):
    """All that a table's stream comes to."""

    marked: DealProofState = DealProofState()
    #: seals whose shoe is still in play
    secrets: dict[int, Secret] = {}


def utc(at: str) -> str:
    """An ISO time as the record writes it; without an offset it is UTC."""
    try:
        time = datetime.fromisoformat(at)
        time = time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise Refused("not_a_time", f"{at!r} is not an ISO time", field="at") from None
    return time.replace(tzinfo=None).isoformat() + "Z"


@lru_cache(maxsize=16)
def table_event(recorded: Recorded) -> Event | None:
    """The table's event that a record holds; none for those of the fair-deal proof.

    Whoever folds an event asks for it more than once.
    """
    if recorded.kind in KINDS:
        return None
    if recorded.schema == SCHEMAS.latest(recorded.kind):
        return read_event(recorded.body)
    kind, body = SCHEMAS.read(recorded)
    return read_event(msgspec.json.encode({**body, "event": kind}))


def stand(standing: TableRecord, recorded: Recorded) -> TableRecord:
    """What the stream comes to after one more event."""
    event = table_event(recorded)
    if event is not None:
        shuffled = event.cards if isinstance(event, e.CardsShuffled) else ()
        marked = follow(standing.marked, event)
        if isinstance(event, e.TableOpened):
            return TableRecord(marked)
        if marked.sealed > standing.marked.sealed:
            return TableRecord(marked, {**standing.secrets, marked.sealed: Secret(shuffled, "")})
        return replace(standing, marked=marked)
    body = recorded.data
    if recorded.kind == SECRET:
        known = replace(standing.secrets[body["seal"]], seed=body["seed"])
        return replace(standing, secrets={**standing.secrets, body["seal"]: known})
    if recorded.kind == FINISHED:
        left = {seal: one for seal, one in standing.secrets.items() if seal != body["seal"]}
        return replace(standing, secrets=left)
    return standing


def _packed(standing: TableRecord) -> bytes:
    """The same bytes for the same state, sets and all."""
    plain = msgspec.to_builtins(standing, str_keys=True, order="deterministic")
    return msgspec.json.encode(plain, order="sorted")


#: the code that folds a table: another code's snapshots are not read
CODE = (
    "table/events.py", "table/evolve.py", "table/evolve_registry.py", "table/state.py",
    "floor/recorded_table.py", "floor/event_versions.py", "floor/deal_proof.py", *code_files(),
)  # fmt: skip

FOLDING: Folding[TableRecord] = Folding(
    maker="table/1",
    start=TableRecord(),
    step=stand,
    pack=_packed,
    unpack=msgspec.json.Decoder(TableRecord, dec_hook=restore).decode,
    code=CODE,
)


def news(
    standing: TableRecord, events: tuple[Event, ...], seed: Callable[[], bytes]
) -> Iterator[New]:
    """Events for the table's stream, and between them what the fair-deal proof adds."""
    marked, secrets = standing.marked, dict(standing.secrets)
    for event in events:
        before, marked = marked, follow(marked, event)
        yield _new(event)
        for seal in finished(before, event):
            if secrets[seal].seed:
                yield _beside(event, FINISHED, {"seal": seal, "seed": secrets[seal].seed})
        if new_order(before, event):
            assert isinstance(event, e.CardsShuffled)
            secret = secrets[marked.sealed] = Secret(event.cards, seed().hex())
            yield _beside(event, COMMITTED, committed(marked.sealed, event.deck, secret))
            yield _beside(event, SECRET, {"seal": marked.sealed, "seed": secret.seed})
        if isinstance(event, e.RoundEnded):
            # an order that was known before this record sealed any has no seed, and no proof
            exposed = [one for one in before.exposed if secrets[one.seal].seed]
            if exposed:
                yield _beside(event, OPENED, opened(event.round, exposed, secrets))


class RecordedTable:
    """One table, opened from the record or to be opened by its first command."""

    def __init__(
        self,
        log: Log,
        name: str,
        *,
        through: Appending | None = None,
        seed: Callable[[], bytes] = lambda: secrets.token_bytes(SEED_BYTES),
    ) -> None:
        self.name = name
        self.stream = stream(name)
        self._log = log
        self._through: Appending = through or log
        self._seed = seed
        self._opened: Opened[TableRecord]
        self._kept = 0
        self.feeding = Feeding(log, name)
        self.read()

    @property
    def table(self) -> Table:
        return self._opened.state.marked.table

    @property
    def version(self) -> int:
        """Where the stream stands; the table's own version counts only its events."""
        return self._opened.version

    def read(self) -> None:
        """Take in what others have written."""
        self._opened = open_at(self._log, self.stream, FOLDING)
        self._kept = self._opened.version - self._opened.folded
        self._learn_edition()

    def _learn_edition(self) -> None:
        """Know the edition that the table plays by, whatever is installed now."""
        if self.table.chapter:
            learn_edition(self._log, edition_of(self.table))

    def decide(self, command: Command) -> tuple[Event, ...]:
        """What a command makes happen at this table, its linked meters as they stand."""
        return self.feeding.run(self.table, command)[0]

    def send(self, command: Command) -> tuple[Event, ...]:
        """Decide a command and put on record what it did; on return it has happened."""
        for _ in range(20):
            events = self.decide(command)
            writes = [
                Write(
                    self.stream, self.version, tuple(news(self._opened.state, events, self._seed))
                ),
                *self._moves(events),
            ]
            try:
                recorded = self._through.append(*writes)
            except Conflict as conflict:
                if conflict.stream == self.stream:
                    self.read()
                continue
            self._advance(one for one in recorded if one.stream == self.stream)
            return events
        raise Refused("busy", f"others keep writing to {self.stream}; try again")

    def _advance(self, recorded: Iterator[Recorded]) -> None:
        for one in recorded:
            state = stand(self._opened.state, one)
            self._opened = Opened(state, one.version, one.hash, 0)
        if self.version - self._kept >= _OFTEN:
            keep(self._log, self.stream, FOLDING, self._opened)
            self._kept = self.version

    def _moves(self, events: tuple[Event, ...]) -> Iterator[Write]:
        last = events[-1]
        if isinstance(events[0], e.TableOpened):
            yield from edition_writes(self._log, events[0], _actor(last), utc(last.at))
        about = {"table": self.name, "version": last.version}
        for player, move in sorted(purse.moved(self.table, events, self._racks()).items()):
            yield self._account(player, move, last, about)
        yield from self.feeding.writes(self.table, events, self.version)
        meters: dict[str, list[New]] = {}
        for event in events:
            if isinstance(event, e.MeterMoved) and not self.feeding.linked(event.meter):
                body = {
                    **about, "holds": event.holds, "shows": event.shows, "why": event.why,
                    "reserve": event.reserve,
                }  # fmt: skip
                meters.setdefault(event.meter, []).append(_beside(event, "meter_moved", body))
        for meter, news in sorted(meters.items()):
            name = f"meter/{self.name}/{meter}"
            yield Write(name, _version(self._last(name)), tuple(news))

    def _account(
        self, player: str, move: purse.Moved, event: Event, about: dict[str, Any]
    ) -> Write:
        """What events do to a player's account, with the balance after them."""
        name = purse.stream(player)
        last = self._last(name)
        before = purse.account(self._log, player, last)
        purse.check_purse(before, move)
        body = {
            **about, "player": player, "cents": move.chips, "chips": before.chips + move.chips,
            "purse": before.purse + move.purse,
        }  # fmt: skip
        new = replace(_beside(event, "chips_moved", body), schema=purse.SCHEMA)
        return Write(name, _version(last), (new,))

    def _racks(self) -> dict[int, Cents] | None:
        """The chips in front of each seat, where players have purses."""
        return None

    def _last(self, name: str) -> Recorded | None:
        """The last event of a stream beside the table's own."""
        return self._log.last([name]).get(name)


def _version(last: Recorded | None) -> int:
    return last.version if last is not None else 0


def _new(event: Event) -> New:
    body: dict[str, Any] = msgspec.to_builtins(event)
    kind = str(event.__struct_config__.tag)
    return New(kind, body, _actor(event), utc(event.at), SCHEMAS.latest(kind))


def _beside(event: Event, kind: str, body: dict[str, Any]) -> New:
    return New(kind, body, _actor(event), utc(event.at))


def _actor(event: Event) -> str:
    return f"{event.role} {event.who}".strip()
