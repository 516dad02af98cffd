"""Saigon 5 Card: kinds of hands against hands taken one by one, through the game itself."""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.cards import JOKER, Card, cards, deck_with_joker
from houseway.game_api.notation import deal
from houseway.game_api.settle import settle
from houseway.games.saigon.hands import bonus_hand, values
from houseway.games.saigon.maths import ante as saigon_ante
from houseway.games.saigon.maths import tallies
from houseway.games.saigon.maths.counts import BONUS
from houseway.games.saigon.maths.hand_kinds import IN_DECK, kinds, other_bonus, qualifying_counts
from houseway.games.three_card.maths.counting.tallies import five_card_hands
from houseway.law import SAIGON, chapter, choose, cites

LAW = chapter(SAIGON)
RULES = choose(SAIGON)


def value(card):
    """1 to 10, and 11 for the joker, as the kinds have it."""
    return 11 if card == JOKER else 1 if card.rank == 12 else min(card.rank + 2, 10)


def test_every_hand_is_of_one_kind():
    tally = tallies.kinds()
    assert sum(tally.ways) == comb(53, 5) == 2_869_685
    assert [sum(bonus) for bonus in tally.bonus] == tally.ways
    assert {sum(dealer) for dealer in tally.dealer} == {comb(48, 5)}


@given(st.sets(st.sampled_from(deck_with_joker()), min_size=5, max_size=5))
@cites(SAIGON, "680a.6(a)", "680a.6(b)", "680a.11(b)(1)")
def test_settings_are_those_of_the_game(hand):
    hand = tuple(hand)
    found = qualifying_counts(tuple(sorted(map(value, hand))))
    open_now = values(LAW).settings(hand)
    assert bool(found) == open_now[0].qualifies
    if found:
        # the game gives the joker its best value at once; the kinds list what else it could be
        assert {setting.point_count for setting in open_now} <= set(found)
        assert found[0] == values(LAW).best(hand).point_count


def test_dealers_of_some_kinds_added_up_one_by_one():
    tally = tallies.kinds()
    chance = random.Random(680)
    for at in chance.sample(range(len(tally.ways)), 3):
        mine = Counter(tally.values[at])
        found = [0] * 11
        for five, can in zip(tally.values, tally.counts, strict=True):
            theirs = Counter(five)
            found[can[0] if can else 0] += prod(
                comb(IN_DECK[v] - mine[v], times) for v, times in theirs.items()
            )
        assert found == tally.dealer[at]


def small_deck():
    """Eleven cards, the joker among them: every deal of five and five can be taken."""
    return cards("Ac 2c 3c 4c 5d 6d 8h 9h Ts Ks Jk")


@cites(SAIGON, "680a.11(d)(1)", "680a.11(d)(2)", "680a.12(a)", "680a.12(b)")
def test_a_small_deck_completely_through_the_live_settlement():
    pack = small_deck()
    counted = Counter(map(value, pack))
    tally = kinds({v: counted[v] for v in range(1, 12)})
    pays = saigon_ante.payoffs(RULES)
    total = Fraction(0)
    for can, ways, dealer in zip(tally.counts, tally.ways, tally.dealer, strict=True):
        state = can[0] if can else 0
        total += ways * sum(n * net for n, net in zip(dealer, pays.nets[state], strict=True))
    live = deals = 0
    for mine in combinations(pack, 5):
        left = [card for card in pack if card not in mine]
        for dealer in combinations(left, 5):
            made = deal(
                RULES,
                dealer=" ".join(map(str, dealer)),
                seats={1: {"wagers": {"ante": "10.00"}, "cards": " ".join(map(str, mine))}},
            )
            live += settle(made).seats[0].net
            deals += 1
    assert (
        deals
        == comb(11, 5) * comb(6, 5)
        == sum(w * sum(d) for w, d in zip(tally.ways, tally.dealer, strict=True))
    )
    assert total == Fraction(live, 1000)


@cites(SAIGON, "680a.6(c)", "680a.12(c)")
def test_bonus_hands_with_the_joker_one_by_one():
    counted = Counter(
        bonus_hand((*four, JOKER)) for four in combinations(deck_with_joker()[:52], 4)
    )
    plain = five_card_hands()
    tally = tallies.kinds()
    for place, name in enumerate(BONUS[:-1]):
        without = plain.get(name, 0)
        assert sum(bonus[place] for bonus in tally.bonus) == without + counted[name], name


