"""What a dealer, a player or a device could do wrongly, and the table's answer to each."""

from __future__ import annotations

import pytest
from tables import check_all, in_tray, opened, refused, since, stands

from houseway.cards import SeededSource
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, cites
from houseway.table import events as e
from houseway.table import next_steps, rules_of
from houseway.table.card_source import pack
from houseway.table.driver import Driver

POKER = (MD, MA, PRIME, SAIGON)


# decks


@cites(MD, "3.B(4)")
@cites(MA, "2(b)(4)")
@cites(PRIME, "679a.3(b)(3)")
@cites(SAIGON, "680a.3(b)(3)")
@pytest.mark.parametrize("chapter", POKER)
def test_a_deck_is_not_played_twice_running_even_if_the_other_was_not_shuffled_in_time(chapter):
    driver = opened(chapter, {"shuffler": "plain", "decks_in_play": 2}, players=1)
    used = []
    for _ in range(4):
        driver.until("betting")
        driver.wager(1, {"ante": "10.00"})
        used.append(driver.table.in_play)
        while driver.table.round < len(used) or driver.table.hands:
            # the device is left alone until the round is over
            step = next(
                step
                for step in next_steps(driver.table)
                if step.kind == "next" and step.command not in ("shuffle", "place_wager")
            )
            driver.send(step.command, step.role, seat=step.seat, **driver.fields_of(step))
        check_all(driver)
    assert used == ["1", "2", "1", "2"]


@cites(DOWN_UNDER, "685a.3(b)(4)", "685a.5(f)", "685a.5(c)(4)")
def test_a_shoe_that_the_floor_ends_is_followed_by_the_other_batch():
    driver = opened(DOWN_UNDER, {"shuffler": "plain"}, players=2)
    assert driver.table.in_play == "1"
    # nothing was dealt of this shoe: it is only shuffled again
    driver.send("order_reshuffle", "floorperson", reason="a doubt")
    driver.until("betting")
    assert driver.table.in_play == "1"
    driver.wager(1, {"bet": "10.00"})
    driver.finish(stands)
    driver.send("order_reshuffle", "floorperson", reason="a doubt")
    assert driver.table.in_play == "2"
    assert "discard" not in driver.table.piles
    # the cut is offered from the dealer's right, as after every reshuffle that was ordered
    assert driver.table.cut_offers == (2, 1)
    driver.until("betting")
    assert driver.table.in_play == "2"
    check_all(driver)


@cites(MD, "5.D", "3.B(4)")
@cites(DOWN_UNDER, "685a.3(b)")
@pytest.mark.parametrize("chapter", [MD, DOWN_UNDER])
def test_a_waiting_deck_that_was_miscounted_in_a_round_is_replaced_before_the_next(chapter):
    driver = opened(chapter, {"shuffler": "counting", "decks_in_play": 2}, players=1)
    for _ in range(2):  # the first round's deck comes out to be shuffled
        if driver.table.phase == "betting":
            driver.wager(1, {"bet" if chapter == DOWN_UNDER else "ante": "10.00"})
        if chapter == DOWN_UNDER:
            driver.finish(stands)
            driver.send("order_reshuffle", "floorperson", reason="a doubt")
            driver.send("shuffle", "device", count=7)
            break
        if driver.table.decks["1"].stage == "stacked":
            driver.send("no_more_bets", "dealer")
            driver.send("shuffle", "device", count=51)
            driver.finish(stands)
            break
        driver.finish(stands)
    assert "1" not in driver.table.decks
    assert driver.table.phase == "opening"
    assert refused(driver, "place_wager", "player", seat=1, wager="ante", amount="5.00").code == (
        "out_of_turn"
    )
    driver.until("betting")
    assert set(driver.table.decks) == {"1", "2"}
    check_all(driver)


