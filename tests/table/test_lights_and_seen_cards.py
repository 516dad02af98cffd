"""Down Under's reader and its wrong lights, cards that everybody has seen, a shoe that runs out."""

from __future__ import annotations

import random

import pytest
from random_play import finish
from stories import table_of
from tables import bets, check_all, deal_all, keyed, nets, opened, refused, shoe, since

from houseway.cards import SeededSource
from houseway.games.down_under.table.events import LightWrong
from houseway.law import DOWN_UNDER, cites
from houseway.table import legal, next_steps
from houseway.table.driver import Driver

# the light


@cites(DOWN_UNDER, "685a.7(h)", "685a.12(h)")
@pytest.mark.parametrize("known", [True, False], ids=["system's shoe", "keyed in"])
def test_a_hole_card_that_a_wrong_light_has_shown_proves_it_wrong(known: bool) -> None:
    """A king up and a yellow light: the five is turned before anyone acts."""
    if known:
        driver = table_of("9c 8d Kc 7h 6h 5s 4c 3d", "10.00", "10.00", reads=False)
        driver.send("read_hole_card", "device", light="yellow")
    else:
        driver = keyed(DOWN_UNDER, players=2)
        bets(driver, 1, 2)
        for card in ("9c", "8d", "Kc", "7h", "6h"):
            driver.send("deal", "dealer", cards=(card,))
        driver.send("deal", "dealer")
        driver.send("read_hole_card", "dealer", light="yellow", card="5s")
    assert driver.table.phase == "trouble"
    driver.send("call_hand_dead", "dealer", seat=1)
    driver.send("hand_goes_on", "dealer", seat=2)
    assert driver.table.phase == "deciding"
    assert [found.cause for found in since(driver, 0, LightWrong)] == ["light"]
    finish(driver)
    assert nets(driver)[1] == 0
    check_all(driver)


@cites(DOWN_UNDER, "685a.7(h)", "685a.12(h)")
def test_a_wrong_light_and_a_wrong_area_are_both_put_right() -> None:
    driver = table_of("9c 8d Kc 7h 6h 5s 4c 3d", "10.00", "10.00", reads=False)
    driver.send("read_hole_card", "device", light="yellow", area="small")
    for _ in range(2):
        assert driver.table.phase == "trouble"
        for seat in (1, 2):
            driver.send("hand_goes_on", "dealer", seat=seat)
    assert driver.table.phase == "deciding"
    assert [found.cause for found in since(driver, 0, LightWrong)] == ["area", "light"]
    finish(driver)
    check_all(driver)


@cites(DOWN_UNDER, "685a.7(h)", "685a.9(b)", "685a.10(d)", "685a.8(c)", "685a.12(h)")
def test_a_blackjack_that_a_wrong_light_hid_takes_the_first_bets_only() -> None:
    """Nothing tells the dealer of the king under the ace. Seat 1 doubles, seat 2 splits."""
    driver = table_of("5c 8d Ac 6h 8h Ks 4c 3d 2d", "10.00", "10.00", reads=False)
    driver.send("insure", "player", seat=1, amount="5.00")
    driver.send("decline_insurance", "player", seat=2)
    driver.send("close_insurance", "dealer")
    driver.send("read_hole_card", "device", light="blue")
    assert "hole" not in driver.table.shown
    driver.send("settle_next", "dealer")  # the insurance is collected
    driver.send("double", "player", seat=1, amount="10.00")
    driver.send("split", "player", seat=2)
    finish(driver)
    # the bet is lost and the insurance pays 2 to 1; of the split the first bet is lost
    assert nets(driver) == {1: 0, 2: -1000}
    check_all(driver)


@cites(DOWN_UNDER, "685a.2(d)")
def test_no_deal_is_offered_before_the_day_s_inspection() -> None:
    driver = opened(DOWN_UNDER)
    driver.clock = driver.clock.replace(day=2, hour=7)
    bets(driver, 1)
    at = driver.clock.isoformat()
    assert "deal" not in legal(driver.table, "dealer", at=at)
    steps = [step.command for step in next_steps(driver.table, at=at) if step.kind == "next"]
    assert steps[0] == "inspect_reader"
    assert "deal" not in steps
    driver.send("inspect_reader", "floorperson")
    driver.send("deal", "dealer")


