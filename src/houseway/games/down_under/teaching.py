"""Down Under: what each decision is worth, questions, a rule of thumb."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from houseway.cards import Card, Source, shuffled, standard_deck
from houseway.errors import Refused
from houseway.games.down_under.hands import is_blackjack, numbers, player_total, value_range
from houseway.games.down_under.presentation import GAME as PRESENTATION
from houseway.games.down_under.table.events import HandDoubled, HandSplit
from houseway.games.down_under.table.hands import current
from houseway.law import Rules
from houseway.present.teaching import Decision, Question, TeachingGame, Worth
from houseway.present.visible_cards import VisibleCards, known
from houseway.table import Event, Table, legal
from houseway.table import events as e
from houseway.table.moment import Moment
from houseway.table.state import hand_pile


class DownUnderTeaching(TeachingGame):
    unit = "bets"

    def advise(self, rules: Rules, table: Table, seat: int, seen: VisibleCards) -> Worth:
        hand = known(seen.get(_acting_pile(table, seat), ()))
        up, lit = known(seen.get("dealer", ())[:1]), PRESENTATION.light(rules, table)
        if hand and table.phase == "insuring":
            return self._insuring(rules, hand, legal(table, "player", seat))
        if not hand or not up or not lit:
            raise Refused("no_advice", "advice is available once the reader has shown its light")
        split = hand_pile(seat, 2) in seen
        return self._worth(rules, hand, up[0], lit, split=split)

    def _worth(
        self, rules: Rules, hand: Sequence[Card], up: Card, lit: str, *, split: bool = False
    ) -> Worth:
        from houseway.games.down_under.maths import advise
        from houseway.games.down_under.maths.solver.variant import variant_of

        held = tuple(map(str, hand))
        found = advise.advise(held, str(up), lit, rules=variant_of(rules), split=split)
        return tuple(found.values.items())

    def _insuring(self, rules: Rules, hand: Sequence[Card], choices: Sequence[str]) -> Worth:
        """What the most insurance, even money and neither are worth against an ace."""
        from houseway.games.down_under.maths import side_wagers
        from houseway.games.down_under.maths.advise import value_of
        from houseway.games.down_under.maths.solver.variant import variant_of

        variant, held = variant_of(rules), [value_of(str(card)) for card in hand]
        paid, waiting = (
            side_wagers.even_money(variant)
            if is_blackjack(rules, hand)
            else (Fraction(0), Fraction(0))
        )
        share = Fraction(str(rules.chapter.fact("insurance_most").value))
        worth = {
            "insure": waiting + share * side_wagers.insurance(variant, held),
            "decline_insurance": waiting,
            "take_even_money": paid,
        }
        return tuple((name, value) for name, value in worth.items() if name in choices)

    def choice(self, rules: Rules, event: Event) -> str:
        if isinstance(event, HandSplit):
            return "split"
        if isinstance(event, HandDoubled):
            return "double"
        return "hit" if isinstance(event, e.CardsDealt) else super().choice(rules, event)

    def question(self, rules: Rules, source: Source) -> Question:
        """Two cards that leave something to decide, an up card and the reader's light."""
        while True:
            first, second, up, hole = shuffled(standard_deck(), source)[:4]
            hand, lit = (first, second), value_range(rules, hole)
            try:
                return Question(hand, self._worth(rules, hand, up, lit), up, lit)
            except Refused:
                continue

    def decide(
        self, rules: Rules, table: Table, seat: int, seen: VisibleCards, choices: Sequence[str]
    ) -> Decision:
        """A hard fifteen stands, and a soft eighteen."""
        if "hit" not in choices:
            return choices[0], {}
        total = player_total(rules, known(seen.get(_acting_pile(table, seat), ())))
        return "stand" if total.points >= (18 if total.soft else 15) else "hit", {}

    def hand(self, rules: Rules, table: Table, seat: int, seen: VisibleCards) -> tuple[Card, ...]:
        return known(seen.get(_acting_pile(table, seat), ()))

    def hints(self, rules: Rules) -> tuple[str, ...]:
        return tuple(dict.fromkeys(numbers(rules).lights.values()))


def _acting_pile(table: Table, seat: int) -> str:
    """The hand of a seat that acts: of a split the first is finished before the second."""
    acting = current(Moment(table, "player"))
    return hand_pile(seat, acting[1] if acting is not None and acting[0] == seat else 1)


GAME: TeachingGame = DownUnderTeaching()
