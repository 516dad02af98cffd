"""What an event does to a table: one small function each, and nothing else ever changes one.

These functions read no chapter, no clock and no chance. `fold` of a record is the table it left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from houseway.money import Cents, cents
from houseway.table import events as e
from houseway.table.state import Box, Deck, Device, Due, Table, key, on_layout

E = TypeVar("E", bound=e.Event)
K = TypeVar("K")
V = TypeVar("V")

_EVOLVE: dict[type[e.Event], Callable[[Table, Any], Table]] = {}


def evolves(kind: type[E]) -> Callable[[Callable[[Table, E], Table]], Callable[[Table, E], Table]]:
    """Register what an event does; a new part of the table registers its own."""

    def register(function: Callable[[Table, E], Table]) -> Callable[[Table, E], Table]:
        _EVOLVE[kind] = function
        return function

    return register


def evolve(table: Table, event: e.Event) -> Table:
    """The table after an event."""
    return _EVOLVE[type(event)](table, event)


def fold(events: Iterable[e.Event], table: Table | None = None) -> Table:
    """The table that a record leads to."""
    table = table or Table()
    for event in events:
        table = evolve(table, event)
    return table


# small tools


def moved(table: Table, event: e.Event, **changes: Any) -> Table:
    return replace(table, version=event.version, **changes)


def having(mapping: Mapping[K, V], changes: Mapping[K, V | None]) -> dict[K, V]:
    """A mapping with some entries changed; None takes one out."""
    found = dict(mapping)
    for name, value in changes.items():
        if value is None:
            found.pop(name, None)
        else:
            found[name] = value
    return found


def with_box(table: Table, seat: int, **changes: Any) -> tuple[Box, ...]:
    boxes = list(table.boxes)
    boxes[seat - 1] = replace(boxes[seat - 1], **changes)
    return tuple(boxes)


def with_piles(table: Table, **piles: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    return {name: cards for name, cards in {**table.piles, **piles}.items() if cards}


def with_tray(table: Table, chips: Mapping[str, int]) -> dict[Cents, int]:
    if not chips:
        return dict(table.tray)
    tray = dict(table.tray)
    for value, count in chips.items():
        tray[cents(value)] = tray.get(cents(value), 0) + count
    return tray


# opening


@evolves(e.TableOpened)
def _opened(_table: Table, event: e.TableOpened) -> Table:
    return Table(
        version=event.version,
        name=event.table,
        chapter=event.chapter,
        edition=event.edition,
        edition_hash=event.edition_hash,
        rules=event.rules,
        rules_hash=event.rules_hash,
        zone=event.zone,
        day_begins=event.day_begins,
        phase="opening",
        dealer=event.dealer,
        boxes=tuple(Box(seat) for seat in range(1, event.seats + 1)),
        tray={cents(value): count for value, count in event.tray.items()},
        meters=event.meters,
        devices={id: Device(id) for id in event.devices},
    )


@evolves(e.PhaseBegan)
def _phase(table: Table, event: e.PhaseBegan) -> Table:
    return moved(table, event, phase=event.phase)


@evolves(e.DecksReceived)
def _received(table: Table, event: e.DecksReceived) -> Table:
    stage = "shuffled" if event.preshuffled else "received"
    deck = Deck(event.deck, event.back, event.at, stage, event.preshuffled, event.preshuffled)
    return moved(
        table,
        event,
        decks={**table.decks, event.deck: deck},
        piles=with_piles(table, **{f"deck.{event.deck}": event.cards}),
        shuffle_for="opening",
        cover_at="",
        shown=table.shown - {f"deck.{event.deck}"},
    )


@evolves(e.DeckPrepared)
def _prepared(table: Table, event: e.DeckPrepared) -> Table:
    deck = replace(table.decks[event.deck], stage=event.stage, face_up=event.face_up)
    pile = f"deck.{event.deck}"
    in_view = event.stage in ("spread", "seen") and event.face_up
    shown = table.shown | {pile} if in_view else table.shown - {pile}
    first = event.seat or table.first_player
    return moved(
        table,
        event,
        decks={**table.decks, event.deck: deck},
        shown=shown,
        first_player=first,
    )


@evolves(e.DeckRemoved)
def _removed(table: Table, event: e.DeckRemoved) -> Table:
    gone = set(event.piles)
    return moved(
        table,
        event,
        decks=having(table.decks, {event.deck: None}),
        piles={name: cards for name, cards in table.piles.items() if name not in gone},
        in_play="" if event.deck == table.in_play else table.in_play,
        shown=table.shown - gone,
    )


# shuffle and cut


@evolves(e.CardsShuffled)
def _shuffled(table: Table, event: e.CardsShuffled) -> Table:
    deck = replace(table.decks[event.deck], stage="shuffled", to_cut=event.to_cut, was_cut=False)
    piles = {name: cards for name, cards in table.piles.items() if name not in event.gathered}
    piles[event.to] = event.cards
    return moved(
        table,
        event,
        decks={**table.decks, event.deck: deck},
        piles=piles,
        shown=table.shown - set(event.gathered),
        in_play=event.deck if event.to == "shoe" else table.in_play,
        **(_NEW_SHOE if event.to == "shoe" else {}),
        boxes=tuple(
            replace(box, sat_out=False) if box.sat_out and event.to == "shoe" else box
            for box in table.boxes
        ),
    )


_NEW_SHOE: dict[str, Any] = {"cover_card": 0, "shoe_rounds": 0}


@evolves(e.CoverCardPlaced)
def _cover_card(table: Table, event: e.CoverCardPlaced) -> Table:
    return moved(table, event, cover_card=event.depth, cover_at="")


@evolves(e.CoverCardReached)
def _cover_reached(table: Table, event: e.CoverCardReached) -> Table:
    return moved(table, event, cover_card=0, cover_at=event.place)


@evolves(e.CardsCut)
def _cut(table: Table, event: e.CardsCut) -> Table:
    shoe = table.piles["shoe"]
    deck = replace(table.decks[table.in_play], to_cut=False, was_cut=True)
    return moved(
        table,
        event,
        decks={**table.decks, deck.id: deck},
        piles=with_piles(table, shoe=shoe[event.depth :] + shoe[: event.depth]),
        cut_offers=(),
        cut_by=event.seat,
        cut_next=table.cut_offers[1:],
        resume="",
    )


@evolves(e.CutOffered)
def _cut_offered(table: Table, event: e.CutOffered) -> Table:
    return moved(table, event, cut_offers=event.seats)


@evolves(e.CutOrdered)
def _cut_ordered(table: Table, event: e.CutOrdered) -> Table:
    deck = replace(table.decks[table.in_play], to_cut=True)
    decks = {**table.decks, deck.id: deck}
    return moved(table, event, decks=decks, cut_offers=event.seats, resume=table.phase)


@evolves(e.ReshuffleOrdered)
def _reshuffle(table: Table, event: e.ReshuffleOrdered) -> Table:
    deck = replace(table.decks[table.in_play], stage="stacked")
    decks = {**table.decks, deck.id: deck}
    return moved(table, event, decks=decks, shuffle_for="ordered")


@evolves(e.CardsSpread)
def _spread(table: Table, event: e.CardsSpread) -> Table:
    pile = f"deck.{event.deck}"
    piles = {name: cards for name, cards in table.piles.items() if name not in event.gathered}
    piles[pile] = event.cards
    deck = replace(table.decks[event.deck], stage="spread", face_up=event.face_up)
    shown = table.shown | {pile} if event.face_up else table.shown - {pile}
    return moved(
        table,
        event,
        decks={**table.decks, deck.id: deck},
        piles=piles,
        shown=shown,
        shuffle_for="opening",
        cover_at="",
        in_play="" if event.deck == table.in_play else table.in_play,
    )


@evolves(e.DealerChanged)
def _dealer(table: Table, event: e.DealerChanged) -> Table:
    return moved(table, event, dealer=event.dealer)


@evolves(e.DeckTurn)
def _turn(table: Table, event: e.DeckTurn) -> Table:
    """The rack is empty before a card of the other deck can reach it."""
    used = table.piles.get("shoe", ()) + table.piles.get("discard", ())
    piles = {
        name: cards for name, cards in table.piles.items() if name not in ("discard", "shuffler")
    }
    piles["shoe"] = table.piles["shuffler"]
    piles[f"deck.{event.out}"] = used
    decks = {**table.decks, event.out: replace(table.decks[event.out], stage="stacked")}
    boxes = tuple(replace(box, sat_out=False) if box.sat_out else box for box in table.boxes)
    return moved(
        table,
        event,
        decks=decks,
        piles=piles,
        in_play=event.into,
        boxes=boxes,
        cover_card=0,
        shoe_rounds=0,
    )


# players and wagers


@evolves(e.PlayerSat)
def _sat(table: Table, event: e.PlayerSat) -> Table:
    return moved(table, event, boxes=with_box(table, event.seat, player=event.player))


@evolves(e.PlayerLeft)
def _left(table: Table, event: e.PlayerLeft) -> Table:
    return moved(table, event, boxes=with_box(table, event.seat, player="", sat_out=False))


@evolves(e.HandOut)
def _out(table: Table, event: e.HandOut) -> Table:
    return moved(table, event, boxes=with_box(table, event.seat, out=event.why))


@evolves(e.PlayerLetIn)
def _let_in(table: Table, event: e.PlayerLetIn) -> Table:
    return moved(table, event, boxes=with_box(table, event.seat, sat_out=False))


@evolves(e.SatOut)
def _sat_out(table: Table, event: e.SatOut) -> Table:
    boxes = tuple(
        replace(box, sat_out=True) if box.seat in event.seats else box for box in table.boxes
    )
    return moved(table, event, boxes=boxes)


@evolves(e.WagerPlaced)
def _wagered(table: Table, event: e.WagerPlaced) -> Table:
    box = table.boxes[event.seat - 1]
    name, amount = key(event.wager, event.hand), cents(event.amount)
    wagers = {**box.wagers, name: box.wagers.get(name, 0) + amount}
    layout = {**box.layout, name: box.layout.get(name, 0) + amount}
    return moved(table, event, boxes=with_box(table, event.seat, wagers=wagers, layout=layout))


def _without(table: Table, seat: int, name: str) -> tuple[Box, ...]:
    box = table.boxes[seat - 1]
    coupons = having(box.coupons, {name: None}) if box.coupons else box.coupons
    return with_box(
        table,
        seat,
        wagers=having(box.wagers, {name: None}),
        layout=having(box.layout, {name: None}),
        coupons=coupons,
    )


@evolves(e.WagerTakenBack)
def _taken_back(table: Table, event: e.WagerTakenBack) -> Table:
    return moved(table, event, boxes=_without(table, event.seat, key(event.wager, event.hand)))


@evolves(e.ProgressiveStruck)
def _struck(table: Table, event: e.ProgressiveStruck) -> Table:
    return moved(table, event, boxes=_without(table, event.seat, key(event.wager, event.hand)))


@evolves(e.CouponPlaced)
def _coupon(table: Table, event: e.CouponPlaced) -> Table:
    box = table.boxes[event.seat - 1]
    coupons = {**box.coupons, event.wager: cents(event.value)}
    return moved(table, event, boxes=with_box(table, event.seat, coupons=coupons))


@evolves(e.BetsClosed)
def _closed(table: Table, event: e.BetsClosed) -> Table:
    return moved(
        table,
        event,
        round=event.round,
        hands=event.seats,
        dealt=0,
        rounds_since_count=table.rounds_since_count + 1,
        shoe_rounds=table.shoe_rounds + 1,
        racked={},
        settled=(),
        face_up=0,
    )


@evolves(e.ProgressiveLocked)
def _locked(table: Table, event: e.ProgressiveLocked) -> Table:
    return moved(table, event, locked=True)


@evolves(e.ProgressiveUnlocked)
def _unlocked(table: Table, event: e.ProgressiveUnlocked) -> Table:
    return moved(table, event, locked=False)


@evolves(e.ProgressiveCollected)
def _collected(table: Table, event: e.ProgressiveCollected) -> Table:
    boxes = list(table.boxes)
    for seat, name, _ in event.wagers:
        box = boxes[seat - 1]
        boxes[seat - 1] = replace(box, layout=having(box.layout, {name: None}))
    return moved(table, event, boxes=tuple(boxes), tray=with_tray(table, event.tray))


@evolves(e.MeterMoved)
def _meter(table: Table, event: e.MeterMoved) -> Table:
    reserves = {name: held for name, held in table.reserves.items() if name != event.meter}
    if event.reserve != "0":
        reserves[event.meter] = event.reserve
    meters = {**table.meters, event.meter: event.holds}
    return moved(table, event, meters=meters, reserves=reserves)


# the deal


@evolves(e.CardsDealt)
def _dealt(table: Table, event: e.CardsDealt) -> Table:
    count = len(event.cards)
    piles = {**table.piles, event.to: table.piles.get(event.to, ()) + event.cards}
    shoe = table.piles["shoe"]
    if len(shoe) > count:
        piles["shoe"] = shoe[count:]
    else:
        del piles["shoe"]
    return moved(
        table,
        event,
        piles=piles,
        dealt=table.dealt + event.step,
        shown=table.shown | {event.to} if event.face_up else table.shown,
        aside="" if table.aside else table.aside,
        late_cards=_served(table, event.to) if table.late_cards else (),
    )


def _served(table: Table, place: str) -> tuple[int, ...]:
    return tuple(seat for seat in table.late_cards if place != f"seat.{seat}")


@evolves(e.CardsMoved)
def _cards_moved(table: Table, event: e.CardsMoved) -> Table:
    pile = table.piles[event.source]
    staying, going = pile[: len(pile) - event.count], pile[len(pile) - event.count :]
    shown = table.shown if staying else table.shown - {event.source}
    if event.face_up:
        shown = shown | {event.to}
    racked = table.racked
    if event.to == "discard" and not staying and event.source not in ("shoe", "aside"):
        racked = {**racked, event.source: racked.get(event.source, ()) + going}
    piles = {**table.piles, event.to: table.piles.get(event.to, ()) + going}
    if staying:
        piles[event.source] = staying
    else:
        del piles[event.source]
    return moved(table, event, piles=piles, shown=shown, racked=racked)


@evolves(e.CardsTurned)
def _turned(table: Table, event: e.CardsTurned) -> Table:
    piles = {**table.piles, event.place: event.cards}
    return moved(table, event, piles=piles, shown=table.shown | {event.place})


@evolves(e.StubCounted)
def _stub(table: Table, event: e.StubCounted) -> Table:
    return moved(table, event, rounds_since_count=0)


# decisions


@evolves(e.Decided)
def _decided(table: Table, event: e.Decided) -> Table:
    box = table.boxes[event.seat - 1]
    decisions = {**box.decisions, event.hand: event.decision}
    return moved(table, event, boxes=with_box(table, event.seat, decisions=decisions))


@evolves(e.HandsSet)
def _set(table: Table, event: e.HandsSet) -> Table:
    boxes = with_box(table, event.seat, decisions={0: "set"})
    piles = dict(table.piles)
    piles.pop(f"seat.{event.seat}", None)  # set again: the two hands lie there already
    piles[f"three.{event.seat}"] = event.three
    piles[f"two.{event.seat}"] = event.two
    return moved(table, event, boxes=boxes, piles=piles)


@evolves(e.InsuranceAnswered)
def _answered(table: Table, event: e.InsuranceAnswered) -> Table:
    boxes = with_box(table, event.seat, insured=True, even_money=event.even_money)
    return moved(table, event, boxes=boxes)


@evolves(e.HandSplit)
def _split(table: Table, event: e.HandSplit) -> Table:
    first = f"seat.{event.seat}"
    one, two = table.piles[first]
    return moved(
        table,
        event,
        piles={**table.piles, first: (one,), f"{first}.2": (two,)},
        shown=table.shown | {f"{first}.2"},
        boxes=with_box(table, event.seat, split=True),
    )


@evolves(e.HandDoubled)
def _doubled(table: Table, event: e.HandDoubled) -> Table:
    doubled = {**table.boxes[event.seat - 1].doubled, event.hand: cents(event.amount)}
    return moved(table, event, boxes=with_box(table, event.seat, doubled=doubled))


@evolves(e.LightShown)
def _light(table: Table, event: e.LightShown) -> Table:
    reader = replace(table.devices["reader"], shows=event.light)
    return moved(table, event, devices={**table.devices, "reader": reader})


@evolves(e.TotalAnnounced)
def _announced(table: Table, event: e.TotalAnnounced) -> Table:
    return moved(table, event)


@evolves(e.DeviceInspected)
def _inspected(table: Table, event: e.DeviceInspected) -> Table:
    device = replace(table.devices[event.device], inspected=event.day)
    return moved(table, event, devices={**table.devices, event.device: device})


# settlement


@evolves(e.SettlementDue)
def _due(table: Table, event: e.SettlementDue) -> Table:
    return moved(table, event, due=tuple(map(_line, event.lines)))


@evolves(e.SettlementCorrected)
def _settled_otherwise(table: Table, event: e.SettlementCorrected) -> Table:
    return moved(table, event, settled=tuple(map(_line, event.lines)))


def _line(line: dict[str, Any]) -> Due:
    return Due(
        seat=line["seat"],
        wager=line["wager"],
        stake=cents(line["stake"]),
        result=line["result"],
        paid=signed(line["paid"]),
        clause=line["clause"],
        odds=line.get("odds", ""),
        hand=line.get("hand", 0),
        meter=line.get("meter", ""),
        from_meter=cents(line.get("from_meter", "0.00")),
        outcome=line.get("outcome", ""),
        validated=line.get("validated", False),
        winners=line.get("winners", 1),
    )


def signed(text: str) -> Cents:
    """An amount that may be below nothing, as a meter's share may be below the stake."""
    return -cents(text[1:]) if text.startswith("-") else cents(text)


