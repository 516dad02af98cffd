"""Down Under's cards at the edges of each rule: batches, cut, cover card, draws, and 685a.12."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from stories import table_of
from tables import bets, check_all, deal_all, keyed, nets, opened, refused, shoe, since, stands

from houseway.cards import SeededSource
from houseway.errors import Refused
from houseway.game_api.notation import deal
from houseway.game_api.settle import settle
from houseway.games.down_under.table import events as own_events
from houseway.law import DOWN_UNDER, choose, cites
from houseway.table import events as e
from houseway.table import legal, rules_of
from houseway.table.card_source import pack
from houseway.table.driver import Driver

TWO_BATCHES = {"shuffler": "plain", "decks": 4}


def covered(cards: int, *seats: int) -> Driver:
    """A shoe whose cover card lies behind the burn card and so many more."""
    driver = Driver(DOWN_UNDER, source=SeededSource(1))
    for seat in seats:
        driver.seat_player(seat, f"player {seat}")
    driver.until("loading")
    size = len(driver.table.piles["shoe"])
    driver.send("place_cover_card", "dealer", depth=size - 1 - cards)
    driver.until("betting")
    return driver


def covered_table(first: str, cards: int) -> Driver:
    """The same with these cards on top, after the burn card, and one player's bet."""
    driver = Driver(DOWN_UNDER, source=SeededSource(1))
    driver.seat_player(1, "player 1")
    driver.until("shuffling")
    rest = list(
        driver.fields_of(next(s for s in driver.steps() if s.command == "shuffle"))["order"]
    )
    top = ["2c", *first.split()]
    for card in top:
        rest.remove(card)
    driver.send("shuffle", "system", order=(*rest[:20], *top, *rest[20:]))
    driver.send("cut", "player", seat=1, depth=20)
    driver.send("place_cover_card", "dealer", depth=len(rest) + len(top) - 1 - cards)
    driver.until("betting")
    bets(driver, 1)
    deal_all(driver)
    driver.send("read_hole_card", "dealer")
    return driver


# batches


@cites(DOWN_UNDER, "685a.3(b)(1)", "685a.4(e)")
def test_two_batches_have_as_many_decks_and_come_fresh_or_preshuffled():
    driver = Driver(DOWN_UNDER, TWO_BATCHES, source=SeededSource(1))
    order = pack(rules_of(driver.table))
    error = refused(driver, "receive_decks", "system", deck="1", order=order)
    assert error.code == "not_preshuffled"
    fresh = driver.send("receive_decks", "dealer", deck="1")
    assert [(type(event), event.clause) for event in fresh] == [(e.DecksReceived, "685a.4(a)")]
    assert not fresh[0].preshuffled
    ready = driver.send("receive_decks", "dealer", deck="2", preshuffled=True)
    assert [(type(event), event.clause) for event in ready] == [
        (e.DecksReceived, "685a.4(e)"),
        (e.DeckPrepared, "685a.4(e)"),
    ]
    # neither inspected nor washed, but spread for the first player
    assert [driver.table.decks[deck].stage for deck in "12"] == ["received", "verified"]
    assert len(fresh[0].cards) == len(ready[0].cards) == 4 * 52
    assert fresh[0].back != ready[0].back


@cites(DOWN_UNDER, "685a.3(b)(1)")
def test_a_fresh_batch_goes_through_the_opening_before_anything_is_dealt():
    driver = opened(DOWN_UNDER, TWO_BATCHES)
    driver.send("change_decks", "floorperson", deck=driver.table.in_play)
    assert driver.table.phase == "opening"
    driver.ready()
    assert len(driver.table.piles["shuffler"]) == 4 * 52
    check_all(driver)


@cites(DOWN_UNDER, "685a.3(b)(4)", "685a.5(f)", "685a.5(h)", "685a.7(d)(1)")
@pytest.mark.parametrize("rules", [TWO_BATCHES, {}])
def test_a_shoe_that_the_floorperson_ends_is_collected_whole(rules):
    driver = opened(DOWN_UNDER, rules)
    bets(driver, 1)
    driver.finish(stands)
    left, before = len(driver.table.piles["shoe"]), driver.table
    driver.send("order_reshuffle", "floorperson", reason="a doubt")
    (collected,) = since(driver, before.version, e.CardsMoved)
    assert (collected.source, collected.to, collected.count) == ("shoe", "discard", left)
    assert collected.clause == "685a.7(d)(1)"
    turned = since(driver, before.version, e.DeckTurn)
    assert [(turn.clause, turn.out) for turn in turned] == (
        [("685a.3(b)(4)", before.in_play)] if rules else []
    )
    assert (driver.table.in_play != before.in_play) == bool(rules)


