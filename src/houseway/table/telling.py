"""An event in one line that a person can read: for playthroughs, a replay, a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from houseway.table import events as e

PLACES = {
    "dealer": "the dealer", "hole": "the hole card", "dealer_stack": "the dealer's stack",
    "community": "the community cards", "discard": "the rack", "shoe": "the shoe",
    "shuffler": "the shuffler", "aside": "aside",
}  # fmt: skip


def place(name: str) -> str:
    """`seat.3` as "seat 3"."""
    if name in PLACES:
        return PLACES[name]
    kind, _, number = name.partition(".")
    if kind == "seat":
        seat, _, hand = number.partition(".")
        return f"seat {seat}, hand {hand}" if hand else f"seat {seat}"
    return f"{ {'fourth': 'fourth card', 'three': 'three cards', 'two': 'showdown hand'}.get(kind, kind) } {number}"


def _hand(event: Any) -> str:
    return f", hand {event.hand}" if event.hand else ""


def _settled(event: e.WagerSettled) -> str:
    head = f"seat {event.seat}{_hand(event)}: {event.wager}"
    if event.result in ("lose", "forfeit"):
        word = "lost" if event.result == "lose" else "forfeited"
        return f"{head} of {event.stake} {word}"
    if event.result in ("push", "returned"):
        return f"{head} of {event.stake} returned"
    odds = f" at {event.odds}" if event.odds else ""
    meter = f", {event.from_meter} from the {event.meter} meter" if event.meter else ""
    return f"{head} paid {event.paid}{odds}{meter}"


_TELL: dict[type[e.Event], Callable[[Any], str]] = {
    e.TableOpened: lambda x: f"table {x.table} opened for {x.chapter}, edition {x.edition}",
    e.PhaseBegan: lambda x: f"— {x.phase} —",
    e.DecksReceived: lambda x: (
        f"deck {x.deck} received, {len(x.cards)} cards, {x.back} backs"
        + (", preshuffled" if x.preshuffled else "")
    ),
    e.DeckPrepared: lambda x: f"deck {x.deck} {x.stage}" + (f" by seat {x.seat}" if x.seat else ""),
    e.DeckRemoved: lambda x: f"deck {x.deck} off the table: {x.why}",
    e.CardsShuffled: lambda x: f"deck {x.deck} shuffled into {place(x.to)}",
    e.CardsCut: lambda x: (
        f"cut {x.depth} from the top by " + (f"seat {x.seat}" if x.seat else "the dealer")
    ),
    e.CutOffered: lambda x: (
        "cut offered to " + (", ".join(f"seat {seat}" for seat in x.seats) or "nobody")
    ),
    e.CutOrdered: lambda x: f"recut ordered: {x.reason}",
    e.ReshuffleOrdered: lambda x: f"reshuffle ordered: {x.reason}",
    e.CoverCardPlaced: lambda x: f"cover card {x.depth} from the bottom",
    e.CoverCardReached: lambda x: f"cover card out, before the card to {place(x.place)}",
    e.CardsSpread: lambda x: f"deck {x.deck} spread face {'up' if x.face_up else 'down'}",
    e.DealerChanged: lambda x: f"{x.dealer} deals now",
    e.DeckTurn: lambda x: f"deck {x.into} in, deck {x.out} to the shuffler",
    e.PlayerSat: lambda x: f"{x.player} sits down at seat {x.seat}",
    e.PlayerLeft: lambda x: f"seat {x.seat} is left",
    e.HandOut: lambda x: f"seat {x.seat} is out: {x.why}",
    e.PlayerLetIn: lambda x: f"seat {x.seat} may wager again",
    e.SatOut: lambda x: "sat out: " + ", ".join(f"seat {seat}" for seat in x.seats),
    e.WagerPlaced: lambda x: f"seat {x.seat}{_hand(x)}: {x.wager} {x.amount}",
    e.WagerTakenBack: lambda x: f"seat {x.seat}{_hand(x)}: {x.wager} {x.amount} taken back",
    e.CouponPlaced: lambda x: f"seat {x.seat}: coupon of {x.value} beside {x.wager}",
    e.BetsClosed: lambda x: (
        f"no more bets: round {x.round}, " + ", ".join(f"seat {seat}" for seat in x.seats)
    ),
    e.ProgressiveLocked: lambda x: f"progressive locked, {x.accepted} wagers accepted",
    e.ProgressiveUnlocked: lambda _: "progressive ready again",
    e.ProgressiveStruck: lambda x: f"seat {x.seat}: {x.wager} struck: {x.reason}",
    e.ProgressiveCollected: lambda x: f"{x.count} progressive chips counted into the tray",
    e.MeterMoved: lambda x: f"{x.meter} meter shows {x.shows} ({x.why})",
    e.CardsDealt: lambda x: f"{' '.join(x.cards)} {'up' if x.face_up else 'down'} to {place(x.to)}",
    e.CardsMoved: lambda x: f"{x.count} cards from {place(x.source)} to {place(x.to)}",
    e.CardsTurned: lambda x: f"{place(x.place)} turned: {' '.join(x.cards)}",
    e.StubCounted: lambda x: f"stub counted: {x.count}, {x.expected} expected",
    e.Decided: lambda x: f"seat {x.seat}{_hand(x)}: {x.decision}",
    e.HandsSet: lambda x: f"seat {x.seat} sets {' '.join(x.three)} | {' '.join(x.two)}",
    e.InsuranceAnswered: lambda x: (
        f"seat {x.seat} " + ("takes even money" if x.even_money else "has answered insurance")
    ),
    e.HandSplit: lambda x: f"seat {x.seat} splits",
    e.HandDoubled: lambda x: f"seat {x.seat}{_hand(x)} doubles for {x.amount}",
    e.LightShown: lambda x: f"the reader shows {x.light}: {x.range}",
    e.TotalAnnounced: lambda x: f"{x.whose} has {'soft' if x.soft else 'hard'} {x.points}",
    e.SettlementDue: lambda x: f"{len(x.lines)} wagers to settle",
    e.PayoutValidated: lambda x: f"seat {x.seat}: {x.wager} win validated",
    e.WagerSettled: _settled,
    e.RoundVoided: lambda x: f"round void: {x.why}",
    e.WagerReturned: lambda x: f"seat {x.seat}{_hand(x)}: {x.wager} {x.amount} given back",
    e.RoundEnded: lambda x: f"round {x.round} over",
    e.FaceUpFound: lambda x: f"{x.card} found face up",
    e.DrawnInError: lambda x: (
        "a card drawn in error" + (f" and seen: {x.card}" if x.card else ", unseen")
    ),
    e.CardExposed: lambda x: f"{x.card} of {place(x.place)} seen too early",
    e.DealtLate: lambda x: f"seat {x.seat} gets its second card after the others",
    e.LateCardDue: lambda x: f"seat {x.seat} gets its missed card after the others",
    e.LightWrong: lambda x: f"the {x.cause} was wrong",
    e.LightSettled: lambda x: f"seat {x.seat}: the dealer has chosen",
    e.TroubleNoted: lambda x: f"noted: {x.trouble}",
    e.DeviceChanged: lambda x: f"{x.device} {x.condition}",
    e.DeviceInspected: lambda x: f"{x.device} inspected",
    e.ChipsSold: lambda x: f"seat {x.seat} buys in for {x.amount}",
    e.TipGiven: lambda x: f"seat {x.seat} tips {x.amount}",
    e.TrayFilled: lambda _: "tray filled",
    e.TrayCredited: lambda _: "chips back to the cage",
    e.CardCorrected: lambda x: f"{place(x.place)}: {x.was} was {x.card}: {x.reason}",
    e.SettlementCorrected: lambda x: f"{len(x.lines)} settled wagers figured again",
    e.PaymentCorrected: lambda x: f"seat {x.seat}: {x.amount} corrected: {x.reason}",
    e.TableClosed: lambda x: f"table closed, {x.difference} over the record",
}


def tell(event: e.Event) -> str:
    """What happened, with its clause."""
    words = _TELL[type(event)](event)
    return f"{words} [{event.clause}]" if event.clause else words
