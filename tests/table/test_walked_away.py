"""Wagers that a player walked away from, declared abandoned while the others are settled."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tables import check_all, keyed, nets, opened, refused, since, stands

from houseway.cards import SeededSource
from houseway.law import MD, PRIME, SAIGON, chapter, cites
from houseway.table import events as e
from houseway.table import rules_of
from houseway.table.card_source import pack
from houseway.table.driver import Driver


def stacked(driver: Driver, *hands: str, community: str = "") -> None:
    """Players and dealer will get these cards."""
    by_hand = [hand.split() for hand in hands]
    top = [hand[number] for number in range(3) for hand in by_hand] + community.split()
    in_order(driver, top)


def in_order(driver: Driver, top: list[str]) -> None:
    """The cards will come in this order."""
    driver.until("shuffling")
    rest = [card for card in pack(rules_of(driver.table)) if card not in top]
    driver.send("shuffle", "system", order=(*top, *rest), count=52)
    driver.until("betting")


def dealt(
    rules: dict[str, str], wagers: dict[str, str], *hands: str, community: str = ""
) -> Driver:
    """The players and the dealer get these cards; all players play, and the dealer has revealed."""
    driver = Driver(MD, {"shuffler": "counting", **rules}, source=SeededSource(1))
    seats = range(1, len(hands))
    for seat in seats:
        driver.seat_player(seat, f"player {seat}")
    stacked(driver, *hands, community=community)
    for seat in seats:
        driver.wager(seat, wagers)
    driver.until("deciding")
    for seat in seats:
        driver.send("play", "player", seat=seat)
    driver.until("settling")
    return driver


def turned_at_seat_2(driver: Driver) -> Driver:
    """Both play; the dealer has revealed, and the best of all hands is turned at seat 2."""
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00", "progressive": "1.00"})
    driver.until("deciding")
    for seat in (1, 2):
        driver.send("play", "player", seat=seat)
    driver.until("revealing")
    driver.send("reveal_dealer", "dealer", cards=("Qd", "8c", "3h"))
    driver.send("turn_hand", "dealer", seat=2, cards=("As", "Ks", "Qs"))
    return driver


def walks_away(driver: Driver, seat: int) -> None:
    driver.send("leave_seat", "floorperson", seat=seat)
    driver.send("declare_abandoned", "floorperson", seat=seat)


def finish(driver: Driver) -> None:
    while driver.table.hands:
        driver.house()
    check_all(driver)


@cites(MD, "7.C(2)", "12.E(4)", "12.G(1)(b)")
@pytest.mark.parametrize("turned", [False, True])
def test_the_next_player_is_paid_by_what_the_meter_shows(turned: bool) -> None:
    """Two straight flushes with the community cards, each for a tenth of one meter."""
    wagers = {"ante": "10.00", "five_card_progressive": "1.00"}
    driver = dealt(
        {"five_card_progressive": "A"}, wagers, "5h 6h 7h", "Th Jh Qh", "Qd 8c 3s",
        community="8h 9h",
    )  # fmt: skip
    if turned:
        driver.send("turn_hand", "dealer", seat=2)
    assert driver.table.meters == {"five_card_progressive": "100040"}
    walks_away(driver, 2)
    finish(driver)
    won = [x for x in since(driver, 0, e.WagerSettled) if x.meter]
    # a tenth of $1,000.40, the dollar that was wagered being part of it
    assert [(x.seat, x.from_meter, x.paid) for x in won] == [(1, "100.04", "99.04")]
    assert driver.table.meters == {"five_card_progressive": str(100_040 - 10_004)}


@cites(MD, "7.C(2)", "11.D(7)(e)(i)")
@pytest.mark.parametrize("turned", [False, True])
def test_a_hand_that_nobody_saw_earns_nobody_an_envy_bonus(turned: bool) -> None:
    wagers = {"ante": "10.00", "progressive": "1.00"}
    driver = dealt({"progressive": "A"}, wagers, "2c 7d 9h", "As Ks Qs", "Qd 8c 3h")
    if turned:
        driver.send("turn_hand", "dealer", seat=2)
    walks_away(driver, 2)
    finish(driver)
    envy = [(x.seat, x.paid) for x in since(driver, 0, e.WagerSettled) if x.wager == "envy"]
    assert envy == ([(1, "100.00")] if turned else [])
    assert nets(driver)[2] == -2100
    assert driver.table.meters == {"progressive": "100040"}


@cites(MD, "7.C(2)")
def test_nothing_is_abandoned_where_every_wager_is_settled() -> None:
    driver = dealt({}, {"ante": "10.00"}, "2c 7d 9h", "As Ks Qs", "Qd 8c 3h")
    driver.send("turn_hand", "dealer", seat=2)
    while any(line.seat == 2 for line in driver.table.due):
        driver.send("settle_next", "dealer")
    driver.send("leave_seat", "floorperson", seat=2)
    error = refused(driver, "declare_abandoned", "floorperson", seat=2)
    assert (error.code, error.clause) == ("nobody_left", "7.C(2)")
    finish(driver)


@cites(MD, "7.C(2)")
@cites(PRIME, "679a.7(b)")
@cites(SAIGON, "680a.7(b)")
@pytest.mark.parametrize("id", [MD, PRIME, SAIGON])
@pytest.mark.parametrize("cards", [opened, keyed], ids=["known", "keyed in"])
def test_the_deal_goes_on_for_the_others(id: str, cards: Callable[..., Driver]) -> None:
    """Nobody decides, and nothing is figured, before the last card of those who stay."""
    driver = cards(id, players=2)
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00"})
    driver.until("dealing")
    while "dealer" not in driver.table.piles:
        driver.send("deal", "dealer")
    walks_away(driver, 1)
    assert driver.table.phase == "dealing"
    assert not driver.table.due
    size = chapter(id).number("hand_cards")
    while driver.table.phase == "dealing":
        assert len(driver.table.piles["dealer"]) < size
        driver.send("deal", "dealer")
    assert {name: len(driver.table.piles[name]) for name in ("seat.2", "dealer")} == {
        "seat.2": size,
        "dealer": size,
    }
    check_all(driver)


@cites(PRIME, "679a.7(b)", "679a.8(c)")
@pytest.mark.parametrize("cards", [opened, keyed], ids=["known", "keyed in"])
def test_without_the_last_hand_to_be_dealt_the_deal_is_over(cards: Callable[..., Driver]) -> None:
    driver = cards(PRIME, {"pair_bonus": "A"}, players=2)
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00", "pair_bonus": "5.00"})
    driver.until("dealing")
    while "fourth.1" not in driver.table.piles:
        driver.send("deal", "dealer")
    assert driver.table.phase == "dealing"
    walks_away(driver, 2)
    assert "fourth.2" not in driver.table.piles
    assert driver.table.phase != "dealing"
    driver.until("deciding")
    check_all(driver)


@cites(MD, "7.C(2)", "11.D(7)(e)(i)")
def test_a_hand_that_was_turned_earns_envy_where_cards_are_keyed_in() -> None:
    """Its holder's wagers are lost; who is turned after it is paid for it all the same."""
    driver = turned_at_seat_2(keyed(MD, {"progressive": "A"}, players=2))
    walks_away(driver, 2)
    driver.send("turn_hand", "dealer", seat=1, cards=("2c", "7d", "9h"))
    finish(driver)
    envy = [(x.seat, x.paid) for x in since(driver, 0, e.WagerSettled) if x.wager == "envy"]
    assert envy == [(1, "100.00")]
    # ante, play and progressive
    assert nets(driver)[2] == -2100


