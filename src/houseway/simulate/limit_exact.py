"""What a payout limit takes from a player, exactly: every deal that it cuts.

A limit counts all wagers of a player together, so the figure needs all cards of a round at once.
Saigon's deals are counted by what both wagers come to. Three Card Prime's have more to them, but the
limit cuts few: player's hands are taken once for all that differ in the names of suits of a color,
the dealer's hands beside each are sifted by the most that could be won, and what is left is settled
by the kernel, with the limit and without.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houseway.games.saigon.maths.ante import DEALS
from houseway.games.saigon.simulation_exact import deals
from houseway.games.three_card import simulation_codes as codes
from houseway.games.three_card import simulation_tables as three_card_tables
from houseway.games.three_card.simulation_kernel import play, room_for
from houseway.money import Cents
from houseway.simulate.counts import Ints, empty
from houseway.simulate.exact import Exact
from houseway.simulate.five_of_six import ROYAL_SIX, ROYAL_SIX_DIAMONDS, best_of
from houseway.simulate.prepared import Playing, playing
from houseway.simulate.random_streams import start

#: renaming suits this way changes no color's sameness: black for black, red for red, or all changed
_RENAMED = (
    (0, 1, 2, 3), (3, 1, 2, 0), (0, 2, 1, 3), (3, 2, 1, 0),
    (1, 0, 3, 2), (1, 3, 0, 2), (2, 0, 3, 1), (2, 3, 0, 1),
)  # fmt: skip
_DEALS = comb(52, 3) * comb(49, 3) * 46

#: amounts that are taken with the deals in which they are, and how many deals there are in all
_Ways = tuple[Counter[int], int]


def taken(game: Playing, position: int) -> Exact | None:
    """What the limit takes from a position in a round, in cents; none where no one number is known."""
    stakes = tuple(sorted(game.plan.stakes[position].items()))
    return _taken(game.plan.encode(), stakes)


@lru_cache(maxsize=64)
def _taken(encoded: bytes, stakes: tuple[tuple[str, Cents], ...]) -> Exact | None:
    game = playing(encoded)
    if game.rules.options.get("payout_limit", "none") == "none":
        return None
    found = _saigon(game, stakes) if game.kind == "saigon" else _prime(game, stakes)
    if found is None:
        return None
    ways, every = found
    mean = Fraction(sum(amount * count for amount, count in ways.items()), every)
    square = Fraction(sum(amount**2 * count for amount, count in ways.items()), every)
    return Exact(mean, square - mean**2)


def _saigon(game: Playing, stakes: tuple[tuple[str, Cents], ...]) -> _Ways:
    """Saigon: the ante and the Bonus together, over the limit."""
    position = game.plan.stakes.index(dict(stakes))
    ante, bonus = game.table.limited[position].tolist()
    ways: Counter[int] = Counter()
    for (first, second), count in deals(game.plan.encode()).items():
        ways[max(0, ante[first] + bonus[second] - game.table.limit)] += count
    return ways, DEALS


def _prime(game: Playing, stakes: tuple[tuple[str, Cents], ...]) -> _Ways | None:
    table, _ = three_card_tables.build(game.rules, [dict(stakes)], game.strategy)
    limited = table.limited[0]
    royals = limited[codes.SIX_CARDS, [ROYAL_SIX, ROYAL_SIX_DIAMONDS]]
    if royals[0] != royals[1]:
        return None  # one suit is not as good as another
    ways: Counter[int] = Counter()
    if limited.max(axis=1).sum() > table.limit:
        for hand, count in _hands():
            ways.update(_with(table, hand, count))
    return ways, _DEALS


@cache
def _hands() -> tuple[tuple[tuple[int, ...], int], ...]:
    """A hand for all that are alike but for the names of suits, and how many those are."""
    found: Counter[tuple[int, ...]] = Counter()
    for hand in combinations(range(52), 3):
        alike = (sorted(card & ~3 | suits[card & 3] for card in hand) for suits in _RENAMED)
        found[min(map(tuple, alike))] += 1
    return tuple(found.items())


@cache
def _dealers() -> NDArray[np.intp]:
    return np.array(list(combinations(range(49), 3)))


def _with(table: codes.Table, hand: tuple[int, ...], count: int) -> Counter[int]:
    """What is taken in the deals with one hand, and in how many of those."""
    limited = table.limited[0]
    kind = int(table.hands[codes.index_of(*hand)]) & codes.HAND_KIND
    ante = limited[codes.ANTE_PLAY, kind * codes.RELATIONS : (kind + 1) * codes.RELATIONS]
    pairs = limited[codes.PAIR_BONUS, [kind, kind + codes.KINDS]]
    most = ante.max() + pairs.max() + limited[codes.PRIME].max()
    if most + limited[codes.SIX_CARDS].max() <= table.limit:
        return Counter()
    left = np.setdiff1d(np.arange(52), hand)
    cards = np.empty((len(_dealers()), 6), np.uint8)
    cards[:, :3], cards[:, 3:] = left[_dealers()], hand
    if table.made[codes.SIX_CARDS]:
        six = np.zeros(len(cards), np.int8)
        best_of(cards, six)
        cards = cards[most + limited[codes.SIX_CARDS][six] > table.limit]
    ways: Counter[int] = Counter()
    for fourth, times in _fourths(table, cards):
        given = np.column_stack([cards, fourth]).astype(np.int64)[:, : table.cards]
        given, often = np.ascontiguousarray(given[times > 0]), times[times > 0]
        lost = _nets(table._replace(limit=0), given) - _nets(table, given)
        for amount, number in zip(lost.tolist(), often.tolist(), strict=True):
            if amount:
                ways[amount] += number * count
    return ways


def _fourths(table: codes.Table, cards: NDArray[np.uint8]) -> list[tuple[Any, Any]]:
    """A fourth card of the rank that counts, and one of another, with how many there are left."""
    is_two = cards >> 2 == table.two
    twos = 4 - is_two.sum(axis=1)
    held = np.zeros((len(cards), 52), bool)
    np.put_along_axis(held, cards.astype(np.intp), True, axis=1)
    rank = np.arange(52) >> 2 == table.two
    return [
        (np.argmax(~held & wanted, axis=1), times)
        for wanted, times in ((rank, twos), (~rank, 46 - twos))
    ]


def _nets(table: codes.Table, given: Ints) -> Ints:
    counts, nets = empty(1, len(codes.WAGERS), codes.CODES), np.zeros((len(given), 1), np.int64)
    lines, meters = np.zeros((0, 0, 0), np.int64), np.zeros(0, np.int64)
    play(
        table, len(given), start("", 0), codes.OF_CARD.copy(), given, meters, counts, nets, lines,
        False, room_for(table),
    )  # fmt: skip
    return nets[:, 0]
