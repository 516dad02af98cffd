"""What a payout limit takes from a player of Three Card Prime, exactly: every deal that it cuts.

The limit cuts few deals: player's hands are taken once for all that differ in the names of suits of
a color, the dealer's hands beside each are sifted by the most that could be won, and what is left is
settled by the kernel, with the limit and without.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houseway.games.three_card.simulation import codes
from houseway.games.three_card.simulation.kernel import play, room_for
from houseway.games.three_card.simulation.tables import build
from houseway.money import Cents
from houseway.simulate.kernels.counts import Ints, empty
from houseway.simulate.kernels.five_of_six import ROYAL_SIX, ROYAL_SIX_DIAMONDS, best_of
from houseway.simulate.kernels.kernel import NO_LINES
from houseway.simulate.kernels.random_streams import start
from houseway.simulate.prepared import Playing
from houseway.simulate.results.exact import Ways

#: renaming suits this way changes no color's sameness: black for black, red for red, or all changed
_RENAMED = (
    (0, 1, 2, 3), (3, 1, 2, 0), (0, 2, 1, 3), (3, 2, 1, 0),
    (1, 0, 3, 2), (1, 3, 0, 2), (2, 0, 3, 1), (2, 3, 0, 1),
)  # fmt: skip
_DEALS = comb(52, 3) * comb(49, 3) * 46


def taken(game: Playing, stakes: Mapping[str, Cents]) -> Ways | None:
    """What is taken from a position, by amount, and how many deals there are."""
    table, _ = build(game.rules, [dict(stakes)], game.strategy)
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
    play(
        table, len(given), start("", 0), codes.OF_CARD.copy(), given, counts, nets, NO_LINES, False,
        room_for(table),
    )  # fmt: skip
    return nets[:, 0]
