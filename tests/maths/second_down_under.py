"""Down Under Blackjack by a second program: a plain recursion over the cards that are left.

A shoe is ten counts. The dealer's last hands are listed with the orders in which each comes about;
beside every hand of the player each has its chance by the cards that are left. Every hand of the player
is the best of standing, drawing and doubling. The play is found in doubles. The value of that play is then computed again modulo two primes, where sums and
products are exact, and compared with the sheet's fraction modulo the same primes: two different
fractions agree in that way once in 4 * 10**18.

How the two hands of a split come together is worked out in `second_splits`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import second_splits
from numba import njit
from second_program import Worked

from houseway.law import choose

#: values 1 (ace) to 10 are places 0 to 9; ranges of the hole card (685a.1)
RANGES = {"small": range(1, 5), "medium": range(5, 9), "large": (9, 0)}
PRIMES = (2_147_483_629, 2_147_483_587)
STAND, HIT, DOUBLE = 0, 1, 2
#: a prime, and what multiplies and divides modulo it
Field = tuple[int, np.ndarray, np.ndarray]
#: how a hand is played: the best way, by a rule of that name, or by a chart, which gives the code for
#: an up card, the hole cards it may be, a total, whether that is soft, and the pair or -1
How = str | Callable[[int, np.ndarray, int, bool, int], str]


@njit(cache=False)
def stands(left, holes, dealer, ends):  # type: ignore[no-untyped-def]
    """How the dealer ends, 17 to 22 and a bust, when the hole card is one of these; `left` is all that
    nobody has seen. Whether there is such a hole card.
    """
    cards, ways, places = dealer
    ends[:] = 0
    unseen, inside = left.sum(), (left * holes).sum()
    if inside == 0:
        return False
    for hand in range(len(ways)):
        weight, drawn = ways[hand] * unseen / inside, 0
        for value in range(10):
            for more in range(cards[hand, value]):
                weight *= (left[value] - more) / (unseen - drawn)
                drawn += 1
        ends[places[hand]] += weight
    return True


@njit(cache=False)
def stands_exactly(left, holes, dealer, ends, field):  # type: ignore[no-untyped-def]
    """The same modulo a prime; `field` has that and `second_splits.tables`."""
    cards, ways, places = dealer
    prime, falling, inverse = field
    ends[:] = 0
    unseen, inside = left.sum(), (left * holes).sum()
    for hand in range(len(ways)):
        weight, drawn = ways[hand], 0
        for value in range(10):
            count = cards[hand, value]
            if count:
                weight = weight * falling[left[value], count] % prime
                drawn += count
        weight = weight * inverse[unseen, drawn] % prime
        ends[places[hand]] = (ends[places[hand]] + weight) % prime
    back = unseen * inverse[inside, 1] % prime
    for place in range(7):
        ends[place] = ends[place] * back % prime


@njit(cache=False)
def next_card(left, holes, chances):  # type: ignore[no-untyped-def]
    """The chance of each value to come next, which is not the hole card."""
    cards = inside = 0
    for value in range(10):
        cards += left[value]
        inside += left[value] * holes[value]
    for value in range(10):
        open_ = left[value] * (inside - 1) / inside if holes[value] else float(left[value])
        chances[value] = open_ / (cards - 1)


@njit(cache=False)
def next_exactly(left, holes, chances, field):  # type: ignore[no-untyped-def]
    prime, _, inverse = field
    cards, inside = left.sum(), (left * holes).sum()
    for value in range(10):
        chances[value] = left[value] * inverse[cards - 1, 1] % prime
        if holes[value]:
            chances[value] = chances[value] * (inside - 1) % prime * inverse[inside, 1] % prime


@njit(cache=False)
def pays(total, two_large, ends):  # type: ignore[no-untyped-def]
    """How a hand that stands ends (685a.7(n) to (q)): won, and lost."""
    won = lost = ends[0] * 0
    for place in range(7):
        dealer = place + 17
        if dealer == 22:
            if total == 21 or two_large:
                won += ends[place]
        elif dealer == 23 or total > dealer:
            won += ends[place]
        elif total < dealer:
            lost += ends[place]
    return won, lost


@njit(cache=False)
def value_of(hard, aces):  # type: ignore[no-untyped-def]
    return hard + 10 if aces and hard + 10 <= 21 else hard


@njit(cache=False)
def solve(hands, sizes, index, shoe, up, holes, pair, dealer, policy):  # type: ignore[no-untyped-def]
    """What every hand is worth beside this up card and these hole cards, and how it is played.

    Hands stand in the order of their hard totals, the highest first. `pair` is the value that was
    split, whose other card is gone too, or -1. `policy` says what others play; -1 is the best.
    Returns values, actions.
    """
    count = len(hands)
    values = np.full(count, np.nan)
    standing = np.full((count, 2), np.nan)
    actions = np.full(count, -1)
    ends = np.zeros(7)
    chances = np.zeros(10)
    left = np.zeros(10, np.int64)
    for place in range(count):
        hard = 0
        possible = True
        for value in range(10):
            left[value] = shoe[value] - hands[place, value]
            hard += hands[place, value] * (value + 1)
        left[up] -= 1
        if pair >= 0:
            left[pair] -= 1
        for value in range(10):
            possible = possible and left[value] >= 0
        if not possible or (pair >= 0 and not hands[place, pair]):
            continue
        size = sizes[place]
        total = value_of(hard, hands[place, 0])
        large = size == 2 and hands[place, 0] + hands[place, 9] == 2 and pair < 0
        if not stands(left, holes, dealer, ends):
            continue
        won, lost = pays(total, large, ends)
        plain, lost_plain = pays(total, False, ends)
        standing[place, 0] = won - lost
        standing[place, 1] = plain - lost_plain
        best, action = won - lost, STAND
        if size == 1:
            best, action = -9.0, HIT
        closed = total >= 21 or (pair == 0 and size == 2)
        if not closed:
            next_card(left, holes, chances)
            hit = double = 0.0
            for value in range(10):
                if chances[value] == 0:
                    continue
                to = index[place, value]
                if to < 0:
                    hit -= chances[value]
                    double -= 2 * chances[value]
                else:
                    hit += chances[value] * values[to]
                    double += 2 * chances[value] * standing[to, 1]
            if policy[place] == -1:
                if hit > best or size == 1:
                    best, action = hit, HIT
                if size == 2 and double > best:
                    best, action = double, DOUBLE
            elif policy[place] == DOUBLE and size == 2:
                best, action = double, DOUBLE
            elif policy[place] == HIT or size == 1:
                best, action = hit, HIT
        values[place], actions[place] = best, action
    return values, actions


@njit(cache=False)
def exactly(hands, sizes, index, shoe, up, holes, pair, dealer, actions, field):  # type: ignore[no-untyped-def]
    """How hands end that are played so, modulo a prime: won, pushed and lost as they are, and
    doubled; six places for each hand.
    """
    count, prime = len(hands), field[0]
    found = np.zeros((count, 6), np.int64)
    standing = np.zeros((count, 3), np.int64)
    ends = np.zeros(7, np.int64)
    chances = np.zeros(10, np.int64)
    left = np.zeros(10, np.int64)
    for place in range(count):
        if actions[place] < 0:
            continue
        hard = 0
        for value in range(10):
            left[value] = shoe[value] - hands[place, value]
            hard += hands[place, value] * (value + 1)
        left[up] -= 1
        if pair >= 0:
            left[pair] -= 1
        size = sizes[place]
        total = value_of(hard, hands[place, 0])
        large = size == 2 and hands[place, 0] + hands[place, 9] == 2 and pair < 0
        stands_exactly(left, holes, dealer, ends, field)
        won, lost = pays(total, False, ends)
        standing[place, 0], standing[place, 2] = won % prime, lost % prime
        standing[place, 1] = (1 - won - lost) % prime
        if actions[place] == STAND:
            won, lost = pays(total, large, ends)
            found[place, 0], found[place, 2] = won % prime, lost % prime
            found[place, 1] = (1 - won - lost) % prime
            continue
        next_exactly(left, holes, chances, field)
        for value in range(10):
            if chances[value] == 0:
                continue
            to = index[place, value]
            if actions[place] == DOUBLE:
                if to < 0:
                    found[place, 5] = (found[place, 5] + chances[value]) % prime
                else:
                    for part in range(3):
                        more = chances[value] * standing[to, part] % prime
                        found[place, 3 + part] = (found[place, 3 + part] + more) % prime
            elif to < 0:
                found[place, 2] = (found[place, 2] + chances[value]) % prime
            else:
                for part in range(6):
                    more = chances[value] * found[to, part] % prime
                    found[place, part] = (found[place, part] + more) % prime
    return found


@cache
def compositions() -> tuple[np.ndarray, np.ndarray, np.ndarray, dict[tuple[int, ...], int]]:
    """Every hand of one or more cards with a hard total of at most 21, the highest total first."""
    found: set[tuple[int, ...]] = set()

    def extend(hand: tuple[int, ...], total: int, start: int) -> None:
        for value in range(start, 10):
            if total + value + 1 <= 21:
                more = (*hand[:value], hand[value] + 1, *hand[value + 1 :])
                found.add(more)
                extend(more, total + value + 1, value)

    extend((0,) * 10, 0, 0)
    order = sorted(found, key=lambda h: -sum(n * (v + 1) for v, n in enumerate(h)))
    place = {hand: at for at, hand in enumerate(order)}
    index = np.array(
        [[place.get((*h[:v], h[v] + 1, *h[v + 1 :]), -1) for v in range(10)] for h in order]
    )
    hands = np.array(order)
    return hands, hands.sum(axis=1), index, place


class Game:
    """One number of decks and one reading of a soft 22."""

    def __init__(self, decks: int, reading: str) -> None:
        self.shoe = np.array([4 * decks] * 9 + [16 * decks])
        self.most = 22 if reading == "stands" else 21
        self.hands, self.sizes, self.index, self.place = compositions()

    def cases(self, reader: str) -> list[tuple[int, np.ndarray]]:
        """Up cards, each with the hole cards that a player cannot tell apart; no blackjack (7(h))."""
        found = []
        for up in range(10):
            ranges = [list(holes) for holes in RANGES.values()]
            if reader == "covered":
                ranges = [list(range(10))]
            elif reader == "unread":
                large = list(RANGES["large"])
                ranges = (
                    [[v for v in range(10) if v not in large], large]
                    if up in large
                    else [list(range(10))]
                )
            for inside in ranges:
                holes = np.zeros(10, np.int64)
                for hole in inside:
                    holes[hole] = {up, hole} != {0, 9}
                found.append((up, holes))
        return found

    def deals(self, up: int, holes: np.ndarray) -> list[tuple[tuple[int, int], Fraction]]:
        """Every first two cards that are no blackjack, with the chance of this deal."""
        cards = int(self.shoe.sum())
        every = cards * (cards - 1) * (cards - 2) * (cards - 3)
        found = []
        for low in range(10):
            for high in range(low, 10):
                if (low, high) == (0, 9):
                    continue
                left = self.shoe.copy()
                ways = int(left[low])
                left[low] -= 1
                ways *= int(left[high]) * (1 if low == high else 2)
                left[high] -= 1
                ways *= int(left[up])
                left[up] -= 1
                ways *= int((left * holes).sum())
                found.append(((low, high), Fraction(ways, every)))
        return found

    def dealer(self, up: int, holes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The dealer's last hands: cards, in how many orders, and which end that is."""
        found = second_splits.dealers_hands(up, holes, self.most)
        cards, ends = zip(*found, strict=True)
        return np.array(cards), np.array(list(found.values())), np.array(ends) - 17

    def two(self, low: int, high: int) -> int:
        hand = [0] * 10
        hand[low] += 1
        hand[high] += 1
        return self.place[tuple(hand)]

    def one(self, value: int) -> int:
        hand = [0] * 10
        hand[value] = 1
        return self.place[tuple(hand)]

    def plays(self, how: How, up: int, holes: np.ndarray, *, split: bool) -> np.ndarray:
        """-1 where the best is played; else what is done with each hand of two or more cards."""
        found = np.full(len(self.hands), -1)
        if how == "best":
            return found
        for place, hand in enumerate(self.hands):
            if self.sizes[place] < 2:
                continue
            hard = int(sum(n * (v + 1) for v, n in enumerate(hand)))
            total = hard + 10 if hand[0] and hard + 10 <= 21 else hard
            soft, two = total > hard, self.sizes[place] == 2
            if isinstance(how, str):
                stops = total >= (17 if how == "mimic_the_dealer" else 18 if soft else 12)
                found[place] = STAND if stops else HIT
                continue
            pair = int(hand.argmax()) if two and hand.max() == 2 and not split else -1
            code = how(up, holes, total, soft, pair)
            if two and code in ("D", "Ds"):
                found[place] = DOUBLE
            else:
                found[place] = STAND if code in ("S", "Ds") else HIT
        return found

    def splits(self, how: How, up: int, holes: np.ndarray, pair: int) -> bool | None:
        """Whether a pair is split; None where the better is chosen."""
        if how == "best":
            return None
        total = 12 if pair == 0 else 2 * pair + 2
        return not isinstance(how, str) and how(up, holes, total, pair == 0, pair) == "P"

    def field(self, prime: int) -> Field:
        return prime, *second_splits.tables(int(self.shoe.sum()), prime)

    def played(self, reader: str = "shown", how: How = "best", *, whole: bool = False) -> Played:
        """The figures of the best play of one who reads so, or of a simpler one; every net result
        of the `whole`.
        """
        args = (self.hands, self.sizes, self.index, self.shoe)
        found = Played(0.0, {prime: Counter() for prime in PRIMES})
        for up, holes in self.cases(reader):
            if not holes.any():
                continue
            dealer = self.dealer(up, holes)
            policy = self.plays(how, up, holes, split=False)
            worth, actions = solve(*args, up, holes, -1, dealer, policy)
            policy, split = self.plays(how, up, holes, split=True), {}
            for pair in range(10):
                wanted = self.splits(how, up, holes, pair)
                if wanted is False:
                    continue
                values, acts = solve(*args, up, holes, pair, dealer, policy)
                if wanted or 2 * values[self.one(pair)] > worth[self.two(pair, pair)]:
                    split[pair] = (2 * values[self.one(pair)], acts)
            for (low, high), chance in self.deals(up, holes):
                brings = worth[self.two(low, high)]
                found.value += float(chance) * (
                    split[low][0] if low == high and low in split else brings
                )
            for prime in PRIMES:
                self._exactly(found.parts[prime], up, holes, actions, split, prime, whole)
        return found

    def _exactly(self, parts, up, holes, actions, split, prime, whole):  # type: ignore[no-untyped-def]
        field = self.field(prime)
        args = (self.hands, self.sizes, self.index, self.shoe, up, holes)
        dealer = self.dealer(up, holes)
        ended = exactly(*args, -1, dealer, actions, field)
        for (low, high), chance in self.deals(up, holes):
            ways = mod(chance, prime)
            if low == high and low in split:
                acts = split[low][1]
                hand = [int(n) for n in exactly(*args, low, dealer, acts, field)[self.one(low)]]
                parts["split"] += ways
                net = 2 * (hand[0] - hand[2] + 2 * (hand[3] - hand[5]))
                parts["staked"] += ways * 2 * (1 + sum(hand[3:]))
                if whole:
                    both = second_splits.results(self, up, holes, low, acts, field)
                    assert (sum(both.values()) - 1) % prime == 0
                    assert (sum(won * often for won, often in both.items()) - net) % prime == 0
                    for won, often in both.items():
                        parts[won] += ways * often
            else:
                hand = [int(n) for n in ended[self.two(low, high)]]
                for name, won, often in zip(NAMES, (1, 0, -1, 2, 0, -2), hand, strict=True):
                    parts[name] += ways * often
                    parts[won] += ways * often
                net = hand[0] - hand[2] + 2 * (hand[3] - hand[5])
                parts["staked"] += ways * (1 + sum(hand[3:]))
            parts["net"] += ways * net
            parts[low, high, up] += ways * net