# a card that everybody has seen


@cites(DOWN_UNDER, "685a.12(c)", "685a.12(j)")
def test_a_seen_card_is_the_next_one_though_the_rest_is_shuffled_again() -> None:
    rules = {"dealing": "continuous_shuffler"}
    driver = opened(DOWN_UNDER, rules, players=1, seed=3)
    bets(driver, 1)
    deal_all(driver)
    driver.until("deciding")
    driver.send("card_drawn_in_error", "dealer", exposed=True)
    seen = driver.table.aside
    driver.send("device_jams", "dealer", device="continuous_shuffler")
    left = list(driver.table.piles["shoe"][1:])
    random.Random(1).shuffle(left)
    driver.send("shuffle", "system", order=tuple(left))
    driver.send("hit", "player", seat=1)
    assert driver.table.piles["seat.1"][-1] == seen
    finish(driver)
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(c)", "685a.12(i)")
def test_a_seen_card_of_a_void_round_goes_to_the_rack() -> None:
    driver = table_of("9c 8d 6s 7h 6h Ts 4c 3d", "10.00", "10.00")
    driver.send("card_drawn_in_error", "dealer", exposed=True)
    driver.send("device_breaks", "dealer", device="reader")
    driver.send("void_round", "floorperson", reason="no spare reader")
    assert driver.table.piles["shoe"][0] == "3d"
    assert "4c" in driver.table.piles["discard"]
    assert nets(driver) == {1: 0, 2: 0}
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(a)", "685a.12(b)", "685a.12(c)")
@pytest.mark.parametrize("phase", ["settling", "clearing"])
def test_a_card_drawn_when_nobody_draws_any_more(phase: str) -> None:
    """Unseen it stays the next card; seen, or found face up, it goes to the rack."""
    driver = table_of("9c 8d Kc 7h 6h Ts 4c 3d", "10.00", "10.00")
    for seat in (1, 2):
        driver.send("stand", "player", seat=seat)
    driver.until(phase)
    driver.send("card_drawn_in_error", "dealer")
    assert driver.table.piles["shoe"][0] == "4c"
    driver.send("card_drawn_in_error", "dealer", exposed=True)
    driver.send("card_found_face_up", "dealer")
    assert driver.table.piles["discard"][-2:] == ("4c", "3d")
    assert driver.table.phase == phase
    finish(driver)
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(a)", "685a.7(c)")
def test_a_card_face_up_where_the_burn_card_is_drawn() -> None:
    driver = Driver(DOWN_UNDER, source=SeededSource(1))
    driver.seat_player(1, "player 1")
    driver.until("burning")
    top, after = driver.table.piles["shoe"][:2]
    driver.send("card_found_face_up", "dealer")
    assert driver.table.phase == "burning"
    driver.send("burn_card", "dealer")
    assert driver.table.piles["discard"] == (top, after)


# the shoe and the reader


@cites(DOWN_UNDER, "685a.12(e)", "685a.5(h)")
@pytest.mark.parametrize(
    "rules",
    [{}, {"shuffler": "plain"}, {"shuffler": "reshuffling"}, {"dealing": "continuous_shuffler"}],
    ids=str,
)
def test_a_shoe_that_runs_out_is_made_anew_of_the_discards(rules: dict[str, str]) -> None:
    """Nothing that needs a card is offered until then; a device that is never cut is not cut now."""
    driver = opened(DOWN_UNDER, {"decks": 4, **rules}, players=1, seed=4)
    bets(driver, 1)
    deal_all(driver)
    driver.until("deciding")
    while "shoe" in driver.table.piles:
        driver.send("card_found_face_up", "dealer")
    rack = len(driver.table.piles["discard"])
    assert next_steps(driver.table)[0].command == "shoe_runs_out"
    assert not {"hit", "double"} & set(legal(driver.table, "player", 1))
    assert refused(driver, "hit", "player", seat=1).clause == "685a.12(e)"
    driver.send("shoe_runs_out", "dealer")
    cut = not {"reshuffling", "continuous_shuffler"} & set(rules.values())
    assert driver.table.phase == ("cutting" if cut else "deciding")
    if cut:
        driver.send("cut", "player", seat=1, depth=20)
    assert len(driver.table.piles["shoe"]) == rack - 1
    assert len(driver.table.piles["discard"]) == 1
    assert "hit" in legal(driver.table, "player", 1)
    finish(driver)
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(i)")
def test_the_ways_on_without_a_reader_are_announced() -> None:
    driver = table_of("9c 8d 6s 7h 6h Ts 4c 3d", "10.00", "10.00")
    driver.send("device_breaks", "dealer", device="reader")
    ways = [step.command for step in next_steps(driver.table) if step.role == "floorperson"]
    assert ways == ["repair_device", "void_round"]


