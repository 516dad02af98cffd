"""Saigon: what each way to set five cards is worth, questions, a rule of thumb."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from houseway.cards import Card, Source, deck_with_joker, shuffled
from houseway.law import Rules
from houseway.present.teaching import Decision, Question, TeachingGame, Worth
from houseway.present.visible_cards import VisibleCards
from houseway.table import Table


class SaigonTeaching(TeachingGame):
    def worth(self, rules: Rules, hand: Sequence[Card]) -> Worth:
        """Every point count that a qualifying setting can have."""
        from houseway.games.saigon.maths import ante, tallies

        values = sorted(11 if one.is_joker else _points(one) for one in hand)
        tally = tallies.kinds()
        row = tally.values.index(values)
        dealer, counts = tally.dealer[row], tally.counts[row]
        nets = ante.payoffs(rules).nets

        def of(state: int) -> Fraction:
            whole = sum((n * d for n, d in zip(nets[state], dealer, strict=True)), Fraction(0))
            return whole / sum(dealer)

        if not counts:
            return (("the hand cannot qualify", of(0)),)
        return tuple((f"set to a point count of {state}", of(state)) for state in counts)

    def question(self, rules: Rules, source: Source) -> Question:
        """A hand with a choice."""
        while True:
            hand = tuple(shuffled(deck_with_joker(), source)[: rules.chapter.number("hand_cards")])
            worth = self.worth(rules, hand)
            if len(worth) > 1:
                return Question(hand, worth)

    def decide(
        self, rules: Rules, table: Table, seat: int, seen: VisibleCards, choices: Sequence[str]
    ) -> Decision:
        """Hands are set the best way."""
        if "set_hands" in choices:
            return "set_hands", {"three": (), "two": ()}
        return choices[0], {}


def _points(one: Card) -> int:
    rank = str(one)[0]
    return 1 if rank == "A" else 10 if rank in "TJQK" else int(rank)


GAME: TeachingGame = SaigonTeaching()