def _two_decks(chapter):
    """A counting shuffler and two decks; the first has been played, the second lies in the shoe."""
    driver = opened(chapter, {"shuffler": "counting", "decks_in_play": 2}, players=1)
    driver.wager(1, {"ante": "10.00"})
    driver.finish(stands)
    assert (driver.table.in_play, driver.table.phase) == ("2", "betting")
    return driver


@cites(MD, "3.B(4)", "5.D")
@cites(MA, "2(b)(4)", "7(f)")
@cites(PRIME, "679a.3(b)(3)", "679a.5(b)")
@cites(SAIGON, "680a.3(b)(3)", "680a.5(b)")
@pytest.mark.parametrize("chapter", POKER)
@pytest.mark.parametrize("preshuffled", [False, True])
def test_a_deck_in_place_of_one_that_was_miscounted_has_its_turn(chapter, preshuffled):
    driver = _two_decks(chapter)
    driver.wager(1, {"ante": "10.00"})
    driver.send("no_more_bets", "dealer")
    driver.send("shuffle", "device", count=51)
    assert set(driver.table.decks) == {"2"}
    driver.finish(stands)
    order = pack(rules_of(driver.table)) if preshuffled else ()
    driver.send("receive_decks", "system", deck="1", preshuffled=preshuffled, order=order)
    driver.until("betting")
    # deck 2 was used for the last round: this one is the other's
    assert driver.table.in_play == "1"
    driver.wager(1, {"ante": "10.00"})
    driver.finish(stands)
    assert driver.table.in_play == "2"
    check_all(driver)


@cites(MD, "3.B(4)", "8.H(2)")
@cites(MA, "2(b)(4)", "7(e)(2)")
@cites(PRIME, "679a.3(b)(3)", "679a.8(g)")
@cites(SAIGON, "680a.3(b)(3)", "680a.8(g)")
@pytest.mark.parametrize("chapter", POKER)
def test_after_a_deck_that_was_not_complete_the_other_has_its_turn(chapter):
    driver = _two_decks(chapter)
    driver.wager(1, {"ante": "10.00"})
    driver.until("stub")
    driver.send("count_stub", "dealer", count=len(driver.table.piles["shoe"]) - 1, misdealt=False)
    assert set(driver.table.decks) == {"1"}
    driver.until("betting")
    assert driver.table.in_play == "1"
    assert set(driver.table.decks) == {"1", "2"}
    check_all(driver)


@cites(MD, "3.B(4)", "3.C")
@pytest.mark.parametrize("changed", ["1", "2"])
def test_a_deck_that_is_changed_leaves_its_turn_to_the_fresh_one(changed):
    driver = _two_decks(MD)  # deck 1, not shuffled yet, waits; deck 2 is to be played
    driver.send("change_decks", "dealer", deck=changed, back="green")
    driver.until("betting")
    assert driver.table.in_play == "2"
    check_all(driver)


@cites(MD, "3.B", "13.H")
@cites(SAIGON, "680a.3(b)", "680a.13(f)")
@pytest.mark.parametrize("chapter", [MD, SAIGON])
@pytest.mark.parametrize("left", ["1", "2"])
def test_with_the_shuffler_covered_one_deck_is_played_whichever_is_left(chapter, left):
    driver = _two_decks(chapter)
    driver.wager(1, {"ante": "10.00"})
    if left == "2":
        driver.send("no_more_bets", "dealer")
        driver.send("shuffle", "device", count=51)
        driver.finish(stands)
    else:
        driver.finish(stands)
        driver.send("shuffle", "device", count=51)
    driver.send("device_breaks", "dealer", device="shuffler")
    driver.send("set_device_aside", "floorperson", device="shuffler", how="covered")
    for _ in range(2):
        driver.until("betting")
        assert set(driver.table.decks) == {left}
        driver.wager(1, {"ante": "10.00"})
        driver.finish(stands)
    driver.send("change_decks", "dealer", deck=left, back="green")
    driver.until("betting")
    assert set(driver.table.decks) == {left}
    refusal = refused(driver, "change_decks", "dealer", deck={"1": "2", "2": "1"}[left])
    assert (refusal.code, refusal.field) == ("no_such_deck", "deck")
    check_all(driver)


