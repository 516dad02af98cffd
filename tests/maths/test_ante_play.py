"""Ante and play: the kernels against the live settlement, and against what anyone can look up."""

from fractions import Fraction
from itertools import combinations
from math import comb
from operator import mul

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_deals import QUEEN_HIGH, column, dealers, deck

from houseway.cards import standard_deck
from houseway.game_api.round import Round, Seat
from houseway.game_api.settle import RULES
from houseway.games.three_card import hands as three_card
from houseway.games.three_card.maths import ante_play
from houseway.games.three_card.maths.ante_play import (
    DEALER_HANDS,
    DEALS,
    Designer,
    payoffs,
    strategy,
)
from houseway.games.three_card.maths.counting import tallies
from houseway.games.three_card.maths.counting.duel import Patterns, duel
from houseway.law import MA, MD, PRIME, Pay, Paytable, chapter, choose, cites
from houseway.maths.par import evaluate, par
from houseway.money import odds

VARIANTS = [
    (MD, {}), (MD, {"ante_bonus": "C"}),
    (MD, {"version": "both_compulsory", "ante_bonus": "mini_royal"}),
    (MA, {}), (MA, {"version": "both_compulsory", "ante_bonus": "A"}),
    (PRIME, {}), (PRIME, {"bad_beat": "B"}),
]  # fmt: skip


def live(rules, mine, dealer, decision="play", ante=1000):
    seat = Seat(1, {"ante": ante}, tuple(mine), decision)
    return Fraction(
        RULES.of(rules.chapter).settle(Round(rules, tuple(dealer), (seat,))).seats[0].net, ante
    )


@pytest.mark.slow
@pytest.mark.parametrize(("id", "options"), VARIANTS)
@given(st.permutations(standard_deck()))
def test_what_is_paid_depends_on_outcome_and_column_alone(id, options, order):
    """Any round whatever is paid what the example of its outcome and column is paid."""
    rules = choose(id, options)
    pays = payoffs(rules)
    mine, dealer = tuple(order[:3]), tuple(order[3:6])
    value = three_card.value(mine)
    outcome = three_card.outcomes(mine, value)[0]
    place = column(value, three_card.value(dealer))
    assert live(rules, mine, dealer) == pays.nets[outcome][place]
    assert live(rules, mine, dealer, "fold") == pays.fold


@pytest.mark.slow
@pytest.mark.parametrize("id", [MD, MA, PRIME])
@pytest.mark.parametrize("ranks", [(8, 10, 12), (10, 11, 12), (0, 1, 12)])
def test_a_small_deck_completely_through_the_live_settlement(id, ranks):
    """Every deal of twelve cards: what the player makes in all, playing every hand."""
    rules = choose(id)
    pack = deck(ranks)
    pays = payoffs(rules)
    tally = duel(QUEEN_HIGH, Patterns(ranks))
    examples = [[standard_deck()[card] for card in cards] for cards in Patterns(ranks).cards]
    names = [three_card.outcomes(hand, three_card.value(hand))[0] for hand in examples]
    if ranks == (10, 11, 12):
        names.append("mini_royal_spades")  # which has a row of its own
    kernel = sum(
        ways * sum(n * net for n, net in zip(dealer, pays.nets[name], strict=True))
        for name, ways, dealer in zip(names, tally.ways, tally.dealer, strict=True)
    )
    plain = sum(
        (
            live(rules, mine, dealer)
            for mine in combinations(pack, 3)
            for dealer in dealers(mine, pack)
        ),
        Fraction(0),
    )
    assert kernel == plain


@cites(MD, "11.D(3)", "12.A", "12.B(1)")
@cites(MA, "11(a)(1)", "11(a)(3)")
def test_figures_that_anyone_can_look_up():
    """Three Card Poker with the usual ante bonus, as the Wizard of Odds and others print it."""
    best = strategy(payoffs(choose(MD)))
    assert round(float(best.spread.edge), 6) == 0.03373
    assert round(float(best.spread.element_of_risk), 4) == 0.0201
    assert round(float(best.spread.variance) ** 0.5, 4) == 1.6393
    entry = par(MD).find("ante_play", "A")
    assert entry.strategy.data["lowest_hand_played"] == "Q-6-4"
    assert entry.spread == best.spread
    assert par(MA).find("ante_play", "standard").spread == best.spread
    costs = {
        one.strategy: round(float(Fraction(one.house_edge)), 4)
        for one in entry.strategy.alternatives
    }
    assert costs["always_play"] == 0.0765
    assert costs["mimic_the_dealer"] == costs["play_any_queen"] == 0.0345


