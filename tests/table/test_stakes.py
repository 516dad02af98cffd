"""A stake has one life: it is placed, may be raised, and ends exactly once."""

from __future__ import annotations

import random

import msgspec
import pytest
from random_play import fields_for, finish
from stake_twin import check_stakes
from tables import (
    EVERY_GAME,
    bets,
    check_all,
    deal_all,
    in_tray,
    keyed,
    nets,
    opened,
    refused,
    shoe,
    since,
)

from houseway.errors import Refused
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, cites
from houseway.table import events as e
from houseway.table import fold, legal, next_steps, read_event
from houseway.table.moment import Moment
from houseway.table.money.stakes import give_back
from houseway.table.views import public_view

# the mechanism


def _laid():
    driver = opened(MD, players=1)
    driver.wager(1, {"ante": "10.00"})
    driver.send("no_more_bets", "dealer")
    return driver


def test_a_stake_is_not_released_twice():
    now = Moment(_laid().table, "dealer")
    give_back(now, 1, "ante", "13.D")
    assert now.table.boxes[0].ended == {"ante": "returned"}
    for release in (e.WagerReturned, e.WagerTakenBack):
        with pytest.raises(Refused) as found:
            now.emit(release, seat=1, wager="ante", amount="10.00")
        assert found.value.code == "stake_ended"
    with pytest.raises(Refused) as found:
        now.emit(
            e.WagerSettled, seat=1, wager="ante", stake="10.00", result="win", paid="10.00"
        )  # fmt: skip
    assert found.value.code == "stake_ended"
    assert len(now.events) == 1


def test_neither_more_nor_less_than_the_stake_is_released():
    now = Moment(_laid().table, "dealer")
    with pytest.raises(Refused) as found:
        now.emit(e.WagerReturned, seat=1, wager="ante", amount="20.00")
    assert found.value.code == "not_the_stake"
    with pytest.raises(Refused) as found:
        now.emit(e.WagerReturned, seat=1, wager="play", amount="10.00")
    assert found.value.code == "no_wager"


def test_a_round_does_not_end_with_a_stake_open():
    now = Moment(_laid().table, "dealer")
    with pytest.raises(Refused) as found:
        now.emit(e.RoundEnded, round=1)
    assert found.value.code == "stake_open"


def test_a_record_that_released_a_stake_twice_still_replays():
    """The check is made when events are emitted, never when a record is read."""
    driver = _laid()
    said = {"at": "", "role": "dealer", "seat": 1, "wager": "ante", "amount": "10.00"}
    version = driver.table.version
    twice = [e.WagerReturned(version=version + number, **said) for number in (1, 2)]
    table = fold([*driver.record, *twice])
    assert table.version == version + 2
    assert table.boxes[0].layout == {}


# dead hands, 685a.12


@cites(DOWN_UNDER, "685a.12(h)", "685a.7(i)(1)")
@pytest.mark.parametrize("players", [1, 2])
def test_a_blackjack_that_is_called_dead_is_not_paid_as_well(players):
    """The blackjack waits to be paid when the area is found to be wrong: its bet goes back, once."""
    first = "As 9c 6d Ks 8c 9h 2h" if players == 2 else "As 6d Ks 9h 2h"
    driver = shoe(first, players=players)
    bets(driver, *range(1, players + 1))
    deal_all(driver)
    driver.until("deciding")
    assert [(line.seat, line.outcome) for line in driver.table.due] == [(1, "blackjack")]
    driver.send("wrong_light", "dealer", cause="area")
    driver.send("call_hand_dead", "dealer", seat=1)
    assert not driver.table.due
    if players == 2:
        driver.send("hand_goes_on", "dealer", seat=2)
        driver.send("stand", "player", seat=2)
    driver.until("betting")
    assert nets(driver)[1] == 0
    assert not [one for one in since(driver, 0, e.WagerSettled) if one.seat == 1]
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(h)", "685a.7(i)(1)")
def test_a_blackjack_that_goes_on_is_paid_once_after_another_hand_was_called_dead():
    driver = shoe("As 9c 6d Ks 8c 9h 2h", players=2)
    bets(driver, 1, 2)
    deal_all(driver)
    driver.until("deciding")
    driver.send("wrong_light", "dealer", cause="area")
    driver.send("call_hand_dead", "dealer", seat=2)
    driver.send("hand_goes_on", "dealer", seat=1)
    driver.until("betting")
    assert nets(driver) == {1: 1500, 2: 0}
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(f)", "685a.12(g)", "685a.12(h)", "685a.12(i)")
@pytest.mark.parametrize("why", ["not dealt", "missed", "one of a split", "wrong area"])
def test_the_bet_of_a_dead_hand_is_not_returned_again_by_a_void_round(why):
    driver = shoe("8c 9c 5d 8d 7h 9s Th 9h", players=2)
    tray = in_tray(driver.table)
    bets(driver, 1, 2)
    if why == "not dealt":
        driver.send("deal", "dealer")
        driver.send("no_card_dealt", "dealer", seat=2)
    else:
        deal_all(driver)
        driver.until("deciding")
        if why == "one of a split":
            driver.send("split", "player", seat=1)
            driver.send("deal", "dealer")
        driver.send("stand", "player", seat=1)
        if why == "wrong area":
            driver.send("wrong_light", "dealer", cause="area")
            driver.send("call_hand_dead", "dealer", seat=1)
            driver.send("hand_goes_on", "dealer", seat=2)
        else:
            driver.send("missed_hit", "dealer", seat=1, late_card=False)
    assert since(driver, 0, e.WagerReturned)
    driver.send("device_breaks", "dealer", device="reader")
    driver.send("void_round", "floorperson", reason="no other reader in the house")
    assert set(nets(driver).values()) == {0}
    assert in_tray(driver.table) == tray
    check_all(driver)