@cites(MD, "3.B", "13.H")
@pytest.mark.parametrize("shuffled", [0, 1])
def test_a_shuffler_that_breaks_before_the_first_round_leaves_one_deck(shuffled):
    driver = Driver(MD, {"shuffler": "plain", "decks_in_play": 2}, source=SeededSource(1))
    driver.seat_player(1, "ann")
    driver.until("shuffling")
    for _ in range(shuffled):
        driver.house()
    driver.send("device_breaks", "dealer", device="shuffler")
    driver.send("set_device_aside", "floorperson", device="shuffler", how="signed")
    driver.until("betting")
    assert set(driver.table.decks) == {"1"}
    check_all(driver)


@cites(MD, "8.F", "5.D(1)")
@cites(MA, "7(e)", "7(f)")
@cites(PRIME, "679a.8(e)")
@cites(SAIGON, "680a.8(e)")
@pytest.mark.parametrize("chapter", POKER)
def test_a_device_that_does_not_say_its_count_spares_no_count_of_the_stub(chapter):
    driver = opened(chapter, {"shuffler": "counting"}, players=1)
    asked = []
    for number in range(1, 6):
        if driver.table.phase == "shuffling":
            driver.send("shuffle", "device")
        driver.wager(1, {"ante": "10.00"})
        driver.until("stub")
        asked.append("remove_stub" in {step.command for step in next_steps(driver.table)})
        driver.send("wrong_number_of_cards", "dealer", seat=1, count=2)
        assert driver.table.round == number
    # the first shuffle was the system's own, which is counted; the fifth round's stub is due
    assert asked == [True, True, True, True, False]
    assert driver.table.phase == "shuffling"
    whole = 53 if chapter == SAIGON else 52
    driver.send("shuffle", "device", count=whole)
    driver.wager(1, {"ante": "10.00"})
    driver.until("stub")
    driver.send("remove_stub", "dealer")


# the burn card


@cites(DOWN_UNDER, "685a.7(c)")
@pytest.mark.parametrize("when", ["shuffling", "betting"])
def test_a_new_dealer_burns_a_card_at_a_continuous_shuffler_too(when):
    driver = opened(DOWN_UNDER, {"dealing": "continuous_shuffler"}, players=1)
    driver.wager(1, {"bet": "10.00"})
    driver.finish(stands)
    driver.until(when)
    before = driver.table.version
    driver.send("change_dealer", "floorperson", dealer="another")
    driver.until("betting")
    burned = since(driver, before, e.CardsDealt)
    assert [(event.to, event.face_up, event.clause) for event in burned] == [
        ("discard", False, "685a.7(c)")
    ]
    # once is enough, and who stays burns no more
    driver.wager(1, {"bet": "10.00"})
    driver.finish(stands)
    after = driver.table.version
    driver.until("betting")
    assert not since(driver, after, e.CardsDealt)


@cites(DOWN_UNDER, "685a.7(c)", "685a.5(h)")
def test_each_full_batch_is_burned_though_a_device_reshuffles_it():
    """5(h) spares the cut and the cover card, not the burn card of 7(c)."""
    driver = opened(DOWN_UNDER, {"shuffler": "reshuffling"}, players=1)
    for _ in range(3):
        driver.wager(1, {"bet": "10.00"})
        driver.finish(stands)
        before = driver.table.version
        driver.until("betting")
        assert [event.to for event in since(driver, before, e.CardsDealt)] == ["discard"]


# wagers


