"""One game laid out for the kernels: positions, cases, deals, and what is left of the shoe."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import product
from math import perm, prod

import numpy as np

from houseway.games.down_under.maths.solver.arrays import Actions, Floats, Ints
from houseway.games.down_under.maths.solver.dealer import chances
from houseway.games.down_under.maths.solver.hands import ACE, TEN, Hand, hand_of
from houseway.games.down_under.maths.solver.quantities import Counted, Weigh
from houseway.games.down_under.maths.solver.states import AS_DEALT, States, states
from houseway.games.down_under.maths.solver.variant import (
    Cases,
    Variant,
    cases,
    checked,
    is_blackjack,
)


@dataclass(frozen=True, slots=True)
class Deal:
    """Two cards in one case: in how many ways they come, and where play starts."""

    ways: int
    case: int
    position: int
    #: value of the pair where it may be split, else -1
    pair: int
    #: the player's cards, the lower value first, and in how many orders they come
    cards: tuple[int, int]
    orders: Fraction


class Table:
    """A game from one composition."""

    def __init__(
        self, rules: Variant, shoe: Hand | None = None, *, positions: States | None = None
    ) -> None:
        self.rules = rules
        self.shoe = checked(rules, shoe)
        self.cases = cases(rules)
        self.states = positions or states(rules)

    @cached_property
    def left(self) -> Ints:
        """What is left of the shoe, the dealer's two cards included, for each set removed."""
        whole: Ints = np.array(self.shoe) - self.states.removed
        return whole

    @cached_property
    def case_up(self) -> Ints:
        return np.array([case.up for case in self.cases])

    @cached_property
    def case_hole(self) -> Ints:
        """For each case and value: whether the hole card may be one."""
        return np.array(
            [[hole in case.holes for hole in range(10)] for case in self.cases], dtype=np.int64
        )

    @cached_property
    def hidden(self) -> Ints:
        """For each set removed and case: how many cards may lie under the up card."""
        found: Ints = self.left @ self.case_hole.T
        return found - self.case_hole[np.arange(len(self.cases)), self.case_up]

    @cached_property
    def chance(self) -> Floats:
        """For each set removed and case: how likely one order of these cards comes with the case."""
        cards = sum(self.shoe)
        gone = self.states.removed
        sizes = gone.sum(axis=1)
        taken = np.array(
            [[perm(n, k) for k in range(int(gone.max()) + 1)] for n in self.shoe], float
        )
        of_player = taken[np.arange(10), gone].prod(axis=1)
        orders = np.array([perm(cards, min(cards, k)) for k in range(int(sizes.max()) + 3)], float)
        dealer = np.maximum(self.left[:, self.case_up], 0) * np.maximum(self.hidden, 0)
        found: Floats = dealer * (of_player / orders[sizes + 2])[:, None]
        return found

    def values(
        self, policy: Actions, counted: Counted, *, choose: bool = False
    ) -> tuple[Floats, Floats]:
        """What every position is worth in every case; standing, hitting, doubling, standing doubled."""
        from houseway.games.down_under.maths.solver.kernels import play

        at = self.states
        is_up = np.eye(10)[self.case_up].T.copy()
        worth, values = play(
            self.left, self.all_ends, at.row, at.child, at.pays, at.may, at.follows,
            *counted.arrays, is_up, self.case_hole.T.astype(np.float64, "C"),
            np.ascontiguousarray(policy), choose,
        )  # fmt: skip
        return worth, values.swapaxes(1, 2)

    def reach(self, policy: Actions, starts: Floats) -> Floats:
        """How often play comes to each position and case, undoubled and doubled.

        `starts` says in how many orders it comes to where it starts.
        """
        from houseway.games.down_under.maths.solver.kernels import orders

        chance = self.chance[self.states.row]
        found = orders(self.states.child, np.ascontiguousarray(policy), starts)
        return np.stack([often * chance for often in found], 2)

    @cached_property
    def all_ends(self) -> Floats:
        """Where the dealer ends for each set of cards removed."""
        return self.ends(self.left)

    def ends(self, left: Ints) -> Floats:
        """How likely the dealer ends where, for each composition left, end and case."""
        found = np.empty((len(left), 7, len(self.cases)))
        for number, case in enumerate(self.cases):
            found[:, :, number] = chances(self.rules, case, left)
        return found

    def another(self, card: int, gone: int) -> tuple[Ints, Ints]:
        """The chance in each case that the next card is of this value when so many of it have left
        the shoe: a numerator and a denominator.
        """
        left = np.array(self.shoe) - gone * np.array(hand_of(card))
        left = left - np.eye(10, dtype=np.int64)[self.case_up]
        hidden = (left * self.case_hole).sum(axis=1)
        inside = self.case_hole[:, card]
        copies = np.maximum(left[:, card], 0) * (hidden - inside)
        return copies, np.maximum(hidden * (left.sum(axis=1) - 1), 1)

    @cached_property
    def deals(self) -> tuple[Deal, ...]:
        """Every two cards in every case, but for a player's blackjack, which is paid at once."""
        return _deals(self.shoe, self.cases, self.rules.split_hands > 1, self.rules.split_tens)

    @property
    def deal_arrays(self) -> tuple[Ints, Ints, Ints, Floats]:
        """Of all deals: where play starts, the case, the pair, and how often they come."""
        return _deal_arrays(
            self.shoe, self.cases, self.rules.split_hands > 1, self.rules.split_tens
        )

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """Every pair that may be split, in every case that it comes in."""
        return [(deal.pair, deal.case) for deal in self.deals if deal.pair >= 0]

    @cached_property
    def ways(self) -> int:
        """All ways to deal two cards to the player and two to the dealer."""
        return perm(sum(self.shoe), 4)

    @cached_property
    def blackjacks(self) -> tuple[int, int, int]:
        """In how many of them the player alone has a blackjack, the dealer alone, both."""
        aces, tens, cards = self.shoe[ACE], self.shoe[TEN], sum(self.shoe)
        one = 2 * aces * tens * (cards - 2) * (cards - 3)
        both = 4 * aces * tens * (aces - 1) * (tens - 1)
        return one - both, one - both, both

    def by_blackjacks(self, counted: Counted) -> Fraction:
        """What rounds that a blackjack ends count together, over all their ways."""
        if counted.weigh is None:
            ended = zip(self.blackjacks, counted.blackjacks, strict=True)
            return sum((ways * adds for ways, adds in ended), Fraction(0))
        return self._blackjacks_weighed(counted, counted.weigh)

    def _blackjacks_weighed(self, counted: Counted, weigh: Weigh) -> Fraction:
        alone, dealer, both = counted.blackjacks
        total = Fraction(0)
        for up, hole, first, second in _ended_by_blackjack():
            mine, theirs = is_blackjack(first, second), is_blackjack(up, hole)
            adds = both if mine and theirs else alone if mine else dealer
            if not adds:
                continue
            ways, left = 1, list(self.shoe)
            for card in (up, hole, first, second):
                ways *= left[card]
                left[card] -= 1
            total += ways * adds * weigh(up, *sorted((first, second)))
        return total