@dataclass
class Played:
    """What a round without a blackjack brings: in doubles, and by part modulo each prime."""

    value: float
    #: by name, by net result, and the net of each first two cards and up card
    parts: dict[int, Counter[Any]]


NAMES = ("win", "push", "lose", "doubled_win", "doubled_push", "doubled_lose")


def mod(number: Fraction, prime: int) -> int:
    return number.numerator * pow(number.denominator, -1, prime) % prime


def blackjacks(decks: int) -> tuple[Fraction, Fraction]:
    """The chance of a blackjack, and of two."""
    cards, aces, tens = 52 * decks, 4 * decks, 16 * decks
    one = Fraction(2 * aces * tens, cards * (cards - 1))
    return one, one * Fraction(2 * (aces - 1) * (tens - 1), (cards - 2) * (cards - 3))


def basic_strategy(up: int, _holes: np.ndarray, total: int, soft: bool, pair: int) -> str:
    """What books on blackjack say for four to eight decks, the dealer standing on soft 17 and doubling
    after a split allowed.
    """
    dealer = 11 if up == 0 else up + 1
    if pair >= 0:
        split = {
            0: range(2, 12), 1: range(2, 8), 2: range(2, 8), 3: (5, 6), 5: range(2, 7),
            6: range(2, 8), 7: range(2, 12), 8: (2, 3, 4, 5, 6, 8, 9),
        }  # fmt: skip
        if dealer in split.get(pair, ()):
            return "P"
    if soft:
        if total >= 19:
            return "S"
        if total == 18:
            return "Ds" if 3 <= dealer <= 6 else "S" if dealer in (2, 7, 8) else "H"
        lowest = {17: 3, 16: 4, 15: 4}.get(total, 5)
        return "D" if lowest <= dealer <= 6 else "H"
    if total >= 17 or (total >= 13 and dealer <= 6) or (total == 12 and 4 <= dealer <= 6):
        return "S"
    doubles = {11: range(2, 11), 10: range(2, 10), 9: range(3, 7)}
    return "D" if dealer in doubles.get(total, ()) else "H"


