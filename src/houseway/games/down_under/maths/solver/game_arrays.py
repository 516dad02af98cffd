"""One game laid out for the kernels: positions, cases, deals, and what is left of the shoe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from math import lcm

import numpy as np

from houseway.games.down_under.maths.solver.hands import (
    ACE,
    END_BUST,
    TEN,
    Hand,
    dealer_hands,
    hand_of,
    player_hands,
)
from houseway.games.down_under.maths.solver.kernels import (
    Actions,
    Floats,
    Ints,
    dealer_ends,
    play,
    reach,
    tally,
)
from houseway.games.down_under.maths.solver.quantities import Counted, Weigh
from houseway.games.down_under.maths.solver.splits import number
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


class Table:
    """A game from one composition, all of it or some of its cases and positions."""

    def __init__(
        self,
        rules: Variant,
        shoe: Hand | None = None,
        *,
        only_cases: Cases | None = None,
        positions: States | None = None,
    ) -> None:
        self.rules = rules
        self.shoe = checked(rules, shoe)
        self.cases = only_cases or cases(rules)
        self._another: dict[tuple[int, int, int, int], float] = {}
        self._weighed: dict[Weigh | None, tuple[list[int], int]] = {}
        self._by_blackjacks: dict[Counted, Fraction] = {}
        self.states = positions or states(rules)
        self.case_up = np.array([case.up for case in self.cases])
        self.case_hole = np.array(
            [[hole in case.holes for hole in range(10)] for case in self.cases], dtype=np.int64
        )

    @cached_property
    def left(self) -> Ints:
        """What is left of the shoe, the dealer's two cards included, for each set removed."""
        whole: Ints = np.array(self.shoe) - self.states.removed
        return whole

    def values(
        self,
        ends: Floats,
        policy: Actions,
        counted: Counted,
        *,
        choose: bool = False,
        prime: int = 0,
    ) -> Floats:
        """Stand, hit, double and standing doubled, at every position and case."""
        _, _, inverse = factors(sum(self.shoe), self.dealer.most_cards, prime)
        at = self.states
        return play(
            self.left, ends, at.row, at.child, at.pays, at.may, at.follows, *counted.arrays,
            self.case_up, self.case_hole, inverse, float(prime), policy, choose,
        )  # fmt: skip

    def tally(
        self, ends: Floats, policy: Actions, counted: Sequence[Counted], prime: int = 0
    ) -> Floats:
        """The averages of what is counted, at every position and case, under a policy."""
        _, _, inverse = factors(sum(self.shoe), self.dealer.most_cards, prime)
        plain, doubled = (
            np.stack(tables) for tables in zip(*(one.arrays for one in counted), strict=True)
        )
        at = self.states
        return tally(
            self.left, ends, at.row, at.child, at.pays, plain, doubled, self.case_up,
            self.case_hole, inverse, float(prime), policy,
        )  # fmt: skip

    def reach(self, policy: Actions, dealt: Floats) -> Floats:
        """How often play comes to each position and case, undoubled and doubled."""
        at = self.states
        return reach(self.left, at.row, at.child, self.case_up, self.case_hole, policy, dealt)

    @cached_property
    def all_ends(self) -> Floats:
        """Where the dealer ends for each set of cards removed, in doubles."""
        return self.ends(self.left)

    def ends(self, left: Ints, prime: int = 0) -> Floats:
        """Where the dealer ends, for each composition left and each case."""
        dealer = self.dealer
        scale, unscale, inverse = factors(sum(self.shoe), dealer.most_cards, prime)
        return dealer_ends(
            left, dealer.cards, dealer.end_card, dealer.end_has, dealer.goes_from, dealer.goes,
            dealer.starts, self.case_up, self.case_hole, scale, unscale, inverse, float(prime),
        )  # fmt: skip

    @cached_property
    def dealer(self) -> DealerArrays:
        pairs = frozenset((case.up, hole) for case in self.cases for hole in case.holes)
        return dealer_arrays(
            self.rules.dealer_soft_22 == "stands", self.rules.soft_17 == "hits", pairs
        )

    def another(self, card: int, gone: int, case: int, prime: int = 0) -> float:
        """The chance that the next card is of this value when so many of it have left the shoe."""
        key = (card, gone, case, prime)
        if key not in self._another:
            up, holes = self.cases[case].up, self.cases[case].holes
            left = list(self.shoe)
            left[card] -= gone
            left[up] -= 1
            hidden = sum(left[hole] for hole in holes)
            chance = Fraction(max(left[card], 0), sum(left) - 1)
            if card in holes and chance:
                chance *= Fraction(hidden - 1, hidden)
            self._another[key] = number(chance, prime)
        return self._another[key]

    @cached_property
    def deals(self) -> tuple[Deal, ...]:
        """Every two cards in every case, but for a player's blackjack, which is paid at once."""
        found = []
        for low in range(10):
            for high in range(low, 10):
                if is_blackjack(low, high):
                    continue
                hand = hand_of(low, high)
                left = [whole - gone for whole, gone in zip(self.shoe, hand, strict=True)]
                position = self.states.at(AS_DEALT, hand)
                for place, case in enumerate(self.cases):
                    holes = sum(left[hole] - (hole == case.up) for hole in case.holes)
                    dealer = left[case.up] * holes
                    for ways, pair in self._two_cards(low, high):
                        if min(left) >= 0 and ways * dealer > 0:
                            found.append(Deal(ways * dealer, place, position, pair))
        return tuple(found)

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """Every pair that may be split, in every case that it comes in."""
        return [(deal.pair, deal.case) for deal in self.deals if deal.pair >= 0]

    def _two_cards(self, low: int, high: int) -> list[tuple[int, int]]:
        """In how many ways two cards come, and the pair they make; tens may be of several ranks."""
        count = self.shoe[high]
        if low != high:
            return [(2 * self.shoe[low] * count, -1)]
        if self.rules.split_hands == 1 or (low == TEN and self.rules.split_tens == "never"):
            return [(count * (count - 1), -1)]
        if low == TEN and self.rules.split_tens == "same_rank":
            same = count // 4 - 1
            return [(count * same, TEN), (count * (count - 1 - same), -1)]
        return [(count * (count - 1), low)]

    @cached_property
    def ways(self) -> int:
        """All ways to deal two cards to the player and two to the dealer."""
        cards = sum(self.shoe)
        return cards * (cards - 1) * (cards - 2) * (cards - 3)

    @cached_property
    def blackjacks(self) -> tuple[int, int, int]:
        """In how many of them the player alone has a blackjack, the dealer alone, both."""
        aces, tens, cards = self.shoe[ACE], self.shoe[TEN], sum(self.shoe)
        one = 2 * aces * tens * (cards - 2) * (cards - 3)
        both = 4 * aces * tens * (aces - 1) * (tens - 1)
        return one - both, one - both, both

    def dealt(self, deal: Deal) -> tuple[int, int, int]:
        """The up card and the player's two cards of a deal, the lower value first."""
        hand = player_hands().hands[self.states.hand[deal.position]]
        low, high = (card for card in range(10) for _ in range(hand[card]))
        return self.cases[deal.case].up, low, high

    def weighed(self, weigh: Weigh | None) -> tuple[list[int], int]:
        """In how many parts of a way each deal counts, and how many parts make a way."""
        if weigh not in self._weighed:
            shares = [1 if weigh is None else weigh(*self.dealt(deal)) for deal in self.deals]
            part = lcm(*(share.denominator for share in shares))
            self._weighed[weigh] = (
                [
                    deal.ways * int(share * part)
                    for deal, share in zip(self.deals, shares, strict=True)
                ],
                part,
            )
        return self._weighed[weigh]

    def by_blackjacks(self, counted: Counted) -> Fraction:
        """What rounds that a blackjack ends count together, over all their ways."""
        if counted.weigh is None:
            ended = zip(self.blackjacks, counted.blackjacks, strict=True)
            return sum((ways * adds for ways, adds in ended), Fraction(0))
        if counted not in self._by_blackjacks:
            self._by_blackjacks[counted] = self._blackjacks_weighed(counted, counted.weigh)
        return self._by_blackjacks[counted]

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


