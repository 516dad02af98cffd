"""Payout limits, table limits and meters: what passes, and the next amount that does not."""

from __future__ import annotations

from typing import Any

import pytest
from drafts import FULL, changed, errors, furnished, only, warnings

from houseway.game_api.settle import LIMITED_RULES
from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, SAIGON, chapter, cites
from houseway.money import cents, dollars
from houseway.submission.checks.run_checks import check
from houseway.submission.comparison import changes
from houseway.submission.packet.checklist import checklist
from houseway.submission.reading import Reading


@cites(PRIME, "679a.12(h)")
@cites(SAIGON, "680a.12(d)")
@pytest.mark.parametrize("id", [PRIME, SAIGON])
def test_a_payout_limit_of_fifty_thousand(id: str) -> None:
    least = str(chapter(id).fact("payout_limit_least").value)
    assert errors(furnished(id, {"payout_limit": least})) == ()
    below = dollars(cents(least) - 1)
    found = errors(furnished(id, {"payout_limit": below}))
    # the sign for a limit that is refused is refused with it
    assert found[0].field == "rules.payout_limit"
    assert found[0].clause == chapter(id).options["payout_limit"].clause
    assert "$50,000" in found[0].right


@cites(SAIGON, "680a.12(d)")
def test_a_payout_limit_covers_what_the_minimums_can_win() -> None:
    """Five aces pay the most; four aces and a joker never make 10, so their ante wins nothing."""
    bonus = chapter(SAIGON).paytables["bonus", "A"]
    most_odds = max(pay.odds.value for pay in bonus.pays.values())
    limits = {"ante": {"min": "5.00", "max": "50.00"}, "bonus": {"min": "20.00", "max": "50.00"}}
    rules = {"bonus": "A", "payout_limit": dollars(int(most_odds * 2000) + 100_000)}
    assert errors(furnished(SAIGON, rules, limits=limits)) == ()
    submission = Reading(furnished(SAIGON, rules, limits=limits)).read()
    assert submission is not None
    most = LIMITED_RULES.of(chapter(SAIGON)).most_at_minimums(submission.rules)
    assert most == most_odds * 2000
    at = furnished(SAIGON, {**rules, "payout_limit": dollars(most)}, limits=limits)
    assert errors(at) == ()
    finding = only(furnished(SAIGON, {**rules, "payout_limit": dollars(most - 1)}, limits=limits))
    assert (finding.field, finding.clause) == ("rules.payout_limit", "680a.12(d)")


@cites(PRIME, "679a.12(h)", "679a.12(g)")
def test_a_payout_limit_leaves_out_the_six_card_royal_of_paytable_e() -> None:
    rules = {"all_six": "E", "payout_limit": "60000.00"}
    good = furnished(PRIME, rules)
    assert errors(good) == ()
    royals = good["answers"]["payout_limit_spares"]
    for kept in royals:
        finding = only({**good, "answers": {"payout_limit_spares": [kept]}})
        assert (finding.code, finding.clause) == ("limit_covers_too_much", "679a.12(h)")
    assert len(errors({**good, "answers": {}})) == len(royals)
    assert only({**good, "answers": {"payout_limit_spares": [*royals, "royal_flush"]}}).code == (
        "limit_covers_too_little"
    )
    # Paytables A to D pay no six-card royal, and their limit spares nothing
    other = furnished(PRIME, {**rules, "all_six": "A"})
    assert errors(other) == ()
    assert len(errors({**other, "answers": {"payout_limit_spares": royals}})) == len(royals)


def test_nothing_is_spared_where_there_is_no_limit() -> None:
    finding = only(changed(PRIME, answers={"payout_limit_spares": ["six_card_royal"]}))
    assert finding.code == "no_payout_limit"


@cites(SAIGON, "680a.12(d)")
def test_a_house_need_not_set_a_payout_limit() -> None:
    """Without one nothing is asked about it, and nothing can be left out of it."""
    good = furnished(SAIGON, {"bonus": "A"})
    assert errors(good) == ()
    finding = only({**good, "answers": {"payout_limit_spares": ["five_aces"]}})
    assert (finding.code, finding.field) == ("no_payout_limit", "answers.payout_limit_spares")


@cites(PRIME, "679a.12(h)")
def test_a_payout_limit_that_nobody_reaches_is_unwise() -> None:
    limits = {"ante": {"min": "5.00", "max": "50.00"}}
    tables = furnished(PRIME, {"payout_limit": "50000.00"}, limits=limits)
    assert warnings(tables)["limit_out_of_reach"].field == "rules.payout_limit"
    # without a maximum anything can be won
    no_maximum = furnished(PRIME, {"payout_limit": "50000.00"}, limits={"ante": {"min": "5.00"}})
    assert "limit_out_of_reach" not in warnings(no_maximum)


