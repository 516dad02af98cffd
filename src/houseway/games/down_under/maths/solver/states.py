"""The player's positions as arrays: every hand as dealt, and every hand that grows from a split card.

A *family* is hands played from the same start: the two cards as dealt, or one card of a split pair
while the other cards of that value lie elsewhere on the felt. Positions of different families share
the dealer's ends wherever the same cards have left the shoe.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from houseway.games.down_under.maths.solver.arrays import Ints
from houseway.games.down_under.maths.solver.hands import ACE, TEN, Hand, hand_of, player_hands
from houseway.games.down_under.maths.solver.variant import Variant

MAY_STAND, MAY_HIT, MAY_DOUBLE = 1, 2, 4
#: the family of hands as dealt
AS_DEALT = (-1, 0)
#: a blackjack as dealt is paid, not played
PAID = 0


@dataclass(frozen=True, slots=True)
class States:
    """Positions in an order in which every position follows all it can become."""

    #: cards that have left the shoe, once for each distinct set
    removed: Ints
    #: for each position the index of its set of removed cards, and that set as one number
    row: Ints
    cards: Ints
    #: for each position and next card the position that follows, or -1 for a bust
    child: Ints
    #: row of the payoff tables
    pays: Ints
    #: which of stand, hit and double are open
    may: Ints
    #: the position whose decision is taken over, or -1 for a decision of its own
    follows: Ints
    #: index of the hand in `player_hands`
    hand: Ints
    #: for each family the position of every hand of `player_hands`, or -1
    first: dict[tuple[int, int], Ints]

    def at(self, family: tuple[int, int], hand: Hand) -> int:
        """The position of a hand in a family."""
        return int(self.first[family][player_hands().index[hand]])

    def only(self, keep: NDArray[np.bool_]) -> States:
        """These positions alone, in the same order; what is left out counts as never reached."""
        number = np.append(np.where(keep, np.cumsum(keep) - 1, -1), -1)
        rows, row = np.unique(self.row[keep], return_inverse=True)
        return States(
            self.removed[rows],
            row.astype(np.int64),
            self.cards[keep],
            number[self.child[keep]],
            self.pays[keep],
            self.may[keep],
            number[self.follows[keep]],
            self.hand[keep],
            {family: number[at] for family, at in self.first.items()},
        )


def families(rules: Variant) -> tuple[tuple[int, int], ...]:
    """As dealt, and for each pair how many other cards of that value are known to be gone.

    One split takes one other card; for splitting again see `splits`, which needs up to 2n - 3 of
    them for n hands. All of these are played as after one split.
    """
    split: list[tuple[int, int]] = []
    for card in range(10):
        if rules.split_hands > 1:
            most = 2 * most_hands(rules, card) - 3
            split += [(card, gone) for gone in range(1, most + 1)]
    return ((-1, 0), *split)


def most_hands(rules: Variant, card: int) -> int:
    """How many hands a pair of these can become. Aces that get one card are not split again, nor
    are tens where only tens of one rank are a pair.
    """
    alone = (card == ACE and rules.split_aces == "one_card") or (
        card == TEN and rules.split_tens == "same_rank"
    )
    return min(rules.split_hands, 2) if alone else rules.split_hands


def key(hands: Ints) -> Ints:
    """Hands as single numbers: five bits for each value hold every count that can occur."""
    return hands @ (1 << 5 * np.arange(10, dtype=np.int64))


def states(rules: Variant) -> States:
    """All positions. Only the rules of splitting, doubling and of two Large cards matter here."""
    plain = Variant()
    return all_states(
        rules.but(
            decks=plain.decks,
            dealer_soft_22=plain.dealer_soft_22,
            soft_17=plain.soft_17,
            dealer_22=plain.dealer_22,
            doubled_beats_22=plain.doubled_beats_22,
            reader=plain.reader,
            blackjack_pays=plain.blackjack_pays,
        )
    )


@cache
def hand_keys() -> Ints:
    """The number of every hand of `player_hands`."""
    return key(np.array(player_hands().hands, dtype=np.int64))


def cards_of(keys: Ints) -> Ints:
    """The inverse of `key`."""
    found: Ints = (keys[:, None] >> 5 * np.arange(10, dtype=np.int64)) & 31
    return found


@cache
def all_states(rules: Variant) -> States:
    graph = player_hands()
    hands = np.array(graph.hands, dtype=np.int64)
    child = np.array(graph.child, dtype=np.int64)
    totals = np.array(graph.totals)
    size = hands.sum(axis=1)
    pair_large = [graph.index[hand_of(card, card)] for card in (ACE, TEN)]
    blackjack = graph.index[hand_of(ACE, TEN)]

    parts: list[tuple[Ints, ...]] = []
    first: dict[tuple[int, int], Ints] = {}
    start = 0
    for card, gone in families(rules):
        dealt = card < 0
        once = card == ACE and rules.split_aces == "one_card"
        member = size >= 2 if dealt else (hands[:, card] > 0) & (size <= (2 if once else 21))
        mine = np.flatnonzero(member)
        at = np.full(len(hands) + 1, -1, dtype=np.int64)
        at[mine] = start + np.arange(len(mine))
        first[card, gone] = at[:-1]
        start += len(mine)

        removed = hands[mine].copy()
        if not dealt:
            removed[:, card] += gone
        large = "two_large" if dealt else "two_large_after_split"
        beats = np.isin(mine, [*pair_large, blackjack]) & (large in rules.beats_22)
        pays = np.maximum(totals[mine], 16) - 16 + 6 * beats
        may = np.full(len(mine), MAY_STAND, dtype=np.int64)
        if not once:
            may[totals[mine] < 21] |= MAY_HIT
            doubles = (size[mine] == 2) & (totals[mine] < 21)
            if rules.double_on != "any":
                least = 9 if rules.double_on == "nine_to_eleven" else 10
                doubles &= (totals[mine] >= least) & (totals[mine] <= 11)
            if dealt or rules.double_after_split:
                may[doubles] |= MAY_DOUBLE
        may[size[mine] == 1] = MAY_HIT
        if dealt:
            may[mine == blackjack] = PAID
        follows = first[card, 1][mine] if gone > 1 else np.full(len(mine), -1, dtype=np.int64)
        parts.append((removed, at[child[mine]], pays, may, follows, mine))

    removed, child, pays, may, follows, hand = map(np.concatenate, zip(*parts, strict=True))
    keys = key(removed)
    _, one_of, row = np.unique(keys, return_index=True, return_inverse=True)
    return States(
        removed[one_of], row.astype(np.int64), keys, child, pays, may, follows, hand, first
    )
