"""A second misfortune while the first is being put right: each ends as its own clause has it."""

from __future__ import annotations

import pytest
from random_play import finish
from stories import table_of
from tables import bets, check_all, deal_all, nets, opened, refused, since, stands

from houseway.cards import SeededSource
from houseway.games.down_under.table.events import DealtLate
from houseway.games.down_under.table.state import own
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, cites
from houseway.table import events as e
from houseway.table import next_steps
from houseway.table.driver import Driver
from houseway.table.state import exposed_cards

#: two players, the dealer's king and queen shown at once; 3h, 4h, 9h and Th come next
TWENTY = "5c 6c Kd 7c 8c Qd 3h 4h 9h Th"
#: two players with hands that can draw; the hole card stays hidden under a six
HIDDEN = "9c 8d 6s 3h 4h Ts 2c 5d 7c 8c"


def drawn(driver: Driver, times: int = 1) -> None:
    for _ in range(times):
        driver.send("card_drawn_in_error", "dealer", exposed=True)


# cards that were seen, one behind the other


@cites(DOWN_UNDER, "685a.12(c)")
def test_two_cards_drawn_in_error_and_seen_come_in_their_order() -> None:
    driver = table_of(TWENTY, "10.00", "10.00")
    drawn(driver, 2)
    assert exposed_cards(driver.table) == ("3h", "4h")
    driver.send("hit", "player", seat=1)
    assert driver.table.piles["seat.1"][-1] == "3h"
    assert driver.table.aside == "4h"
    driver.send("stand", "player", seat=1)
    driver.send("hit", "player", seat=2)
    assert driver.table.piles["seat.2"][-1] == "4h"
    assert not driver.table.aside
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(c)")
def test_who_refuses_the_first_of_two_seen_cards_gets_neither() -> None:
    driver = table_of(TWENTY, "10.00", "10.00")
    drawn(driver, 2)
    driver.send("refuse_card", "player", seat=1)
    driver.send("refuse_card", "player", seat=2)
    driver.send("reveal_dealer", "dealer")
    # the dealer stands on 20 and can use neither
    racked = [x for x in since(driver, 0, e.CardsDealt) if x.clause == "685a.12(c)"]
    assert [x.cards for x in racked] == [("3h",), ("4h",)]
    assert {x.to for x in racked} == {"discard"}
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(c)", "685a.12(d)")
def test_a_card_that_the_dealer_draws_in_error_is_not_the_one_that_is_offered() -> None:
    driver = table_of(TWENTY, "10.00", "10.00")
    drawn(driver)
    driver.send("dealer_drew_in_error", "dealer")
    assert driver.table.piles["discard"][-1] == "4h"
    assert driver.table.aside == "3h"
    driver.send("hit", "player", seat=1)
    assert driver.table.piles["seat.1"][-1] == "3h"
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(a)", "685a.12(b)", "685a.12(c)")
def test_a_card_face_up_behind_the_one_that_is_offered_goes_to_the_rack() -> None:
    driver = table_of(TWENTY, "10.00", "10.00")
    drawn(driver)
    driver.send("card_drawn_in_error", "dealer")
    driver.send("card_found_face_up", "dealer")
    assert driver.table.piles["discard"][-1] == "4h"
    drawn(driver)
    assert exposed_cards(driver.table) == ("3h", "9h")
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(c)", "685a.12(j)", "685a.12(k)", "685a.5(d)")
def test_a_seen_card_stays_the_next_one_when_what_is_left_is_shuffled_and_cut() -> None:
    rules = {"dealing": "continuous_shuffler"}
    driver = Driver(DOWN_UNDER, rules, source=SeededSource(3))
    driver.seat_player(1, "ann")
    driver.ready()
    bets(driver, 1)
    deal_all(driver)
    while driver.table.phase != "deciding":
        driver.house()
    drawn(driver, 2)
    seen = exposed_cards(driver.table)
    driver.send("device_breaks", "dealer", device="continuous_shuffler")
    driver.send("set_device_aside", "floorperson", device="continuous_shuffler", how="covered")
    driver.send("shuffle", "dealer")
    driver.send("cut", "player", seat=1, depth=20)
    assert driver.table.phase == "deciding"
    assert driver.table.piles["shoe"][:2] == seen == exposed_cards(driver.table)
    driver.send("hit", "player", seat=1)
    assert driver.table.piles["seat.1"][-1] == seen[0]