@cites(DOWN_UNDER, "685a.7(d)(1)")
def test_a_batch_from_which_a_card_is_missing_goes_off_the_table():
    driver = opened(DOWN_UNDER, {"shuffler": "counting", "decks": 4})
    waits = next(id for id in driver.table.decks if id != driver.table.in_play)
    driver.send("order_reshuffle", "floorperson", reason="a doubt")
    driver.until("shuffling")
    events = driver.send("shuffle", "device", count=4 * 52 - 1)
    removed = [event for event in events if isinstance(event, e.DeckRemoved)]
    assert [event.clause for event in removed] == ["685a.7(d)(1)"]
    assert waits in driver.table.decks
    assert driver.table.phase == "opening"


# the cut, and devices without one


@cites(DOWN_UNDER, "685a.5(b)", "685a.5(c)", "685a.5(d)", "685a.5(e)", "685a.5(h)", "685a.7(d)")
@pytest.mark.parametrize(
    "rules", [{"shuffler": "reshuffling", "decks": 4}, {"dealing": "continuous_shuffler"}]
)
def test_a_device_that_reshuffles_by_itself_has_neither_cut_nor_cover_card(rules):
    driver = opened(DOWN_UNDER, rules)
    for kind in (e.CutOffered, e.CardsCut, e.CoverCardPlaced):
        assert not since(driver, 0, kind)
    for role in ("dealer", "player", "floorperson"):
        assert not {"cut", "decline_cut", "order_recut", "place_cover_card"} & set(
            legal(driver.table, role, 1)
        )
    not_here = {"685a.5(c)", "685a.5(d)", "685a.5(e)"}
    for name, role, fields in (
        ("cut", "dealer", {"depth": 20}),
        ("decline_cut", "player", {"seat": 1}),
        ("order_recut", "floorperson", {"reason": "a doubt"}),
    ):
        assert refused(driver, name, role, **fields).clause not in not_here
    bets(driver, 1)
    driver.finish(stands)
    assert not since(driver, 0, e.CoverCardReached)


@cites(DOWN_UNDER, "685a.5(e)")
def test_the_recut_is_ordered_to_whom_it_belongs():
    driver = Driver(DOWN_UNDER, source=SeededSource(1))
    for seat in (2, 4):
        driver.seat_player(seat, f"player {seat}")
    driver.until("cutting")
    driver.send("cut", "player", seat=2, depth=30)
    driver.send("order_recut", "floorperson", reason="too quick")
    (ordered,) = since(driver, 0, e.CutOrdered)
    assert (ordered.seats, ordered.clause) == ((2, 4), "685a.5(e)")
    assert driver.table.phase == "cutting"


@cites(DOWN_UNDER, "685a.7(c)", "685a.7(d)")
def test_a_new_dealers_burn_card_may_bring_the_cover_card():
    driver = covered(0, 1)
    assert not since(driver, 0, e.CoverCardReached)
    before = driver.table.piles["shoe"]
    driver.send("change_dealer", "floorperson", dealer="another")
    driver.until("betting")
    assert driver.table.piles["shoe"] == before[1:]
    assert driver.table.piles["discard"][-1] == before[0]
    (reached,) = since(driver, 0, e.CoverCardReached)
    assert (reached.place, reached.clause) == ("discard", "685a.7(d)")


@cites(DOWN_UNDER, "685a.7(d)", "685a.5(f)", "685a.7(e)")
def test_the_cover_card_comes_in_the_deal_and_the_round_is_completed():
    driver = covered(2, 1, 2)
    bets(driver, 1, 2)
    deal_all(driver)
    (reached,) = since(driver, 0, e.CoverCardReached)
    assert (reached.place, reached.clause) == ("dealer", "685a.7(d)")
    assert driver.table.hands == (1, 2)
    driver.finish(stands)
    # what is left in the shoe goes to the rack, and all is shuffled
    assert "shoe" not in driver.table.piles
    assert driver.table.phase == "shuffling"


@cites(DOWN_UNDER, "685a.5(f)", "685a.7(d)")
@pytest.mark.parametrize("lost", [False, True])
def test_a_shoe_goes_on_until_its_cover_card_comes_or_nobody_knows_its_cards(lost):
    driver = opened(DOWN_UNDER)
    bets(driver, 1)
    while driver.table.phase != "clearing":
        asked = [step.command for step in driver.steps() if step.role == "player" and step.seat]
        if driver.table.phase in ("insuring", "deciding") and asked:
            driver.send(*stands(driver.table, 1, driver.steps())[:1], "player", seat=1)
        else:
            driver.house()
    if lost:
        driver.table = replace(driver.table, lost_decks=frozenset((driver.table.in_play,)))
    driver.finish(stands)
    assert driver.table.phase == ("shuffling" if lost else "betting")