@cites(MD, "7.H")
@cites(MA, "6(e)")
@cites(PRIME, "679a.7(e)")
@cites(SAIGON, "680a.7(e)")
@cites(DOWN_UNDER, "685a.6(f)")
@pytest.mark.parametrize("chapter", [*POKER, DOWN_UNDER])
def test_a_wager_taken_back_leaves_no_gap_between_a_players_boxes(chapter):
    driver = Driver(chapter, {"adjacent_boxes": 3}, source=SeededSource(1))
    for seat in (1, 2, 3):
        driver.seat_player(seat, "ann")
    driver.ready()
    wager = "bet" if chapter == DOWN_UNDER else "ante"
    for seat in (1, 2, 3):
        driver.wager(seat, {wager: "10.00"})
    driver.send("take_back_wager", "player", seat=2, wager=wager)
    closing = "deal" if chapter == DOWN_UNDER else "no_more_bets"
    assert refused(driver, closing, "dealer").code == "boxes_not_adjacent"
    driver.send("take_back_wager", "player", seat=3, wager=wager)
    driver.send(closing, "dealer")
    assert driver.table.hands == (1,)


@cites(MD, "7.H")
@cites(PRIME, "679a.7(e)")
@cites(SAIGON, "680a.7(e)")
@cites(DOWN_UNDER, "685a.6(f)")
@pytest.mark.parametrize("chapter", [MD, PRIME, SAIGON, DOWN_UNDER])
def test_a_wager_is_offered_only_where_it_is_taken(chapter):
    """A player with three boxes may begin anywhere, and goes on beside the first."""
    driver = Driver(chapter, {"adjacent_boxes": 2}, source=SeededSource(1))
    for seat in (1, 2, 3):
        driver.seat_player(seat, "ann")
    driver.until("betting")
    wager = "bet" if chapter == DOWN_UNDER else "ante"

    def offered():
        return [step.seat for step in driver.steps() if step.command == "place_wager"]

    assert offered() == [1, 2, 3]
    driver.wager(1, {wager: "10.00"})
    assert offered() == [1, 2]
    assert refused(driver, "place_wager", "player", seat=3, wager=wager, amount="10.00").clause
    driver.wager(2, {wager: "10.00"})
    assert offered() == [1, 2], "two boxes are all that one player may have"


@cites(DOWN_UNDER, "685a.6(a)")
def test_a_spoken_wager_is_the_dealers_to_confirm_and_its_cash_becomes_chips():
    driver = opened(DOWN_UNDER, players=1)
    spoken = {"seat": 1, "wager": "bet", "amount": "10.00", "verbal": True}
    error = refused(driver, "place_wager", "player", **spoken)
    assert (error.code, error.clause) == ("verbal_wager", "685a.6(a)")
    before = in_tray(driver.table)
    driver.send("place_wager", "dealer", **spoken)
    assert (driver.table.drop, in_tray(driver.table)) == (1000, before - 1000)
    driver.send("take_back_wager", "player", seat=1, wager="bet")
    check_all(driver)


@cites(MA, "12(d)", "12(e)")
@cites(MA, "12(a)")
def test_cover_all_is_not_taken_without_the_shuffler_that_shows_it():
    driver = opened(MA, {"cover_all": True, "shuffler": "plain"}, players=1)
    driver.wager(1, {"ante": "10.00"})
    driver.send("device_breaks", "dealer", device="shuffler")
    cover_all = {"seat": 1, "wager": "cover_all", "amount": "5.00"}
    assert refused(driver, "place_wager", "player", **cover_all).clause == "12(e)"
    driver.send("set_device_aside", "floorperson", device="shuffler", how="removed")
    assert refused(driver, "place_wager", "player", **cover_all).code == "device_out_of_order"
    driver.send("repair_device", "floorperson", device="shuffler")
    driver.send("place_wager", "player", **cover_all)


@cites(MD, "7.C(2)", "11.A(1)", "11.A(2)")
def test_nobody_else_decides_for_a_player_who_left():
    driver = opened(MD, players=2)
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00"})
    driver.until("deciding")
    driver.send("leave_seat", "floorperson", seat=1)
    for name in ("play", "fold"):
        error = refused(driver, name, "player", seat=1, who="player 2")
        assert error.code == "nobody_there"
    driver.send("declare_abandoned", "floorperson", seat=1)


