"""Pennsylvania's tables in trouble: cuts, idle tables, lights, seen cards, hands that were left."""

from __future__ import annotations

import random
from typing import Any

import pytest
from random_play import finish
from stories import table_of
from tables import bets, check_all, deal_all, keyed, nets, opened, refused, shoe, since, stands

from houseway.cards import SeededSource
from houseway.games.down_under.table.events import LightWrong
from houseway.law import DOWN_UNDER, MD, PRIME, SAIGON, cites
from houseway.table import NextStep, legal, next_steps
from houseway.table import events as e
from houseway.table.driver import Driver

# the cut


def cutting(*seats: int) -> Driver:
    driver = Driver(DOWN_UNDER, source=SeededSource(1))
    for seat in seats:
        driver.seat_player(seat, f"player {seat}")
    driver.until("cutting")
    return driver


@cites(DOWN_UNDER, "685a.5(b)", "685a.5(c)(1)")
@pytest.mark.parametrize("seats", [(1,), (6,), (3, 6), (4, 1, 2), (2, 4, 5), (1, 2, 3, 4, 5, 6)])
def test_a_refused_cut_goes_round_from_the_first_player(seats: tuple[int, ...]) -> None:
    """From the one who arrived first counterclockwise, once round; then the dealer cuts."""
    driver = Driver(DOWN_UNDER, source=SeededSource(1))
    driver.seat_player(first := seats[0], f"player {first}")
    driver.until("shuffling")  # the first to arrive has looked at the cards
    for seat in seats[1:]:
        driver.seat_player(seat, f"player {seat}")
    driver.until("cutting")
    seat, order = first, [first]
    while (seat := seat - 1 or 6) != first:
        order += [seat] if seat in seats else []
    for seat in order:
        assert driver.table.cut_offers[0] == seat
        assert refused(driver, "cut", "dealer", depth=20).code == "not_your_turn"
        driver.send("decline_cut", "player", seat=seat)
    assert not driver.table.cut_offers
    for role in ("player", "dealer"):
        # nobody who refused cuts after all, nor the dealer in somebody's name
        assert refused(driver, "cut", role, seat=first, depth=20).code == "not_your_part"
    driver.send("cut", "dealer", depth=20)
    driver.send("order_recut", "floorperson", reason="too fast")
    driver.send("cut", "dealer", depth=30)
    assert driver.table.phase == "loading"


@cites(DOWN_UNDER, "685a.4(b)", "685a.4(c)", "685a.5(c)(1)")
@pytest.mark.parametrize("seats", [(4, 1, 2), (6, 5), (1, 6)])
def test_who_came_first_looks_at_the_cards_and_cuts(seats: tuple[int, ...]) -> None:
    """The order is that of arrival, not of the seats, however many sit before the cards are seen."""
    driver = Driver(DOWN_UNDER, source=SeededSource(1))
    for seat in seats:
        driver.seat_player(seat, f"player {seat}")

    def looking() -> list[NextStep]:
        return [step for step in driver.steps() if step.command == "let_player_inspect"]

    while not looking():
        driver.house()
    (step,) = looking()
    assert step.seat == seats[0]
    deck = step.choices[0]["deck"]
    for seat in seats[1:]:
        named = refused(driver, "let_player_inspect", "dealer", seat=seat, deck=deck)
        assert named.code == "not_the_first"
    driver.until("cutting")
    assert driver.table.cut_offers[0] == seats[0]


@cites(DOWN_UNDER, "685a.5(c)(2)", "685a.5(e)")
def test_a_cut_refused_at_the_cover_card_goes_round_and_a_recut_too() -> None:
    driver = cutting(1, 2, 4)
    driver.until("loading")
    driver.send("place_cover_card", "dealer", depth=312 - 2)
    driver.until("betting")
    bets(driver, 1, 2, 4)
    driver.finish(stands)
    driver.until("cutting")
    assert driver.table.cut_offers == (2, 1, 4)
    driver.send("decline_cut", "player", seat=2)
    driver.send("cut", "player", seat=1, depth=20)
    driver.send("order_recut", "floorperson", reason="too fast")
    # the last cutter's, or the next one's
    assert driver.table.cut_offers == (1, 4)


@cites(DOWN_UNDER, "685a.5(c)", "685a.5(e)")
def test_no_cut_is_offered_to_a_player_who_left() -> None:
    driver = cutting(2, 4, 5)
    driver.send("leave_seat", "player", seat=2)
    assert driver.table.cut_offers == (5, 4)
    driver.send("cut", "player", seat=5, depth=20)
    driver.send("leave_seat", "player", seat=5)
    driver.send("order_recut", "floorperson", reason="too fast")
    assert driver.table.cut_offers == (4,)
    driver.send("leave_seat", "player", seat=4)
    driver.send("cut", "dealer", depth=20)


