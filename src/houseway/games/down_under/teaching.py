"""Down Under: what each decision is worth, questions, a rule of thumb."""

from __future__ import annotations

from collections.abc import Sequence

from houseway.cards import Card, Source, shuffled, standard_deck
from houseway.errors import Refused
from houseway.games.down_under.hands import player_total, value_range
from houseway.games.down_under.presentation import GAME as PRESENTATION
from houseway.games.down_under.table.hands import current
from houseway.law import Rules
from houseway.present.teaching import Decision, Question, TeachingGame, Worth
from houseway.present.visible_cards import VisibleCards, known
from houseway.table import Table
from houseway.table.engine import Moment
from houseway.table.state import hand_pile


class DownUnderTeaching(TeachingGame):
    unit = "bets"

    def advise(self, rules: Rules, table: Table, seat: int, seen: VisibleCards) -> Worth:
        hand = known(seen.get(_acting_pile(table, seat), ()))
        up, lit = known(seen.get("dealer", ())[:1]), PRESENTATION.light(rules, table)
        if not hand or not up or not lit:
            raise Refused("no_advice", "there is advice once the reader has shown its light")
        split = hand_pile(seat, 2) in seen
        return self._worth(rules, hand, up[0], lit, split=split)

    def _worth(
        self, rules: Rules, hand: Sequence[Card], up: Card, lit: str, *, split: bool = False
    ) -> Worth:
        from houseway.games.down_under.maths import advise
        from houseway.games.down_under.maths.variant import variant_of

        held = tuple(map(str, hand))
        found = advise.advise(held, str(up), lit, rules=variant_of(rules), split=split)
        return tuple(found.values.items())

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


def _acting_pile(table: Table, seat: int) -> str:
    """The hand of a seat that acts: of a split the first is finished before the second."""
    acting = current(Moment(table, "player"))
    return hand_pile(seat, acting[1] if acting is not None and acting[0] == seat else 1)


GAME: TeachingGame = DownUnderTeaching()