@cites(MD, "7.C(2)", "11.D(7)(e)(i)")
def test_a_second_player_who_walks_away_takes_no_envy_from_the_others() -> None:
    """The hand of seat 3 was turned before its player's wagers were abandoned; that of seat 2 not."""
    driver = dealt(
        {"progressive": "A"}, {"ante": "10.00", "progressive": "1.00"},
        "2c 7d 9h", "4c 5d Th", "As Ks Qs", "Qd 8c 3h",
    )  # fmt: skip
    driver.send("turn_hand", "dealer", seat=3)
    walks_away(driver, 3)
    walks_away(driver, 2)
    finish(driver)
    envy = [(x.seat, x.paid) for x in since(driver, 0, e.WagerSettled) if x.wager == "envy"]
    assert envy == [(1, "100.00")]


@cites(MD, "11.D(7)(e)(iii)", "7.C(2)")
@pytest.mark.parametrize("declared", [False, True])
def test_a_player_earns_no_envy_from_a_box_that_he_left(declared: bool) -> None:
    """A hand belongs to who held it when the bets were closed."""
    driver = keyed(MD, {"progressive": "A", "adjacent_boxes": 2})
    driver.send("sit_down", "player", seat=2, who="player 1", player="player 1")
    driver = turned_at_seat_2(driver)
    driver.send("leave_seat", "floorperson", seat=2)
    if declared:
        driver.send("declare_abandoned", "floorperson", seat=2)
    while driver.table.due:
        driver.house()
    driver.send("turn_hand", "dealer", seat=1, cards=("2c", "7d", "9h"))
    finish(driver)
    assert not [x for x in since(driver, 0, e.WagerSettled) if x.wager == "envy"]