# a hand that was passed over or missed, found while hands are put right after a wrong light


def in_trouble() -> Driver:
    driver = table_of(HIDDEN, "10.00", "10.00")
    driver.send("stand", "player", seat=1)
    driver.send("wrong_light", "dealer", cause="area", area="small")
    assert driver.table.phase == "trouble"
    return driver


@cites(DOWN_UNDER, "685a.12(g)", "685a.12(h)")
def test_a_missed_card_found_after_a_wrong_light_comes_late() -> None:
    driver = in_trouble()
    driver.send("missed_hit", "dealer", seat=1, late_card=True)
    for seat in (1, 2):
        driver.send("hand_goes_on", "dealer", seat=seat)
    driver.send("stand", "player", seat=2)
    assert driver.table.phase == "deciding"
    driver.send("deal", "dealer")
    assert len(driver.table.piles["seat.1"]) == 3
    assert driver.table.phase == "revealing"


@cites(DOWN_UNDER, "685a.12(g)", "685a.12(h)")
def test_a_missed_hand_is_dead_and_needs_no_choice_after_a_wrong_light() -> None:
    driver = in_trouble()
    driver.send("missed_hit", "dealer", seat=1, late_card=False)
    assert since(driver, 0, e.WagerReturned)[-1].seat == 1
    assert own(driver.table).light_seats == (2,)
    driver.send("hand_goes_on", "dealer", seat=2)
    assert driver.table.phase == "deciding"
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(g)", "685a.12(h)")
def test_a_card_missed_by_the_last_hand_comes_before_the_hole_card_is_turned() -> None:
    driver = table_of(HIDDEN, "10.00", "10.00")
    for seat in (1, 2):
        driver.send("stand", "player", seat=seat)
    assert driver.table.phase == "revealing"
    driver.send("wrong_light", "dealer", cause="area", area="small")
    driver.send("missed_hit", "dealer", seat=2, late_card=True)
    for seat in (1, 2):
        driver.send("hand_goes_on", "dealer", seat=seat)
    assert driver.table.phase == "deciding"
    driver.send("deal", "dealer")
    assert len(driver.table.piles["seat.2"]) == 3
    assert driver.table.phase == "revealing"


@cites(DOWN_UNDER, "685a.12(f)", "685a.12(h)")
def test_a_box_without_cards_is_dead_while_others_are_put_right() -> None:
    driver = in_trouble()
    driver.send("no_card_dealt", "dealer", seat=2)
    assert own(driver.table).light_seats == (1,)
    driver.send("hand_goes_on", "dealer", seat=1)
    assert driver.table.phase == "revealing"
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(f)", "685a.12(j)")
def test_a_box_passed_over_is_reported_while_the_continuous_shuffler_stands_still() -> None:
    driver = Driver(DOWN_UNDER, {"dealing": "continuous_shuffler"}, source=SeededSource(3))
    for seat in (1, 2):
        driver.seat_player(seat, f"player {seat}")
    driver.ready()
    bets(driver, 1, 2)
    for _ in range(3):
        driver.send("deal", "dealer")
    driver.send("device_jams", "dealer", device="continuous_shuffler")
    driver.send("no_card_dealt", "dealer", seat=1, second_card=True)
    assert since(driver, 0, DealtLate)[0].seat == 1
    driver.house()
    assert driver.table.phase == "dealing"
    driver.send("deal", "dealer")
    assert [len(driver.table.piles[f"seat.{seat}"]) for seat in (1, 2)] == [1, 2]
    driver.send("deal", "dealer")
    assert len(driver.table.piles["seat.1"]) == 2


