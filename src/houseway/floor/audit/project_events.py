"""What each event of a table adds to the projections: a pure function, event by event."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import replace

from houseway.errors import Refused
from houseway.floor.audit.hold_rows import Row, holds, paid, win
from houseway.floor.gaming_day import FacilityTime
from houseway.floor.people.chip_changes import chips_of
from houseway.law import Chapter
from houseway.money import Cents, cents, signed
from houseway.present.visible_cards import is_on_felt
from houseway.table import Event, Table, evolve
from houseway.table import events as e
from houseway.table.event_text import describe, in_public
from houseway.table.moment import rules_of


class Pending(msgspec.Struct, frozen=True):
    """The state of a table's stream that the next rows depend on."""

    table: Table = Table()
    openings: int = 0
    opening: int = 0
    #: of the current round: first event, when it began, the players' chips by seat, why void
    first: int = 0
    began: str = ""
    nets: Mapping[int, Cents] = {}
    voided: str = ""
    #: what the meters showed when the chips of its progressive wagers were taken in
    shown: Mapping[str, Cents] = {}
    #: payments corrected by the last events, by seat: a settlement figured again has them in its lines
    owed: Mapping[int, Cents] = {}
    #: the version at which each deck was received
    decks: Mapping[str, int] = {}


def project(
    before: Pending, version: int, time: str, event: Event, when: FacilityTime
) -> tuple[Pending, list[Row]]:
    """The state after an event, and the rows that the event adds."""
    table = evolve(before.table, event)
    kind = type(event)
    if not before.owed and _only_moves(kind):
        return replace(before, table=table), []
    if not before.owed and kind in _CHIPS:
        seat, amount = chips_of(event)
        nets = {**before.nets, seat: before.nets.get(seat, 0) + amount}
        start = (before.first, before.began) if before.first else (version, time)
        return replace(before, table=table, nets=nets, first=start[0], began=start[1]), []
    new: dict[str, Any] = {"table": table}
    if isinstance(event, e.TableOpened):
        new |= {"openings": before.openings + 1, "opening": version, "nets": {}, "first": 0}
    if isinstance(event, e.DecksReceived):
        new["decks"] = {**before.decks, event.deck: version}
    if isinstance(event, e.RoundVoided):
        new["voided"] = event.why
    if isinstance(event, e.ProgressiveCollected):
        new["shown"] = {name: _shows(holds) for name, holds in table.meters.items()}
    if isinstance(event, e.MeterMoved) and event.why == "wagers":
        new["shown"] = {**before.shown, event.meter: cents(event.shows)}
    seat, amount = chips_of(event)
    if isinstance(event, e.PaymentCorrected):
        new["owed"] = _more(before.owed, {seat: amount})
    elif before.owed:
        new["owed"] = {}
    if isinstance(event, e.SettlementCorrected):
        new["nets"] = _more(before.nets, before.owed)
    begins = isinstance(event, e.BetsClosed)
    if seat and not isinstance(event, e.ChipsSold | e.TipGiven | e.PaymentCorrected):
        new["nets"] = _more(before.nets, {seat: amount})
        begins = True
    if begins and not before.first:
        new |= {"first": version, "began": time}
    rows = [*_rows(before, version, time, event, when)]
    if isinstance(event, e.RoundEnded):
        rows += _round(before, version, time, when)
        new |= {"first": 0, "began": "", "nets": {}, "voided": "", "shown": {}}
    return replace(before, **new), rows


#: events that move chips between a player and the layout, and add no rows
_CHIPS = (e.WagerPlaced, e.WagerSettled)
#: kinds that change nothing of a table that rows depend on: they are not even read
SILENT = frozenset(str(kind.__struct_config__.tag) for kind in (e.PhaseBegan, e.SettlementDue))


@cache
def _only_moves(kind: type[Event]) -> bool:
    """Whether events of a kind add no rows and change nothing here but the table."""
    return not kind.irregular and not issubclass(kind, _TELLING)


def _more(sums: Mapping[int, Cents], moved: Mapping[int, Cents]) -> dict[int, Cents]:
    return {seat: sums.get(seat, 0) + moved.get(seat, 0) for seat in (*sums, *moved)}