def printed(charts: Any) -> How:
    """The charts of a sheet: by range, or by both of the dealer's cards where they are seen."""
    names = ["A", *map(str, range(2, 10)), "T"]

    def code(up: int, holes: np.ndarray, total: int, soft: bool, pair: int) -> str:
        inside = next(name for name, of in RANGES.items() if any(holes[v] for v in of))
        seen = inside == "large" and up in (0, 9)
        chart, column = ("in_view", names[up] * 2) if seen else (inside, names[up])
        if pair >= 0:
            return str(charts[chart]["pairs"][f"{names[pair]},{names[pair]}"][column])
        if total > 20:
            return "S"
        if soft:
            # two aces that are not split are a soft 12, whose cell is the pair's; drawing more of
            # them without busting is always open
            return str(charts[chart]["soft"].get(f"A,{names[total - 12]}", {}).get(column, "H"))
        return str(charts[chart]["hard"].get(str(total), {}).get(column, "H"))

    return code


#: simpler ways to play: who reads what, and by which rule
SIMPLER: dict[str, tuple[str, How]] = {
    "without_the_light": ("unread", "best"),
    "up_card_alone": ("covered", "best"),
    "mimic_the_dealer": ("shown", "mimic_the_dealer"),
    "never_bust": ("shown", "never_bust"),
    "ordinary_blackjack": ("shown", basic_strategy),
}


