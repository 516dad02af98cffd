"""Cards made ready: opening, shuffle, cut, decks that take turns, deck ages, the idle table."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import check_all, opened, refused

from houseway.cards import SeededSource
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, cites
from houseway.table import events as e
from houseway.table import next_steps
from houseway.table.driver import Driver

POKER = (MD, MA, PRIME, SAIGON)


@pytest.mark.parametrize("chapter", [*POKER, DOWN_UNDER])
@cites(MD, "4.D", "5.A", "5.A(1)")
@cites(MA, "5(a)")
@cites(PRIME, "679a.5(a)", "679a.3(a)")
@cites(SAIGON, "680a.5(a)")
@cites(DOWN_UNDER, "685a.5(a)")
def test_the_opening_goes_step_by_step(chapter):
    """Received, inspected, verified, spread, seen, washed, shuffled: none before the one before."""
    driver = Driver(chapter, source=SeededSource(1))
    driver.seat_player(1, "ann")
    order = [
        "receive_decks", "inspect_cards", "verify_inspection", "spread_cards",
        "let_player_inspect", "wash_cards", "shuffle",
    ]  # fmt: skip
    roles = {"verify_inspection": "floorperson", "shuffle": "system"}
    if chapter == DOWN_UNDER:
        driver.send("inspect_reader", "floorperson")
    for number, name in enumerate(order):
        for later in order[number + 1 :]:
            error = refused(driver, later, roles.get(later, "dealer"), seat=1)
            assert error.code == "out_of_turn"
        steps = [step.command for step in next_steps(driver.table) if step.kind == "next"]
        assert name in steps
        driver.send(name, roles.get(name, "dealer"), seat=1)
    assert "shoe" in driver.table.piles
    check_all(driver)


@cites(MD, "4.F", "5.E", "5.E(2)")
@cites(PRIME, "679a.4(e)", "679a.5(c)", "679a.5(c)(2)")
@cites(SAIGON, "680a.4(e)", "680a.5(c)", "680a.5(c)(2)")
@cites(MA, "4(a)", "5(b)", "5(b)(2)")
@pytest.mark.parametrize("chapter", POKER)
def test_preshuffled_cards_are_cut_and_dealt(chapter):
    driver = Driver(chapter, source=SeededSource(1))
    driver.send("receive_decks", "dealer", preshuffled=True)
    assert driver.table.phase == "cutting"
    driver.send("cut", "dealer", depth=10)
    assert driver.table.phase == "betting"


@cites(DOWN_UNDER, "685a.4(e)")
def test_preshuffled_batches_are_still_spread():
    driver = Driver(DOWN_UNDER, source=SeededSource(1))
    driver.seat_player(1, "ann")
    driver.send("receive_decks", "dealer", preshuffled=True)
    driver.send("spread_cards", "dealer")
    driver.send("let_player_inspect", "dealer", seat=1)
    assert driver.table.phase == "cutting"


@cites(MD, "5.E(1)")
@cites(MA, "5(b)(1)")
@cites(PRIME, "679a.5(c)(1)")
@cites(SAIGON, "680a.5(c)(1)")
@pytest.mark.parametrize("chapter", POKER)
def test_what_a_device_shuffled_is_not_cut(chapter):
    driver = opened(chapter, {"shuffler": "plain"})
    assert not any(isinstance(event, e.CardsCut) for event in driver.record)
    assert refused(driver, "cut", "dealer", depth=20).code == "out_of_turn"
    assert refused(driver, "order_recut", "floorperson", reason="x").code == "out_of_turn"


@pytest.mark.parametrize("chapter", POKER)
@given(depth=st.integers(-5, 60))
@settings(max_examples=25, deadline=None)
@cites(MD, "5.F", "5.F(1)")
@cites(MA, "5(c)", "5(c)(1)(ii)", "5(c)(1)(iii)", "5(c)(2)")
@cites(PRIME, "679a.5(d)")
@cites(SAIGON, "680a.5(d)")
def test_a_cut_is_ten_cards_deep_at_least(chapter, depth):
    driver = Driver(chapter, source=SeededSource(2))
    driver.seat_player(1, "ann")
    driver.until("cutting")
    before = driver.table.piles["shoe"]
    if 10 <= depth < len(before):
        driver.send("cut", "dealer", depth=depth)
        assert driver.table.piles["shoe"] == before[depth:] + before[:depth]
    else:
        assert refused(driver, "cut", "dealer", depth=depth).code == "cut_too_shallow"


@cites(MD, "5.G")
@cites(MA, "5(d)")
@cites(PRIME, "679a.5(e)")
@cites(SAIGON, "680a.5(e)")
@pytest.mark.parametrize("chapter", POKER)
def test_the_floor_may_order_a_recut_until_the_first_card(chapter):
    driver = opened(chapter)
    driver.wager(1, {"ante": "5.00"})
    driver.send("no_more_bets", "dealer")
    driver.send("order_recut", "floorperson", reason="the cut was seen")
    assert driver.table.phase == "cutting"
    driver.send("cut", "dealer", depth=30)
    assert driver.table.phase == "dealing"
    driver.send("deal", "dealer")
    assert refused(driver, "order_recut", "floorperson", reason="late").code == "out_of_turn"
    assert refused(driver, "order_recut", "dealer", reason="x").code == "not_your_part"


@cites(MD, "5.A(3)", "5.A(2)")
@cites(MA, "5(a)")
@pytest.mark.parametrize("chapter", POKER)
def test_the_cards_are_shuffled_after_every_round_and_when_the_floor_says_so(chapter):
    """Massachusetts has a shuffle before play and after every round, and none at the floor's word."""
    driver = opened(chapter)
    if chapter == MA:
        error = refused(driver, "order_reshuffle", "floorperson", reason="a doubt")
        assert error.code == "not_in_this_chapter"
    else:
        driver.send("order_reshuffle", "floorperson", reason="a doubt")
        assert driver.table.phase == "shuffling"
        driver.ready()
    driver.wager(1, {"ante": "5.00"})
    driver.finish(lambda _t, _s, steps: (steps[0].command, {}))
    assert driver.table.phase == "shuffling"
    assert sorted(driver.table.piles) == ["discard"]