@cites(DOWN_UNDER, "685a.12(g)", "685a.12(h)", "685a.7(h)")
@pytest.mark.parametrize(("light", "cards", "late"), [
    ("yellow", TWENTY, True),
    # two Large cards that a wrong light hid were not exposed by 685a.7(h)
    ("red", TWENTY, False),
    # a six that a wrong light had shown before anyone acted
    ("yellow", "5c 6c Kd 7c 8c 6d 3h 4h 9h Th", True),
])  # fmt: skip
def test_a_late_card_comes_after_a_hole_card_that_the_light_had_shown(
    light: str, cards: str, *, late: bool
) -> None:
    driver = table_of(cards, "10.00", "10.00", reads=False)
    driver.send("read_hole_card", "device", light=light)
    if driver.table.phase == "trouble":
        for seat in (1, 2):
            driver.send("hand_goes_on", "dealer", seat=seat)
    for seat in (1, 2):
        driver.send("stand", "player", seat=seat)
    driver.send("reveal_dealer", "dealer")
    if driver.table.phase == "trouble":
        for seat in (1, 2):
            driver.send("hand_goes_on", "dealer", seat=seat)
    if late:
        driver.send("missed_hit", "dealer", seat=1, late_card=True)
        driver.send("deal", "dealer")
        assert len(driver.table.piles["seat.1"]) == 3
    else:
        refusal = refused(driver, "missed_hit", "dealer", seat=1, late_card=True)
        assert refusal.code == "decision_not_open"
    check_all(driver)


# clauses and words


@cites(DOWN_UNDER, "685a.12(i)", "685a.12(k)")
def test_each_broken_device_is_named_by_its_own_clause() -> None:
    driver = Driver(DOWN_UNDER, {"dealing": "continuous_shuffler"}, source=SeededSource(3))
    driver.seat_player(1, "ann")
    driver.ready()
    bets(driver, 1)
    deal_all(driver)
    driver.send("device_breaks", "dealer", device="continuous_shuffler")
    steps = {step.command: step for step in next_steps(driver.table)}
    assert steps["repair_device"].clause == steps["void_round"].clause == "685a.12(k)"
    driver.send("void_round", "floorperson", reason="no other shuffler")
    assert since(driver, 0, e.RoundVoided)[0].clause == "685a.12(k)"
    driver.send("repair_device", "floorperson", device="continuous_shuffler")
    assert since(driver, 0, e.DeviceChanged)[-1].clause == "685a.12(k)"
    driver.send("device_breaks", "dealer", device="reader")
    steps = {step.command: step for step in next_steps(driver.table)}
    assert steps["repair_device"].clause == "685a.12(i)"


# a shuffler that comes back


@cites(MD, "9.A(1)")
@cites(MA, "8(b)(1)")
@cites(PRIME, "679a.9(a)(1)")
@cites(SAIGON, "680a.9(a)(1)")
@pytest.mark.parametrize("chapter", [MD, MA, PRIME, SAIGON])
def test_cards_shuffled_by_hand_are_not_dealt_from_the_hand(chapter: str) -> None:
    driver = opened(chapter, {"dealing": "hand", "shuffler": "plain"}, players=1)
    driver.wager(1, {"ante": "10.00"})
    how = "removed" if chapter == MA else "covered"
    driver.send("device_breaks", "dealer", device="shuffler")
    driver.send("set_device_aside", "floorperson", device="shuffler", how=how)
    driver.send("shuffle", "dealer")
    driver.send("cut", "dealer", depth=20)
    assert driver.table.phase == "betting"
    refusal = refused(driver, "repair_device", "floorperson", device="shuffler")
    assert refusal.code == "out_of_turn"
    # out of the manual shoe they may be dealt, and the device takes its place at the next shuffle
    driver.send("no_more_bets", "dealer")
    driver.send("deal", "dealer")
    assert driver.record[-1].clause in ("8.E(1)", "7(c)", "679a.8(c)", "680a.8(c)")
    driver.send("wrong_number_of_cards", "dealer", seat=1, count=4)
    driver.send("repair_device", "floorperson", device="shuffler")
    assert refused(driver, "shuffle", "dealer").code == "device_shuffles"


@cites(MD, "13.H")
def test_a_shuffler_comes_back_while_players_wager_where_a_shoe_is_dealt_from() -> None:
    driver = opened(MD, {"shuffler": "plain"}, players=1)
    driver.send("device_breaks", "dealer", device="shuffler")
    driver.send("set_device_aside", "floorperson", device="shuffler", how="covered")
    driver.send("shuffle", "dealer")
    driver.send("cut", "dealer", depth=20)
    driver.send("repair_device", "floorperson", device="shuffler")
    driver.wager(1, {"ante": "10.00"})
    driver.send("no_more_bets", "dealer")


# a player who leaves


