"""What to draw of a round: a view of the table, and nothing else.

A view is filled by whoever knows what its reader may see; a card that the reader may not see is a
card without a face. The drawing shows what the view holds, so it cannot show more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from houseway.cards import Card
from houseway.money import Cents

Role = Literal["public", "seat", "dealer", "floor"]
Back = Literal["red", "blue"]
Result = Literal["", "win", "lose", "push"]


@dataclass(frozen=True, slots=True)
class CardView:
    """A card on the table. Without a face it lies face down."""

    face: Card | None = None
    back: Back = "red"
    #: laid across, as the one card of a double down
    sideways: bool = False
    #: a corner bent up to be looked at
    squeezed: bool = False
    #: one of the cards that make the hand
    marked: bool = False


@dataclass(frozen=True, slots=True)
class HandView:
    """Cards that lie in one area, such as `cards` or `dealer_cards`."""

    cards: tuple[CardView, ...]
    place: str = "cards"
    #: its total or its name: "17", "Pair of nines"
    says: str = ""
    result: Result = ""
    folded: bool = False
    active: bool = False
    #: which of the common hands that players wager on
    number: int = 0


@dataclass(frozen=True, slots=True)
class ChipsView:
    """Chips in a betting area, and what is happening to them."""

    area: str
    amount: Cents
    state: Literal["placed", "paid", "collected", "returned"] = "placed"
    #: which hand they belong to where a seat plays two
    hand: int = 0
    #: the wager, where it lies in the area of another one
    wager: str = ""
    #: what people call the wager
    name: str = ""
    #: laid beside the stake that it raises
    raises: bool = False

    @property
    def id(self) -> str:
        """The id of the wager that the chips belong to."""
        return self.wager or self.area


@dataclass(frozen=True, slots=True)
class SeatView:
    """One position: who plays there, the cards, the chips."""

    seat: int
    player: str = ""
    hands: tuple[HandView, ...] = ()
    chips: tuple[ChipsView, ...] = ()
    #: areas where a wager may be placed now
    open: tuple[str, ...] = ()
    #: progressive wagers that the position's sensor has acknowledged
    sensed: tuple[str, ...] = ()
    active: bool = False
    #: a line for the seat: what the player is up or down, "lost connection"
    note: str = ""
    #: what was paid there, by wager and odds: ("pair_plus", "35 to 1")
    won: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class DevicesView:
    """What the devices on the dealer's side show."""

    #: cards in the shoe or the deck; None where nobody knows
    stub: int | None = None
    discards: int = 0
    back: Back = "red"
    cover_card_out: bool = False
    #: which light of the card reader is on, by the range that it stands for
    light: str = ""
    shuffling: bool = False
    #: progressive wagers are locked out
    locked: bool = False
    #: equipment that carries an out-of-order sign
    out_of_order: tuple[str, ...] = ()
    #: what the shuffler's screen shows, line by line
    shown: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class MeterView:
    name: str
    amount: Cents


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as one reader sees it."""

    seats: tuple[SeatView, ...] = ()
    #: the dealer's cards and community cards
    table: tuple[HandView, ...] = ()
    devices: DevicesView = field(default_factory=DevicesView)
    meters: tuple[MeterView, ...] = ()
    #: what the dealer last said: "No more bets"
    notice: str = ""
    #: the reader's own seat
    own: int | None = None

    def hands(self) -> tuple[HandView, ...]:
        """Every hand on the table."""
        return (*self.table, *(hand for seat in self.seats for hand in seat.hands))

    def faces(self) -> frozenset[Card]:
        """Every card whose face is shown."""
        return frozenset(
            card.face for hand in self.hands() for card in hand.cards if card.face is not None
        )
