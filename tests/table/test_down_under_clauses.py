"""Down Under's wagers and turns at the table, at the edges of each rule."""

from __future__ import annotations

import pytest
from tables import bets, check_all, deal_all, opened, refused, shoe, since, stands

from houseway.errors import Refused
from houseway.game_api.notation import deal
from houseway.game_api.settle import settle
from houseway.games.down_under.play import double_most
from houseway.games.down_under.settlement import outcome, steps
from houseway.law import DOWN_UNDER, choose, cites
from houseway.table import events as e
from houseway.table import legal, next_steps

#: to one player and the dealer: first cards, the ace and the hole card
ACE_UP = "9h As 9c 7d"


def ace_up():
    """A player with a bet of ten dollars, and a dealer with an ace and no blackjack."""
    driver = shoe(ACE_UP)
    bets(driver, 1)
    deal_all(driver)
    return driver


@cites(DOWN_UNDER, "685a.7(g)", "685a.8(a)", "685a.8(b)", "685a.8(d)", "685a.7(h)", "685a.7(h)(2)")
def test_insurance_is_chips_up_to_half_the_bet_and_collected_before_any_decision():
    driver = ace_up()
    assert driver.table.phase == "insuring"
    for amount, code in (("5.25", "not_in_chips"), ("5.50", "insurance_above_half")):
        assert refused(driver, "insure", "player", seat=1, amount=amount).code == code
    driver.send("insure", "player", seat=1, amount="5.00")
    assert driver.table.boxes[0].layout == {"bet": 1000, "insurance": 500}
    driver.until("insurance")
    (due,) = driver.table.due
    assert (due.wager, due.result, due.stake) == ("insurance", "lose", 500)
    events = driver.send("settle_next", "dealer")
    assert events[0].clause == "685a.8(d)"
    assert driver.table.phase == "deciding"
    # nobody else is at the table, and nothing of the bet is settled yet
    assert driver.table.boxes[0].layout == {"bet": 1000}


@cites(DOWN_UNDER, "685a.9(a)")
def test_a_double_adds_no_more_than_the_bet():
    driver = shoe("6h 7s 5c Td 9h")
    bets(driver, 1)
    deal_all(driver)
    driver.until("deciding")
    for amount in ("10.50", "0.00", "5.25"):
        error = refused(driver, "double", "player", seat=1, amount=amount)
        assert error.code in ("double_above_bet", "not_in_chips", "no_wager")
    driver.send("double", "player", seat=1, amount="10.00")
    assert driver.table.boxes[0].layout["double"] == 1000


@cites(DOWN_UNDER, "685a.6(b)", "685a.6(b)(2)", "685a.3(b)(3)", "685a.3(b)(5)")
def test_with_the_other_batch_who_sat_out_may_wager_again():
    driver = opened(DOWN_UNDER, {"mid_shoe_entry": False, "shuffler": "plain", "decks": 4})
    bets(driver, 1)
    driver.finish(stands)
    assert [box.sat_out for box in driver.table.boxes[:2]] == [False, True]
    before = driver.table.in_play
    driver.send("order_reshuffle", "floorperson", reason="a new shoe")
    driver.ready()
    assert driver.table.in_play != before
    assert not any(box.sat_out for box in driver.table.boxes)
    bets(driver, 1, 2)


@cites(DOWN_UNDER, "685a.6(b)", "685a.6(b)(1)")
def test_a_house_that_lets_anybody_in_knows_nobody_who_sat_out():
    driver = opened(DOWN_UNDER, {"mid_shoe_entry": True})
    bets(driver, 1)
    driver.finish(stands)
    assert not any(box.sat_out for box in driver.table.boxes)
    assert "let_back_in" not in legal(driver.table, "floorperson")
    bets(driver, 2)


@cites(DOWN_UNDER, "685a.6(c)")
def test_the_first_card_begins_the_deal():
    driver = opened(DOWN_UNDER)
    bets(driver, 1, 2)
    events = driver.send("deal", "dealer")
    assert isinstance(events[0], e.BetsClosed)
    assert driver.table.phase == "dealing"


@cites(DOWN_UNDER, "685a.7(o)", "685a.7(o)(1)", "685a.7(n)(1)")
@pytest.mark.parametrize(
    ("dealer", "mine", "two_large", "result"),
    [
        (23, 12, False, "win"),
        (26, 21, False, "win"),
        (22, 12, False, "push"),
        (22, 20, False, "push"),
        (22, 20, True, "win"),
        (22, 21, False, "win"),
        (21, 20, False, "lose"),
    ],
)
def test_the_dealer_is_over_with_more_than_22(dealer, mine, two_large, result):
    assert outcome(choose(DOWN_UNDER), mine, dealer, two_large=two_large)[0] == result


@cites(DOWN_UNDER, "685a.11(a)", "685a.10(a)", "685a.10(c)", "685a.9(a)")
@pytest.mark.parametrize(("amount", "paid"), [("10.00", 1000), ("25.00", 2500)])
def test_bet_double_and_split_win_even_money(amount, paid):
    hands = [
        {"cards": "8h Tc 3d", "split": True},
        {"cards": "8c 3h Td", "split": True, "doubled": True},
    ]
    round = deal(
        choose(DOWN_UNDER),
        dealer="Ks 9d",
        seats={1: {"wagers": {"bet": amount}, "hands": hands}},
    )
    lines = settle(round).seat(1).lines
    assert {line.wager: (line.result, line.paid) for line in lines} == {
        "bet": ("win", paid),
        "split": ("win", paid),
        "double": ("win", paid),
    }