@cites(DOWN_UNDER, "685a.5(a)", "685a.5(h)")
@pytest.mark.parametrize(
    "rules", [{"shuffler": "reshuffling"}, {"dealing": "continuous_shuffler"}], ids=str
)
def test_a_device_that_reshuffles_does_so_when_the_floor_says(rules: dict[str, str]) -> None:
    """5(h) takes away 5(b) to (g); the floorperson's order is in 5(a) too."""
    driver = opened(DOWN_UNDER, rules)
    events = driver.send("order_reshuffle", "floorperson", reason="a doubt")
    assert events[0].clause == "685a.5(a)"
    steps = [step for step in next_steps(driver.table) if step.command == "shuffle"]
    assert [(step.role, step.kind) for step in steps] == [("device", "next")]
    driver.until("betting")
    check_all(driver)


# the idle table


@cites(PRIME, "679a.3(b)(3)", "679a.5(f)")
@cites(SAIGON, "680a.3(b)(3)", "680a.5(f)")
@cites(MD, "3.B(4)", "5.H(3)")
@pytest.mark.parametrize("chapter", [PRIME, SAIGON, MD])
@pytest.mark.parametrize("shuffled", [False, True], ids=["waiting deck unshuffled", "shuffled"])
def test_an_idle_table_does_not_play_one_deck_twice(chapter: str, shuffled: bool) -> None:
    driver = opened(chapter, {"shuffler": "plain", "decks_in_play": 2}, players=1)
    assert driver.table.in_play == "1"
    driver.wager(1, {"ante": "10.00"})
    driver.finish(stands)
    driver.until("betting")
    if shuffled:
        driver.send("shuffle", "device", deck="1")
    driver.send("spread_idle", "dealer")
    driver.send("let_player_inspect", "dealer", seat=1, deck="2")
    driver.send("wash_cards", "dealer", deck="2")
    driver.until("betting")
    assert driver.table.in_play == "2"
    check_all(driver)


@cites(DOWN_UNDER, "685a.5(g)", "685a.4(c)", "685a.5(c)(1)", "685a.3(b)(4)")
@pytest.mark.parametrize("rules", [{}, {"shuffler": "plain"}], ids=str)
@pytest.mark.parametrize("seats", [(3,), (1, 5), (1, 2, 3, 4, 5, 6)])
def test_idle_cards_are_looked_at_washed_shuffled_and_cut(
    rules: dict[str, str], seats: tuple[int, ...]
) -> None:
    driver = Driver(DOWN_UNDER, rules, source=SeededSource(1))
    for seat in seats:
        driver.seat_player(seat, f"player {seat}")
    driver.until("betting")
    driver.wager(seats[0], {"bet": "10.00"})
    driver.finish(stands)
    deck = driver.table.in_play
    driver.send("spread_idle", "dealer")
    last = seats[-1]
    assert refused(driver, "wash_cards", "dealer", deck=deck).code == "out_of_turn"
    assert "place_wager" not in legal(driver.table, "player", last)
    looked = driver.send("let_player_inspect", "dealer", seat=last, deck=deck)
    assert looked[0].clause == "685a.5(g)"
    washed = driver.send("wash_cards", "dealer", deck=deck)
    assert washed[0].clause == "685a.4(c)"
    driver.until("cutting")
    # who looked at them is the first player of a game that begins
    assert driver.table.cut_offers[0] == last
    assert len(driver.table.cut_offers) == len(seats)
    driver.until("betting")
    assert driver.table.in_play == deck
    check_all(driver)


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


@cites(PRIME, "679a.3(c)(2)")
@cites(SAIGON, "680a.3(c)(2)")
@pytest.mark.parametrize("chapter", [PRIME, SAIGON])
def test_bets_are_not_closed_over_a_deck_whose_hours_are_up(chapter: str) -> None:
    driver = opened(chapter)
    driver.wager(1, {"ante": "10.00"})
    driver.clock = driver.clock.replace(hour=20, minute=30)  # it came at noon
    at = driver.clock.isoformat()
    assert "no_more_bets" not in legal(driver.table, "dealer", at=at)
    assert next_steps(driver.table, at=at)[0].command == "change_decks"
    assert refused(driver, "no_more_bets", "dealer").code == "deck_overdue"


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
    driver = cutting(1)
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


# people


