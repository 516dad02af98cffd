"""A table at one version: what all its readers share is worked out and rendered once for them.

A reader's own cards, bets and choices are never in here. A template of this module is rendered with
public values only, and an unknown name is an error, so nothing private to one reader can reach
another.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

from msgspec.structs import replace

from houseway.floor.casino import Casino
from houseway.floor.live_table import Live
from houseway.law import Rules
from houseway.money import Cents
from houseway.present import TableView, Viewer, table_view
from houseway.table import NextStep, Table, awaited, next_steps, rules_of
from houseway.web.page_support import Kept, named
from houseway.web.table import feed_text
from houseway.web.table.dealer_forms import waits


class Picture:
    """What everybody may see of a table at one version."""

    def __init__(self, house: Casino, live: Live, stamp: str, kept: Kept) -> None:
        self.stamp = stamp
        self.live = live
        self.table: Table = live.state
        #: with the linked meters as they stand
        self.shown = house.shown(live.name)
        self.rules: Rules = rules_of(live.state)
        #: the people at the table by the names they gave
        self.names = names(house, live)
        self.dealer = named(house, live.state.dealer)
        lay = live.finished
        players = {box.player for box in lay.boxes if box.player} if lay is not None else ()
        self._names_then = {player: named(house, player) for player in players}
        #: the chips in front of each seat
        self.held: Mapping[int, Cents] = dict(live.racks)
        self.away = house.people.away
        self.kept = kept

    @cached_property
    def waiting(self) -> tuple[int, ...]:
        return awaited(self.table)

    @cached_property
    def steps(self) -> tuple[NextStep, ...]:
        return next_steps(self.table)

    @cached_property
    def waits(self) -> str:
        """Whose turn it is, in words."""
        return waits(self.live)

    @cached_property
    def view(self) -> TableView:
        return table_view(self.shown, Viewer(), self.names)

    @cached_property
    def last_table(self) -> Table | None:
        """The table of the last round as it lay when all was settled, between two rounds."""
        lay = self.live.finished
        if lay is None or self.shown.hands:
            return None
        return replace(lay, settled=self.shown.settled, meters=self.shown.meters)

    @cached_property
    def last_view(self) -> TableView:
        assert self.last_table is not None
        return table_view(self.last_table, Viewer(), self.names | self._names_then)

    @cached_property
    def log(self) -> str:
        """What happened last, in words."""
        said = feed_text.said(self.live.said, self.rules.chapter)
        return self.kept.render("beside_log.html", {"said": said, "law": self.rules.chapter.id})

    @cached_property
    def people(self) -> str:
        return self.kept.render("beside_people.html", {"dealer": self.dealer})

    @cached_property
    def seats(self) -> dict[int, str]:
        """The lines of the seats in the list of people, where somebody sits."""
        return {box.seat: self.seat(box.seat) for box in self.table.boxes if box.player}

    def seat(self, number: int, *, mine: bool = False) -> str:
        """The line of one seat in the list of people."""
        player = self.table.boxes[number - 1].player
        values: dict[str, Any] = {
            "number": number,
            "named": self.names[player],
            "held": self.held.get(number),
            "decides": number in self.waiting,
            "is_away": (self.live.name, player) in self.away,
            "mine": mine,
        }
        return self.kept.render("beside_seat.html", values, (number, mine))


_pictures: WeakKeyDictionary[Live, Picture] = WeakKeyDictionary()


def picture_of(house: Casino, name: str) -> Picture:
    """The picture of a table as it stands."""
    live, stamp = house.table(name), house.stamp(name)
    found = _pictures.get(live)
    if found is None or found.stamp != stamp:
        found = _pictures[live] = Picture(house, live, stamp, found.kept if found else Kept())
    return found


def names(house: Casino, live: Live) -> dict[str, str]:
    """The people at a table by the names they gave."""
    return {box.player: named(house, box.player) for box in live.state.boxes if box.player}