# before the decisions


@cites(DOWN_UNDER, "685a.7(g)")
def test_even_money_is_paid_at_once_to_who_takes_it_and_to_nobody_else():
    driver = table_of("Ah Ac As Kh Kc Td", "10.00", "20.00", reads=False)
    assert driver.table.phase == "insuring"
    before = driver.table.version
    driver.send("take_even_money", "player", seat=1)
    assert {line.seat for line in since(driver, before, e.WagerSettled)} == {1}
    assert nets(driver) == {1: 1000, 2: -2000}
    (answered,) = since(driver, before, own_events.InsuranceAnswered)
    assert (answered.seat, answered.even_money, answered.clause) == (1, True, "685a.7(g)")
    assert driver.table.boxes[1].layout == {"bet": 2000}
    # the dealer has a blackjack: the other's bet is returned, the first keeps what he was paid
    driver.send("decline_insurance", "player", seat=2)
    driver.send("close_insurance", "dealer")
    driver.send("read_hole_card", "dealer")
    driver.until("clearing")
    assert nets(driver) == {1: 1000, 2: 0}


@cites(DOWN_UNDER, "685a.7(h)", "685a.7(h)(2)")
def test_against_a_dealers_blackjack_two_cards_lose_and_no_third_is_drawn():
    rules = choose(DOWN_UNDER)

    def settled(*hands):
        seat = {"wagers": {"bet": "10.00"}, "hands": list(hands)}
        lines = settle(deal(rules, dealer="As Kd", seats={1: seat})).seat(1).lines
        return {line.wager: line.result for line in lines}

    assert settled({"cards": "9h 8c"}) == {"bet": "lose"}
    with pytest.raises(Refused) as found:
        settled({"cards": "9h 5c 3d"})
    assert (found.value.code, found.value.clause) == ("decision_not_open", "685a.7(h)")
    # what was doubled or split before it was found is settled by 9(b) and 10(d)
    assert settled({"cards": "6h 5c 3d", "doubled": "10.00"})["bet"] == "lose"
    split = {"cards": "8h 5c 3d", "split": True}, {"cards": "8c Td", "split": True}
    assert settled(*split)["bet"] == "lose"


@cites(DOWN_UNDER, "685a.7(h)")
@pytest.mark.parametrize(
    ("up", "light", "shown"),
    [("Ks", "yellow", True), ("Ks", "red", False), ("8s", "yellow", False)],
)
def test_an_up_card_that_is_large_after_all_has_the_hole_card_shown(up, light, shown):
    """Keyed in as a nine it hid the hole card that its light called Large."""
    driver = keyed(DOWN_UNDER)
    bets(driver, 1)
    for card in ("6h", "9s", "5c"):
        driver.send("deal", "dealer", cards=(card,))
    driver.send("deal", "dealer")
    driver.send("read_hole_card", "device", light=light)
    assert driver.table.phase == "deciding"
    change = {"place": "dealer", "was": "9s", "card": up, "reason": "misread"}
    driver.send("correct_card", "floorperson", **change)
    assert driver.table.phase == ("reading" if shown else "deciding")


@cites(DOWN_UNDER, "685a.7(h)")
def test_a_hole_card_that_lies_open_is_not_shown_again():
    driver = keyed(DOWN_UNDER)
    bets(driver, 1)
    for card in ("6h", "Ks", "5c"):
        driver.send("deal", "dealer", cards=(card,))
    driver.send("deal", "dealer")
    driver.send("read_hole_card", "device", light="yellow", card="Qd")
    change = {"place": "dealer", "was": "Ks", "card": "Js", "reason": "misread"}
    driver.send("correct_card", "floorperson", **change)
    assert driver.table.phase == "deciding"


# draws


@cites(DOWN_UNDER, "685a.7(l)", "685a.7(m)")
def test_the_dealer_announces_the_total_after_every_card():
    driver = table_of("Tc 5d 9d 2h 4h 3s 8c", "10.00")
    driver.send("stand", "player", seat=1)
    driver.send("reveal_dealer", "dealer")
    while driver.table.phase == "drawing":
        driver.send("dealer_draws", "dealer")
    told = since(driver, 0, own_events.TotalAnnounced)
    assert [(one.whose, one.points) for one in told] == [
        ("dealer", 7),
        ("dealer", 11),
        ("dealer", 14),
        ("dealer", 22),
    ]


