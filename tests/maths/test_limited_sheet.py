"""A PAR sheet under a payout limit: rows and Together have what is paid (679a.12(h), 680a.12(d))."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from houseway.law import PRIME, SAIGON, choose, cites
from houseway.maths.game import MATHS
from houseway.maths.joint.covariance import together
from houseway.maths.par import par
from houseway.simulate.plan import plan_of
from houseway.simulate.prepared import playing
from houseway.simulate.results.exact import taken_by_limit

RULES = {
    PRIME: {"prime": True, "pair_bonus": "A", "all_six": "A"},
    SAIGON: {"bonus": "A"},
}
STAKES = {
    PRIME: {"ante": 500_000, "prime": 100_000, "pair_bonus": 100_000, "all_six": 50_000},
    SAIGON: {"ante": 6_000_000, "bonus": 10_000},
}


def rules_of(id, limit="50000.00"):
    return choose(id, {**RULES[id], "payout_limit": limit})


def by_entry(rules, stakes):
    return {rules.chapter.wagers[name].entry: stake for name, stake in stakes.items()}


@cites(PRIME, "679a.12(h)")
@cites(SAIGON, "680a.12(d)")
@pytest.mark.parametrize("id", RULES)
def test_a_limit_that_is_never_reached_changes_nothing(id):
    """Every deal taken together comes to the covariances that are counted two wagers at a time."""
    rules = rules_of(id)
    far = replace(rules, options={**rules.options, "payout_limit": 10**15})
    found = MATHS.of(rules.chapter).limited(far, by_entry(rules, STAKES[id]))
    plain = together(MATHS.of(rules.chapter).models(choose(id, RULES[id]), {})[0])
    assert list(found.means.values()) == list(plain.means.values())
    assert list(found.variances.values()) == list(plain.variances.values())
    assert list(found.covariances.values()) == list(plain.covariances.values())


@pytest.mark.slow
@cites(PRIME, "679a.12(h)")
@cites(SAIGON, "680a.12(d)")
@pytest.mark.parametrize("id", RULES)
def test_together_loses_what_the_limit_takes(id):
    """The simulation's own program settles every deal that a limit cuts, with it and without."""
    rules, stakes = rules_of(id), STAKES[id]
    game = MATHS.of(rules.chapter)
    far = replace(rules, options={**rules.options, "payout_limit": 10**15})
    cut, whole = (game.limited(one, by_entry(rules, stakes)) for one in (rules, far))
    plan = plan_of(rules, wagers=stakes, hypothetical=True)
    taken = taken_by_limit(playing(plan.encode()), 0)
    assert (cut.edge - whole.edge) * cut.wagered * 100 == taken.mean > 0


@cites(PRIME, "679a.12(h)", "679a.12(b)")
def test_rows_show_what_is_paid():
    """A mini royal that wins: $5,000 on the ante, and of $50,000 on the play what is left."""
    sheet = par(rules_of(PRIME), stakes=[500_000])
    entry = sheet.find("ante_play").out()
    row = next(r for r in entry.outcomes if r.outcome == "win" and "mini_royal" in r.hand)
    assert row.pays == "ante 1 to 1, play $45,000, cut by the payout limit"
    assert Fraction(row.net) == 10
    bad_beat = next(
        r for r in entry.outcomes if r.outcome == "bad_beat" and r.hand == "straight_flush"
    )
    assert bad_beat.pays.endswith("bad beat $50,000, cut by the payout limit")
    assert sum(Fraction(r.back) for r in entry.outcomes) == Fraction(entry.return_to_player)
    assert Fraction(entry.volatility.maximum_payout) == 10
    together_ = sheet.out().together
    assert together_.stakes["ante_play"] == "5000.00"


@cites(PRIME, "679a.12(h)")
def test_a_six_card_royal_of_table_e_is_spared():
    """With Paytable E the limit does not cover it: 200,000 to 1 on $5 is a million dollars."""
    rules = choose(PRIME, {"all_six": "E", "payout_limit": "50000.00"})
    rows = par(rules, stakes=[50_000]).find("all_six").out().outcomes
    pays = {row.outcome: row.pays for row in rows}
    assert pays["six_card_royal_diamonds"] == "200000 to 1"
    assert pays["royal_flush"] == "$50,000, cut by the payout limit"


@cites(SAIGON, "680a.12(d)")
def test_the_ante_of_saigon_is_cut():
    """$60,000 wins $50,000 at most: five sixths of the ante."""
    entry = par(rules_of(SAIGON), stakes=[6_000_000]).find("ante_play").out()
    row = next(one for one in entry.outcomes if one.outcome == "win")
    assert row.pays == "$50,000, cut by the payout limit"
    assert Fraction(row.net) == Fraction(5, 6)
    assert sum(Fraction(r.back) for r in entry.outcomes) == Fraction(entry.return_to_player)
