"""Deals taken one by one, the slow way: what the kernels must agree with."""

from collections import Counter
from itertools import combinations

from houseway.cards import Card
from houseway.game_api import poker
from houseway.games.three_card import hands as three_card

QUEEN_HIGH = three_card.least(10)


def deck(ranks=range(13), suits=range(4)):
    return [Card(rank * 4 + suit) for rank in ranks for suit in suits]


def hands(pack, size=3):
    return list(combinations(pack, size))


def column(mine: int, dealer: int, qualifies: int = QUEEN_HIGH) -> int:
    """Where a dealer's hand stands: below, level, above; not qualified first."""
    place = 0 if dealer < mine else 1 if dealer == mine else 2
    return place + (3 if dealer >= qualifies else 0)


def dealers(hand, pack):
    """Every dealer's hand that shares no card with these."""
    left = [card for card in pack if card not in hand]
    return combinations(left, 3)


def columns_of(hand, pack, qualifies=QUEEN_HIGH, gone=(), weigh=lambda dealer: 1):
    """How many dealer's hands fall into each of the six columns."""
    mine = three_card.value(hand)
    found = [0] * 6
    for dealer in dealers((*hand, *gone), pack):
        found[column(mine, three_card.value(dealer), qualifies)] += weigh(dealer)
    return found


def six_outcome(mine, dealer):
    """The name of six cards as the tallies have it, six-card royals by themselves."""
    together = (*mine, *dealer)
    suit = poker.six_card_royal(together)
    if suit is not None:
        return "six_card_royal_diamonds" if suit == 1 else "six_card_royal"
    return poker.best_five(together)


def twos(hand) -> int:
    return sum(card.rank == 0 for card in hand)


def one_color(hand) -> bool:
    return len({card.is_red for card in hand}) == 1


def pattern(hand):
    """What two hands share when they differ only in the names of suits."""
    by_suit = Counter(card.suit for card in hand)
    return tuple(sorted(tuple(sorted(c.rank for c in hand if c.suit == s)) for s in by_suit))