@cites(DOWN_UNDER, "685a.7(m)", "685a.12(d)")
def test_the_right_total_is_announced_when_a_card_of_the_dealer_is_corrected():
    """On 17 the dealer stands: what was drawn to a total misread goes to the rack."""
    driver = keyed(DOWN_UNDER)
    bets(driver, 1)
    for card in ("Th", "9s", "9c"):
        driver.send("deal", "dealer", cards=(card,))
    driver.send("deal", "dealer")
    driver.send("read_hole_card", "device", light="red")
    driver.send("stand", "player", seat=1)
    driver.send("reveal_dealer", "dealer", cards=("7d",))
    driver.send("dealer_draws", "dealer", card="2c")
    before = driver.table.version
    change = {"place": "hole", "was": "7d", "card": "8d", "reason": "misread"}
    driver.send("correct_card", "floorperson", **change)
    (told,) = since(driver, before, own_events.TotalAnnounced)
    assert told.points == 17
    (moved,) = since(driver, before, e.CardsMoved)
    assert (moved.source, moved.to, moved.count) == ("dealer", "discard", 1)
    assert driver.table.piles["discard"][-1] == "2c"


@cites(DOWN_UNDER, "685a.10(b)", "685a.10(e)")
@pytest.mark.parametrize(
    ("pair", "second", "clause"),
    [(("Tc", "Td"), ("Ah", "As"), "685a.10(b)"), (("Ac", "Ad"), ("5h", "9s"), "685a.10(e)")],
)
def test_a_split_hand_waits_for_its_card_and_the_second_for_the_first(pair, second, clause):
    first = f"{pair[0]} 6s {pair[1]} 9d {' '.join(second)} 4c"
    driver = table_of(first, "10.00")
    driver.send("split", "player", seat=1)
    assert refused(driver, "hit", "player", seat=1).clause == clause
    driver.send("deal", "dealer")
    assert driver.table.piles["seat.1"] == (pair[0], second[0])
    assert driver.table.piles["seat.1.2"] == (pair[1],)
    driver.send("deal", "dealer")
    assert driver.table.piles["seat.1.2"] == (pair[1], second[1])
    dealt = since(driver, 0, e.CardsDealt)[-2:]
    assert [event.clause for event in dealt] == ["685a.10(b)"] * 2
    # 21, or one card to an ace: there is nothing left to decide
    assert driver.table.phase == "revealing"


# mistakes


@cites(DOWN_UNDER, "685a.12(c)")
def test_who_refuses_a_card_decides_nothing_for_a_blackjack_of_his():
    driver = shoe("9c Ad 6s 7h Kh Ts 4c 3d", {"adjacent_boxes": 2}, players=1)
    driver.send("sit_down", "player", seat=2, who="player 1", player="player 1")
    bets(driver, 1, 2)
    deal_all(driver)
    driver.send("read_hole_card", "dealer")
    driver.send("card_drawn_in_error", "dealer", exposed=True)
    driver.send("refuse_card", "player", seat=1)
    decided = since(driver, 0, e.Decided)
    assert [(one.seat, one.decision, one.clause) for one in decided] == [
        (1, "refused", "685a.12(c)")
    ]


@cites(DOWN_UNDER, "685a.12(c)", "685a.7(d)")
def test_an_exposed_card_that_nobody_uses_goes_to_the_rack_by_its_clause():
    driver = covered_table("Tc 7d 9d Th 5h", 4)
    driver.send("card_drawn_in_error", "dealer", exposed=True)
    driver.send("refuse_card", "player", seat=1)
    driver.until("settling")
    dealt = since(driver, 0, e.CardsDealt)[-1]
    assert (dealt.to, dealt.cards, dealt.clause) == ("discard", ("5h",), "685a.12(c)")
    assert [one.place for one in since(driver, 0, e.CoverCardReached)] == ["discard"]


@cites(DOWN_UNDER, "685a.12(d)", "685a.7(d)")
def test_a_card_that_a_standing_dealer_draws_may_follow_the_cover_card():
    driver = covered_table("Tc 7d 9d Th 5h", 4)
    driver.send("stand", "player", seat=1)
    driver.send("reveal_dealer", "dealer")
    driver.send("dealer_drew_in_error", "dealer")
    assert driver.table.piles["discard"][-1] == "5h"
    assert [one.place for one in since(driver, 0, e.CoverCardReached)] == ["discard"]