@cites(DOWN_UNDER, "685a.7(f)", "685a.7(g)", "685a.7(i)(1)", "685a.8(c)", "685a.8(d)")
@cites(DOWN_UNDER, "685a.7(r)", "685a.7(r)(1)", "685a.7(r)(2)", "685a.11(a)")
@pytest.mark.parametrize("settlement", ["losers_first", "by_player"])
def test_who_is_settled_when(settlement):
    """Match-the-Dealer, even money, lost insurance from the right; blackjacks from the left."""
    rules = choose(DOWN_UNDER, {"match_the_dealer": True, "settlement": settlement})
    match = {"bet": "10.00", "match_the_dealer": "1.00"}
    seats = {
        1: {"wagers": match, "hands": [{"cards": "Ah Kh"}]},
        2: {"wagers": {"bet": "10.00"}, "hands": [{"cards": "Ad Kd"}], "even_money": True},
        3: {"wagers": {"bet": "10.00"}, "hands": [{"cards": "Ac Kc"}], "even_money": True},
        4: {"wagers": match | {"insurance": "5.00"}, "hands": [{"cards": "Th 8c"}]},
        5: {"wagers": match | {"insurance": "5.00"}, "hands": [{"cards": "Tc Td"}]},
        6: {"wagers": {"bet": "10.00"}, "hands": [{"cards": "Ah Qd"}]},
    }
    found = [
        (step.seat, step.line.wager, step.line.result)
        for step in steps(deal(rules, dealer="As 8d", seats=seats))
    ]
    matches = [seat for seat, wager, _ in found if wager == "match_the_dealer"]
    assert matches == [5, 4, 1]
    assert [seat for seat, _, _ in found[:3]] == matches
    assert [seat for seat, _, _ in found[3:7]] == [3, 3, 2, 2]
    assert found[7:9] == [(5, "insurance", "lose"), (4, "insurance", "lose")]
    assert found[9:11] == [(1, "bet", "win"), (6, "bet", "win")]
    last = [(4, "bet", "lose"), (5, "bet", "win")]
    assert found[11:] == (last if settlement == "losers_first" else last[::-1])


@cites(DOWN_UNDER, "685a.8(d)")
def test_lost_insurance_is_announced_by_its_own_clause():
    driver = ace_up()
    driver.send("insure", "player", seat=1, amount="5.00")
    driver.until("insurance")
    told = [step.clause for step in next_steps(driver.table) if step.command == "settle_next"]
    assert told == ["685a.8(d)"]


@cites(DOWN_UNDER, "685a.6(d)", "685a.6(e)", "685a.8(a)", "685a.8(b)", "685a.9(a)")
def test_wagers_are_as_the_hands_were_played():
    rules = choose(DOWN_UNDER, {"match_the_dealer": True})

    def settled(wagers, *hands, **seat):
        held = [{"cards": cards, "split": len(hands) > 1} for cards in hands]
        given = {"wagers": {"bet": "10.00", **wagers}, "hands": held, **seat}
        return settle(deal(rules, dealer="As 8d", seats={1: given})).seat(1).lines

    assert {line.wager for line in settled({"split": "10.00"}, "8h Tc", "8c Td")} == {
        "bet", "split"
    }  # fmt: skip
    with pytest.raises(Refused) as found:
        settled({"split": "10.00"}, "8h Tc")
    assert found.value.code == "wager_not_as_played"
    assert len(settled({"insurance": "5.00"}, "8h Tc")) == 2
    with pytest.raises(Refused) as found:
        settled({"insurance": "5.50"}, "8h Tc")
    assert found.value.code == "insurance_above_half"
    assert settled({}, "Ah Kc", even_money=True)
    assert [double_most(rules, bet) for bet in (500, 1000, 2550)] == [500, 1000, 2550]


@cites(DOWN_UNDER, "685a.7(c)")
@pytest.mark.parametrize("rounds", [0, 1])
def test_a_new_dealer_burns_a_card(rounds):
    """Whether the shoe is new or was dealt from."""
    driver = opened(DOWN_UNDER)
    for _ in range(rounds):
        bets(driver, 1)
        driver.finish(stands)
    assert driver.table.phase == "betting"
    burned = len(driver.table.piles["discard"])
    driver.send("change_dealer", "floorperson", dealer="bea")
    bets(driver, 1)
    assert refused(driver, "deal", "dealer").code == "out_of_turn"
    driver.send("burn_card", "dealer")
    assert len(driver.table.piles["discard"]) == burned + 1


@cites(DOWN_UNDER, "685a.7(j)", "685a.10(b)")
def test_a_card_goes_face_up_to_the_hand_that_asked_for_it():
    # eights against a dealer's six, split: 3 and 2 to the one hand, 4 and 5 to the other
    driver = shoe("8c 6s 8h Ts 3d 2c 4d 5c Th 9s")
    bets(driver, 1)
    deal_all(driver)
    driver.until("deciding")
    driver.send("split", "player", seat=1)
    for place, held in (("seat.1", ("8c", "3d", "2c")), ("seat.1.2", ("8h", "4d", "5c"))):
        driver.send("deal", "dealer")
        before = driver.table.version
        driver.send("hit", "player", seat=1)
        assert [(x.to, x.face_up) for x in since(driver, before, e.CardsDealt)] == [(place, True)]
        assert driver.table.piles[place] == held
        driver.send("stand", "player", seat=1)
    check_all(driver)
