"""Every misfortune that the chapters foresee, with the end they prescribe and the money to the cent."""

from __future__ import annotations

import pytest
from tables import check_all, in_tray, opened, refused, to_shuffle

from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, cites
from houseway.money import cents
from houseway.table import events as e
from houseway.table import next_steps

POKER = (MD, MA, PRIME, SAIGON)


def dealing(chapter, rules=None, cards=2):
    """A table in the middle of its deal."""
    driver = opened(chapter, rules, players=2)
    wager = "bet" if chapter == DOWN_UNDER else "ante"
    for seat in (1, 2):
        driver.wager(seat, {wager: "10.00"})
    if chapter != DOWN_UNDER:
        driver.send("no_more_bets", "dealer")
    for _ in range(cards):
        driver.send("deal", "dealer")
    return driver


def returned(driver):
    """What went back to the players, by seat, in the last round."""
    back = {}
    for event in driver.record:
        if isinstance(event, e.WagerReturned):
            back[event.seat] = back.get(event.seat, 0) + cents(event.amount)
    return back


def is_void(driver, clause):
    voided = [event for event in driver.record if isinstance(event, e.RoundVoided)]
    assert [event.clause for event in voided] == [clause]
    assert not driver.table.hands
    assert not any(box.wagers for box in driver.table.boxes)
    check_all(driver)


@pytest.mark.parametrize(
    ("chapter", "first", "second"),
    [
        (MD, "13.A", "13.B"), (MA, "14(a)", "14(a)"),
        (PRIME, "679a.13(a)", "679a.13(a)"), (SAIGON, "680a.13(a)", "680a.13(a)"),
    ],
)  # fmt: skip
@cites(MD, "13.A", "13.B")
@cites(MA, "14(a)")
@cites(PRIME, "679a.13(a)")
@cites(SAIGON, "680a.13(a)")
def test_one_card_face_up_is_not_used_and_two_void_the_round(chapter, first, second):
    driver = dealing(chapter)
    tray = in_tray(driver.table)
    top = driver.table.piles["shoe"][0]
    driver.send("card_found_face_up", "dealer")
    assert driver.table.piles["discard"] == (top,)
    found = [event for event in driver.record if isinstance(event, e.FaceUpFound)]
    assert [(event.card, event.clause) for event in found] == [(top, first)]
    driver.send("deal", "dealer")
    driver.send("card_found_face_up", "dealer")
    is_void(driver, second)
    assert returned(driver) == {1: 1000, 2: 1000}
    assert in_tray(driver.table) == tray
    assert driver.table.phase == "shuffling"


@cites(DOWN_UNDER, "685a.12(a)")
def test_in_down_under_face_up_cards_are_only_discarded():
    driver = dealing(DOWN_UNDER)
    burned = len(driver.table.piles["discard"])
    for _ in range(3):
        driver.send("card_found_face_up", "dealer")
    assert len(driver.table.piles["discard"]) == burned + 3
    assert not any(isinstance(event, e.RoundVoided) for event in driver.record)


@pytest.mark.parametrize("chapter", [*POKER, DOWN_UNDER])
@cites(MD, "13.C")
@cites(MA, "14(b)")
@cites(PRIME, "679a.13(b)")
@cites(SAIGON, "680a.13(b)")
@cites(DOWN_UNDER, "685a.12(b)")
def test_a_card_drawn_in_error_unseen_is_the_next_card(chapter):
    driver = dealing(chapter)
    top = driver.table.piles["shoe"][0]
    driver.send("card_drawn_in_error", "dealer")
    (dealt,) = [event for event in driver.send("deal", "dealer") if isinstance(event, e.CardsDealt)]
    assert dealt.cards == (top,)