@cache
def best_play(decks: int, reading: str) -> Played:
    return Game(decks, reading).played(whole=True)


def from_blackjacks(decks: int) -> Counter[Fraction]:
    """Net results of rounds with a blackjack (11(a)): paid 3 to 2; the dealer's takes the bet, two
    return it.
    """
    one, both = blackjacks(decks)
    return Counter({Fraction(3, 2): one - both, Fraction(-1): one - both, Fraction(0): both})


def work_out(entry: Any) -> Worked:
    """The bet. What agrees with the sheet modulo both primes is given back as the sheet has it."""
    decks = entry.columns["decks"]
    game = Game(decks, entry.columns["dealer_soft_22"])
    rounds = from_blackjacks(decks)
    apart = sum((net * chance for net, chance in rounds.items()), Fraction(0))

    def same_edge(found: Played, edge: Fraction) -> None:
        assert abs(found.value + float(apart) + float(edge)) < 1e-12
        for prime in PRIMES:
            assert (found.parts[prime]["net"] + mod(apart + edge, prime)) % prime == 0

    best = best_play(decks, entry.columns["dealer_soft_22"])
    same_edge(best, entry.edge)
    nets = dict(entry.shown_spread.distribution)
    for prime in PRIMES:
        parts = best.parts[prime]
        told = mod(entry.shown_spread.staked - sum(rounds.values()), prime)
        assert parts["staked"] % prime == told
        for row in entry.outcomes:
            if row.outcome in (*NAMES, "split"):
                assert parts[row.outcome] % prime == mod(Fraction(row.ways, entry.deals), prime)
        whole = {Fraction(net): parts[net] for net in range(-4, 5)}
        for net in {*whole, *nets, *rounds}:
            found = whole.get(net, 0) + mod(rounds[net], prime)
            assert found % prime == mod(nets.get(net, Fraction(0)), prime), net
    one, both = blackjacks(decks)
    for name, chance in (
        ("blackjack", one - both), ("dealer_blackjack", one - both), ("both_blackjack", both),
    ):  # fmt: skip
        row = next(row for row in entry.outcomes if row.outcome == name)
        assert Fraction(row.ways, entry.deals) == chance
    told = {one.strategy: Fraction(one.house_edge) for one in entry.strategy.alternatives}
    chart = printed(entry.strategy.data["charts"])
    for name, (reader, how) in {**SIMPLER, "chart": ("shown", chart)}.items():
        same_edge(game.played(reader, how), told[name])
    rows = {
        (row.outcome, row.back): Fraction(row.ways, entry.deals)
        for row in entry.outcomes
        if row.ways
    }
    return Worked(entry.edge, entry.shown_spread.staked, nets, rows=rows, simpler=told)


