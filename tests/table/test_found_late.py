"""What goes wrong and is found late, or while cards are turned, keyed in and cleared away."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import (
    GAMES,
    bets,
    check_all,
    deal_all,
    in_tray,
    key_in,
    keyed,
    nets,
    opened,
    refused,
    shoe,
    since,
    stands,
)

from houseway.cards import SeededSource
from houseway.errors import Refused
from houseway.games.down_under.table.state import own
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, cites
from houseway.table import events as e
from houseway.table import next_steps, run
from houseway.table.commands import ReceiveDecks
from houseway.table.driver import Driver

POKER = (MD, MA, PRIME, SAIGON)


# misfortunes found late


@cites(MD, "13.D")
@cites(MA, "14(c)")
@cites(PRIME, "679a.13(c)")
@cites(SAIGON, "680a.13(c)")
@pytest.mark.parametrize("settled", [0, 1, 3])
@pytest.mark.parametrize("chapter", POKER)
def test_a_wrong_number_of_cards_found_when_the_hands_are_turned_undoes_what_was_settled(
    chapter, settled
):
    rules = {"settlement": "by_player"} if chapter == MA else {}
    driver = opened(chapter, rules, players=3, seed=2)
    tray = in_tray(driver.table)
    for seat in (1, 2, 3):
        driver.wager(seat, {"ante": "10.00"})
    driver.until("deciding")
    while driver.table.phase == "deciding":
        step = next(step for step in next_steps(driver.table) if step.kind == "next")
        name = "fold" if step.seat == 2 and chapter != SAIGON else step.command
        driver.send(name, "player", seat=step.seat)
    driver.until("settling")
    while sum(line.result != "forfeit" for line in driver.table.settled) < settled:
        driver.house()
    error = refused(driver, "wrong_number_of_cards", "dealer", seat=4, count=2)
    assert error.code == "no_wager"
    events = driver.send("wrong_number_of_cards", "dealer", seat=1, count=2)
    assert isinstance(events[0], e.RoundVoided)
    # to the cent: nobody is up or down, and the tray holds what it held
    assert set(nets(driver).values()) == {0}
    assert in_tray(driver.table) == tray
    assert not driver.table.hands
    assert driver.table.settled == ()
    check_all(driver)
    driver.until("betting")


@cites(MD, "13.G")
@cites(MA, "14(f)")
@cites(PRIME, "679a.13(f)")
@cites(SAIGON, "680a.13(e)")
@pytest.mark.parametrize("chapter", POKER)
def test_an_automated_shoe_that_jams_between_rounds_is_emptied_and_reshuffled(chapter):
    driver = opened(chapter, {"dealing": "automated_shoe", "shuffler": "plain"}, players=1)
    driver.wager(1, {"ante": "10.00"})
    driver.send("device_jams", "device", device="automated_shoe")
    assert driver.table.phase == "shuffling"
    assert driver.table.boxes[0].layout == {"ante": 1000}
    assert refused(driver, "device_jams", "device", device="automated_shoe").code == "out_of_turn"
    driver.until("betting")
    driver.finish(stands)
    check_all(driver)


@cites(MD, "13.G")
def test_an_automated_shoe_that_jams_before_its_first_stack_voids_the_round():
    rules = {"dealing": "automated_shoe", "shuffler": "plain", "progressive": "A"}
    driver = opened(MD, rules, players=1)
    meter = driver.table.meters["progressive"]
    driver.wager(1, {"ante": "10.00", "progressive": "1.00"})
    driver.send("no_more_bets", "dealer")
    assert driver.table.phase == "chips"
    driver.send("device_jams", "device", device="automated_shoe")
    assert nets(driver) == {1: 0}
    assert driver.table.meters["progressive"] == meter


@cites(PRIME, "679a.13(d)")
def test_an_ante_folded_before_the_dealers_card_was_seen_goes_back_by_that_clause():
    driver = opened(PRIME, {"prime": True}, players=2)
    driver.wager(1, {"ante": "10.00"})
    driver.wager(2, {"ante": "10.00", "prime": "5.00"})
    driver.until("deciding")
    driver.send("fold", "player", seat=1)
    driver.send("play", "player", seat=2)
    driver.until("revealing")
    driver.send("dealer_card_exposed", "dealer")
    driver.finish(stands)
    back = [event for event in driver.record if isinstance(event, e.PaymentCorrected)]
    assert [(event.seat, event.amount, event.clause) for event in back] == [
        (1, "10.00", "679a.13(d)")
    ]
    assert nets(driver)[1] == 0


@cites(DOWN_UNDER, "685a.12(g)")
@pytest.mark.parametrize("both_stand", [True, False])
def test_a_missed_card_goes_to_the_hand_of_the_split_that_asked_for_it(both_stand):
    # eights split: the first hand gets a ten and busts or stands, the second a nine
    driver = shoe("8c 5d 8d 9s Th Ts 9h 2d" if not both_stand else "8c 5d 8d 9s Th 9h 2d")
    bets(driver, 1)
    deal_all(driver)
    driver.until("deciding")
    driver.send("split", "player", seat=1)
    driver.send("deal", "dealer")
    driver.send("stand" if both_stand else "hit", "player", seat=1)
    driver.send("deal", "dealer")
    driver.send("stand", "player", seat=1)
    missed = {"seat": 1, "late_card": True}
    if both_stand:
        assert refused(driver, "missed_hit", "dealer", **missed).code == "which_hand"
        missed["hand"] = 2
    else:
        error = refused(driver, "missed_hit", "dealer", hand=1, **missed)
        assert error.code == "which_hand"
    driver.send("missed_hit", "dealer", **missed)
    driver.send("deal", "dealer")
    assert driver.table.piles["seat.1.2"] == ("8d", "9h", "2d")
    assert driver.table.phase == "revealing"
    driver.until("betting")
    check_all(driver)


def _split_eights(then):
    """Eights split against a 5: hand 1 has 18, hand 2 has 17, and each stands; then these cards."""
    driver = shoe(f"8c 5d 8d 9s Th 9h {then}")
    bets(driver, 1)
    deal_all(driver)
    driver.until("deciding")
    driver.send("split", "player", seat=1)
    for _ in range(2):
        driver.send("deal", "dealer")
        driver.send("stand", "player", seat=1)
    return driver


@cites(DOWN_UNDER, "685a.12(g)", "685a.10(a)")
@pytest.mark.parametrize(("hand", "net"), [(1, -1000), (2, 1000)])
def test_of_a_split_only_the_hand_whose_card_was_missed_is_dead(hand, net):
    # hand 2's 17 alone loses to 5 + 9 + 4; hand 1's 18 alone beats 5 + 9 + 3
    driver = _split_eights({1: "4c", 2: "3c"}[hand])
    driver.send("missed_hit", "dealer", seat=1, hand=hand, late_card=False)
    back = [event for event in driver.record if isinstance(event, e.WagerReturned)]
    wager = {1: "bet", 2: "split"}[hand]
    assert [(event.seat, event.wager, event.amount) for event in back] == [(1, wager, "10.00")]
    assert not driver.table.boxes[0].out
    assert {name for name in driver.table.piles if name.startswith("seat.")} == {
        {1: "seat.1.2", 2: "seat.1"}[hand]
    }
    driver.until("betting")
    assert nets(driver) == {1: net}
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(g)")
def test_with_both_hands_of_a_split_dead_the_seat_is_out():
    driver = _split_eights("4c")
    driver.send("missed_hit", "dealer", seat=1, hand=2, late_card=False)
    # a late card that was promised first is not owed to a hand that is then called dead
    driver.send("missed_hit", "dealer", seat=1, hand=1, late_card=True)
    driver.send("missed_hit", "dealer", seat=1, hand=1, late_card=False)
    assert driver.table.boxes[0].out
    assert not own(driver.table).late_cards
    assert driver.table.phase == "clearing"
    driver.until("betting")
    assert nets(driver) == {1: 0}
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(h)", "685a.10(a)")
@pytest.mark.parametrize(("dead", "net"), [(1, -1000), (2, 0), (0, 0)])
def test_after_a_wrong_light_the_dealer_chooses_for_each_hand_of_a_split(dead, net):
    driver = _split_eights("4c")
    driver.send("wrong_light", "dealer", cause="area")
    refusal = refused(driver, "call_hand_dead", "dealer", seat=1, hand=3)
    assert (refusal.code, refusal.field) == ("no_such_hand", "hand")
    driver.send("call_hand_dead", "dealer", seat=1, hand=dead)
    driver.until("betting")
    # the dealer's 18 ties hand 1 and beats hand 2
    assert nets(driver) == {1: net}
    check_all(driver)


# Cover All and clearing by player


@cites(MA, "12(h)", "12(i)", "10(c)(2)(iii)")
def test_only_the_highest_hand_so_far_stays_exposed_and_the_others_are_cleared_in_turn():
    rules = {"settlement": "by_player", "cover_all": True, "shuffler": "plain"}
    driver = Driver(MA, rules, source=SeededSource(1))
    for seat in (1, 2, 3, 4):
        driver.seat_player(seat, f"player {seat}")
    driver.until("shuffling")
    driver.send("shuffle", "device")
    driver.until("betting")
    for seat in (1, 2, 3, 4):
        driver.wager(seat, {"ante": "10.00", "cover_all": "5.00"})
    driver.until("deciding")
    for seat in (1, 2, 3, 4):
        driver.send("play", "player", seat=seat)
    driver.send("reveal_dealer", "dealer", cards=("2c", "7d", "9h"))

    def settled(seat, *cards):
        driver.send("turn_hand", "dealer", seat=seat, cards=cards)
        while any(line.seat == seat and line.wager != "cover_all" for line in driver.table.due):
            driver.send("settle_next", "dealer")

    def lying():
        return {name for name in driver.table.piles if name.startswith("seat")}

    settled(4, "4c", "5d", "6h")  # a straight: stays
    assert refused(driver, "clear_hands", "dealer", seat=4).code == "out_of_turn"
    settled(3, "Kc", "Jd", "9s")  # nothing: collected before the next, though seat 4's stays
    error = refused(driver, "turn_hand", "dealer", seat=2, cards=("8c", "8d", "8h"))
    assert error.code == "clear_first"
    driver.send("clear_hands", "dealer", seat=3)
    # three of a kind is higher: it stays, and the straight goes
    driver.send("turn_hand", "dealer", seat=2, cards=("8c", "8d", "8h"))
    assert refused(driver, "settle_next", "dealer").code == "clear_first"
    driver.send("clear_hands", "dealer", seat=4)
    while any(line.seat == 2 and line.wager != "cover_all" for line in driver.table.due):
        driver.send("settle_next", "dealer")
    settled(1, "5s", "6s", "7c")  # a straight again, lower than what lies there
    driver.send("clear_hands", "dealer", seat=1)
    assert lying() == {"seat.2"}
    driver.until("betting")
    check_all(driver)


@cites(MA, "12(h)", "12(i)", "13(e)(b)")
@pytest.mark.parametrize(
    ("wagers", "hands", "stays"),
    [
        # nobody has made the wager that the hand is kept for
        ([{}, {}], ("4c 5d 6h", "As Ks Qs"), (False, False)),
        # equal hands: none is higher than the one that lies there
        ([{"cover_all": "5.00"}, {}], ("4c 5d 6h", "4d 5h 6c"), (True, True)),
        # no straight
        ([{"cover_all": "5.00"}, {}], ("Kc Ks 6h", "2d 5h 6c"), (False, False)),
        # nobody else has the progressive wager
        ([{}, {"progressive": "1.00"}], ("4c 5d 6h", "As Ks Qs"), (False, False)),
        ([{"progressive": "1.00"}, {}], ("4c 5d 6h", "As Ks Qs"), (False, True)),
        # the other has it, and this is no hand that others are paid for
        ([{"progressive": "1.00"}, {"progressive": "1.00"}], ("4c 5d 6h", "9s 8s 7s"), (False, False)),
    ],
)  # fmt: skip
def test_which_hands_stay_exposed(wagers, hands, stays):
    """Of seats 2 and 3, before the last player is settled."""
    rules = {"settlement": "by_player", "progressive": "1", "cover_all": True, "shuffler": "plain"}
    driver = keyed(MA, rules, players=3)
    for seat, more in enumerate([{}, *wagers], 1):
        driver.wager(seat, {"ante": "10.00", **more})
    driver.until("deciding")
    for seat in (1, 2, 3):
        driver.send("play", "player", seat=seat)
    driver.until("revealing")
    driver.send("reveal_dealer", "dealer", cards=("2c", "7d", "9h"))
    for seat in (3, 2):
        driver.send("turn_hand", "dealer", seat=seat, cards=tuple(hands[seat - 2].split()))
        while any(x.seat == seat and x.wager not in LATE for x in driver.table.due):
            key_in(driver)
        if stays[seat - 2]:
            assert refused(driver, "clear_hands", "dealer", seat=seat).code == "out_of_turn"
        else:
            driver.send("clear_hands", "dealer", seat=seat)
    lying = [seat for seat in (2, 3) if f"seat.{seat}" in driver.table.piles]
    assert lying == [seat for seat in (2, 3) if stays[seat - 2]]
    driver.send("turn_hand", "dealer", seat=1, cards=("3c", "5s", "Th"))
    driver.until("betting")
    check_all(driver)


#: settled at the end of the round
LATE = ("cover_all", "envy")


@cites(MA, "13(e)(b)", "13(e)(c)", "10(c)(2)(iii)")
def test_a_hand_that_pays_envy_stays_exposed_and_a_folded_one_does_not():
    rules = {"settlement": "by_player", "progressive": "1", "shuffler": "plain"}
    driver = keyed(MA, rules, players=3)
    for seat in (1, 2, 3):
        driver.wager(seat, {"ante": "10.00", "pair_plus": "5.00", "progressive": "1.00"})
    driver.until("deciding")
    for seat, decision in ((1, "play"), (2, "play"), (3, "fold")):
        driver.send(decision, "player", seat=seat)
    driver.until("revealing")
    driver.send("reveal_dealer", "dealer", cards=("2c", "7d", "9h"))

    def settled(seat, *cards):
        driver.send("turn_hand", "dealer", seat=seat, cards=cards)
        while any(line.seat == seat and line.wager != "envy" for line in driver.table.due):
            key_in(driver)

    settled(3, "Ah", "Kh", "Qh")  # folded: it is no hand that others win by
    assert refused(driver, "turn_hand", "dealer", seat=2, cards=("Ad", "Kd", "Qd")).code == (
        "clear_first"
    )
    driver.send("clear_hands", "dealer", seat=3)
    settled(2, "Ad", "Kd", "Qd")
    assert refused(driver, "clear_hands", "dealer", seat=2).code == "out_of_turn"
    settled(1, "3c", "5d", "8h")
    driver.send("clear_hands", "dealer", seat=1)
    assert "seat.2" in driver.table.piles
    before = driver.table.version
    driver.until("betting")
    envy = [x for x in since(driver, before, e.WagerSettled) if x.wager == "envy"]
    # $25 to the others with the wager for one hand of diamonds; who folded has it still
    assert [(x.seat, x.paid) for x in envy] == [(3, "25.00"), (1, "25.00")]
    check_all(driver)


# cards that are keyed in


@cites(MD, "11.D(3)", "11.D(3)(a)", "11.D(9)(b)")
@cites(MA, "10(c)(1)(i)", "10(c)(2)", "10(c)(2)(i)", "10(c)(2)(iii)")
@cites(PRIME, "679a.11(c)", "679a.11(c)(1)", "679a.11(d)(2)(ii)")
@cites(SAIGON, "680a.11(d)")
@pytest.mark.parametrize(("chapter", "rules", "wagers"), GAMES)
@given(seed=st.integers(0, 10_000))
@settings(max_examples=3, deadline=None)
def test_a_hand_that_is_keyed_in_is_settled_before_the_next_is_turned(chapter, rules, wagers, seed):
    """Nobody knew the cards: the order is the chapter's all the same."""
    rng = random.Random(seed)
    driver = keyed(chapter, rules, players=3)
    for seat in (1, 2, 3):
        driver.wager(seat, wagers)
    driver.until("deciding")
    while driver.table.phase == "deciding":
        asked = [step for step in next_steps(driver.table) if step.kind == "next" and step.seat]
        step = rng.choice(asked)
        driver.send(step.command, "player", seat=step.seat)
    before = driver.table.version
    while driver.table.hands:
        key_in(driver, rng.choice)
        check_all(driver)
    story = []
    for event in since(driver, before, e.Event):
        match event:
            case e.CardsTurned(place=place) if place.startswith(("seat", "three")):
                story.append(("turn", int(place.partition(".")[2])))
            case e.WagerSettled(seat=seat, wager=wager, result=result) if (
                result != "forfeit" and wager not in ("envy", "cover_all")
            ):
                story.append(("settle", seat))
    story = list(dict.fromkeys(story))
    turned = [seat for what, seat in story if what == "turn"]
    assert turned == sorted(turned, reverse=True)
    if chapter == MA and rules.get("settlement") != "by_player":
        assert [what for what, _ in story[: len(turned)]] == ["turn"] * len(turned)
    else:
        assert story == [(what, seat) for seat in turned for what in ("turn", "settle")]


