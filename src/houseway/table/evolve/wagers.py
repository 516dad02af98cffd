"""Events of players and wagers: placed, decided on, settled, returned; the end of the round."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from houseway.game_api.round import LOST
from houseway.money import cents, signed
from houseway.table import events as e
from houseway.table.evolve.registry import evolves, having, moved, with_box, with_tray
from houseway.table.state import DEAD, Box, Due, Table, is_open, key, stake_of

# players and wagers


@evolves(e.PlayerSat)
def _sat(table: Table, event: e.PlayerSat) -> Table:
    return moved(
        table,
        event,
        boxes=with_box(table, event.seat, player=event.player),
        arrived=(*(seat for seat in table.arrived if seat != event.seat), event.seat),
    )


@evolves(e.PlayerLeft)
def _left(table: Table, event: e.PlayerLeft) -> Table:
    return moved(
        table,
        event,
        boxes=with_box(table, event.seat, player="", sat_out=False),
        arrived=tuple(seat for seat in table.arrived if seat != event.seat),
    )


@evolves(e.HandOut)
def _out(table: Table, event: e.HandOut) -> Table:
    decisions = {**table.boxes[event.seat - 1].decisions, event.hand: DEAD}
    changes = {"decisions": decisions} if event.hand else {"out": event.why}
    return moved(
        table,
        event,
        boxes=with_box(table, event.seat, **changes),
        due=tuple(
            line
            for line in table.due
            if line.seat != event.seat or (event.hand and line.hand != event.hand)
        ),
    )


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
    return with_box(
        table,
        seat,
        wagers=having(box.wagers, {name: None}),
        layout=having(box.layout, {name: None}),
        own=box.own and box.own.without(name),
    )


@evolves(e.WagerTakenBack)
def _taken_back(table: Table, event: e.WagerTakenBack) -> Table:
    return moved(table, event, boxes=_without(table, event.seat, key(event.wager, event.hand)))


@evolves(e.ProgressiveStruck)
def _struck(table: Table, event: e.ProgressiveStruck) -> Table:
    return moved(table, event, boxes=_without(table, event.seat, key(event.wager, event.hand)))


@evolves(e.BetsClosed)
def _closed(table: Table, event: e.BetsClosed) -> Table:
    return moved(
        table,
        event,
        round=event.round,
        hands=event.seats,
        holders={seat: table.boxes[seat - 1].player for seat in event.seats},
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


# decisions


@evolves(e.Decided)
def _decided(table: Table, event: e.Decided) -> Table:
    box = table.boxes[event.seat - 1]
    decisions = {**box.decisions, event.hand: event.decision}
    return moved(table, event, boxes=with_box(table, event.seat, decisions=decisions))


# settlement


@evolves(e.SettlementDue)
def _due(table: Table, event: e.SettlementDue) -> Table:
    return moved(table, event, due=tuple(map(_line, event.lines)))


@evolves(e.SettlementCorrected)
def _settled_otherwise(table: Table, event: e.SettlementCorrected) -> Table:
    lines = tuple(map(_line, event.lines))
    boxes = _with_ended(_with_ended(table.boxes, table.settled, opened=True), lines)
    return moved(table, event, settled=lines, boxes=boxes)


def _with_ended(
    boxes: tuple[Box, ...], lines: Iterable[Due], *, opened: bool = False
) -> tuple[Box, ...]:
    """The boxes after these lines have ended their stakes, or have opened them again."""
    found = list(boxes)
    for line in lines:
        box = found[line.seat - 1]
        name = stake_of(box, line.wager, line.hand) if line.stake else ""
        if name:
            change = {name: None if opened else line.result}
            found[line.seat - 1] = replace(box, ended=having(box.ended, change))
    return tuple(found)


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
    stake = cents(event.stake)
    name = stake_of(box, event.wager, event.hand) if stake else ""
    boxes = table.boxes
    if name:
        layout = having(box.layout, {name: None})
        ended = {**box.ended, name: event.result}
        boxes = with_box(table, event.seat, layout=layout, ended=ended)
    line = Due(
        event.seat,
        event.wager,
        stake,
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
    """What the house collected is open again; what players already got back stays theirs."""
    taken = (line for line in table.settled if line.result in LOST)
    boxes = _with_ended(table.boxes, taken, opened=True)
    stands = tuple(map(_line, event.stands))
    return moved(table, event, due=(), settled=stands, boxes=boxes, trouble="")


@evolves(e.WagerReturned)
def _returned(table: Table, event: e.WagerReturned) -> Table:
    box = table.boxes[event.seat - 1]
    name = key(event.wager, event.hand)
    layout = having(box.layout, {name: None})
    boxes = with_box(table, event.seat, layout=layout, ended={**box.ended, name: "returned"})
    return moved(
        table,
        event,
        boxes=boxes,
        tray=with_tray(table, event.tray),
        due=tuple(line for line in table.due if is_open(boxes[line.seat - 1], line)),
    )


@evolves(e.RoundEnded)
def _ended(table: Table, event: e.RoundEnded) -> Table:
    boxes = tuple(
        Box(box.seat, box.player, sat_out=box.sat_out) if box.wagers or box.out else box
        for box in table.boxes
    )
    decks = table.decks
    devices = {
        id: replace(device, shows="") if device.shows else device
        for id, device in table.devices.items()
    }
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
        aside_behind=(),
        resume="",
        devices=devices,
        shuffle_for="cover" if table.cover_at else "round",
    )