@cites(DOWN_UNDER, "685a.7(g)", "685a.8(b)")
def test_nobody_takes_even_money_for_a_player_who_left() -> None:
    driver = shoe("Ad 8d Ac Kh 6h 5s 4c 3d", players=2)
    bets(driver, 1, 2)
    deal_all(driver)
    driver.send("leave_seat", "player", seat=1)
    for name in ("take_even_money", "insure"):
        assert name not in legal(driver.table, "dealer", 1)
    assert refused(driver, "take_even_money", "dealer", seat=1).code == "nobody_there"
    finish(driver)
    assert nets(driver)[1] == 1500
    check_all(driver)


@cites(PRIME, "679a.13(d)", "679a.7(b)")
@pytest.mark.parametrize("first", ["walks away", "card seen"])
def test_a_seen_card_gives_ante_and_play_back_to_a_player_who_walked_away(first: str) -> None:
    """The optional wagers are lost as abandoned; the duel is void for everybody."""
    driver = opened(PRIME, {"prime": True}, players=2)
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00", "prime": "5.00"})
    driver.until("deciding")
    driver.send("play", "player", seat=1)
    if first == "card seen":
        driver.send("dealer_card_exposed", "dealer")
    driver.send("leave_seat", "dealer", seat=1)
    driver.send("declare_abandoned", "floorperson", seat=1)
    if first == "walks away":
        driver.send("dealer_card_exposed", "dealer")
    finish(driver)
    assert nets(driver)[1] == -500
    check_all(driver)


@cites(PRIME, "679a.7(b)", "679a.7(c)")
@cites(SAIGON, "680a.7(b)", "680a.7(c)")
@pytest.mark.parametrize("chapter", [PRIME, SAIGON])
def test_who_has_no_cards_yet_may_leave_and_the_wager_stays(chapter: str) -> None:
    """Seated are who wagered and received cards; a wager of closed bets is not withdrawn."""
    driver = opened(chapter, players=2)
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00"})
    driver.send("no_more_bets", "dealer")
    driver.send("deal", "dealer")
    clause = "679a.7(b)" if chapter == PRIME else "680a.7(b)"
    held = refused(driver, "leave_seat", "player", seat=1)
    assert (held.code, held.clause) == ("stay_seated", clause)
    driver.send("leave_seat", "player", seat=2)
    assert driver.table.boxes[1].layout == {"ante": 1000}
    lost = driver.send("declare_abandoned", "floorperson", seat=2)
    assert lost[0].clause == clause
    finish(driver)
    assert nets(driver)[2] == -1000
    check_all(driver)


# the clause of the moment


@cites(PRIME, "679a.13(d)")
def test_a_wager_that_goes_back_is_announced_by_the_clause_that_voids_it() -> None:
    driver = opened(PRIME, {"prime": True}, players=1)
    driver.wager(1, {"ante": "10.00", "prime": "5.00"})
    driver.until("deciding")
    driver.send("play", "player", seat=1)
    driver.send("dealer_card_exposed", "dealer")
    driver.until("settling")
    driver.send("turn_hand", "dealer", seat=1)
    said = {}
    while driver.table.due:
        step = next(step for step in next_steps(driver.table) if step.command == "settle_next")
        said[driver.table.due[0].wager] = step.clause
        driver.send("settle_next", "dealer")
    assert said == {"ante": "679a.13(d)", "play": "679a.13(d)", "prime": "679a.11(d)(1)"}


@cites(PRIME, "679a.3(b)(1)")
@cites(SAIGON, "680a.3(b)(1)")
@cites(DOWN_UNDER, "685a.3(b)(2)")
@pytest.mark.parametrize(
    ("chapter", "clause"),
    [(PRIME, "679a.3(b)(1)"), (SAIGON, "680a.3(b)(1)"), (DOWN_UNDER, "685a.3(b)(2)")],
)
def test_two_decks_with_the_same_backs(chapter: str, clause: str) -> None:
    driver = Driver(chapter, {"shuffler": "plain", "decks_in_play": 2}, source=SeededSource(1))
    driver.send("receive_decks", "dealer", deck="1", back="red")
    said = refused(driver, "receive_decks", "dealer", deck="2", back="red")
    assert (said.code, said.clause) == ("same_back", clause)


@cites(PRIME, "679a.7(a)")
@cites(SAIGON, "680a.7(a)")
@cites(DOWN_UNDER, "685a.6(a)")
@pytest.mark.parametrize(
    ("chapter", "wager", "clause"),
    [(PRIME, "ante", "679a.7(a)"), (SAIGON, "ante", "680a.7(a)"), (DOWN_UNDER, "bet", "685a.6(a)")],
)
def test_words_with_cash_are_no_wager_of_a_player(chapter: str, wager: str, clause: str) -> None:
    driver = opened(chapter)
    fields = {"wager": wager, "amount": "10.00", "verbal": True}
    assert refused(driver, "place_wager", "player", seat=1, **fields).clause == clause
    if chapter == DOWN_UNDER:  # confirmed, and the cash changed
        events = driver.send("place_wager", "dealer", seat=1, **fields)
        assert isinstance(events[0], e.ChipsSold)
    else:
        assert refused(driver, "place_wager", "dealer", seat=1, **fields).clause == clause


