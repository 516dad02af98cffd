"""An event in a sentence, for whoever reads a round step by step."""

from __future__ import annotations

from typing import Any

import msgspec

from houseway.table import Event
from houseway.table import events as e

#: fields that every event has, and those that say nothing to a reader
_QUIET = {"event", "version", "at", "role", "who", "clause", "tray", "step", "gathered"}


def tell(event: Event) -> str:
    """What happened, in plain words; the clause and who did it stand beside it."""
    match event:
        case e.PlayerSat():
            return f"{event.player} sits down at seat {event.seat}"
        case e.PlayerLeft():
            return f"the player of seat {event.seat} leaves"
        case e.WagerPlaced():
            return f"seat {event.seat} wagers {event.amount} on {_words(event.wager)}"
        case e.WagerTakenBack():
            return f"seat {event.seat} takes back {event.amount} from {_words(event.wager)}"
        case e.BetsClosed():
            seats = ", ".join(map(str, event.seats))
            return f"no more bets: round {event.round} begins for seats {seats}"
        case e.CardsShuffled():
            return f"deck {event.deck} is shuffled"
        case e.CardsCut():
            by = f"seat {event.seat}" if event.seat else "the dealer"
            return f"{by} cuts {event.depth} cards from the top"
        case e.CardsDealt():
            how = "face up" if event.face_up else "face down"
            return f"dealt to {_place(event.to)}, {how}: {' '.join(event.cards)}"
        case e.CardsTurned():
            return f"{_place(event.place)} is turned up: {' '.join(event.cards)}"
        case e.CardsMoved():
            what = "1 card goes" if event.count == 1 else f"{event.count} cards go"
            return f"{what} from {_place(event.source)} to {_place(event.to)}"
        case e.Decided():
            return f"seat {event.seat}: {_words(event.decision)}"
        case e.HandsSet():
            return f"seat {event.seat} sets {' '.join(event.three)} and {' '.join(event.two)}"
        case e.WagerSettled():
            return _settled(event)
        case e.WagerReturned():
            return f"seat {event.seat}: {event.amount} returned from {_words(event.wager)}"
        case e.SettlementDue():
            return f"the round comes to {len(event.lines)} payments and collections"
        case e.RoundEnded():
            return f"round {event.round} is over"
        case e.PhaseBegan():
            return f"next: {_words(event.phase)}"
        case e.MeterMoved():
            return f"the {_words(event.meter)} meter shows {event.shows} ({_words(event.why)})"
        case e.ProgressiveCollected():
            return f"{event.count} progressive chips are taken in"
        case e.RoundVoided():
            return f"the round is void: {event.why}"
    return _plain(event)


def _settled(event: e.WagerSettled) -> str:
    stake = f" of {event.stake}" if event.stake != "0.00" else ""
    head = f"seat {event.seat}: {_words(event.wager)}{stake}"
    if event.result in ("lose", "forfeit"):
        return f"{head} is collected"
    if event.result in ("push", "returned"):
        return f"{head} is returned"
    why = f" for {_words(event.outcome)}" if event.outcome else ""
    return f"{head} is paid {event.paid}{f' at {event.odds}' if event.odds else ''}{why}"


def _plain(event: Event) -> str:
    fields: dict[str, Any] = msgspec.to_builtins(event)
    said = ", ".join(
        f"{_words(name)} {' '.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in fields.items()
        if name not in _QUIET and value not in ("", None)
    )
    return _words(str(event.__struct_config__.tag)) + (f": {said}" if said else "")


def _words(name: str) -> str:
    return name.replace("_", " ")


def _place(name: str) -> str:
    kind, _, seat = name.partition(".")
    if not seat:
        return {"discard": "the rack", "dealer_stack": "the dealer's stack"}.get(
            name, f"the {_words(name)}"
        )
    if kind == "deck":
        return f"deck {seat}"
    part = {"seat": "", "three": "three-card hand of ", "two": "showdown hand of "}
    part["fourth"] = "fourth card of "
    return f"{part.get(kind, f'{kind} of ')}seat {seat}"