@cites(DOWN_UNDER, "685a.12(h)", "685a.12(j)", "685a.12(k)")
@pytest.mark.parametrize("dead", [(), (1,), (1, 2)], ids=str)
def test_a_wrong_light_found_while_the_cards_are_shuffled_again(dead: tuple[int, ...]) -> None:
    """The shuffler jams, then breaks; the dealer chooses; then the round goes on where it stood."""
    driver = opened(DOWN_UNDER, {"dealing": "continuous_shuffler"}, players=2)
    bets(driver, 1, 2)
    deal_all(driver)
    driver.until("deciding")
    for name in ("device_jams", "device_breaks"):
        driver.send(name, "dealer", device="continuous_shuffler")
    driver.send("wrong_light", "dealer", cause="area")
    for seat in (1, 2):
        driver.send("call_hand_dead" if seat in dead else "hand_goes_on", "dealer", seat=seat)
    if len(dead) == 2:
        assert driver.table.phase == "clearing"
    else:
        driver.send("repair_device", "floorperson", device="continuous_shuffler")
        driver.send("shuffle", "device")
        assert driver.table.phase in ("deciding", "revealing")
    finish(driver)
    for seat in dead:
        assert nets(driver)[seat] == 0
    check_all(driver)


@cites(DOWN_UNDER, "685a.8(d)", "685a.12(h)", "685a.12(j)")
def test_insurance_of_a_dead_hand_is_not_waited_for_after_the_shuffle() -> None:
    driver = opened(DOWN_UNDER, {"dealing": "continuous_shuffler"}, players=2)
    while True:  # until an ace is up and no ten under it
        bets(driver, 1, 2)
        deal_all(driver)
        if driver.table.phase == "insuring":
            driver.send("insure", "player", seat=1, amount="5.00")
            driver.send("close_insurance", "dealer")
            driver.send("read_hole_card", "dealer")
            if driver.table.phase == "insurance":
                break
        finish(driver)
    driver.send("device_jams", "dealer", device="continuous_shuffler")
    driver.send("wrong_light", "dealer", cause="area")
    driver.send("call_hand_dead", "dealer", seat=1)
    driver.send("hand_goes_on", "dealer", seat=2)
    driver.send("shuffle", "device")
    assert driver.table.phase != "insurance"
    finish(driver)
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(f)")
def test_a_box_that_waits_for_its_second_card_may_be_called_dead() -> None:
    """The player no longer wants it: the one card goes, and no other card moves."""
    driver = shoe("9c 8d 5h 6s 7h 6h Ts 4c 3d", players=3)
    bets(driver, 1, 2, 3)
    for _ in range(5):  # 9c 8d 5h, the dealer's 6s, and 7h that went to seat 2 in truth
        driver.send("deal", "dealer")
    driver.send("no_card_dealt", "dealer", seat=1, second_card=True)
    driver.send("no_card_dealt", "dealer", seat=1)
    assert driver.table.piles["seat.2"] == ("8d", "7h")
    assert driver.table.piles["seat.3"] == ("5h",)
    assert driver.table.piles["discard"][-1] == "9c"
    assert nets(driver)[1] == 0
    deal_all(driver)
    assert driver.table.piles["seat.3"] == ("5h", "6h")
    finish(driver)
    check_all(driver)