@cites(MD, "7.C(2)", "11.D(7)(e)(i)", "11.F(2)")
def test_a_common_hand_lies_open_and_earns_envy_though_its_player_walks_away() -> None:
    """In the electronic version nobody's cards are hidden; seat 2 alone wagers on the second hand."""
    rules = {"electronic": True, "progressive": "A", "shuffler": "counting"}
    driver = Driver(MD, rules, source=SeededSource(1))
    for seat in (1, 2):
        driver.seat_player(seat, f"player {seat}")
    in_order(driver, ["2c", "7d", "9h", "As", "Ks", "Qs", "3c", "4d", "8h", "Qd", "Jc", "2h"])
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00", "progressive": "1.00"}, hand=seat)
    driver.until("deciding")
    for seat in (1, 2):
        driver.send("play", "player", seat=seat)
    driver.until("settling")
    walks_away(driver, 2)
    finish(driver)
    envy = [(x.seat, x.paid) for x in since(driver, 0, e.WagerSettled) if x.wager == "envy"]
    assert envy == [(1, "100.00")]


@cites(MD, "7.C(2)", "11.B", "11.F(2)")
def test_a_common_hand_on_which_nobody_played_earns_nothing() -> None:
    """It is abandoned before its player has decided: as a folded one, it counts for nobody."""
    rules = {"electronic": True, "progressive": "A", "shuffler": "counting"}
    driver = Driver(MD, rules, source=SeededSource(1))
    for seat in (1, 2):
        driver.seat_player(seat, f"player {seat}")
    in_order(driver, ["2c", "7d", "9h", "As", "Ks", "Qs", "3c", "4d", "8h", "Qd", "Jc", "2h"])
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00", "progressive": "1.00"}, hand=seat)
    driver.until("deciding")
    walks_away(driver, 2)
    driver.send("play", "player", seat=1)
    finish(driver)
    assert not [x for x in since(driver, 0, e.WagerSettled) if x.wager == "envy"]


@cites(MD, "7.C(2)", "7.H")
@cites(PRIME, "679a.7(b)", "679a.7(e)")
@cites(SAIGON, "680a.7(b)", "680a.7(e)")
@pytest.mark.parametrize("id", [MD, PRIME, SAIGON])
@pytest.mark.parametrize("phase", ["dealing", "stub", "deciding", "revealing", "settling"])
def test_the_middle_one_of_three_boxes_is_abandoned(id: str, phase: str) -> None:
    """Boxes are side by side when they are wagered on; what is left of them need not be."""
    driver = Driver(id, {"adjacent_boxes": 3, "shuffler": "counting"}, source=SeededSource(1))
    for seat in (1, 2, 3):
        driver.seat_player(seat, "ann")
    driver.ready()
    for seat in (1, 2, 3):
        driver.wager(seat, {"ante": "10.00"})
    driver.until("dealing")
    driver.send("deal", "dealer")
    while driver.table.phase != phase:
        steps = [step for step in driver.steps() if step.kind == "next"]
        if steps[0].role == "player":
            driver.send(steps[0].command, "player", seat=steps[0].seat)
        else:
            driver.house()
    before = nets(driver)[2]
    walks_away(driver, 2)
    driver.finish(stands)
    check_all(driver)
    assert {x.seat for x in since(driver, 0, e.WagerSettled)} == {1, 2, 3}
    assert nets(driver)[2] == before  # what was wagered there is lost


@cites(PRIME, "679a.12(h)", "679a.7(b)")
def test_what_a_box_was_paid_before_it_was_abandoned_counts_toward_the_limit() -> None:
    """The dealer's nine high does not qualify: each play wager wins $20,000, a color 3 to 1.

    Box 2 was paid one of them; of the limit of $50,000 box 1 has $30,000 left for $35,000.
    """
    rules = {
        "shuffler": "counting", "adjacent_boxes": 2, "prime": True, "payout_limit": "50000.00",
    }  # fmt: skip
    driver = Driver(PRIME, rules, source=SeededSource(1))
    for seat in (1, 2):
        driver.seat_player(seat, "ann")
    stacked(driver, "As Ks Qs", "Ah Kh Qh", "2c 7d 9h")
    for seat in (1, 2):
        driver.wager(seat, {"ante": "20000.00", "prime": "5000.00"})
    driver.until("deciding")
    for seat in (1, 2):
        driver.send("play", "player", seat=seat)
    driver.send("fill", "floorperson", chips={"10000.00": 100})
    driver.until("settling")
    driver.send("turn_hand", "dealer", seat=2)
    for _ in ("ante", "play"):
        driver.send("settle_next", "dealer")
    walks_away(driver, 2)
    finish(driver)
    paid = [(x.seat, x.wager, x.paid) for x in since(driver, 0, e.WagerSettled) if x.paid != "0.00"]
    assert paid == [(2, "play", "20000.00"), (1, "play", "20000.00"), (1, "prime", "10000.00")]
