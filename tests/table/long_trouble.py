"""Rounds in which everything goes wrong: random irregularities, faults, corrections, people and clock
jumps.

At every step the cards and the chips are counted, something can be done, and what is offered is
accepted: for each command that `next_steps` or `legal` names there are fields with which `decide`
takes it. A command that is stamped earlier than the last event is refused.
"""

from __future__ import annotations

import contextlib
import itertools
import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import msgspec
from random_play import finish
from stake_twin import StakeTwin
from tables import check_cards, key_in

from houseway.cards import SeededSource
from houseway.errors import Refused
from houseway.law import chapter as law_of
from houseway.law import choose
from houseway.table import COMMANDS, fold, legal, next_steps, read_event, rules_of, run
from houseway.table.card_source import unseen
from houseway.table.driver import Driver
from houseway.table.moment import Moment
from houseway.table.state import UNKNOWN, Table, exposed_cards, wager_of

ROLES = ("dealer", "floorperson", "player", "device", "system", "surveillance")
#: commands that need what a random walk does not have: a wrong card, a link, a counted tray
NOT_TRIED = frozenset(("open_table", "close_table", "correct_card", "read_meters"))
#: what the house does with an order of its own, or what would only empty the tray
QUIET = frozenset((*NOT_TRIED, "credit", "shuffle", "shoe_runs_out"))
#: what keeps the table from being played, and happens less often
SELDOM = frozenset(("spread_idle", "take_back_wager", "leave_seat"))
#: refusals that are about people, chips or cards that nobody knows, and not about the moment
OTHERWISE = frozenset(
    ("tray_short", "no_chips", "not_your_part", "cards_not_known", "card_seen_already")
)
AMOUNTS = ("10.00", "5.00", "1.00", "0.50", "15.00", "20.00")
TERMS = {"rate": "25%", "seed": "5000.00", "reset": "1000.00"}