@pytest.mark.parametrize(
    ("chapter", "clause"),
    [(MD, "13.D"), (MA, "14(c)"), (PRIME, "679a.13(c)"), (SAIGON, "680a.13(c)")],
)
@cites(MD, "13.D")
@cites(MA, "14(c)")
@cites(PRIME, "679a.13(c)")
@cites(SAIGON, "680a.13(c)")
def test_a_wrong_number_of_cards_voids_the_round(chapter, clause):
    driver = dealing(chapter, cards=4)
    # four cards are dealt, two of them to seat 1
    assert refused(driver, "wrong_number_of_cards", "dealer", seat=1, count=2).code == "not_wrong"
    nowhere = refused(driver, "wrong_number_of_cards", "dealer", place="community", count=3)
    assert "no place in this round" in nowhere.message
    events = driver.send("wrong_number_of_cards", "dealer", seat=1, count=3)
    (void,) = (event for event in events if isinstance(event, e.RoundVoided))
    assert void.why == "seat 1 was dealt 3 cards"
    is_void(driver, clause)
    assert returned(driver) == {1: 1000, 2: 1000}


@pytest.mark.parametrize(("chapter", "clause"), [(MD, "13.E"), (MA, "14(d)")])
@cites(MD, "13.E")
@cites(MA, "14(d)")
def test_a_dealers_card_seen_too_early_voids_three_card_poker(chapter, clause):
    """An ante folded earlier in the round goes back with the rest, and the meter gives its share up."""
    rules = {"progressive": "A" if chapter == MD else "1"}
    driver = opened(chapter, rules, meters={"progressive": {"rate": "14%"}})
    meter = driver.table.meters
    tray = in_tray(driver.table)
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00", "progressive": "1.00"})
    driver.until("deciding")
    assert driver.table.meters != meter
    driver.send("fold", "player", seat=1)
    driver.send("play", "player", seat=2)
    driver.send("collect_forfeited", "dealer")
    driver.send("dealer_card_exposed", "dealer")
    is_void(driver, clause)
    assert returned(driver) == {1: 1100, 2: 2100}
    assert in_tray(driver.table) == tray
    assert driver.table.meters == meter


@cites(PRIME, "679a.13(d)")
@pytest.mark.parametrize("when", ["dealing", "deciding", "revealing"])
def test_prime_settles_the_optional_wagers_all_the_same(when):
    driver = opened(PRIME, {"prime": True, "pair_bonus": "A"})
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00", "prime": "5.00", "pair_bonus": "5.00"})
    driver.until("dealing")
    if when == "dealing":
        for _ in range(5):
            driver.send("deal", "dealer")
    else:
        driver.until("deciding")
        driver.send("play", "player", seat=1)
        if when == "revealing":
            driver.send("fold", "player", seat=2)
            driver.until("revealing")
    driver.send("dealer_card_exposed", "dealer")
    driver.until("clearing")
    results = {}
    for line in driver.table.settled:
        results[line.seat, line.wager] = (line.result, line.clause)
    for seat in (1, 2):
        assert results[seat, "ante"] == ("returned", "679a.13(d)")
        assert results[seat, "prime"][0] in ("win", "lose")
        assert results[seat, "pair_bonus"][0] in ("win", "lose")
    assert ((1, "play") in results) == (when != "dealing")
    check_all(driver)


@cites(PRIME, "679a.13(d)")
@pytest.mark.parametrize("when", ["dealing", "stub", "deciding", "revealing"])
def test_prime_is_void_at_once_where_no_optional_wager_is_to_be_settled(when):
    """All hands are void and the cards reshuffled; the proviso is for optional wagers placed."""
    driver = opened(PRIME, {"prime": True, "pair_bonus": "A"})
    tray = in_tray(driver.table)
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00"})
    driver.until("dealing")
    for _ in range(5):
        driver.send("deal", "dealer")
    if when != "dealing":
        driver.until("stub")
    if when in ("deciding", "revealing"):
        driver.until("deciding")
        driver.send("fold", "player", seat=1)
    if when == "revealing":
        driver.send("play", "player", seat=2)
        driver.until("revealing")
    driver.send("dealer_card_exposed", "dealer")
    is_void(driver, "679a.13(d)")
    assert returned(driver) == {1: 1000, 2: 2000 if when == "revealing" else 1000}
    assert in_tray(driver.table) == tray


