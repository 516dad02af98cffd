"""Saigon's values, settings and point counts, and the Bonus hands with the joker."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.cards import JOKER, RANKS, SUITS, Card, card, cards, deck_with_joker, standard_deck
from houseway.game_api.poker import best_five
from houseway.games.saigon.hands import bonus_hand, values
from houseway.law import SAIGON, chapter, choose, cites

VALUES = values(chapter(SAIGON))
hands = st.lists(st.sampled_from(deck_with_joker()), min_size=5, max_size=5, unique=True)


def joker_hands() -> st.SearchStrategy[list[Card]]:
    four = st.lists(st.sampled_from(standard_deck()), min_size=4, max_size=4, unique=True)
    return four.flatmap(lambda others: st.permutations([*others, JOKER]))


# The plain twin: 680a.6(a) and (b) and "Qualify", read aloud.


def worths(of: Card) -> list[int]:
    if of == JOKER:
        return [3, 6, 9]
    face = str(of)[0]
    return [10 if face in "TJQK" else 1 if face == "A" else int(face)]


def totals(hand: tuple[Card, ...]) -> list[int]:
    found = [0]
    for each in hand:
        found = [total + worth for total in found for worth in worths(each)]
    return found


def plain_qualifies(three: tuple[Card, ...]) -> bool:
    return any(total in (10, 20, 30) for total in totals(three))


def plain_count(two: tuple[Card, ...]) -> int:
    return max(total if total <= 10 else total - 10 for total in totals(two))


def plain_settings(hand: list[Card]) -> list[tuple[frozenset[Card], int]]:
    found = []
    for three in combinations(hand, 3):
        two = tuple(each for each in hand if each not in three)
        if plain_qualifies(three):
            found.append((frozenset(three), plain_count(two)))
    return found


@cites(SAIGON, "680a.6(a)(1)", "680a.6(a)(2)", "680a.6(a)(3)")
@pytest.mark.parametrize("suit", SUITS)
@pytest.mark.parametrize("rank", RANKS)
def test_every_card_has_its_value(rank, suit):
    # nine and a card total one less than ten more than its value; nine and an ace are just ten
    beside = card("9c") if (rank, suit) != ("9", "c") else card("9d")
    value = {"T": 10, "J": 10, "Q": 10, "K": 10, "A": 1}.get(rank) or int(rank)
    expected = 10 if value == 1 else value - 1
    assert VALUES.point_count((card(rank + suit), beside)) == expected


@cites(SAIGON, "680a.6(a)*", "680a.6(b)")
def test_every_three_and_every_two_as_the_text_counts_them():
    deck = deck_with_joker()
    for three in combinations(deck, 3):
        assert VALUES.qualifies(three) == plain_qualifies(three)
    for two in combinations(deck, 2):
        count = VALUES.point_count(two)
        assert count == plain_count(two)
        assert 1 <= count <= 10


@cites(SAIGON, "680a.6(b)(1)", "680a.6(b)(2)")
def test_the_examples_of_a_point_count():
    assert VALUES.point_count(cards("Ac 4d")) == 5
    assert VALUES.point_count(cards("Th Js")) == 10


@cites(SAIGON, "680a.6(a)(4)")
def test_a_joker_in_the_showdown_hand_never_has_to_count_5():
    for other in standard_deck():
        counts = {total if total <= 10 else total - 10 for total in totals((JOKER, other))}
        assert VALUES.point_count((JOKER, other)) == max(counts) > 5


@cites(SAIGON, "680a.11(b)(1)")
def test_the_example_of_a_setting():
    hand = cards("Jk 8s 6d 5c 2h")
    best = VALUES.best(hand)
    assert set(best.three) == set(cards("Jk 5c 6d"))
    assert set(best.two) == set(cards("8s 2h"))
    assert best.qualifies
    assert best.point_count == 10
    # the other two that qualify are open to the player as well
    assert {setting.point_count for setting in VALUES.settings(hand)} == {10, 7, 4}


@cites(SAIGON, "680a.11(b)", "680a.11(b)(1)", "680a.11(b)(2)", "680a.11(c)(1)", "680a.11(c)(2)")
@given(st.one_of(hands, joker_hands()))
def test_settings_are_those_of_the_plain_twin(hand):
    plain = plain_settings(hand)
    found = VALUES.settings(hand)
    for setting in found:
        assert sorted((*setting.three, *setting.two)) == sorted(hand)
        assert VALUES.as_set(setting.three, setting.two) == setting
    if plain:
        assert sorted((sorted(s.three), s.point_count) for s in found) == sorted(
            (sorted(three), count) for three, count in plain
        )
        assert VALUES.best(hand).point_count == max(count for _, count in plain)
        assert VALUES.best(hand).qualifies
    else:
        assert len({frozenset(s.three) for s in found}) == comb(5, 3)
        assert not VALUES.best(hand).qualifies


@cites(SAIGON, "680a.11(c)(1)")
@given(st.lists(st.sampled_from(standard_deck()), min_size=5, max_size=5, unique=True))
def test_without_the_joker_all_qualifying_settings_have_one_point_count(hand):
    if VALUES.best(hand).qualifies:
        whole = sum(worths(each)[0] for each in hand)
        assert {s.point_count for s in VALUES.settings(hand)} == {whole % 10 or 10}


@given(hands, st.permutations(SUITS))
def test_suits_do_not_matter_to_the_two_hands(hand, order):
    other = [each if each == JOKER else card(str(each)[0] + order[each.suit]) for each in hand]
    before, after = VALUES.best(hand), VALUES.best(other)
    assert (before.qualifies, before.point_count) == (after.qualifies, after.point_count)


def deals(left: Counter[int]) -> Counter[tuple[bool, int]]:
    """How many five-card hands from what is left come to each result, the joker being gone."""
    found: Counter[tuple[bool, int]] = Counter()
    for five in combinations_with_replacement(sorted(left), 5):
        ways = prod(comb(left[value], times) for value, times in Counter(five).items())
        fit = any(sum(three) in (10, 20, 30) for three in combinations(five, 3))
        found[fit, sum(five) % 10 or 10] += ways
    return found


def expected(left: Counter[int], count: int) -> int:
    """Twice what an ante is up over all those hands."""
    pays = 1 if count == 5 else 2
    total = 0
    for (qualifies, dealers), ways in deals(left).items():
        if not qualifies or count > dealers:
            total += pays * ways
        elif count < dealers:
            total -= 2 * ways
    return total


@cites(SAIGON, "680a.11(b)(1)", "680a.12(b)")
def test_the_highest_count_is_the_best_even_where_it_is_5():
    """With the joker the choice can be 5, which pays half, or a lower count: 5 is always better."""
    deck = Counter(dict.fromkeys(range(1, 10), 4) | {10: 16})
    seen = set()
    for four in combinations_with_replacement(range(1, 11), 4):
        if any(times > deck[value] for value, times in Counter(four).items()):
            continue
        # any cards of those values will do, since only values count here
        names = [{1: "A", 10: "T"}.get(value, str(value)) for value in four]
        hand = [JOKER, *(card(name + suit) for name, suit in zip(names, SUITS, strict=True))]
        options = VALUES.settings(hand)
        counts = {setting.point_count for setting in options}
        if options[0].qualifies and max(counts) == 5 and len(counts) > 1:
            left = deck - Counter(four)
            for lower in counts - {5}:
                seen.add(lower)
                assert expected(left, 5) > expected(left, lower)
    assert seen == {1, 2}


# The Bonus.

ORDER = (
    "five_aces", "royal_flush", "royal_flush_joker", "straight_flush", "four_of_a_kind",
    "full_house", "flush", "straight", "three_of_a_kind", "two_pair", "pair", "high_card",
)  # fmt: skip
FILLED = {"royal_flush": "royal_flush_joker"} | {
    name: name for name in ("straight_flush", "flush", "straight")
}


def plain_bonus(hand: list[Card]) -> str:
    """The joker tried as every card: an ace for anything, another card only to fill a hand."""
    if JOKER not in hand:
        return best_five(hand)
    four = [each for each in hand if each != JOKER]
    if {str(each)[0] for each in four} == {"A"}:
        return "five_aces"
    found = []
    for as_card in standard_deck():
        if as_card not in four:
            name = best_five([*four, as_card])
            if name in FILLED:
                found.append(FILLED[name])
            elif str(as_card)[0] == "A":
                found.append(name)
    return min(found, key=ORDER.index)


@cites(SAIGON, "680a.6(c)")
@given(st.one_of(hands, joker_hands()))
def test_bonus_hands_are_those_of_the_plain_twin(hand):
    assert bonus_hand(hand) == plain_bonus(hand)


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        ("Ac Ad Ah As Jk", "five_aces"),
        ("As Ks Qs Js Ts", "royal_flush"),
        ("As Ks Jk Js Ts", "royal_flush_joker"),
        ("Jk Ks Qs Js Ts", "royal_flush_joker"),
        ("Kd Qd Jd Td 9d", "straight_flush"),
        ("Jk Qd Jd Td 9d", "straight_flush"),
        ("Ah 2h 3h 4h 5h", "straight_flush"),
        ("Jk 2h 3h 4h 5h", "straight_flush"),
        ("8c 8d 8h 8s 2c", "four_of_a_kind"),
        ("8c 8d 8h 8s Jk", "four_of_a_kind"),
        ("Ac Ad Ah Jk 2c", "four_of_a_kind"),
        ("8c 8d 8h 2s 2c", "full_house"),
        ("8c 8d 8h As Jk", "full_house"),
        ("Ac Ad 8h 8s Jk", "full_house"),
        ("2s 9s 4s Js Ks", "flush"),
        ("2s 9s 4s As Jk", "flush"),
        ("9c Td Jh Qs Kc", "straight"),
        ("Ac Kd Qh Js Tc", "straight"),
        ("Ac 2d 3h 4s 5c", "straight"),
        ("Jk Kd Qh Js Tc", "straight"),
        ("9c Td Jk Qs Kc", "straight"),
        ("Qc Kd Ah 2s 3c", "high_card"),
        ("Qc Kd Jk 2s 3c", "high_card"),
        ("8c 8d 8h 2s 3c", "three_of_a_kind"),
        ("8c 8d 8h 2s Jk", "three_of_a_kind"),
        ("Ac Ad 9h 2s Jk", "three_of_a_kind"),
        ("8c 8d 9h 9s 2c", "two_pair"),
        ("8c 8d 9h 9s Jk", "two_pair"),
        ("8c 8d Ah 2s Jk", "two_pair"),
        ("8c 8d Jh 2s Jk", "pair"),
        ("Ac 9d Jh 2s Jk", "pair"),
        ("7c 9d Qh 2s Jk", "high_card"),
    ],
)
@cites(SAIGON, "680a.6(c)*", "680a.11(e)")
def test_what_the_joker_is_for_the_bonus(hand, name):
    assert bonus_hand(cards(hand)) == name


@cites(SAIGON, "680a.6(c)", "680a.11(e)")
def test_the_paytable_lists_the_hands_in_the_order_of_the_text():
    table = choose(SAIGON, {"bonus": "A"}).table("bonus")
    assert tuple(table.pays) == ORDER[:10]
    odds = [pay.odds.value for pay in table.pays.values()]
    assert odds == sorted(odds, reverse=True)


def without_joker() -> dict[str, int]:
    """Five of 52 cards, counted by hand."""
    straights = 10
    counts = {
        "royal_flush": 4,
        "straight_flush": (straights - 1) * 4,
        "four_of_a_kind": 13 * 48,
        "full_house": 13 * comb(4, 3) * 12 * comb(4, 2),
        "flush": (comb(13, 5) - straights) * 4,
        "straight": straights * (4**5 - 4),
        "three_of_a_kind": 13 * comb(4, 3) * comb(12, 2) * 4**2,
        "two_pair": comb(13, 2) * comb(4, 2) ** 2 * 44,
        "pair": 13 * comb(4, 2) * comb(12, 3) * 4**3,
        "high_card": (comb(13, 5) - straights) * (4**5 - 4),
    }
    assert sum(counts.values()) == comb(52, 5)
    return counts


def with_joker() -> dict[str, int]:
    """The joker and four of 52 cards, counted by hand."""
    # Each of the ten straights lacks one of five cards; the nine runs of four that have a
    # neighbor on both sides, 2-3-4-5 up to 10-J-Q-K, were counted in two straights.
    but_one = 10 * 5 - 9
    royal = 5  # of those, the ones from ten to ace
    with_ace = 4 + 4  # and these hold an ace: four each of A-2-3-4-5 and of 10-J-Q-K-A
    distinct_with_ace = comb(12, 3) - with_ace
    distinct_without = comb(12, 4) - (but_one - with_ace)
    counts = {
        "five_aces": 1,
        "royal_flush_joker": royal * 4,
        "straight_flush": (but_one - royal) * 4,
        # four of any rank but the ace; three aces with another card
        "four_of_a_kind": 12 + comb(4, 3) * 48,
        # three of a rank and an ace; two aces and another pair
        "full_house": 12 * comb(4, 3) * 4 + comb(4, 2) * 12 * comb(4, 2),
        "flush": (comb(13, 4) - but_one) * 4,
        "straight": but_one * (4**4 - 4),
        # three of a rank and another card, no ace; two aces and two odd cards
        "three_of_a_kind": 12 * comb(4, 3) * 44 + comb(4, 2) * comb(12, 2) * 4**2,
        # a pair, an ace and an odd card; two pairs without an ace
        "two_pair": 12 * comb(4, 2) * 4 * 44 + comb(12, 2) * comb(4, 2) ** 2,
        # a pair and two odd cards, no ace; four odd cards with an ace
        "pair": 12 * comb(4, 2) * comb(11, 2) * 4**2 + distinct_with_ace * (4**4 - 4),
        "high_card": distinct_without * (4**4 - 4),
    }
    assert sum(counts.values()) == comb(52, 4)
    return counts


@pytest.mark.slow
@cites(
    SAIGON, "680a.6(c)(1)", "680a.6(c)(2)", "680a.6(c)(3)", "680a.6(c)(4)", "680a.6(c)(5)",
    "680a.6(c)(6)", "680a.6(c)(7)", "680a.6(c)(8)", "680a.6(c)(9)", "680a.6(c)(10)",
)  # fmt: skip
def test_all_five_card_hands_of_the_53_card_deck():
    found = Counter(map(bonus_hand, combinations(deck_with_joker(), 5)))
    assert found == Counter(without_joker()) + Counter(with_joker())
    assert found.total() == 2_869_685
