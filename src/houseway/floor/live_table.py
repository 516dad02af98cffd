"""A table as one worker holds it: what its stream comes to, and what goes with it.

Beside the table stand the chips in front of each seat, the keys of the commands carried out (a
command sent twice is done once, whichever worker gets it), and since which version each seat, and
the table as a whole, has been as it is: a command is stale if something its sender ought to know
happened since, not if a neighbour put down a chip.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

import msgspec

from houseway.errors import Refused
from houseway.floor.links.record import Win
from houseway.floor.people import accounts as purse
from houseway.floor.recorded_table import CODE, RecordedTable, TableRecord, news, stand, table_event
from houseway.money import Cents
from houseway.store import Event as Recorded
from houseway.store import Log, Write
from houseway.store.background_snapshots import Aside
from houseway.store.snapshots import Folding, Opened, keep, open_at
from houseway.table import Event, Table
from houseway.table import events as e
from houseway.table.state import restore

#: keys remembered for each table, events told to whoever comes in
_KEYS, _SAID = 1024, 60
#: after so many events a snapshot is kept
_OFTEN = 200
#: wins of a meter that are remembered for whoever looks
_HITS = 10

#: what one seat does without changing anything for the others; the first eight before the deal
_OF_A_SEAT = (
    e.PlayerSat, e.PlayerLeft, e.WagerPlaced, e.WagerTakenBack, e.CouponPlaced,
    e.CouponReturned, e.ChipsSold, e.TipGiven, e.Decided,
)  # fmt: skip
_BETTING = _OF_A_SEAT[:8]
_CHIPS = _BETTING[2:]


class LiveState(msgspec.Struct):
    """What is kept beside a table, folded from the same events. The one who folds it owns it."""

    standing: TableRecord = msgspec.field(default_factory=TableRecord)
    racks: dict[int, Cents] = {}
    keys: dict[str, int] = {}
    since: int = 0
    seat_since: dict[int, int] = {}
    #: what each seat had on the layout when bets were last closed, to bet it again
    last_bets: dict[int, dict[str, Cents]] = {}
    #: the last version at which more happened than chips changing hands before a deal
    stirred: int = 0
    #: when the table last moved on, and when the first wager of this round was made
    moved_at: str = ""
    wagered_at: str = ""
    #: what meters have paid here last, newest first
    hits: tuple[Win, ...] = ()


def note(noted: LiveState, recorded: Recorded) -> LiveState:
    """Take in one more event of the stream."""
    event = table_event(recorded)
    noted.standing = stand(noted.standing, recorded)
    if event is None:
        return noted
    version = recorded.version
    if '"key":' in recorded.body and (key := recorded.data.get("key")):
        noted.keys[key] = version
        if len(noted.keys) > _KEYS:
            del noted.keys[next(iter(noted.keys))]
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


def _packed(noted: LiveState) -> bytes:
    plain = msgspec.to_builtins(noted, str_keys=True, order="deterministic")
    return msgspec.json.encode(plain, order="sorted")


def _folding() -> Folding[LiveState]:
    return Folding(
        "live/1", LiveState(), note, _packed, msgspec.json.Decoder(LiveState, dec_hook=restore).decode,
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
        aside: Aside | None = None,
    ) -> None:
        #: where snapshots are kept: aside, where a loop must not wait for the disk
        self._aside = aside or log
        #: what happened last, newest first
        self.said: deque[Event] = deque(maxlen=_SAID)
        #: the table as it lay when a seat was last settled, so that its cards can be seen with that
        self.showdowns: dict[int, Table] = {}
        #: the last events of the streams beside this one, as far as this worker knows
        self.heads: dict[str, Recorded] = {} if heads is None else heads
        super().__init__(log, name)

    def read(self) -> None:
        """Open the table from the record."""
        opened = open_at(self._log, self.stream, _folding())
        self.noted = opened.state
        self._opened = Opened(opened.state.standing, opened.version, opened.hash, opened.folded)
        self._kept = opened.version - opened.folded
        self._learn_edition()
        for recorded in self._log.read(self.stream, max(0, opened.version - 3 * _SAID)):
            self._tell(recorded)
        # how it lay then is not known any more
        self.showdowns.clear()

    def take(self, recorded: Iterable[Recorded]) -> None:
        """Take in what was appended to the stream, by this worker or another."""
        for one in recorded:
            if one.version <= self.version:
                continue  # heard from another side already
            self.noted = note(self.noted, one)
            self._opened = Opened(self.noted.standing, one.version, one.hash, 0)
            if one.kind == "table_opened":
                self._learn_edition()
            self._tell(one)
        if self.version - self._kept >= _OFTEN:
            opened = Opened(self.noted, self.version, self._opened.hash, 0)
            keep(self._aside, self.stream, _folding(), opened)
            self._kept = self.version

    def _tell(self, recorded: Recorded) -> None:
        event = table_event(recorded)
        if event is None:
            return
        self.said.appendleft(event)
        if isinstance(event, e.BetsClosed):
            self.showdowns.clear()
        elif isinstance(event, e.WagerSettled):
            self.showdowns[event.seat] = self.table

    def writes(self, events: Sequence[Event], key: str) -> list[Write]:
        """What events put on record: here, and beside it for chips and meters."""
        told = list(news(self._opened.state, tuple(events), self._seed))
        if key:
            told[0] = msgspec.structs.replace(told[0], body={**told[0].body, "key": key})
        return [Write(self.stream, self.version, tuple(told)), *self._moves(tuple(events))]

    def _last(self, name: str) -> Recorded | None:
        # what is remembered of a player's chips or a meter; if another wrote there, it conflicts
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

    def check_fresh(self, seen: int, seat: int) -> None:
        """Refuse what was decided before something happened that its sender ought to know."""
        if seen > self.version:
            raise Refused(
                "not_a_version", f"this table is at version {self.version}", field="version"
            )
        if seen < max(self.noted.since, self.noted.seat_since.get(seat, 0)):
            raise Refused("stale", "the table has moved on since; look again", field="version")


__all__ = ["Live", "LiveState", "note"]