def round_id(pending: Pending) -> str:
    """`table.opening.round`, or nothing between rounds."""
    table = pending.table
    return f"{table.name}.{pending.openings}.{table.round}" if table.hands else ""


def _rows(
    before: Pending, version: int, time: str, event: Event, when: FacilityTime
) -> Iterator[Row]:
    name = before.table.name
    at = {"table": name, "version": version, "time": time}
    by = {"who": event.who or event.role, "chapter": before.table.chapter, "clause": event.clause}
    match event:
        case e.TableOpened():
            yield Row(
                "rules",
                {
                    "hash": event.rules_hash, "chapter": event.chapter, "edition": event.edition,
                    "edition_hash": event.edition_hash,
                    "file": msgspec.json.encode(event.rules).decode(),
                },
            )  # fmt: skip
            for meter, holds in event.meters.items():
                yield Row(
                    "meters",
                    {**at, "table": event.table, "meter": meter, "holds": holds,
                     "shows": _shows(holds), "why": "opened", "chapter": event.chapter},
                )  # fmt: skip
        case e.MeterMoved():
            shown = {"holds": event.holds, "shows": cents(event.shows), "why": event.why}
            law = {"chapter": before.table.chapter}
            yield Row("meters", {**at, "meter": event.meter, **shown, **law})
        case e.ChipsSold():
            yield _inventory(at, when, "drop", cents(event.amount))
        case e.TrayFilled():
            yield _inventory(at, when, "fill", abs(_chips(event.tray)))
        case e.TrayCredited():
            yield _inventory(at, when, "credit", abs(_chips(event.tray)))
        case e.PaymentCorrected():
            yield _inventory(at, when, "correction", -signed(event.amount))
        case e.SettlementCorrected():
            # the lines of the round have it now
            yield _inventory(at, when, "correction", sum(before.owed.values()))
        case e.TableClosed():
            yield _inventory(at, when, "difference", signed(event.difference))
            for id in before.table.decks:
                yield _gone(before, id, time, "the table closed")
        case e.DeviceChanged():
            said = {"condition": event.condition, "shows": event.shows}
            yield Row("faults", {**at, "device": event.device, **said, **by})
        case e.DecksReceived():
            deck = {"table": name, "version": version, "deck": event.deck, "back": event.back}
            yield Row("decks", {**deck, "rules": before.table.rules_hash, "received": time})
        case e.DeckRemoved():
            yield _gone(before, event.deck, time, event.why)
        case e.PayoutValidated():
            what = {"seat": event.seat, "wager": event.wager, "hand": event.hand}
            yield Row("validations", {**at, "round": round_id(before), **what, **by})
    if _irregular(event):
        about = {
            "round": round_id(before), "kind": str(event.__struct_config__.tag),
            "says": describe(in_public(event), _law(before.table)),
        }  # fmt: skip
        yield Row("irregularities", {**at, **about, **by})


def _law(table: Table) -> Chapter | None:
    """The chapter of a table, for the names of its wagers; None if its edition is not known here."""
    try:
        return rules_of(table).chapter
    except Refused:
        return None


#: events that the floor is notified of
_IRREGULAR = (
    e.RoundVoided, e.FaceUpFound, e.DrawnInError, e.CardExposed, e.CardCorrected, e.PaymentCorrected, e.CutOrdered, e.ReshuffleOrdered,
    e.HandOut, e.ProgressiveStruck,
)  # fmt: skip


#: events that say more than how the table stands
_TELLING = (
    *_IRREGULAR, e.TroubleNoted, e.StubCounted, e.TableOpened, e.TableClosed, e.DecksReceived,
    e.DeckRemoved, e.ProgressiveCollected, e.MeterMoved, e.SettlementCorrected, e.BetsClosed,
    e.RoundEnded, e.WagerPlaced, e.WagerTakenBack, e.WagerReturned, e.WagerSettled, e.ChipsSold,
    e.TipGiven, e.TrayFilled, e.TrayCredited, e.DeviceChanged, e.PayoutValidated,
)  # fmt: skip