@dataclass(frozen=True, slots=True)
class DealerArrays:
    """`DealerHands` as `dealer_ends` wants them."""

    cards: Ints
    end_card: Ints
    end_has: Ints
    goes_from: Ints
    goes: Ints
    starts: Ints
    most_cards: int


@cache
def dealer_arrays(
    soft_22: bool, hit_soft_17: bool, pairs: frozenset[tuple[int, int]]
) -> DealerArrays:
    dealer = dealer_hands(soft_22, hit_soft_17, pairs)
    nodes = len(dealer.hands)
    end_card = np.full((nodes, END_BUST), 10)
    end_has = np.zeros((nodes, END_BUST), dtype=np.int64)
    goes = []
    for node, hand in enumerate(dealer.hands):
        for card, to in enumerate(dealer.to[node]):
            if to >= 0:
                goes.append((node, card, hand[card], to))
            elif (end := -1 - to) < END_BUST:
                end_card[node, end], end_has[node, end] = card, hand[card]
    lines = np.array(goes, dtype=np.int64).reshape(-1, 4)
    starts = np.zeros((10, 10), dtype=np.int64)
    for pair, to in dealer.starts.items():
        starts[pair] = to
    return DealerArrays(
        np.array([sum(hand) for hand in dealer.hands], dtype=np.int64),
        end_card,
        end_has,
        np.searchsorted(lines[:, 0], np.arange(nodes + 1)),
        lines[:, 1:].copy(),
        starts,
        dealer.most_cards,
    )


@cache
def factors(cards: int, dealer_cards: int, prime: int) -> tuple[Floats, Floats, Floats]:
    """In the arithmetic of the prime, or in doubles for 0: what `dealer_ends` scales an end by and
    how that is undone, and the inverse of every count.
    """
    scale = np.zeros((cards + 1, dealer_cards + 1))
    unscale = np.zeros(cards + 1)
    inverse = np.zeros(cards + 1)
    for total in range(1, cards + 1):
        inverse[total] = pow(total, -1, prime) if prime else 1 / total
        ways = 1
        for used in range(dealer_cards, 1, -1):
            scale[total, used] = ways % prime if prime else ways
            ways *= max(total - used + 1, 1)
        whole = int(scale[total, 2])
        unscale[total] = pow(whole, -1, prime) if prime else 1 / scale[total, 2]
    return scale, unscale, inverse