@evolves(e.PayoutValidated)
def _validated(table: Table, event: e.PayoutValidated) -> Table:
    due = tuple(
        replace(line, validated=True)
        if (line.seat, line.wager, line.hand) == (event.seat, event.wager, event.hand)
        else line
        for line in table.due
    )
    return moved(table, event, due=due)


@evolves(e.WagerSettled)
def _settled(table: Table, event: e.WagerSettled) -> Table:
    box = table.boxes[event.seat - 1]
    name = on_layout(box, event.wager, event.hand)
    boxes = table.boxes
    if name in box.layout:
        boxes = with_box(table, event.seat, layout=having(box.layout, {name: None}))
    line = Due(
        event.seat,
        event.wager,
        cents(event.stake),
        event.result,
        signed(event.paid),
        event.clause,
        event.odds,
        event.hand,
        event.meter,
        cents(event.from_meter or "0.00"),
        event.outcome,
    )
    first = table.due[0] if table.due else None
    is_next = first is not None and (first.seat, first.wager, first.hand) == (
        event.seat,
        event.wager,
        event.hand,
    )
    return moved(
        table,
        event,
        boxes=boxes,
        tray=with_tray(table, event.tray) if event.tray else table.tray,
        due=table.due[1:] if is_next else table.due,
        settled=(*table.settled, line),
    )


