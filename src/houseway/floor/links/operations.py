"""What is done to a linked progressive: opened, joined and left by tables, put right, moved, shut down.

Wins and contributions come from the tables themselves: `floor/links/contributions.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from houseway.errors import Refused
from houseway.floor.links.record import (
    FOLDING,
    PREFIX,
    Feed,
    LinkState,
    Reading,
    feed_stream,
    feeds_of,
    link_stream,
    read_feed,
    stand,
)
from houseway.floor.links.terms import check_terms, terms_of
from houseway.floor.people.directory import People
from houseway.floor.people.signing import By, Signed
from houseway.law import Rules
from houseway.money import exactly, spoken
from houseway.store import Conflict, Log, New, Write
from houseway.store.snapshots import Opened, keep, open_at

if TYPE_CHECKING:
    from houseway.floor.recorded_table import RecordedTable

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}", re.ASCII)
_OFTEN = 100
_ATTEMPTS = 20


class Link:
    """One link on a record."""

    def __init__(self, log: Log, name: str) -> None:
        if not _NAME.fullmatch(name):
            raise Refused(
                "not_a_name", f"{name!r} is not a name of lowercase letters, digits and hyphens",
                field="link",
            )  # fmt: skip
        self.name = name
        self.stream = link_stream(name)
        self.log = log
        self._opened: Opened[LinkState] = open_at(log, self.stream, FOLDING)
        self._kept = self._opened.version - self._opened.folded

    def read(self) -> Reading:
        """The meters as they stand on record now."""
        opened = self._opened
        for event in self.log.read(self.stream, opened.version):
            opened = Opened(stand(opened.state, event), event.version, event.hash, 0)
        self._opened = opened
        standing = opened.state
        if not standing.name:
            raise Refused("no_such_link", f"there is no link {self.name}", field="link")
        if opened.version - self._kept >= _OFTEN:
            with suppress(Refused):  # a record that can only be read keeps no snapshot
                keep(self.log, self.stream, FOLDING, opened)
            self._kept = opened.version
        last = self.log.last(feed_stream(table, self.name) for table in standing.tables)
        feeds = {event.stream: read_feed(event) for event in last.values()}
        return Reading(
            standing,
            opened.version,
            {feed.table: feed for feed in feeds.values()},
            {feeds[event.stream].table: event.version for event in last.values()},
        )

    def _act(self, decide: Callable[[Reading], Sequence[Write]]) -> Reading:
        """Decide on what is on record and append; where another was quicker, decide again."""
        for _ in range(_ATTEMPTS):
            try:
                self.log.append(*decide(self.read()))
            except Conflict:
                continue
            return self.read()
        raise Refused("busy", f"others keep writing to {self.stream}; try again")

    def _write(self, reading: Reading, *news: New) -> Write:
        return Write(self.stream, reading.version, news)

    def _feed(self, reading: Reading, feed: Feed, new: Callable[..., New], kind: str) -> Write:
        body = msgspec.to_builtins(feed)
        version = reading.versions.get(feed.table, 0)
        return Write(feed_stream(feed.table, self.name), version, (new(kind, **body),))

    def _closed(self, feed: Feed) -> Feed:
        """A feed that takes no more, between two rounds of its table."""
        if feed.in_play:
            raise Refused(
                "round_in_play",
                f"table {feed.table} is in a round with {spoken(feed.in_play)} on this link;"
                " wait for its end",
            )
        at = recorded_table(self.log, feed.table).version
        return replace(feed, stake=0, open=False, at=at)

    # opening, joining, leaving

    def open(self, rules: Rules, wager: str, by: By) -> Reading:
        """Open a link under the meters of these rules, their reserves included."""
        by.check(People(self.log))
        terms = terms_of(rules, wager)
        new = by.new(
            "link_opened",
            link=self.name,
            wager=wager,
            rate=str(sum((one.takes for one in terms.values()), Fraction(0))),
            tiers=list(terms),
            terms=msgspec.to_builtins(terms, enc_hook=str),
            rules=rules.as_file(),
        )
        try:
            self.log.append(Write(self.stream, 0, (new,)))
        except Conflict:
            raise Refused("link_there", f"there is already a link {self.name}") from None
        return self.read()

    def join(self, table: str, rules: Rules, by: By) -> Reading:
        """A table feeds this link from its next opening on."""
        by.check(People(self.log))
        if "/" in table:
            raise Refused("not_a_name", "the name of a linked table has no slash", field="table")

        def decide(reading: Reading) -> list[Write]:
            standing = reading.standing
            _still_open(standing)
            if standing.tables.get(table):
                raise Refused("joined", f"table {table} already feeds {self.name}")
            check_terms(rules, standing)
            for other in feeds_of(self.log, table).values():
                if other.open and other.wager == standing.wager:
                    raise Refused(
                        "joined", f"the {standing.wager} of table {table} feeds {other.link}"
                    )
            state = recorded_table(self.log, table)
            if state.table.chapter and state.table.phase != "closed":
                raise Refused("table_open", f"close table {table} first: it has meters of its own")
            before = reading.feeds.get(table, Feed(table, self.name, standing.wager))
            feed = replace(before, stake=0, open=True, gone=False, at=state.version)
            return [
                self._write(reading, by.new("table_joined", table=table)),
                self._feed(reading, feed, by.new, "feed_opened"),
            ]

        return self._act(decide)

    def leave(self, table: str, by: By) -> Reading:
        """Remove a table from a link; what it has added to the meters stays."""
        by.check(People(self.log))

        def decide(reading: Reading) -> list[Write]:
            if not reading.standing.tables.get(table):
                raise Refused("not_joined", f"table {table} does not feed {self.name}")
            feed = reading.feeds[table]
            return [
                self._write(reading, by.new("table_left", table=table)),
                self._feed(reading, self._closed(feed), by.new, "feed_closed"),
            ]

        return self._act(decide)

    # what takes two people

    def adjust(self, meter: str, amount: Fraction, signed: Signed) -> Reading:
        """Correct a meter by an amount in cents; a negative amount lowers it."""
        signed.check(People(self.log))

        def decide(reading: Reading) -> list[Write]:
            _still_open(reading.standing)
            after = reading.meter(meter).holds + amount
            if not amount or after < 0:
                says = f"{meter} would hold {exactly(after)}" if amount else "it changes nothing"
                raise Refused("not_an_adjustment", says, field="amount")
            new = signed.new("meter_adjusted", meter=meter, amount=str(amount), holds=str(after))
            return [self._write(reading, new)]

        return self._act(decide)

    def shut_down(self, signed: Signed) -> Reading:
        """Shut down a link: no table adds to it and nothing is won; its meters wait to be moved."""
        signed.check(People(self.log))

        def decide(reading: Reading) -> list[Write]:
            _still_open(reading.standing)
            holds = {name: str(meter.holds) for name, meter in reading.meters.items()}
            writes = [self._write(reading, signed.new("link_shut_down", holds=holds))]
            for feed in reading.feeds.values():
                if feed.open:
                    closed = self._closed(feed)
                    writes.append(self._feed(reading, closed, signed.new, "feed_closed"))
            return writes

        return self._act(decide)

    def take_over(self, source: Link, signed: Signed) -> Reading:
        """All that a link that was shut down holds goes to this one, reserves and fractions too."""
        signed.check(People(self.log))

        def decide(reading: Reading) -> list[Write]:
            _still_open(reading.standing)
            other = source.read()
            if not other.standing.shut:
                raise Refused("not_shut_down", f"{source.name} is still in use; shut it down first")
            held = {
                name: (meter.holds, other.reserve(name)) for name, meter in other.meters.items()
            }
            _same_meters(held, reading.standing)
            if not any(map(any, held.values())):
                raise Refused("moved_already", f"{source.name} no longer holds anything")
            gone = {name: (str(-one), str(-hidden)) for name, (one, hidden) in held.items()}
            come = {name: (str(one), str(hidden)) for name, (one, hidden) in held.items()}
            return [
                self._write(reading, signed.new("meters_moved", source=source.name, amounts=come)),
                source._write(other, signed.new("meters_moved", to=self.name, amounts=gone)),
            ]

        return self._act(decide)

    def take_over_table(self, table: str, signed: Signed) -> Reading:
        """Move what a closed table's own meters hold to this link."""
        signed.check(People(self.log))

        def decide(reading: Reading) -> list[Write]:
            standing = reading.standing
            _still_open(standing)
            state = recorded_table(self.log, table).table
            if not state.chapter or state.phase != "closed":
                raise Refused("not_closed", f"table {table} is not a closed table")
            own = {
                name: (Fraction(holds), Fraction(state.reserves.get(name, "0")))
                for name, holds in state.meters.items()
                if name.partition(".")[0] == standing.wager
            }
            _same_meters(own, standing)
            for feed in feeds_of(self.log, table).values():
                if feed.wager == standing.wager and not feed.gone:
                    raise Refused("not_its_own", f"the meters of table {table} are {feed.link}'s")
            amounts = {name: (str(one), str(hidden)) for name, (one, hidden) in own.items()}
            new = signed.new("meters_moved", source=f"table {table}", amounts=amounts)
            writes = [self._write(reading, new)]
            for name in own:
                # its last word: a table that opens again starts at its seed
                stream = f"meter/{table}/{name}"
                at = self.log.last([stream]).get(stream)
                if at is not None and at.data["why"] == "transferred":
                    raise Refused("moved_already", f"the meters of table {table} were moved before")
                body = {"table": table, "version": state.version, "holds": "0", "shows": "0.00"}
                gone = signed.new("meter_moved", **body, why="transferred", to=self.name)
                writes.append(Write(stream, at.version if at else 0, (gone,)))
            return writes

        return self._act(decide)


def links(log: Log) -> list[Link]:
    """Every link on a record."""
    return [Link(log, stream.removeprefix(PREFIX)) for stream in sorted(log.heads(prefix=PREFIX))]


def _still_open(standing: LinkState) -> None:
    if standing.shut:
        raise Refused("link_shut_down", f"{standing.name} was shut down: {standing.shut}")


def recorded_table(log: Log, name: str) -> RecordedTable:
    from houseway.floor.recorded_table import RecordedTable

    return RecordedTable(log, name)


def _same_meters(held: Mapping[str, Any], standing: LinkState) -> None:
    if held.keys() != standing.terms.keys():
        raise Refused(
            "other_meters",
            f"{standing.name} has {', '.join(standing.terms)}, not {', '.join(held) or 'none'}",
        )