@cites(MD, "5.D", "5.D(1)", "5.D(2)")
@cites(MA, "7(f)")
@cites(PRIME, "679a.5(b)")
@cites(SAIGON, "680a.5(b)")
@pytest.mark.parametrize("chapter", POKER)
def test_a_deck_that_the_device_miscounts_leaves_the_table(chapter):
    driver = Driver(chapter, {"shuffler": "counting"}, source=SeededSource(1))
    driver.seat_player(1, "ann")
    driver.until("shuffling")
    driver.send("shuffle", "device", count=51)
    assert driver.table.decks == {}
    assert driver.table.piles == {}
    assert driver.table.phase == "opening"
    driver.ready()
    check_all(driver)


@cites(MD, "3.B(3)", "3.B(4)", "3.B(5)", "4.E")
@cites(MA, "2(b)(3)", "2(b)(4)", "2(b)(5)", "4(d)")
@cites(PRIME, "679a.3(b)(2)", "679a.3(b)(3)", "679a.3(b)(4)", "679a.4(d)")
@cites(SAIGON, "680a.3(b)(2)", "680a.3(b)(3)", "680a.3(b)(4)", "680a.4(d)")
@pytest.mark.parametrize("chapter", POKER)
def test_two_decks_take_turns(chapter):
    driver = opened(chapter, {"shuffler": "plain", "decks_in_play": 2})
    prepared = [event.deck for event in driver.record if isinstance(event, e.DeckPrepared)]
    assert prepared.count("1") == prepared.count("2") == 5
    used = []
    for _ in range(4):
        if driver.table.phase != "betting":
            driver.until("betting")
        driver.wager(1, {"ante": "5.00"})
        used.append(driver.table.in_play)
        assert "shuffler" in driver.table.piles or any(
            deck.stage == "stacked" for deck in driver.table.decks.values()
        )
        assert "discard" not in driver.table.piles
        driver.finish(lambda _t, _s, steps: (steps[0].command, {}))
        check_all(driver)
    assert used in (["1", "2", "1", "2"], ["2", "1", "2", "1"])
    backs = {deck.back for deck in driver.table.decks.values()}
    assert len(backs) == 2