# players who left


def _left_in_the_round(chapter, wagers, players=2, **rules):
    driver = opened(chapter, rules, players=players)
    for seat in range(1, players + 1):
        driver.wager(seat, wagers)
    driver.until("deciding")
    driver.send("leave_seat", "floorperson", seat=1)
    return driver


@cites(MD, "11.B", "7.C(2)")
@cites(MA, "10(b)", "6(c)")
@cites(PRIME, "679a.11(b)", "679a.7(b)")
@pytest.mark.parametrize("chapter", [MD, MA, PRIME])
def test_nobody_makes_a_play_wager_for_a_player_who_left(chapter):
    """The chips would come from nowhere: the hand is folded, or called abandoned."""
    driver = _left_in_the_round(chapter, {"ante": "10.00"})
    assert refused(driver, "play", "dealer", seat=1).code == "nobody_there"
    assert "play" not in legal(driver.table, "dealer", 1)
    offered = {step.command for step in next_steps(driver.table) if step.seat == 1}
    assert "play" not in offered
    assert "fold" in offered
    driver.send("fold", "dealer", seat=1)
    driver.send("play", "player", seat=2)
    driver.until("betting")
    assert nets(driver)[1] == -1000
    check_all(driver)


@cites(MA, "10(b)", "6(c)")
def test_in_massachusetts_the_ante_of_a_player_who_left_is_forfeited_and_the_rest_is_settled():
    """The hand of one who left is not given up unseen: Pair Plus stands, as after a fold."""
    driver = _left_in_the_round(MA, {"ante": "10.00", "pair_plus": "5.00"})
    assert refused(driver, "forfeit_unseen", "dealer", seat=1).code == "nobody_there"
    driver.send("fold", "dealer", seat=1)
    driver.send("play", "player", seat=2)
    driver.until("clearing")
    mine = {line.wager: line.result for line in driver.table.settled if line.seat == 1}
    assert mine["ante"] == "forfeit"
    assert mine["pair_plus"] in ("win", "lose")
    check_all(driver)


@cites(DOWN_UNDER, "685a.9(a)", "685a.10(a)")
def test_no_chips_are_added_for_a_blackjack_player_who_left():
    driver = shoe("8c 9c 5d 8d 7h 9s Th 9h", players=2)
    bets(driver, 1, 2)
    deal_all(driver)
    driver.until("deciding")
    driver.send("leave_seat", "player", seat=1)
    assert refused(driver, "split", "dealer", seat=1).code == "nobody_there"
    assert refused(driver, "double", "dealer", seat=1, amount="10.00").code == "nobody_there"
    assert not {"split", "double"} & set(legal(driver.table, "dealer", 1))
    driver.send("stand", "dealer", seat=1)
    driver.send("stand", "player", seat=2)
    driver.until("betting")
    check_all(driver)


@cites(DOWN_UNDER, "685a.8(a)")
def test_no_insurance_is_placed_for_a_player_who_left():
    driver = shoe("8c 9c Ad 8d 7h 9s Th 9h", players=2)
    bets(driver, 1, 2)
    deal_all(driver)
    driver.until("insuring")
    driver.send("leave_seat", "player", seat=1)
    assert refused(driver, "insure", "dealer", seat=1, amount="5.00").code == "nobody_there"
    assert "insure" not in legal(driver.table, "dealer", 1)


# a void round after a meter has paid


