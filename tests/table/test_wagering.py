"""Wagers at the table: who may make them, when, how much, and what becomes of those left behind."""

from __future__ import annotations

import pytest
from tables import check_all, in_tray, opened, refused

from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, cites
from houseway.table import events as e
from houseway.table import next_steps
from houseway.table.driver import Driver

POKER = (MD, MA, PRIME, SAIGON)


def first(driver):
    return "bet" if driver.table.chapter == DOWN_UNDER else "ante"


@cites(MD, "7.A", "7.C", "7.D", "7.E", "8.C", "9.B", "9.A", "10.A")
@cites(MA, "6(b)", "6(c)", "6(d)", "7(b)", "8(b)(3)", "9(b)(2)", "8(b)", "9(b)")
@cites(PRIME, "679a.7(b)", "679a.7(c)", "679a.8(b)", "679a.9(a)(3)", "679a.10(a)(2)")
@cites(PRIME, "679a.9(a)", "679a.10(a)")
@cites(SAIGON, "680a.7(b)", "680a.7(c)", "680a.8(b)", "680a.9(a)(3)", "680a.10(a)(2)")
@cites(SAIGON, "680a.9(a)", "680a.10(a)")
@pytest.mark.parametrize("dealing", ["manual_shoe", "hand", "automated_shoe"])
@pytest.mark.parametrize("chapter", POKER)
def test_bets_are_closed_before_the_first_card_and_stand(chapter, dealing):
    driver = opened(chapter, {"dealing": dealing, "shuffler": "plain"})
    assert refused(driver, "place_wager", "player", seat=4, wager="ante", amount="5.00").code == (
        "nobody_there"
    )
    driver.wager(1, {"ante": "5.00"})
    assert refused(driver, "deal", "dealer").code == "bets_open"
    driver.send("no_more_bets", "dealer")
    for name, fields in (
        ("place_wager", {"wager": "ante", "amount": "5.00"}),
        ("take_back_wager", {"wager": "ante"}),
    ):
        assert refused(driver, name, "player", seat=1, **fields).code == "out_of_turn"
    assert driver.table.hands == (1,)


@cites(DOWN_UNDER, "685a.6(c)")
def test_in_down_under_the_first_card_closes_the_bets():
    driver = opened(DOWN_UNDER)
    assert refused(driver, "no_more_bets", "dealer").code == "not_in_this_chapter"
    driver.wager(1, {"bet": "5.00"})
    driver.send("take_back_wager", "player", seat=1, wager="bet")
    driver.wager(1, {"bet": "5.00"})
    driver.send("deal", "dealer")
    late = refused(driver, "place_wager", "player", seat=2, wager="bet", amount="5.00")
    assert late.code == "out_of_turn"
    assert refused(driver, "take_back_wager", "player", seat=1, wager="bet").code == "out_of_turn"


@cites(MD, "7.B")
@cites(MA, "6(b)")
@cites(PRIME, "679a.7(a)")
@cites(SAIGON, "680a.7(a)")
@cites(DOWN_UNDER, "685a.6(a)")
@pytest.mark.parametrize("chapter", [*POKER, DOWN_UNDER])
def test_words_with_cash_count_only_in_down_under(chapter):
    driver = opened(chapter)
    fields = {"seat": 1, "wager": first(driver), "amount": "5.00", "verbal": True}
    if chapter == DOWN_UNDER:
        driver.send("place_wager", "dealer", **fields)
    else:
        assert refused(driver, "place_wager", "dealer", **fields).code == "verbal_wager"


def test_a_player_wagers_at_his_own_box_only():
    driver = opened(MD)
    error = refused(
        driver, "place_wager", "player", seat=2, who="player 1", wager="ante", amount="5.00"
    )
    assert error.code == "not_your_seat"


@cites(MA, "12(a)", "13(a)")
def test_side_wagers_stand_beside_a_standard_one_and_before_the_round():
    driver = opened(MA, {"cover_all": True, "shuffler": "plain", "progressive": "1"})
    for wager in ("cover_all", "progressive"):
        error = refused(driver, "place_wager", "player", seat=1, wager=wager, amount="1.00")
        assert error.code == "standard_wager_missing"
    driver.wager(1, {"ante": "5.00", "cover_all": "2.00", "progressive": "1.00"})
    driver.send("take_back_wager", "player", seat=1, wager="ante")
    assert refused(driver, "no_more_bets", "dealer").code == "standard_wager_missing"


@cites(MD, "7.H")
def test_boxes_of_one_player_are_adjacent_and_few_enough():
    driver = Driver(MD, {"adjacent_boxes": 2})
    for seat in (1, 2, 3, 5):
        driver.seat_player(seat, "ann")
    driver.ready()
    driver.wager(1, {"ante": "5.00"})
    error = refused(driver, "place_wager", "player", seat=3, who="ann", wager="ante", amount="5.00")
    assert error.code == "boxes_not_adjacent"
    driver.wager(2, {"ante": "5.00"})
    error = refused(driver, "place_wager", "player", seat=3, who="ann", wager="ante", amount="5.00")
    assert error.code == "too_many_boxes"