@cites(MD, "7.C", "7.C(2)")
def test_a_seat_whose_wagers_were_abandoned_is_free_after_the_round():
    driver = opened(MD, players=2)
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00"})
    driver.until("deciding")
    driver.send("leave_seat", "floorperson", seat=1)
    driver.send("declare_abandoned", "floorperson", seat=1)
    newcomer = {"seat": 1, "who": "new", "player": "new"}
    error = refused(driver, "sit_down", "player", **newcomer)
    # the wagers were collected: it is the round that is not over
    assert (error.code, "wagers" in str(error)) == ("seat_taken", False)
    driver.finish(stands)
    driver.send("sit_down", "player", **newcomer)


@cites(MD, "7.C(2)")
def test_what_is_abandoned_is_lost_wager_by_wager_the_progressive_too():
    driver = opened(MD, {"progressive": "A"}, players=2)
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00", "progressive": "1.00"})
    driver.until("deciding")
    driver.send("leave_seat", "floorperson", seat=1)
    tray = in_tray(driver.table)
    events = driver.send("declare_abandoned", "floorperson", seat=1)
    lost = [
        (event.wager, event.result, event.stake, event.clause)
        for event in events
        if isinstance(event, e.WagerSettled)
    ]
    # the dollar was in the tray before: only the ante comes in
    assert lost == [
        ("ante", "lose", "10.00", "7.C(2)"), ("progressive", "lose", "1.00", "7.C(2)"),
    ]  # fmt: skip
    assert in_tray(driver.table) == tray + 1000
    driver.finish(stands)
    check_all(driver)


def test_nobody_tips_from_an_empty_seat():
    driver = opened(MD, players=1)
    assert refused(driver, "tip", "dealer", seat=5, amount="5.00").code == "nobody_there"


@cites(MD, "7.E")
@cites(MA, "6(d)")
@cites(PRIME, "679a.7(c)")
@cites(SAIGON, "680a.7(c)")
@pytest.mark.parametrize("chapter", POKER)
def test_a_recut_after_no_more_bets_opens_no_bets(chapter):
    driver = opened(chapter, players=1)
    driver.wager(1, {"ante": "10.00"})
    driver.send("no_more_bets", "dealer")
    driver.send("order_recut", "floorperson", reason="a loose cut")
    assert driver.table.phase == "cutting"
    more = {"seat": 1, "wager": "ante", "amount": "10.00"}
    assert refused(driver, "place_wager", "player", **more).code == "out_of_turn"
    assert refused(driver, "take_back_wager", "player", seat=1, wager="ante").code == "out_of_turn"
    driver.send("cut", "dealer", depth=20)
    assert driver.table.phase == "dealing"


# mid-shoe entry


@cites(DOWN_UNDER, "685a.6(b)")
def test_who_wagers_on_one_box_has_not_sat_out_with_another():
    """The house may keep out a patron who made no wager in a round, not an empty box of one who did."""
    rules = {"mid_shoe_entry": False, "adjacent_boxes": 2}
    driver = Driver(DOWN_UNDER, rules, source=SeededSource(1))
    for seat, player in ((1, "ann"), (2, "ann"), (4, "bob")):
        driver.seat_player(seat, player)
    driver.ready()
    driver.wager(1, {"bet": "10.00"})
    driver.finish(stands)
    driver.until("betting")
    driver.wager(2, {"bet": "10.00"})
    error = refused(driver, "place_wager", "player", seat=4, wager="bet", amount="10.00")
    assert error.code == "no_mid_shoe_entry"
    # a newcomer waits too; who plays on takes a further box
    driver.seat_player(3, "eve")
    assert driver.table.boxes[2].sat_out
    driver.send("leave_seat", "floorperson", seat=3)
    driver.seat_player(3, "ann")
    assert not driver.table.boxes[2].sat_out
