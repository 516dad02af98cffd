"""The events that only Down Under Blackjack has, and what they do to a table."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec.structs import replace

from houseway.games.down_under.table.state import own, played
from houseway.money import cents
from houseway.table.event_text import hand_at, money, the_hand
from houseway.table.events import Event, Piles
from houseway.table.evolve.cards import interrupted
from houseway.table.evolve.registry import evolves, moved, with_box
from houseway.table.state import (
    UNKNOWN,
    Box,
    Table,
    cards_known,
    exposed_cards,
    hand_pile,
    seat_pile,
)


class InsuranceAnswered(Event, frozen=True, kw_only=True):
    of_seat: ClassVar[bool] = True
    keeps_time: ClassVar[bool] = True
    unsaid: ClassVar[bool] = True

    seat: int
    even_money: bool = False
    declined: bool = False

    def text(self) -> str:
        if self.even_money:
            said = "takes even money"
        else:
            said = "declines insurance" if self.declined else "has answered insurance"
        return f"seat {self.seat} {said}"


class HandSplit(Event, frozen=True, kw_only=True):
    seat: int

    def text(self) -> str:
        return f"seat {self.seat} splits"


class HandDoubled(Event, frozen=True, kw_only=True):
    seat: int
    amount: str
    hand: int = 0

    def text(self) -> str:
        return f"{hand_at(self)} doubles for {money(self.amount)}"


class LightShown(Event, frozen=True, kw_only=True):
    """The reader gave the hole card its range."""

    light: str
    range: str
    #: the area in which the dealer's hand was laid, where it is another than the light's
    area: str = ""

    def text(self) -> str:
        laid = f"; the hand is laid in the area {self.area}" if self.area else ""
        return f"the reader shows {self.light}: {self.range}{laid}"


class TotalAnnounced(Event, frozen=True, kw_only=True):
    follows: ClassVar[bool] = True
    unsaid: ClassVar[bool] = True

    whose: str
    points: int
    soft: bool = False

    def text(self) -> str:
        return f"the {self.whose} has {'soft' if self.soft else 'hard'} {self.points}"


class DealtLate(Event, frozen=True, kw_only=True):
    """A seat that was passed over gets its second card after all others."""

    irregular: ClassVar[bool] = True

    seat: int
    #: the hands were complete by the record: the card that it gave to this seat is the next one
    recorded: bool = False

    def text(self) -> str:
        return f"seat {self.seat} gets its second card after the others"


class BoxPassedOver(Event, frozen=True, kw_only=True):
    """A box was passed over, which was found some cards later: where those cards lie in truth."""

    irregular: ClassVar[bool] = True

    seat: int
    #: the cards of each place that was dealt to
    places: dict[str, tuple[str, ...]]
    #: steps of the deal done
    dealt: int

    def text(self) -> str:
        return f"seat {self.seat} was passed over; the cards since then lie one place farther on"

    def marked(self, piles: Piles, marks: Piles) -> BoxPassedOver:
        """The cards that lie in other places now keep their marks."""
        of_card: dict[str, list[str]] = {}
        for place in filter(_dealt_to, piles):
            for card, mark in zip(piles[place], marks[place], strict=True):
                of_card.setdefault(card, []).append(mark)
        places = {
            name: tuple(of_card[card].pop(0) for card in lie) for name, lie in self.places.items()
        }
        return replace(self, places=places)


class LateCardDue(Event, frozen=True, kw_only=True):
    """A player whose card was missed gets it after all others have acted."""

    irregular: ClassVar[bool] = True

    seat: int
    #: 2: the second hand of a split
    hand: int = 0

    def text(self) -> str:
        return f"{hand_at(self)} gets its missed card after the others"


class LightWrong(Event, frozen=True, kw_only=True):
    """The reader's light, or the area, was wrong: each of these hands goes on or is dead."""

    irregular: ClassVar[bool] = True

    cause: str
    seats: tuple[int, ...]
    #: the area in which the hand was found, where somebody said it
    area: str = ""

    def text(self) -> str:
        if self.cause == "light":
            return "the light was wrong"
        return f"the hole card lay in the wrong area{f', {self.area}' if self.area else ''}"