@cites(MD, "12.E(3)", "12.E(3)(a)", "12.E(3)(b)")
@pytest.mark.parametrize(("table", "least"), [("A", 14), ("B", 20)])
def test_the_rate_of_progression_has_a_least(table: str, least: int) -> None:
    def meter(rate: str) -> dict[str, dict[str, str]]:
        return {"progressive": {"rate": rate, "seed": "1000.00", "reset": "1000.00"}}

    good = furnished(MD, {"progressive": table}, meters=meter(f"{least}%"))
    assert errors(good) == ()
    bad = furnished(MD, {"progressive": table}, meters=meter(f"{least - 1}.99%"))
    finding = only(bad)
    assert (finding.field, finding.clause) == ("meters.progressive", "12.E(3)(a)")
    assert f"{least}%" in finding.right
    # Paytable C has no least rate
    tiers = {f"progressive.{tier}": meter("1%")["progressive"] for tier in ("major", "minor")}
    assert errors(furnished(MD, {"progressive": "C"}, meters=tiers)) == ()


@cites(MD, "12.E(3)", "12.E(3)(b)")
@pytest.mark.parametrize("wager", ["progressive", "five_card_progressive"])
@pytest.mark.parametrize("key", ["seed", "reset"])
def test_a_meter_begins_with_a_thousand_dollars(wager: str, key: str) -> None:
    terms = {"rate": "25%", "seed": "1000.00", "reset": "1000.00"}
    assert errors(furnished(MD, {wager: "A"}, meters={wager: terms})) == ()
    low = only(furnished(MD, {wager: "A"}, meters={wager: {**terms, key: "999.99"}}))
    assert (low.field, low.clause) == (f"meters.{wager}", "12.E(3)(b)")
    missing = {k: v for k, v in terms.items() if k != key}
    found = only(furnished(MD, {wager: "A"}, meters={wager: missing}))
    assert (found.code, found.clause) == ("not_stated", "12.E(3)(b)")
    assert key in found.wrong


@cites(MD, "12.E(3)", "12.E(3)(a)")
def test_a_reserve_is_stated_checked_filed_and_compared() -> None:
    terms = {"rate": "14%", "reserve": "1%", "whole": "15%", "seed": "1000.00", "reset": "1000.00"}
    good = furnished(MD, {"progressive": "A"}, meters={"progressive": terms})
    assert errors(good) == ()
    finding = only({**good, "meters": {"progressive": {**terms, "whole": "14%"}}})
    assert (finding.code, finding.field) == ("rates_do_not_add_up", "meters.progressive")
    # what nobody is shown does not count for the least rate
    low = {**terms, "rate": "13%", "reserve": "2%"}
    finding = only({**good, "meters": {"progressive": low}})
    assert (finding.field, finding.clause) == ("meters.progressive", "12.E(3)(a)")
    submission = Reading(good).read()
    ((name, rate, reserve, *_),) = checklist(submission)["meters"]
    assert (rate, reserve) == ("14%", "1%")
    assert "rogressive" in name
    other = Reading({**good, "meters": {"progressive": {**terms, "reserve": "2%", "whole": "16%"}}})
    changed = {one.field: (one.old, one.new) for one in changes(submission, other.read())}
    assert changed["meters.progressive.reserve"] == ("1%", "2%")


@cites(MD, "12.E(3)")
def test_every_meter_of_a_table_is_named() -> None:
    good = furnished(MD, {"five_card_progressive": "C"})
    assert errors(good) == ()
    for name in list(good["meters"]):
        rest = {other: terms for other, terms in good["meters"].items() if other != name}
        found = errors({**good, "meters": rest})
        assert {f.field for f in found} == {f"meters.{name}"}
        # seed and reset; no clause asks for the rate of a five-card meter
        assert len(found) == 2


@cites(MA, "13(d)")
def test_a_meter_that_never_grows_is_unwise_where_no_clause_sets_a_rate() -> None:
    tables = furnished(MA, {"progressive": "1"})
    assert "meter_stands_still" not in warnings(tables)
    assert warnings({**tables, "meters": {}})["meter_stands_still"].field == "meters.progressive"
    all_of_it = {"progressive": {"rate": "100%"}}
    assert "meter_takes_all" in warnings({**tables, "meters": all_of_it})


@cites(MA, "6(a)(1)", "6(a)(2)")
@pytest.mark.parametrize("wager", ["ante", "pair_plus"])
def test_massachusetts_posts_the_least_and_greatest_wager(wager: str) -> None:
    finding = only(changed(MA, limits={wager: None}))
    assert (finding.field, finding.code) == (f"limits.{wager}", "not_stated")
    assert only(changed(MA, limits={wager: {"min": "5.00"}})).field == f"limits.{wager}"
    assert errors(changed(MD, limits={wager: None})) == ()


