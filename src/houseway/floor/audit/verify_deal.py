"""`verify-deal`: prove that a round was dealt from the order that was sealed before its bets."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from houseway.floor.deal_proof import (
    COMMITTED,
    FINISHED,
    NEXT_COMMITTED,
    NUMBER_ADDED,
    OPENED,
    DealProofState,
    Exposed,
    Opened,
    follow,
)
from houseway.floor.recorded_table import table_event
from houseway.floor.streams import stream
from houseway.law import DOWN_UNDER, cites
from houseway.store import Event as Recorded
from houseway.store import Log, digest
from houseway.store.security.fair_deal import holds, holds_whole, permutation, sealed_order
from houseway.table import events as e
from houseway.table.state import UNKNOWN


class Check(msgspec.Struct, frozen=True):
    """One thing that was checked."""

    check: str
    holds: bool
    says: str


class DealVerdict(msgspec.Struct, frozen=True):
    """Whether a round's deal is proved; `sealed` is how many exposed cards are under a seal."""

    round: str
    proved: bool
    exposed: int
    sealed: int
    checks: tuple[Check, ...]


class _Ahead(msgspec.Struct):
    """What was sealed for the next shuffle, and the numbers that players added since."""

    version: int
    number: int
    root: str
    count: int
    numbers: tuple[str, ...] = ()


class _Seal(msgspec.Struct):
    version: int
    root: str
    count: int
    order: tuple[str, ...]
    pack: tuple[str, ...]
    seed: str | None = None
    #: shuffled in the middle of a round, when only a part of the deck is there to be shuffled
    in_round: bool = False
    #: the numbers that the seal names, those that players had added, and whether they agree
    numbers: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    ahead_at: int = 0
    follows: bool = True

    @property
    def sealed(self) -> tuple[str, ...]:
        """The order that was sealed, before the players' numbers rearranged it."""
        return sealed_order(self.order, self.root, self.numbers)


def verify_deal(log: Log, round: dict[str, Any]) -> DealVerdict:
    """Read the table from its opening to the round, and check the round's openings against it."""
    walk = _Walk(round)
    name = stream(round["table"])
    for recorded in log.read(name, round["opening"] - 1):
        walk.take(recorded)
        if recorded.version > round["last"] and walk.is_over():
            break
    return walk.verdict()


