"""The fair-deal proof at a table: which sealed position each card on the table came from.

Only `evolve` says where the cards are. A second table is played along with the first, event by
event, in which every card is the number of its seal and its sealed position, `3:17`, instead of a
rank and a suit. Where a card is exposed on the first table, the second says which position is to be
opened. Cards whose order nobody knew have no seal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from houseway.errors import Refused
from houseway.store.security.fair_deal import (
    Opening,
    commit,
    open_positions,
    permutation,
    sealed_order,
)
from houseway.table import Event, Table, evolve
from houseway.table import events as e
from houseway.table.state import UNKNOWN

COMMITTED, SECRET, OPENED, FINISHED = (
    "deal_committed", "deal_secret", "deal_opened", "deal_finished",
)  # fmt: skip
#: of a shuffle that is still to be made: its sealed order, and the players' numbers
NEXT_COMMITTED, NEXT_SECRET, NUMBER_ADDED = "shuffle_committed", "shuffle_secret", "number_added"
KINDS = frozenset((COMMITTED, SECRET, OPENED, FINISHED, NEXT_COMMITTED, NEXT_SECRET, NUMBER_ADDED))

#: characters of a player's number
LONGEST_NUMBER = 64


class Exposed(msgspec.Struct, frozen=True, order=True):
    """A card that everybody at the table has seen, and the sealed position it came from."""

    seal: int
    position: int
    card: str


class DealProofState(msgspec.Struct, frozen=True):
    """A table, and beside it the same table played with sealed positions for cards."""

    table: Table = Table()
    marks: Table = Table()
    #: how many shuffles were sealed, and which seal each deck is under; `1/3` is an older seal of
    #: deck 1, with cards on the table while the discards were made a shoe
    sealed: int = 0
    seals: Mapping[str, int] = {}
    #: what was exposed since the last round ended
    exposed: frozenset[Exposed] = frozenset()


def follow(before: DealProofState, event: Event, table: Table | None = None) -> DealProofState:
    """Both tables after an event, and what it exposed; `table` where it is known already."""
    if isinstance(event, e.TableOpened):
        # a table that reopens has no cards yet, and counts its seals from 1
        before = DealProofState()
    over = finished(before, event)
    sealed = before.sealed
    seals = {deck: seal for deck, seal in before.seals.items() if seal not in over}
    if new_order(before, event):
        assert isinstance(event, e.CardsShuffled)
        sealed += 1
        if event.deck in seals:
            seals[f"{event.deck}/{seals[event.deck]}"] = seals[event.deck]
        seals[event.deck] = sealed
    marks = evolve(before.marks, _marked(before, event, sealed))
    if table is None:
        table = evolve(before.table, event)
    exposed = before.exposed
    if isinstance(event, e.RoundEnded):
        exposed = frozenset()
    else:
        exposed |= frozenset(_exposed(table, marks, event))
    return DealProofState(table, marks, sealed, seals, exposed)


def new_order(before: DealProofState, event: Event) -> bool:
    """Whether an event puts a deck into a known order that is to be sealed."""
    if not isinstance(event, e.CardsShuffled) or UNKNOWN in event.cards:
        return False
    return not _same_order(before, event)


def _same_order(before: DealProofState, event: e.CardsShuffled) -> bool:
    """A sealed pile that only changes its place, as from the shuffler into the shoe."""
    if len(event.gathered) != 1:
        return False
    place = event.gathered[0]
    marks = before.marks.piles.get(place, ())
    return UNKNOWN not in marks and before.table.piles.get(place) == event.cards


def finished(before: DealProofState, event: Event) -> tuple[int, ...]:
    """The seals that are over: their cards are gathered, removed or spread, or the table closes."""
    if isinstance(event, e.TableClosed):
        return tuple(before.seals.values())
    if isinstance(event, e.CardsShuffled) and _same_order(before, event):
        return ()
    match event:
        case e.CardsShuffled(gathered=taken) | e.CardsSpread(gathered=taken):
            pass
        case e.DeckRemoved(piles=taken):
            pass
        case _:
            return ()
    # a hole card may lie on the table while the discards are shuffled: its seal stays closed
    lying = {
        mark.partition(":")[0]
        for name, pile in before.marks.piles.items()
        if name not in taken
        for mark in pile
    }
    of_deck = (seal for name, seal in before.seals.items() if name.partition("/")[0] == event.deck)
    return tuple(sorted(seal for seal in of_deck if str(seal) not in lying))


def _marked(before: DealProofState, event: Event, sealed: int) -> Event:
    """The event as it happens at the table of marks."""
    marks = before.marks.piles
    match event:
        case e.CardsShuffled():
            if _same_order(before, event):
                return replace(event, cards=marks[event.gathered[0]])
            if UNKNOWN in event.cards:
                return event
            return replace(event, cards=tuple(f"{sealed}:{n}" for n in range(len(event.cards))))
        case e.CardsDealt():
            return replace(event, cards=marks["shoe"][event.behind :][: len(event.cards)])
        case e.CardsTurned():
            held = before.table.piles[event.place]
            if UNKNOWN in held or len(set(held)) < len(held):
                return replace(event, cards=marks[event.place])
            # the dealer may have laid them out in another order
            of_card = dict(zip(held, marks[event.place], strict=True))
            return replace(event, cards=tuple(of_card[card] for card in event.cards))
        case e.CardExposed():
            # it stays where it lies, under its seal or none
            return replace(event, card=UNKNOWN)
        case e.CardCorrected():
            # what was keyed in wrongly had no seal, and has none when it is put right
            return replace(event, was=UNKNOWN, card=UNKNOWN)
    own = event.marked(before.table.piles, marks)
    if own is not event:
        return own
    if "cards" in event.__struct_fields__:
        cards: tuple[str, ...] = event.cards  # type: ignore[attr-defined]
        return replace(event, cards=(UNKNOWN,) * len(cards))
    return event


def _exposed(table: Table, marks: Table, event: Event) -> Iterator[Exposed]:
    """The cards that lie face up because of an event, where they are under a seal."""
    match event:
        case e.CardsTurned():
            place = event.place
        case e.CardsDealt(face_up=True) | e.CardsMoved(face_up=True):
            place = event.to
        case _:
            return
    for card, mark in zip(table.piles[place], marks.piles[place], strict=True):
        if ":" in mark:
            seal, _, position = mark.partition(":")
            yield Exposed(int(seal), int(position), card)


# what is put on record


class Secret(msgspec.Struct, frozen=True):
    """A seal that is not finished: the order dealt and the seed, known to the house alone."""

    order: tuple[str, ...]
    seed: str
    #: where players added numbers: these, and the root that was sealed before them
    numbers: tuple[str, ...] = ()
    root: str = ""

    def open(self, positions: Iterable[int]) -> tuple[Opening, ...]:
        """Open these positions of the dealt order."""
        sealed = sealed_order(self.order, self.root, self.numbers)
        places = permutation(self.root, self.numbers, len(self.order))
        return open_positions(sealed, bytes.fromhex(self.seed), [places[at] for at in positions])


class NextShuffle(msgspec.Struct, frozen=True):
    """The order sealed for a shuffle that is still to be made, and what players add to it."""

    number: int
    root: str
    #: empty where the key is not here
    order: tuple[str, ...] = ()
    seed: str = ""
    #: `3:some text`, the seat and what its player gave, in the order of the record
    numbers: tuple[str, ...] = ()
    people: tuple[str, ...] = ()


def check_number(number: str) -> None:
    """Refuse a player's number that could not be written down and read again."""
    if (
        not number
        or len(number) > LONGEST_NUMBER
        or not (number.isascii() and number.isprintable())
    ):
        raise Refused(
            "not_a_number",
            f"give 1 to {LONGEST_NUMBER} letters, digits or signs",
            field="number",
        )