@pytest.mark.parametrize("chapter", [SAIGON, DOWN_UNDER])
def test_saigon_and_down_under_have_no_clause_for_it_and_the_hands_stand(chapter):
    driver = dealing(chapter, cards=6)
    driver.send("dealer_card_exposed", "dealer")
    assert not any(isinstance(event, e.RoundVoided) for event in driver.record)
    assert driver.table.hands == (1, 2)


STUB = [
    (MD, "manual_shoe", "8.F", "8.H(1)", "8.H(2)"), (MD, "hand", "9.D", "9.G", "9.H"),
    (MD, "automated_shoe", "10.C", "10.F", "10.G"),
    (MA, "manual_shoe", "7(e)", "7(e)(2)", "7(e)(2)"), (MA, "hand", "8(e)", "7(e)(2)", "7(e)(2)"),
    (MA, "automated_shoe", "9(e)", "7(e)(2)", "7(e)(2)"),
    (PRIME, "manual_shoe", "679a.8(e)", "679a.8(g)", "679a.8(g)"),
    (PRIME, "hand", "679a.9(d)", "679a.9(f)", "679a.9(f)"),
    (PRIME, "automated_shoe", "679a.10(d)", "679a.10(f)", "679a.10(f)"),
    (SAIGON, "manual_shoe", "680a.8(e)", "680a.8(g)", "680a.8(g)"),
    (SAIGON, "hand", "680a.9(d)", "680a.9(f)", "680a.9(f)"),
    (SAIGON, "automated_shoe", "680a.10(d)", "680a.10(f)", "680a.10(f)"),
]  # fmt: skip


@pytest.mark.parametrize(("chapter", "method", "count", "misdealt", "wrong"), STUB)
@cites(MD, "8.F", "8.G", "8.H", "8.H(1)", "8.H(2)", "9.D", "9.E", "9.F", "9.G", "9.H")
@cites(MD, "10.C", "10.D", "10.E", "10.F", "10.G")
@cites(MA, "7(e)", "7(e)(1)", "7(e)(2)", "8(e)", "9(e)")
@cites(PRIME, "679a.8(e)", "679a.8(f)", "679a.8(g)", "679a.9(d)", "679a.9(e)", "679a.9(f)")
@cites(PRIME, "679a.10(d)", "679a.10(e)", "679a.10(f)")
@cites(SAIGON, "680a.8(e)", "680a.8(f)", "680a.8(g)", "680a.9(d)", "680a.9(e)", "680a.9(f)")
@cites(SAIGON, "680a.10(d)", "680a.10(e)", "680a.10(f)")
def test_the_stub_is_counted_every_five_rounds_and_a_wrong_count_voids(
    chapter, method, count, misdealt, wrong
):
    rules = {"dealing": method} | ({} if method == "manual_shoe" else {"shuffler": "plain"})
    driver = opened(chapter, rules)
    for number in range(1, 6):
        driver.until("betting")
        driver.wager(1, {"ante": "10.00"})
        driver.until("stub")
        if number == 5:
            assert refused(driver, "remove_stub", "dealer").code == "count_due"
            break
        driver.send("remove_stub", "dealer")
        driver.finish(lambda _t, _s, steps: (steps[0].command, {}))
    size = 53 if chapter == SAIGON else 52
    hand = 5 if chapter == SAIGON else 3
    left = size - 2 * hand
    assert len(driver.table.piles["shoe"]) == left
    right = driver.table
    assert refused(driver, "count_stub", "dealer", count=left - 1).code == "misdealt_or_not"
    events = driver.send("count_stub", "dealer", count=left)
    assert events[0].clause == count
    assert len(driver.table.piles["discard"]) == left
    driver.table = right
    driver.record = driver.record[: right.version]
    driver.send("count_stub", "dealer", count=left - 1, misdealt=True)
    is_void(driver, misdealt)
    assert "1" in driver.table.decks
    driver.table = right
    driver.record = driver.record[: right.version]
    driver.send("count_stub", "dealer", count=left - 1, misdealt=False)
    is_void(driver, wrong)
    assert driver.table.decks == {}
    assert driver.table.phase == "opening"


