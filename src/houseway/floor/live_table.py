"""A table as one worker holds it: its state, and related data.

Beside the table stand the chips in front of each seat, the keys of the commands carried out (a
command sent twice is done once, whichever worker gets it), and since which version each seat, and
the table as a whole, has been as it is: a command is stale if something its sender ought to know
happened since, not if a neighbor put down a chip.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

import msgspec

from houseway.cards import SystemSource
from houseway.errors import Refused
from houseway.floor.deal_proof import COMMITTED, NUMBER_ADDED
from houseway.floor.links.record import Win
from houseway.floor.people import accounts as purse
from houseway.floor.recorded_table import (
    CODE,
    Ahead,
    RecordedTable,
    TableRecord,
    stand,
    table_event,
)
from houseway.money import Cents, cents
from houseway.store import Event as Recorded
from houseway.store import Log, Write
from houseway.store.background_snapshots import BackgroundSnapshots
from houseway.store.snapshots import Folding, Opened, keep, open_at
from houseway.table import Command, Event, Table
from houseway.table import events as e
from houseway.table.gaming_day import moment
from houseway.table.state import UNKNOWN, restore

#: keys remembered for each table, and events shown to somebody who joins
_KEYS, _SAID = 1024, 60
#: a snapshot is kept after this many events
_OFTEN = 200
#: how many wins of a meter are kept for display
_HITS = 10

#: what one seat does without changing anything for the others; the first eight before the deal
_OF_A_SEAT = (
    e.PlayerSat, e.PlayerLeft, e.WagerPlaced, e.WagerTakenBack, e.CouponPlaced,
    e.CouponReturned, e.ChipsSold, e.TipGiven, e.Decided,
)  # fmt: skip
_BETTING = _OF_A_SEAT[:8]
_CHIPS = _BETTING[2:]


class VoidRound(msgspec.Struct):
    """A round that came to nothing: why, by which clause, and what went back to whom."""

    round: int
    why: str
    clause: str
    returned: dict[str, Cents] = {}


class LiveState(msgspec.Struct):
    """What is kept beside a table, folded from the same events. Only its folder may change it."""

    standing: TableRecord = msgspec.field(default_factory=TableRecord)
    racks: dict[int, Cents] = {}
    keys: dict[str, int] = {}
    since: int = 0
    seat_since: dict[int, int] = {}
    #: what each seat had on the layout when bets were last closed, to bet it again
    last_bets: dict[int, dict[str, Cents]] = {}
    #: the last version at which more happened than chips changing hands before a deal
    stirred: int = 0
    #: when the table last moved on, and when the first wager of this round was placed
    moved_at: str = ""
    wagered_at: str = ""
    #: what meters have paid here last, newest first
    hits: tuple[Win, ...] = ()
    #: the root under which the order of the cards in play was sealed; empty for real cards
    root: str = ""


def note(noted: LiveState, recorded: Recorded, ahead: Ahead | None = None) -> LiveState:
    """Apply one more event of the stream."""
    event = table_event(recorded)
    noted.standing = stand(noted.standing, recorded, ahead)
    if event is None:
        if recorded.kind == COMMITTED:
            noted.root = recorded.data["root"]
        elif recorded.kind == NUMBER_ADDED:
            _note_key(noted, recorded)
        return noted
    if isinstance(event, e.TableOpened) or (
        isinstance(event, e.CardsShuffled) and UNKNOWN in event.cards
    ):
        noted.root = ""
    version = recorded.version
    _note_key(noted, recorded)
    noted.racks = purse.after(noted.racks, (event,))
    if event.of_seat or isinstance(event, _OF_A_SEAT):
        noted.seat_since[event.seat] = version  # type: ignore[attr-defined]
    else:
        noted.since = version
    if isinstance(event, e.WagerSettled) and event.meter and event.from_meter:
        table = noted.standing.marked.table.name
        hit = Win(
            recorded.time, table, event.seat, event.meter, event.outcome, event.from_meter
        )  # fmt: skip
        noted.hits = (hit, *noted.hits)[:_HITS]
    if not isinstance(event, _CHIPS):
        noted.stirred = version
    # where all seats are asked at once, an answer gives the others no more time
    if not event.keeps_time and not isinstance(event, _BETTING):
        noted.moved_at = recorded.time
    elif (
        isinstance(event, e.WagerPlaced)
        and not noted.wagered_at
        and not noted.standing.marked.table.hands
    ):
        # the first of a round; a play wager comes when the hands are dealt
        noted.wagered_at = recorded.time
    if isinstance(event, e.BetsClosed):
        boxes = noted.standing.marked.table.boxes
        noted.last_bets |= {box.seat: dict(box.wagers) for box in boxes if box.wagers}
        noted.wagered_at = ""
    elif isinstance(event, e.PlayerLeft):
        noted.last_bets.pop(event.seat, None)
    return noted


def _note_key(noted: LiveState, recorded: Recorded) -> None:
    """Remember the key of the command that an event came from."""
    if '"key":' in recorded.body and (key := recorded.data.get("key")):
        noted.keys[key] = recorded.version
        if len(noted.keys) > _KEYS:
            del noted.keys[next(iter(noted.keys))]


def _earlier(at: str, last: str) -> bool:
    try:
        return moment(at) < moment(last)
    except TypeError:
        return False  # one has a time zone and the other has none: the table says so


def _packed(noted: LiveState) -> bytes:
    plain = msgspec.to_builtins(noted, str_keys=True, order="deterministic")
    return msgspec.json.encode(plain, order="sorted")


def live_folding() -> Folding[LiveState]:
    """How the state of a live table is folded and kept."""
    return Folding(
        "live/1", LiveState, note, _packed, msgspec.json.Decoder(LiveState, dec_hook=restore).decode,
        (*CODE, "floor/live_table.py", "floor/people/chip_changes.py", "floor/people/accounts.py"),
    )  # fmt: skip


class Live(RecordedTable):
    """One table, kept up to date event by event."""

    noted: LiveState

    def __init__(
        self,
        log: Log,
        name: str,
        heads: dict[str, Recorded] | None = None,
        snapshots: BackgroundSnapshots | None = None,
    ) -> None:
        #: where snapshots go: in the background, if an event loop must not wait for the disk
        self._snapshots = snapshots or log
        #: what happened last, newest first
        self.said: deque[Event] = deque(maxlen=_SAID)
        #: the table as it lay when a seat was last settled, so that its cards can be seen with that
        self.showdowns: dict[int, Table] = {}
        #: the table of the last round when its last wager was settled, every hand as it lay
        self.finished: Table | None = None
        #: the void round whose wagers went back last, until bets are closed again
        self.void: VoidRound | None = None
        self._was_shown: frozenset[str] = frozenset()
        #: the last events of the streams beside this one, as far as this worker knows
        self.heads: dict[str, Recorded] = {} if heads is None else heads
        super().__init__(log, name, source=SystemSource())

    def read(self) -> None:
        """Open the table from the record."""
        opened = open_at(self._log, self.stream, live_folding())
        self.noted = opened.state
        self._opened = Opened(opened.state.standing, opened.version, opened.hash, opened.folded)
        self._kept = opened.version - opened.folded
        self._learn_edition()
        for recorded in self._log.read(self.stream, max(0, opened.version - 3 * _SAID)):
            self._tell(recorded)
        # its state at that time is no longer known
        self.showdowns.clear()
        self.finished = None

    def take(self, recorded: Iterable[Recorded]) -> None:
        """Apply what was appended to the stream, by this worker or another."""
        for one in recorded:
            if one.version <= self.version:
                continue  # already applied
            self.noted = note(self.noted, one, self._ahead)
            self._opened = Opened(self.noted.standing, one.version, one.hash, 0)
            if one.kind == "table_opened":
                self._learn_edition()
            self._tell(one)
        if self.version - self._kept >= _OFTEN:
            opened = Opened(self.noted, self.version, self._opened.hash, 0)
            keep(self._snapshots, self.stream, live_folding(), opened)
            self._kept = self.version

    def _tell(self, recorded: Recorded) -> None:
        event = table_event(recorded)
        if event is None:
            return
        self.said.appendleft(event)
        table = self.table
        self._was_shown |= table.shown
        if isinstance(event, e.BetsClosed):
            self.showdowns.clear()
            self.finished = self.void = None
            self._was_shown = table.shown
        elif isinstance(event, e.WagerSettled):
            self.showdowns[event.seat] = table
            # a hand that is over was taken to the rack; it is shown with the result all the same
            self.finished = msgspec.structs.replace(
                table, piles={**table.racked, **table.piles}, shown=self._was_shown
            )
        elif isinstance(event, e.RoundVoided):
            self.finished = None
            self.void = VoidRound(table.round, event.why, event.clause)
        elif isinstance(event, e.WagerReturned) and self.void is not None:
            player = table.boxes[event.seat - 1].player
            back = self.void.returned.get(player, 0) + cents(event.amount)
            self.void.returned[player] = back

    def writes(self, events: Sequence[Event], key: str) -> list[Write]:
        """What events put on record: here, and beside it for chips and meters."""
        told = list(self._news(tuple(events)))
        if key:
            told[0] = msgspec.structs.replace(told[0], body={**told[0].body, "key": key})
        return [Write(self.stream, self.version, tuple(told)), *self._moves(tuple(events))]

    def _last(self, name: str) -> Recorded | None:
        # the remembered state of a player's chips or a meter; if another worker wrote there, it conflicts
        return self.heads.get(name) or super()._last(name)

    def _racks(self) -> dict[int, Cents]:
        return self.noted.racks

    @property
    def state(self) -> Table:
        return self.table

    @property
    def racks(self) -> dict[int, Cents]:
        return self.noted.racks

    @property
    def last_bets(self) -> dict[int, dict[str, Cents]]:
        return self.noted.last_bets

    @property
    def hits(self) -> tuple[Win, ...]:
        """What the table's own meters have paid last, newest first."""
        return tuple(hit for hit in self.noted.hits if not self.feeding.linked(hit.meter))

    @property
    def moved_at(self) -> str:
        return self.noted.moved_at

    @property
    def wagered_at(self) -> str:
        return self.noted.wagered_at

    def done(self, key: str) -> int | None:
        """The version that a command of this key led to, if it was carried out."""
        return self.noted.keys.get(key) if key else None

    def stamped(self, command: Command) -> Command:
        """The command, stamped no earlier than the table's last event.

        Another worker's clock may be ahead of ours.
        """
        last = self.table.at
        if not last or command.at == last or not _earlier(command.at, last):
            return command
        return msgspec.structs.replace(command, at=last)

    def check_fresh(self, seen: int, seat: int) -> None:
        """Refuse a command whose sender has not seen an event that matters to it."""
        if seen > self.version:
            raise Refused(
                "not_a_version", f"this table is at version {self.version}", field="version"
            )
        if seen < max(self.noted.since, self.noted.seat_since.get(seat, 0)):
            raise Refused("stale", "the table has moved on since; look again", field="version")


__all__ = ["Live", "LiveState", "note"]
