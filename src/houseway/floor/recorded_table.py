"""A live table on the record: a command takes effect when its events are on disk.

The table's own stream holds its events and those of the fair-deal proof, in the order in which
they happened. What a command does to players' chips and to meters goes to their streams in the
same append: all of it, or none.
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from houseway.cards import Source, shuffled
from houseway.errors import Refused
from houseway.floor.deal_proof import (
    COMMITTED,
    FINISHED,
    KINDS,
    NEXT_COMMITTED,
    NEXT_SECRET,
    NUMBER_ADDED,
    OPENED,
    SECRET,
    DealProofState,
    NextShuffle,
    Secret,
    check_number,
    committed,
    finished,
    follow,
    new_order,
    opened,
)
from houseway.floor.editions import edition_of, edition_writes, learn_edition
from houseway.floor.event_versions import SCHEMAS
from houseway.floor.links.contributions import LinkContributions
from houseway.floor.people import accounts as purse
from houseway.floor.streams import stream
from houseway.money import Cents
from houseway.store import Conflict, Log, New, Write
from houseway.store import Event as Recorded
from houseway.store.open_log import OPEN_LOGS
from houseway.store.security.fair_deal import SEED_BYTES, commit, rearranged
from houseway.store.security.sealed_text import is_sealed, open_text
from houseway.store.snapshots import Folding, Opened, keep, open_at
from houseway.table import Command, Event, Table, read_event, rules_of
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.card_source import pack
from houseway.table.evolve.registry import code_files
from houseway.table.state import UNKNOWN, restore

if TYPE_CHECKING:
    from houseway.store.security.house_keys import HouseKeys

#: how the body of a shuffle begins its cards where their order is encrypted
_SEALED = '"cards":"sealed:'
#: a snapshot is kept after this many events
_OFTEN = 200


class Appending(Protocol):
    """Something that appends: a log, or a committer for many tables."""

    def append(self, *writes: Write) -> tuple[Recorded, ...]: ...


class TableRecord(msgspec.Struct, frozen=True):
    """The whole state of a table's stream."""

    marked: DealProofState = DealProofState()
    #: seals whose shoe is still in play
    secrets: dict[int, Secret] = {}
    #: the order sealed for the next shuffle of a whole deck
    next: NextShuffle | None = None


def utc(at: str) -> str:
    """An ISO time in the record's form; without an offset it is UTC."""
    try:
        time = datetime.fromisoformat(at)
        time = time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise Refused("not_a_time", f"{at!r} is not an ISO time", field="at") from None
    return time.replace(tzinfo=None).isoformat() + "Z"


def read_table_event(recorded: Recorded) -> Event | None:
    """The table's event that a record holds; none for those of the fair-deal proof."""
    if recorded.kind in KINDS:
        return None
    if _SEALED in recorded.body:
        return _unsealed(recorded)
    if recorded.schema == SCHEMAS.latest(recorded.kind):
        return read_event(recorded.body)
    kind, body = SCHEMAS.read(recorded)
    return read_event(msgspec.json.encode({**body, "event": kind}))


def read_table_content(
    log: Log, stream: str, version: int, kind: str, schema: str, body: str
) -> Event | None:
    """The same from the content of an event, for searches; few have to be read whole.

    An encrypted order stays unknown: what is kept of a search lies beside the record in plain text.
    """
    if kind in KINDS:
        return None
    if _SEALED in body:
        return _with_order(log.at(stream, version), None)
    if int(schema) == SCHEMAS.latest(kind):
        return read_event(body)
    return read_table_event(log.at(stream, version))


#: the same, cached, since folding asks for an event more than once
table_event = lru_cache(maxsize=16)(read_table_event)


def _unsealed(recorded: Recorded) -> Event:
    """A shuffle whose order is encrypted on the record.

    It opens with the house's key, or with what was published when the shoe was finished. An order
    that nobody here can read is unknown: the shoe is lost.
    """
    body = recorded.data
    text = open_text(body["cards"], _about(recorded.stream, body["version"]))
    cards = msgspec.json.decode(text) if text else _published(recorded, body["seal"])
    return _with_order(recorded, cards)


