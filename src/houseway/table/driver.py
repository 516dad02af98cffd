"""Computer players, dealer and floorperson: whole rounds played through commands.

The driver has no procedure of its own. It asks the table for the next step and takes it, so people
can finish every round that it can finish. Used by `houseway play`, the tests and the benchmarks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from houseway.cards import Source, SystemSource, shuffled
from houseway.errors import Refused
from houseway.game_api.wager_checks import check_wagers
from houseway.law import Rules, chapter, choose
from houseway.law.lawful_meters import EXAMPLE_TERMS
from houseway.money import Cents
from houseway.table.card_source import cards_to_shuffle
from houseway.table.commands import COMMANDS, Command
from houseway.table.engine import run
from houseway.table.events import Event
from houseway.table.game import TABLE
from houseway.table.moment import Moment, situation
from houseway.table.next_step import NextStep, next_steps
from houseway.table.procedure.opening import float_of
from houseway.table.procedure.wagering import check_standing
from houseway.table.state import Table, wager_of

#: how a player decides: from the table and the steps open to a seat to a command's name and fields
Player = Callable[[Table, int, tuple[NextStep, ...]], tuple[str, dict[str, Any]]]


#: steps for which the system's own shoe supplies an order
BY_SYSTEM = ("shuffle", "shoe_runs_out")


class Driver:
    """A table with everybody that a round needs: players, dealer and floorperson."""

    def __init__(
        self,
        chapter: str,
        rules: Mapping[str, Any] | None = None,
        *,
        source: Source | None = None,
        start: str = "2026-01-01T12:00:00",
        name: str = "1",
        **parts: Any,
    ) -> None:
        self.table = Table()
        self.record: list[Event] = []
        self.commands: list[Command] = []
        self.source = source or SystemSource()
        self.clock = datetime.fromisoformat(start)
        self.people = {
            "dealer": "dealer", "floorperson": "floor", "device": "device", "system": "system",
            "surveillance": "surveillance",
        }  # fmt: skip
        parts.setdefault("meters", _example_meters(chapter, rules, parts))
        self.send(
            "open_table",
            "floorperson",
            table=name,
            chapter=chapter,
            rules=dict(rules or {}),
            tray=float_of("50000.00"),
            dealer=self.people["dealer"],
            **parts,
        )

    def send(
        self, name: str, role: str, *, seat: int = 0, who: str = "", **fields: Any
    ) -> tuple[Event, ...]:
        """Send one command, with its sender, its time and the version of the table it is for."""
        kind = COMMANDS[name]
        if "seat" in kind.__struct_fields__:
            fields["seat"] = seat
        if role == "player" and not who:
            boxes = {box.seat: box.player for box in self.table.boxes}
            who = boxes.get(seat) or "player"
        command = kind(
            role=role,  # type: ignore[arg-type]
            who=who or self.people.get(role, role),
            at=self.clock.isoformat(),
            version=self.table.version,
            **fields,
        )
        events, self.table = self.carry_out(command)
        self.commands.append(command)
        self.record.extend(events)
        self.clock += timedelta(seconds=1)
        return events

    def carry_out(self, command: Command) -> tuple[tuple[Event, ...], Table]:
        """Return what a command makes happen, and the table after it."""
        return run(self.table, command)

    # the house's side

    def fields_of(self, step: NextStep) -> dict[str, Any]:
        """The fields that a step of the dealer or the floor needs."""
        table, name = self.table, step.command
        fields: dict[str, Any] = dict(step.choices[0]) if step.choices else {}
        give = _FIELDS.get(name)
        fields |= give(self) if give else situation(table).game.house_fields(table, name)
        if "reason" in COMMANDS[name].__struct_fields__:
            fields["reason"] = step.says
        return fields

    def steps(self) -> tuple[NextStep, ...]:
        return next_steps(self.table, at=self.clock.isoformat())

    def house(self, steps: tuple[NextStep, ...] | None = None) -> bool:
        """Take the house's next step; False if players are awaited."""
        for step in self.steps() if steps is None else steps:
            if step.kind != "next" or step.role == "player":
                continue
            role = "system" if step.command in BY_SYSTEM else step.role
            self.send(step.command, role, seat=step.seat, **self.fields_of(step))
            return True
        return False

    def until(self, *phases: str, limit: int = 10_000) -> None:
        """Take the house's steps until the table is in one of these phases."""
        for _ in range(limit):
            if self.table.phase in phases:
                return
            if not self.house():
                raise Refused("waiting", f"players are awaited in phase {self.table.phase}")
        raise Refused("waiting", f"{limit} steps did not lead to {' or '.join(phases)}")

    def seat_player(self, seat: int, player: str) -> None:
        self.send("sit_down", "player", seat=seat, who=player, player=player)

    def wager(self, seat: int, wagers: Mapping[str, str], hand: int = 0) -> None:
        """Place wagers, by their ids; `ante@2` is on the second hand, and `hand` applies to all."""
        for name, amount in wagers.items():
            wager, on = wager_of(name)
            fields: dict[str, Any] = {"hand": on or hand} if on or hand else {}
            self.send("place_wager", "player", seat=seat, wager=wager, amount=amount, **fields)

    def ready(self) -> None:
        """Prepare the table up to the wagers: decks received, shown, shuffled and cut."""
        self.until("betting")

    def finish(self, player: Player) -> None:
        """Play the round from the wagers to the end; `player` makes each decision."""
        number = self.table.round + (0 if self.table.hands else 1)
        while self.table.round < number or self.table.hands:
            steps = self.steps()
            asked = tuple(
                step
                for step in steps
                if step.kind == "next" and step.role == "player" and step.seat
            )
            if self.table.hands and asked:
                name, fields = player(self.table, asked[0].seat, asked)
                self.send(name, "player", seat=asked[0].seat, **fields)
            elif not self.house(steps):
                raise self.stuck()

    def stuck(self) -> Refused:
        """Why nobody can act: what is wrong with the wagers, or the phase."""
        try:
            check_standing(Moment(self.table, "system"))
        except Refused as refusal:
            return refusal
        return Refused("waiting", f"nobody can act in phase {self.table.phase}")


