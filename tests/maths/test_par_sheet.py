"""The PAR sheet: the contract's shape, every wager and table, and refusals of bad input."""

from fractions import Fraction
from math import comb

import pytest

from houseway.errors import Refused
from houseway.law import (
    CHAPTERS,
    DOWN_UNDER,
    MA,
    MD,
    PRIME,
    SAIGON,
    chapter,
    choose,
    cites,
    parse_rules,
)
from houseway.maths.figures import decimal, percent, root
from houseway.maths.par import check_rows, par, wager_ids
from houseway.maths.sheet_text import outcome_rows, spread_rows, words


def test_the_example_of_the_contract():
    entry = next(w for w in par(MD).out().wagers if (w.wager, w.paytable) == ("pair_plus", "A"))
    assert entry.house_edge == "253/5525"
    assert entry.house_edge_percent == "4.579186"
    assert entry.standard_deviation == "2.6474"
    assert entry.hit_frequency == "283/1105"
    first = entry.outcomes[0]
    assert (first.outcome, first.pays, first.probability) == (
        "straight_flush",
        "35 to 1",
        "12/5525",
    )


@pytest.mark.parametrize("id", CHAPTERS)
def test_every_wager_and_every_printed_table_is_there(id):
    law, sheet = chapter(id), par(id)
    there = {(entry.wager, entry.paytable) for entry in sheet.entries}
    options = {"ante_play": ("ante_bonus", "bad_beat")}
    for wager in wager_ids(law):
        for name in options.get(wager, (wager,)):
            chosen = [c.value for c in law.options[name].choices] if name in law.options else []
            printed = [t for w, t in law.paytables if w == name]
            for table in [t for t in printed if t in chosen] or (printed if name in chosen else []):
                assert (wager, table) in there
    # the ante and what follows from it have one name, also where nothing does
    named = {"ante_play" if wager == "ante" else wager for wager in wager_ids(law)}
    assert {entry.wager for entry in sheet.entries} == named


@pytest.mark.parametrize("id", [MD, MA, PRIME, SAIGON, DOWN_UNDER])
def test_every_entry_adds_up(id):
    """Distributions have probability one, and the edge, variance and returns follow from them."""
    for entry in par(id).entries:
        if entry.spread is None or entry.wager == "bet":
            continue  # a progressive depends on its meters; the bet has tests of its own
        nets = entry.spread.distribution
        assert sum(chance for _, chance in nets) == 1
        mean = sum(net * chance for net, chance in nets)
        assert entry.spread.edge == -mean
        assert entry.spread.variance == sum((net - mean) ** 2 * chance for net, chance in nets)
        assert entry.spread.hit_frequency == sum(chance for net, chance in nets if net > 0)
        listed = sum(row.ways for row in entry.outcomes)
        assert 0 < listed <= entry.deals == entry.spread.total
        returns = sum(Fraction(row.ways, entry.deals) * row.net for row in entry.outcomes)
        assert returns - Fraction(entry.deals - listed, entry.deals) == mean


def test_columns_that_figures_depend_on():
    wagers = par(MA).out().wagers
    assert {w.players for w in wagers if w.wager == "cover_all"} == set(range(1, 8))
    assert {w.players for w in wagers if w.wager == "progressive"} == set(range(1, 8))
    assert {w.stake for w in par(MD).out().wagers if w.wager == "progressive"} == {"1.00", "5.00"}
    assert {w.bad_beat for w in par(PRIME).out().wagers if w.wager == "ante_play"} == {"A", "B"}
    assert {w.ante_bonus for w in par(MD).out().wagers if w.wager == "ante_play"} == {
        "A",
        "B",
        "C",
        "mini_royal",
    }
    assert {w.decks for w in par(DOWN_UNDER).out().wagers if w.wager == "insurance"} == {4, 5, 6, 8}
    assert {w.decks for w in par(DOWN_UNDER).out().wagers if w.wager == "match_the_dealer"} == {
        6,
        8,
    }