@pytest.mark.parametrize(("id", "options"), VARIANTS)
def test_no_hand_could_do_better(id, options):
    """Play is chosen where it brings more than a fold, hand by hand, and nowhere else."""
    pays = payoffs(choose(id, options))
    best = strategy(pays)
    tally = tallies.duel(pays.qualifies)
    worth = [
        Fraction(sum(map(mul, pays.nets[outcome], tally.dealer[row]))) / DEALER_HANDS
        for outcome, rows in tallies.groups(pays.qualifies)
        for row in rows
    ]
    assert list(best.played) == [value > pays.fold for value in worth]
    mean = sum(w * max(v, pays.fold) for w, v in zip(tally.ways, worth, strict=True))
    assert best.spread.mean == mean / comb(52, 3)
    assert ante_play.edge(pays) == best.spread.edge
    assert best.spread.total == DEALS == 407_170_400
    assert sum(best.spread.ways.values()) == DEALS
    assert best.spread.staked == 1 + Fraction(best.hands_played, 22_100)


def test_in_prime_suits_decide_the_lowest_hand():
    """Q-6-3 of three suits is played and of two is not: found by the comparison, not assumed."""
    best = strategy(payoffs(choose(PRIME)))
    assert best.exceptions == (best.lowest,)
    tally = tallies.duel(best.pays.qualifies)
    rows = [row for row, value in enumerate(tally.value) if value == best.lowest]
    assert {tally.ways[row]: best.played[row] for row in rows} == {24: True, 12: False}
    entry = par(PRIME).find("ante_play", "A")
    assert entry.strategy.data["lowest_hand_played"] == "Q-6-3"
    assert "36 of its 60" in entry.strategy.says


@pytest.mark.parametrize("id", [MD, MA, PRIME])
def test_a_designers_table_is_evaluated_as_the_whole_sheet_would(id):
    law = chapter(id)
    wager = "bad_beat" if id == PRIME else "ante_bonus"
    for (name, table_id), table in law.paytables.items():
        if name == wager:
            assert evaluate(table, law=law) == par(id).find("ante_play", table_id).spread.edge


@given(
    st.fixed_dictionaries(
        {hand: st.integers(0, 60) for hand in ("straight_flush", "three_of_a_kind")},
        optional={
            hand: st.integers(0, 60) for hand in ("straight", "mini_royal", "mini_royal_spades")
        },
    )
)
def test_any_ante_bonus_of_ones_own(pays):
    table = Paytable(
        "ante_bonus", "own", "", {h: Pay(odds(f"{n} to 1"), "", h) for h, n in pays.items()}
    )
    rules = choose(
        MA, paytables={"ante_bonus": {h: f"{n} to 1" for h, n in pays.items()}}, hypothetical=True
    )
    assert evaluate(table, law=MA) == strategy(payoffs(rules)).spread.edge


@given(st.integers(0, 3), st.integers(1, 12))
def test_any_play_table_of_ones_own(high_card, straight):
    """A table that makes high cards dear or worthless moves the strategy, and that is found."""
    rows = {"mini_royal": 10, "straight_flush": 6, "three_of_a_kind": 5, "straight": straight,
            "flush": 1, "pair": 1, "high_card": high_card}  # fmt: skip
    table = Paytable("play", "own", "", {h: Pay(odds(f"{n} to 1"), "", h) for h, n in rows.items()})
    rules = choose(
        PRIME, paytables={"play": {h: f"{n} to 1" for h, n in rows.items()}}, hypothetical=True
    )
    assert Designer(choose(PRIME), "play").edge(table) == strategy(payoffs(rules)).spread.edge
