"""The worth of a way to play as an exact fraction, and near ties decided exactly.

The kernels run once for each of several primes. A value, times all the orders in which the longest
round can lay its cards, is a whole number; its residues give it back (Chinese remainder theorem) as
soon as the primes together exceed twice its size, and one prime more checks it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import perm

import numpy as np

from houseway.games.down_under.maths.solver import one_hand
from houseway.games.down_under.maths.solver.arrays import (
    DOUBLE,
    HIT,
    STAND,
    Actions,
    Floats,
    Ints,
)
from houseway.games.down_under.maths.solver.dealer import Ways
from houseway.games.down_under.maths.solver.game_arrays import Deal, Table
from houseway.games.down_under.maths.solver.hands import EMPTY, hand_of, player_hands
from houseway.games.down_under.maths.solver.quantities import Counted, net
from houseway.games.down_under.maths.solver.solve import Play
from houseway.games.down_under.maths.solver.splits import split_value
from houseway.games.down_under.maths.solver.states import States, cards_of


def is_prime(number: int) -> bool:
    """Miller and Rabin's test; these bases are proven to suffice below 3.3e24."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
    if number < 2 or any(number % base == 0 for base in bases):
        return number in bases
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in bases:
        power = pow(base, odd, number)
        if power in (1, number - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True


@cache
def prime(which: int) -> int:
    """The largest primes below 2**43, the size that the kernels can carry without rounding."""
    below = 2**43 if which == 0 else prime(which - 1)
    return next(number for number in range(below - 1, 0, -1) if is_prime(number))


def from_residues(
    residues_of: Callable[[int], Sequence[int]], sizes: Sequence[int], *, check: bool = True
) -> list[int]:
    """Whole numbers no larger than `sizes`, positive or negative, from their residues.

    `residues_of` gives the residues of all of them for a prime. Unless the caller has a check of
    his own, the prime after the last that is needed must agree.
    """
    modulus, found = 1, [0] * len(sizes)
    which = 0
    while modulus <= 2 * max(sizes, default=0):
        back = pow(modulus, -1, prime(which))
        for number, residue in enumerate(residues_of(prime(which))):
            found[number] += modulus * ((residue - found[number]) * back % prime(which))
        modulus *= prime(which)
        which += 1
    signed = [one - modulus if 2 * one > modulus else one for one in found]
    if check:
        more = zip(signed, residues_of(prime(which)), strict=True)
        if any((one - other) % prime(which) for one, other in more):
            raise ArithmeticError("the primes do not agree on a whole number")
    return signed


def enough(size: int) -> list[int]:
    """As many primes as give back a whole number of this size, positive or negative."""
    found: list[int] = []
    modulus = 1
    while modulus <= 2 * size:
        found.append(prime(len(found)))
        modulus *= found[-1]
    return found


@dataclass(frozen=True, slots=True)
class LastHands:
    """What play can end with, a bust drawn to aside: all cards gone from the shoe by then."""

    #: each as one number, in how many orders they come, and a row of `tables_of`; sorted by that
    cards: Ints
    orders: Ints
    kind: Ints


def last_hands(states: States, policy: Actions, drawn: Floats, doubled: Floats) -> LastHands:
    """The last hands in one case, where play comes to hands in so many orders."""
    stands = np.flatnonzero((drawn > 0) & (policy == STAND))
    last = np.flatnonzero(doubled > 0)
    # who doubles can bust too; that loses what a doubled 16 loses to a 17, whatever the dealer has
    doubles = np.flatnonzero((drawn > 0) & (policy == DOUBLE))
    at, card = np.nonzero(states.child[doubles] < 0)
    at = doubles[at]
    cards, pays = states.cards, states.pays
    kind = np.concatenate([pays[stands], 12 + pays[last], np.full(len(at), 24)])
    order = np.argsort(kind, kind="stable")
    orders = np.concatenate([drawn[stands], doubled[last], drawn[at]])
    assert orders.sum() < 2**19  # times a residue, and summed up: below 2**63
    return LastHands(
        np.concatenate([cards[stands], cards[last], cards[at] + (1 << 5 * card)])[order],
        orders[order].astype(np.int64),
        kind[order],
    )


def tables_of(counted: Sequence[Counted]) -> Ints:
    """What each kind of last hand counts for each end: plain, doubled, and bust when doubled."""
    return np.array(
        [(*one.plain, *one.doubled, (one.doubled[0][0],) * 7) for one in counted], dtype=np.int64
    )


@dataclass(frozen=True, slots=True)
class Part:
    """Play from some starts, and what is counted of it."""

    #: positions, and in how many orders play starts there
    starts: dict[int, int]
    last: LastHands
    counted: Sequence[Counted]


def parts_sums(
    ways: Ways, states: States, parts: Sequence[Part], cards: Ints, *, compiled: bool = True
) -> list[list[int]]:
    """The sum over all ways of what each part counts, exactly. The rows of `ways` are those of
    `cards`, the numbers of all sets that a part ends with.
    """
    wholes = [
        sum(orders * ways.to(states.removed[states.row[at]]) for at, orders in part.starts.items())
        for part in parts
    ]
    sizes = [
        Counted.most * whole
        for part, whole in zip(parts, wholes, strict=True)
        for _ in part.counted
    ]
    # one more, for the check
    primes = enough(max(sizes))
    primes.append(prime(len(primes)))
    ends = ways.ends(primes, compiled=compiled)
    moduli = np.array(primes)
    found: list[Ints] = []
    for part, whole in zip(parts, wholes, strict=True):
        tables, last = tables_of(part.counted), part.last
        kinds, first = np.unique(last.kind, return_index=True)
        each = ends[np.searchsorted(cards, last.cards)] * last.orders[:, None, None]
        sums = np.add.reduceat(each, first) % moduli[:, None] if len(first) else each
        counts = np.einsum("tke,kpe->tp", tables[:, kinds], sums)
        # what does not stand is bust
        bust = np.array([whole % one for one in primes]) - sums.sum(axis=(0, 2)) % moduli
        found.append(counts + np.multiply.outer(tables[:, 0, 0], bust))
    residues = dict(zip(primes, np.concatenate(found).T.tolist(), strict=True))
    numbers = iter(from_residues(residues.__getitem__, sizes))
    return [[next(numbers) for _ in part.counted] for part in parts]


def all_cards(parts: Sequence[Part]) -> Ints:
    """Every set of cards that some part ends with, once, as a number."""
    return np.unique(np.concatenate([part.last.cards for part in parts]))


def exactly(*asked: tuple[Play, Sequence[Counted]]) -> list[list[Fraction]]:
    """Averages over all rounds of what is counted, exact, for ways to play at one table."""
    table = asked[0][0].table
    cards = sum(table.shoe)
    found = [[table.by_blackjacks(count) / table.ways for count in counted] for _, counted in asked]
    for number, case in enumerate(table.cases):
        deals = [deal for deal in table.deals if deal.case == number]
        if not deals:
            continue
        lines: list[tuple[list[Fraction], Part, list[Fraction]]] = []
        resplit: list[tuple[list[Fraction], Again, list[Fraction]]] = []
        for (play, counted), means in zip(asked, found, strict=True):
            for deal in deals:
                for place, adds in enumerate(_by_split(play, counted, deal)):
                    means[place] += adds
            lines += [(means, *line) for line in _linear(play, counted, deals)]
            resplit += [(means, *line) for line in _split_again(play, counted, deals)]
        parts = [part for _, part, _ in lines] + [
            part for _, one, _ in resplit for part in one.parts
        ]
        ends = all_cards(parts)
        ways = Ways(table.rules, table.shoe, case, cards_of(ends), EMPTY)
        sums = iter(parts_sums(ways, table.states, parts, ends))
        once = Fraction(table.shoe[case.up], perm(cards, min(cards, ways.longest)))
        for means, _, weights in lines:
            for place, (weight, count) in enumerate(zip(weights, next(sums), strict=True)):
                means[place] += weight * count * once
        for means, one, weights in resplit:
            worth = one.worth(table, number, ways, [next(sums) for _ in one.parts])
            for place, (weight, value) in enumerate(zip(weights, worth, strict=True)):
                means[place] += weight * value
    return found


def _weights(counted: Sequence[Counted], up: int, deal: Deal) -> list[Fraction]:
    """By which factor a deal counts for each average."""
    return [count.weigh(up, *deal.cards) if count.weigh else _ONE for count in counted]


_ONE = Fraction(1)


def _hands(play: Play, deal: Deal) -> int:
    """Into how many hands at most a deal is split, 0 if it is not."""
    return int(play.hands[deal.pair, deal.case]) if deal.pair >= 0 else 0


def _by_split(play: Play, counted: Sequence[Counted], deal: Deal) -> list[Fraction]:
    """What a split adds to averages that do not sum over its hands."""
    if not _hands(play, deal):
        return []
    often = Fraction(deal.ways, play.table.ways)
    weights = _weights(counted, play.table.cases[deal.case].up, deal)
    return [w * often * (count.split or 0) for w, count in zip(weights, counted, strict=True)]


def _linear(
    play: Play, counted: Sequence[Counted], deals: Sequence[Deal]
) -> list[tuple[Part, list[Fraction]]]:
    """Deals that are played as one hand or as two; those that count alike are one part."""
    states, up = play.table.states, play.table.cases[deals[0].case].up
    apart = any(count.split is not None for count in counted)
    weigh = [count for count in dict.fromkeys(counted) if count.weigh]
    found: dict[tuple[object, ...], tuple[list[Fraction], dict[int, int]]] = {}
    for deal in deals:
        hands = _hands(play, deal)
        if hands > 2:
            continue
        at = states.at((deal.pair, 1), hand_of(deal.pair)) if hands else deal.position
        orders, factor = deal.orders * (2 if hands else 1), _ONE
        if orders.denominator > 1:
            orders, factor = _ONE, orders
        alike = (apart and hands > 0, factor, *_weights(weigh, up, deal))
        if alike not in found:
            weights = [
                Fraction(0) if hands and count.split is not None else weight * factor
                for weight, count in zip(_weights(counted, up, deal), counted, strict=True)
            ]
            found[alike] = weights, {}
        starts = found[alike][1]
        starts[at] = starts.get(at, 0) + int(orders)
    return [
        (part_of(states, play.policy[:, deals[0].case], starts, counted), weights)
        for weights, starts in found.values()
    ]


def part_of(
    states: States,
    policy: Actions,
    starts: dict[int, int],
    counted: Sequence[Counted],
    *,
    compiled: bool = True,
) -> Part:
    """Play by the policy of one case, from these starts."""
    policy = policy[: max(starts) + 1]
    seeds = np.zeros(len(policy))
    seeds[list(starts)] = list(starts.values())
    if compiled:
        from houseway.games.down_under.maths.solver.kernels import orders

        found = orders(states.child, policy[:, None].copy(), seeds[:, None])
        drawn, doubled = (often[:, 0] for often in found)
    else:
        drawn, doubled = one_hand.orders(states.child, policy, seeds)
    return Part(starts, last_hands(states, policy, drawn, doubled), counted)


@dataclass(frozen=True, slots=True)
class Again:
    """A pair that may be split again: one hand with any second card and with one of the pair's
    value, for each number of other cards of that value that are gone.
    """

    pair: int
    most: int
    parts: list[Part]

    def worth(
        self, table: Table, case: int, ways: Ways, sums: Sequence[Sequence[int]]
    ) -> list[Fraction]:
        """What all hands together count, for each thing that is counted."""
        states = table.states
        found = {}
        for part, counts in zip(self.parts, sums, strict=True):
            (at,) = part.starts
            removed = states.removed[states.row[at]]
            whole = ways.to(removed)
            size = int(np.array(player_hands().hands[states.hand[at]]).sum())
            gone = int(removed[self.pair]) - size
            found[size, gone] = [Fraction(one, whole) if whole else Fraction(0) for one in counts]

        def chance(gone: int) -> Fraction:
            copies, of_all = table.another(self.pair, gone)
            return Fraction(int(copies[case]), int(of_all[case]))

        def value(place: int) -> Fraction:
            total: Fraction = split_value(
                self.most,
                lambda gone: found[1, gone][place],
                lambda gone: found[2, gone][place],
                chance,
            )
            return total

        return [value(place) for place in range(len(self.parts[0].counted))]


def again(
    states: States,
    policy: Actions,
    pair: int,
    most: int,
    counted: Sequence[Counted],
    *,
    compiled: bool = True,
) -> Again:
    """A pair split into at most so many hands, more than two."""
    starts = [
        states.at((pair, gone), hand)
        for gone in range(1, 2 * most - 2)
        for hand in (hand_of(pair), hand_of(pair, pair))
    ]
    parts = [part_of(states, policy, {at: 1}, counted, compiled=compiled) for at in starts]
    return Again(pair, most, parts)


def _split_again(
    play: Play, counted: Sequence[Counted], deals: Sequence[Deal]
) -> list[tuple[Again, list[Fraction]]]:
    found = []
    up = play.table.cases[deals[0].case].up
    for deal in deals:
        hands = _hands(play, deal)
        if hands > 2:
            often = Fraction(deal.ways, play.table.ways)
            weights = [
                Fraction(0) if count.split is not None else weight * often
                for weight, count in zip(_weights(counted, up, deal), counted, strict=True)
            ]
            one = again(play.table.states, play.policy[:, deal.case], deal.pair, hands, counted)
            found.append((one, weights))
    return found


def exact_value(play: Play) -> Fraction:
    """What one unit bet wins on average, exactly."""
    return exactly((play, [net(play.table.rules)]))[0][0]


@dataclass(frozen=True, slots=True)
class Tie:
    """Two choices too close for doubles: at a position, or (`pair`) whether to split."""

    case: int
    position: int
    pair: int
    #: actions, or numbers of hands, the chosen one first
    choices: tuple[int, int]


def near_ties(play: Play, within: float = 1e-9) -> list[Tie]:
    """The decisions of this play that doubles cannot be trusted with. Where it never comes, none."""
    found = []
    table = play.table
    comes = play.came[:, :, 0] > 0
    for other in (STAND, HIT, DOUBLE):
        may = (table.states.may & (1 << other) != 0)[:, None] & (play.policy != other)
        close = comes & may & (play.worth - play.values[:, :, other] < within)
        found += [
            Tie(case, position, -1, (int(play.policy[position, case]), other))
            for position, case in np.argwhere(close).tolist()
        ]
    for deal in table.deals:
        if deal.pair < 0:
            continue
        worth = [play.by_itself(deal), 0.0, *play.splits[deal.pair, deal.case].tolist()]
        chosen = play.hands[deal.pair, deal.case]
        found += [
            Tie(deal.case, -1, deal.pair, (int(chosen), other))
            for other in (0, 2, 3, 4)
            if other != chosen and worth[chosen] - worth[other] < within
        ]
    return found


def decided(play: Play, within: float = 1e-9) -> Play:
    """The same play with its near ties decided by the exact worth of the game."""
    for tie in near_ties(play, within):
        policy, hands = play.policy.copy(), play.hands.copy()
        if tie.position >= 0:
            policy[tie.position, tie.case] = tie.choices[1]
        else:
            hands[tie.pair, tie.case] = tie.choices[1]
        other = Play(play.table, policy, hands)
        if exact_value(other) > exact_value(play):
            play = other
    return play
