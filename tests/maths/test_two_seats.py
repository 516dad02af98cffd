"""Two seats of one table: what they win goes together by no more than is said, and nearly by as much."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.games.three_card.maths.counting.counts import COLUMNS, FIVE
from houseway.games.three_card.maths.counting.duel import Patterns
from houseway.games.three_card.maths.outcomes import five_cards
from houseway.games.three_card.maths.seat_covariance import beside_community, by_dealer
from houseway.law import MD, PRIME, choose
from houseway.maths.counting.bulk_hands import three_card_values
from houseway.maths.figures import Spread
from houseway.maths.game import MATHS
from houseway.maths.joint.seat_covariance import bound, together
from houseway.maths.par import Asked, entries_of
from houseway.maths.sheet import Entry, Outcome

Hand = frozenset[int]


@cache
def apart(cards: int, size: int) -> list[tuple[Hand, Hand]]:
    """Every two hands of some cards that have none in common, one after the other."""
    hands = [frozenset(hand) for hand in combinations(range(cards), size)]
    return [(one, other) for one in hands for other in hands if not one & other]


def moments(pairs: list[tuple[Hand, Hand]], f: Callable[[Hand], int]) -> tuple[Fraction, ...]:
    """Variance of one, covariance of both: every hand is first equally often."""
    count = len(pairs)
    mean = Fraction(sum(f(one) for one, _ in pairs), count)
    square = Fraction(sum(f(one) ** 2 for one, _ in pairs), count)
    return square - mean**2, Fraction(sum(f(a) * f(b) for a, b in pairs), count) - mean**2


@pytest.mark.parametrize(("size", "cards"), [(2, 6), (3, 8), (4, 9)])
@given(seed=st.integers(0, 2**32))
def test_no_two_hands_go_further_together_than_the_eigenvalue_says(size, cards, seed) -> None:
    chance = random.Random(seed)
    worth = {frozenset(h): chance.randint(-9, 9) for h in combinations(range(cards), size)}
    variance, both = moments(apart(cards, size), worth.__getitem__)
    assert both <= together(size, cards) * variance


@pytest.mark.parametrize(("size", "cards"), [(2, 6), (3, 8), (4, 9)])
def test_some_go_exactly_so_far(size, cards) -> None:
    """One of two cards held, times one of two others: of the second degree and no other."""

    def f(hand: Hand) -> int:
        return ((0 in hand) - (1 in hand)) * ((2 in hand) - (3 in hand))

    variance, both = moments(apart(cards, size), f)
    assert both == together(size, cards) * variance > 0


def column(mine: int, dealers: int, qualifies: int) -> int:
    """The column of a duel: not qualifying first; then below, level with, above the player's."""
    return 3 * (dealers >= qualifies) + (dealers >= mine) + (dealers > mine)