def _with_order(recorded: Recorded, cards: list[str] | None) -> Event:
    body = recorded.data
    count: int = body.pop("count")
    del body["seal"]
    return read_event(msgspec.json.encode({**body, "cards": cards or [UNKNOWN] * count}))


def _about(stream: str, what: object) -> str:
    """The context of a ciphertext; moved to another place, it does not open."""
    return f"{stream}\n{what}"


def _published(recorded: Recorded, seal: int) -> list[str] | None:
    """The order as it was published when the shoe was finished."""
    for log in tuple(OPEN_LOGS):
        try:
            here = next(log.read(recorded.stream, recorded.version - 1, recorded.version), None)
        except Refused:
            continue  # closed already
        if here is None or here.hash != recorded.hash:
            continue
        for event in log.read(recorded.stream, recorded.version):
            if event.kind == "table_opened":
                break
            if event.kind == FINISHED and event.data["seal"] == seal:
                order: list[str] | None = event.data.get("order")
                return order
    return None


class Followed(NamedTuple):
    """An event that was decided here, and what it makes of the state before it."""

    before: DealProofState
    event: Event
    after: DealProofState


#: events on their way to the record, in order
Ahead = deque[Followed]


def stand(standing: TableRecord, recorded: Recorded, ahead: Ahead | None = None) -> TableRecord:
    """The state after one more event; an event that was decided here is not folded again."""
    event = table_event(recorded)
    if event is not None:
        shuffled = event.cards if isinstance(event, e.CardsShuffled) else ()
        here = ahead.popleft() if ahead else None
        if here is not None and here.before is standing.marked and here.event == event:
            marked = here.after
        else:
            marked = follow(standing.marked, event)
        if isinstance(event, e.TableOpened):
            return TableRecord(marked)
        if marked.sealed > standing.marked.sealed:
            secrets = {**standing.secrets, marked.sealed: Secret(shuffled, "")}
            return TableRecord(marked, secrets)
        return replace(standing, marked=marked)
    body = recorded.data
    if recorded.kind == COMMITTED and standing.marked.sealed < body["seal"]:
        # the order of this shoe is lost, and its number is taken
        table = standing.marked.table
        table = replace(table, lost_decks=table.lost_decks | {body["deck"]})
        marked = replace(standing.marked, sealed=body["seal"], table=table)
        return replace(standing, marked=marked)
    if recorded.kind == COMMITTED and "shuffle" in body:
        known = replace(
            standing.secrets[body["seal"]], numbers=tuple(body["numbers"]), root=body["root"]
        )
        return replace(standing, secrets={**standing.secrets, body["seal"]: known}, next=None)
    if recorded.kind == NEXT_COMMITTED:
        return replace(standing, next=NextShuffle(body["shuffle"], body["root"]))
    if standing.next is not None and recorded.kind == NEXT_SECRET:
        text = body["secret"]
        if is_sealed(text):
            text = open_text(text, _about(recorded.stream, f"shuffle {body['shuffle']}"))
        order, seed = msgspec.json.decode(text) if text else ((), "")
        return replace(standing, next=replace(standing.next, order=tuple(order), seed=seed))
    if standing.next is not None and recorded.kind == NUMBER_ADDED:
        numbers = (*standing.next.numbers, f"{body['seat']}:{body['number']}")
        people = (*standing.next.people, body["player"])
        return replace(standing, next=replace(standing.next, numbers=numbers, people=people))
    if recorded.kind == SECRET and body["seal"] in standing.secrets:
        seed = body["seed"]
        if is_sealed(seed):
            seed = open_text(seed, _about(recorded.stream, f"seed {body['seal']}")) or ""
        known = replace(standing.secrets[body["seal"]], seed=seed)
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
    "table/events.py", "table/evolve/__init__.py", "table/evolve/registry.py", "table/state.py",
    "floor/recorded_table.py", "floor/event_versions.py", "floor/deal_proof.py", *code_files(),
)  # fmt: skip

