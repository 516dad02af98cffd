"""Saigon 5 Card by a second program: every kind of hand against every other."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
from second_program import POKER, Worked, back, best_of, of_nets

from houseway.law import Paytable

#: values of cards, ten for tens and faces, 0 for the joker; and how many there are (680a.6(a))
VALUES = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
COPIES = (1, 4, 4, 4, 4, 4, 4, 4, 4, 4, 16)
JOKER = (3, 6, 9)


def totals(cards: tuple[int, ...]) -> set[int]:
    """What cards may total; the joker is 3, 6 or 9."""
    rest = sum(cards)
    return {rest + joker for joker in JOKER} if 0 in cards else {rest}


def counts_of(hand: tuple[int, ...]) -> list[int]:
    """The point counts with which a hand can qualify, best first (680a.6(b), 680a.11(b))."""
    found = set()
    for three in combinations(range(5), 3):
        if totals(tuple(hand[at] for at in three)) & {10, 20, 30}:
            two = tuple(hand[at] for at in range(5) if at not in three)
            found.add(max(total - 10 if total > 10 else total for total in totals(two)))
    return sorted(found, reverse=True)


@cache
def kinds() -> tuple[list[tuple[int, ...]], np.ndarray, list[list[int]]]:
    """Every kind of hand, how many of each value it holds, and its point counts."""
    hands = [
        hand
        for hand in combinations_with_replacement(VALUES, 5)
        if all(hand.count(v) <= c for v, c in zip(VALUES, COPIES, strict=True))
    ]
    held = np.array([[hand.count(value) for value in VALUES] for hand in hands])
    return hands, held, [counts_of(hand) for hand in hands]


@cache
def dealers() -> np.ndarray:
    """For each kind of the player's: dealer's hands that do not qualify, or count 1 to 10."""
    _, held, counts = kinds()
    ways = np.array([[comb(n, k) for k in range(6)] for n in range(17)], np.int64)
    shown = np.array([found[0] if found else 0 for found in counts])
    result = np.zeros((len(held), 11), np.int64)
    for kind, mine in enumerate(held):
        each = np.ones(len(held), np.int64)
        for value, copies in enumerate(COPIES):
            each *= ways[copies - mine[value], held[:, value]]
        result[kind] = [each[shown == count].sum() for count in range(11)]
    return result


def results(table: Paytable, count: int, dealer: np.ndarray) -> list[tuple[str, int, Fraction]]:
    """What becomes of an ante that shows a point count, 0 for none (680a.11(d))."""
    if not count:
        return [
            ("neither_qualifies", int(dealer[0]), Fraction(0)),
            ("dealer_alone_qualifies", int(dealer[1:].sum()), Fraction(-1)),
        ]
    row = "point_count_5" if count == 5 else "win"
    return [
        ("win_with_5" if count == 5 else "win", int(dealer[:count].sum()), table[row].odds.value),
        ("push", int(dealer[count]), Fraction(0)),
        ("lose", int(dealer[count + 1 :].sum()), Fraction(-1)),
    ]


def chosen(table: Paytable, how: str) -> list[int]:
    """The point count that each kind of hand is set to."""
    found = []
    for options, dealer in zip(kinds()[2], dealers(), strict=True):
        if not options:
            found.append(0)
        elif how == "best":
            found.append(
                max(options, key=lambda c: sum(w * net for _, w, net in results(table, c, dealer)))
            )
        elif how == "avoid_five":
            found.append(next((count for count in options if count != 5), options[0]))
        else:
            found.append(options[0])
    return found


def ways_of(kind: np.ndarray) -> int:
    found = 1
    for copies, held in zip(COPIES, kind, strict=True):
        found *= comb(copies, int(held))
    return found


def ante(table: Paytable) -> Worked:
    """The ante, every hand set the best way."""

    def set_so(how: str) -> Worked:
        nets: Counter[Fraction] = Counter()
        rows: Counter[tuple[str, Fraction]] = Counter()
        total = comb(53, 5) * comb(48, 5)
        _, held, _ = kinds()
        for kind, count, dealer in zip(held, chosen(table, how), dealers(), strict=True):
            for name, ways, net in results(table, count, dealer):
                nets[net] += ways_of(kind) * ways
                rows[name, net + 1] += ways_of(kind) * ways
        found = of_nets(nets, total)
        found.rows = {row: Fraction(ways, total) for row, ways in rows.items() if ways}
        return found

    best = set_so("best")
    best.simpler = {how: set_so(how).edge for how in ("as_the_dealer", "avoid_five")}
    return best


#: the order in which a hand is paid (680a.6(c))
BONUS = (
    "five_aces", "royal_flush", "royal_flush_joker", "straight_flush", "four_of_a_kind",
    "full_house", "flush", "straight", "three_of_a_kind", "two_pair", "",
)  # fmt: skip


@cache
def bonus_hands() -> tuple[np.ndarray, np.ndarray]:
    """Every hand of five with the joker's place last: its cards (52 is the joker), and its name."""
    place = np.array([BONUS.index(name) if name in BONUS else 10 for name in POKER])
    plain = np.array(list(combinations(range(52), 5)))
    named = place[best_of(plain // 4, plain % 4)]
    four = np.array(list(combinations(range(52), 4)))
    with_joker = np.full(len(four), 10)
    # as an ace: five aces, four of a kind, full house, three of a kind and two pair by ranks alone
    by_rank = np.stack([(four // 4 == rank).sum(axis=1) for rank in range(13)], axis=1)
    by_rank[:, 12] += 1
    most = np.sort(by_rank, axis=1)[:, ::-1]
    for name, holds in (
        ("two_pair", (most[:, 0] == 2) & (most[:, 1] == 2)),
        ("three_of_a_kind", most[:, 0] == 3),
        ("full_house", (most[:, 0] == 3) & (most[:, 1] == 2)),
        ("four_of_a_kind", most[:, 0] == 4),
        ("five_aces", most[:, 0] == 5),
    ):
        with_joker[holds] = np.minimum(with_joker[holds], BONUS.index(name))
    # as the card that completes a royal flush, straight flush, flush or straight
    completes = {
        "royal_flush": "royal_flush_joker", "straight_flush": "straight_flush", "flush": "flush",
        "straight": "straight",
    }  # fmt: skip
    for card in range(52):
        free = (four != card).all(axis=1)
        hands = np.column_stack([four[free], np.full(free.sum(), card)])
        found = best_of(hands // 4, hands % 4)
        as_named = np.array(
            [BONUS.index(completes[name]) if name in completes else 10 for name in POKER]
        )
        with_joker[free] = np.minimum(with_joker[free], as_named[found])
    cards = np.vstack([plain, np.column_stack([four, np.full(len(four), 52)])])
    return cards, np.concatenate([named, with_joker])


def bonus(table: Paytable) -> Worked:
    """The player's five cards."""
    _, named = bonus_hands()
    counts = np.bincount(named, minlength=11).tolist()
    nets: Counter[Fraction] = Counter()
    rows = {}
    for name, ways in zip(BONUS, counts, strict=True):
        came = back(table[name].odds, 100) if name in table.pays else Fraction(0)
        nets[came - 1] += ways
        if name in table.pays:
            rows[name, came] = Fraction(ways, comb(53, 5))
    found = of_nets(nets, comb(53, 5))
    found.rows = rows
    return found