@cache
def _ended_by_blackjack() -> tuple[tuple[int, int, int, int], ...]:
    """Up card, hole card and the player's two of every deal that a blackjack ends."""
    values = range(10)
    deals = product(values, values, values, values)
    return tuple(deal for deal in deals if is_blackjack(*deal[:2]) or is_blackjack(*deal[2:]))


@lru_cache(maxsize=64)
def _deals(shoe: Hand, known: Cases, splits: bool, tens: str) -> tuple[Deal, ...]:
    dealt = states(Variant())
    found = []
    for low in range(10):
        for high in range(low, 10):
            if is_blackjack(low, high):
                continue
            hand = hand_of(low, high)
            left = [whole - gone for whole, gone in zip(shoe, hand, strict=True)]
            if min(left) < 0:
                continue
            position = dealt.at(AS_DEALT, hand)
            two = [
                (ways, pair, Fraction(ways, prod(map(perm, shoe, hand))))
                for ways, pair in _two_cards(shoe, low, high, splits, tens)
            ]
            for place, case in enumerate(known):
                dealer = left[case.up] * sum(left[hole] - (hole == case.up) for hole in case.holes)
                found += [
                    Deal(ways * dealer, place, position, pair, (low, high), orders)
                    for ways, pair, orders in two
                    if ways * dealer > 0
                ]
    return tuple(found)


@lru_cache(maxsize=64)
def _deal_arrays(
    shoe: Hand, known: Cases, splits: bool, tens: str
) -> tuple[Ints, Ints, Ints, Floats]:
    deals = _deals(shoe, known, splits, tens)
    position, case, pair = np.array([(deal.position, deal.case, deal.pair) for deal in deals]).T
    often = np.array([deal.ways for deal in deals], float) / perm(sum(shoe), 4)
    return position, case, pair, often


def _two_cards(shoe: Hand, low: int, high: int, splits: bool, tens: str) -> list[tuple[int, int]]:
    """In how many ways two cards come, and the pair they make; tens may be of several ranks."""
    count = shoe[high]
    if low != high:
        return [(2 * shoe[low] * count, -1)]
    if not splits or (low == TEN and tens == "never"):
        return [(count * (count - 1), -1)]
    if low == TEN and tens == "same_rank":
        same = count // 4 - 1
        return [(count * same, TEN), (count * (count - 1 - same), -1)]
    return [(count * (count - 1), low)]