class LightSettled(Event, frozen=True, kw_only=True):
    """The dealer has chosen for a hand: it goes on, or it is dead."""

    unsaid: ClassVar[bool] = True

    seat: int
    goes_on: bool = True
    #: the one of a split that is dead, where the other goes on
    hand: int = 0

    def text(self) -> str:
        said = "goes on with the decisions made" if self.goes_on else "is called dead"
        return f"{the_hand(self)} {said}"


def _played(table: Table, seat: int, **changes: Any) -> tuple[Box, ...]:
    return with_box(table, seat, own=replace(played(table.boxes[seat - 1]), **changes))


@evolves(InsuranceAnswered)
def _answered(table: Table, event: InsuranceAnswered) -> Table:
    boxes = _played(table, event.seat, even_money=event.even_money)
    state = own(table)
    return moved(
        table, event, boxes=boxes, own=replace(state, answered=(*state.answered, event.seat))
    )


@evolves(HandSplit)
def _split(table: Table, event: HandSplit) -> Table:
    first = f"seat.{event.seat}"
    one, two = table.piles[first]
    return moved(
        table,
        event,
        piles={**table.piles, first: (one,), f"{first}.2": (two,)},
        shown=table.shown | {f"{first}.2"},
        boxes=_played(table, event.seat, split=True),
    )


@evolves(HandDoubled)
def _doubled(table: Table, event: HandDoubled) -> Table:
    doubled = {**played(table.boxes[event.seat - 1]).doubled, event.hand: cents(event.amount)}
    return moved(table, event, boxes=_played(table, event.seat, doubled=doubled))


@evolves(LightShown)
def _light(table: Table, event: LightShown) -> Table:
    reader = replace(table.devices["reader"], shows=event.light)
    state = replace(own(table), area=event.area or event.range)
    return moved(table, event, devices={**table.devices, "reader": reader}, own=state)


@evolves(TotalAnnounced)
def _announced(table: Table, event: TotalAnnounced) -> Table:
    return moved(table, event)


@evolves(DealtLate)
def _dealt_late(table: Table, event: DealtLate) -> Table:
    state = own(table)
    late = (*(seat for seat in state.dealt_late if seat != event.seat), event.seat)
    table = moved(table, event, own=replace(state, dealt_late=late))
    return _next_again(table, seat_pile(event.seat)) if event.recorded else table


def _next_again(table: Table, place: str) -> Table:
    """The last card of a place is the next of the shoe, behind those that lie seen outside it.

    Where cards are keyed in nobody can say which card that is.
    """
    *held, card = table.piles[place]
    out, shoe = len(exposed_cards(table)), table.piles.get("shoe", ())
    top = (card if cards_known(table) else UNKNOWN,)
    piles = {**table.piles, place: tuple(held), "shoe": shoe[:out] + top + shoe[out:]}
    return replace(table, piles=piles, dealt=table.dealt - 1)


@evolves(BoxPassedOver)
def _passed_over(table: Table, event: BoxPassedOver) -> Table:
    others = {name: pile for name, pile in table.piles.items() if not _dealt_to(name)}
    return moved(
        table,
        event,
        piles=others | {place: cards for place, cards in event.places.items() if cards},
        shown=frozenset(name for name in table.shown if not _dealt_to(name)) | event.places.keys(),
        dealt=event.dealt,
    )


def _dealt_to(place: str) -> bool:
    return place == "dealer" or place.startswith("seat.")


@evolves(LateCardDue)
def _late_card(table: Table, event: LateCardDue) -> Table:
    state, place = own(table), hand_pile(event.seat, event.hand)
    return moved(table, event, own=replace(state, late_cards=(*state.late_cards, place)))


@evolves(LightWrong)
def _light_wrong(table: Table, event: LightWrong) -> Table:
    before = own(table)
    found = (*before.light_causes, event.cause)
    state = replace(before, light_seats=event.seats, light_causes=found)
    return moved(table, event, trouble=event.cause, own=state, resume=interrupted(table))


@evolves(LightSettled)
def _light_settled(table: Table, event: LightSettled) -> Table:
    state = own(table)
    left = tuple(seat for seat in state.light_seats if seat != event.seat)
    return moved(table, event, own=replace(state, light_seats=left))
