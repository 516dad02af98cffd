"""A card is corrected after a hand left the round, or while a box waits for its second card."""

from __future__ import annotations

import pytest
from tables import check_all, key_in, keyed, nets, shoe, since

from houseway.law import DOWN_UNDER, MD, PRIME, SAIGON, cites
from houseway.table import events as e
from houseway.table.driver import Driver


def correct(driver: Driver, place: str, was: str, card: str) -> None:
    fields = {"place": place, "was": was, "card": card, "reason": "misread"}
    driver.send("correct_card", "floorperson", **fields)


def abandoned(driver: Driver, seat: int) -> None:
    driver.send("leave_seat", "floorperson", seat=seat)
    driver.send("declare_abandoned", "floorperson", seat=seat)


@cites(MD, "7.C(2)", "11.D(3)", "11.D(3)(d)(ii)")
@cites(PRIME, "679a.7(b)", "679a.11(c)(3)(ii)")
@pytest.mark.parametrize(
    ("id", "rules", "side"), [(MD, {}, "pair_plus"), (PRIME, {"prime": True}, "prime")]
)
def test_what_was_settled_before_a_player_walked_away(id: str, rules: dict, side: str) -> None:
    """Ace, king, eight lost to a nine that was a seven: only the side wager was abandoned."""
    driver = keyed(id, rules, players=2)
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00", side: "5.00"})
    driver.until("deciding")
    for seat in (1, 2):
        driver.send("play", "player", seat=seat)
    driver.until("revealing")
    driver.send("reveal_dealer", "dealer", cards=("Ac", "Kd", "9h"))
    driver.send("turn_hand", "dealer", seat=2, cards=("Ad", "Ks", "8h"))
    for _ in ("ante", "play"):
        driver.send("settle_next", "dealer")
    abandoned(driver, 2)
    assert nets(driver)[2] == -2500
    correct(driver, "dealer", "9h", "7h")
    # ante and play win 10 each; the side wager stays lost
    assert nets(driver)[2] == 2000 - 500
    correct(driver, "dealer", "7h", "9h")
    assert nets(driver)[2] == -2500
    driver.send("turn_hand", "dealer", seat=1, cards=("2d", "7s", "Th"))
    driver.until("shuffling")
    check_all(driver)


@cites(MD, "7.C(2)")
@cites(PRIME, "679a.7(b)")
@cites(SAIGON, "680a.7(b)")
@pytest.mark.parametrize("id", [MD, PRIME, SAIGON])
def test_what_was_abandoned_stays_lost(id: str) -> None:
    driver = keyed(id, players=2)
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00"})
    driver.until("deciding")
    abandoned(driver, 2)
    driver.send("set_hands" if id == SAIGON else "play", "player", seat=1)
    driver.until("revealing")
    hole = ("Ac", "Kd", "9h", "2c", "2d") if id == SAIGON else ("Ac", "Kd", "9h")
    driver.send("reveal_dealer", "dealer", cards=hole)
    correct(driver, "dealer", "9h", "7h")
    assert nets(driver)[2] == -1000
    check_all(driver)


def after_matching(cards: str, **more: str) -> Driver:
    """Two boxes and the dealer have these cards, and Match-the-Dealer is settled."""
    driver = keyed(DOWN_UNDER, {"match_the_dealer": True}, players=2)
    for seat in (1, 2):
        driver.wager(seat, {"bet": "10.00", "match_the_dealer": "5.00", **more})
    for card in cards.split():
        driver.send("deal", "dealer", cards=(card,))
    driver.send("deal", "dealer")
    while driver.table.phase == "matching":
        driver.send("settle_next", "dealer")
    return driver


@cites(DOWN_UNDER, "685a.7(f)", "685a.11(c)", "685a.12(f)", "685a.12(h)")
@pytest.mark.parametrize("both", [False, True])
def test_a_dead_hand_is_paid_for_the_match_that_it_had(both: bool) -> None:
    """The up card was read as the nine; it is the eight of another suit: 4 to 1."""
    driver = after_matching("8c 5d 9s Kc 7d")
    driver.send("read_hole_card", "dealer", light="blue")
    driver.send("wrong_light", "dealer", cause="light")
    driver.send("call_hand_dead", "dealer", seat=1)
    driver.send("call_hand_dead" if both else "hand_goes_on", "dealer", seat=2)
    assert nets(driver)[1] == -500
    correct(driver, "dealer", "9s", "8s")
    assert nets(driver)[1] == 2000
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(g)", "685a.7(f)")
def test_the_match_of_the_last_hand_that_dies_while_the_dealer_draws() -> None:
    """The five that was paid 11 to 1 was an ace; the hand is then found to lack a card it asked for."""
    driver = keyed(DOWN_UNDER, {"match_the_dealer": True})
    driver.wager(1, {"bet": "10.00", "match_the_dealer": "5.00"})
    for card in ("4s", "5c", "5c"):
        driver.send("deal", "dealer", cards=(card,))
    driver.send("deal", "dealer")
    driver.send("settle_next", "dealer")
    assert nets(driver) == {1: 5500 - 1000}
    driver.send("read_hole_card", "dealer", light="blue")
    driver.send("stand", "player", seat=1)
    driver.send("reveal_dealer", "dealer", cards=("4c",))
    correct(driver, "seat.1", "5c", "Ad")
    driver.send("missed_hit", "dealer", seat=1, late_card=False)
    assert driver.table.phase == "clearing"
    assert nets(driver) == {1: -500}
    check_all(driver)


