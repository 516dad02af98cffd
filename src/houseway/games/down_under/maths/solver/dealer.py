"""In how many ways the dealer ends where, once the players' cards have left the shoe.

Cards that are dealt and cards that the dealer draws are counted together: a set of cards comes in as
many ways as its copies can be taken from the shoe, times the orders that play allows. So every number
is whole, and nothing is divided until the end. A round that is over early counts all the ways to lay
out the cards that the longest one would have used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import perm, prod

import numpy as np

from houseway.games.down_under.maths.solver.arrays import Floats, Ints
from houseway.games.down_under.maths.solver.hands import END_BUST, Hand, dealer_hands, hand_of
from houseway.games.down_under.maths.solver.variant import Case, Variant

#: stands for a card of which there is always -1: what a sum over hands takes off again
LESS = 10


@dataclass(frozen=True, slots=True, eq=False)
class Dealer:
    """`DealerHands` as arrays. Hands of one size that end on the same cards are summed first.

    How often the dealer comes to a hand is the sum over the hands before it, times the copies left
    of the card between: `before` has lines of hand, card, and how many of it that hand has; those of
    a hand start at `before_from`. An end is reached from many hands by the same card. With x ways to
    all of them and y to each as often as it has that card, the end has x * copies - y ways. Lines of
    `terms` are the hands of such a sum with a factor, lines of `uses` an end and a card.
    """

    up: int
    holes: Ints
    before_from: Ints
    before: Ints
    #: where the sums start that end with 2, 3... cards
    sums_from: Ints
    terms_from: Ints
    terms: Ints
    uses_from: Ints
    uses: Ints

    @property
    def most_cards(self) -> int:
        return len(self.sums_from)


@cache
def dealer_of(rules: tuple[bool, bool], case: Case) -> Dealer:
    """The dealer's play by one reading in one case; see `reading`. Where readings do not differ, it
    is the same dealer.
    """
    found = dealer_hands(*rules, case.up, case.holes)
    return _dealer(case.up, case.holes, found.hands, tuple(found.draws))


@cache
def _dealer(
    up: int, holes: frozenset[int], hands: tuple[Hand, ...], draws: tuple[tuple[int, int, int], ...]
) -> Dealer:
    before: list[list[tuple[int, int, int]]] = [[] for _ in hands]
    ends: list[list[tuple[int, int]]] = [[] for _ in hands]
    for hand, card, to in draws:
        if to >= 0:
            before[to].append((hand, card, hands[hand][card]))
        elif (end := -1 - to) < END_BUST:
            ends[hand].append((end, card))
    sums: dict[tuple[int, tuple[tuple[int, int], ...]], list[tuple[int, int]]] = {}
    for number, (cards, reached) in enumerate(zip(hands, ends, strict=True)):
        size = sum(cards) + 1
        if reached:
            sums.setdefault((size, tuple(reached)), []).append((number, 1))
        for end, card in reached:
            if cards[card]:
                sums.setdefault((size, ((end, LESS),)), []).append((number, cards[card]))
    keys = sorted(sums)
    # what is added up before it is reduced stays below 2**53
    assert all(sum(factor for _, factor in terms) < 1000 for terms in sums.values())
    return Dealer(
        up,
        np.array([card in holes for card in range(10)], dtype=np.int64),
        _starts(before),
        _lines(before, 3),
        np.searchsorted([size for size, _ in keys], np.arange(2, sum(hands[-1]) + 3)),
        _starts([sums[key] for key in keys]),
        _lines([sums[key] for key in keys], 2),
        _starts([uses for _, uses in keys]),
        _lines([uses for _, uses in keys], 2),
    )


def _starts(lists: Sequence[Sequence[object]]) -> Ints:
    return np.concatenate([[0], np.cumsum([len(one) for one in lists])]).astype(np.int64)


def _lines(lists: Sequence[Sequence[tuple[int, ...]]], width: int) -> Ints:
    return np.array([line for one in lists for line in one], dtype=np.int64).reshape(-1, width)


def reading(rules: Variant) -> tuple[bool, bool]:
    """What decides how the dealer plays: standing on a soft 22, drawing to a soft 17."""
    return rules.dealer_soft_22 == "stands", rules.soft_17 == "hits"


def chances(rules: Variant, case: Case, left: Ints, *, compiled: bool = True) -> Floats:
    """How likely the dealer ends where, in doubles, for compositions with his two cards in them."""
    dealer = dealer_of(reading(rules), case)
    if compiled:
        from houseway.games.down_under.maths.solver.kernels import dealer_ways

        unseen, falling, pad = np.zeros(10, dtype=np.int64), np.ones((1, 10, 1)), np.ones((1, 1))
        ways = dealer_ways(left, unseen, falling, pad, *_arrays(dealer), np.zeros(1))[:, 0]
    else:
        ways = plain_ways(dealer, left, np.ones((1, len(left))), np.zeros(1))[:, 0]
    hidden = left @ dealer.holes - dealer.holes[case.up]
    possible = (left.min(axis=1) >= 0) & (left[:, case.up] > 0) & (hidden > 0)
    whole = np.where(possible, ways.sum(axis=1), 1.0)
    found: Floats = np.where(possible[:, None], ways / whole[:, None], 0.0)
    return found


def _arrays(dealer: Dealer) -> tuple[int, Ints, Ints, Ints, Ints, Ints, Ints, Ints, Ints]:
    return (
        dealer.up, dealer.holes, dealer.before_from, dealer.before, dealer.sums_from,
        dealer.terms_from, dealer.terms, dealer.uses_from, dealer.uses,
    )  # fmt: skip


class Ways:
    """The ways in one case, for sets of cards that have left the shoe; `known` ones are given.

    `rows` are all cards that the players have, those known included. The up card is given too.
    """

    def __init__(self, rules: Variant, shoe: Hand, case: Case, rows: Ints, known: Hand) -> None:
        self.dealer = dealer_of(reading(rules), case)
        self.shoe, self.known, self.rows = np.array(shoe), np.array(known), rows
        self.base = self.shoe - self.known - np.array(hand_of(case.up))
        self.cards = sum(shoe)
        #: cards used by the longest round
        self.longest = int(rows.sum(axis=1).max(initial=0)) + self.dealer.most_cards
        self._to: dict[tuple[int, ...], int] = {}

    def laid(self, used: int) -> int:
        """In how many ways cards are laid out when so many have been used, up to the longest round.

        A shoe may have fewer cards than the longest round; no round that needs more has any ways.
        """
        return perm(self.cards - used, min(self.longest, self.cards) - used)

    def to(self, row: Ints) -> int:
        """In how many ways the players come to these cards, however the round goes on."""
        cards = tuple(row.tolist())
        if cards not in self._to:
            copies = prod(map(perm, self.base.tolist(), (row - self.known).tolist()))
            holes = self.dealer.holes
            hidden = int((self.shoe - row) @ holes) - int(holes[self.dealer.up])
            self._to[cards] = copies * hidden * self.laid(sum(cards) + 2)
        return self._to[cards]

    def ends(self, primes: Sequence[int], *, compiled: bool = True) -> Ints:
        """For each row, prime and end of the dealer: the ways, modulo the prime."""
        left, moduli = self.shoe - self.rows, np.array(primes, dtype=np.float64)
        # rows of fewer cards than the longest leave more of them to lay out
        first = int(self.known.sum()) + self.dealer.most_cards
        rest = [self.laid(min(used, self.cards)) for used in range(first, self.longest + 1)]
        if compiled:
            from houseway.games.down_under.maths.solver.kernels import dealer_ways

            unseen = self.shoe - self.known
            counts = range(int(self.rows.max()) + 1)
            taken = [[perm(copies, n) for n in counts] for copies in self.base.clip(0).tolist()]
            falling = np.array([[[w % p for w in line] for line in taken] for p in primes], float)
            pad = np.array([[ways % p for ways in rest] for p in primes], float)
            found = dealer_ways(left, unseen, falling, pad, *_arrays(self.dealer), moduli)
        else:
            copies = [
                prod(map(perm, self.base.clip(0).tolist(), row)) * rest[sum(row)]
                for row in (self.rows - self.known).tolist()
            ]
            start = np.array([[ways % p for ways in copies] for p in primes], float)
            found = plain_ways(self.dealer, left, start, moduli)
        return found.astype(np.int64)


def plain_ways(dealer: Dealer, left: Ints, start: Floats, primes: Floats) -> Floats:
    """What `kernels.dealer_ways` gives, in NumPy alone: one hand needs no compiling.

    `start` are the ways to each row, for each prime.
    """
    shoe = np.append(left, np.full((len(left), 1), -1), axis=1).T.astype(np.float64)
    prime = primes[:, None]

    def reduced(number: Floats) -> Floats:
        if not primes[0]:
            return number
        # the quotient may be one off, never more
        rest: Floats = number - np.floor(number / prime) * prime
        rest += prime * (rest < 0)
        return rest - prime * (rest >= prime)

    worth = [start]
    for hand in range(1, len(dealer.before_from) - 1):
        lines = dealer.before[dealer.before_from[hand] : dealer.before_from[hand + 1]].tolist()
        worth.append(reduced(sum(worth[one] * (shoe[card] - has) for one, card, has in lines)))
    cards = left.sum(axis=1)
    ends = [np.zeros_like(start) for _ in range(END_BUST)]
    hidden = left @ dealer.holes - dealer.holes[dealer.up]
    whole = reduced(start * hidden)
    for size in range(1, dealer.most_cards):
        more = np.maximum(cards - size, 1.0)
        if size > 1:
            whole = reduced(whole * more)
        ends = [end * more for end in ends]
        for one in range(dealer.sums_from[size - 1], dealer.sums_from[size]):
            terms = dealer.terms[dealer.terms_from[one] : dealer.terms_from[one + 1]].tolist()
            total = reduced(sum(factor * worth[hand] for hand, factor in terms))
            for end, card in dealer.uses[
                dealer.uses_from[one] : dealer.uses_from[one + 1]
            ].tolist():
                ends[end] = ends[end] + shoe[card] * total
        ends = list(map(reduced, ends))
    bust = reduced(whole - sum(ends))
    return np.stack([*ends, bust], axis=-1).swapaxes(0, 1)
