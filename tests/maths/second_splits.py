"""The two hands of a split together, by a second program.

Both hands and the dealer draw from one shoe, and no card knows which of them it goes to. So the
chance of two last hands and a dealer's hand depends on how many cards of each value they have in all,
times the number of orders in which each of the three can have come about. Every pair of last hands
is looked at with every last hand of the dealer, busts too, modulo a prime.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
from numba import njit

STAND, HIT, DOUBLE = 0, 1, 2
#: a last hand: cards drawn to it, total (0 is a bust), how often it is staked
Last = tuple[tuple[int, ...], int, int]


def last_hands(game: Any, pair: int, actions: np.ndarray) -> Counter[Last]:
    """The last hands of one card of a pair played so, and in how many orders each comes about."""
    ways = [0] * len(game.hands)
    ways[game.one(pair)] = 1
    found: Counter[Last] = Counter()

    def drawn(place: int, more: int = -1) -> tuple[int, ...]:
        cards = [int(n) for n in game.hands[place]]
        cards[pair] -= 1
        if more >= 0:
            cards[more] += 1
        return tuple(cards)

    def total(place: int) -> int:
        hard = int(sum(n * (v + 1) for v, n in enumerate(game.hands[place])))
        return hard + 10 if game.hands[place][0] and hard + 10 <= 21 else hard

    for place in reversed(range(len(game.hands))):  # the lowest totals first
        if not ways[place]:
            continue
        if actions[place] == STAND:
            found[drawn(place), total(place), 1] += ways[place]
            continue
        for value in range(10):
            to = int(game.index[place, value])
            stakes = 2 if actions[place] == DOUBLE else 1
            if to < 0:
                found[drawn(place, value), 0, stakes] += ways[place]
            elif stakes == 2:
                found[drawn(to), total(to), 2] += ways[place]
            else:
                ways[to] += ways[place]
    return found


def dealers_hands(up: int, holes: np.ndarray, most: int) -> Counter[tuple[tuple[int, ...], int]]:
    """The dealer's last hands without the up card, by end (17 to 22, 23 a bust), with their orders."""
    found: Counter[tuple[tuple[int, ...], int]] = Counter()
    begun: Counter[tuple[int, ...]] = Counter(
        tuple(int(v == hole) for v in range(10)) for hole in range(10) if holes[hole]
    )
    while begun:
        after: Counter[tuple[int, ...]] = Counter()
        for cards, ways in begun.items():
            total = sum(n * (v + 1) for v, n in enumerate(cards)) + up + 1
            for _ in range(cards[0] + (up == 0)):
                if total + 10 <= most:
                    total += 10
            if total >= 17:
                found[cards, min(total, 23)] += ways
                continue
            for value in range(10):
                after[(*cards[:value], cards[value] + 1, *cards[value + 1 :])] += ways
        begun = after
    return found


@njit(cache=False)
def ends_beside(drawn, left, dealer, ways, places, falling, inverse, prime):  # type: ignore[no-untyped-def]
    """For each set of cards drawn: how likely just these come in their order, and the dealer ends so."""
    found = np.zeros((len(drawn), 7), np.int64)
    unseen = left.sum()
    for row in range(len(drawn)):
        these, size = 1, drawn[row].sum()
        for value in range(10):
            these = these * falling[left[value], drawn[row, value]] % prime
        for hand in range(len(dealer)):
            weight, cards = ways[hand], size
            for value in range(10):
                count = dealer[hand, value]
                if count:
                    rest = left[value] - drawn[row, value]
                    weight = weight * (falling[rest, count] if rest >= count else 0) % prime
                    cards += count
            weight = weight * inverse[unseen, cards] % prime
            found[row, places[hand]] = (found[row, places[hand]] + weight) % prime
        for place in range(7):
            found[row, place] = found[row, place] * these % prime
    return found


@njit(cache=False)
def added(which, ways, won, chances, prime):  # type: ignore[no-untyped-def]
    """What both hands win, -4 to 4, over every two last hands and every end of the dealer."""
    found = np.zeros(9, np.int64)
    count = len(ways)
    for one in range(count):
        for other in range(count):
            both = ways[one] * ways[other] % prime
            for place in range(7):
                at = won[one, place] + won[other, place] + 4
                found[at] = (found[at] + both * chances[which[one * count + other], place]) % prime
    return found


@cache
def tables(most: int, prime: int) -> tuple[np.ndarray, np.ndarray]:
    """n (n - 1) ... of so many factors, and what divides by it, modulo a prime."""
    falling = np.zeros((most + 1, 64), np.int64)
    inverse = np.zeros((most + 1, 64), np.int64)
    for n in range(most + 1):
        product = 1
        for factors in range(64):
            falling[n, factors] = product
            inverse[n, factors] = pow(product, -1, prime) if product else 0
            product = product * (n - factors) % prime if factors < n else 0
    return falling, inverse


def wins(total: int, stakes: int, dealer: int) -> int:
    """What a hand of a split wins (685a.7(n) to (q)); two cards of it are no two Large cards."""
    if total == 0 or (dealer < 22 and total < dealer):
        return -stakes
    if dealer == 23 or (dealer == 22 and total == 21) or (dealer < 22 and total > dealer):
        return stakes
    return 0


def results(
    game: Any, up: int, holes: np.ndarray, pair: int, actions: np.ndarray, field: Any
) -> dict[int, int]:
    """What both hands of a split win together, each with its chance modulo a prime."""
    left = np.array(game.shoe)
    left[pair] -= 2
    left[up] -= 1
    prime, falling, inverse = field
    dealer = list(dealers_hands(up, holes, game.most).items())
    hands = list(last_hands(game, pair, actions).items())
    # every two last hands; the same cards are looked at once. Five bits for each value's count
    packed = np.array([sum(n << 5 * v for v, n in enumerate(cards)) for (cards, _, _), _ in hands])
    gone, which = np.unique(np.add.outer(packed, packed).ravel(), return_inverse=True)
    chances = ends_beside(
        np.stack([gone >> 5 * value & 31 for value in range(10)], axis=1),
        left,
        np.array([cards for (cards, _), _ in dealer]),
        np.array([ways % prime for _, ways in dealer]),
        np.array([end - 17 for (_, end), _ in dealer]),
        falling,
        inverse,
        prime,
    )
    won = np.array(
        [[wins(total, stakes, end) for end in range(17, 24)] for (_, total, stakes), _ in hands]
    )
    found = added(which, np.array([ways % prime for _, ways in hands]), won, chances, prime)
    # the hole card is one of the range: of all unseen cards, so many
    inside = int((left * holes).sum()) * pow(int(left.sum()), -1, prime)
    back = pow(inside, -1, prime)
    return {at - 4: int(chance) * back % prime for at, chance in enumerate(found) if chance}