def test_a_command_without_a_time_is_refused_before_it_is_on_the_record():
    """A deck received at no time could never be said to be changed in time."""
    driver = Driver(MD, source=SeededSource(1))
    for at in ("", "yesterday", "2026-13-01T00:00:00"):
        with pytest.raises(Refused) as found:
            run(driver.table, ReceiveDecks(role="dealer", at=at))
        assert (found.value.code, found.value.field) == ("not_a_time", "at")


@cites(DOWN_UNDER, "685a.12(i)")
@pytest.mark.parametrize("until", ["dealing", "insuring", "reading", "deciding"])
def test_a_round_that_the_reader_leaves_undone_is_voided_by_the_floor(until):
    """An ace up: Match-the-Dealer is settled by then, even money paid and insurance laid."""
    driver = shoe("Ac 9c As Kc 8c 9h 2h", {"match_the_dealer": True}, players=2)
    bets(driver, 1, 2, match_the_dealer="5.00")
    tray = in_tray(driver.table)
    driver.send("deal", "dealer")
    if until != "dealing":
        driver.until("insuring")
    if until in ("reading", "deciding"):
        driver.send("take_even_money", "player", seat=1)
        driver.send("insure", "player", seat=2, amount="5.00")
        driver.until(until)
    reason = {"reason": "no other reader in the house"}
    assert refused(driver, "void_round", "floorperson", **reason).code == "out_of_turn"
    driver.send("device_breaks", "dealer", device="reader")
    assert refused(driver, "void_round", "dealer", **reason).code == "not_your_part"
    driver.send("void_round", "floorperson", **reason)
    assert set(nets(driver).values()) == {0}
    assert in_tray(driver.table) == tray
    # the shoe goes on, though not before the reader works
    assert driver.table.phase == "betting"
    bets(driver, 1)
    assert refused(driver, "deal", "dealer").code == "device_out_of_order"
    driver.send("repair_device", "floorperson", device="reader")
    driver.finish(stands)
    check_all(driver)


