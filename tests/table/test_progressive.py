"""Progressives at one table: sensors, lock-out, the count, validation, meters, START and END GAME."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest
from tables import check_all, opened, refused

from houseway.cards import SeededSource
from houseway.law import MA, MD, chapter, cites
from houseway.table import events as e
from houseway.table import next_steps
from houseway.table.card_source import pack
from houseway.table.driver import Driver
from houseway.table.event_text import describe
from houseway.table.moment import rules_of
from houseway.table.views import (
    dealer_view,
    due_in_words,
    floor_view,
    public_view,
    seat_view,
    surveillance_view,
)


@pytest.mark.parametrize("dealing", ["manual_shoe", "hand", "automated_shoe"])
@cites(
    MD, "2.C(1)", "2.C(2)", "8.C(1)", "8.C(2)(b)", "9.B(1)", "9.B(2)(b)", "10.A(2)", "10.A(3)(b)"
)
def test_chips_are_counted_against_the_wagers_accepted(dealing):
    rules = {"dealing": dealing, "shuffler": "plain", "progressive": "A"}
    driver = opened(MD, rules, meters={"progressive": {"rate": "14%"}})
    for seat in (1, 2):
        driver.wager(seat, {"ante": "5.00", "progressive": "1.00"})
    driver.send("no_more_bets", "dealer")
    assert driver.table.locked
    late = refused(driver, "place_wager", "player", seat=1, wager="progressive", amount="1.00")
    assert late.code == "out_of_turn"
    assert refused(driver, "deal", "dealer").code == "out_of_turn"
    assert refused(driver, "count_progressive_chips", "dealer", count=1).code == (
        "chips_do_not_match"
    )
    driver.send(
        "strike_progressive_wager", "floorperson", seat=2, wager="progressive", reason="no chip"
    )
    driver.send("count_progressive_chips", "dealer", count=1)
    assert Fraction(driver.table.meters["progressive"]) == 100_000 + Fraction(14, 100) * 100
    driver.finish(lambda *_: ("play", {}))
    check_all(driver)


def stacked(driver: Driver, *first: str) -> tuple[str, ...]:
    rest = [card for card in pack(rules_of(driver.table)) if card not in first]
    return (*first, *rest)


def dealt(chapter, rules, hands, **parts):
    """A table whose shoe gives these hands, seat by seat and the dealer's last."""
    driver = Driver(chapter, rules, source=SeededSource(1), **parts)
    seats = len(hands) - 1
    for seat in range(1, seats + 1):
        driver.seat_player(seat, f"player {seat}")
    driver.until("shuffling")
    split = [hand.split() for hand in hands]
    order = [hand[number] for number in range(3) for hand in split]
    driver.send("shuffle", "system", order=stacked(driver, *order))
    driver.until("betting")
    return driver


@cites(MD, "11.D(7)", "11.D(7)(a)", "11.D(7)(c)")
def test_a_meter_is_paid_once_the_floor_has_validated_it():
    rules = {"shuffler": "plain", "progressive": "A"}
    hands = ("2c 5d 9h", "As Ks Qs", "3c 4d 8h")
    driver = dealt(MD, rules, hands, meters={"progressive": {"rate": "14%", "seed": "5000.00"}})
    for seat in (1, 2):
        driver.wager(seat, {"ante": "5.00", "progressive": "1.00"})
    driver.until("deciding")
    driver.send("play", "player", seat=1)
    driver.send("play", "player", seat=2)
    driver.until("settling")
    while driver.table.due[0].wager != "progressive":
        driver.house()
    assert refused(driver, "settle_next", "dealer").code == "not_validated"
    wrong = refused(driver, "validate_progressive", "dealer", seat=2, wager="progressive")
    assert wrong.code == "not_your_part"
    driver.send("validate_progressive", "floorperson", seat=2, wager="progressive")
    # the whole meter, not less the chip that was taken in before the deal
    assert due_in_words(driver.table) == "seat 2: pay $5,000.28 on Three-Card Progressive"
    driver.send("settle_next", "dealer")
    paid = driver.table.settled[-1]
    settled = next(one for one in reversed(driver.record) if isinstance(one, e.WagerSettled))
    told = "seat 2: Three-Card Progressive of $1 is paid $5,000.28 from the Three-Card Progressive"
    assert describe(settled, chapter(MD)) == f"{told} meter for A-K-Q of spades"
    # two wagers of a dollar added 28 cents to five thousand dollars
    assert (paid.from_meter, paid.paid) == (500_028, 499_928)
    assert Fraction(driver.table.meters["progressive"]) == 100_000
    driver.until("betting", "shuffling")
    assert {(line.seat, line.wager) for line in driver.table.settled} >= {(1, "envy")}
    check_all(driver)


