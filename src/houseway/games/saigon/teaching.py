"""Saigon: what each way to set five cards is worth, questions, a rule of thumb."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from houseway.cards import Card, Source, card, deck_with_joker, shuffled
from houseway.games.saigon import hands
from houseway.games.saigon.table.events import HandsSet
from houseway.law import Rules
from houseway.present.teaching import Decision, Question, TeachingGame, Worth, hand_in_question
from houseway.present.visible_cards import VisibleCards
from houseway.table import Event, Table


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
        return tuple((_named(state), of(state)) for state in counts)

    def choice(self, rules: Rules, event: Event) -> str:
        """The point count of the showdown hand, where the three cards qualify."""
        if not isinstance(event, HandsSet) or not event.three:
            return ""
        three, two = ([card(text) for text in laid] for laid in (event.three, event.two))
        known = hands.values(rules.chapter)
        return _named(known.point_count(two)) if known.qualifies(three) else ""

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

    def moves(self, rules: Rules) -> tuple[str, ...]:
        """The point counts that a hand may be set to."""
        most = rules.chapter.number("point_count_most")
        return tuple(f"set to {count}" for count in range(1, most + 1))

    def move(
        self, rules: Rules, table: Table, seat: int, seen: VisibleCards, name: str
    ) -> Decision | None:
        """The setting with this point count; a hand without it is set the best way."""
        hand = hand_in_question(rules, table, seat, seen)
        count = int(name.rpartition(" ")[2])
        for one in hands.values(rules.chapter).settings(hand):
            if one.qualifies and one.point_count == count:
                return "set_hands", {
                    "three": tuple(map(str, one.three)),
                    "two": tuple(map(str, one.two)),
                }
        return "set_hands", {"three": (), "two": ()}


def _named(count: int) -> str:
    """A setting as it is advised: by the point count of its showdown hand."""
    return f"set to a point count of {count}"


def _points(one: Card) -> int:
    rank = str(one)[0]
    return 1 if rank == "A" else 10 if rank in "TJQK" else int(rank)


GAME: TeachingGame = SaigonTeaching()