def choices(table: Table, name: str, role: str, seat: int) -> Iterator[dict[str, Any]]:
    """Fields that make sense for a command, the likeliest first."""
    box = table.boxes[seat - 1] if seat else None
    wagers = rules_of(table).chapter.wagers
    placed = [wager_of(key)[0] for key in box.wagers] if box else []
    now = Moment(table, role)
    due = [line.wager for line in table.due[:1]]
    some: dict[str, tuple[Any, ...]] = {
        "amount": AMOUNTS,
        "value": ("5.00", "1.00", "0.50"),
        "wager": tuple(dict.fromkeys((*due, *placed, *wagers))),
        "hand": (0, 1, 2, 3),
        "device": tuple(table.devices) or ("shuffler",),
        "how": ("covered", "signed", "removed"),
        "count": tuple(
            dict.fromkeys(
                (
                    len(table.piles.get("shoe", ())),
                    now.game.hand_size(now, seat) + 1 if table.hands else 1,
                    *range(8),
                )
            )
        ),
        "misdealt": (None, True, False),
        "deck": tuple(dict.fromkeys((*table.decks, "1", "2"))),
        "depth": (20, 26, len(table.piles.get("shoe", ())) // 3),
        "dealer": ("another",),
        "player": (box.player if box and box.player else f"player {seat}", "somebody new"),
        "reason": ("because",),
        "cause": ("light", "area"),
        "late_card": (False, True),
        "second_card": (False, True),
        "exposed": (False, True),
        "chips": ({"5.00": 1},),
        "to": ("player", "house"),
    }
    kind = COMMANDS[name]
    for step in next_steps(table, irregularities=True):
        if (step.command, step.role, step.seat) == (
            name,
            role,
            seat if "seat" in kind.__struct_fields__ else 0,
        ):
            # the table names the fields itself
            for way in step.choices:
                yield way | ({"reason": "because"} if "reason" in kind.__struct_fields__ else {})
    pile = table.piles.get("hole" if name == "read_hole_card" else "shoe", ())
    if pile and pile[0] == UNKNOWN:
        # a real card is keyed in, and the reader's light
        some |= {"card": (*unseen(now)[:1], ""), "light": ("red", "blue", "yellow")}
    known = {
        "count": name in ("count_stub", "wrong_number_of_cards", "count_progressive_chips"),
        "deck": name != "shuffle",
        "hand": name in ("take_back_wager", "strike_progressive_wager", "validate_progressive", "missed_hit", "place_wager"),
    }  # fmt: skip
    fields = [field for field in kind.__struct_fields__ if field in some and known.get(field, True)]
    for values in itertools.islice(itertools.product(*(some[field] for field in fields)), 400):
        yield dict(zip(fields, values, strict=True))


def some_options(chapter: str, rules: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The rules with other options by chance, as far as they go together."""
    found = dict(rules)
    for id, option in law_of(chapter).options.items():
        if id in rules or id == "chip_unit":
            continue
        tried = {**found, id: rng.choice(option.choices).value}
        try:
            choose(chapter, tried)
        except Refused:
            continue
        found = tried
    return found


class Trouble:
    """One table, and everything that can happen to it.

    With `keyed` nobody knows the order of the cards: each is keyed in as it is seen.
    """

    def __init__(
        self, chapter: str, rules: dict[str, Any], seed: int, *, seats: int = 3, keyed: bool = False
    ) -> None:
        self.rng = random.Random(f"{chapter} {rules} {seed}")
        rules = some_options(chapter, rules, self.rng)
        terms = dict.fromkeys(choose(chapter, rules).meter_names, TERMS)
        self.driver = Driver(chapter, rules, source=SeededSource(seed), meters=terms)
        self.twin = StakeTwin()
        self.fed = 0
        self.keyed = keyed
        self.seats = range(1, min(seats, len(self.table.boxes)) + 1)
        most = rules_of(self.table).options["adjacent_boxes"]
        self.boxes = self.rng.randint(1, most) if isinstance(most, int) else 1
        for seat in self.seats:
            self.driver.seat_player(seat, self.name(seat))

    def name(self, seat: int) -> str:
        """Who sits at a seat; one player may have several boxes side by side."""
        return f"player {(seat - 1) // self.boxes + 1}"

    @property
    def table(self) -> Table:
        return self.driver.table

    def check(self) -> None:
        """Cards and chips are conserved, and somebody can go on."""
        for event in self.driver.record[self.fed :]:
            self.twin.take(event)
        self.fed = len(self.driver.record)
        check_cards(self.table)
        seen = exposed_cards(self.table)
        assert self.table.piles.get("shoe", ())[: len(seen)] == seen, self.where()
        assert next_steps(self.table, irregularities=True), self.where()

    def where(self) -> str:
        table = self.table
        broken = {id: one.condition for id, one in table.devices.items()}
        return f"{table.chapter} in {table.phase} ({table.resume}), {broken}, {table.own}"

    def accepted(self, name: str, role: str, seat: int) -> tuple[dict[str, Any] | None, str]:
        """Fields with which the command is taken; else what the last refusal said."""
        said = "no fields"
        for fields in choices(self.table, name, role, seat):
            command = self.command(name, role, seat, fields)
            try:
                run(self.table, command)
            except Refused as refusal:
                said = f"{refusal.code}: {refusal}"
                if refusal.code in OTHERWISE:
                    return None, ""
                continue
            return fields, ""
        return None, said

    def command(self, name: str, role: str, seat: int, fields: dict[str, Any]) -> Any:
        kind = COMMANDS[name]
        given = dict(fields)
        if "seat" in kind.__struct_fields__:
            given["seat"] = seat
        box = self.table.boxes[seat - 1] if seat else None
        who = box.player if role == "player" and box and box.player else role
        if role == "player" and box and not box.player and name != "sit_down":
            role = "dealer"  # who acts for a player that left
        if name == "sit_down":
            who = given.get("player", who)
        if name == "verify_inspection":
            who = "floor"
        return kind(
            role=role, who=who, at=self.driver.clock.isoformat(), version=self.table.version,
            **given,
        )  # fmt: skip

    def offered(self) -> list[tuple[str, str, int]]:
        """Everything that is offered now, to anybody."""
        at = self.driver.clock.isoformat()
        found = [
            (step.command, step.role, step.seat)
            for step in next_steps(self.table, irregularities=True, at=at)
        ]
        for role in ROLES:
            for seat in (0, *self.seats):
                found += [(name, role, seat) for name in legal(self.table, role, seat, at=at)]
        return [one for one in dict.fromkeys(found) if one[0] not in NOT_TRIED]

    def check_offers(self, some: int) -> None:
        """Accept a random sample of the offers."""
        offers = self.offered()
        for name, role, seat in self.rng.sample(offers, min(some, len(offers))):
            if "seat" in COMMANDS[name].__struct_fields__ and not seat and name in _SEATED:
                continue
            fields, said = self.accepted(name, role, seat)
            assert fields is not None or not said, (
                f"{name} is offered to the {role}, seat {seat}, and refused: {said}; {self.where()}"
            )

    def something_happens(self) -> None:
        """A random command that is open to a random role."""
        role, seat = self.rng.choice(ROLES[:5]), self.rng.randint(0, len(self.seats))
        quiet = QUIET if self.rng.random() < 0.1 else QUIET | SELDOM
        names = [n for n in legal(self.table, role, seat) if n not in quiet]
        trouble = [n for n in names if self._is_trouble(n)]
        if trouble and self.rng.random() < 0.7:
            names = trouble
        if not names:
            return
        name = self.rng.choice(names)
        every = list(itertools.islice(choices(self.table, name, role, seat), 60))
        self.rng.shuffle(every)
        for fields in every[:4]:
            command = self.command(name, role, seat, fields)
            try:
                events, after = run(self.table, command)
            except Refused:
                continue
            self.driver.table = after
            self.driver.record.extend(events)
            self.driver.commands.append(command)
            return

    def correct(self) -> None:
        """A card that lies or lay open was keyed in wrongly, and is corrected where that is possible."""
        table = self.table
        left = unseen(Moment(table, "dealer"))
        places = sorted({*table.shown, *table.racked})
        if not table.hands or not places or not left:
            return
        place = self.rng.choice(places)
        held = table.piles.get(place) or table.racked.get(place, ())
        fields = {
            "place": place,
            "was": self.rng.choice(held or ("",)),
            "card": self.rng.choice(left),
        }
        with contextlib.suppress(Refused):
            self.driver.send("correct_card", "floorperson", **fields, reason="misread")

    def _is_trouble(self, name: str) -> bool:
        step = Moment(self.table, "dealer").steps.get(name)
        return step is not None and step.kind == "irregularity"

    def go_on(self) -> None:
        """What is due: wagers, a player's decision, or the house's next step."""
        table = self.table
        if table.phase == "betting" and not any(box.wagers for box in table.boxes):
            self._wagers()
            return
        asked = [s for s in next_steps(table) if s.kind == "next" and s.role == "player" and s.seat]
        if table.hands and asked:
            step = self.rng.choice(asked)
            fields, _ = self.accepted(step.command, "player", step.seat)
            if fields is not None:
                by = "player" if table.boxes[step.seat - 1].player else "dealer"
                self.driver.send(step.command, by, seat=step.seat, **fields)
            return
        broken = [one.id for one in table.devices.values() if one.condition in ("broken", "jammed")]
        try:
            if not self._house() and broken:
                self.driver.send("repair_device", "floorperson", device=broken[0])
        except Refused as refusal:
            if refusal.code == "tray_short":
                chips = {"5000.00": 100, "1.00": 5000, "0.50": 50}
                self.driver.send("fill", "floorperson", chips=chips)
            elif broken:
                self._repair(broken[0])

    def _house(self) -> bool:
        """The house's next step; False where it has none."""
        if not self.keyed:
            return self.driver.house()
        steps = next_steps(self.table, at=self.driver.clock.isoformat())
        due = [step for step in steps if step.kind == "next" and step.role != "player"]
        if not due:
            return False
        if due[0].command == "shuffle":
            by_device = any(id in self.table.devices for id in ("shuffler", "continuous_shuffler"))
            roles = ("device", "dealer") if by_device else ("dealer",)
            role = next(role for role in roles if "shuffle" in legal(self.table, role))
            self.driver.send("shuffle", role)
        else:
            key_in(self.driver)
        return True

    def _repair(self, device: str) -> None:
        try:
            self.driver.send("repair_device", "floorperson", device=device)
        except Refused:
            return

    def _wagers(self) -> None:
        for box in (self.table.boxes[seat - 1] for seat in self.seats):
            if not box.player:
                self.driver.seat_player(box.seat, self.name(box.seat))
            for wager in rules_of(self.table).chapter.wagers.values():
                if wager.made != "before_deal":
                    continue
                for amount, hand in itertools.product(("10.00", "5.00", "1.00"), (0, 1)):
                    fields = {"wager": wager.id, "amount": amount, "hand": hand}
                    try:
                        self.driver.send("place_wager", "player", seat=box.seat, **fields)
                    except Refused:
                        continue
                    break

    def check_clock(self) -> None:
        """Nothing is accepted that is stamped earlier than the last event."""
        table = self.table
        early = (datetime.fromisoformat(table.at) - timedelta(seconds=1)).isoformat()
        late = self.command("change_dealer", "floorperson", 0, {"dealer": "another"})
        try:
            run(table, msgspec.structs.replace(late, at=early))
        except Refused as refusal:
            assert refusal.code == "clock_runs_back", refusal
        else:
            raise AssertionError("a command from the past was accepted")

    def play(self, steps: int, *, offers: int) -> None:
        for _ in range(steps):
            if self.rng.random() < 0.02:
                self.driver.clock += timedelta(hours=self.rng.choice((1, 5, 9, 25)))
                self.check_clock()
            if self.keyed and self.rng.random() < 0.04:
                self.correct()
            elif self.rng.random() < 0.2:
                self.something_happens()
            else:
                self.go_on()
            self.check()
            if offers:
                self.check_offers(offers)
        finish(self.driver)
        self.check()
        record = [read_event(msgspec.json.encode(event)) for event in self.driver.record]
        assert fold(record) == self.table


_SEATED = frozenset(
    name
    for name, kind in COMMANDS.items()
    if "seat" in kind.__struct_fields__
    and name not in ("cut", "clear_hands", "wrong_number_of_cards")
)