@pytest.mark.parametrize("chapter", POKER)
@cites(MD, "8.F")
@cites(MA, "7(f)")
def test_a_counting_device_spares_the_count(chapter):
    driver = opened(chapter, {"shuffler": "counting"})
    for _ in range(7):
        driver.until("betting")
        driver.wager(1, {"ante": "10.00"})
        driver.finish(lambda _t, _s, steps: (steps[0].command, {}))
    assert not any(isinstance(event, e.StubCounted) for event in driver.record)


# devices


@pytest.mark.parametrize(
    ("chapter", "clause"),
    [(MD, "13.G"), (MA, "14(f)"), (PRIME, "679a.13(f)"), (SAIGON, "680a.13(e)")],
)
@cites(MD, "13.G")
@cites(MA, "14(f)")
@cites(PRIME, "679a.13(f)")
@cites(SAIGON, "680a.13(e)")
def test_an_automated_shoe_that_jams_voids_the_round(chapter, clause):
    driver = dealing(chapter, {"dealing": "automated_shoe", "shuffler": "plain"}, cards=1)
    driver.send("device_jams", "device", device="automated_shoe")
    is_void(driver, clause)
    assert returned(driver) == {1: 1000, 2: 1000}
    driver.ready()
    assert driver.table.devices["automated_shoe"].condition == "working"


@pytest.mark.parametrize(
    ("chapter", "clause"),
    [
        (MD, "13.F"), (MA, "14(e)"), (PRIME, "679a.13(e)"), (SAIGON, "680a.13(d)"),
        (DOWN_UNDER, "685a.12(j)"),
    ],
)  # fmt: skip
@cites(MD, "13.F")
@cites(MA, "14(e)")
@cites(PRIME, "679a.13(e)")
@cites(SAIGON, "680a.13(d)")
@cites(DOWN_UNDER, "685a.12(j)")
def test_a_shuffler_that_jams_shuffles_again(chapter, clause):
    driver = opened(chapter, {"shuffler": "plain", "decks_in_play": 2})
    assert "shuffler" in driver.table.piles
    events = driver.send("device_jams", "device", device="shuffler")
    assert events[0].clause == clause
    assert "shuffler" not in driver.table.piles
    before = len(driver.record)
    driver.house()
    again = [event for event in driver.record[before:] if isinstance(event, e.CardsShuffled)]
    assert len(again) == 1
    assert driver.table.devices["shuffler"].condition == "working"
    check_all(driver)


@pytest.mark.parametrize(
    ("chapter", "how", "wrong"),
    [
        (MD, "covered", "removed"), (MD, "signed", "removed"), (MA, "removed", "covered"),
        (PRIME, "signed", "removed"), (SAIGON, "covered", "removed"),
        (DOWN_UNDER, "covered", "removed"),
    ],
)  # fmt: skip
@cites(MD, "13.H", "13.H(1)", "13.H(2)")
@cites(MA, "14(g)")
@cites(PRIME, "679a.13(g)")
@cites(SAIGON, "680a.13(f)")
@cites(DOWN_UNDER, "685a.12(k)")
def test_a_broken_device_is_set_aside_before_hands_take_over(chapter, how, wrong):
    driver = opened(chapter, {"shuffler": "plain"})
    to_shuffle(driver)
    driver.send("device_breaks", "dealer", device="shuffler")
    assert refused(driver, "shuffle", "dealer").code == "device_out_of_order"
    error = refused(driver, "set_device_aside", "floorperson", device="shuffler", how=wrong)
    assert error.code == "not_set_aside"
    driver.send("set_device_aside", "floorperson", device="shuffler", how=how)
    driver.send("shuffle", "dealer")
    assert driver.table.phase == "cutting"
    check_all(driver)