@evolves(e.RoundVoided)
def _voided(table: Table, event: e.RoundVoided) -> Table:
    return moved(table, event, due=(), trouble="")


@evolves(e.WagerReturned)
def _returned(table: Table, event: e.WagerReturned) -> Table:
    box = table.boxes[event.seat - 1]
    layout = having(box.layout, {key(event.wager, event.hand): None})
    return moved(
        table,
        event,
        boxes=with_box(table, event.seat, layout=layout),
        tray=with_tray(table, event.tray),
    )


@evolves(e.RoundEnded)
def _ended(table: Table, event: e.RoundEnded) -> Table:
    boxes = tuple(
        Box(box.seat, box.player, sat_out=box.sat_out) if box.wagers or box.out else box
        for box in table.boxes
    )
    decks = table.decks
    devices = table.devices
    if "reader" in devices and devices["reader"].shows:
        devices = {**devices, "reader": replace(devices["reader"], shows="")}
    if event.to_shuffle and table.in_play:
        decks = {**decks, table.in_play: replace(decks[table.in_play], stage="stacked")}
    return moved(
        table,
        event,
        boxes=boxes,
        decks=decks,
        due=(),
        hands=(),
        dealt=0,
        locked=False,
        trouble="",
        aside="",
        dealt_late=(),
        late_cards=(),
        light_seats=(),
        resume="",
        devices=devices,
        shuffle_for="cover" if table.cover_at else "round",
    )


