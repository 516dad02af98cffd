"""The teaching part of a game: what each choice is worth, questions to practice, a rule of thumb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from houseway.cards import Card, Source
from houseway.errors import Refused
from houseway.game_api.registry import Part
from houseway.law import Rules
from houseway.law.procedure import chosen
from houseway.money import dollars
from houseway.present.game import PRESENTATION
from houseway.present.visible_cards import Viewer, VisibleCards, known, visible_cards
from houseway.table import Event, Table, legal, rules_of
from houseway.table import events as e
from houseway.table.actions import actions_of
from houseway.table.commands import COMMANDS
from houseway.table.game import TABLE
from houseway.table.procedure.deciding import hand_asked
from houseway.table.state import seat_pile

#: choices, each with its value in units of the wager
Worth = tuple[tuple[str, Fraction], ...]
#: a command and its fields
Decision = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Question:
    """A hand to decide on, and what every choice is worth."""

    cards: tuple[Card, ...]
    worth: Worth
    #: what is seen of the dealer: a card, and the range of the hidden one
    up: Card | None = None
    range: str = ""

    @property
    def best(self) -> tuple[str, Fraction]:
        return max(self.worth, key=lambda one: one[1])


class TeachingGame:
    """What a game teaches. The default bodies are for games decided by the seat's own hand."""

    #: what values are counted in
    unit = "antes"

    def worth(self, rules: Rules, hand: Sequence[Card]) -> Worth:
        """What each choice is worth with a hand, over all cards that are not seen."""
        raise Refused("no_advice", "there is no advice for this game")

    def advise(self, rules: Rules, table: Table, seat: int, seen: VisibleCards) -> Worth:
        """What each choice of a seat is worth by the cards that it sees."""
        hand = hand_in_question(rules, table, seat, seen)
        if not hand:
            raise Refused("no_advice", "there is no hand to advise on")
        return self.worth(rules, hand)

    def choice(self, rules: Rules, event: Event) -> str:
        """The choice, as `advise` names it, that an event of a player's command shows; or nothing."""
        return event.decision if isinstance(event, e.Decided) else ""

    def question(self, rules: Rules, source: Source) -> Question:
        """A hand to practice on."""
        raise Refused("no_practice", "there are no questions for this game")

    @property
    def asks_questions(self) -> bool:
        """Whether the game has hands to practice on."""
        return type(self).question is not TeachingGame.question

    def decide(
        self, rules: Rules, table: Table, seat: int, seen: VisibleCards, choices: Sequence[str]
    ) -> Decision:
        """One of the choices by rule of thumb, at once and without mathematics."""
        return choices[0], {}

    # one decision after the other, for programs that learn

    def moves(self, rules: Rules) -> tuple[str, ...]:
        """Every decision that a player may ever have to make, in a fixed order."""
        game = TABLE.of(rules.chapter)
        steps = chosen(rules.chapter.procedure, rules.options)
        return tuple(
            found.name
            for found in actions_of(game).values()
            if found.seated and "player" in found.roles and not found.unasked
            and not found.name.endswith("cut") and (found.anywhere or found.name in steps)
        )  # fmt: skip

    def move(
        self, rules: Rules, table: Table, seat: int, seen: VisibleCards, name: str
    ) -> Decision | None:
        """The command of one of `moves`, with the highest amount allowed; None if it is not legal now."""
        if "amount" not in COMMANDS[name].__struct_fields__:
            return name, {}
        box = table.boxes[seat - 1]
        cost = PRESENTATION.of(rules.chapter).cost(rules, box, name, hand_asked(table, seat))
        return name, {"amount": dollars(cost)}

    def hand(self, rules: Rules, table: Table, seat: int, seen: VisibleCards) -> tuple[Card, ...]:
        """The cards that the next decision is about."""
        return hand_in_question(rules, table, seat, seen)

    def hints(self, rules: Rules) -> tuple[str, ...]:
        """The texts that a device may show about a face-down card."""
        return ()


TEACHING = Part("teaching", TeachingGame)


def hand_in_question(rules: Rules, table: Table, seat: int, seen: VisibleCards) -> tuple[Card, ...]:
    """The hand that a seat decides on: its own, or one that the common cards make."""
    common = PRESENTATION.of(rules.chapter).common_hands(rules, seen)
    return known(common.get(hand_asked(table, seat)) or seen.get(seat_pile(seat), ()))


def advise(table: Table, seat: int) -> tuple[str, Worth]:
    """The unit, and the choices of a seat with what each is worth, the best first."""
    rules = rules_of(table)
    game = TEACHING.of(rules.chapter)
    worth = game.advise(rules, table, seat, visible_cards(table, Viewer("seat", seat)))
    return game.unit, tuple(sorted(worth, key=lambda one: one[1], reverse=True))


def rule_of_thumb(table: Table, seat: int) -> Decision:
    """What a player who follows a rule of thumb does at this seat; offers are declined."""
    rules, choices = rules_of(table), legal(table, "player", seat)
    declined = [name for name in choices if name.startswith("decline_")]
    if declined:
        return declined[0], {}
    seen = visible_cards(table, Viewer("seat", seat))
    return TEACHING.of(rules.chapter).decide(rules, table, seat, seen, choices)