@cites(MD, "13.H", "5.E(2)")
def test_a_device_comes_back_neither_in_a_round_nor_before_the_cut():
    """What hands have shuffled is cut, and a round is dealt to its end as it was begun."""
    driver = opened(MD, {"shuffler": "plain"}, players=1)
    driver.send("device_breaks", "dealer", device="shuffler")
    driver.send("set_device_aside", "floorperson", device="shuffler", how="covered")
    driver.until("cutting")
    back = {"device": "shuffler"}
    assert refused(driver, "repair_device", "floorperson", **back).code == "out_of_turn"
    driver.until("betting")
    driver.wager(1, {"ante": "10.00"})
    driver.send("no_more_bets", "dealer")
    assert refused(driver, "repair_device", "floorperson", **back).code == "out_of_turn"
    driver.finish(stands)
    driver.send("repair_device", "floorperson", **back)


@cites(MA, "12(b)", "10(b)")
def test_a_folded_hand_stays_for_cover_all_and_one_given_up_unseen_does_not():
    driver = opened(MA, {"cover_all": True, "shuffler": "plain"}, players=3)
    for seat in (1, 2, 3):
        driver.wager(seat, {"ante": "10.00"} | ({"cover_all": "5.00"} if seat == 3 else {}))
    driver.until("deciding")
    for seat, name in ((1, "fold"), (2, "forfeit_unseen"), (3, "play")):
        driver.send(name, "player", seat=seat)
    driver.until("settling")
    assert {"seat.1", "seat.3"} <= driver.table.piles.keys()
    assert "seat.2" not in driver.table.piles
    driver.until("clearing")
    assert {"seat.1", "seat.3"} <= driver.table.shown


@cites(MD, "13.H")
def test_a_device_that_breaks_in_a_round_is_set_aside_after_it():
    driver = opened(MD, {"shuffler": "plain"}, players=1)
    driver.wager(1, {"ante": "10.00"})
    driver.send("no_more_bets", "dealer")
    driver.send("device_breaks", "dealer", device="shuffler")
    aside = {"device": "shuffler", "how": "covered"}
    assert refused(driver, "set_device_aside", "floorperson", **aside).code == "out_of_turn"
    driver.finish(stands)
    assert refused(driver, "shuffle", "dealer").code == "device_out_of_order"
    driver.send("set_device_aside", "floorperson", **aside)
    driver.send("shuffle", "dealer")
    assert driver.table.phase == "cutting"