@cites(DOWN_UNDER, "685a.12(e)")
def test_only_the_cards_of_the_rack_become_the_next_shoe():
    driver = opened(DOWN_UNDER, {"decks": 4}, players=1)
    bets(driver, 1)
    deal_all(driver)
    while driver.table.phase != "deciding":
        driver.send("decline_insurance", "player", seat=1) if (
            "decline_insurance" in legal(driver.table, "player", 1)
        ) else driver.house()
    while "shoe" in driver.table.piles:
        driver.send("card_found_face_up", "dealer")
    rack = driver.table.piles["discard"]
    mine = driver.table.piles["seat.1"][0]
    swapped = (mine, *(card for card in rack if card != rack[0]))
    for order in (rack[1:], (*rack, mine), (mine, *rack[1:]), swapped):
        if sorted(order) == sorted(rack):
            continue
        error = refused(driver, "shoe_runs_out", "system", order=order)
        assert error.code == "not_this_deck"
    before = driver.table.version
    driver.send("shoe_runs_out", "system", order=tuple(reversed(rack)))
    (ordered,) = since(driver, before, e.CutOrdered)
    assert (ordered.again, ordered.seats, ordered.clause) == (False, (1,), "685a.12(e)")
    driver.send("cut", "player", seat=1, depth=10)
    shuffled = tuple(reversed(rack))
    cut = (*shuffled[10:], *shuffled[:10])
    # the first card goes to the rack face down, and the round is completed
    assert driver.table.piles["discard"] == cut[:1]
    assert driver.table.piles["shoe"] == cut[1:]
    assert driver.table.phase == "deciding"


@cites(DOWN_UNDER, "685a.12(f)")
def test_the_only_hand_gets_no_card_and_the_round_is_over():
    driver = shoe("9c 8d 6s 7h")
    bets(driver, 1)
    driver.send("card_drawn_in_error", "dealer")
    driver.send("deal", "dealer")
    driver.send("no_card_dealt", "dealer", seat=1)
    assert driver.table.phase == "clearing"
    assert nets(driver)[1] == 0


@cites(DOWN_UNDER, "685a.12(g)")
def test_a_late_card_comes_by_its_clause_and_not_without_the_reader():
    driver = table_of("9c 8d 6s 7h 6h Ts 4c 3d", "10.00", "10.00")
    driver.send("stand", "player", seat=1)
    driver.send("stand", "player", seat=2)
    assert driver.table.phase == "revealing"
    driver.send("device_breaks", "dealer", device="reader")
    error = refused(driver, "missed_hit", "dealer", seat=1, late_card=True)
    assert error.code == "device_out_of_order"
    driver.send("repair_device", "floorperson", device="reader")
    events = driver.send("missed_hit", "dealer", seat=1, late_card=True)
    assert [type(event) for event in events] == [own_events.LateCardDue, e.PhaseBegan]
    assert events[0].clause == "685a.12(g)"
    driver.send("deal", "dealer")
    dealt = since(driver, 0, e.CardsDealt)[-1]
    assert (dealt.to, dealt.cards, dealt.clause) == ("seat.1", ("4c",), "685a.12(g)")
    assert driver.table.phase == "revealing"


@cites(DOWN_UNDER, "685a.12(h)")
def test_light_and_area_are_each_put_right_once_and_a_dead_hand_is_told_as_one():
    driver = table_of("9c 8d 6s 7h 6h Ts 4c 3d", "10.00", "10.00")
    error = refused(driver, "wrong_light", "dealer", cause="reader")
    assert error.code == "no_such_cause"
    driver.send("wrong_light", "dealer", cause="area", area="medium")
    driver.send("call_hand_dead", "dealer", seat=1)
    driver.send("hand_goes_on", "dealer", seat=2)
    settled = since(driver, 0, own_events.LightSettled)
    assert [(one.seat, one.goes_on) for one in settled] == [(1, False), (2, True)]
    assert nets(driver)[1] == 0
    again = refused(driver, "wrong_light", "dealer", cause="area", area="small")
    assert (again.code, again.clause) == ("out_of_turn", "685a.12(h)")


@cites(DOWN_UNDER, "685a.12(i)", "685a.2(d)")
def test_nothing_is_dealt_before_the_reader_is_inspected():
    driver = Driver(DOWN_UNDER, source=SeededSource(1))
    driver.seat_player(1, "player 1")
    while driver.table.phase != "betting":
        steps = [step for step in driver.steps() if step.command != "inspect_reader"]
        if not driver.house(tuple(steps)):
            driver.send("decline_cut", "player", seat=1)
    bets(driver, 1)
    error = refused(driver, "deal", "dealer")
    assert (error.code, error.clause) == ("not_inspected", "685a.2(d)")
    driver.send("inspect_reader", "floorperson")
    driver.send("deal", "dealer")
