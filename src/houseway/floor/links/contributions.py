"""A table's side of its links: what it contributes, takes out again and is paid.

Contributions go into the table's own append, to a stream that no other table writes. A win also
writes to the link's stream, at the version the meter was read at; if another table was paid in
between, that is a conflict, and the command is decided again on what is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from houseway.errors import Refused
from houseway.floor.links.operations import Link
from houseway.floor.links.record import Feed, Reading, feed_stream, read_feed
from houseway.floor.links.shares import are_shared, claims_and_payments, figured, shares
from houseway.floor.links.terms import check_terms
from houseway.meters import Meter
from houseway.money import cents, odds
from houseway.store import Log, New, Unavailable, Write
from houseway.table import Command, Event, Table, rules_of
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.engine import run_through
from houseway.table.state import wager_of

#: with these the chips of progressive wagers are taken in
_TAKES_IN = (c.CountProgressiveChips, c.StartGame)
#: what moves a feed or a meter
_MOVES = (
    e.ProgressiveCollected, e.RoundVoided, e.RoundEnded, e.TableOpened, e.WagerSettled,
    e.SettlementDue,
)  # fmt: skip
#: in these phases a win may be figured or paid
_MAY_WIN = ("revealing", "settling")


class LinkContributions:
    """The links that one table feeds, by wager."""

    def __init__(self, log: Log, table: str) -> None:
        self._log = log
        self._table = table
        self._feeds: dict[str, Feed] = {}
        self._versions: dict[str, int] = {}
        self._links: dict[str, Link] = {}
        self._readings: dict[str, Reading] = {}
        #: rules found to fit their links
        self._fitting: set[tuple[str, str]] = set()
        self.read()

    def read(self) -> None:
        """Take in which links there are and where their feeds stand."""
        self._feeds, self._versions = {}, {}
        last = self._log.last(self._log.heads(prefix=feed_stream(self._table, "")))
        for event in last.values():
            feed = read_feed(event)
            # a closed one counts until the table is opened again: its meters are not the table's
            if feed.open or not (feed.gone or feed.wager in self._feeds):
                self._feeds[feed.wager] = feed
                self._versions[feed.wager] = event.version

    @property
    def wagers(self) -> frozenset[str]:
        """The wagers whose meters are linked."""
        return frozenset(self._feeds)

    @property
    def links(self) -> dict[str, str]:
        """The links that the table feeds now, by wager."""
        return {wager: feed.link for wager, feed in self._feeds.items() if feed.open}

    def linked(self, meter: str) -> bool:
        return meter.partition(".")[0] in self._feeds

    # deciding

    def run(self, table: Table, command: Command) -> tuple[tuple[Event, ...], tuple[Table, ...]]:
        """Decide a command, the linked meters read first where it depends on them.

        The events, and the table after each of them.
        """
        self._readings = {}
        asked = self._asked(table, command)
        if not asked:
            return run_through(table, command)
        self._check(table, command, asked)
        reading = None if isinstance(command, c.PlaceWager) else self._read_meters(table, command)
        if reading is None or command.version not in (None, table.version):
            return run_through(table, command)
        read, between = run_through(table, reading)
        table = between[-1] if between else table
        events, after = run_through(table, replace(command, version=None))
        return (*read, *events), (*between, *after)

    def _asked(self, table: Table, command: Command) -> set[str]:
        """The progressive wagers that a command depends on."""
        if isinstance(command, c.PlaceWager):
            return {command.wager} & _progressives(table)
        if isinstance(command, _TAKES_IN) or table.phase in _MAY_WIN:
            return _staked(table)
        return set()

    def _check(self, table: Table, command: Command, asked: set[str]) -> None:
        """A progressive wager is taken only while its link answers and takes it."""
        try:
            self.read()
            if isinstance(command, (c.PlaceWager, *_TAKES_IN)):
                for wager in asked & self._feeds.keys():
                    _must_be_open(self._feeds[wager])
                    self._fits(table, wager)
        except Unavailable as lost:
            raise Refused(
                "link_lost",
                f"no progressive wager can be accepted or paid: the link does not answer ({lost})",
            ) from lost

    def _fits(self, table: Table, wager: str) -> None:
        link = self._feeds[wager].link
        if (table.rules_hash, link) not in self._fitting:
            check_terms(rules_of(table), self._link(link).read().standing)
            self._fitting.add((table.rules_hash, link))

    def _link(self, name: str) -> Link:
        if name not in self._links:
            self._links[name] = Link(self._log, name)
        return self._links[name]

    def _read_meters(self, table: Table, command: Command) -> c.ReadMeters | None:
        """What the linked meters hold, where a round with wagers on them depends on it."""
        found: dict[str, Meter] = {}
        each: dict[str, tuple[str, int]] = {}
        for wager in sorted(self._feeds.keys() & _staked(table)):
            reading = self._link(self._feeds[wager].link).read()
            self._readings[wager] = reading
            for name, meter in reading.meters.items():
                known = (table.meters[name], table.reserves.get(name, "0"))
                if known != (str(meter.holds), str(meter.reserve)):
                    found[name] = meter
            each |= shares(reading, table)
        if not found and figured(table, each):
            return None
        return c.ReadMeters(
            role="system", who="link", at=command.at,
            meters={name: str(meter.holds) for name, meter in found.items()},
            reserves={name: str(meter.reserve) for name, meter in found.items() if meter.reserve},
            shares=each,
        )  # fmt: skip

    # recording

    def writes(self, table: Table, events: tuple[Event, ...], at: int) -> Iterator[Write]:
        """What these events do to the links; `table` is the table before them, `at` its version."""
        if not any(isinstance(event, _MOVES) for event in events):
            return
        if (
            isinstance(events[0], e.TableOpened)
            or _staked(table)
            or any(feed.in_play for feed in self._feeds.values())
        ):
            # the feeds may have moved since they were last read, at another worker's hands or by
            # the end of the round that they were read for
            self.read()
        kept: dict[str, tuple[New, ...]] = {}
        for wager, feed in sorted(self._feeds.items()):
            news = tuple(_fed(feed, events, at))
            if news:
                yield Write(feed_stream(self._table, feed.link), self._versions[wager], news)
            if feed.in_play:
                kept[wager] = tuple(self._kept(table, feed, events))
        for wager, reading in sorted(self._readings.items()):
            if are_shared(reading.standing):
                news = tuple(claims_and_payments(table, reading, events, _new))
            else:
                news = tuple(_won(table, reading, events))
            news += kept.get(wager, ())
            if news:
                yield Write(self._link(self._feeds[wager].link).stream, reading.version, news)

    def _kept(self, table: Table, feed: Feed, events: tuple[Event, ...]) -> Iterator[New]:
        """What stays in the meters of a link when the wagers of a void round leave its feed.

        A meter that has paid since they came in is not taken below its reset amount.
        """
        for event in events:
            if not isinstance(event, e.RoundVoided):
                continue
            returned = feed.in_play - staked_on(feed.wager, event.stands)
            reading = self._readings.get(feed.wager) or self._link(feed.link).read()
            for name, terms in reading.standing.terms.items():
                before = reading.meter(name)
                paid_on = reading.standing.paid_on.get(name, {})
                paid = paid_on.get(self._table) == feed.wagered
                after = before.taken_back(returned, terms, paid=paid)
                short = after.holds - before.holds + returned * terms.rate
                reserve = after.reserve - before.reserve + returned * terms.reserve
                if short or reserve:
                    self._readings[feed.wager] = reading
                    body = {
                        "table": table.name, "round": table.round, "meter": name,
                        "amount": str(short), "reserve": str(reserve), "holds": str(after.holds),
                    }  # fmt: skip
                    yield _new(event, "contribution_kept", body)


def _progressives(table: Table) -> set[str]:
    wagers = rules_of(table).chapter.wagers if table.chapter else {}
    return {id for id, wager in wagers.items() if wager.kind == "progressive"}


def _staked(table: Table) -> set[str]:
    """The progressive wagers of the round."""
    found = {wager_of(name)[0] for box in table.boxes for name in box.wagers}
    return found & _progressives(table)


def _new(event: Event, kind: str, body: object) -> New:
    from houseway.floor.recorded_table import utc

    return New(kind, body, f"{event.role} {event.who}".strip(), utc(event.at))


def _fed(feed: Feed, events: tuple[Event, ...], at: int) -> Iterator[New]:
    """What goes on a feed: wagers as their chips are taken in, and out again with a void round."""
    for event in events:
        if isinstance(event, e.ProgressiveCollected):
            stake = sum(
                cents(amount) for _, name, amount in event.wagers if wager_of(name)[0] == feed.wager
            )
            if stake:
                feed = _moved(feed, stake, at, feed.in_play + stake)
                yield _new(event, "contributed", feed)
        elif isinstance(event, e.RoundVoided) and feed.in_play:
            returned = feed.in_play - staked_on(feed.wager, event.stands)
            if returned:
                feed = _moved(feed, -returned, at, 0)
                yield _new(event, "taken_out", feed)
        elif isinstance(event, e.TableOpened) and not feed.open:
            feed = replace(feed, stake=0, gone=True, at=at)
            yield _new(event, "feed_dropped", feed)
        elif isinstance(event, e.RoundEnded) and feed.in_play:
            feed = _moved(feed, 0, at, 0)
            yield _new(event, "round_settled", feed)


def staked_on(wager: str, lines: Iterable[dict[str, Any]]) -> int:
    """What these lines of a settlement have staked on a wager."""
    return sum(cents(line["stake"]) for line in lines if line["wager"] == wager)


def _moved(feed: Feed, stake: int, at: int, in_play: int) -> Feed:
    return replace(feed, stake=stake, wagered=feed.wagered + stake, in_play=in_play, at=at)


def _must_be_open(feed: Feed) -> None:
    if not feed.open:
        raise Refused(
            "feed_closed", f"{feed.link} takes no wagers of this table; strike them off and go on"
        )


def _won(table: Table, reading: Reading, events: tuple[Event, ...]) -> Iterator[New]:
    """Wins as the link records them: what the meter held, by which wagers, and what it paid."""
    for win in events:
        if not isinstance(win, e.WagerSettled) or win.meter not in reading.standing.terms:
            continue
        before = reading.meter(win.meter)
        share = odds(win.odds).value
        amount, after = before.paid(share)
        if amount != cents(win.from_meter):
            raise AssertionError(f"{win.meter} shows {before.shows}, {win.from_meter} was figured")
        released = before.reserve if share == 1 else Fraction(0)
        body = {
            "table": table.name, "round": table.round, "seat": win.seat, "wager": win.wager,
            "meter": win.meter, "outcome": win.outcome, "odds": win.odds, "clause": win.clause,
            "amount": amount, "whole": share == 1, "held": str(before.holds),
            "released": str(released), "holds": str(after.holds),
            "wagered": {name: feed.wagered for name, feed in reading.feeds.items()},
        }  # fmt: skip
        yield _new(win, "meter_paid", body)
