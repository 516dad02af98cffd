"""Down Under at the table: cut and cover card, the reader, hands, draws, and what 685a.12 foresees."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import DOWN_UNDER_GAMES, bets, check_all, deal_all, in_tray, opened, refused, shoe

import houseway
from houseway.cards import SeededSource, batch, standard_deck
from houseway.games.down_under.table.events import (
    HandDoubled,
    HandSplit,
    InsuranceAnswered,
    TotalAnnounced,
)
from houseway.law import DOWN_UNDER, cites
from houseway.money import dollars
from houseway.table import events as e
from houseway.table import next_steps, rules_of
from houseway.table.driver import Driver


@pytest.mark.slow
@pytest.mark.parametrize(("chapter", "rules", "wagers"), DOWN_UNDER_GAMES)
@given(seed=st.integers(0, 100_000))
@settings(max_examples=10, deadline=None)
@cites(DOWN_UNDER, "685a.7(j)", "685a.7(m)")
def test_whole_shoes_settle_as_settle_does(chapter, rules, wagers, seed):
    """Rounds with random decisions, from the first shoe into the next."""
    source = SeededSource(seed)
    driver = opened(chapter, rules, seed=seed, players=3)

    def choose(_table, seat, steps):
        names = [step.command for step in steps if step.seat == seat]
        name = names[source.below(len(names))]
        return name, {"amount": "5.00"} if name in ("insure", "double") else {}

    for _ in range(6):
        if driver.table.phase != "betting":
            driver.until("betting")
        for seat in (1, 2, 3):
            driver.wager(seat, wagers)
        before = len(driver.record)
        driver.finish(choose)
        events = driver.record[before:]
        lines = [event for event in events if isinstance(event, e.WagerSettled)]
        expected = houseway.settle(written_down(driver, events, wagers))
        for seat in expected.seats:
            mine = [
                (line.wager, line.result, line.paid, line.stake)
                for line in lines
                if line.seat == seat.seat
            ]
            theirs = [
                (line.wager, line.result, houseway.dollars(line.paid), houseway.dollars(line.stake))
                for line in seat.lines
            ]
            assert sorted(mine) == sorted(theirs)
        check_all(driver)
        assert len({name for name in driver.table.piles if name.startswith("deck.")}) <= 1


def written_down(driver, events, wagers):
    """The round from its record, as an onlooker would note it."""
    hands, dealer, split, doubled, money, even = {}, [], set(), {}, {}, set()
    for seat in (1, 2, 3):
        money[seat] = dict(wagers)
    for event in events:
        match event:
            case e.CardsDealt(to="dealer" | "hole" as place, cards=cards):
                dealer.insert(1, cards[0]) if place == "hole" else dealer.append(cards[0])
            case e.CardsDealt(to=to, cards=cards) if to.startswith("seat"):
                hands.setdefault(to, []).extend(cards)
            case HandSplit(seat=seat):
                split.add(seat)
                hands[f"seat.{seat}.2"] = [hands[f"seat.{seat}"].pop()]
            case HandDoubled(seat=seat, hand=hand, amount=amount):
                doubled[seat, hand] = amount
            case e.WagerPlaced(wager="insurance", seat=seat, amount=amount):
                money[seat]["insurance"] = amount
            case InsuranceAnswered(seat=seat, even_money=True):
                even.add(seat)
    seats = {}
    for seat in (1, 2, 3):
        mine = [
            {
                "cards": " ".join(hands[f"seat.{seat}"]),
                "doubled": doubled.get((seat, 1), False),
                "split": seat in split,
            }
        ]
        if seat in split:
            mine.append(
                {
                    "cards": " ".join(hands[f"seat.{seat}.2"]),
                    "doubled": doubled.get((seat, 2), False),
                    "split": True,
                }
            )
        seats[seat] = {"wagers": money[seat], "hands": mine, "even_money": seat in even}
    return houseway.deal(rules_of(driver.table), dealer=" ".join(dealer), seats=seats)


@cites(DOWN_UNDER, "685a.7(e)")
@cites(DOWN_UNDER, "685a.7(e)(1)", "685a.7(e)(2)", "685a.7(e)(3)", "685a.7(e)(4)", "685a.7(c)")
def test_two_cards_each_the_dealers_second_face_down():
    driver = opened(DOWN_UNDER, players=3)
    burned = [event for event in driver.record if isinstance(event, e.CardsDealt)]
    assert [(event.to, event.face_up) for event in burned] == [("discard", False)]
    bets(driver, 1, 3)
    deal_all(driver)
    order = [
        (event.to, event.face_up)
        for event in driver.record
        if isinstance(event, e.CardsDealt) and event.to != "discard"
    ]
    around = [("seat.1", True), ("seat.3", True)]
    assert order == [*around, ("dealer", True), *around, ("hole", False)]


@cites(DOWN_UNDER, "685a.5(c)", "685a.5(c)(1)", "685a.5(c)(3)", "685a.5(c)(4)", "685a.5(d)")
def test_the_cut_is_offered_in_order():
    driver = Driver(DOWN_UNDER, source=SeededSource(1))
    for seat in (2, 4, 5):
        driver.seat_player(seat, f"player {seat}")
    driver.until("cutting")
    assert driver.table.cut_offers == (2, 5, 4)
    assert refused(driver, "cut", "player", seat=4, depth=100).code == "not_your_turn"
    for depth in (9, 312 - 9):
        assert refused(driver, "cut", "player", seat=2, depth=depth).code == "cut_too_shallow"
    for seat in (2, 5, 4):
        driver.send("decline_cut", "player", seat=seat)
    driver.send("cut", "dealer", depth=10)
    assert refused(driver, "place_cover_card", "dealer", depth=77).code == "cover_card_too_deep"
    driver.send("place_cover_card", "dealer", depth=78)
    driver.until("betting")
    driver.send("order_reshuffle", "floorperson", reason="a doubt")
    driver.until("cutting")
    assert driver.table.cut_offers == (5, 4, 2)
    driver.send("decline_cut", "player", seat=5)
    driver.send("cut", "player", seat=4, depth=50)


@cites(DOWN_UNDER, "685a.5(e)")
def test_a_recut_is_the_last_cutters_or_the_next_ones():
    driver = opened(DOWN_UNDER, players=3)
    driver.send("order_reshuffle", "floorperson", reason="a doubt")
    driver.until("cutting")
    driver.send("cut", "player", seat=3, depth=50)
    driver.send("order_recut", "floorperson", reason="too quick")
    assert driver.table.cut_offers == (3, 2, 1)
    driver.send("decline_cut", "player", seat=3)
    driver.send("cut", "player", seat=2, depth=60)
    driver.send("place_cover_card", "dealer", depth=100)
    assert refused(driver, "order_recut", "floorperson", reason="late").code == "out_of_turn"


@cites(DOWN_UNDER, "685a.5(c)(2)", "685a.7(d)", "685a.5(f)")
def test_the_player_at_whose_box_the_cover_card_came_is_offered_the_cut():
    driver = Driver(DOWN_UNDER, source=SeededSource(1))
    for seat in (1, 2):
        driver.seat_player(seat, f"player {seat}")
    driver.until("loading")
    # behind the burn card two cards come before the cover card: seat 1's and seat 2's first
    driver.send("place_cover_card", "dealer", depth=312 - 1 - 1)
    driver.until("betting")
    bets(driver, 1, 2)
    deal_all(driver)
    reached = [event for event in driver.record if isinstance(event, e.CoverCardReached)]
    assert [event.place for event in reached] == ["seat.2"]
    driver.finish(lambda _t, _s, steps: (_last(steps), {}))
    driver.until("cutting")
    assert driver.table.cut_offers == (2, 1)


@cites(DOWN_UNDER, "685a.5(c)(3)", "685a.5(c)")
@pytest.mark.parametrize("seats", [(1, 2), (2, 5), (1, 3, 6)])
def test_a_cover_card_at_the_dealer_gives_the_cut_to_the_player_farthest_right(seats):
    """Then counterclockwise; when all refuse, the dealer cuts."""
    driver = Driver(DOWN_UNDER, source=SeededSource(1))
    for seat in seats:
        driver.seat_player(seat, f"player {seat}")
    driver.until("loading")
    # behind the burn card one card for each player comes before the dealer's first
    driver.send("place_cover_card", "dealer", depth=312 - 1 - len(seats))
    driver.until("betting")
    bets(driver, *seats)
    deal_all(driver)
    reached = [event for event in driver.record if isinstance(event, e.CoverCardReached)]
    assert [event.place for event in reached] == ["dealer"]
    driver.finish(lambda _t, _s, steps: (_last(steps), {}))
    driver.until("cutting")
    for seat in sorted(seats, reverse=True):
        assert driver.table.cut_offers[0] == seat
        driver.send("decline_cut", "player", seat=seat)
    assert driver.table.cut_offers == ()
    driver.send("cut", "dealer", depth=20)


def _last(steps):
    names = [step.command for step in steps]
    return next(name for name in ("stand", "decline_insurance") if name in names)


@cites(DOWN_UNDER, "685a.3(d)#2", "685a.7(h)")
def test_the_light_gives_the_range_and_two_large_cards_are_shown():
    driver = shoe("9c Kd 8c Qh")
    bets(driver, 1)
    deal_all(driver)
    assert driver.table.phase == "reading"
    assert refused(driver, "hit", "player", seat=1).code == "out_of_turn"
    driver.send("read_hole_card", "dealer")
    assert driver.table.devices["reader"].shows == "yellow"
    assert "hole" in driver.table.shown
    low = shoe("9c 6d 8c 3h")
    bets(low, 1)
    deal_all(low)
    low.send("read_hole_card", "dealer")
    assert low.table.devices["reader"].shows == "blue"
    assert "hole" not in low.table.shown


@cites(DOWN_UNDER, "685a.7(h)")
def test_insurance_comes_before_the_reader_and_a_blackjack_ends_the_round():
    driver = shoe("9c Ad 8c Kh", {"match_the_dealer": True})
    bets(driver, 1, match_the_dealer="5.00")
    deal_all(driver)
    assert driver.table.phase == "matching"
    assert refused(driver, "insure", "player", seat=1, amount="5.00").code == "out_of_turn"
    driver.send("settle_next", "dealer")
    assert driver.table.phase == "insuring"
    assert refused(driver, "insure", "player", seat=1, amount="5.50").code == "insurance_above_half"
    driver.send("insure", "player", seat=1, amount="5.00")
    driver.send("close_insurance", "dealer")
    driver.send("read_hole_card", "dealer")
    assert driver.table.phase == "settling"
    driver.until("clearing")
    assert [(line.wager, line.result) for line in driver.table.settled] == [
        ("match_the_dealer", "lose"), ("bet", "lose"), ("insurance", "win"),
    ]  # fmt: skip


def test_losing_insurance_is_collected_before_anyone_draws():
    driver = shoe("9c Ad 8c 7h")
    bets(driver, 1)
    deal_all(driver)
    driver.send("insure", "player", seat=1, amount="5.00")
    driver.send("close_insurance", "dealer")
    driver.send("read_hole_card", "dealer")
    assert refused(driver, "stand", "player", seat=1).code == "out_of_turn"
    driver.send("settle_next", "dealer")
    assert driver.table.phase == "deciding"


@cites(DOWN_UNDER, "685a.10(b)", "685a.7(j)")
def test_the_first_split_hand_is_finished_before_the_second_gets_a_card():
    driver = shoe("8c 6d 8d 3h 5c 7c 4h 9h Td")
    bets(driver, 1)
    deal_all(driver)
    driver.send("read_hole_card", "dealer")
    driver.send("split", "player", seat=1)
    assert refused(driver, "hit", "player", seat=1).code == "decision_not_open"
    driver.send("deal", "dealer")
    assert driver.table.piles["seat.1"] == ("8c", "5c")
    driver.send("hit", "player", seat=1)
    driver.send("stand", "player", seat=1)
    assert driver.table.piles["seat.1.2"] == ("8d",)
    driver.send("deal", "dealer")
    assert driver.table.piles["seat.1.2"] == ("8d", "4h")
    driver.send("double", "player", seat=1, amount="10.00")
    driver.until("clearing")
    announced = [event for event in driver.record if isinstance(event, TotalAnnounced)]
    # 6 and 3, then the ten
    assert [event.points for event in announced] == [9, 19]
    check_all(driver)


@cites(DOWN_UNDER, "685a.7(l)", "685a.7(m)")
def test_the_dealer_turns_the_hole_card_and_draws_to_seventeen():
    driver = shoe("Tc 6d 9d 3h 2c 5h 2h")
    bets(driver, 1)
    deal_all(driver)
    driver.send("read_hole_card", "dealer")
    assert refused(driver, "reveal_dealer", "dealer").code == "out_of_turn"
    driver.send("stand", "player", seat=1)
    driver.send("reveal_dealer", "dealer")
    drawn = 0
    while driver.table.phase == "drawing":
        driver.send("dealer_draws", "dealer")
        drawn += 1
    assert (driver.table.piles["dealer"], drawn) == (("6d", "2c", "5h", "2h"), 3)
    assert refused(driver, "dealer_draws", "dealer").code == "out_of_turn"


@cites(DOWN_UNDER, "685a.3(b)(1)", "685a.3(b)(2)")
def test_the_two_batches_are_alike_but_for_the_color_of_their_backs():
    """Each is of the number of decks that was chosen: no other number comes to the table."""
    driver = Driver(DOWN_UNDER, {"shuffler": "plain", "decks": 4}, source=SeededSource(1))
    driver.send("inspect_reader", "floorperson")
    driver.send("receive_decks", "dealer", deck="1", back="red")
    assert refused(driver, "receive_decks", "dealer", deck="2", back="red").code == "same_back"
    for decks in (3, 5, 6, 8):
        order = tuple(batch(decks))
        other = {"deck": "2", "preshuffled": True, "order": tuple(map(str, order))}
        assert refused(driver, "receive_decks", "system", **other).code == "not_this_deck"
    driver.send("receive_decks", "dealer", deck="2", back="blue")
    piles = [Counter(driver.table.piles[f"deck.{number}"]) for number in "12"]
    assert piles[0] == piles[1] == Counter({str(card): 4 for card in standard_deck()})


@cites(DOWN_UNDER, "685a.3(b)(3)", "685a.3(b)(4)", "685a.3(b)(5)", "685a.7(d)(1)", "685a.7(d)(2)")
@cites(DOWN_UNDER, "685a.5(f)", "685a.7(d)")
def test_the_batches_take_turns_shoe_by_shoe_and_never_meet_in_the_rack():
    """Four shoes, each from cover card to cover card."""
    driver = opened(DOWN_UNDER, {"shuffler": "plain", "decks": 4}, players=2)
    whole = 4 * 52
    used = []
    for _ in range(150):
        table = driver.table
        if table.in_play and (not used or used[-1] != table.in_play):
            used.append(table.in_play)
        if len(used) > 3:
            break
        if table.phase != "betting":
            driver.until("betting")
        # while one is played, the other lies shuffled in the device, whole
        waiting = next(id for id in driver.table.decks if id != driver.table.in_play)
        assert driver.table.decks[waiting].stage == "shuffled"
        assert len(driver.table.piles["shuffler"]) == whole
        bets(driver, 1, 2)
        before = len(driver.record)
        driver.finish(lambda _t, _s, steps: (_last(steps), {}))
        for event in driver.record[before:]:
            if isinstance(event, e.DeckTurn):
                # the rest of the shoe went to the rack first, so that the batch left it whole
                moved = [x for x in driver.record[before:] if isinstance(x, e.CardsMoved)]
                assert (moved[-1].source, moved[-1].to) == ("shoe", "discard")
                assert len(driver.table.piles[f"deck.{event.out}"]) == whole
                assert "discard" not in driver.table.piles
    assert used in (["1", "2", "1", "2"], ["2", "1", "2", "1"])


@pytest.mark.parametrize(
    ("settlement", "order"),
    [
        ("losers_first", ["3 lose", "2 lose", "2 lose", "3 win", "1 win"]),
        ("by_player", ["3 lose", "3 win", "2 lose", "2 lose", "1 win"]),
    ],
)
@cites(DOWN_UNDER, "685a.7(r)", "685a.7(r)(1)", "685a.7(r)(2)", "685a.7(i)")
def test_the_order_in_which_losers_are_collected_and_winners_paid(settlement, order):
    """Against 19: 20 wins, 11 doubled to 17 loses, of two eights one is 18 and one 20."""
    driver = shoe("Tc 5c 8c 9d Kc 6c 8d Ts 6h Th 2h Td", {"settlement": settlement}, players=3)
    bets(driver, 1, 2, 3)
    deal_all(driver)
    driver.send("read_hole_card", "dealer")
    driver.send("stand", "player", seat=1)
    driver.send("double", "player", seat=2, amount="10.00")
    driver.send("split", "player", seat=3)
    driver.send("deal", "dealer")
    driver.send("stand", "player", seat=3)
    driver.send("deal", "dealer")
    driver.send("hit", "player", seat=3)
    driver.send("stand", "player", seat=3)
    driver.until("clearing")
    assert [f"{line.seat} {line.result}" for line in driver.table.settled] == order
    check_all(driver)


@cites(DOWN_UNDER, "685a.7(r)(2)")
def test_a_winner_is_not_paid_with_chips_just_collected():
    """Seat 2 loses ten dollars and seat 1 wins as much: the tray, otherwise empty, must be filled."""
    for settlement in ("by_player", "losers_first"):
        driver = shoe("Tc Tc 9d Tc 8c Ts", {"settlement": settlement}, players=2)
        bets(driver, 1, 2)
        deal_all(driver)
        driver.send("read_hole_card", "dealer")
        for seat in (1, 2):
            driver.send("stand", "player", seat=seat)
        driver.until("settling")
        empty = {dollars(value): count for value, count in driver.table.tray.items() if count}
        driver.send("credit", "floorperson", chips=empty)
        driver.send("settle_next", "dealer")
        assert in_tray(driver.table) == 1000
        if settlement == "losers_first":
            driver.send("settle_next", "dealer")
            assert in_tray(driver.table) == 0
            continue
        assert refused(driver, "settle_next", "dealer").code == "tray_short"
        driver.send("fill", "floorperson", chips={"5.00": 2})
        driver.send("settle_next", "dealer")
        assert driver.table.phase == "clearing"
        assert in_tray(driver.table) == 1000
        check_all(driver)


# 685a.12


@cites(DOWN_UNDER, "685a.12(c)")
def test_an_exposed_card_is_offered_and_who_refuses_draws_no_more():
    driver = shoe("Tc 9c 6d 2d 3c 3h 5h", players=2)
    bets(driver, 1, 2)
    deal_all(driver)
    driver.send("read_hole_card", "dealer")
    driver.send("card_drawn_in_error", "dealer", exposed=True)
    assert driver.table.aside == "5h"
    driver.send("refuse_card", "player", seat=1)
    assert refused(driver, "hit", "player", seat=1).code == "not_your_turn"
    driver.send("hit", "player", seat=2)
    assert driver.table.piles["seat.2"] == ("9c", "3c", "5h")
    assert driver.table.aside == ""
    unused = shoe("Tc 7d 9d Th 5h", players=1)
    bets(unused, 1)
    deal_all(unused)
    unused.send("read_hole_card", "dealer")
    unused.send("card_drawn_in_error", "dealer", exposed=True)
    unused.send("refuse_card", "player", seat=1)
    unused.until("settling")
    assert unused.table.piles["discard"][-1] == "5h"


@cites(DOWN_UNDER, "685a.12(d)")
def test_a_card_drawn_on_a_standing_total_is_discarded():
    driver = shoe("Tc 7d 9d Th 5h")
    bets(driver, 1)
    deal_all(driver)
    driver.send("read_hole_card", "dealer")
    driver.send("stand", "player", seat=1)
    driver.send("reveal_dealer", "dealer")
    driver.send("dealer_drew_in_error", "dealer")
    assert driver.table.piles["discard"][-1] == "5h"
    assert driver.table.piles["dealer"] == ("7d",)
    driver.until("clearing")
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(e)")
def test_a_shoe_that_runs_out_is_made_of_the_discards():
    driver = opened(DOWN_UNDER, {"decks": 4}, players=1)
    bets(driver, 1)
    deal_all(driver)
    assert refused(driver, "shoe_runs_out", "dealer").code == "out_of_turn"
    while "shoe" in driver.table.piles:
        driver.send("card_found_face_up", "dealer") if driver.table.phase == "deciding" else (
            driver.house()
        )
    rack = len(driver.table.piles["discard"])
    cover_at = driver.table.cover_at
    driver.send("shoe_runs_out", "floorperson")
    assert cover_at == "discard"  # the cover card came with one that nobody was to get
    # the discards are cut as every stack: offered from the dealer's right, ten from either end
    assert driver.table.phase == "cutting"
    assert driver.table.cut_offers == (1,)
    assert refused(driver, "cut", "dealer", depth=20).code == "not_your_turn"
    for name, fields in (
        ("place_wager", {"wager": "bet", "amount": "5.00"}),
        ("take_back_wager", {"wager": "bet"}),
    ):
        assert refused(driver, name, "player", seat=1, **fields).code == "out_of_turn"
    assert refused(driver, "order_reshuffle", "floorperson", reason="x").code == "out_of_turn"
    assert refused(driver, "change_decks", "floorperson").code == "out_of_turn"
    driver.send("decline_cut", "player", seat=1)
    assert refused(driver, "cut", "dealer", depth=9).code == "cut_too_shallow"
    driver.send("cut", "dealer", depth=20)
    assert driver.table.phase == "deciding"
    assert len(driver.table.piles["discard"]) == 1
    assert len(driver.table.piles["shoe"]) == rack - 1
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(f)", "685a.12(d)", "685a.9(c)", "685a.7(i)(1)")
def test_cards_out_of_the_ordinary_go_by_their_own_clause():
    """A second card that comes late, a double's card, a blackjack's cards, a draw too many."""
    driver = shoe("5c Tc 6d Ah 6c Th 9h 3c", players=2)
    bets(driver, 1, 2)
    for _ in range(3):
        driver.send("deal", "dealer")
    driver.send("no_card_dealt", "dealer", seat=1, second_card=True)
    deal_all(driver)
    driver.until("deciding")
    driver.send("double", "player", seat=1, amount="10.00")
    while driver.table.phase != "settling":
        driver.house()
    driver.send("dealer_drew_in_error", "dealer")
    clauses = {
        (event.to, event.cards): event.clause
        for event in driver.record
        if isinstance(event, e.CardsDealt)
    }
    assert clauses["seat.1", ("6c",)] == "685a.12(f)"
    assert clauses["seat.1", ("9h",)] == "685a.9(c)"
    error = next(event for event in driver.record if isinstance(event, e.DrawnInError))
    assert (error.clause, clauses["discard", (error.card,)]) == ("685a.12(d)", "685a.12(d)")
    removed = [event for event in driver.record if isinstance(event, e.CardsMoved)]
    assert [(event.source, event.clause) for event in removed] == [("seat.2", "685a.7(i)(1)")]
    driver.until("betting")
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(f)")
def test_a_box_that_was_passed_over():
    driver = opened(DOWN_UNDER, players=3)
    bets(driver, 1, 2, 3)
    driver.send("deal", "dealer")
    driver.send("no_card_dealt", "dealer", seat=2)
    assert driver.table.boxes[1].out
    for _ in range(2):
        driver.send("deal", "dealer")
    driver.send("no_card_dealt", "dealer", seat=1, second_card=True)
    deal_all(driver)
    order = [
        event.to
        for event in driver.record
        if isinstance(event, e.CardsDealt) and event.to != "discard"
    ]
    assert order == ["seat.1", "seat.3", "dealer", "seat.3", "seat.1", "hole"]
    back = [event for event in driver.record if isinstance(event, e.WagerReturned)]
    assert [(event.seat, event.amount) for event in back] == [(2, "10.00")]
    driver.finish(lambda _t, _s, steps: (_last(steps), {}))
    check_all(driver)


@pytest.mark.parametrize("late", [True, False])
@cites(DOWN_UNDER, "685a.12(g)")
def test_a_card_that_was_asked_for_and_missed(late):
    driver = shoe("5c 9c 6d 4d 3c 3h Th 2h", players=2)
    bets(driver, 1, 2)
    deal_all(driver)
    driver.send("read_hole_card", "dealer")
    driver.send("stand", "dealer", seat=1)
    driver.send("missed_hit", "dealer", seat=1, late_card=late)
    driver.send("stand", "player", seat=2)
    if late:
        assert driver.table.phase == "deciding"
        driver.send("deal", "dealer")
        assert driver.table.piles["seat.1"] == ("5c", "4d", "Th")
    else:
        assert driver.table.boxes[0].out
    assert driver.table.phase == "revealing"
    driver.until("clearing")
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(h)")
def test_a_wrong_light_leaves_the_dealer_two_ways_out():
    """A bust hand, called dead, has its bet back; the other goes on with what was decided."""
    driver = shoe("Tc 9c 6d 6c 8c 9h Kh", players=2)
    bets(driver, 1, 2)
    deal_all(driver)
    driver.send("read_hole_card", "device", light="blue")
    driver.send("hit", "player", seat=1)
    driver.send("stand", "player", seat=2)
    driver.send("reveal_dealer", "dealer")
    assert driver.table.phase == "trouble"
    driver.send("call_hand_dead", "dealer", seat=1)
    driver.send("hand_goes_on", "dealer", seat=2)
    driver.until("clearing")
    back = [event for event in driver.record if isinstance(event, e.WagerReturned)]
    assert [(event.seat, event.amount) for event in back] == [(1, "10.00")]
    assert {line.seat for line in driver.table.settled} == {2}
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(i)")
def test_a_broken_reader_stops_the_game():
    driver = opened(DOWN_UNDER)
    bets(driver, 1)
    driver.send("device_breaks", "dealer", device="reader")
    assert refused(driver, "deal", "dealer").code == "device_out_of_order"
    driver.send("repair_device", "floorperson", device="reader")
    deal_all(driver)
    while driver.table.phase != "deciding":
        driver.house()
    seat = next(step.seat for step in next_steps(driver.table) if step.command == "hit")
    driver.send("device_breaks", "dealer", device="reader")
    assert refused(driver, "hit", "player", seat=seat).code == "device_out_of_order"
    driver.send("repair_device", "floorperson", device="reader")
    driver.send("hit", "player", seat=seat)