def _irregular(event: Event) -> bool:
    match event:
        case e.TroubleNoted():
            return bool(event.trouble)
        case e.StubCounted():
            return event.count != event.expected
    return event.irregular or isinstance(event, _IRREGULAR)


def _gone(before: Pending, deck: str, time: str, why: str) -> Row:
    """A deck that has left the table."""
    key = {"table": before.table.name, "version": before.decks.get(deck, 0), "deck": deck}
    rest = {"back": "", "rules": "", "received": "", "removed": time, "why": why}
    return Row("decks", {**key, **rest}, replaces=("removed", "why"))


def _inventory(at: dict[str, Any], when: FacilityTime, what: str, amount: Cents) -> Row:
    return Row("inventory", {**at, "day": when.day(at["time"]), "what": what, "cents": amount})


def _chips(tray: Mapping[str, int]) -> Cents:
    return sum(cents(value) * count for value, count in tray.items())


def _shows(holds: str) -> Cents:
    whole, _, part = holds.partition("/")
    return int(whole) // int(part or 1)


# a round, when it ends


def _round(before: Pending, version: int, time: str, when: FacilityTime) -> Iterator[Row]:
    table, id = before.table, round_id(before)
    day = when.day(before.began)
    held = {**table.racked, **{name: pile for name, pile in table.piles.items() if _a_hand(name)}}
    lines = table.settled
    yield Row(
        "rounds",
        {
            "id": id, "table": table.name, "chapter": table.chapter, "began": before.began,
            "ended": time, "day": day, "opening": before.opening, "first": before.first,
            "last": version, "dealer": table.dealer,
            "cards": _show(held, "dealer_stack", "dealer", "hole"),
            "community": _show(held, "community"), "voided": before.voided,
            "wagered": sum(line.stake for line in lines), "paid": sum(map(paid, lines)),
            "win": sum(map(win, lines)),
        },
    )  # fmt: skip
    for seat in table.hands:
        box = table.boxes[seat - 1]
        own = [name for name in held if _seat_of(name) == seat]
        yield Row(
            "hands",
            {
                "round": id, "seat": seat, "player": table.holders.get(seat) or box.player,
                "cards": _show(held, *own),
                "decision": " ".join(box.decisions.values()) or box.out,
                "net": before.nets.get(seat, 0),
            },
        )  # fmt: skip
    for number, line in enumerate(lines, 1):
        yield Row(
            "lines",
            {
                "round": id, "number": number, "seat": line.seat, "wager": line.wager,
                "hand": line.hand, "stake": line.stake, "result": line.result, "paid": line.paid,
                "from_meter": line.from_meter, "odds": line.odds, "outcome": line.outcome,
                "clause": line.clause,
            },
        )  # fmt: skip
    yield Row("facets", {"names": _facets(table, held, before.voided)})
    yield from holds(table, day, lines, before.shown)
    if table.in_play in before.decks:
        # except if the round was void because the deck was incomplete and has been removed
        deck = {"table": table.name, "version": before.decks[table.in_play], "deck": table.in_play}
        rest = {"back": "", "rules": "", "received": "", "rounds": 1}
        yield Row("decks", {**deck, **rest}, adds=("rounds",))


def _facets(table: Table, held: Mapping[str, tuple[str, ...]], voided: str) -> set[str]:
    """What a search can test of a round without reading its hands and lines."""
    names = {f"card {card}" for pile in held.values() for card in pile if card != "?"}
    names |= {f"seat {seat}" for seat in table.hands}
    for line in table.settled:
        names |= {f"wager {line.wager}", f"result {line.result}", f"outcome {line.outcome}"}
    return names | ({"voided"} if voided else set())


def _a_hand(name: str) -> bool:
    return is_on_felt(name)


def _seat_of(name: str) -> int:
    kind, _, rest = name.partition(".")
    seat = rest.partition(".")[0]
    return int(seat) if is_on_felt(kind) and seat.isdecimal() else 0


def _show(held: Mapping[str, tuple[str, ...]], *names: str) -> str:
    return " ".join(card for name in names for card in held.get(name, ()))