def match_beside(decks: int, low: int, high: int, up: int, table: Any) -> Fraction:
    """What Match-the-Dealer brings on average when these values lie beside an up card of this one."""
    # of the cards of the up card's value: the same card, its rank in another suit, another rank
    kinds = [decks - 1, 3 * decks, 12 * decks if up == 9 else 0]
    pays = [table["suited_match"].odds.value, table["unsuited_match"].odds.value, Fraction(0)]
    like = [low, high].count(up)
    total, ways = Fraction(0), 0
    for chosen in product(range(3), repeat=like):
        left, times = list(kinds), 1
        for kind in chosen:
            times *= left[kind]
            left[kind] -= 1
        matched = any(kind < 2 for kind in chosen)
        total += times * (sum((pays[kind] for kind in chosen), Fraction(0)) if matched else -1)
        ways += times
    return total / ways


def together_agrees(sheet: Any) -> bool:
    """The bet and Match-the-Dealer of the usual table, over every first two cards and up card."""
    whole, law = sheet.together, sheet.chapter
    usual = choose(law)
    decks, reading = usual["decks"], usual["dealer_soft_22"]
    bet, match = (wager_on(law, on) for on in ("blackjack", "matched_cards"))
    table = law.paytables[match, sheet.together_tables[match]]
    entry = sheet.find(bet, None, decks=decks, dealer_soft_22=reading)
    matches = sheet.find(match, table.id, decks=decks)
    assert set(whole.means) == {bet, match}
    assert set(whole.covariances) == {(bet, match)}
    assert whole.means == {bet: -entry.edge, match: -matches.edge}
    assert whole.variances == {bet: entry.spread.variance, match: matches.spread.variance}
    best = best_play(decks, reading)
    product_of_means = whole.means[bet] * whole.means[match]
    for prime in PRIMES:
        total = -mod(whole.covariances[bet, match] + product_of_means, prime)
        for low, high, up in product(range(10), range(10), range(10)):
            if low <= high:
                brings = best.parts[prime][low, high, up]
                brings += mod(blackjack_nets(decks, low, high, up), prime)
                total += brings * mod(match_beside(decks, low, high, up, table), prime)
        assert total % prime == 0
    return True


def wager_on(law: Any, on: str) -> str:
    return str(next(wager.entry for wager in law.about.wagers if wager.settled_on == on))


def blackjack_nets(decks: int, low: int, high: int, up: int) -> Fraction:
    """What rounds of these first cards bring that have a blackjack, times how often they come."""
    left = [4 * decks] * 9 + [16 * decks]
    ways = 1 if low == high else 2
    for value in (low, high, up):
        ways *= left[value]
        left[value] -= 1
    cards = 52 * decks
    chance = Fraction(ways, cards * (cards - 1) * (cards - 2))
    dealer = Fraction(left[9 - up] if up in (0, 9) else 0, cards - 3)
    if (low, high) == (0, 9):
        return chance * (1 - dealer) * Fraction(3, 2)
    return -chance * dealer