@pytest.mark.parametrize("id", CHAPTERS)
def test_every_wager_that_is_offered_has_its_limits(id: str) -> None:
    def unlimited(tables: dict[str, Any]) -> set[str]:
        found = check(tables)
        assert found.passes, found.errors
        return {one.field for one in found.warnings if one.code == "wager_without_limits"}

    tables = furnished(id, FULL[id])
    expected = {
        MD: {"six_card_bonus"}, MA: {"six_card_bonus", "cover_all", "progressive"},
        PRIME: {"prime", "pair_bonus", "all_six"}, SAIGON: {"bonus"},
        DOWN_UNDER: {"match_the_dealer"},
    }[id]  # fmt: skip
    assert unlimited(tables) == {f"limits.{wager}" for wager in expected}
    for wager in expected:
        tables["limits"][wager] = {"min": "1.00", "max": "25.00"}
    assert unlimited(tables) == set()
    tables["limits"][min(expected)] = {"max": "25.00"}
    assert unlimited(tables) == {f"limits.{min(expected)}"}


@cites(MD, "12.E(5)")
def test_limits_between_which_no_wager_fits() -> None:
    rules = {"progressive": "A"}
    one = {"progressive": {"min": "1.00", "max": "1.00"}}
    assert errors(furnished(MD, rules, limits=one)) == ()
    between = {"progressive": {"min": "2.00", "max": "4.50"}}
    assert only(furnished(MD, rules, limits=between)).code == "no_wager_fits"
    assert (
        only(changed(MD, limits={"ante": {"min": "5.10", "max": "5.40"}})).code == "no_wager_fits"
    )


def test_limits_that_are_unwise() -> None:
    def found(**limits: dict[str, str]) -> set[str]:
        return set(warnings(changed(MD, limits=limits)))

    assert found() == set()
    assert found(ante={"min": "5.25", "max": "500.00"}) == {"limit_out_of_reach"}
    assert found(play={"min": "5.00"}) == {"limit_follows"}


def test_a_limit_on_a_wager_that_is_not_offered_is_refused() -> None:
    finding = only(changed(MD, limits={"six_card_bonus": {"min": "5.00"}}))
    assert (finding.code, finding.field) == ("limit_without_wager", "limits.six_card_bonus")


@cites(DOWN_UNDER, "685a.11(a)")
def test_a_chip_that_cannot_pay_three_to_two_is_unwise() -> None:
    assert warnings(changed(DOWN_UNDER, rules={"chip_unit": "0.50"})) == {}
    even = {"bet": {"min": "10.00", "max": "500.00"}}
    found = warnings(changed(DOWN_UNDER, rules={"chip_unit": "1.00"}, limits=even))
    assert set(found) == {"chips_cannot_pay"}
    assert "3 to 2" in found["chips_cannot_pay"].wrong
    # a least bet of five dollars cannot be made with such chips
    assert "limit_out_of_reach" in warnings(changed(DOWN_UNDER, rules={"chip_unit": "1.00"}))


@cites(MD, "7.G(1)", "7.G(2)", "7.G(3)")
@pytest.mark.parametrize(
    ("version", "ante", "pairs", "excluded"),
    [
        ("ante_covers_pair_plus", "50.00", "50.00", False),
        ("ante_covers_pair_plus", "50.00", "51.00", True),
        ("ante_covers_half_pair_plus", "50.00", "100.00", False),
        ("ante_covers_half_pair_plus", "50.00", "101.00", True),
        ("both_compulsory", "50.00", "250.00", False),
        ("both_compulsory", "50.00", "251.00", True),
    ],
)
def test_limits_that_a_version_excludes(
    version: str, ante: str, pairs: str, excluded: bool
) -> None:
    limits = {"ante": {"min": "5.00", "max": ante}, "pair_plus": {"min": pairs, "max": "900.00"}}
    tables = changed(MD, rules={"version": version, "ante_bonus": "mini_royal"}, limits=limits)
    assert ("limits_exclude" in warnings(tables)) is excluded


@cites(MD, "11.D(9)(g)", "12.E(5)")
def test_an_envy_bonus_for_a_stake_that_nobody_wagers_is_unwise() -> None:
    def found(rules: dict, stake: str) -> set[str]:
        awards = {"royal_flush": {stake: "1000.00"}}
        tables = furnished(MD, {**rules, "five_card_envy": awards})
        return {code for code, f in warnings(tables).items() if "envy" in f.field}

    offered = {"five_card_progressive": "A"}
    assert found(offered, "1.00") == found(offered, "5.00") == set()
    assert found(offered, "2.00") == {"nothing_to_answer"}
    assert found({}, "1.00") == {"nothing_to_answer"}


@cites(MD, "6.G", "11.D(9)(g)", "12.G")
@pytest.mark.parametrize("hand", ["royal", "mini_royal", "pair", "super_royal"])
def test_an_envy_bonus_is_for_a_hand_that_the_five_card_progressive_pays(hand: str) -> None:
    """6.G lists the hands of five cards, from a royal flush to three of a kind."""
    rules = {"five_card_progressive": "A"}
    tables = furnished(MD, rules)
    tables["rules"]["five_card_envy"] = {hand: {"1.00": "1000.00"}}
    found = only(tables)
    assert (found.code, found.field) == ("no_such_outcome", f"rules.five_card_envy.{hand}")
    assert "royal_flush" in found.right
    assert "mini_royal" not in found.right