def test_a_shoe_set_aside_leaves_the_deal_to_a_manual_one():
    driver = opened(MD, {"dealing": "automated_shoe"})
    driver.wager(1, {"ante": "5.00"})
    driver.send("device_breaks", "dealer", device="automated_shoe")
    assert driver.table.phase == "shuffling"  # the cards come out of the device
    driver.send("shuffle", "dealer")
    driver.send("cut", "dealer", depth=20)
    assert refused(driver, "no_more_bets", "dealer").code == "device_out_of_order"
    assert {"set_device_aside", "repair_device"} <= {
        step.command for step in next_steps(driver.table) if step.kind == "next"
    }
    driver.send("repair_device", "floorperson", device="automated_shoe")
    driver.send("order_reshuffle", "floorperson", reason="a known order")
    driver.ready()
    driver.finish(lambda *_: ("play", {}))
    driver.send("device_breaks", "dealer", device="automated_shoe")
    driver.send("set_device_aside", "floorperson", device="automated_shoe", how="covered")
    driver.ready()
    driver.wager(1, {"ante": "5.00"})
    driver.send("no_more_bets", "dealer")
    events = driver.send("deal", "dealer")
    assert (events[0].clause, len(events[0].cards)) == ("8.E(1)", 1)


def test_without_its_shuffler_a_table_does_not_wait_for_a_second_deck():
    """The waiting deck was miscounted and taken away; then the device breaks and is covered."""
    driver = opened(MD, {"shuffler": "counting", "decks_in_play": 2})
    driver.wager(1, {"ante": "5.00"})
    driver.finish(lambda _t, _s, steps: (steps[0].command, {}))
    driver.send("shuffle", "device", count=51)
    assert (driver.table.phase, len(driver.table.decks)) == ("opening", 1)
    driver.send("device_breaks", "dealer", device="shuffler")
    driver.send("set_device_aside", "floorperson", device="shuffler", how="covered")
    driver.until("betting")
    assert len(driver.table.decks) == 1
    driver.wager(1, {"ante": "5.00"})
    driver.finish(lambda _t, _s, steps: (steps[0].command, {}))
    check_all(driver)


# the tray


def test_the_tray_is_never_paid_below_nothing():
    driver = opened(MD, players=1)
    chips = {value: count for value, count in driver.table.tray.items() if count}
    take = {f"{value // 100}.{value % 100:02d}": count for value, count in chips.items()}
    driver.send("credit", "floorperson", chips=take)
    assert in_tray(driver.table) == 0
    assert refused(driver, "buy_in", "dealer", seat=1, amount="20.00").code == "tray_short"
    driver.send("fill", "floorperson", chips={"5.00": 10})
    driver.send("buy_in", "dealer", seat=1, amount="20.00")
    driver.send("tip", "player", seat=1, amount="5.00")
    assert (driver.table.drop, driver.table.tips, in_tray(driver.table)) == (2000, 500, 3000)
    driver.send("close_table", "floorperson", count={"5.00": 5})
    closed = driver.record[-1]
    assert isinstance(closed, e.TableClosed)
    assert closed.difference == "-5.00"


def test_a_reading_shoe_names_no_card_twice_in_a_hand_either():
    driver = opened(MD, players=1)
    driver.send("order_reshuffle", "floorperson", reason="a reading shoe")
    driver.send("shuffle", "dealer")
    driver.until("betting")
    driver.wager(1, {"ante": "10.00"})
    driver.until("dealing")
    driver.send("deal", "dealer", cards=("As",))
    driver.send("deal", "dealer", cards=("Td",))
    # the third card comes to the hand that has the ace
    for text in ("As", "Td"):
        assert refused(driver, "deal", "dealer", cards=(text,)).code == "card_seen_already"
    driver.send("deal", "dealer", cards=("Ah",))
    assert driver.table.piles["seat.1"] == ("As", "Ah")