@pytest.mark.parametrize("chapter", [MD, PRIME, SAIGON])
@cites(MD, "7.C(2)")
@cites(PRIME, "679a.7(b)")
@cites(SAIGON, "680a.7(b)")
def test_wagers_of_a_player_who_left_are_lost(chapter):
    driver = opened(chapter)
    driver.wager(1, {"ante": "5.00"})
    driver.wager(2, {"ante": "10.00"})
    driver.until("deciding")
    tray = in_tray(driver.table)
    assert refused(driver, "declare_abandoned", "floorperson", seat=2).code == "nobody_left"
    driver.send("leave_seat", "floorperson", seat=2)
    driver.send("declare_abandoned", "floorperson", seat=2)
    assert in_tray(driver.table) - tray == 1000
    driver.finish(lambda _t, _s, steps: (steps[0].command, {}))
    lost = next(line for line in driver.table.settled if line.seat == 2)
    assert (lost.result, lost.stake) == ("lose", 1000)
    check_all(driver)


def test_a_player_who_leaves_before_the_round_takes_his_chips_along():
    driver = opened(MD)
    driver.wager(1, {"ante": "5.00", "pair_plus": "5.00"})
    driver.send("leave_seat", "floorperson", seat=1)
    back = [event for event in driver.record if isinstance(event, e.WagerTakenBack)]
    assert [event.amount for event in back] == ["5.00", "5.00"]


@cites(DOWN_UNDER, "685a.6(b)", "685a.6(b)(1)", "685a.6(b)(2)")
def test_who_sat_out_a_round_waits_for_the_shuffle_or_the_floor():
    rules = {"mid_shoe_entry": False}
    driver = opened(DOWN_UNDER, rules, players=3)
    driver.wager(1, {"bet": "5.00"})
    driver.finish(lambda _t, _s, steps: ("stand", {}) if _stands(steps) else (steps[1].command, {}))
    bet = {"seat": 2, "wager": "bet", "amount": "5.00"}
    assert refused(driver, "place_wager", "player", **bet).code == "no_mid_shoe_entry"
    driver.send("let_back_in", "floorperson", seat=2)
    driver.send("place_wager", "player", **bet)
    driver.send("take_back_wager", "player", seat=2, wager="bet")
    third = {"seat": 3, "wager": "bet", "amount": "5.00"}
    assert refused(driver, "place_wager", "player", **third).code == "no_mid_shoe_entry"
    driver.send("order_reshuffle", "floorperson", reason="a new shoe")
    driver.ready()
    driver.send("place_wager", "player", **third)


def _stands(steps):
    return any(step.command == "stand" for step in steps)


@cites(MA, "6(b)")
def test_a_coupon_stands_beside_chips_of_its_value():
    driver = opened(MA, {"match_play": True})
    driver.wager(1, {"ante": "10.00"})
    error = refused(driver, "place_coupon", "player", seat=1, wager="ante", value="25.00")
    assert error.code == "coupon_not_accepted"
    driver.send("place_coupon", "player", seat=1, wager="ante", value="10.00")
    driver.finish(lambda *_: ("play", {}))
    assert "coupon" in {line.wager for line in driver.table.settled}
    check_all(driver)
    plain = opened(MA)
    plain.wager(1, {"ante": "10.00"})
    error = refused(plain, "place_coupon", "player", seat=1, wager="ante", value="5.00")
    assert error.code == "not_in_this_chapter"


@cites(MA, "6(c)")
def test_in_massachusetts_who_has_cards_stays_seated_until_the_round_is_over():
    driver = opened(MA)
    driver.wager(1, {"ante": "5.00"})
    driver.until("deciding")
    refusal = refused(driver, "leave_seat", "player", seat=1)
    assert (refusal.code, refusal.clause) == ("stay_seated", "6(c)")
    assert "leave_seat" not in [step.command for step in next_steps(driver.table) if step.seat == 1]
    # seat 2 has no cards, and the floor may always note that somebody is gone
    driver.send("leave_seat", "player", seat=2)
    driver.finish(lambda *_: ("play", {}))
    driver.send("leave_seat", "player", seat=1)


@pytest.mark.parametrize("chapter", [*POKER, DOWN_UNDER])
def test_a_wager_stays_within_the_posted_limits(chapter):
    """Chips added to a wager count with those that lie there already."""
    wager = "bet" if chapter == DOWN_UNDER else "ante"
    driver = opened(chapter, limits={wager: {"min": "10.00", "max": "100.00"}})
    place = {"seat": 1, "wager": wager}
    assert refused(driver, "place_wager", "player", amount="5.00", **place).code == "below_minimum"
    assert refused(driver, "place_wager", "player", amount="101.00", **place).code == (
        "above_maximum"
    )
    driver.send("place_wager", "player", amount="60.00", **place)
    assert refused(driver, "place_wager", "player", amount="41.00", **place).code == (
        "above_maximum"
    )
    driver.send("place_wager", "player", amount="40.00", **place)
    assert driver.table.boxes[0].layout == {wager: 10_000}
