"""The counts behind figures at any stakes, by a second program: every deal of two hands looked at.

Nothing is shared with `houseway.games`: hands are ranked by `second_program`, and each of the 22,100
hands meets all 18,424 dealer's hands. A row of the tallies is a pattern of ranks and suits; patterns
of one rank are compared as a set, since their order among themselves decides nothing.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, groupby, permutations
from typing import Any

import numpy as np
from numba import njit
from second_program import DECK, best_of, three

#: three of a kind or better in six cards: the six-card royals, then the best five
SIX_PAID = 9
#: the same in five
FIVE_PAID = 7


@njit(cache=False)
def six_kind(ranks, one, two, three_, four):  # type: ignore[no-untyped-def]
    """The place among the six-card hands that are paid, or `SIX_PAID`.

    `ranks` counts the cards of each rank, four bits each; then the ranks held in each suit.
    """
    fours = threes = pairs = held = 0
    for rank in range(13):
        count = (ranks >> (4 * rank)) & 15
        fours += count == 4
        threes += count == 3
        pairs += count == 2
        held |= (count > 0) << rank
    flush = straight = straight_flush = royal = False
    for suit, cards in enumerate((one, two, three_, four)):
        if cards == 0b1111110000000:
            return 0 if suit == 1 else 1
        many = 0
        for rank in range(13):
            many += (cards >> rank) & 1
        flush = flush or many >= 5
        if many >= 5:
            for low in range(-1, 9):
                run = 0b1000000001111 if low < 0 else 0b11111 << low
                if cards & run == run:
                    straight_flush = True
                    royal = royal or low == 8
    for low in range(-1, 9):
        run = 0b1000000001111 if low < 0 else 0b11111 << low
        straight = straight or held & run == run
    if royal:
        return 2
    if straight_flush:
        return 3
    if fours:
        return 4
    if threes == 2 or (threes and pairs):
        return 5
    if flush:
        return 6
    if straight:
        return 7
    return 8 if threes else 9


@njit(cache=False)
def count(hands, level, low, rows, first, five, duel, splits, primes, fives):  # type: ignore[no-untyped-def]
    """Add what the hands from `first` on meet to their rows; `five` has their five-card hands.

    `duel`: dealer's hands by column. `splits`, by column and six-card hand: deals, the dealer's twos,
    deals with the player's cards of one color, with the dealer's of it too, the twos of both. `primes`:
    the dealer's twos by column; deals and twos with one color, both hands. `fives`, by five-card hand:
    deals with two community cards, dealer's hands by column and by six-card hand.
    """
    kinds = SIX_PAID
    ones = np.zeros((6 + kinds, 52), np.int64)
    twos_held = np.zeros((6 + kinds, 52, 52), np.int64)
    sums = np.zeros(6 + kinds, np.int64)
    suits = np.zeros(4, np.int64)
    for mine in range(first, first + len(five)):
        row = rows[mine]
        x, y, z = hands[mine]
        red = ((x & 3) in (1, 2)) + ((y & 3) in (1, 2)) + ((z & 3) in (1, 2))
        one_color = red in (0, 3)
        ones[:] = 0
        twos_held[:] = 0
        sums[:] = 0
        for place in range(len(hands)):
            a, b, c = hands[place]
            if a in (x, y, z) or b in (x, y, z) or c in (x, y, z):
                continue
            if level[place] < level[mine]:
                column = 0
            elif level[place] == level[mine]:
                column = 1
            else:
                column = 2
            if not low[place]:
                column += 3
            ranks = 0
            suits[:] = 0
            for card in (x, y, z, a, b, c):
                ranks += 1 << (4 * (card >> 2))
                suits[card & 3] |= 1 << (card >> 2)
            six = six_kind(ranks, suits[0], suits[1], suits[2], suits[3])
            twos = (a < 4) + (b < 4) + (c < 4)
            same = (
                one_color and ((a & 3) in (1, 2)) + ((b & 3) in (1, 2)) + ((c & 3) in (1, 2)) == red
            )
            duel[row, column] += 1
            primes[row, column, 0] += twos
            if same:
                primes[row, column, 1] += 1
                primes[row, column, 2] += twos
            if six < kinds:
                splits[row, column, six, 0] += 1
                splits[row, column, six, 1] += twos
                if one_color:
                    splits[row, column, six, 2] += 1
                    splits[row, column, six, 4] += twos
                if same:
                    splits[row, column, six, 3] += 1
                    splits[row, column, six, 5] += twos
            for at in (column, 6 + six):
                if at == 6 + kinds:
                    continue
                sums[at] += 1
                for card in (a, b, c):
                    ones[at, card] += 1
                twos_held[at, a, b] += 1
                twos_held[at, a, c] += 1
                twos_held[at, b, c] += 1
        # two community cards that no dealer's hand may hold
        for d in range(52):
            for e in range(d + 1, 52):
                if d in (x, y, z) or e in (x, y, z):
                    continue
                kind = five[mine - first, d, e]
                if kind >= FIVE_PAID:
                    continue
                fives[row, kind, 0] += 1
                for at in range(6 + kinds):
                    fives[row, kind, 1 + at] += (
                        sums[at] - ones[at, d] - ones[at, e] + twos_held[at, d, e]
                    )


def pattern(hand: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """The hand with its suits renamed, the same for every hand of the same pattern."""
    found = []
    for order in permutations(sorted(hand, reverse=True)):
        if [rank for rank, _ in order] != sorted((rank for rank, _ in hand), reverse=True):
            continue
        names: dict[int, int] = {}
        found.append(tuple((rank, names.setdefault(suit, len(names))) for rank, suit in order))
    return min(found)


@cache
def counted() -> list[tuple[Any, ...]]:
    """Each row: category, order of its value, hands, and its profile."""
    hands = list(combinations(range(52), 3))
    dealt = [tuple(DECK[card] for card in hand) for hand in hands]
    values = [three(hand) for hand in dealt]
    order = {value: at for at, value in enumerate(sorted(set(values)))}
    spades = [
        value == (5, 12) and hand[0][1] == 3 for value, hand in zip(values, dealt, strict=True)
    ]
    keys = [(order[v], s, pattern(h)) for v, s, h in zip(values, spades, dealt, strict=True)]
    row_of = {key: at for at, key in enumerate(sorted(set(keys)))}
    rows = np.array([row_of[key] for key in keys])
    level = np.array([order[value] for value in values])
    low = level < min(order[value] for value in values if value >= (0, 10))
    many, cards = len(row_of), np.array(hands)
    duel = np.zeros((many, 6), np.int64)
    splits = np.zeros((many, 6, SIX_PAID, 6), np.int64)
    primes = np.zeros((many, 6, 3), np.int64)
    fives = np.zeros((many, FIVE_PAID, 7 + SIX_PAID), np.int64)
    pairs = np.array(list(combinations(range(52), 2)))
    for first in range(0, len(hands), 500):
        some = cards[first : first + 500]
        whole = np.hstack([np.repeat(some, len(pairs), axis=0), np.tile(pairs, (len(some), 1))])
        five = np.zeros((len(some), 52, 52), np.int64)
        # pairs with a card of the hand are ranked here and left out there
        five[:, pairs[:, 0], pairs[:, 1]] = best_of(whole // 4, whole % 4).reshape(len(some), -1)
        count(cards, level, low, rows, first, five, duel, splits, primes, fives)
    ways = Counter(rows.tolist())
    colored = Counter(
        row for row, hand in zip(rows.tolist(), dealt, strict=True)
        if sum(suit in (1, 2) for _, suit in hand) in (0, 3)
    )  # fmt: skip
    found: list[tuple[Any, ...]] = []
    for key, row in row_of.items():
        example = dealt[keys.index(key)]
        found.append(
            (key[0], key[1], three(example)[0], ways[row], colored[row],
             sum(rank == 0 for rank, _ in example), duel[row], splits[row], primes[row], fives[row])
        )  # fmt: skip
    return found


def agrees(duel: Any, splits: Any, five: Any = None, primes: Any = None) -> bool:
    """Compare the tallies of the three-card games, row by row."""
    theirs: dict[int, list[Any]] = {row: [] for row in range(len(duel.value))}
    for row, column, six, *counts in zip(
        splits.row, splits.column, splits.six, splits.deals, splits.twos, splits.one_color,
        splits.both_one_color, splits.one_color_twos, splits.both_one_color_twos, strict=True,
    ):  # fmt: skip
        theirs[row].append(("six", column, six, *counts))
    if five is not None:
        for row, kind, deals, dealer, sixes in zip(
            five.row, five.five, five.deals, five.dealer, five.six, strict=True
        ):
            theirs[row].append(("five", kind, deals, *dealer, *sixes))
    profiles = []
    for row, value in enumerate(duel.value):
        more: tuple[Any, ...] = ()
        if primes is not None:
            more = (primes.one_color[row], primes.twos[row], *primes.dealer_twos[row],
                    *primes.same_color[row], *primes.same_color_twos[row])  # fmt: skip
        last = row == len(duel.value) - 1  # the mini royal of spades
        profile = (duel.ways[row], *duel.dealer[row], tuple(sorted(theirs[row])), *more)
        profiles.append(((value, last), value // 13**3, profile))
    mine = []
    for at, spades, category, ways, colored, twos, duels, sixes, colors, fives in counted():
        lines = [
            ("six", column, six, *map(int, sixes[column, six]))
            for column in range(6) for six in range(SIX_PAID) if sixes[column, six, 0]
        ]  # fmt: skip
        if five is not None:
            lines += [("five", kind, *map(int, fives[kind])) for kind in range(FIVE_PAID)
                      if fives[kind, 0]]  # fmt: skip
        more = ()
        if primes is not None:
            same = [int(n) // colored if colored else 0 for n in colors[:, 1]]
            same_twos = [int(n) // colored if colored else 0 for n in colors[:, 2]]
            more = (colored, twos, *(int(n) // ways for n in colors[:, 0]), *same, *same_twos)
        profile = (ways, *(int(n) // ways for n in duels), tuple(sorted(lines)), *more)
        mine.append(((at, spades), category, profile))
    mine.sort(key=lambda one: one[0])
    groups = [
        [(key, list(group)) for key, group in groupby(every, key=lambda one: one[0])]
        for every in (profiles, mine)
    ]
    assert len(groups[0]) == len(groups[1])
    for (_, one), (_, other) in zip(*groups, strict=True):
        assert Counter(x[1:] for x in one) == Counter(x[1:] for x in other)
    return True