@cites(DOWN_UNDER, "685a.8(a)", "685a.12(h)")
def test_insurance_that_a_dead_hand_lost_on_what_was_no_ace_goes_back() -> None:
    driver = after_matching("8c 5d As Kc 7d")
    driver.send("insure", "player", seat=1, amount="5.00")
    driver.send("close_insurance", "dealer")
    driver.send("read_hole_card", "dealer", light="blue")
    driver.send("settle_next", "dealer")
    driver.send("wrong_light", "dealer", cause="light")
    driver.send("call_hand_dead", "dealer", seat=1)
    driver.send("hand_goes_on", "dealer", seat=2)
    assert nets(driver)[1] == -1000  # the match and insurance
    correct(driver, "dealer", "As", "4s")
    assert nets(driver)[1] == -500
    driver.until("deciding")
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(h)", "685a.7(f)")
def test_the_match_of_a_dead_hand_stays_as_the_right_cards_decided_it() -> None:
    """Without a correction a dead hand keeps what it was paid, to the end of the round."""
    driver = shoe("9c 5d 9s Kc 7d 2s", {"match_the_dealer": True}, players=2)
    for seat in (1, 2):
        driver.wager(seat, {"bet": "10.00", "match_the_dealer": "5.00"})
    driver.until("deciding")
    driver.send("wrong_light", "dealer", cause="area", area="large")
    driver.send("call_hand_dead", "dealer", seat=1)
    driver.send("hand_goes_on", "dealer", seat=2)
    driver.send("stand", "player", seat=2)
    driver.until("betting")
    assert nets(driver)[1] == 2000
    check_all(driver)


# a box waits for its second card


def finish(driver: Driver) -> None:
    """Everybody stands, and the round is played to its end."""
    while driver.table.hands:
        standing = [step for step in driver.steps() if step.command == "stand"]
        if standing:
            driver.send("stand", "player", seat=standing[0].seat)
        else:
            key_in(driver)
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(f)", "685a.12(h)", "685a.7(f)")
def test_while_the_dealer_chooses_for_hands_and_a_box_is_owed_a_card() -> None:
    """Box 1 matches the right up card; box 2 is figured when it has its second card."""
    driver = after_matching("8c 5d 9s Kc 7d")
    driver.send("read_hole_card", "dealer", light="blue")
    driver.send("wrong_light", "dealer", cause="light")
    driver.send("no_card_dealt", "dealer", seat=2, second_card=True)
    correct(driver, "dealer", "9s", "8s")
    assert nets(driver) == {1: 2000 - 1000, 2: -1500}
    (paid,) = since(driver, 0, e.PaymentCorrected)
    assert (paid.seat, paid.amount, paid.reason) == (1, "25.00", "misread")
    for seat in (1, 2):
        driver.send("hand_goes_on", "dealer", seat=seat)
    driver.send("deal", "dealer", cards=("8d",))
    # the second card came late, and matches as if it had been there in time
    assert nets(driver) == {1: 1000, 2: 1000}
    finish(driver)


@cites(DOWN_UNDER, "685a.12(j)", "685a.7(f)")
def test_while_the_cards_are_shuffled_again_in_the_deal() -> None:
    rules = {"dealing": "continuous_shuffler", "match_the_dealer": True}
    driver = keyed(DOWN_UNDER, rules, players=2)
    for seat in (1, 2):
        driver.wager(seat, {"bet": "10.00", "match_the_dealer": "5.00"})
    for card in ("8c", "5d", "9s"):
        driver.send("deal", "dealer", cards=(card,))
    driver.send("device_jams", "dealer", device="continuous_shuffler")
    correct(driver, "dealer", "9s", "8s")
    driver.send("shuffle", "device")
    for card in ("Kc", "7d"):
        driver.send("deal", "dealer", cards=(card,))
    driver.send("deal", "dealer")
    for _ in range(2):
        driver.send("settle_next", "dealer")
    assert nets(driver) == {1: 1000, 2: -1500}
    finish(driver)


@cites(DOWN_UNDER, "685a.8(a)", "685a.12(f)")
def test_insurance_on_what_was_no_ace_is_off_while_a_box_is_owed_a_card() -> None:
    driver = after_matching("8c 5d As Kc 7d")
    driver.send("insure", "player", seat=1, amount="5.00")
    driver.send("no_card_dealt", "dealer", seat=2, second_card=True)
    correct(driver, "dealer", "As", "4s")
    assert nets(driver)[1] == -1500  # the bet and the match, and insurance no more
    driver.send("deal", "dealer", cards=("7d",))
    assert driver.table.phase == "reading"
    finish(driver)


@cites(DOWN_UNDER, "685a.12(f)", "685a.7(f)")
def test_a_hand_that_died_with_one_card_has_no_match_to_be_figured() -> None:
    driver = after_matching("8c 5d 9s Kc 7d")
    driver.send("no_card_dealt", "dealer", seat=2, second_card=True)
    driver.send("no_card_dealt", "dealer", seat=2)
    assert nets(driver)[2] == -500
    correct(driver, "dealer", "9s", "8s")
    assert nets(driver) == {1: 1000, 2: -500}
    finish(driver)