def least_wagers(rules: Rules, usual: Cents = 1000) -> dict[str, Cents]:
    """The wagers that a position must make, each at its minimum or a usual amount.

    If several are compulsory, all have the amount of the highest, within their limits.
    """
    game, wagers = TABLE.of(rules.chapter), rules.chapter.wagers.values()
    offered = [one.id for one in wagers if one.made == "before_deal" and rules.offers(one.id)]
    found, wanted = dict[str, Cents](), offered[0]
    while True:
        limits = {id: rules.limits.get(id) for id in (*found, wanted)}
        highest = max((limit.min if limit else None) or usual for limit in limits.values())
        for id, limit in limits.items():
            step, most = rules.step(id), limit.max if limit else None
            found[id] = -(-min(highest, most or highest) // step) * step
        try:
            check_wagers(rules, found)
            game.check_wagers(rules, found)
        except Refused as refusal:
            wanted = (refusal.field or "").removeprefix("wagers.")
            if wanted in found or wanted not in offered:
                raise
        else:
            return found


def _example_meters(
    id: str, rules: Mapping[str, Any] | None, parts: Mapping[str, Any]
) -> dict[str, dict[str, str]]:
    """Valid terms for the meters of these rules, if the caller names none."""
    made = {key: parts[key] for key in ("limits", "paytables") if key in parts}
    chosen = choose(chapter(id, parts.get("edition")), rules or {}, **made)
    return dict.fromkeys(chosen.meter_names, EXAMPLE_TERMS)


def _order(driver: Driver) -> dict[str, Any]:
    return {"order": tuple(shuffled(cards_to_shuffle(driver.table), driver.source))}


def _rack_order(driver: Driver) -> dict[str, Any]:
    return {"order": tuple(shuffled(driver.table.piles["discard"], driver.source))}


def _depth(driver: Driver) -> dict[str, Any]:
    size = len(driver.table.piles["shoe"])
    return {"depth": 10 + driver.source.below(size - 20)}


#: what a step needs beside the fields that it names itself
_FIELDS: dict[str, Callable[[Driver], dict[str, Any]]] = {
    "shuffle": _order,
    "shoe_runs_out": _rack_order,
    "cut": _depth,
    "place_cover_card": lambda driver: {"depth": len(driver.table.piles["shoe"]) // 3},
}