@cites(MD, "7.C(2)")
@cites(PRIME, "679a.7(b)")
@cites(SAIGON, "680a.7(b)")
@pytest.mark.parametrize("chapter", [MD, PRIME, SAIGON])
def test_wagers_are_declared_abandoned_from_the_first_card_on(chapter: str) -> None:
    driver = opened(chapter, players=2)
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00"})
    driver.send("no_more_bets", "dealer")
    driver.send("leave_seat", "player", seat=1)
    assert refused(driver, "declare_abandoned", "floorperson", seat=1).code == "out_of_turn"
    driver.send("deal", "dealer")
    driver.send("declare_abandoned", "floorperson", seat=1)
    assert since(driver, 0, e.WagerSettled)[-1].result == "lose"


@cites(DOWN_UNDER, "685a.7(i)(2)", "685a.7(j)")
def test_nobody_draws_for_a_player_who_left() -> None:
    """Cards are dealt as a player decides: a hand that nobody decides on stands as it lies."""
    driver = table_of(HIDDEN, "10.00", "10.00")
    driver.send("leave_seat", "player", seat=1)
    steps = [step for step in next_steps(driver.table) if step.seat == 1 and step.kind == "next"]
    assert [(step.role, step.command) for step in steps] == [("dealer", "stand")]
    for name, fields in (("hit", {}), ("double", {"amount": "10.00"})):
        error = refused(driver, name, "dealer", seat=1, **fields)
        assert error.code == "nobody_there"
    assert refused(driver, "hit", "dealer", seat=1).clause == "685a.7(i)(2)"
    driver.send("stand", "dealer", seat=1)
    driver.send("hit", "dealer", seat=2)  # as its player says
    driver.send("stand", "player", seat=2)
    driver.finish(stands)
    # 12 against the dealer's 6, 10 and 5
    assert nets(driver)[1] == -1000
    check_all(driver)


@cites(DOWN_UNDER, "685a.7(j)", "685a.10(b)")
def test_a_card_asked_for_before_the_player_left_is_dealt() -> None:
    driver = table_of("8c 9d 6s 8h 4h Ts 3d 2c 5d 7c 8s", "10.00", "10.00")
    driver.send("split", "player", seat=1)
    driver.send("leave_seat", "player", seat=1)
    driver.finish(stands)
    hands = [x for x in since(driver, 0, e.CardsDealt) if x.to in ("seat.1", "seat.1.2")]
    assert len(hands) == 4, "two first cards, and the second of each hand of the split"
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(h)", "685a.12(i)")
@pytest.mark.parametrize("repaired", [False, True])
def test_a_wrong_light_is_put_right_though_its_reader_was_taken_out_of_use(repaired: bool) -> None:
    """The light was seen to be wrong, so the reader is stopped first: the choice is still the dealer's."""
    driver = table_of("9c 8d 6s 7h 6h Ts 4c 3d", "10.00", "10.00", reads=False)
    driver.send("read_hole_card", "device", light="blue")
    driver.send("device_breaks", "dealer", device="reader")
    if repaired:
        driver.send("repair_device", "floorperson", device="reader")
    driver.send("wrong_light", "dealer", cause="light")
    driver.send("call_hand_dead", "dealer", seat=1)
    driver.send("hand_goes_on", "dealer", seat=2)
    assert nets(driver)[1] == 0
    assert driver.table.phase == "deciding"
    finish(driver)
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(h)", "685a.12(i)", "685a.12(f)")
def test_a_reader_that_is_replaced_after_the_reading_changes_nothing_of_the_round() -> None:
    """A missing second card leads back to the decisions, and the hole card proves the light wrong."""
    driver = table_of("9c 8d 6s 7h 6h Ts 4c 3d", "10.00", "10.00", reads=False)
    driver.send("read_hole_card", "device", light="blue")
    driver.send("device_breaks", "dealer", device="reader")
    driver.send("no_card_dealt", "dealer", seat=2, second_card=True)
    driver.send("repair_device", "floorperson", device="reader")
    driver.send("deal", "dealer")
    assert driver.table.phase == "deciding"
    driver.send("stand", "player", seat=1)
    driver.send("stand", "player", seat=2)
    driver.send("reveal_dealer", "dealer")
    assert driver.table.phase == "trouble"
    finish(driver)
    check_all(driver)
