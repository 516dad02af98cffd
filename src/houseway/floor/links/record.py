"""Linked progressives on the record: one set of meters that many tables feed.

A link has a stream of its own, `link/NAME`, for what is rare: opening, tables that join and leave,
wins, adjustments, transfers, the shut-down. What tables wager goes to a stream for each of them,
`feed/TABLE/NAME`, in that table's own append, and every event there carries the sum so far. So a
contribution waits for nobody, and the meter is read off the last event of each feed, however many
there are. Only a win is written to the link, at the version it was read at: of two simultaneous
wins one is written, and the other is recalculated from what the first has left.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import msgspec
from msgspec.structs import replace

from houseway.errors import Refused
from houseway.law import MeterTerms
from houseway.meters import Ledger, Meter
from houseway.money import Cents, dollars
from houseway.store import Event, Log
from houseway.store.snapshots import Folding

PREFIX = "link/"
#: what tables contribute: the table and the link stand after it
FEEDS = "feed/"
#: wins that the wall shows
_LATEST = 10


def link_stream(name: str) -> str:
    return PREFIX + name


def feed_stream(table: str, link: str) -> str:
    return f"{FEEDS}{table}/{link}"


class Feed(msgspec.Struct, frozen=True):
    """Where a table's contributions stand: the body of every event of its feed."""

    table: str
    link: str
    wager: str
    #: what this event added, or with a minus took out again
    stake: Cents = 0
    #: all that was ever wagered here and stood
    wagered: Cents = 0
    #: of that, what is in a round that may still be void
    in_play: Cents = 0
    open: bool = False
    #: closed, and the table has since been opened with meters of its own
    gone: bool = False
    #: where in the table's own stream it happened
    at: int = 0


class Win(msgspec.Struct, frozen=True):
    """A win as the wall shows it."""

    time: str
    table: str
    seat: int
    meter: str
    outcome: str
    amount: str


class Claim(msgspec.Struct, frozen=True):
    """A win that was seen and not paid yet, where the winners of a meter share it."""

    table: str
    seat: int
    meter: str
    outcome: str
    #: its share, once the meter has paid the first winner and set the others' shares aside
    amount: Cents | None = None

    def of(self, table: str, seat: int, meter: str) -> bool:
        return (self.table, self.seat, self.meter) == (table, seat, meter)


class LinkState(msgspec.Struct, frozen=True):
    """The state that the link's own stream leads to."""

    name: str = ""
    wager: str = ""
    rate: Fraction = Fraction(0)
    #: the rules it was opened under, as a rules file: the exact figures come from them
    rules: dict[str, Any] = {}
    terms: dict[str, MeterTerms] = {}
    ledgers: dict[str, Ledger] = {}
    #: every table that ever fed it, and whether it does now
    tables: dict[str, bool] = {}
    wins: tuple[Win, ...] = ()
    #: what each table had wagered when a meter last paid, by meter
    paid_on: dict[str, dict[str, Cents]] = {}
    claims: tuple[Claim, ...] = ()
    opened: str = ""
    shut: str = ""


# folding the link's stream


def _opened(_: LinkState, event: Event) -> LinkState:
    body = event.data
    # in the order of the paytable, which JSON does not keep
    terms = {
        name: msgspec.convert(body["terms"][name], MeterTerms, dec_hook=_exact)
        for name in body["tiers"]
    }
    return LinkState(
        name=body["link"],
        wager=body["wager"],
        rate=Fraction(body["rate"]),
        rules=body["rules"],
        terms=terms,
        ledgers={name: Ledger(one.seed) for name, one in terms.items()},
        opened=event.time,
    )


def _ledger(
    standing: LinkState, name: str, change: Callable[[Ledger], Ledger], **more: Any
) -> LinkState:
    ledgers = {**standing.ledgers, name: change(standing.ledgers[name])}
    return replace(standing, ledgers=ledgers, **more)


def _paid(standing: LinkState, event: Event) -> LinkState:
    body = event.data
    name = body["meter"]
    win = Win(
        event.time, body["table"], body["seat"], name, body["outcome"], dollars(body["amount"])
    )
    return _ledger(
        standing,
        name,
        lambda one: one.hit(
            standing.terms[name], body["amount"], whole=body["whole"],
            released=Fraction(body["released"]),
        ),
        wins=(win, *standing.wins)[:_LATEST],
        paid_on={**standing.paid_on, name: body["wagered"]},
        claims=_after_payment(standing.claims, body),
    )  # fmt: skip


def _is_of(claim: Claim, body: dict[str, Any]) -> bool:
    return claim.of(body["table"], body["seat"], body["meter"])