FOLDING: Folding[TableRecord] = Folding(
    maker="table/1",
    start=TableRecord,
    step=stand,
    pack=_packed,
    unpack=msgspec.json.Decoder(TableRecord, dec_hook=restore).decode,
    code=CODE,
)


def news(
    standing: TableRecord,
    events: tuple[Event, ...],
    seed: Callable[[], bytes],
    tables: tuple[Table, ...] = (),
    ahead: Ahead | None = None,
    keys: HouseKeys | None = None,
    stream: str = "",
    source: Source | None = None,
) -> Iterator[New]:
    """Events for the table's stream, and between them what the fair-deal proof adds.

    `tables` are the tables after each event, where they are known; `ahead` takes what they lead to.
    With the house's `keys` an order that is not dealt yet, and its seed, go on record encrypted.
    With a `source` the order of the next shuffle is sealed ahead, so that players can add to it.
    """
    marked, secrets, ahead_of = standing.marked, dict(standing.secrets), standing.next
    for event, table in zip_longest(events, tables):
        before, marked = marked, follow(marked, event, table)
        if ahead is not None:
            ahead.append(Followed(before, event, marked))
        new = _new(event)
        if keys is not None and isinstance(event, e.CardsShuffled) and UNKNOWN not in event.cards:
            number = marked.seals.get(event.deck, marked.sealed)
            about = _about(stream, new.body["version"])
            sealed = keys.seal_text(msgspec.json.encode(event.cards).decode(), about)
            body = {**new.body, "cards": sealed, "count": len(event.cards), "seal": number}
            new = replace(new, body=body)
        yield new
        for seal in finished(before, event):
            if secrets[seal].seed:
                told = {"seal": seal, "seed": secrets[seal].seed, "order": secrets[seal].order}
                yield _beside(event, FINISHED, told)
        if new_order(before, event):
            assert isinstance(event, e.CardsShuffled)
            follows = ahead_of if ahead_of and event.cards == order_dealt(ahead_of) else None
            secret = Secret(event.cards, seed().hex())
            if follows is not None:
                secret = Secret(event.cards, follows.seed, follows.numbers, follows.root)
            secrets[marked.sealed] = secret
            yield _beside(event, COMMITTED, committed(marked.sealed, event.deck, secret, follows))
            seed_text = secret.seed
            if keys is not None:
                seed_text = keys.seal_text(seed_text, _about(stream, f"seed {marked.sealed}"))
            yield _beside(event, SECRET, {"seal": marked.sealed, "seed": seed_text})
        if source is not None and _seals_ahead(before, event, marked.table):
            ahead_of = _draw_ahead(marked.table, ahead_of, source, seed())
            yield from _sealed_ahead(event, ahead_of, keys, stream)
        if isinstance(event, e.RoundEnded):
            # an order that was known before this record sealed any has no seed, and no proof
            exposed = [one for one in before.exposed if secrets[one.seal].seed]
            if exposed:
                yield _beside(event, OPENED, opened(event.round, exposed, secrets))


def _seals_ahead(before: DealProofState, event: Event, table: Table) -> bool:
    """Whether the next shuffle is sealed with an event: the opening, or a whole deck's shuffle."""
    if isinstance(event, e.CardsShuffled):
        whole = len(event.cards) == len(pack(rules_of(table)))
        return whole and not event.preshuffled and new_order(before, event)
    return isinstance(event, e.TableOpened)


def _draw_ahead(table: Table, last: NextShuffle | None, source: Source, seed: bytes) -> NextShuffle:
    order = tuple(shuffled(pack(rules_of(table)), source))
    return NextShuffle(last.number + 1 if last else 1, commit(order, seed), order, seed.hex())