def _meter_paid(chapter, until):
    """Seat 2 holds ace-king-queen of spades, is paid the meter, and the round goes on to `until`."""
    driver = keyed(chapter, {"progressive": {MD: "A", MA: "1"}[chapter]}, players=2)
    tray = in_tray(driver.table)
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00", "pair_plus": "5.00", "progressive": "1.00"})
    driver.until("deciding")
    for seat in (1, 2):
        driver.send("play", "player", seat=seat)
    driver.send("reveal_dealer", "dealer", cards=("2c", "3d", "9h"))
    hands = {2: ("As", "Ks", "Qs"), 1: ("4c", "4d", "9s")}
    while not any(line.meter for line in driver.table.settled) or (
        until == "clearing" and driver.table.phase != "clearing"
    ):
        turn = [one.seat for one in next_steps(driver.table) if one.command == "turn_hand"]
        if turn:
            driver.send("turn_hand", "dealer", seat=turn[0], cards=hands[turn[0]])
        else:
            driver.house()
    return driver, tray


@cites(MD, "13.D", "12.E(4)")
@cites(MA, "14(c)", "13(d)(c)")
@pytest.mark.parametrize("until", ["paid", "clearing"])
@pytest.mark.parametrize("chapter", [MD, MA])
def test_a_misdeal_found_after_a_meter_has_paid_leaves_that_payment_alone(chapter, until):
    """The meter's payment stands and its wager is settled; every other line is undone."""
    driver, tray = _meter_paid(chapter, until)
    (line,) = [line for line in driver.table.settled if line.meter]
    reset = driver.table.meters["progressive"]
    before = driver.table.version
    driver.send("wrong_number_of_cards", "dealer", seat=1, count=4)
    (voided,) = since(driver, before, e.RoundVoided)
    # the event names the amount for the floorperson
    (stands,) = voided.stands
    amount = line.from_meter
    assert (stands["seat"], stands["from_meter"]) == (2, f"{amount // 100}.{amount % 100:02d}")
    # the winner keeps what the meter paid for the dollar, and has everything else back
    assert nets(driver) == {1: 0, 2: amount - 100}
    # the winning dollar was taken in; the meter paid, not the tray
    assert in_tray(driver.table) == tray + 100
    back = {(one.seat, one.wager) for one in since(driver, before, e.WagerReturned)}
    assert (2, "progressive") not in back
    # the share of the dollar returned went with the payment: the meter keeps its reset amount
    assert driver.table.meters["progressive"] == reset == "100000"
    assert driver.table.phase == "shuffling"
    check_all(driver)
    driver.until("betting")


# coupons


def _coupons(*wagers):
    driver = opened(MA, {"match_play": True}, players=1)
    driver.wager(1, {"ante": "10.00", "pair_plus": "10.00"})
    for wager in wagers:
        driver.send("place_coupon", "player", seat=1, wager=wager, value="10.00")
    return driver


@cites(MA, "6(b)", "14(c)")
@pytest.mark.parametrize("until", ["dealing", "deciding", "settling", "clearing"])
def test_a_coupon_comes_back_when_its_round_is_void(until):
    driver = _coupons("ante", "pair_plus")
    if until == "deciding":
        driver.until("deciding")
    elif until != "dealing":
        driver.until("deciding")
        driver.send("play", "player", seat=1)
        driver.until(until)
    else:
        driver.send("no_more_bets", "dealer")
    driver.send("wrong_number_of_cards", "dealer", seat=1, count=4)
    back = since(driver, 0, e.CouponReturned)
    assert [(one.seat, one.wager, one.value) for one in back] == [
        (1, "ante", "10.00"), (1, "pair_plus", "10.00"),
    ]  # fmt: skip
    assert nets(driver) == {1: 0}
    check_all(driver)


@cites(MA, "6(b)")
def test_a_second_coupon_does_not_replace_the_first():
    driver = _coupons("ante")
    error = refused(driver, "place_coupon", "player", seat=1, wager="ante", value="5.00")
    assert (error.code, error.clause) == ("coupon_placed", "6(b)")
    assert public_view(driver.table).boxes[0].coupons == {"ante": "10.00"}
    # with the wager the coupon goes back too, and another may be placed
    driver.send("take_back_wager", "player", seat=1, wager="ante")
    assert [one.wager for one in since(driver, 0, e.CouponReturned)] == ["ante"]
    driver.wager(1, {"ante": "10.00"})
    driver.send("place_coupon", "player", seat=1, wager="ante", value="5.00")
    assert public_view(driver.table).boxes[0].coupons == {"ante": "5.00"}