class _Walk:
    """The table followed from its opening, with what the proof needs to know."""

    def __init__(self, round: dict[str, Any]) -> None:
        self._round = round
        self._marked = DealProofState()
        self._seals: dict[int, _Seal] = {}
        self._packs: dict[str, tuple[str, ...]] = {}
        self._order: tuple[str, ...] = ()
        self._left: tuple[str, ...] = ()
        self._exposed: frozenset[Exposed] = frozenset()
        self._seen = 0
        self._opened: list[tuple[int, Any]] = []
        self._ahead: _Ahead | None = None
        self._link: bytes | None = None
        self._broken = 0

    def take(self, recorded: Recorded) -> None:
        self._check_link(recorded)
        event = table_event(recorded)
        if event is not None:
            if isinstance(event, e.TableOpened) and recorded.version > self._round["opening"]:
                return
            if recorded.version == self._round["last"]:
                # a known order that was never sealed proves nothing
                self._exposed = frozenset(
                    one for one in self._marked.exposed if one.seal in self._seals
                )
            if isinstance(event, e.CardsShuffled):
                self._order = event.cards
                self._left = self._left_for(event)
            self._marked = follow(self._marked, event)
            if isinstance(event, e.DecksReceived):
                self._packs[event.deck] = event.cards
            if self._round["first"] <= recorded.version <= self._round["last"]:
                self._seen += _turned(event)
            return
        body = recorded.data
        if recorded.kind == NEXT_COMMITTED:
            self._ahead = _Ahead(recorded.version, body["shuffle"], body["root"], body["count"])
        elif recorded.kind == NUMBER_ADDED and self._ahead is not None:
            if body["shuffle"] == self._ahead.number:
                self._ahead.numbers += (f"{body['seat']}:{body['number']}",)
        elif recorded.kind == COMMITTED:
            seal = self._seals[body["seal"]] = _Seal(
                recorded.version, body["root"], body["count"], self._order,
                self._left or self._packs.get(body["deck"], ()), in_round=bool(self._left),
                numbers=tuple(body.get("numbers", ())),
            )  # fmt: skip
            self._note_numbers(seal, body)
        elif recorded.kind == FINISHED and body["seal"] in self._seals:
            found = self._seals[body["seal"]]
            found.seed = body["seed"]
            if UNKNOWN in found.order:
                # it is encrypted on the record, and was published when the shoe was finished
                found.order = tuple(body.get("order", found.order))
        elif recorded.kind == OPENED and recorded.version == self._round["last"] + 1:
            openings = msgspec.convert(body, Opened)
            self._opened = [(part.seal, one) for part in openings.seals for one in part.openings]

    def _note_numbers(self, seal: _Seal, body: dict[str, Any]) -> None:
        """Whether a shuffle follows from the order that was sealed ahead and all numbers added."""
        ahead = self._ahead
        if "shuffle" in body:
            said = (body["shuffle"], body["root"], body["count"], seal.numbers)
            seal.follows = ahead is not None and said == (
                ahead.number, ahead.root, ahead.count, ahead.numbers,
            )  # fmt: skip
        elif ahead is not None and ahead.numbers:
            # numbers are for the next whole deck; what is shuffled in a round is not one
            seal.follows = seal.count != ahead.count
        if ahead is not None and seal.count == ahead.count:
            seal.added, seal.ahead_at = ahead.numbers, ahead.version
            self._ahead = None

    @cites(DOWN_UNDER, "685a.12(e)", "685a.12(j)")
    def _left_for(self, event: e.CardsShuffled) -> tuple[str, ...]:
        """What a shuffle in a round has left to shuffle: the shoe, or the discards if it ran out."""
        table = self._marked.table
        if not table.dealt or event.deck != table.in_play:
            return ()
        return tuple(card for name in event.gathered for card in table.piles[name])

    def _check_link(self, recorded: Recorded) -> None:
        told = digest(
            recorded.previous, recorded.stream, recorded.version, recorded.time, recorded.actor,
            recorded.kind, recorded.schema, recorded.body,
        )  # fmt: skip
        linked = self._link is None or self._link == recorded.previous
        if not self._broken and (told != recorded.hash or not linked):
            self._broken = recorded.version
        self._link = recorded.hash

    def is_over(self) -> bool:
        """Whether every seal of the round has been finished."""
        used = {one.seal for one in self._exposed}
        return all(self._seals[seal].seed is not None for seal in used if seal in self._seals)

    def verdict(self) -> DealVerdict:
        checks = [*self._checks()] if self._exposed else []
        return DealVerdict(
            self._round["id"],
            bool(checks) and all(check.holds for check in checks),
            self._seen,
            len(self._exposed),
            tuple(checks) or (Check("sealed", False, _NO_PROOF),),
        )

    def _checks(self) -> list[Check]:
        used = sorted({one.seal for one in self._exposed})
        opened = {(seal, one.position, one.card) for seal, one in self._opened}
        places = {
            number: permutation(seal.root, seal.numbers, seal.count)
            for number, seal in self._seals.items()
            if number in used
        }
        wanted = {
            (one.seal, places[one.seal][one.position], one.card)
            for one in self._exposed
            if one.position < len(places[one.seal])
        }
        known = [seal for seal in used if seal in self._seals]
        # what is shuffled in the round is sealed before a card of it is dealt
        before = [
            seal
            for seal in known
            if self._seals[seal].version < self._round["first"] or self._seals[seal].in_round
        ]
        leads = [
            holds(self._seals[seal].root, self._seals[seal].count, one)
            for seal, one in self._opened
            if seal in self._seals
        ]
        checks = [
            Check(
                "chain", not self._broken,
                f"event {self._broken} is not as it was written" if self._broken
                else "every event from the table's opening on is as it was written",
            ),
            Check(
                "sealed_before_bets", before == used,
                f"the order was sealed at event {', '.join(str(self._seals[s].version) for s in known)};"
                f" the round's first event is {self._round['first']}",
            ),
            Check(
                "opened", opened == wanted and len(self._opened) == len(wanted),
                f"{len(self._opened)} positions were opened, {len(wanted)} sealed cards were exposed",
            ),
            Check(
                "leads_to_root", bool(leads) and len(leads) == len(self._opened) and all(leads),
                f"{sum(leads)} of {len(self._opened)} openings lead to the sealed root",
            ),
        ]  # fmt: skip
        if self._seen != len(wanted):
            says = f"{self._seen} cards were exposed, {len(wanted)} of them under a seal"
            checks.append(Check("all_under_seal", False, says))
        for number in known:
            seal = self._seals[number]
            if seal.numbers or seal.added or not seal.follows:
                checks.append(Check("players_numbers", seal.follows, _about_numbers(seal)))
            if seal.seed is None:
                continue
            whole = holds_whole(seal.root, seal.sealed, bytes.fromhex(seal.seed))
            same = Counter(seal.order) == Counter(seal.pack)
            says = (
                "the whole order is the sealed one" if whole else "the order is not the sealed one"
            )
            checks.append(Check("whole_order", whole, says))
            what = "the cards that were left" if seal.in_round else "the deck that was received"
            says = f"it is {what}" if same else f"it is not {what}"
            checks.append(Check("whole_deck", same, says))
        return checks


_NO_PROOF = (
    "no exposed card of this round was under a seal: cards that are read or keyed in have none"
)


def _about_numbers(seal: _Seal) -> str:
    if not seal.follows:
        return f"the order does not follow from the {len(seal.added)} numbers that players added"
    return (
        f"the house sealed its order at event {seal.ahead_at}, players added {len(seal.added)} "
        "numbers, and the cards were dealt as both say"
    )


def _turned(event: e.Event) -> int:
    """How many cards an event exposes."""
    if isinstance(event, e.CardsTurned) or (isinstance(event, e.CardsDealt) and event.face_up):
        return len(event.cards)
    return event.count if isinstance(event, e.CardsMoved) and event.face_up else 0
