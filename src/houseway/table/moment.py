"""One command at one table: the rules in force there, and the events that the command makes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from houseway.errors import Refused
from houseway.law import Rules, rules_from
from houseway.law.library import EditionRef, Standing, edition_on_record
from houseway.law.procedure import Step, chosen
from houseway.table import events as e
from houseway.table.actions import Action, actions_of
from houseway.table.commands import Command
from houseway.table.evolve import evolve
from houseway.table.money.stakes import STAKE_CHECKS
from houseway.table.spans import Span, phases_of, place
from houseway.table.state import Box, Table

if TYPE_CHECKING:
    from houseway.table.game import TableGame


class Situation(NamedTuple):
    """The rules in force, the procedure they call for, by step, and the game that is played.

    `options` are those of the rules, as long as every device works: one that was set aside leaves
    its place to the dealer's hands, and a shoe or a hand-held deck to the manual shoe.
    """

    rules: Rules
    steps: dict[str, Step]
    options: Mapping[str, Any]
    #: how the edition on record stands to the installed text
    standing: Standing
    game: TableGame
    #: the general actions and the game's own, in the order of the commands
    actions: Mapping[type[Command], Action]
    #: the same by the names of the commands
    named: Mapping[str, Action]


_situations: dict[tuple[str, str, tuple[str, ...]], Situation] = {}
SET_ASIDE = frozenset(("covered", "signed", "removed"))


def _in_use(options: Mapping[str, Any], aside: tuple[str, ...]) -> dict[str, Any]:
    """The options as they stand without the devices that were set aside."""
    found = dict(options)
    if "shuffler" in aside:
        found["shuffler"] = "none"
        found["decks_in_play"] = 1
        if found["dealing"] == "hand":
            found["dealing"] = "manual_shoe"
    if "automated_shoe" in aside:
        found["dealing"] = "manual_shoe"
        found["dealer_stack"] = "delivered"
        found["stacks_of_four"] = False
    if "continuous_shuffler" in aside:
        found["dealing"] = "shoe"
    return found


def situation(table: Table) -> Situation:
    """The rules recorded when the table was opened; the same record is read once."""
    aside = tuple([one.id for one in table.devices.values() if one.condition in SET_ASIDE])
    found = _situations.get((table.rules_hash, table.edition_hash, aside))
    if found is None:
        # a game is made of the procedures, and those of this module
        from houseway.table.game import TABLE

        ref = EditionRef(table.chapter, table.edition, table.edition_hash)
        law, standing = edition_on_record(ref)
        rules = rules_from(table.rules, law)
        options = _in_use(rules.options, aside) if aside else rules.options
        game = TABLE.of(law)
        steps = chosen(law.procedure, options)
        actions = actions_of(game)
        named = {found.name: found for found in actions.values()}
        found = Situation(rules, steps, options, standing, game, actions, named)
        _situations[table.rules_hash, table.edition_hash, aside] = found
    return found


def rules_of(table: Table) -> Rules:
    return situation(table).rules


class Moment:
    """One command at one table: what holds, and the events it makes as they are said."""

    __slots__ = (
        "actions", "at", "events", "game", "options", "role", "rules", "standing", "steps", "table",
        "tables", "who",
    )  # fmt: skip

    def __init__(self, table: Table, role: str, who: str = "", at: str = "") -> None:
        self.table = table
        self.role = role
        self.who = who
        self.at = at
        self.events: list[e.Event] = []
        #: the table after each of them
        self.tables: list[Table] = []
        if table.chapter:
            self._look()

    def _look(self) -> None:
        (
            self.rules, self.steps, self.options, self.standing, self.game, self.actions, _,
        ) = situation(self.table)  # fmt: skip

    def emit(self, kind: type[e.Event], clause: str = "", **fields: Any) -> None:
        """Add an event to those that this command makes."""
        event = kind(
            version=self.table.version + 1,
            at=self.at,
            role=self.role,
            who=self.who,
            clause=clause,
            **fields,
        )
        check = STAKE_CHECKS.get(kind)
        if check is not None:
            check(self.table, event)
        self.events.append(event)
        self.table = evolve(self.table, event)
        self.tables.append(self.table)
        if kind is e.DeviceChanged:
            self._look()

    def begin(self, phase: str) -> None:
        if self.table.phase != phase:
            self.emit(e.PhaseBegan, phase=phase)

    def clause(self, *steps: str) -> str:
        """The clause of the first of these steps that the chapter's procedure has."""
        for step in steps:
            found = self.steps.get(step)
            if found is not None:
                return found.clause
        return ""

    def has_step(self, step: str) -> bool:
        """Whether the procedure, under these rules, has a step or rule of this name."""
        return step in self.steps

    def refuse(
        self, code: str, sentence: str, *steps: str, seat: int | None = None, field: str = ""
    ) -> Refused:
        """A refusal under the clause of a step."""
        return Refused(
            code, sentence, clause=self.clause(*steps) or None, seat=seat, field=field or None
        )

    def box(self, seat: int) -> Box:
        return box_at(self.table, seat)

    @property
    def place(self) -> str:
        """Where on the game's line the round stands, in an interruption too."""
        return place(self.game, self.table)

    def within(self, span: Span) -> bool:
        """Whether the round stands in this span."""
        return self.place in phases_of(self.game, span)


def box_at(table: Table, seat: int) -> Box:
    if not 1 <= seat <= len(table.boxes):
        raise Refused(
            "no_such_seat",
            f"seats run from 1 to {len(table.boxes)}",
            clause=rules_of(table).chapter.fact("seats").clause,
            seat=seat,
        )
    return table.boxes[seat - 1]