def _after_payment(claims: tuple[Claim, ...], body: dict[str, Any]) -> tuple[Claim, ...]:
    """A paid win is no longer a claim; one whose share is set aside has its amount."""
    if not body.get("set_aside"):
        return tuple(one for one in claims if not _is_of(one, body))
    return tuple(
        replace(one, amount=body["amount"]) if _is_of(one, body) else one for one in claims
    )


def _claimed(standing: LinkState, event: Event) -> LinkState:
    body = event.data
    claim = Claim(body["table"], body["seat"], body["meter"], body["outcome"])
    return replace(standing, claims=(*standing.claims, claim))


def _withdrawn(standing: LinkState, event: Event) -> LinkState:
    body = event.data
    (claim,) = [one for one in standing.claims if _is_of(one, body)]
    left = replace(standing, claims=tuple(one for one in standing.claims if one is not claim))
    if claim.amount is None:
        return left
    amount = claim.amount
    return _ledger(left, claim.meter, lambda one: one.take_back(amount))


def _kept(standing: LinkState, event: Event) -> LinkState:
    """Of what a void round takes out, this went with a payment before: it is not taken twice."""
    amount, reserve = Fraction(event.data["amount"]), Fraction(event.data["reserve"])
    return _ledger(
        standing, event.data["meter"], lambda one: one.adjust(amount).move(Fraction(0), reserve)
    )


def _moved(standing: LinkState, event: Event) -> LinkState:
    for name, (amount, reserve) in event.data["amounts"].items():
        standing = _ledger(
            standing,
            name,
            lambda one, by=(Fraction(amount), Fraction(reserve)): one.move(*by),  # type: ignore[misc]
        )
    return standing


_STEPS: dict[str, Callable[[LinkState, Event], LinkState]] = {
    "link_opened": _opened,
    "table_joined": lambda s, e: replace(s, tables={**s.tables, e.data["table"]: True}),
    "table_left": lambda s, e: replace(s, tables={**s.tables, e.data["table"]: False}),
    "win_claimed": _claimed,
    "claim_withdrawn": _withdrawn,
    "share_paid": lambda s, e: replace(s, claims=_after_payment(s.claims, e.data)),
    "meter_paid": _paid,
    "meter_adjusted": lambda s, e: _ledger(
        s, e.data["meter"], lambda one: one.adjust(Fraction(e.data["amount"]))
    ),
    "contribution_kept": _kept,
    "meters_moved": _moved,
    "link_shut_down": lambda s, e: replace(
        s, tables=dict.fromkeys(s.tables, False), shut=e.data["reason"]
    ),
}


def stand(standing: LinkState, event: Event) -> LinkState:
    return _STEPS[event.kind](standing, event)


def _exact(kind: type, value: Any) -> Any:
    return Fraction(value) if kind is Fraction else value


FOLDING: Folding[LinkState] = Folding(
    maker="link/1",
    start=LinkState,
    step=stand,
    pack=lambda standing: msgspec.json.encode(standing, enc_hook=str, order="sorted"),
    unpack=msgspec.json.Decoder(LinkState, dec_hook=_exact).decode,
    code=("floor/links/record.py", "law/meter_terms.py", "meters/ledger.py"),
)


class Reading(msgspec.Struct, frozen=True):
    """The meters of a link at one moment, and all that they are the sum of."""

    standing: LinkState
    #: the version of the link's stream that this holds for
    version: int
    feeds: dict[str, Feed]
    #: where each feed stands
    versions: dict[str, int]

    @property
    def wagered(self) -> Cents:
        return sum(feed.wagered for feed in self.feeds.values())

    def meter(self, name: str) -> Meter:
        standing = self.standing
        if name not in standing.terms:
            known = ", ".join(standing.terms)
            raise Refused(
                "no_such_meter", f"{standing.name} has {known}, not {name}", field="meter"
            )
        return standing.ledgers[name].meter(standing.terms[name], self.wagered)

    def reserve(self, name: str) -> Fraction:
        return self.standing.ledgers[name].reserve(self.standing.terms[name], self.wagered)

    @property
    def meters(self) -> dict[str, Meter]:
        return {name: self.meter(name) for name in self.standing.terms}


def read_feed(event: Event) -> Feed:
    return msgspec.json.decode(event.body, type=Feed)


def feeds_of(log: Log, table: str) -> dict[str, Feed]:
    """The feeds of a table, by stream."""
    last = log.last(log.heads(prefix=feed_stream(table, "")))
    return {stream: read_feed(event) for stream, event in last.items()}