def committed(seal: int, deck: str, secret: Secret, follows: NextShuffle | None) -> dict[str, Any]:
    """The body of a commitment; `follows` is the sealed order that the shuffle was made from."""
    told = {"seal": seal, "deck": deck, "count": len(secret.order)}
    if follows is None:
        return {**told, "root": commit(secret.order, bytes.fromhex(secret.seed))}
    return {
        **told, "root": follows.root, "shuffle": follows.number, "numbers": follows.numbers,
    }  # fmt: skip


def opened(round: int, exposed: Iterable[Exposed], secrets: Mapping[int, Secret]) -> dict[str, Any]:
    """The openings of a round: of each exposed card, and of no other."""
    by_seal: dict[int, list[int]] = {}
    for one in sorted(exposed):
        by_seal.setdefault(one.seal, []).append(one.position)
    return {
        "round": round,
        "seals": [
            {
                "seal": seal,
                "openings": msgspec.to_builtins(secrets[seal].open(positions)),
            }
            for seal, positions in by_seal.items()
        ],
    }


class SealOpenings(msgspec.Struct, frozen=True):
    """The openings under one seal, as they stand in a `deal_opened` event."""

    seal: int
    openings: tuple[Opening, ...]


class Opened(msgspec.Struct, frozen=True):
    """The body of a `deal_opened` event."""

    round: int
    seals: tuple[SealOpenings, ...]