def test_chosen_rules_show_what_they_choose_and_no_more():
    rules = choose(MD, {"pair_plus": "D", "six_card_bonus": "C"})
    sheet = par(MD, rules)
    assert [(e.wager, e.paytable) for e in sheet.entries] == [
        ("ante_play", "A"), ("pair_plus", "D"), ("six_card_bonus", "C"),
    ]  # fmt: skip
    assert set(sheet.out().together.wagers) == {"ante_play", "pair_plus", "six_card_bonus"}
    assert sheet.out().rules["rules"]["pair_plus"] == "D"


OWN = """
chapter = "md-three-card-poker"
[paytables.pair_plus]
straight_flush = "50 to 1"
three_of_a_kind = "30 to 1"
straight = "6 to 1"
flush = "4 to 1"
pair = "1 to 1"
"""


def test_a_table_of_ones_own():
    rules = parse_rules(OWN, hypothetical=True)
    entry = par(MD, rules).find("pair_plus", "own")
    plain = par(MD).find("pair_plus", "D")
    assert plain.spread.edge - entry.spread.edge == Fraction(48 * 10, 22_100)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (('pair = "1 to 1"\n', ""), "row_missing"),
        (('pair = "1 to 1"', 'pair = "one to one"'), "not_odds"),
        (('pair = "1 to 1"', 'pair = "-1 to 1"'), "not_odds"),
        (("pair_plus]", "pair_minus]"), "no_such_wager"),
        (('pair = "1 to 1"', 'pair = "1 to 1"\nfull_house = "9 to 1"'), "no_such_outcome"),
        (('pair = "1 to 1"', "pair = 1"), "not_a_rules_file"),
    ],
)
def test_a_table_that_cannot_be(change, code):
    with pytest.raises(Refused) as refused:
        par(MD, parse_rules(OWN.replace(*change), hypothetical=True))
    assert refused.value.code == code


def test_a_row_that_can_never_be_paid():
    """`win` is a row of the play table when the dealer does not qualify, and of no hand."""
    rules = choose(
        PRIME,
        paytables={"play": {"win": "1 to 1", "mini_royal": "9 to 1", "straight_flush": "6 to 1", "three_of_a_kind": "5 to 1",
                            "straight": "2 to 1", "flush": "1 to 1", "pair": "1 to 1", "high_card": "1 to 1"}},
        hypothetical=True,
    )  # fmt: skip
    with pytest.raises(Refused) as refused:
        check_rows(chapter(PRIME), rules.own_tables["play"])
    assert refused.value.code == "row_impossible"


@pytest.mark.parametrize(
    ("id", "asked", "code"),
    [
        (MA, {"players": [8]}, "players_out_of_range"),
        (MA, {"players": [0]}, "players_out_of_range"),
        (MD, {"stakes": [0]}, "no_wager"),
        (MD, {"meters": {"jackpot": 100}}, "no_such_meter"),
        (PRIME, {"meters": {"progressive": 100}}, "no_such_meter"),
    ],
)
def test_questions_that_have_no_answer(id, asked, code):
    with pytest.raises(Refused) as refused:
        par(id, **asked)
    assert refused.value.code == code


def test_rules_of_another_chapter():
    with pytest.raises(Refused) as refused:
        par(MA, choose(MD))
    assert refused.value.code == "another_chapter"


@cites(PRIME, "679a.12(h)")
def test_a_payout_limit_cuts_what_it_covers_and_spares_six_card_royals():
    """At a stake of $100 a royal flush at 1000 to 1 would be $100,000; the limit is $50,000."""
    rules = choose(
        PRIME,
        {"all_six": "E", "payout_limit": "50000.00"},
        limits={"all_six": {"min": "5.00", "max": "100.00"}},
    )
    plain = par(PRIME).find("all_six", "E")
    low, high = (
        par(PRIME, rules).find("all_six", "E", stake=stake) for stake in ("5.00", "100.00")
    )
    assert low.spread.edge == plain.spread.edge
    royals = Fraction(184, comb(52, 6))
    assert high.spread.edge == plain.spread.edge + royals * 500


