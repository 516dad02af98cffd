"""Events of cards: decks prepared, shuffled, cut, dealt, turned, moved, corrected."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from houseway.law import DOWN_UNDER, cites
from houseway.money import cents
from houseway.table import events as e
from houseway.table.evolve.registry import evolves, having, moved, with_piles
from houseway.table.evolve.seen import Seen, moved_along, with_cards, without
from houseway.table.state import UNKNOWN, Box, Deck, Device, Table, exposed_cards

# opening


@evolves(e.TableOpened)
def _opened(_table: Table, event: e.TableOpened) -> Table:
    return Table(
        version=event.version,
        at=event.at,
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


def interrupted(table: Table) -> str:
    """What `resume` becomes when the phase is interrupted, in another interruption or not."""
    return f"{table.phase} {table.resume}" if table.resume else table.phase


@evolves(e.PhaseBegan)
def _phase(table: Table, event: e.PhaseBegan) -> Table:
    """An interruption is over when the phase begins that it interrupted."""
    head, _, rest = table.resume.partition(" ")
    resume = rest if head == event.phase else table.resume
    if table.new_dealer and event.phase == "betting":
        return moved(table, event, phase=event.phase, new_dealer=False, resume=resume)
    return moved(table, event, phase=event.phase, resume=resume)


@evolves(e.DecksReceived)
def _received(table: Table, event: e.DecksReceived) -> Table:
    stage = "shuffled" if event.preshuffled else "received"
    deck = Deck(event.deck, event.back, event.at, stage, event.preshuffled, event.preshuffled)
    return moved(
        table,
        event,
        decks={**table.decks, event.deck: deck},
        piles=with_piles(table, **{f"deck.{event.deck}": event.cards}),
        in_play=event.deck if event.replaces else table.in_play,
        shuffle_for="opening",
        cover_at="",
        shown=table.shown - {f"deck.{event.deck}"},
    )


@evolves(e.DeckPrepared)
def _prepared(table: Table, event: e.DeckPrepared) -> Table:
    deck = replace(table.decks[event.deck], stage=event.stage, face_up=event.face_up)
    if event.stage == "inspected":
        deck = replace(deck, inspected_by=event.who)
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
        seen=without(table.seen, gone),
        lost_decks=table.lost_decks - {event.deck},
    )


# shuffle and cut


@evolves(e.CardsShuffled)
def _shuffled(table: Table, event: e.CardsShuffled) -> Table:
    deck = replace(
        table.decks[event.deck],
        stage="shuffled",
        to_cut=event.to_cut,
        was_cut=False,
        counted=event.count is not None,
    )
    piles = {name: cards for name, cards in table.piles.items() if name not in event.gathered}
    piles[event.to] = event.cards
    lost = table.lost_decks
    if lost and (table.decks[event.deck].stage != "shuffled" or UNKNOWN not in event.cards):
        # a stack that only changes its place stays lost
        lost -= {event.deck}
    return moved(
        table,
        event,
        lost_decks=lost,
        decks={**table.decks, event.deck: deck},
        piles=piles,
        shown=table.shown - set(event.gathered),
        seen=without(table.seen, event.gathered),
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
    # a card that everybody has seen lies outside the stack
    out = len(exposed_cards(table))
    seen, stack = table.piles["shoe"][:out], table.piles["shoe"][out:]
    deck = replace(table.decks[table.in_play], to_cut=False, was_cut=True)
    return moved(
        table,
        event,
        decks={**table.decks, deck.id: deck},
        piles=with_piles(table, shoe=seen + stack[event.depth :] + stack[: event.depth]),
        cut_offers=(),
        cut_by=event.seat,
        cut_next=table.cut_offers[1:],
    )


@evolves(e.CutOffered)
def _cut_offered(table: Table, event: e.CutOffered) -> Table:
    return moved(table, event, cut_offers=event.seats)


@evolves(e.CutOrdered)
def _cut_ordered(table: Table, event: e.CutOrdered) -> Table:
    deck = replace(table.decks[table.in_play], to_cut=True)
    decks = {**table.decks, deck.id: deck}
    return moved(table, event, decks=decks, cut_offers=event.seats, resume=interrupted(table))


@evolves(e.ReshuffleOrdered)
def _reshuffle(table: Table, event: e.ReshuffleOrdered) -> Table:
    deck = replace(table.decks[table.in_play], stage="stacked")
    decks = {**table.decks, deck.id: deck}
    if not table.hands:
        return moved(table, event, decks=decks, shuffle_for="ordered")
    # a round is interrupted, and goes on with the cards that are shuffled again
    resume = interrupted(table)
    return moved(table, event, decks=decks, shuffle_for="in_round", resume=resume)


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
        seen=without(table.seen, event.gathered),
        shuffle_for="opening",
        cover_at="",
    )


@evolves(e.DealerChanged)
def _dealer(table: Table, event: e.DealerChanged) -> Table:
    return moved(table, event, dealer=event.dealer, new_dealer=True)


@evolves(e.DeckTurn)
@cites(DOWN_UNDER, "685a.3(b)(3)", "685a.3(b)(5)", "685a.6(b)(2)")
def _turn(table: Table, event: e.DeckTurn) -> Table:
    """The rack is empty before a card of the other deck can reach it."""
    used = table.piles.get("shoe", ()) + table.piles.get("discard", ())
    gone = ("shoe", "discard", "shuffler")
    piles = {name: cards for name, cards in table.piles.items() if name not in gone}
    if "shuffler" in table.piles:
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
        seen={},
        cover_card=0,
        shoe_rounds=0,
    )


# the deal


@evolves(e.CardsDealt)
def _dealt(table: Table, event: e.CardsDealt) -> Table:
    first, last = event.behind, event.behind + len(event.cards)
    piles = {**table.piles, event.to: table.piles.get(event.to, ()) + event.cards}
    shoe = table.piles["shoe"]
    left = shoe[:first] + shoe[last:] if first else shoe[last:]
    if left:
        piles["shoe"] = left
    else:
        del piles["shoe"]
    lying = exposed_cards(table)
    waits = lying[:first] + lying[last:]
    return moved(
        table,
        event,
        piles=piles,
        dealt=table.dealt + event.step,
        shown=table.shown | {event.to} if event.face_up else table.shown,
        seen=table.seen if event.face_up else _seen_when_dealt(table, event, lying[first:last]),
        aside=waits[0] if waits else "",
        aside_behind=waits[1:],
    )


def _seen_when_dealt(table: Table, event: e.CardsDealt, lay_aside: tuple[str, ...]) -> Seen:
    """A card dealt face down was seen by whoever named it; one that lay aside, by everybody."""
    if lay_aside or event.who:
        who = "" if lay_aside else event.who
        return with_cards(table, table.seen, who, event.to, event.cards)
    return table.seen


@evolves(e.CardsMoved)
def _cards_moved(table: Table, event: e.CardsMoved) -> Table:
    pile = table.piles[event.source]
    staying, going = pile[: len(pile) - event.count], pile[len(pile) - event.count :]
    shown = table.shown if staying else table.shown - {event.source}
    if event.face_up:
        shown = shown | {event.to}
    seen = table.seen if event.to in shown else moved_along(table, event.source, event.to, going)
    if not staying:
        seen = without(seen, (event.source,))
    racked = table.racked
    if event.to == "discard" and not staying and event.source not in ("shoe", "aside"):
        racked = {**racked, event.source: racked.get(event.source, ()) + going}
    piles = {**table.piles, event.to: table.piles.get(event.to, ()) + going}
    if staying:
        piles[event.source] = staying
    else:
        del piles[event.source]
    return moved(table, event, piles=piles, shown=shown, seen=seen, racked=racked)


@evolves(e.CardsTurned)
def _turned(table: Table, event: e.CardsTurned) -> Table:
    piles = {**table.piles, event.place: event.cards}
    seen = without(table.seen, (event.place,))
    return moved(table, event, piles=piles, shown=table.shown | {event.place}, seen=seen)


@evolves(e.StubCounted)
def _stub(table: Table, event: e.StubCounted) -> Table:
    return moved(table, event, rounds_since_count=0)


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
    seen = table.seen
    all_saw = seen.get("", {})
    if event.was in all_saw.get("discard", ()):
        seen = {**seen, "": {**all_saw, "discard": _with_card(all_saw["discard"], 0, event)}}
    return moved(table, event, racked=racked, seen=seen, piles={**table.piles, "discard": rack})


def _with_card(pile: tuple[str, ...], number: int, event: e.CardCorrected) -> tuple[str, ...]:
    number = number or pile.index(event.was) + 1
    return (*pile[: number - 1], event.card, *pile[number:])
