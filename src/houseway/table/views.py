"""What each person may see, built up field by field.

A card that lies face down is `??` to everyone but the player whose hand it is; nobody sees into the
shoe, the shuffler or the rack. Amounts that a hidden hand will come to are not shown before it is
turned. Two tables that differ only in such cards give a role the same bytes.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec

from houseway.law import MA, MD, cites
from houseway.money import dollars
from houseway.table.actions import PHASES
from houseway.table.engine import legal
from houseway.table.moment import Moment, rules_of, situation
from houseway.table.next_step import NextStep, next_steps
from houseway.table.procedure.opening import decks_due
from houseway.table.procedure.settling import describe
from houseway.table.procedure.tray import total
from houseway.table.round_building import shows
from houseway.table.state import Box, Due, Table, wager_of

HIDDEN = "??"
WARN_AHEAD = timedelta(minutes=30)


class LineView(msgspec.Struct, frozen=True):
    """A wager that was settled in this round."""

    seat: int
    wager: str
    stake: str
    result: str
    paid: str
    clause: str
    odds: str = ""
    hand: int = 0
    #: whose wager it was; somebody else may sit there by now
    player: str = ""


class BoxView(msgspec.Struct, frozen=True):
    """A betting position as everybody at the table sees it."""

    seat: int
    player: str = ""
    #: chips on the layout
    wagers: dict[str, str] = {}
    coupons: dict[str, str] = {}
    cards: tuple[str, ...] = ()
    second_hand: tuple[str, ...] = ()
    three: tuple[str, ...] = ()
    two: tuple[str, ...] = ()
    fourth: tuple[str, ...] = ()
    #: what else lies there, by the name of the pile
    more: dict[str, tuple[str, ...]] = {}
    decisions: dict[int, str] = {}
    doubled: dict[int, str] = {}
    even_money: bool = False
    out: str = ""
    sat_out: bool = False
    #: the progressive system's lights: a wager accepted, and won once the hand is seen
    lights: dict[str, str] = {}


class PublicView(msgspec.Struct, frozen=True):
    """The felt and its displays, as everybody sees them."""

    table: str
    chapter: str
    version: int
    phase: str
    says: str
    round: int
    dealer_name: str
    boxes: tuple[BoxView, ...]
    dealer: tuple[str, ...] = ()
    hole: tuple[str, ...] = ()
    community: tuple[str, ...] = ()
    #: the reader's light
    light: str = ""
    #: a card everybody saw that is the next of the shoe
    exposed: str = ""
    #: those behind it that were seen too
    exposed_behind: tuple[str, ...] = ()
    #: how high the stacks are
    shoe: int = 0
    discard: int = 0
    cover_card_out: bool = False
    cut_offered_to: int = 0
    meters: dict[str, str] = {}
    #: what Cover All pays for the hands in this round, as the shuffler's display shows it
    cover_all: dict[str, str] = {}
    devices: dict[str, str] = {}
    settled: tuple[LineView, ...] = ()
    trouble: str = ""


class SeatView(msgspec.Struct, frozen=True):
    """What a player sees: the felt with his own cards, and what he may do."""

    public: PublicView
    seat: int
    legal: tuple[str, ...]
    next: tuple[NextStep, ...]


class DealerView(msgspec.Struct, frozen=True):
    """What the dealer sees: the felt, the tray, the next step and the next wager in words."""

    public: PublicView
    next: tuple[NextStep, ...]
    legal: tuple[str, ...]
    tray: dict[str, int]
    #: the wager to settle, once its hand is turned
    due: str
    irregularities: tuple[NextStep, ...]


class FloorView(msgspec.Struct, frozen=True):
    """What the floorperson sees in addition: money, decks and their ages."""

    dealer: DealerView
    legal: tuple[str, ...]
    tray_total: str
    drop: str
    tips: str
    decks: dict[str, str]
    #: decks to be changed soon, or overdue: when
    change: dict[str, str]
    rounds_since_count: int


class SurveillanceView(msgspec.Struct, frozen=True):
    """What surveillance sees live: the felt and the money, and no card before its time."""

    public: PublicView
    tray: dict[str, int]
    drop: str
    tips: str
    decks: dict[str, str]
    next: tuple[NextStep, ...]


def _amounts(given: dict[str, int]) -> dict[str, str]:
    return {name: dollars(amount) for name, amount in given.items()}


def _pile(table: Table, name: str, own: frozenset[str]) -> tuple[str, ...]:
    cards = table.piles.get(name, ())
    if name in table.shown or name in own:
        return tuple(text if text != "?" else HIDDEN for text in cards)
    return (HIDDEN,) * len(cards)


def _box(table: Table, box: Box, own: frozenset[str]) -> BoxView:
    game = situation(table).game
    fields = game.box_piles(box.seat)
    more = [name for name in game.hand_piles(box.seat) if name not in fields.values()]
    piles: dict[str, Any] = {field: _pile(table, name, own) for field, name in fields.items()}
    return BoxView(
        seat=box.seat,
        player=box.player,
        wagers=_amounts(dict(box.layout)),
        more={name: _pile(table, name, own) for name in more if name in table.piles},
        decisions=dict(box.decisions),
        out=box.out,
        sat_out=box.sat_out,
        lights=_lights(table, box) if table.meters else {},
        **piles,
        **(game.box_view(box) if box.own is not None else {}),
    )


@cites(MD, "2.C(1)", "11.D(7)(b)")
@cites(MA, "13(b)")
def _lights(table: Table, box: Box) -> dict[str, str]:
    """What the sensors of a box show."""
    wagers = rules_of(table).chapter.wagers
    lit = {
        name: "accepted" for name in box.wagers if wagers[wager_of(name)[0]].kind == "progressive"
    }
    seen = [*table.settled]
    if _next_is_seen(table):
        seen.append(table.due[0])
    for line in seen:
        if line.seat == box.seat and line.result == "win" and line.key in lit:
            lit[line.key] = "won"
    return lit


def _next_is_seen(table: Table) -> bool:
    now = Moment(table, "dealer")
    return now.game.cards_are_seen(now)


def _line(table: Table, line: Due) -> LineView:
    return LineView(
        seat=line.seat,
        wager=line.wager,
        stake=dollars(line.stake),
        result=line.result,
        paid=dollars(line.paid),
        clause=line.clause,
        odds=line.odds,
        hand=line.hand,
        player=table.holders.get(line.seat, ""),
    )


def _display(table: Table) -> dict[str, str]:
    now = Moment(table, "dealer")
    return now.game.display(now) if table.hands and table.dealt else {}


def _felt(table: Table, own: frozenset[str]) -> PublicView:
    return PublicView(
        table=table.name,
        chapter=table.chapter,
        version=table.version,
        phase=table.phase,
        says=PHASES[table.phase],
        round=table.round,
        dealer_name=table.dealer,
        boxes=tuple(_box(table, box, own) for box in table.boxes),
        dealer=_pile(table, "dealer", own) + _pile(table, "dealer_stack", own),
        hole=_pile(table, "hole", own),
        community=_pile(table, "community", own),
        light="".join(device.shows for device in table.devices.values()),
        exposed=table.aside,
        exposed_behind=table.aside_behind,
        shoe=len(table.piles.get("shoe", ())),
        discard=len(table.piles.get("discard", ())),
        cover_card_out=bool(table.cover_at),
        cut_offered_to=table.cut_offers[0] if table.cut_offers else 0,
        meters={name: dollars(shows(holds)) for name, holds in table.meters.items()},
        cover_all=_display(table),
        devices={device.id: device.condition for device in table.devices.values()},
        settled=tuple(_line(table, line) for line in table.settled),
        trouble=table.trouble,
    )


def own_piles(table: Table, seat: int) -> frozenset[str]:
    """The piles that the player at a seat may look at, in their other boxes too."""
    player = next((box.player for box in table.boxes if box.seat == seat), "")
    return frozenset(
        name
        for box in table.boxes
        if box.seat == seat or (player and box.player == player)
        for name in situation(table).game.own_piles(box.seat)
    )


def public_view(table: Table) -> PublicView:
    return _felt(table, frozenset())


def seat_view(table: Table, seat: int) -> SeatView:
    """The view of the player at a seat."""
    return SeatView(
        public=_felt(table, own_piles(table, seat)),
        seat=seat,
        legal=legal(table, "player", seat),
        next=tuple(
            step for step in next_steps(table) if step.role == "player" and step.seat in (0, seat)
        ),
    )


def due_in_words(table: Table) -> str:
    """The next wager to settle; nothing while the hand that decides it is face down."""
    return describe(table.due[0], rules_of(table).chapter) if _next_is_seen(table) else ""


def dealer_view(table: Table, at: str = "") -> DealerView:
    return DealerView(
        public=public_view(table),
        next=next_steps(table, at=at),
        legal=legal(table, "dealer", at=at),
        tray={dollars(value): count for value, count in sorted(table.tray.items())},
        due=due_in_words(table),
        irregularities=tuple(
            step for step in next_steps(table, irregularities=True) if step.kind == "irregularity"
        ),
    )


def floor_view(table: Table, at: str = "") -> FloorView:
    """The view of the floorperson at a time, with a warning before a deck must be changed."""
    change = decks_due(table, rules_of(table), at, WARN_AHEAD) if at else []
    return FloorView(
        dealer=dealer_view(table, at),
        legal=legal(table, "floorperson", at=at),
        tray_total=dollars(total(table.tray)),
        drop=dollars(table.drop),
        tips=dollars(table.tips),
        decks={deck.id: deck.stage for deck in table.decks.values()},
        change={id: due.isoformat() for id, due in change},
        rounds_since_count=table.rounds_since_count,
    )


def surveillance_view(table: Table, at: str = "") -> SurveillanceView:
    return SurveillanceView(
        public=public_view(table),
        tray={dollars(value): count for value, count in sorted(table.tray.items())},
        drop=dollars(table.drop),
        tips=dollars(table.tips),
        decks={deck.id: deck.stage for deck in table.decks.values()},
        next=next_steps(table, at=at),
    )
