"""The payout limit of Saigon 5 Card: how low it may be, and what it cuts."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from saigon_rounds import money, refusal, round_with, rounds

from houseway.game_api.settle import settle_json
from houseway.law import SAIGON, cites

FIVE_ACES = ["Ac", "Ad", "Ah", "As", "Jk"]
ROYAL = ["Ah", "Kh", "Qh", "Jh", "Th"]  # the ante wins with a count of 1 where no dealer qualifies
NOT_QUALIFIED = ["2c", "2d", "2s", "3c", "3d"]


@pytest.mark.parametrize(
    ("limit", "minimums", "stands"),
    [
        ("50000.00", {}, True),
        ("49999.99", {}, False),
        # five aces at 5000 to 1, and no winning ante beside them
        ("50000.00", {"bonus": "10.00", "ante": "10.00"}, True),
        ("50000.00", {"bonus": "10.50"}, False),
        ("52500.00", {"bonus": "10.50"}, True),
        # a royal flush at 1000 to 1 and the ante at 1 to 1
        ("50000.00", {"bonus": "5.00", "ante": "45000.00"}, True),
        ("50000.00", {"bonus": "5.00", "ante": "45001.00"}, False),
    ],
)
@cites(SAIGON, "680a.12(d)")
def test_a_payout_limit_is_at_least_what_minimum_wagers_can_win(limit, minimums, stands):
    limits = {wager: {"min": amount} for wager, amount in minimums.items()}
    rules = {"bonus": "A", "payout_limit": limit, "limits": limits}
    text = round_with({"wagers": {"ante": "50000.00", "bonus": "100.00"}}, rules=rules)
    if stands:
        assert settle_json(text).seats[0].net == "49900.00"
    else:
        refused = refusal(text)
        assert (refused.code, refused.clause) == ("below_minimum", "680a.12(d)")
        assert refused.field == "rules.payout_limit"


@cites(SAIGON, "680a.12(d)")
def test_without_the_bonus_only_the_ante_counts_towards_the_least_limit():
    rules = {"payout_limit": "50000.00", "limits": {"ante": {"min": "50000.00"}}}
    text = round_with({"wagers": {"ante": "50000.00"}}, rules=rules)
    assert settle_json(text).seats[0].net == "50000.00"
    rules["limits"] = {"ante": {"min": "50001.00"}}
    text = round_with({"wagers": {"ante": "50001.00"}}, rules=rules)
    assert refusal(text).clause == "680a.12(d)"


def limited(*seats: dict[str, object]) -> list[tuple[int, str, str, str, str]]:
    rules = {"bonus": "A", "payout_limit": "50000.00", "adjacent_boxes": 2}
    out = settle_json(round_with(seats=list(seats), dealer=NOT_QUALIFIED, rules=rules))
    return [
        (seat.seat, line.wager, line.result, line.paid, line.clause)
        for seat in out.seats
        for line in seat.lines
    ]


@cites(SAIGON, "680a.12(d)", "680a.11(d)", "680a.11(e)")
def test_what_goes_over_the_limit_is_cut_in_the_order_of_settlement():
    royal = {"wagers": {"ante": "9000.00", "bonus": "40.00"}, "cards": ROYAL}
    other = {"wagers": {"ante": "3000.00"}, "cards": ["Kc", "Qc", "Jc", "4c", "5s"]}
    paid = "680a.11(d)(1)(ii)(A)"
    # seat 5 is settled before seat 4: of the same player's 3,000 only 1,000 are left
    assert limited(
        {"seat": 5, "player": "Lan", **royal}, {"seat": 4, "player": "Lan", **other}
    ) == [
        (4, "ante", "win", "1000.00", "680a.12(d)"),
        (5, "ante", "win", "9000.00", paid),
        (5, "bonus", "win", "40000.00", "680a.12(c)"),
    ]
    # the other way round the Bonus is what comes last
    assert limited(
        {"seat": 4, "player": "Lan", **royal}, {"seat": 5, "player": "Lan", **other}
    ) == [
        (4, "ante", "win", "9000.00", paid),
        (4, "bonus", "win", "38000.00", "680a.12(d)"),
        (5, "ante", "win", "3000.00", paid),
    ]
    # two players have a limit each
    assert limited({"seat": 5, **royal}, {"seat": 4, **other}) == [
        (4, "ante", "win", "3000.00", paid),
        (5, "ante", "win", "9000.00", paid),
        (5, "bonus", "win", "40000.00", "680a.12(c)"),
    ]


@cites(SAIGON, "680a.12(d)")
def test_five_aces_are_cut_to_the_limit_and_stakes_are_not_counted():
    rules = {"bonus": "A", "payout_limit": "50000.00"}
    seat = {"wagers": {"ante": "1000.00", "bonus": "1000.00"}, "cards": FIVE_ACES}
    out = settle_json(round_with(seat, dealer=NOT_QUALIFIED, rules=rules))
    assert out.seats[0].net == "50000.00"
    unlimited = settle_json(round_with(seat, dealer=NOT_QUALIFIED))
    assert unlimited.seats[0].net == "5000000.00"


@cites(SAIGON, "680a.12(d)")
@given(rounds(), st.integers(50_000, 120_000))
def test_a_limit_pays_what_there_is_up_to_it(round, limit):
    # stakes a thousand times as large, so that limits bite
    seats = [
        {**seat, "wagers": {wager: f"{text[:-3]}000.00" for wager, text in seat["wagers"].items()}}
        for seat in round["seats"]
    ]
    free = settle_json(json.dumps({**round, "seats": seats}))
    rules = {"bonus": "A", "payout_limit": f"{limit}.00"}
    cut = settle_json(json.dumps({**round, "rules": rules, "seats": seats}))
    for whole, seat in zip(free.seats, cut.seats, strict=True):
        left = Fraction(limit)
        for before, after in zip(whole.lines, seat.lines, strict=True):
            assert money(after.paid) == min(money(before.paid), left)
            assert (after.result, after.stake) == (before.result, before.stake)
            left -= money(after.paid)