# misfortunes


@evolves(e.FaceUpFound)
def _face_up(table: Table, event: e.FaceUpFound) -> Table:
    return moved(table, event, face_up=table.face_up + 1)


@evolves(e.DrawnInError)
def _drawn(table: Table, event: e.DrawnInError) -> Table:
    if not event.card:
        return moved(table, event)
    shoe = (event.card, *table.piles["shoe"][1:])
    return moved(table, event, aside=event.card, piles=with_piles(table, shoe=shoe))


@evolves(e.CardExposed)
def _exposed(table: Table, event: e.CardExposed) -> Table:
    return moved(table, event)


@evolves(e.DealtLate)
def _dealt_late(table: Table, event: e.DealtLate) -> Table:
    return moved(table, event, dealt_late=(*table.dealt_late, event.seat))


@evolves(e.LateCardDue)
def _late_card(table: Table, event: e.LateCardDue) -> Table:
    return moved(table, event, late_cards=(*table.late_cards, event.seat))


@evolves(e.LightWrong)
def _light_wrong(table: Table, event: e.LightWrong) -> Table:
    return moved(table, event, trouble="light", light_seats=event.seats, resume=table.phase)


@evolves(e.LightSettled)
def _light_settled(table: Table, event: e.LightSettled) -> Table:
    left = tuple(seat for seat in table.light_seats if seat != event.seat)
    return moved(table, event, light_seats=left)