@pytest.mark.parametrize(
    ("chapter", "rules", "hours"),
    [
        (MD, {}, 8), (MD, {"dealing": "hand", "shuffler": "plain"}, 4),
        (PRIME, {}, 8), (PRIME, {"dealing": "hand", "shuffler": "plain"}, 4),
        (SAIGON, {}, 8), (SAIGON, {"dealing": "hand", "shuffler": "plain"}, 4),
        (DOWN_UNDER, {}, 24),
    ],
)  # fmt: skip
@cites(MD, "3.C", "3.C(1)", "3.C(2)")
@cites(PRIME, "679a.3(c)", "679a.3(c)(1)", "679a.3(c)(2)")
@cites(SAIGON, "680a.3(c)", "680a.3(c)(1)", "680a.3(c)(2)")
@cites(DOWN_UNDER, "685a.3(c)")
def test_no_new_round_with_a_deck_whose_hours_are_up(chapter, rules, hours):
    from datetime import datetime, timedelta

    driver = opened(chapter, rules, start="2026-01-01T12:00:00")
    received = datetime.fromisoformat(driver.table.decks["1"].received)
    wager = "bet" if chapter == DOWN_UNDER else "ante"
    driver.clock = received + timedelta(hours=hours)
    driver.wager(1, {wager: "5.00"})
    driver.clock = received + timedelta(hours=hours, seconds=1)
    close = ("deal",) if chapter == DOWN_UNDER else ("no_more_bets",)
    assert refused(driver, *close, "dealer").code == "deck_overdue"
    driver.send("take_back_wager", "player", seat=1, wager=wager)
    driver.send("change_decks", "floorperson")
    driver.ready()
    driver.wager(1, {wager: "5.00"})
    check_all(driver)


@cites(MD, "5.H", "5.H(1)", "5.H(3)")
@cites(MA, "5(e)")
@cites(PRIME, "679a.5(f)")
@cites(SAIGON, "680a.5(f)")
@cites(DOWN_UNDER, "685a.5(g)")
@pytest.mark.parametrize("chapter", [*POKER, DOWN_UNDER])
def test_an_idle_table_is_opened_again_for_the_first_player(chapter):
    """Everything that was in the shoe and the rack is spread, and face down unless asked for."""
    driver = opened(chapter)
    driver.wager(1, {"bet" if chapter == DOWN_UNDER else "ante": "5.00"})
    # wagers lie there: the table is not idle
    assert refused(driver, "spread_idle", "dealer").code == "out_of_turn"
    driver.finish(lambda _t, _s, steps: (steps[0].command, {}))
    before = driver.table
    for face_up in (True, False):
        driver.table, driver.record = before, driver.record[: before.version]
        driver.send("spread_idle", "dealer", face_up=face_up)
        # in Massachusetts they are turned up for the first player in any case
        assert driver.table.decks["1"].face_up is face_up
    assert set(driver.table.piles) == {"deck.1"}
    assert driver.table.phase == "idle"
    assert refused(driver, "wash_cards", "dealer").code == "out_of_turn"
    driver.send("let_player_inspect", "dealer", seat=2)
    driver.send("wash_cards", "dealer")
    assert driver.table.phase == "shuffling"
    driver.ready()
    check_all(driver)


def test_an_order_that_is_not_the_deck_is_refused():
    driver = Driver(MD)
    driver.seat_player(1, "ann")
    driver.until("shuffling")
    assert refused(driver, "shuffle", "system", order=("As",) * 52).code == "not_this_deck"
    assert refused(driver, "shuffle", "dealer", order=("As",) * 52).code == "not_your_part"
