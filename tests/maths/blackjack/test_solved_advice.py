"""What `advise` refuses, the charts as people see them, insurance and what removed cards do."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.documents.charts import chart_panels, columns
from houseway.errors import Refused
from houseway.games.down_under.maths import charts
from houseway.games.down_under.maths.advise import advise
from houseway.games.down_under.maths.side_wagers import (
    even_money,
    full,
    insurance,
    insurance_by_hand,
    insurance_removed,
    match_removed,
    match_the_dealer,
)
from houseway.games.down_under.maths.solver.hands import ACE, TEN, player_hands
from houseway.games.down_under.maths.solver.solve import solve
from houseway.games.down_under.maths.solver.variant import Variant, checked
from houseway.games.down_under.maths.strategy import chart_of, departures
from houseway.games.down_under.maths.strategy_view import CODES, as_charts
from houseway.law import DOWN_UNDER, chapter, cites

FULL = (24,) * 9 + (96,)


@pytest.fixture(scope="module")
def six():
    best = solve(Variant())
    return best, chart_of(best)


@pytest.mark.parametrize(
    ("player", "up", "seen", "options", "code"),
    [
        (["A", "K"], "7", "small", {}, "settled"),
        (["T", "5", "6"], "7", "small", {}, "settled"),
        (["T", "5", "9"], "7", "small", {}, "settled"),
        (["A", "9"], "7", "small", {"split": True}, "settled"),
        (["T", "6"], "A", "K", {}, "settled"),
        (["T"], "7", "small", {}, "hand"),
        (["T", "6"], "7", "T", {}, "range"),
        (["T", "6"], "T", "5", {}, "range"),
        (["T", "6"], "7", "tiny", {}, "range"),
        (["T", "6"], "7", "large", {"rules": Variant(reader="covered")}, "range"),
        (["X", "6"], "7", "small", {}, "no_such_card"),
        (["T", "6"], "", "small", {}, "no_such_card"),
        (["T", "6"], "7", "small", {"rules": Variant(decks=9)}, "decks"),
        (["T", "6"], "7", "small", {"rules": Variant(split_hands=5)}, "split_hands"),
        (["T", "6"], "7", "small", {"left": (1,) * 9}, "composition"),
        (["T", "6"], "7", "small", {"left": (-1, *FULL[1:])}, "composition"),
        (["T", "6"], "7", "small", {"left": (33, *FULL[1:])}, "composition"),
        (["T", "6"], "7", "small", {"left": (4, 0, 0, 0, 0, 9, 9, 9, 9, 9)}, "composition"),
        (["T", "6"], "7", "small", {"left": (1, 1, 1, 1, 1, 0, 0, 0, 0, 1)}, "composition"),
        (["2", "2", "2", "2", "2"], "3", "small", {"rules": Variant(decks=1)}, "composition"),
    ],
)
def test_what_cannot_be_is_refused(player, up, seen, options, code):
    with pytest.raises(Refused) as refusal:
        advise(player, up, seen, **options)
    assert refusal.value.code == code


def test_a_shoe_that_could_run_out_is_refused():
    """685a.12(e) would have the discards shuffled in the middle of the round."""
    assert checked(Variant(), (0, 0, 0, 0, 0, 0, 0, 0, 0, 12)) == (0,) * 9 + (12,)
    with pytest.raises(Refused):
        checked(Variant(), (0, 0, 0, 0, 0, 0, 0, 0, 0, 7))
    with pytest.raises(Refused):
        checked(Variant(), (8, 8, 8, 0, 0, 0, 0, 0, 0, 0))


@cites(DOWN_UNDER, "685a.7(h)", "685a.10(a)")
def test_faces_are_tens_and_an_open_hole_card_is_a_case_of_its_own():
    by_range = advise(["K", "Q"], "J", "large")
    in_view = advise(["Td", "10"], "Ts", "Kh")
    assert by_range.values == in_view.values
    assert set(by_range.values) == {"stand", "hit", "double", "split"}
    # twenty against a dealer who is seen to have twenty: standing returns the bet
    assert by_range.best == "stand"
    assert by_range.values["stand"] == 0


def test_advice_on_a_sure_thing():
    """Two aces shown are 22, which pays two Large cards: standing on aces wins for certain."""
    found = advise(["A", "A"], "A", "A")
    assert found.values["stand"] == 1
    assert found.best == "stand"
    out = found.as_dict()
    assert out["advice"] == "stand"
    assert out["actions"]["stand"] == {"value": "1/1", "about": "1.000000"}


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(st.data())
def test_advice_from_a_full_shoe_is_what_the_solution_plays(six, data):
    best, _ = six
    deal = data.draw(st.sampled_from([deal for deal in best.table.deals if deal.pair < 0]))
    case = best.table.cases[deal.case]
    counts = player_hands().hands[best.table.states.hand[deal.position]]
    hand = [
        value for value, copies in zip("A23456789T", counts, strict=True) for _ in range(copies)
    ]
    found = advise(hand, "A23456789T"[case.up], case.range)
    for action, name in enumerate(("stand", "hit", "double")):
        expected = best.values[deal.position, deal.case, action]
        assert float(found.values[name]) == pytest.approx(expected, abs=1e-13)


# the charts


@pytest.mark.slow
def test_there_is_a_chart_for_each_range_and_for_hole_cards_in_view(six):
    _, chart = six
    data = charts.as_data(chart)
    assert {id: len(columns(panel)) for id, panel in data.items()} == {
        "small": 10, "medium": 10, "large": 8, "in_view": 2,
    }  # fmt: skip


def test_the_chart_as_svg_has_a_letter_in_every_cell(six):
    _, chart = six
    data = charts.as_data(chart)
    svg = ET.fromstring(chart_panels("A title <&>", "says", as_charts(data)))
    space = "{http://www.w3.org/2000/svg}"
    assert svg.find(f"{space}title").text == "A title <&>"
    cells = [
        code
        for panel in data.values()
        for rows in panel.values()
        for codes in rows.values()
        for code in codes.values()
    ]
    # one rectangle for each cell and one for the ground, a letter in each
    assert len(svg.findall(f"{space}rect")) == len(cells) + 1
    letters = [text.text for text in svg.findall(f"{space}text") if text.text in CODES]
    assert len(letters) == len(cells)


@cites(DOWN_UNDER, "685a.7(k)(1)", "685a.9(a)", "685a.10(e)")
def test_the_chart_says_what_common_sense_says(six):
    best, chart = six
    for case in chart.cases:
        assert chart.code(20, False, case) == "S"
        assert chart.code(5, False, case) == "H"
        assert chart.pair_code(TEN, case) == "S"
        # ten and eleven cannot bust with one card
        assert chart.code(11, False, case) in ("H", "D")
    # a dealer who is seen to have 20: draw to everything less
    seen = next(case for case in chart.cases if case.up == TEN and case.range == "large")
    assert [chart.code(total, False, seen) for total in (16, 17, 18, 19)] == ["H"] * 4
    # six up and a ten or ace below: 16 or 17, so nothing is drawn to a hand that could bust
    weak = next(case for case in chart.cases if case.up == 5 and case.range == "large")
    assert [chart.code(total, False, weak) for total in range(12, 18)] == ["S"] * 6
    assert best.value > chart.on(best.table).value


def value_by_case(play):
    """What one unit bet brings in each case, blackjacks aside, over all of them."""
    found = np.zeros(len(play.table.cases))
    ways = [deal.ways for deal in play.table.deals]
    for deal, often in zip(play.table.deals, ways, strict=True):
        split = play.hands[deal.pair, deal.case] if deal.pair >= 0 else 0
        worth = play.splits[deal.pair, deal.case, split - 2] if split else play.by_itself(deal)
        found[deal.case] += often * worth
    return found / play.table.ways


@cites(DOWN_UNDER, "685a.7(h)")
@pytest.mark.slow
@pytest.mark.parametrize("reading", ["stands", "counts_as_12"])
@pytest.mark.parametrize("decks", [4, 5])
def test_no_other_cell_makes_the_whole_chart_better(decks, reading):
    """Every cell with every other letter, the whole chart followed again.

    Cases do not touch each other, so one chart tries a letter in a whole row: each column is then
    looked at by itself.
    """
    best = solve(Variant(decks=decks, dealer_soft_22=reading))
    table, chart = best.table, chart_of(best)
    value = value_by_case(chart.on(table))

    def with_row(array, row, entry):
        changed = array.copy()
        changed[row] = entry
        return changed

    def gains(**other):
        return (value_by_case(replace(chart, **other).on(table)) > value + 1e-12).any()

    for total in [*range(5, 21), *range(22 + 13, 22 + 21)]:
        for code in range(4):
            draws = with_row(chart.draws, total, code % 2 == 1)
            doubles = with_row(chart.doubles, total, code >= 2)
            assert not gains(draws=draws, doubles=doubles), (total, code)
    for card in range(10):
        for hands, action in ((2, 0), (0, 0), (0, 1), (0, 2)):
            split = with_row(chart.hands, card, hands)
            alone = with_row(chart.pairs, card, action)
            assert not gains(hands=split, pairs=alone), (card, hands, action)


def test_departures_are_better_than_the_chart_and_explain_its_cost(six):
    best, chart = six
    found = departures(best, chart)
    assert all(one.gain > 0 and one.often > 0 and one.better != one.chart for one in found)
    cost = best.value - chart.on(best.table).value
    # the first step of each departure; what follows from it is part of other departures
    assert sum(one.gain * one.often for one in found) == pytest.approx(cost, rel=0.05)
    assert found == sorted(found, key=lambda one: -one.gain * one.often)


# insurance, even money, Match-the-Dealer


@cites(DOWN_UNDER, "685a.8(a)", "685a.8(b)", "685a.11(b)")
@pytest.mark.parametrize("decks", [4, 5, 6, 8])
def test_insurance_by_the_players_own_cards(decks):
    """Two to one on a ten among the cards not seen; an ace and two cards are seen."""
    unseen = 52 * decks - 3
    for (low, high), value in insurance_by_hand(Variant(decks=decks)).items():
        tens = 16 * decks - (low == TEN) - (high == TEN)
        assert value == Fraction(3 * tens, unseen) - 1
        assert value < 0
    assert insurance(Variant(decks=decks)) == Fraction(3 * 16 * decks, 52 * decks - 1) - 1


@cites(DOWN_UNDER, "685a.7(g)")
@pytest.mark.parametrize("decks", [4, 5, 6, 8])
def test_even_money_is_less_than_waiting(decks):
    taken, waiting = even_money(Variant(decks=decks))
    unseen, tens = 52 * decks - 3, 16 * decks - 1
    assert taken == 1
    assert waiting == Fraction(3, 2) * Fraction(unseen - tens, unseen)
    assert taken < waiting
    # even money is a blackjack with half its bet insured
    insured = waiting + Fraction(1, 2) * (Fraction(3 * tens, unseen) - 1)
    assert insured == taken


def test_every_ten_that_goes_hurts_insurance():
    changes = insurance_removed(Variant())
    assert changes[TEN] < 0
    assert all(change > 0 for change in changes[:TEN])
    # one card gone, weighted by how many there are: nothing is gained or lost on average
    left = [24 - (card == ACE) for card in range(9)] + [96]
    assert sum(n * change for n, change in zip(left, changes, strict=True)) == 0


@cites(DOWN_UNDER, "685a.7(f)", "685a.11(c)")
@pytest.mark.parametrize("decks", [6, 8])
def test_match_the_dealer_counted_card_by_card(decks):
    table = chapter(DOWN_UNDER).paytables["match_the_dealer", str(decks)]
    suited, unsuited = (table[name].odds.value for name in ("suited_match", "unsuited_match"))
    # against the up card: as many of its kind, as many of its rank in other suits, the rest
    kinds = {"suited": decks - 1, "unsuited": 3 * decks, "no": 48 * decks}
    pays = {"suited": suited, "unsuited": unsuited, "no": Fraction(0)}
    cards = 52 * decks - 1
    total = Fraction(0)
    for one, other in product(kinds, kinds):
        ways = kinds[one] * (kinds[other] - (one == other))
        won = pays[one] + pays[other] if {one, other} != {"no"} else Fraction(-1)
        total += Fraction(ways, cards * (cards - 1)) * won
    assert match_the_dealer(table, full(decks)) == total
    # all cards are alike to this wager, so no single card moves it
    assert match_removed(table, decks) == 0
    # but many of one rank do
    less = full(decks)
    less[0] = [0, 0, 0, 0]
    assert match_the_dealer(table, less) > total
