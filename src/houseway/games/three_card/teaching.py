"""Three-card games: what playing and folding are worth, questions, a rule of thumb."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from houseway.cards import Card, Source, cards, shuffled, standard_deck
from houseway.games.three_card import hands
from houseway.law import Rules
from houseway.present.teaching import Decision, Question, TeachingGame, Worth, hand_in_question
from houseway.present.visible_cards import VisibleCards
from houseway.table import Table

#: the weakest hand that is played
_LEAST = hands.value(cards("Qc 6d 4h"))


@lru_cache(maxsize=512)
def _columns(hand: tuple[Card, ...], qualifies: int) -> tuple[int, ...]:
    """How many dealer's hands fall into each column of the duel against this hand."""
    mine = hands.value(hand)
    left = [one for one in standard_deck() if one not in hand]
    counts: Counter[int] = Counter()
    for dealer in combinations(left, 3):
        other = hands.value(dealer)
        counts[3 * (other >= qualifies) + (other >= mine) + (other > mine)] += 1
    return tuple(counts[column] for column in range(6))


class ThreeCardTeaching(TeachingGame):
    """Side wagers are left out: they do not depend on the choice."""

    def worth(self, rules: Rules, hand: Sequence[Card]) -> Worth:
        """Play or fold, over every dealer's hand that is left."""
        from houseway.games.three_card.maths.ante_play import payoffs

        pays = payoffs(rules)
        counts = _columns(tuple(sorted(hand)), pays.qualifies)
        nets = pays.nets[hands.outcomes(hand, hands.value(hand))[0]]
        whole = sum((net * count for net, count in zip(nets, counts, strict=True)), Fraction(0))
        return (("play", whole / sum(counts)), ("fold", pays.fold))

    def question(self, rules: Rules, source: Source) -> Question:
        hand = tuple(shuffled(standard_deck(), source)[: rules.chapter.number("hand_cards")])
        return Question(hand, self.worth(rules, hand))

    def decide(
        self, rules: Rules, table: Table, seat: int, seen: VisibleCards, choices: Sequence[str]
    ) -> Decision:
        """A queen, six and four or better plays."""
        if "play" not in choices:
            return choices[0], {}
        hand = hand_in_question(rules, table, seat, seen)
        return "play" if hands.value(hand) >= _LEAST else "fold", {}


GAME: TeachingGame = ThreeCardTeaching()
