"""Events: what happened. The record of a table is these and nothing else.

An event carries everything that `evolve` needs, amounts and clauses included, so a record reads the
same even if the chapter's data change later. Money is text, cards are texts, chips are counted by
value; the JSON tag of each event outlives the name of its class.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, reduce
from operator import or_
from typing import Any, ClassVar

import msgspec

from houseway.decode_errors import decode_error
from houseway.table.commands import snake

Piles = Mapping[str, tuple[str, ...]]


class Event(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="event",
    tag=snake,
):
    """What every event carries: the version it makes, when, who in which role, by which clause.

    An event of a family states here what other code needs to know about it; general events are
    matched by type instead.
    """

    #: what one seat does without changing anything for the others
    of_seat: ClassVar[bool] = False
    #: it does not extend the time for a decision
    keeps_time: ClassVar[bool] = False
    #: something to report to the floor
    irregular: ClassVar[bool] = False
    #: a consequence of another event, not an act of its own
    follows: ClassVar[bool] = False
    #: it is left out of the log that players read
    unsaid: ClassVar[bool] = False

    version: int
    at: str
    role: str
    who: str = ""
    clause: str = ""

    def text(self) -> str:
        """What happened, in a sentence; by default the words of the event's name.

        `event_text` has the sentences of the general events.
        """
        return snake(type(self).__name__).replace("_", " ")

    def in_public(self) -> Event:
        """The event as everybody at the table may have it: no card that lies face down."""
        return self

    def marked(self, piles: Piles, marks: Piles) -> Event:
        """The event with marks instead of cards, for the proof of a fair deal.

        `piles` are the cards on the table before it, `marks` the mark of each in its place.
        """
        return self


class TableOpened(Event, frozen=True, kw_only=True):
    table: str
    chapter: str
    edition: str
    edition_hash: str
    rules: dict[str, Any]
    rules_hash: str
    seats: int
    tray: dict[str, int]
    meters: dict[str, str]
    devices: tuple[str, ...]
    dealer: str = ""
    zone: str
    day_begins: str


class PhaseBegan(Event, frozen=True, kw_only=True):
    """The table entered another phase."""

    phase: str


class DecksReceived(Event, frozen=True, kw_only=True):
    deck: str
    back: str
    cards: tuple[str, ...]
    preshuffled: bool = False
    #: it replaces the deck that was to be played next
    replaces: bool = False


class DeckPrepared(Event, frozen=True, kw_only=True):
    """A deck reached the next stage of the opening: inspected, verified, spread, seen, stacked."""

    deck: str
    stage: str
    face_up: bool = True
    seat: int = 0
    #: how it reached the stage if not by hand: `preinspected`, `jammed`
    how: str = ""


class DeckRemoved(Event, frozen=True, kw_only=True):
    """A deck left the table, with all its cards from these piles."""

    deck: str
    why: str
    piles: tuple[str, ...]


class CardsShuffled(Event, frozen=True, kw_only=True):
    """Cards of a deck, gathered from these piles, now stand in this order."""

    deck: str
    gathered: tuple[str, ...]
    to: str
    cards: tuple[str, ...]
    to_cut: bool = False
    count: int | None = None
    preshuffled: bool = False


class CardsCut(Event, frozen=True, kw_only=True):
    depth: int
    seat: int = 0


class CutOffered(Event, frozen=True, kw_only=True):
    """The cut is offered to these seats in this order; the dealer cuts if there are none."""

    seats: tuple[int, ...]


class CutOrdered(Event, frozen=True, kw_only=True):
    """The cards must be cut during play: again, or because the shoe ran out."""

    reason: str
    seats: tuple[int, ...] = ()
    again: bool = True


class ReshuffleOrdered(Event, frozen=True, kw_only=True):
    reason: str


class CoverCardPlaced(Event, frozen=True, kw_only=True):
    depth: int


class CoverCardReached(Event, frozen=True, kw_only=True):
    """The cover card came out of the shoe, where a card was to go to this place."""

    place: str


class CardsSpread(Event, frozen=True, kw_only=True):
    """The idle table: cards from shoe and rack lie spread."""

    deck: str
    gathered: tuple[str, ...]
    cards: tuple[str, ...]
    face_up: bool = False


class DealerChanged(Event, frozen=True, kw_only=True):
    dealer: str


class DeckTurn(Event, frozen=True, kw_only=True):
    """The decks change places: the waiting one is played, the other goes to be shuffled.

    No deck comes in if the waiting one was taken off the table; its replacement will.
    """

    out: str
    into: str


class PlayerSat(Event, frozen=True, kw_only=True):
    seat: int
    player: str


class PlayerLeft(Event, frozen=True, kw_only=True):
    seat: int


class HandOut(Event, frozen=True, kw_only=True):
    """A hand is out of the round: abandoned, or dead."""

    seat: int
    why: str
    #: one hand of a split, the other plays on; 0: all that the seat has
    hand: int = 0


class PlayerLetIn(Event, frozen=True, kw_only=True):
    seat: int


class SatOut(Event, frozen=True, kw_only=True):
    """These seats made no wager in this round of the shoe."""

    seats: tuple[int, ...]


class WagerPlaced(Event, frozen=True, kw_only=True):
    seat: int
    wager: str
    amount: str
    hand: int = 0
    verbal: bool = False


class WagerTakenBack(Event, frozen=True, kw_only=True):
    seat: int
    wager: str
    amount: str
    hand: int = 0


class CouponPlaced(Event, frozen=True, kw_only=True):
    seat: int
    wager: str
    value: str


class CouponReturned(Event, frozen=True, kw_only=True):
    """A match play coupon goes back to the player, with the wager it stood beside."""

    seat: int
    wager: str
    value: str


class BetsClosed(Event, frozen=True, kw_only=True):
    """No more bets: the round begins with the hands of these seats."""

    round: int
    seats: tuple[int, ...]


class ProgressiveLocked(Event, frozen=True, kw_only=True):
    accepted: int


class ProgressiveUnlocked(Event, frozen=True, kw_only=True):
    """END GAME was pressed: the progressive system is ready for the next round."""


class ProgressiveStruck(Event, frozen=True, kw_only=True):
    seat: int
    wager: str
    amount: str
    reason: str
    hand: int = 0


class ProgressiveCollected(Event, frozen=True, kw_only=True):
    """The chips of the progressive wagers were counted and put into the tray."""

    count: int
    wagers: tuple[tuple[int, str, str], ...]
    tray: dict[str, int]


class MeterMoved(Event, frozen=True, kw_only=True):
    """A meter grew, shrank after a void, was paid or reset: what it holds now, exactly."""

    meter: str
    holds: str
    shows: str
    why: str
    #: its hidden reserve
    reserve: str = "0"


class CardsDealt(Event, frozen=True, kw_only=True):
    """Cards were dealt from the shoe to a place."""

    to: str
    cards: tuple[str, ...]
    face_up: bool = False
    #: steps of the deal done with it: none for a draw, a burn or a discard, more where dead hands
    #: are passed over
    step: int = 1
    #: so many cards that everybody has seen come before it, and wait
    behind: int = 0


class CardsMoved(Event, frozen=True, kw_only=True):
    """The last cards of a pile, or all of it, went to another."""

    source: str
    to: str
    count: int
    face_up: bool = False


class CardsTurned(Event, frozen=True, kw_only=True):
    """A pile was turned face up, and these are its cards."""

    place: str
    cards: tuple[str, ...]


class StubCounted(Event, frozen=True, kw_only=True):
    count: int
    expected: int
    misdealt: bool | None = None


class Decided(Event, frozen=True, kw_only=True):
    seat: int
    decision: str
    hand: int = 0


class SettlementDue(Event, frozen=True, kw_only=True):
    """The results of the round, in order of settlement."""

    lines: tuple[dict[str, Any], ...]


class PayoutValidated(Event, frozen=True, kw_only=True):
    seat: int
    wager: str
    hand: int = 0


class WagerSettled(Event, frozen=True, kw_only=True):
    """One wager or bonus: the outcome for its stake, and what was paid in addition."""

    seat: int
    wager: str
    stake: str
    result: str
    paid: str
    odds: str = ""
    hand: int = 0
    meter: str = ""
    from_meter: str = ""
    outcome: str = ""
    #: chips that went into the tray, and with a minus those that came out
    tray: dict[str, int] = {}


class RoundVoided(Event, frozen=True, kw_only=True):
    why: str
    #: lines that a meter has paid: they stand, and their wagers are not returned
    stands: tuple[dict[str, Any], ...] = ()


class WagerReturned(Event, frozen=True, kw_only=True):
    seat: int
    wager: str
    amount: str
    hand: int = 0
    tray: dict[str, int] = {}


class RoundEnded(Event, frozen=True, kw_only=True):
    round: int
    #: whether the deck in play is shuffled before the next
    to_shuffle: bool = True


class FaceUpFound(Event, frozen=True, kw_only=True):
    card: str


class DrawnInError(Event, frozen=True, kw_only=True):
    """A card was drawn in error: unseen it is the next card; seen, it is named and offered as that."""

    card: str = ""
    #: so many cards that everybody has seen come before it
    behind: int = 0


class CardExposed(Event, frozen=True, kw_only=True):
    """A dealer's card was seen too early."""

    place: str
    card: str


