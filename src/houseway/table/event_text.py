"""An event in one sentence that a person can read: on the page, in a replay, in a playthrough."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from msgspec.structs import replace

from houseway.game_api.round import LOST
from houseway.law import Chapter
from houseway.law.hand_names import hand_words
from houseway.money import payout, signed, spoken
from houseway.table import events as e
from houseway.table.actions import PHASES
from houseway.table.state import UNKNOWN


class PileName(NamedTuple):
    """The name of a pile in sentences; `{seat}` is replaced with "seat 3"."""

    name: str
    #: its name as the place where cards are put, if that differs
    onto: str = ""
    #: whether it is a single card, mentioned without a count
    single: bool = False


#: the names of piles, by the first part of their ids; families add theirs
PILES = {
    "dealer": PileName("the dealer"),
    "dealer_stack": PileName("the dealer's stack", "the dealer's stack in the shoe"),
    "community": PileName("the community cards"),
    "discard": PileName("the rack"),
    "shoe": PileName("the shoe"),
    "shuffler": PileName("the shuffler"),
    "aside": PileName("aside"),
    "seat": PileName("{seat}"),
}


def place(name: str) -> str:
    """`seat.3` as "seat 3", `discard` as "the rack"."""
    kind, _, number = name.partition(".")
    if kind == "deck":
        return f"deck {number}"
    known = PILES.get(kind) or PileName(f"{words(kind)} of {{seat}}" if number else words(name))
    return known.name.format(seat=_seat_of(number))


def _seat_of(number: str) -> str:
    seat, _, hand = number.partition(".")
    return f"seat {seat}" + (f", hand {hand}" if hand else "")


def words(id: str) -> str:
    """The id of a wager, an outcome or a device as words."""
    return NAMES.get(id) or id.replace("_", " ")


#: names that are not the id with spaces; families add theirs
NAMES: dict[str, str] = {}


def money(text: str) -> str:
    return spoken(signed(text))


def _seats(seats: Iterable[int]) -> str:
    return ", ".join(f"seat {seat}" for seat in seats)


def _at(event: Any) -> str:
    """The seat, and the hand if the seat has several."""
    return f"seat {event.seat}" + (f", hand {event.hand}" if event.hand else "")


def hand_at(event: Any) -> str:
    """The same for a hand of blackjack: the first hand is not numbered, as in `place`."""
    return f"seat {event.seat}" + (f", hand {event.hand}" if event.hand > 1 else "")


def _wagers(count: int) -> str:
    return "1 wager" if count == 1 else f"{count} wagers"


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def named(cards: tuple[str, ...]) -> str:
    """The cards, or how many there are if nobody knows them."""
    return _cards(len(cards)) if UNKNOWN in cards else " ".join(cards)


def _chips(tray: dict[str, int]) -> str:
    return spoken(abs(sum(signed(value) * count for value, count in tray.items())))


def _settled(x: e.WagerSettled) -> str:
    stake = f" of {money(x.stake)}" if signed(x.stake) else ""
    head = f"{_at(x)}: {words(x.wager)}{stake}"
    if x.result in LOST:
        return f"{head} is {'lost' if x.result == 'lose' else 'forfeited'}"
    if x.result in ("push", "returned"):
        return f"{head} is returned"
    why = f" for {hand_words(x.outcome)}" if x.outcome not in ("", "win") else ""
    paid = spoken(payout(x.odds, signed(x.stake), signed(x.paid)))
    if x.meter:
        return f"{head} is paid {paid} from the {words(x.meter)} meter{why}"
    odds = f" at {x.odds}" if x.odds and not x.odds.startswith("$") else ""
    return f"{head} is paid {paid}{odds}{why}"


def _stands(line: dict[str, Any]) -> str:
    """What a meter paid in a void round, in words for the floorperson."""
    paid = f"{money(line['from_meter'])} that the {words(line['meter'])} meter paid"
    return f"; {paid} seat {line['seat']} stands"


_PREPARED: dict[str, Callable[[e.DeckPrepared], str]] = {
    "inspected": lambda x: f"deck {x.deck} is inspected for defects",
    "verified": lambda x: f"the inspection of deck {x.deck} is verified",
    "spread": lambda x: f"deck {x.deck} is spread face {'up' if x.face_up else 'down'}",
    "seen": lambda x: f"deck {x.deck} is shown to seat {x.seat}, face {_face(x)}",
    "stacked": lambda x: f"deck {x.deck} is mixed and stacked",
    "shuffled": lambda x: f"deck {x.deck} is ready as it came",
    # stages that were not reached by hand
    "preinspected": lambda x: f"deck {x.deck} was inspected before it came",
    "jammed": lambda x: f"deck {x.deck} is to be shuffled again",
}


def _face(x: e.DeckPrepared) -> str:
    return "up" if x.face_up else "down"


def _onto(name: str) -> str:
    """The destination of cards, in words."""
    kind, _, number = name.partition(".")
    known = PILES.get(kind)
    return known.onto.format(seat=_seat_of(number)) if known and known.onto else place(name)


def _is_single(name: str) -> bool:
    known = PILES.get(name.partition(".")[0])
    return known is not None and known.single


def _moved(x: e.CardsMoved) -> str:
    if _is_single(x.source):
        return f"{place(x.source)} to {_onto(x.to)}"
    if x.source == "shuffler":
        return f"{place(x.to)} comes out of the shuffler"
    return f"{_cards(x.count)} from {place(x.source)} to {_onto(x.to)}"


_DEAD = {
    "not dealt": "no card was dealt to it", "missed": "its card was missed",
    "wrong light": "the light was wrong", "wrong area": "the hole card lay in the wrong area",
}  # fmt: skip


def _out(x: e.HandOut) -> str:
    if x.why == "abandoned":
        return f"the player of seat {x.seat} walked away: the hand is out of the round"
    return f"{the_hand(x)} is dead: {_DEAD.get(x.why, x.why)}"


def the_hand(x: Any) -> str:
    return f"hand {x.hand} of seat {x.seat}" if x.hand else f"the hand of seat {x.seat}"


def _exposed(x: e.CardExposed) -> str:
    seen = "" if x.card in ("", UNKNOWN) else x.card
    if _is_single(x.place):
        return f"{place(x.place)}, {seen}," if seen else place(x.place)
    return f"the dealer's {seen}" if seen else f"a card of {place(x.place)}"


_TROUBLES = {
    "": "that is settled",
    "exposed": "all hands are void: ante and play go back, other wagers are settled",
}


def _decided(x: e.Decided) -> str:
    at = hand_at(x) if x.decision in ("stand", "refused") else _at(x)
    said = {"refused": "refuses the card", "forfeit": "forfeits the hand unseen"}
    return f"{at}: {said.get(x.decision) or words(x.decision)}"


def _difference(x: e.TableClosed) -> str:
    off = signed(x.difference)
    if not off:
        return "as the record has it"
    return f"{spoken(abs(off))} {'over' if off > 0 else 'under'} the record"


_TELL: dict[type[e.Event], Callable[[Any], str]] = {
    e.TableOpened: lambda x: f"table {x.table} opens for {x.chapter}, edition {x.edition}",
    e.PhaseBegan: lambda x: f"— {PHASES[x.phase]} —",
    e.DecksReceived: lambda x: (
        f"deck {x.deck} is received, {len(x.cards)} cards, {x.back} backs"
        + (", preshuffled" if x.preshuffled else "")
    ),
    e.DeckPrepared: lambda x: _PREPARED[x.how or x.stage](x),
    e.DeckRemoved: lambda x: f"deck {x.deck} leaves the table: {x.why}",
    e.CardsShuffled: lambda x: (
        f"deck {x.deck} {'goes' if x.preshuffled else 'is shuffled'} into {place(x.to)}"
    ),
    e.CardsCut: lambda x: (
        f"{f'seat {x.seat}' if x.seat else 'the dealer'} cuts {x.depth} cards from the top"
    ),
    e.CutOffered: lambda x: (
        f"the cut is offered to {_seats(x.seats)}" if x.seats else "nobody is left to cut"
    ),
    e.CutOrdered: lambda x: f"a {'recut' if x.again else 'cut'} is ordered: {x.reason}",
    e.ReshuffleOrdered: lambda x: f"a reshuffle is ordered: {x.reason}",
    e.CoverCardPlaced: lambda x: f"the cover card goes in {x.depth} cards from the bottom",
    e.CoverCardReached: lambda x: f"the cover card is out, before the card to {_onto(x.place)}",
    e.CardsSpread: lambda x: f"deck {x.deck} is spread face {'up' if x.face_up else 'down'}",
    e.DealerChanged: lambda x: f"{x.dealer} deals now",
    e.DeckTurn: lambda x: (
        (f"deck {x.into} comes in, " if x.into else "") + f"deck {x.out} goes to be shuffled"
    ),
    e.PlayerSat: lambda x: f"{x.player} sits down at seat {x.seat}",
    e.PlayerLeft: lambda x: f"the player of seat {x.seat} leaves",
    e.HandOut: _out,
    e.PlayerLetIn: lambda x: f"seat {x.seat} may wager again",
    e.SatOut: lambda x: f"sat out this round: {_seats(x.seats)}",
    e.WagerPlaced: lambda x: f"{_at(x)}: {money(x.amount)} on {words(x.wager)}",
    e.WagerTakenBack: lambda x: f"{_at(x)}: {money(x.amount)} taken back from {words(x.wager)}",
    e.CouponPlaced: lambda x: (
        f"seat {x.seat}: a coupon of {money(x.value)} beside the {words(x.wager)}"
    ),
    e.CouponReturned: lambda x: (
        f"seat {x.seat}: the coupon of {money(x.value)} beside the {words(x.wager)} is given back"
    ),
    e.BetsClosed: lambda x: f"bets are closed: round {x.round} begins with {_seats(x.seats)}",
    e.ProgressiveLocked: lambda x: f"the progressive is locked, {_wagers(x.accepted)} accepted",
    e.ProgressiveUnlocked: lambda _: "the progressive is ready again",
    e.ProgressiveStruck: lambda x: (
        f"{_at(x)}: {money(x.amount)} struck from {words(x.wager)}: {x.reason}"
    ),
    e.ProgressiveCollected: lambda x: (
        f"{x.count} progressive chip{'s go' if x.count != 1 else ' goes'} into the tray"
    ),
    e.MeterMoved: lambda x: f"the {words(x.meter)} meter shows {money(x.shows)} ({x.why})",
    e.CardsDealt: lambda x: (
        f"{named(x.cards)} face {'up' if x.face_up else 'down'} to {_onto(x.to)}"
    ),
    e.CardsMoved: _moved,
    e.CardsTurned: lambda x: f"{place(x.place)}: {named(x.cards)} turned up",
    e.StubCounted: lambda x: f"the stub is counted: {x.count} cards, {x.expected} expected",
    e.Decided: _decided,
    # how many lines there are would tell of hands that nobody has seen
    e.SettlementDue: lambda x: "payouts are calculated" if x.lines else "nothing is due",
    e.PayoutValidated: lambda x: f"{_at(x)}: the {words(x.wager)} win is validated",
    e.WagerSettled: _settled,
    e.RoundVoided: lambda x: f"the round is void: {x.why}" + "".join(map(_stands, x.stands)),
    e.WagerReturned: lambda x: f"{_at(x)}: {words(x.wager)} of {money(x.amount)} is given back",
    e.RoundEnded: lambda x: f"round {x.round} is over",
    e.FaceUpFound: lambda x: f"{x.card} is found face up",
    e.DrawnInError: lambda x: (
        "a card is drawn in error" + (f" and seen: {x.card}" if x.card else ", unseen")
    ),
    e.CardExposed: lambda x: f"{_exposed(x)} is seen too early",
    e.TroubleNoted: lambda x: _TROUBLES.get(x.trouble) or f"noted: {words(x.trouble)}",
    e.DeviceChanged: lambda x: f"the {words(x.device)} is {x.condition}",
    e.DeviceInspected: lambda x: f"the {words(x.device)} is inspected for the day of {x.day}",
    e.ChipsSold: lambda x: f"seat {x.seat} buys {money(x.amount)} in chips",
    e.TipGiven: lambda x: f"seat {x.seat} tips {money(x.amount)}",
    e.TrayFilled: lambda x: f"a fill brings {_chips(x.tray)} to the tray",
    e.TrayCredited: lambda x: f"a credit takes {_chips(x.tray)} to the cage",
    e.CardCorrected: lambda x: f"{place(x.place)}: {x.was} was {x.card}: {x.reason}",
    e.SettlementCorrected: lambda x: (
        f"what was settled so far is {'recalculated' if x.lines else 'undone'}"
    ),
    e.PaymentCorrected: lambda x: (
        f"seat {x.seat} {'gets' if signed(x.amount) > 0 else 'gives back'} "
        f"{spoken(abs(signed(x.amount)))}: {x.reason}"
    ),
    e.TableClosed: lambda x: f"the table closes, {_difference(x)}",
}


def describe(event: e.Event, law: Chapter | None = None) -> str:
    """What happened, in plain words, without who did it and under which clause.

    With the chapter, wagers and meters have the names that it gives them.
    """
    if law is not None:
        about = law.about
        named: dict[str, Callable[[str], str]] = {
            "wager": law.line_name, "meter": law.meter_title,
            "chapter": lambda _: f"{about.game}, {about.jurisdiction}",
        }  # fmt: skip
        event = replace(
            event,
            **{
                field: name(id)
                for field, name in named.items()
                if (id := getattr(event, field, ""))
            },
        )
        if isinstance(event, e.RoundVoided) and event.stands:
            stands = [{**one, "meter": law.meter_title(one["meter"])} for one in event.stands]
            event = replace(event, stands=tuple(stands))
    tell = _TELL.get(type(event))
    return tell(event) if tell else event.text()


def line(event: e.Event, law: Chapter | None = None) -> str:
    """A line of a playthrough: who, what, under which clause."""
    clause = f" [{event.clause}]" if event.clause else ""
    return f"{event.role:<12} {describe(event, law)}{clause}"


def in_public(event: e.Event) -> e.Event:
    """An event as everybody at the table may see it: without names and face-down cards."""
    match event:
        case e.PlayerSat():
            return replace(event, player="somebody")
        case e.CardsDealt(face_up=False):
            return replace(event, cards=(UNKNOWN,) * len(event.cards))
        case e.CardExposed():
            return replace(event, card="")
    return event.in_public()
