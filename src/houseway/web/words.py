"""Events and phases as a person at the table would say them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from houseway.money import cents, spoken
from houseway.table import events as e

PHASES = {
    "closed": "The table is closed.",
    "opening": "The cards are being made ready.",
    "idle": "The cards lie spread; the table waits for a player.",
    "shuffling": "The cards are being shuffled. You may wager already.",
    "cutting": "The cards are being cut. You may wager already.",
    "loading": "The cover card is being placed.",
    "burning": "A card is being burned.",
    "betting": "Place your wagers.",
    "chips": "The progressive chips are being counted.",
    "dealing": "The cards are being dealt.",
    "stub": "The stub goes to the discard rack.",
    "matching": "Match-the-Dealer is being settled.",
    "insuring": "Insurance is open.",
    "reading": "The hole card goes through the reader.",
    "deciding": "The players decide.",
    "collecting": "Forfeited hands are being collected.",
    "revealing": "The dealer's hand is shown.",
    "drawing": "The dealer draws.",
    "settling": "The wagers are being settled.",
    "clearing": "The cards are being cleared away.",
    "trouble": "An irregularity is being put right.",
}


def money(text: str) -> str:
    return spoken(-cents(text[1:])) if text.startswith("-") else spoken(cents(text))


def plain(id: str) -> str:
    return id.replace("_", " ")


_RESULTS = {
    "win": "wins", "lose": "loses", "push": "is a push", "returned": "is returned",
    "forfeit": "is forfeited", "bonus": "pays",
}  # fmt: skip


def _settled(event: e.WagerSettled) -> str:
    paid = f", paid {money(event.paid)}" if cents(event.paid) else ""
    odds = f" at {event.odds}" if event.odds and paid else ""
    return f"Seat {event.seat}: {plain(event.wager)} {_RESULTS.get(event.result, event.result)}{paid}{odds}"


_SAYS: Mapping[type[e.Event], Callable[[Any], str]] = {
    e.TableOpened: lambda _: "The table opened",
    e.DecksReceived: lambda x: f"Deck {x.deck} came to the table",
    e.CardsShuffled: lambda _: "The cards were shuffled",
    e.CardsCut: lambda x: f"Cut by {'seat ' + str(x.seat) if x.seat else 'the dealer'}",
    e.PlayerSat: lambda x: f"Somebody sat down at seat {x.seat}",
    e.PlayerLeft: lambda x: f"Seat {x.seat} is free",
    e.WagerPlaced: lambda x: f"Seat {x.seat}: {money(x.amount)} on {plain(x.wager)}",
    e.WagerTakenBack: lambda x: f"Seat {x.seat} took back {plain(x.wager)}",
    e.BetsClosed: lambda x: f"No more bets: round {x.round}",
    e.StubCounted: lambda x: f"The stub was counted: {x.count} cards",
    e.Decided: lambda x: f"Seat {x.seat}: {plain(x.decision)}",
    e.HandsSet: lambda x: f"Seat {x.seat} set the hands",
    e.HandSplit: lambda x: f"Seat {x.seat} splits",
    e.HandDoubled: lambda x: f"Seat {x.seat} doubles for {money(x.amount)}",
    e.LightShown: lambda x: f"The reader shows {x.light or 'no light'}",
    e.WagerSettled: _settled,
    e.RoundVoided: lambda x: f"The round is void: {x.why}",
    e.WagerReturned: lambda x: f"Seat {x.seat}: {money(x.amount)} on {plain(x.wager)} returned",
    e.RoundEnded: lambda x: f"Round {x.round} is over",
    e.ChipsSold: lambda x: f"Seat {x.seat} bought {money(x.amount)} in chips",
    e.TipGiven: lambda x: f"Seat {x.seat} tipped {money(x.amount)}",
    e.TroubleNoted: lambda x: x.trouble,
    e.DeviceChanged: lambda x: f"The {plain(x.device)} is {x.condition}",
    e.TableClosed: lambda _: "The table closed",
}


def said(events: Iterable[e.Event], most: int = 12) -> list[tuple[str, str]]:
    """The last events in words, each with its clause; what goes without saying is left out."""
    found: list[tuple[str, str]] = []
    for event in events:
        say = _SAYS.get(type(event))
        line = say(event) if say else ""
        if line:
            found.append((line, event.clause))
            if len(found) == most:
                break
    return found