@evolves(e.TroubleNoted)
def _trouble(table: Table, event: e.TroubleNoted) -> Table:
    return moved(table, event, trouble=event.trouble)


@evolves(e.DeviceChanged)
def _device(table: Table, event: e.DeviceChanged) -> Table:
    device = replace(table.devices[event.device], condition=event.condition, shows=event.shows)
    return moved(table, event, devices={**table.devices, event.device: device})


# the tray


@evolves(e.ChipsSold)
def _sold(table: Table, event: e.ChipsSold) -> Table:
    return moved(
        table, event, tray=with_tray(table, event.tray), drop=table.drop + cents(event.amount)
    )


@evolves(e.TipGiven)
def _tip(table: Table, event: e.TipGiven) -> Table:
    return moved(table, event, tips=table.tips + cents(event.amount))


@evolves(e.TrayFilled)
def _filled(table: Table, event: e.TrayFilled) -> Table:
    return moved(table, event, tray=with_tray(table, event.tray))


@evolves(e.TrayCredited)
def _credited(table: Table, event: e.TrayCredited) -> Table:
    return moved(table, event, tray=with_tray(table, event.tray))


@evolves(e.PaymentCorrected)
def _payment(table: Table, event: e.PaymentCorrected) -> Table:
    return moved(table, event, tray=with_tray(table, event.tray))


@evolves(e.CardCorrected)
def _card(table: Table, event: e.CardCorrected) -> Table:
    place, number = event.place, event.number
    if place in table.piles:
        pile = _with_card(table.piles[place], number, event)
        return moved(table, event, piles={**table.piles, place: pile})
    # a hand that went to the rack already: there too
    racked = {**table.racked, place: _with_card(table.racked[place], number, event)}
    rack = table.piles["discard"]
    if event.was in rack:
        rack = _with_card(rack, len(rack) - rack[::-1].index(event.was), event)
    return moved(table, event, racked=racked, piles={**table.piles, "discard": rack})


def _with_card(pile: tuple[str, ...], number: int, event: e.CardCorrected) -> tuple[str, ...]:
    number = number or pile.index(event.was) + 1
    return (*pile[: number - 1], event.card, *pile[number:])


@evolves(e.TableClosed)
def _table_closed(table: Table, event: e.TableClosed) -> Table:
    return moved(
        table,
        event,
        phase="closed",
        decks={},
        piles={},
        in_play="",
        shown=frozenset(),
        tray={cents(value): count for value, count in event.count.items()},
    )
