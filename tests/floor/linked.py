"""Linked tables on a record, dealt by the system, with hands put where a test wants them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from fractions import Fraction
from functools import cache
from typing import Any

from houseway.cards import SeededSource, shuffled
from houseway.floor.links.operations import Link
from houseway.floor.links.reconcile import reconcile
from houseway.floor.people.directory import People
from houseway.floor.people.signing import By, Signed
from houseway.floor.recorded_table import RecordedTable
from houseway.law import MA, MD, choose
from houseway.store import Log
from houseway.table import COMMANDS, Event
from houseway.table.card_source import pack
from houseway.table.driver import Driver
from houseway.table.moment import rules_of
from houseway.table.next_step import NextStep, next_steps

NOON = "2026-03-01T12:00:00Z"
BY = By("bo", NOON)
SIGNED = Signed("dealer", "dana", "frank", "the display was wrong", NOON)

#: one meter of the three-card progressive, and the three tiers of the five-card one
THREE: dict[str, Any] = {"shuffler": "counting", "progressive": "A"}
FIVE: dict[str, Any] = {"shuffler": "counting", "five_card_progressive": "C"}
#: of the one meter: its rate, and its cents at first and after a win
RATE = Fraction(147, 1000)
SEED, RESET = 250_000, 100_000
METERS = {
    "progressive": {"progressive": {"rate": "14.7%", "seed": "2500.00", "reset": "1000.00"}},
    "five_card_progressive": {
        "five_card_progressive": {"whole": "17.1%"},
        "five_card_progressive.mega": {
            "rate": "9%",
            "reserve": "1%",
            "seed": "20000.00",
            "reset": "10000.00",
        },
        "five_card_progressive.major": {"rate": "4.1%", "seed": "5000.00", "reset": "2000.00"},
        "five_card_progressive.minor": {"rate": "3%", "seed": "1500.00", "reset": "1000.00"},
    },
    "hidden": {
        "progressive": {
            "rate": "14.7%",
            "reserve": "0.5%",
            "seed": "2500.00",
            "reset": "1000.00",
        },
    },
    "shared": {"progressive": {"rate": "14.7%", "seed": "2500.00", "reset": "1000.00"}},
}
OPTIONS = {
    "progressive": THREE,
    "five_card_progressive": FIVE,
    "hidden": THREE,
    "shared": {"shuffler": "counting", "progressive": "1", "several_meter_hits": "shared"},
}
#: Massachusetts lets the submission say what happens with several hits
CHAPTERS = {"progressive": MD, "five_card_progressive": MD, "hidden": MD, "shared": MA}
WAGERS = {"shared": "progressive", "hidden": "progressive"}
ROYAL = ("As", "Ks", "Qs")


def rules(game: str = "progressive"):
    return choose(CHAPTERS[game], OPTIONS[game], meters=METERS[game])


def staff(log: Log, passwords: bool = False) -> None:
    """Those who do something to a link."""
    people = People(log)
    for id, role in (("dana", "dealer"), ("frank", "floorperson"), ("bo", "floorperson")):
        if people.find(id) is None:
            people.add(id, "", [role], by="test")
            if passwords:
                people.set_password(id, f"the word of {id}", by="test")


def open_link(log: Log, name: str = "wide", game: str = "progressive") -> Link:
    staff(log)
    link = Link(log, name)
    link.open(rules(game), WAGERS.get(game, game), BY)
    return link


class LinkedTable(Driver):
    """A driver whose commands go to the record; the seats wager and play."""

    def __init__(self, log: Log, name: str, game: str = "progressive", *, seed: int = 1) -> None:
        self.log = log
        self.recorded = RecordedTable(log, name)
        self.stack: Mapping[int, tuple[str, ...]] = {}
        self.game = game
        self.wager_id = WAGERS.get(game, game)
        super().__init__(
            CHAPTERS[game], OPTIONS[game], source=SeededSource(seed), start=NOON[:-1], name=name,
            meters=METERS[game],
        )  # fmt: skip

    def send(
        self, name: str, role: str, *, seat: int = 0, who: str = "", **fields: Any
    ) -> tuple[Event, ...]:
        if self.recorded.table.at:
            # what others did at this table was not later
            self.clock = max(self.clock, datetime.fromisoformat(self.recorded.table.at))
        if name == "open_table" and self.recorded.table.phase not in ("", "closed"):
            self.table = self.recorded.table  # another process had opened it
            return ()
        kind = COMMANDS[name]
        if "seat" in kind.__struct_fields__:
            fields["seat"] = seat
        if role == "player" and not who:
            who = {box.seat: box.player for box in self.table.boxes}.get(seat) or "player"
        events = self.recorded.send(
            kind(role=role, who=who or self.people.get(role, role), at=self.clock.isoformat(), **fields)
        )  # fmt: skip
        self.table = self.recorded.table
        self.clock += timedelta(seconds=1)
        return events

    def fields_of(self, step: NextStep) -> dict[str, Any]:
        if step.command == "shuffle":
            cards = shuffled(pack(rules_of(self.table)), self.source)
            for seat, hand in self.stack.items():
                for place, card in zip(_places(self.game)[seat], hand, strict=False):
                    at = cards.index(card)
                    cards[at], cards[place] = cards[place], cards[at]
            return {"order": tuple(cards)}
        return {"depth": 26} if step.command == "cut" else super().fields_of(step)

    def sit(self) -> None:
        for seat in (1, 2):
            self.seat_player(seat, f"{self.recorded.name} player {seat}")

    def up_to(self, phase: str, stack: Mapping[int, tuple[str, ...]], stake: str = "1.00") -> None:
        """A round with both seats on the progressive, up to a phase."""
        self.stack = stack
        self.ready()
        for seat in (1, 2):
            self.wager(seat, {"ante": "10.00", self.wager_id: stake})
        self.send("no_more_bets", "dealer")
        self.on_to(phase)

    def on_to(self, phase: str) -> None:
        while self.table.phase != phase:
            if not self.house():
                seat = next(s.seat for s in next_steps(self.table) if s.command == "play")
                self.send("play", "player", seat=seat)

    def round(self, stack: Mapping[int, tuple[str, ...]] = {}, stake: str = "1.00") -> None:
        self.up_to("settling", stack, stake)
        self.on_to("betting")

    def void(self, stake: str = "1.00") -> None:
        """A round that a second card lying face up in the shoe makes void."""
        self.up_to("dealing", {}, stake)
        for _ in range(2):
            self.send("card_found_face_up", "dealer")
        self.ready()

    def play_on(self, *, win: bool = False, void: bool = False) -> None:
        """A round from wherever the table stands, as one who finds it on the record goes on."""
        for box in self.table.boxes[:2]:
            if not box.player:
                self.seat_player(box.seat, f"{self.recorded.name} player {box.seat}")
        if self.table.phase != "betting":
            self.on_to("betting")
        for box in self.table.boxes[:2]:
            for wager, amount in (("ante", "10.00"), (self.wager_id, "1.00")):
                if wager not in box.wagers:
                    self.wager(box.seat, {wager: amount})
        # this deck is shuffled; the next one may bring a win
        self.stack = {1: ROYAL} if win else {}
        self.send("no_more_bets", "dealer")
        if void:
            self.on_to("dealing")
            for _ in range(2):
                self.send("card_found_face_up", "dealer")
        self.on_to("betting")

    def close(self) -> None:
        tray = {
            f"{value // 100}.{value % 100:02d}": count for value, count in self.table.tray.items()
        }
        self.send("close_table", "floorperson", count=tray)


@cache
def _places(game: str) -> dict[int, list[int]]:
    """Where in the order given to the shuffle the cards of each seat lie, found by a dry deal."""
    probe = Driver(CHAPTERS[game], OPTIONS[game], meters=METERS[game])
    order = tuple(map(str, pack(rules_of(probe.table))))
    plain = probe.fields_of

    def fields(step: NextStep) -> dict[str, Any]:
        if step.command == "shuffle":
            return {"order": order}
        return {"depth": 26} if step.command == "cut" else plain(step)

    probe.fields_of = fields  # type: ignore[method-assign]
    for seat in (1, 2):
        probe.seat_player(seat, f"{seat}")
    probe.ready()
    for seat in (1, 2):
        probe.wager(seat, {"ante": "10.00", WAGERS.get(game, game): "1.00"})
    probe.send("no_more_bets", "dealer")
    probe.until("deciding")
    found = {}
    for seat in (1, 2):
        held = [*probe.table.piles[f"seat.{seat}"], *probe.table.piles.get("community", ())]
        found[seat] = [order.index(card) for card in held]
    return found


def cents_of(link: Link, meter: str = "progressive") -> Fraction:
    return link.read().meter(meter).holds


def code(refused: Any) -> str:
    return refused.value.code


def two_tables(log: Log, game: str = "progressive") -> tuple[Link, LinkedTable, LinkedTable]:
    link = open_link(log, game=game)
    tables = []
    for seed, name in enumerate("ab"):
        link.join(name, rules(game), BY)
        table = LinkedTable(log, name, game, seed=seed)
        table.sit()
        tables.append(table)
    return link, *tables


def is_exact(log: Log, name: str = "wide") -> None:
    found = reconcile(log, name)
    assert found.departs == ()
    assert found.exact