@cites(DOWN_UNDER, "685a.4(a)")
def test_somebody_else_verifies_what_was_inspected() -> None:
    driver = Driver(DOWN_UNDER, source=SeededSource(1))
    driver.send("receive_decks", "dealer", deck="1")
    driver.send("inspect_cards", "dealer", who="ann", deck="1")
    same = refused(driver, "verify_inspection", "floorperson", who="ann", deck="1")
    assert (same.code, same.clause) == ("same_person", "685a.4(a)")
    driver.send("verify_inspection", "floorperson", who="bea", deck="1")


@cites(PRIME, "679a.11(c)(3)", "679a.11(d)(1)", "679a.11(d)(2)", "679a.11(d)(3)")
@cites(SAIGON, "680a.11(d)", "680a.11(e)")
@pytest.mark.parametrize(
    ("chapter", "rules", "clauses"),
    [
        (
            PRIME, {"prime": True, "pair_bonus": "A", "all_six": "A"},
            {
                "ante": "679a.11(c)(3)", "play": "679a.11(c)(3)", "prime": "679a.11(d)(1)",
                "pair_bonus": "679a.11(d)(2)", "all_six": "679a.11(d)(3)",
            },
        ),
        (SAIGON, {"bonus": "A"}, {"ante": "680a.11(d)", "bonus": "680a.11(e)"}),
    ],
)  # fmt: skip
def test_the_duel_is_settled_before_the_optional_wagers_each_by_its_clause(
    chapter: str, rules: dict[str, Any], clauses: dict[str, str]
) -> None:
    """Player by player from the dealer's right; the prompt has the clause of the wager."""
    driver = opened(chapter, rules, players=2)
    for seat in (1, 2):
        driver.wager(seat, {name: "10.00" for name in clauses if name != "play"})
    driver.until("deciding")
    for seat in (1, 2):
        driver.send("play" if chapter == PRIME else "set_hands", "player", seat=seat)
    driver.until("settling")
    order = []
    while driver.table.phase == "settling":
        step = next(step for step in next_steps(driver.table) if step.kind == "next")
        if step.command == "settle_next":
            line = driver.table.due[0]
            assert step.clause == clauses[line.wager]
            order.append((line.seat, line.wager))
        driver.house()
    assert order == [(seat, name) for seat in (2, 1) for name in clauses]


@cites(PRIME, "679a.13(e)", "679a.13(f)", "679a.13(g)")
@cites(SAIGON, "680a.13(d)", "680a.13(e)", "680a.13(f)")
@cites(DOWN_UNDER, "685a.12(i)", "685a.12(j)", "685a.12(k)")
@pytest.mark.parametrize(
    ("chapter", "rules", "device", "jams", "breaks"),
    [
        (PRIME, {"shuffler": "plain"}, "shuffler", "679a.13(e)", "679a.13(g)"),
        (PRIME, {"dealing": "automated_shoe"}, "automated_shoe", "679a.13(f)", "679a.13(g)"),
        (SAIGON, {"shuffler": "plain"}, "shuffler", "680a.13(d)", "680a.13(f)"),
        (SAIGON, {"dealing": "automated_shoe"}, "automated_shoe", "680a.13(e)", "680a.13(f)"),
        (DOWN_UNDER, {"shuffler": "plain"}, "shuffler", "685a.12(j)", "685a.12(k)"),
        (
            DOWN_UNDER, {"dealing": "continuous_shuffler"}, "continuous_shuffler",
            "685a.12(j)", "685a.12(k)",
        ),
        (DOWN_UNDER, {}, "reader", "", "685a.12(i)"),
    ],
)  # fmt: skip
def test_each_device_stops_by_its_own_clause(
    chapter: str, rules: dict[str, str], device: str, jams: str, breaks: str
) -> None:
    driver = opened(chapter, rules)
    if jams:
        assert driver.send("device_jams", "device", device=device)[0].clause == jams
    else:
        assert refused(driver, "device_jams", "device", device=device)
    assert driver.send("device_breaks", "device", device=device)[0].clause == breaks
    steps = {step.command: step.clause for step in next_steps(driver.table)}
    assert "repair_device" in steps
    if device != "reader":
        assert steps["set_device_aside"] == breaks
