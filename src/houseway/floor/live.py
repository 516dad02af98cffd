"""A table as one worker holds it: the state folded from its stream, and what goes with it.

The stream's versions are the table's own. Beside the state stand the chips in front of each seat,
the keys of the commands carried out (a command sent twice is done once, whichever worker gets it),
and since which version each seat, and the table as a whole, has been as it is: a command is stale
if something its sender ought to know happened since, not if a neighbour put down a chip.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from houseway.floor import purse
from houseway.money import Cents
from houseway.refusal import Refused
from houseway.store import Event as Recorded
from houseway.store import New
from houseway.table import events as e
from houseway.table.events import Event, read_event
from houseway.table.evolve import evolve
from houseway.table.state import Table

PREFIX = "table."
#: keys remembered for each table
_KEYS = 1024

#: what one seat does without changing anything for the others
_OF_A_SEAT = (
    e.PlayerSat, e.PlayerLeft, e.WagerPlaced, e.WagerTakenBack, e.CouponPlaced, e.ChipsSold,
    e.TipGiven, e.Decided, e.HandsSet, e.InsuranceAnswered,
)  # fmt: skip

_BETTING = _OF_A_SEAT[:7]


def stream(table: str) -> str:
    return PREFIX + table


class Live:
    """One table, kept up to date event by event."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.state = Table()
        self.racks: Mapping[int, Cents] = {}
        self.keys: OrderedDict[str, int] = OrderedDict()
        #: since when the table as a whole, and each seat, is as it is
        self.since = 0
        self.seat_since: dict[int, int] = {}
        #: what each seat had on the layout when bets were last closed, to bet it again
        self.last_bets: dict[int, dict[str, Cents]] = {}
        #: what was settled in the last round, for whoever looks after it is cleared
        self.lines: list[e.WagerSettled] = []
        #: when the table last moved on, and when the first wager of this round was made
        self.moved_at = ""
        self.wagered_at = ""
        #: what happened last, newest first
        self.said: deque[Event] = deque(maxlen=40)

    @property
    def version(self) -> int:
        return self.state.version

    def read(self, recorded: Iterable[Recorded]) -> None:
        """Fold events off the record."""
        for one in recorded:
            key = one.data.get("key")
            self._apply(read_event(one.body), key)

    def apply(self, events: Sequence[Event], state: Table, key: str) -> None:
        """Take in events that this worker decided; the state after them is known already."""
        for event in events:
            self._note(event, key)
            key = ""
        self.state = state

    def _apply(self, event: Event, key: str | None) -> None:
        self._note(event, key)
        self.state = evolve(self.state, event)

    def _note(self, event: Event, key: str | None) -> None:
        self.racks = purse.after(self.racks, (event,))
        if key:
            self.keys[key] = event.version
            if len(self.keys) > _KEYS:
                self.keys.popitem(last=False)
        self.said.appendleft(event)
        if isinstance(event, _OF_A_SEAT):
            self.seat_since[event.seat] = event.version
        else:
            self.since = event.version
        if not isinstance(event, _BETTING):
            self.moved_at = event.at
        elif isinstance(event, e.WagerPlaced) and not self.wagered_at:
            self.wagered_at = event.at
        if isinstance(event, e.BetsClosed):
            self.last_bets.update(
                {box.seat: dict(box.wagers) for box in self.state.boxes if box.wagers}
            )
            self.lines = []
            self.wagered_at = ""
        elif isinstance(event, e.WagerSettled):
            self.lines.append(event)
        elif isinstance(event, e.PlayerLeft):
            self.last_bets.pop(event.seat, None)

    def check_fresh(self, seen: int, seat: int) -> None:
        """Refuse what was decided before something happened that its sender ought to know."""
        if seen > self.version:
            raise Refused(
                "not_a_version", f"this table is at version {self.version}", field="version"
            )
        if seen < max(self.since, self.seat_since.get(seat, 0)):
            raise Refused(
                "stale",
                "the table has moved on since; look again",
                field="version",
            )


def recorded(events: Sequence[Event], key: str) -> tuple[New, ...]:
    """Events as they go on record, the first with the key of the command that made them."""
    made = []
    for event in events:
        body: dict[str, Any] = msgspec.to_builtins(event)
        if key:
            body["key"] = key
            key = ""
        made.append(New(body["event"], body, event.who or event.role, event.at))
    return tuple(made)