def test_roundings_for_people():
    assert decimal(Fraction(1, 3), 4) == "0.3333"
    assert decimal(Fraction(-5, 2), 0) == "-3"
    assert decimal(Fraction(5, 1000), 2) == "0.01"
    assert decimal(Fraction(-1, 1000), 2) == "0.00"
    assert percent(Fraction(1, 8), 1) == "12.5"
    assert root(Fraction(2)) == "1.4142"
    assert root(Fraction(1, 4)) == "0.5000"


@cites(MD, "11.F")
def test_a_hand_of_the_electronic_version_is_worth_what_any_hand_is():
    common = par(MD, choose(MD, {"electronic": True, "shuffler": "plain"})).entries
    own = par(MD, choose(MD, {"shuffler": "plain"})).entries
    assert [entry.spread.ways for entry in common] == [entry.spread.ways for entry in own]
    assert common[0].strategy == own[0].strategy


@pytest.mark.parametrize("id", CHAPTERS)
def test_every_choice_of_every_option_has_its_sheet(id):
    """Whatever a Rules Submission may choose, its tables can be counted."""
    law = chapter(id)
    for option, about in law.options.items():
        for choice in about.choices:
            needs = {other: allowed[0] for other, allowed in choice.needs.items()}
            sheet = par(law, choose(law, {option: choice.value, **needs}))
            spreads = [entry.spread for entry in sheet.entries if entry.spread is not None]
            assert spreads
            assert all(sum(spread.ways.values()) == spread.total for spread in spreads)


@pytest.mark.parametrize("id", CHAPTERS)
def test_every_outcome_names_a_clause_of_its_chapter(id):
    law = chapter(id)
    for entry in par(law).out().wagers:
        for row in entry.outcomes:
            assert row.clause in law.clauses, (entry.wager, entry.paytable, row.outcome)


@cites(SAIGON, "680a.11(d)(1)(i)", "680a.11(d)(2)(i)", "680a.12(a)", "680a.12(b)")
def test_saigons_ante_names_what_pays_and_what_takes_it():
    """1 to 1, but 1 to 2 with a point count of 5; neither qualifies, or the dealer alone."""
    (entry, *_) = par(SAIGON).out().wagers
    clauses = {row.outcome: row.clause for row in entry.outcomes}
    assert clauses["win"] == "680a.12(a)"
    assert clauses["win_with_5"] == "680a.12(b)"
    assert clauses["neither_qualifies"] == "680a.11(d)(1)(i)"
    assert clauses["dealer_alone_qualifies"] == "680a.11(d)(2)(i)"


@pytest.mark.parametrize("id", [MD, MA])
def test_an_outcome_has_the_name_that_the_felt_has(id):
    """MD 12.E(1)(a) and MA 11(a)(3)(i) pay the ace, king and queen of spades apart from those of other suits."""
    for entry in par(chapter(id)).out().wagers:
        names = {row.outcome for row in entry.outcomes}
        told = {
            row.outcome: text[0]
            for row, text in zip(entry.outcomes, outcome_rows(entry), strict=False)
        }
        top = " ".join(value for name, value in spread_rows(entry) if name == "Top award")
        assert "_" not in "".join((*told.values(), top, words(entry.paytable)))
        assert "oyal" not in "".join(
            told.get(hand, "") for hand in ("mini_royal", "mini_royal_spades")
        )
        if {"mini_royal", "mini_royal_spades"} <= names:
            assert told["mini_royal"].startswith("A-K-Q of other suits")
            assert told["mini_royal_spades"].startswith("A-K-Q of spades")
        if "envy_mini_royal_spades" in names:
            assert told["envy_mini_royal_spades"].startswith("Envy: A-K-Q of spades")