@cites(SAIGON, "680a.6(c)(1)", "680a.6(c)(2)", "680a.6(c)(3)")
def test_the_rarest_bonus_hands_by_combinatorics():
    tally = tallies.kinds()
    whole = [sum(bonus[place] for bonus in tally.bonus) for place in range(3)]
    assert whole == [1, 4, 4 * comb(5, 4)]


def test_the_best_setting_is_never_worse_than_any_rule():
    pays = saigon_ante.payoffs(RULES)
    best = saigon_ante.settings(pays).spread.edge
    for rule in (saigon_ante.highest, saigon_ante.avoid_five, lambda counts, dealer: counts[-1]):
        assert saigon_ante.settings(pays, rule).spread.edge >= best


@cites(SAIGON, "680a.12(b)")
def test_a_point_count_of_five_is_never_avoided_and_would_be_if_it_paid_nothing():
    pays = saigon_ante.payoffs(RULES)
    best = saigon_ante.settings(pays)
    tally = tallies.kinds()
    assert all(state == can[0] for state, can in zip(best.state, tally.counts, strict=True) if can)
    poor = choose(
        SAIGON, paytables={"ante": {"win": "1 to 1", "point_count_5": "0 to 1"}}, hypothetical=True
    )
    worse = saigon_ante.settings(saigon_ante.payoffs(poor))
    assert any(
        can[0] == 5 and state != 5
        for state, can in zip(worse.state, tally.counts, strict=True)
        if can
    )


@pytest.mark.parametrize("joker", ["joker_wild", "joker_only_ace", "joker_nothing"])
def test_other_jokers_one_by_one(joker):
    """The joker as any card, as an ace, as no card at all: tried card by card on some hands."""
    found = other_bonus(joker)
    assert sum(found.values()) == comb(53, 5)
    as_read = tallies.kinds()
    read = {name: sum(b[place] for b in as_read.bonus) for place, name in enumerate(BONUS)}
    order = {"joker_wild": 1, "joker_only_ace": -1, "joker_nothing": -1}[joker]
    # a joker that can do more never leaves more hands with nothing, and the other way round
    assert order * (read["nothing"] - found["nothing"]) >= 0
    assert found["five_aces"] == 1
    assert found["royal_flush"] == 4
    if joker != "joker_only_ace":
        assert found["royal_flush_joker"] == 20
    else:  # only king to ten of a suit lack just the ace
        assert found["royal_flush_joker"] == 4


def test_the_joker_wild_by_trying_every_card():
    import numpy as np

    from houseway.game_api.poker import NAMES, best_five
    from houseway.maths.counting.bulk_hands import canonical_sets, cards_of

    masks, ways = canonical_sets(4)
    hands = cards_of(masks, 4)
    chance = random.Random(5)
    picked = chance.sample(range(len(hands)), 300)
    # the same 300 patterns, counted by the kernel's rule and by trying all fifth cards
    plain = Counter()
    for at in picked:
        four = [Card(card) for card in hands[at]]
        best = min(
            NAMES.index(best_five([*four, card]))
            for card in deck_with_joker()[:52]
            if card not in four
        )
        plain[NAMES[best]] += int(ways[at])
    from houseway.games.saigon.maths.bonus_hands import saigon_bonus

    kernel = Counter()
    chosen = masks[picked].astype(np.int64)
    best = np.full(len(chosen), 10)
    for card in range(52):
        filled = chosen.copy()
        filled[:, card & 3] |= 1 << (card >> 2)
        new = (filled != chosen).any(axis=1)
        best = np.where(
            new, np.minimum(best, saigon_bonus(filled, np.zeros(len(chosen), bool))), best
        )
    for place, at in zip(best, picked, strict=True):
        kernel[BONUS[place]] += int(ways[at])
    for name in (
        "straight_flush",
        "four_of_a_kind",
        "full_house",
        "flush",
        "straight",
        "three_of_a_kind",
    ):
        assert kernel[name] == plain[name]