def _sealed_ahead(
    event: Event, ahead: NextShuffle, keys: HouseKeys | None, stream: str
) -> Iterator[New]:
    body = {"shuffle": ahead.number, "count": len(ahead.order), "root": ahead.root}
    yield _beside(event, NEXT_COMMITTED, body)
    text = msgspec.json.encode((ahead.order, ahead.seed)).decode()
    if keys is not None:
        text = keys.seal_text(text, _about(stream, f"shuffle {ahead.number}"))
    yield _beside(event, NEXT_SECRET, {"shuffle": ahead.number, "secret": text})


def order_dealt(ahead: NextShuffle) -> tuple[str, ...]:
    """The order of the next shuffle as it stands: what was sealed, and the players' numbers."""
    return rearranged(ahead.order, ahead.root, ahead.numbers)


class RecordedTable:
    """One table, opened from the record or to be opened by its first command."""

    def __init__(
        self,
        log: Log,
        name: str,
        *,
        through: Appending | None = None,
        seed: Callable[[], bytes] = lambda: secrets.token_bytes(SEED_BYTES),
        source: Source | None = None,
    ) -> None:
        self.name = name
        self.stream = stream(name)
        self._log = log
        self._through: Appending = through or log
        self._seed = seed
        #: draws the order of the next shuffle ahead; without it nothing is sealed ahead
        self._source = source
        self._opened: Opened[TableRecord]
        self._kept = 0
        #: the events that were decided last, and the table after each
        self._decided: tuple[tuple[Event, ...], tuple[Table, ...]] = ((), ())
        self._ahead: Ahead = deque()
        self.feeding = LinkContributions(log, name)
        self.read()

    @property
    def table(self) -> Table:
        return self._opened.state.marked.table

    @property
    def shoe_is_lost(self) -> bool:
        """Whether a sealed order of a shoe in play could not be opened: its key is not here."""
        return bool(self.table.lost_decks)

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
        self._decided = self.feeding.run(self.table, self._with_numbers(command))
        return self._decided[0]

    @property
    def next_shuffle(self) -> NextShuffle | None:
        """The order sealed for the next shuffle of a whole deck, with what players added."""
        return self._opened.state.next

    def _with_numbers(self, command: Command) -> Command:
        """A shuffle into the order that was sealed ahead takes in the players' numbers."""
        ahead = self.next_shuffle
        if isinstance(command, c.Shuffle) and ahead and command.order == ahead.order != ():
            return replace(command, order=order_dealt(ahead))
        return command

    def number_added(self, person: str, number: str, at: str, key: str = "") -> Write:
        """What a seated player's number for the next shuffle puts on the table's stream."""
        seat = next((box.seat for box in self.table.boxes if box.player == person), 0)
        if not seat:
            raise Refused("nobody_there", "sit down first")
        check_number(number)
        ahead = self.next_shuffle
        if ahead is None or not ahead.order:
            raise Refused("nothing_to_add_to", "no shuffle of this table is sealed ahead")
        if person in ahead.people:
            raise Refused("added_already", "your number is already in the next shuffle", seat=seat)
        body = {"shuffle": ahead.number, "seat": seat, "player": person, "number": number}
        body |= {"key": key} if key else {}
        return Write(self.stream, self.version, (New(NUMBER_ADDED, body, f"player {person}", at),))

    def _news(self, events: tuple[Event, ...]) -> tuple[New, ...]:
        """What events put on the table's stream; they are folded with that."""
        decided, tables = self._decided
        self._ahead.clear()
        known = tables if decided is events else ()
        keys = self._log.keys
        state, here = self._opened.state, self.stream
        return tuple(news(state, events, self._seed, known, self._ahead, keys, here, self._source))

    def send(self, command: Command) -> tuple[Event, ...]:
        """Decide a command and put on record what it did; on return it has happened."""
        for _ in range(20):
            events = self.decide(command)
            writes = [
                Write(self.stream, self.version, self._news(events)),
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
            state = stand(self._opened.state, one, self._ahead)
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