class TroubleNoted(Event, frozen=True, kw_only=True):
    """An irregularity waits for a decision; empty when it is over."""

    trouble: str = ""


class DeviceChanged(Event, frozen=True, kw_only=True):
    device: str
    condition: str
    shows: str = ""


class DeviceInspected(Event, frozen=True, kw_only=True):
    device: str
    day: str


class ChipsSold(Event, frozen=True, kw_only=True):
    seat: int
    amount: str
    tray: dict[str, int]


class TipGiven(Event, frozen=True, kw_only=True):
    seat: int
    amount: str


class TrayFilled(Event, frozen=True, kw_only=True):
    tray: dict[str, int]


class TrayCredited(Event, frozen=True, kw_only=True):
    tray: dict[str, int]


class CardCorrected(Event, frozen=True, kw_only=True):
    place: str
    was: str
    card: str
    reason: str
    #: which card of the place, from 1
    number: int = 0


class SettlementCorrected(Event, frozen=True, kw_only=True):
    """The wagers settled so far, recalculated with the right card; payments follow that correct the
    difference.
    """

    lines: tuple[dict[str, Any], ...]


class PaymentCorrected(Event, frozen=True, kw_only=True):
    """Corrects a wrong payment; a negative amount was given back by the player."""

    seat: int
    amount: str
    reason: str
    tray: dict[str, int]


class TableClosed(Event, frozen=True, kw_only=True):
    count: dict[str, int]
    #: the count less what the record says
    difference: str


#: every event, by its JSON tag; those of a family are added with what they do to a table
EVENTS: dict[str, type[Event]] = {snake(kind.__name__): kind for kind in Event.__subclasses__()}


@cache
def _decoder() -> msgspec.json.Decoder[Event]:
    """Reads the events of every family; it is made when all are loaded."""
    return msgspec.json.Decoder(reduce(or_, EVENTS.values()))


def read_event(data: bytes | str) -> Event:
    """An event from its JSON."""
    try:
        return _decoder().decode(data)
    except msgspec.MsgspecError as error:
        raise decode_error(error, "not_an_event", "event", data) from None
