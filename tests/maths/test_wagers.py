"""Wagers that a paytable settles: counts times payouts, against the live settlement."""

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_deals import dealers, deck

from houseway.errors import Refused
from houseway.game_api.round import Round, Seat
from houseway.game_api.settle import RULES
from houseway.games.down_under.maths.outcomes import match_the_dealer
from houseway.games.three_card.maths import outcomes as outcomes_of
from houseway.games.three_card.maths.counting.counts import SIX, THREE
from houseway.law import DOWN_UNDER, MA, MD, PRIME, Pay, Paytable, chapter, choose, cites
from houseway.maths import wagers
from houseway.maths.counting import bulk_hands as bulk
from houseway.maths.par import Asked, entries_of, evaluate, par
from houseway.money import odds


def table(wager, pays):
    return Paytable(wager, "own", "", {h: Pay(odds(text), "", h) for h, text in pays.items()})


@pytest.mark.slow
@cites(MD, "12.F(1)", "12.F(2)", "12.D(1)")
@cites(PRIME, "679a.12(d)", "679a.12(e)", "679a.12(f)", "679a.12(g)")
@pytest.mark.parametrize(
    ("id", "options", "stakes"),
    [
        (MD, {"six_card_bonus": "A"}, {"ante": 1000, "pair_plus": 500, "six_card_bonus": 500}),
        (MD, {"six_card_bonus": "B"}, {"ante": 1000, "pair_plus": 500, "six_card_bonus": 500}),
        (MA, {"six_card_bonus": "TCP-6B3"}, {"ante": 1000, "six_card_bonus": 500}),
        (PRIME, {"prime": True, "all_six": "E"}, {"ante": 1000, "prime": 500, "all_six": 500}),
    ],
)
def test_a_small_deck_completely_through_the_live_settlement(id, options, stakes):
    """Ten cards of two suits: side wagers as the game settles them, and as they are counted."""
    rules = choose(id, options)
    pack = deck((7, 8, 9, 10, 11, 12), (1, 2))
    settle = RULES.of(chapter(id)).settle
    live = dict.fromkeys(stakes, 0)
    sixes, threes = [], []
    for mine in combinations(pack, 3):
        for dealer in dealers(mine, pack):
            seat = Seat(1, stakes, tuple(mine), "play")
            for line in settle(Round(rules, tuple(dealer), (seat,))).seats[0].lines:
                if line.wager in live:
                    live[line.wager] += line.net
            sixes.append((*mine, *dealer))
            threes.append(mine)
    masks = bulk.masks_of(np.array(sixes))
    names = bulk.best_five(masks).astype(int) + 2
    royal = bulk.six_card_royal(masks)
    names[royal] = np.where(masks[royal, 1] > 0, 0, 1)
    six = next((w for w in ("six_card_bonus", "all_six") if w in stakes), None)
    word = "super_royal" if six == "six_card_bonus" else "six_card_royal"
    outcomes = wagers.Outcomes(
        tuple(
            (outcomes_of.six_names(name, word), int((names == at).sum()))
            for at, name in enumerate(SIX)
        ),
        len(sixes),
    )
    paid = wagers.pay(outcomes, rules.table(six), wagers.plain(stakes[six]))
    assert paid.mean * paid.total * stakes[six] == live[six]
    if "pair_plus" in stakes:
        kinds = bulk.three_card_values(np.array(threes))
        kind = np.where(kinds == bulk.MINI_ROYAL, 6, kinds // 13**3)
        counted = wagers.Outcomes(
            tuple((outcomes_of.three_names(THREE[at]), int((kind == at).sum())) for at in range(7)),
            len(threes),
        )
        paid = wagers.pay(counted, rules.table("pair_plus"), wagers.plain(500))
        assert paid.mean * paid.total * 500 == live["pair_plus"]
    if "prime" in stakes:
        # all twelve cards are red: the player and the dealer are always of one color
        assert live["prime"] == len(sixes) * 500 * 4


@cites(PRIME, "679a.11(d)(1)", "679a.12(d)")
def test_colors_by_combinatorics():
    found = outcomes_of.prime()
    both, one, _ = (ways for _, ways in found.rows)
    assert Fraction(both + one, found.total) == Fraction(2 * comb(26, 3), comb(52, 3))
    assert Fraction(both, found.total) == Fraction(2 * comb(26, 6) * comb(6, 3), comb(52, 6) * 20)


@cites(PRIME, "679a.11(d)(2)(ii)(A)", "679a.11(d)(2)(ii)(B)")
def test_the_fourth_card_by_combinatorics():
    """Four cards, of which the last is a two in a thirteenth of all deals."""
    plain, with_two = outcomes_of.pair_bonus()
    whole = {}
    for part in (plain, with_two):
        for names, ways in part.rows:
            whole[names] = whole.get(names, 0) + ways
    assert sum(ways for _, ways in with_two.rows) * 13 == comb(52, 3) * 49
    for names, ways in outcomes_of.three_cards().rows:
        assert whole[names] == ways * 49
    # three of a kind: twelve ranks leave four twos, three twos leave one
    threes = next(ways for names, ways in with_two.rows if names[0] == "three_of_a_kind")
    assert threes == 12 * 4 * 4 + 4 * 1


@cites(DOWN_UNDER, "685a.7(f)", "685a.11(c)")
@pytest.mark.parametrize("decks", [1, 2, 6, 8])
def test_matches_counted_card_by_card(decks):
    """One up card of the shoe, and every two of the other cards."""
    shoe = [(rank, suit) for rank in range(13) for suit in range(4)] * decks
    up, *rest = shoe
    kinds = [
        "suited_match" if card == up else "unsuited_match" if card[0] == up[0] else ""
        for card in rest
    ]
    counted = {}
    # cards that match alike are alike, so pairs of kinds are counted with their numbers
    names = sorted(set(kinds), reverse=True)
    for at, one in enumerate(names):
        for other in names[at:]:
            many = kinds.count(one), kinds.count(other)
            pairs = comb(many[0], 2) if one == other else many[0] * many[1]
            key = tuple(sorted(name for name in (one, other) if name))
            counted[key] = counted.get(key, 0) + pairs
    found = {tuple(sorted(names)): ways for names, ways in match_the_dealer(decks)}
    assert {k: w for k, w in found.items() if w} == {k: w for k, w in counted.items() if w}
    assert sum(found.values()) == comb(52 * decks - 1, 2)


@cites(DOWN_UNDER, "685a.8(a)", "685a.11(b)")
@pytest.mark.parametrize("decks", [4, 5, 6, 8])
def test_insurance(decks):
    """Of 52d - 1 cards under an ace 16d are tens, and a win pays two for one."""
    found = par(DOWN_UNDER).find("insurance", decks=decks)
    tens = Fraction(16 * decks, 52 * decks - 1)
    assert found.spread.edge == 1 - 3 * tens
    assert found.spread.hit_frequency == tens


OWN = st.fixed_dictionaries(
    {
        h: st.integers(0, 200)
        for h in ("pair", "flush", "straight", "three_of_a_kind", "straight_flush")
    },
    optional={"mini_royal": st.integers(0, 500)},
)


@given(OWN, st.integers(1, 4))
def test_any_pair_plus_table(pays, bottom):
    """The edge by hand: twelve hundred and forty hands at their odds, and the rest lost."""
    found = evaluate(table("pair_plus", {h: f"{n} to {bottom}" for h, n in pays.items()}))
    ways = {"pair": 3744, "flush": 1096, "straight": 720, "three_of_a_kind": 52,
            "straight_flush": 44 if "mini_royal" in pays else 48, "mini_royal": 4}  # fmt: skip
    won = sum(ways[hand] * Fraction(n, bottom) for hand, n in pays.items())
    lost = 16_440
    assert found == (lost - won) / 22_100


@given(OWN, st.sampled_from(["pair", "flush", "straight", "three_of_a_kind", "straight_flush"]))
def test_a_larger_payout_never_helps_the_house(pays, hand):
    plain = evaluate(table("pair_plus", {h: f"{n} to 1" for h, n in pays.items()}))
    more = {**pays, hand: pays[hand] + 1}
    assert evaluate(table("pair_plus", {h: f"{n} to 1" for h, n in more.items()})) < plain


def test_every_printed_table_is_evaluated_as_on_the_sheet():
    for id in (MD, MA, PRIME, DOWN_UNDER):
        law = chapter(id)
        for entry in par(id).entries:
            if entry.wager in (
                "pair_plus",
                "all_six",
                "prime",
                "pair_bonus",
                "cover_all",
                "match_the_dealer",
            ):
                printed = law.paytables[entry.wager, entry.paytable]
                assert evaluate(printed) == entry.spread.edge


@pytest.mark.parametrize(
    ("wager", "pays"),
    [("six_card_bonus", {"royal_flush": "$100"}), ("progressive", {"straight": "6 for 1"})],
)
def test_what_depends_on_more_than_the_table_is_refused(wager, pays):
    with pytest.raises(Refused):
        evaluate(table(wager, pays))


def test_a_wager_that_is_not_there():
    with pytest.raises(Refused):
        evaluate(table("baccarat", {"win": "1 to 1"}))


@given(st.integers(100, 100_000))
def test_dollar_awards_by_stake(stake):
    """The six-card royal of diamonds brings a million dollars, whatever the stake."""
    entry = entries_of(Asked(chapter(MD), stakes=(stake,)), "six_card_bonus")[0]
    other = entries_of(Asked(chapter(MD), stakes=(100,)), "six_card_bonus")[0]
    assert entry.paytable == other.paytable == "A"
    sets = comb(52, 6)
    dollars = Fraction(1 * 100_000_000 + 3 * 10_000_000, sets)
    assert entry.spread.edge + dollars / stake == other.spread.edge + dollars / 100