@cites(MD, "12.E(3)")
def test_a_reserve_grows_unseen_and_is_added_when_the_meter_starts_again():
    rules = {"shuffler": "plain", "progressive": "A"}
    meters = {"progressive": {"rate": "14%", "reserve": "1.5%", "seed": "5000.00"}}
    driver = dealt(MD, rules, ("2c 5d 9h", "As Ks Qs", "3c 4d 8h"), meters=meters)
    for seat in (1, 2):
        driver.wager(seat, {"ante": "5.00", "progressive": "1.00"})
    driver.until("deciding")
    reserve = 200 * Fraction(15, 1000)
    assert Fraction(driver.table.reserves["progressive"]) == reserve
    # no view has it: not the dealer's, the floor's, surveillance's or a player's
    for view in (public_view, dealer_view, floor_view, surveillance_view):
        assert b"reserve" not in msgspec.json.encode(view(driver.table))
    assert b"reserve" not in msgspec.json.encode(seat_view(driver.table, 1))
    for seat in (1, 2):
        driver.send("play", "player", seat=seat)
    driver.until("betting", "shuffling")
    # 5,000 dollars and 28 cents were paid
    assert Fraction(driver.table.meters["progressive"]) == 100_000 + reserve
    assert not driver.table.reserves
    check_all(driver)


@cites(MD, "13.B")
def test_a_void_round_takes_its_part_out_of_the_reserve_too():
    driver = opened(MD, {"shuffler": "plain", "progressive": "A"}, players=1,
                    meters={"progressive": {"rate": "14%", "reserve": "1%"}})  # fmt: skip
    driver.wager(1, {"ante": "5.00", "progressive": "1.00"})
    driver.until("dealing")
    assert Fraction(driver.table.reserves["progressive"]) == 1
    for _ in range(2):
        driver.send("card_found_face_up", "dealer")
    assert (driver.table.reserves, driver.table.meters["progressive"]) == ({}, "100000")


@cites(MD, "11.D(9)(b)", "11.D(9)(d)", "11.D(9)(d)(i)", "11.D(9)(e)")
def test_the_community_cards_are_exposed_and_the_five_card_win_validated():
    rules = {"shuffler": "plain", "five_card_progressive": "A"}
    driver = Driver(MD, rules, source=SeededSource(1))
    driver.seat_player(1, "ann")
    driver.until("shuffling")
    order = stacked(driver, "As", "2c", "Ks", "5d", "Qs", "9h", "Js", "Ts")
    driver.send("shuffle", "system", order=order)
    driver.until("betting")
    driver.wager(1, {"ante": "5.00", "five_card_progressive": "1.00"})
    driver.until("deciding")
    driver.send("play", "player", seat=1)
    driver.until("settling")
    while driver.table.due[0].wager != "five_card_progressive":
        driver.house()
    assert refused(driver, "settle_next", "dealer").code == "turn_first"
    early = {"seat": 1, "wager": "five_card_progressive"}
    assert refused(driver, "validate_progressive", "floorperson", **early).code == (
        "nothing_to_validate"
    )
    driver.send("expose_community", "dealer")
    assert refused(driver, "settle_next", "dealer").code == "not_validated"
    assert refused(driver, "validate_progressive", "dealer", **early).code == "not_your_part"
    (validated,) = driver.send("validate_progressive", "floorperson", **early)
    assert validated.clause == "11.D(9)(e)"
    driver.send("settle_next", "dealer")
    assert driver.table.settled[-1].outcome == "royal_flush"


@cites(MA, "13(a)", "13(d)(f)")
def test_massachusetts_starts_and_ends_the_game_on_its_keypad():
    hands = ("2c 5d 9h", "Ah Kh Qh", "3c 4d 8h")
    driver = dealt(MA, {"shuffler": "plain", "progressive": "1"}, hands)
    for seat in (1, 2):
        driver.wager(seat, {"ante": "5.00", "progressive": "1.00"})
    driver.send("no_more_bets", "dealer")
    assert refused(driver, "count_progressive_chips", "dealer", count=2).code == (
        "not_in_this_chapter"
    )
    driver.send("start_game", "dealer")
    driver.until("deciding")
    driver.send("play", "player", seat=1)
    driver.send("play", "player", seat=2)
    driver.until("settling")
    while driver.table.due[0].wager != "progressive":
        driver.house()
    wrong = refused(driver, "validate_progressive", "dealer", seat=2, wager="progressive")
    assert wrong.code == "not_your_part"
    driver.until("clearing")
    confirmed = [event for event in driver.record if isinstance(event, e.PayoutValidated)]
    assert [(event.seat, event.clause) for event in confirmed] == [(2, "13(d)(f)")]
    # the envy of a mini royal in hearts, paid at the end
    last = driver.table.settled[-1]
    assert (last.seat, last.wager, last.paid) == (1, "envy", 2500)
    assert refused(driver, "clear_hands", "dealer").code == "end_game_first"
    driver.send("end_game", "dealer")
    driver.send("clear_hands", "dealer")
    check_all(driver)


