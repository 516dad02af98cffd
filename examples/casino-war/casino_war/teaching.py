"""Casino War: what each choice is worth after a tie, and questions to practice."""

from __future__ import annotations

from collections.abc import Sequence

from casino_war.settlement import SURRENDER, WAR
from houseway.cards import Card, Source, shuffled, standard_deck
from houseway.law import Rules
from houseway.present.teaching import Decision, Question, TeachingGame, Worth
from houseway.present.visible_cards import VisibleCards
from houseway.table import Table


class CasinoWarTeaching(TeachingGame):
    """The card that ties makes no difference: all ranks are alike."""

    def worth(self, rules: Rules, hand: Sequence[Card]) -> Worth:
        from casino_war.maths import worth_of_tie

        return (
            ("go to war", worth_of_tie(rules, WAR)),
            ("surrender", worth_of_tie(rules, SURRENDER)),
        )

    def question(self, rules: Rules, source: Source) -> Question:
        """A tie."""
        first = shuffled(standard_deck(), source)[0]
        other = next(card for card in standard_deck() if card.rank == first.rank and card != first)
        return Question((first,), self.worth(rules, (first,)), up=other)

    def decide(
        self, rules: Rules, table: Table, seat: int, seen: VisibleCards, choices: Sequence[str]
    ) -> Decision:
        """Always to war."""
        return ("go_to_war" if "go_to_war" in choices else choices[0]), {}


GAME: TeachingGame = CasinoWarTeaching()