@cites(MA, "6(b)")
def test_a_refused_coupon_names_no_coupon_that_stands_beside_another_wager():
    driver = opened(MA, {"match_play": True}, players=1)
    driver.wager(1, {"ante": "10.00", "pair_plus": "10.00"})
    driver.send("place_coupon", "player", seat=1, wager="ante", value="10.00")
    error = refused(driver, "place_coupon", "player", seat=1, wager="ante", value="5.00")
    assert "a coupon of $10 stands beside that wager" in str(error)
    driver.send("place_coupon", "player", seat=1, wager="pair_plus", value="5.00")
    error = refused(driver, "place_coupon", "player", seat=1, wager="pair_plus", value="5.00")
    assert (error.code, error.clause) == ("coupon_placed", "6(b)")
    assert "$10" not in str(error)


# whatever happens

TROUBLED = [
    *EVERY_GAME,
    (MA, {"match_play": True, "shuffler": "plain"}, {"ante": "10.00", "pair_plus": "5.00"}),
    (
        MD,
        {"electronic": True},
        {"ante@1": "10.00", "pair_plus@1": "5.00", "ante@2": "10.00", "ante@3": "5.00"},
    ),
]
#: what would only keep the table from being played
_QUIET = {"close_table", "spread_idle", "shuffle", "credit"}
_VOID = {"wrong_number_of_cards", "dealer_card_exposed", "device_jams"}
_DEAD = {"no_card_dealt", "missed_hit", "wrong_light", "call_hand_dead", "void_round"}


def troubled(game, seed, steps):
    """Rounds by three players in which everybody errs: a random open command now and then."""
    chapter, rules, wagers = game
    rng = random.Random(f"{game} {seed}")
    driver = opened(chapter, rules, seed=seed, players=3)

    def attempt(name, role, seat, **fields):
        try:
            driver.send(name, role, seat=seat, **fields)
        except Refused as refusal:
            assert refusal.code not in ("stake_ended", "stake_open", "not_the_stake"), refusal

    for _ in range(steps):
        table = driver.table
        seat = rng.randint(0, 3)
        if rng.random() < 0.3:
            role = rng.choice(("dealer", "floorperson", "player", "device"))
            names = [name for name in legal(table, role, seat) if name not in _QUIET]
            # a round that is void at once tells little; what kills a hand is rarely open
            names = [name for name in names if name not in _VOID or rng.random() < 0.2]
            dead = [name for name in names if name in _DEAD]
            if names:
                name = rng.choice(dead if dead and rng.random() < 0.5 else names)
                fields = fields_for(name, table, rng)
                fields.pop("seat", None)
                attempt(name, role, seat, **fields)
            continue
        broken = [one.id for one in table.devices.values() if one.condition in ("broken", "jammed")]
        if broken and rng.random() < 0.5:
            attempt("repair_device", "floorperson", 0, device=broken[0])
        if table.phase == "betting" and not any(box.wagers for box in table.boxes):
            for box in table.boxes[:3]:
                if not box.player:
                    attempt("sit_down", "floorperson", box.seat, player=f"player {box.seat}")
                for name, amount in wagers.items():
                    wager, _, hand = name.partition("@")
                    on = {"hand": int(hand)} if hand else {}
                    attempt("place_wager", "player", box.seat, wager=wager, amount=amount, **on)
                if rules.get("match_play"):
                    attempt("place_coupon", "player", box.seat, wager="ante", value="5.00")
            continue
        asked = [one for one in next_steps(table) if one.kind == "next" and one.seat]
        if table.hands and asked and asked[0].role == "player":
            step = rng.choice(asked)
            more = {"amount": "5.00"} if step.command in ("insure", "double") else {}
            attempt(step.command, "player", step.seat, **more)
            continue
        try:
            driver.house()
        except Refused as refusal:
            assert refusal.code not in ("stake_ended", "stake_open", "not_the_stake"), refusal
    finish(driver)
    check_stakes(driver.record)
    record = [read_event(msgspec.json.encode(event)) for event in driver.record]
    assert fold(record) == driver.table


@pytest.mark.slow
@cites(MD, "13.D")
@cites(MA, "14(c)")
@cites(PRIME, "679a.13(c)")
@cites(SAIGON, "680a.13(c)")
@cites(DOWN_UNDER, "685a.12(h)", "685a.12(i)")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("number", range(len(TROUBLED)))
def test_every_stake_ends_once_whatever_goes_wrong(number, seed):
    troubled(TROUBLED[number], seed, 150)


@pytest.mark.full
@pytest.mark.parametrize("number", range(len(TROUBLED)))
def test_every_stake_ends_once_in_a_long_run(number):
    for seed in range(100, 200):
        troubled(TROUBLED[number], seed, 300)
