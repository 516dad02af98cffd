"""A table as it stands: plain, frozen data that `evolve` alone makes.

Cards are texts (`As`), `?` while nobody knows which card it is. Every card is in exactly one pile;
the piles are named after their place: `shoe` (the stack to deal from, in the shoe or in the hand),
`seat.3`, `dealer`, `community`, `discard`, `shuffler`, `deck.1` (on the table before its shuffle).
Money is in cents.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from houseway.money import Cents
from houseway.shown import ShownAsPicture

if TYPE_CHECKING:
    from houseway.table.events import Event

UNKNOWN = "?"
#: the decision of a hand that was called dead while the other of its split plays on
DEAD = "dead"


class Deck(msgspec.Struct, frozen=True):
    """A deck, or a batch of decks, at the table; of two, one is played while the other waits."""

    id: str
    back: str
    received: str
    #: received, inspected, verified, spread, seen, stacked, shuffled
    stage: str
    preshuffled: bool = False
    #: shuffled by hand, or preshuffled, and not cut since
    to_cut: bool = False
    was_cut: bool = False
    face_up: bool = True
    #: a device counted it with its last shuffle
    counted: bool = False
    #: who looked it over for defects: somebody else verifies that
    inspected_by: str = ""


class OwnBox:
    """What a family keeps at a box during a round, in addition to what every box has.

    Like `OwnState`, a frozen struct with this class as its second base and a tag of its own.
    """

    __slots__ = ()

    def without(self, stake: str) -> OwnBox:
        """The state after a stake, named by its key in `wagers`, was taken away."""
        return self


class Box(msgspec.Struct, frozen=True):
    """A betting position: who sits there, and this round's wagers and decisions.

    Wagers are keyed by their id, and by `ante@2` where a seat wagers on several hands.
    """

    seat: int
    player: str = ""
    #: what was wagered in this round, settled or not
    wagers: Mapping[str, Cents] = {}
    #: the chips that lie on the layout now
    layout: Mapping[str, Cents] = {}
    #: the stakes that have ended in this round, and how: the result of a settled line, or `returned`
    ended: Mapping[str, str] = {}
    #: by hand; hand 0 where a seat has one
    decisions: Mapping[int, str] = {}
    #: why the hand no longer takes part: abandoned, or called dead
    out: str = ""
    #: sat out a round of this shoe, where the house lets nobody in mid-shoe
    sat_out: bool = False
    #: what only this game keeps at a box during a round
    own: OwnBox | None = None


class Due(msgspec.Struct, frozen=True):
    """A wager or a bonus that is settled when its turn comes: a `games.round.Line` with its seat."""

    seat: int
    wager: str
    stake: Cents
    result: str
    paid: Cents
    clause: str
    odds: str = ""
    hand: int = 0
    meter: str = ""
    from_meter: Cents = 0
    outcome: str = ""
    validated: bool = False
    #: those who share the meter with it, itself included; 0 once the meter has set its share aside
    winners: int = 1

    @property
    def key(self) -> str:
        return key(self.wager, self.hand)


class Device(msgspec.Struct, frozen=True):
    """A machine at the table: working, jammed, broken; covered, signed or removed when broken."""

    id: str
    condition: str = "working"
    #: what it shows: a light, a screen
    shows: str = ""
    #: gaming day of the last inspection, where the chapter asks for one
    inspected: str = ""


class OwnState:
    """What a family keeps at a table, beside what every table has.

    It is a frozen struct with this class as its second base, `tag_field="family"` and the family as
    its tag: `class WarState(msgspec.Struct, OwnState, frozen=True, tag="war", tag_field="family")`.
    """

    __slots__ = ()

    def after(self, event: Event) -> OwnState | None:
        """The state after an event, its own or a general one; None if there is nothing to keep."""
        return self


#: what families keep at a table and at its boxes, by tag
OWN_STATES: dict[str, type[OwnState | OwnBox]] = {}


def restore(kind: type, given: Any) -> Any:
    """Decode what a family keeps, for a decoder of tables (`dec_hook`)."""
    if kind not in (OwnState, OwnBox):
        raise TypeError(f"a table holds no {kind.__name__}")
    return msgspec.convert(given, OWN_STATES[given["family"]], str_keys=True)


class Table(msgspec.Struct, ShownAsPicture, frozen=True):
    """Everything that is true at one table now."""

    version: int = 0
    #: when the last event happened: no later command is stamped earlier
    at: str = ""
    name: str = ""
    chapter: str = ""
    edition: str = ""
    edition_hash: str = ""
    #: the rules file, every default written out
    rules: Mapping[str, Any] = {}
    rules_hash: str = ""
    #: the facility's time zone, and when its gaming day begins there
    zone: str = ""
    day_begins: str = ""
    #: where the procedure stands: closed, opening, idle, shuffling, cutting, loading, burning,
    #: betting, chips, dealing, stub, matching, insuring, reading, deciding, collecting,
    #: revealing, drawing, settling, clearing, closing
    phase: str = "closed"
    #: rounds begun since the table opened
    round: int = 0
    rounds_since_count: int = 0
    dealer: str = ""
    #: who has not burned a card yet, where the chapter has new dealers do so
    new_dealer: bool = False
    decks: Mapping[str, Deck] = {}
    #: the deck that is played now
    in_play: str = ""
    piles: Mapping[str, tuple[str, ...]] = {}
    #: decks whose order was the system's and cannot be read any more, until they are shuffled
    lost_decks: frozenset[str] = frozenset()
    #: piles that lie face up
    shown: frozenset[str] = frozenset()
    #: where real cards are keyed in: who ("": everybody) has seen which cards of piles that lie face
    #: down now, and of the rack
    seen: Mapping[str, Mapping[str, tuple[str, ...]]] = {}
    #: hands of the round as they went to the rack, for a question or a dispute
    racked: Mapping[str, tuple[str, ...]] = {}
    boxes: tuple[Box, ...] = ()
    #: steps of the deal done in this round
    dealt: int = 0
    #: the seats dealt in, once the deal has begun
    hands: tuple[int, ...] = ()
    #: who sat at each of them when the bets were closed: the round's results are theirs, whoever
    #: sits there when it is over
    holders: Mapping[int, str] = {}
    due: tuple[Due, ...] = ()
    #: what was settled in this round
    settled: tuple[Due, ...] = ()
    #: chips in the table inventory container, by value in cents
    tray: Mapping[Cents, int] = {}
    #: what each person has moved by fills and credits since the table opened
    filled: Mapping[str, Cents] = {}
    #: cash in the drop box and chips in the tip box
    drop: Cents = 0
    tips: Cents = 0
    #: exact holdings of each meter, "n/d" in cents
    meters: Mapping[str, str] = {}
    #: hidden reserves of meters, exactly; no view shows them
    reserves: Mapping[str, str] = {}
    locked: bool = False
    devices: Mapping[str, Device] = {}
    #: cards found face up in this round
    face_up: int = 0
    #: the next card of the shoe, where everybody has seen it, and those behind it that were seen too
    aside: str = ""
    aside_behind: tuple[str, ...] = ()
    #: how many cards lie behind the cover card of a shoe, and where it came out
    cover_card: int = 0
    cover_at: str = ""
    #: rounds begun since this shoe was shuffled
    shoe_rounds: int = 0
    #: who is offered the cut, seats in order, and why the shuffle was made
    cut_offers: tuple[int, ...] = ()
    #: who cut last (0: the dealer), and who would have been offered the cut after
    cut_by: int = 0
    cut_next: tuple[int, ...] = ()
    shuffle_for: str = "opening"
    #: the phase that goes on after an interruption (a cut, hands put right); of an interruption
    #: within another the innermost first, with spaces between
    resume: str = ""
    #: what went wrong in this round and changes its end
    trouble: str = ""
    first_player: int = 0
    #: seats that are taken, in the order in which their players came
    arrived: tuple[int, ...] = ()
    #: what only this family of games keeps; its first event makes it
    own: OwnState | None = None


def cards_known(table: Table) -> bool:
    """Whether the system knows every card of the deck in play: its own shoe supplied the order."""
    return bool(table.in_play) and not any(
        UNKNOWN in pile
        for name, pile in table.piles.items()
        if name != "shuffler" and (not name.startswith("deck.") or name == f"deck.{table.in_play}")
    )


def order_is_lost(table: Table) -> bool:
    """Whether the order of the cards in the shoe is no longer known to anybody."""
    return table.in_play in table.lost_decks


def exposed_cards(table: Table) -> tuple[str, ...]:
    """The exposed cards outside the shoe, which are the next to be dealt, in order."""
    return (table.aside, *table.aside_behind) if table.aside else ()


def key(wager: str, hand: int = 0) -> str:
    return f"{wager}@{hand}" if hand else wager


@lru_cache(maxsize=256)
def wager_of(key: str) -> tuple[str, int]:
    """The wager and the hand that a key names."""
    wager, _, hand = key.partition("@")
    return wager, int(hand or 0)


@lru_cache(maxsize=256)
def seat_pile(seat: int, hand: int = 0) -> str:
    return f"seat.{seat}.{hand}" if hand else f"seat.{seat}"


def hand_pile(seat: int, hand: int) -> str:
    """Where a hand of Down Under lies: as it was dealt, or beside that, the second of a split."""
    return seat_pile(seat, 2 if hand == 2 else 0)


def stake_of(box: Box, wager: str, hand: int) -> str:
    """The stake that a line is about, by its key in `wagers`; a bet that was split is settled by hand.

    Nothing where the line has no stake of its own, as a bonus.
    """
    if hand and (name := key(wager, hand)) in box.wagers:
        return name
    return wager if wager in box.wagers else ""


def is_open(box: Box, line: Due) -> bool:
    """Whether a line may still be carried out: its stake has not ended, or it has none."""
    return not line.stake or stake_of(box, line.wager, line.hand) not in box.ended


def open_stakes(box: Box) -> tuple[str, ...]:
    """The stakes of a box that have not ended, by their keys in `wagers`."""
    return tuple(name for name in box.wagers if name not in box.ended)