@cites(MA, "10(b)")
def test_forfeited_hands_are_collected_before_the_reveal():
    driver = opened(MA, {"six_card_bonus": "TCP-6B1"}, players=3)
    driver.wager(1, {"ante": "5.00"})
    driver.wager(2, {"ante": "5.00", "pair_plus": "5.00"})
    driver.wager(3, {"ante": "5.00", "pair_plus": "5.00"})
    driver.until("deciding")
    driver.send("fold", "player", seat=1)
    assert refused(driver, "fold", "player", seat=3).code == "not_your_turn"
    driver.send("fold", "player", seat=2)
    driver.send("forfeit_unseen", "player", seat=3)
    assert refused(driver, "reveal_dealer", "dealer").code == "out_of_turn"
    driver.send("collect_forfeited", "dealer")
    # only the hand whose Pair Plus is still looked at lies on the table
    assert [name for name in driver.table.piles if name.startswith("seat")] == ["seat.2"]
    assert {(line.seat, line.wager) for line in driver.table.settled} == {
        (1, "ante"), (2, "ante"), (3, "ante"), (3, "pair_plus"),
    }  # fmt: skip


@cites(MD, "11.B", "11.D(1)")
def test_maryland_asks_clockwise_and_keeps_cards_with_a_six_card_bonus():
    driver = opened(MD, {"six_card_bonus": "A"}, players=3)
    for seat in (1, 2, 3):
        driver.wager(seat, {"ante": "5.00"})
    driver.wager(2, {"six_card_bonus": "5.00"})
    driver.until("deciding")
    for seat in (1, 2):
        assert refused(driver, "play", "player", seat=3).code == "not_your_turn"
        driver.send("fold", "player", seat=seat)
    driver.send("play", "player", seat=3)
    assert driver.table.boxes[2].layout["play"] == 500
    driver.send("collect_forfeited", "dealer")
    assert [name for name in driver.table.piles if name.startswith("seat")] == ["seat.2", "seat.3"]


@cites(MA, "9(c)(2)")
def test_the_dealers_stack_leaves_the_shoe_when_all_have_acted():
    driver = opened(
        MA, {"dealing": "automated_shoe", "shuffler": "plain", "dealer_stack": "left_in_shoe"}
    )
    driver.wager(1, {"ante": "5.00"})
    driver.until("deciding")
    assert "dealer" not in driver.table.piles
    driver.send("play", "player", seat=1)
    driver.send("reveal_dealer", "dealer")
    assert len(driver.table.piles["dealer"]) == 3


@cites(MD, "11.D(7)(e)")
def test_envy_is_paid_after_the_win_that_earns_it():
    """Seat 2 is settled before seat 1, whose hand earns it: it is paid when that win is paid."""
    rules = {"shuffler": "plain", "progressive": "A"}
    driver = dealt(MD, rules, ("As Ks Qs", "2c 5d 9h", "3c 4d 8h"))
    for seat in (1, 2):
        driver.wager(seat, {"ante": "5.00", "progressive": "1.00"})
    driver.until("deciding")
    for seat in (1, 2):
        driver.send("play", "player", seat=seat)
    driver.until("clearing")
    lines = [(line.seat, line.wager) for line in driver.table.settled]
    assert lines.index((2, "envy")) > lines.index((1, "progressive"))
    turned = [event.place for event in driver.record if isinstance(event, e.CardsTurned)]
    assert turned == ["dealer", "seat.2", "seat.1"]


@cites(MD, "2.C(1)", "11.D(7)(b)")
def test_the_sensors_show_what_was_accepted_and_what_has_won():
    """A win lights up when its hand lies face up, and not before."""
    rules = {"shuffler": "plain", "progressive": "A"}
    driver = dealt(MD, rules, ("As Ks Qs", "2c 5d 9h", "3c 4d 8h"))

    def lights():
        return [box.lights for box in public_view(driver.table).boxes[:2]]

    assert lights() == [{}, {}]
    driver.wager(1, {"ante": "5.00", "progressive": "1.00"})
    driver.wager(2, {"ante": "5.00"})
    assert lights() == [{"progressive": "accepted"}, {}]
    driver.until("deciding")
    # the chip is in the tray, and the light stays on
    assert "progressive" not in driver.table.boxes[0].layout
    for seat in (1, 2):
        driver.send("play", "player", seat=seat)
    driver.until("settling")
    assert lights() == [{"progressive": "accepted"}, {}]
    while driver.table.due and driver.table.due[0].wager != "progressive":
        driver.house()
    assert lights() == [{"progressive": "won"}, {}]
    driver.until("shuffling")
    assert lights() == [{}, {}]


@cites(MD, "11.D(7)(e)")
def test_envy_is_announced_by_its_own_clause():
    rules = {"shuffler": "plain", "progressive": "A"}
    driver = dealt(MD, rules, ("As Ks Qs", "2c 5d 9h", "3c 4d 8h"))
    for seat in (1, 2):
        driver.wager(seat, {"ante": "5.00", "progressive": "1.00"})
    driver.until("deciding")
    for seat in (1, 2):
        driver.send("play", "player", seat=seat)
    told = set()
    while driver.table.phase != "clearing":
        for step in next_steps(driver.table):
            due = driver.table.due[0].wager if driver.table.due else ""
            if step.command == "settle_next" and due == "envy":
                told.add(step.clause)
        driver.house()
    assert told == {"11.D(7)(e)"}