def test_a_small_deck_dealt_out_to_a_dealer_and_two_seats() -> None:
    """Twelve cards: what each dealer's hand leaves to the players, and all that follows, one by one."""
    deck = Patterns(range(4), 3)
    chance = random.Random(7)
    nets = np.array([[chance.randint(-5, 5) for _ in COLUMNS] for _ in deck.values])
    cards = [rank * 4 + suit for rank in range(4) for suit in range(3)]
    hands = [frozenset(hand) for hand in combinations(cards, 3)]
    value = {
        h: int(v)
        for h, v in zip(hands, three_card_values(np.array([sorted(h) for h in hands])), strict=True)
    }
    qualifies = sorted(value.values())[len(value) // 3]

    def kind(hand: Hand) -> tuple[object, ...]:
        """Ranks in order, and which of them are of one suit: what a pattern is."""
        held = sorted(hand)
        suits = {card: [other & 3 for other in held].count(card & 3) for card in held}
        return tuple(sorted((card >> 2, suits[card]) for card in held))

    pattern = {kind(frozenset(h)): at for at, h in enumerate(deck.cards.tolist())}
    assert len(pattern) == len(deck.values)

    def brings(mine: Hand, dealers: Hand) -> int:
        return int(nets[pattern[kind(mine)]][column(value[mine], value[dealers], qualifies)])

    left = {d: [h for h in hands if not h & d] for d in hands}
    found = by_dealer(deck, nets, qualifies)
    for at, held in enumerate(deck.cards.tolist()):
        dealers = frozenset(held)
        assert found[at] == sum(brings(mine, dealers) for mine in left[dealers])
    # all deals to a dealer and two seats, and the bound on what these have to do with each other
    ones = [brings(one, d) for d in hands for one in left[d]]
    mean = Fraction(sum(ones), len(ones))
    variance = Fraction(sum(net**2 for net in ones), len(ones)) - mean**2
    boths = [
        brings(one, d) * brings(other, d)
        for d in hands[::11]
        for one in left[d]
        for other in left[d]
        if not one & other
    ]
    squares = sum(w * int(b) ** 2 for w, b in zip(deck.ways.tolist(), found, strict=True))
    between = Fraction(squares, len(hands) * comb(9, 3) ** 2) - mean**2
    assert 0 < between < variance
    # of every eleventh dealer's hand: their own means, so that the same bound holds among them
    some = [
        (Fraction(sum(nets_), len(nets_)), Fraction(sum(n * n for n in nets_), len(nets_)))
        for nets_ in ([brings(mine, d) for mine in left[d]] for d in hands[::11])
    ]
    inside = sum((square - mean_**2 for mean_, square in some), Fraction(0)) / len(some)
    outside = sum((mean_**2 for mean_, _ in some), Fraction(0)) / len(some)
    assert Fraction(sum(boths), len(boths)) <= outside + together(3, 9) * inside
    assert bound(variance, between, 3, 9) == between + together(3, 9) * (variance - between)


def test_prime_by_the_colors_of_nine_cards() -> None:
    """Red cards among a dealer's three and two seats' three each are all there is to know."""
    rules = choose(PRIME, {"prime": True})
    (entry,) = entries_of(Asked(rules.chapter, rules), "prime")
    pays = {row.outcome: row.net for row in entry.outcomes}

    def brings(mine: int, dealers: int) -> Fraction:
        if mine not in (0, 3):
            return Fraction(-1)
        return pays["same_color_both" if mine == dealers else "same_color"]

    def ways(reds: int, red: int, black: int) -> int:
        return comb(red, reds) * comb(black, 3 - reds)

    total = mean = both = Fraction(0)
    for d in range(4):
        for one in range(4):
            for other in range(4):
                deals = (
                    ways(d, 26, 26) * ways(one, 26 - d, 23 + d)
                    * ways(other, 26 - d - one, 20 + d + one)
                )  # fmt: skip
                total += deals
                mean += deals * brings(one, d)
                both += deals * brings(one, d) * brings(other, d)
    exact = both / total - (mean / total) ** 2
    assert -mean / total == entry.spread.edge
    assert (
        exact
        < MATHS.of(rules.chapter).seat_covariance(rules, entry)
        < exact + entry.spread.variance / 10
    )


def test_six_cards_go_by_the_dealers_three() -> None:
    """If only four of a kind is paid: three alike want one card, a pair two, or
    like any other card all three of its rank."""
    rules = choose(MD, {"six_card_bonus": "A"})
    table = rules.table("six_card_bonus")
    win = Fraction(50)
    rows = [
        Outcome(hand, "", 0, win if hand == "four_of_a_kind" else Fraction(-1))
        for hand in table.pays
    ]
    hands, left = comb(52, 3), comb(49, 3)
    by_dealer = [
        (Fraction(13 * 4, hands), Fraction(comb(48, 2), left)),
        (Fraction(13 * 6 * 48, hands), Fraction(47 + 1, left)),
        (1 - Fraction(13 * 4 + 13 * 6 * 48, hands), Fraction(3, left)),
    ]
    chance = sum(share * of for share, of in by_dealer)
    assert chance == Fraction(13 * comb(48, 2), comb(52, 6))
    between = (win + 1) ** 2 * (sum(share * of**2 for share, of in by_dealer) - chance**2)
    spread = Spread({win: chance.numerator, Fraction(-1): chance.denominator - chance.numerator},
                    chance.denominator)  # fmt: skip
    entry = Entry("six_card_bonus", "A", spread, rows)
    assert MATHS.of(rules.chapter).seat_covariance(rules, entry) == bound(
        spread.variance, between, 3, 49
    )


def test_every_five_card_hand_is_met_once_for_each_two_of_its_cards() -> None:
    counts = [0] * len(FIVE)
    for ways, each in beside_community():
        assert sum(each) == comb(50, 3)
        counts = [so_far + ways * n for so_far, n in zip(counts, each, strict=True)]
    wanted = {names[0]: ways for names, ways in five_cards().rows}
    assert counts == [comb(5, 2) * wanted[name] for name in FIVE]
