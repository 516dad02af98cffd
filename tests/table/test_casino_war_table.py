"""Casino War at the live table, as an outside family plays it."""

from __future__ import annotations

import json
import random

import pytest
from casino_war_support import installed
from tables import check_all, nets

from houseway.cards import SeededSource
from houseway.errors import Refused
from houseway.law import cites
from houseway.table import awaited, legal, next_steps, read_command, rules_of
from houseway.table import events as e
from houseway.table.card_source import pack
from houseway.table.driver import Driver
from houseway.table.event_text import describe


@pytest.fixture(autouse=True, scope="module")
def _installed(tmp_path_factory):
    with installed(tmp_path_factory.mktemp("site")):
        yield


def dealt(cards, players=2, wagers=None, **rules):
    """A table whose next cards are these, bets closed and the first cards dealt."""
    driver = Driver("casino-war", {"shuffler": "plain", **rules}, source=SeededSource(1))
    for seat in range(1, players + 1):
        driver.seat_player(seat, f"player {seat}")
    driver.until("shuffling")
    rest = list(pack(rules_of(driver.table)))
    for card in cards.split():
        rest.remove(card)
    driver.send("shuffle", "system", order=(*cards.split(), *rest))
    for seat in range(1, players + 1):
        driver.wager(seat, wagers or {"ante": "10.00"})
    driver.send("no_more_bets", "dealer")
    for _ in range(players + 1):
        driver.send("deal", "dealer")
    return driver


def finish(driver):
    while driver.table.hands:
        assert driver.house()
    check_all(driver)


def refusal(driver, *command, **fields):
    with pytest.raises(Refused) as caught:
        driver.send(*command, **fields)
    return caught.value.code, caught.value.clause


@cites("casino-war", "2(a)", "2(b)", "2(c)", "3(a)", "3(b)", "4(e)", "5(a)", "7(a)", "7(b)")
def test_many_rounds_are_dealt_decided_and_settled():
    """One to eight decks; cards and chips are where they belong after every round."""
    for seed in range(8):
        options = {"decks": seed + 1, "war_bonus": "bonus_1_to_1"}
        options["shuffler"] = ("none", "plain")[seed % 2]
        driver = Driver("casino-war", options, source=SeededSource(seed))
        for seat in range(1, 8):
            driver.seat_player(seat, f"player {seat}")
        chance = random.Random(seed)
        for _ in range(3):
            driver.ready()
            for seat in range(1, 8):
                driver.wager(seat, {"ante": "10.00", "tie": "5.00"})

            def decides(table, seat, steps):
                names = sorted(step.command for step in steps if step.seat == seat)
                assert names == ["go_to_war", "surrender"]
                return chance.choice(names), {}  # noqa: B023

            driver.finish(decides)
            check_all(driver)
        assert driver.table.round == 3


@cites("casino-war", "6(a)", "6(b)", "6(c)", "6(d)", "6(e)")
def test_a_tie_is_decided_and_a_war_is_dealt():
    """Two eights against an eight: one goes to war and wins, the other surrenders."""
    driver = dealt("8c 8d 8h 2c 3c 4c Kd 5h", wagers={"ante": "10.00", "tie": "5.00"})
    assert driver.table.phase == "deciding"
    assert awaited(driver.table) == (1,)
    assert set(legal(driver.table, "player", 1)) >= {"go_to_war", "surrender"}
    # 6(a): each in turn, and no card before all have decided
    assert refusal(driver, "surrender", "player", seat=2)[0] == "not_your_turn"
    assert refusal(driver, "deal", "dealer")[0] == "out_of_turn"
    driver.send("go_to_war", "player", seat=1)
    assert driver.table.boxes[0].wagers["raise"] == 1000
    driver.send("surrender", "player", seat=2)
    (step,) = [step for step in next_steps(driver.table) if step.kind == "next"]
    assert (step.command, step.clause) == ("deal", "6(d)")
    burned, card = driver.send("deal", "dealer")[:2]
    assert (burned.to, len(burned.cards), card.to, card.cards) == ("discard", 3, "seat.1", ("Kd",))
    driver.send("deal", "dealer")
    # the seat that surrendered gets no second card
    assert {name: len(driver.table.piles[name]) for name in ("seat.1", "seat.2", "dealer")} == {
        "seat.1": 2, "seat.2": 1, "dealer": 2,
    }  # fmt: skip
    finish(driver)
    assert nets(driver) == {1: 6000, 2: 4500}


@cites("casino-war", "4(c)", "5(c)", "5(d)")
def test_without_a_tie_nobody_is_asked():
    driver = dealt("Kc 2d 8h", wagers={"ante": "10.00", "tie": "5.00"})
    assert driver.table.phase == "settling"
    assert refusal(driver, "go_to_war", "player", seat=1)[0] == "out_of_turn"
    finish(driver)
    assert nets(driver) == {1: 500, 2: -1500}


@cites("casino-war", "4(f)", "6(b)")
def test_who_is_at_the_table_stays_and_a_seat_left_behind_surrenders():
    driver = dealt("8c 2d 8h")
    assert refusal(driver, "leave_seat", "player", seat=1) == ("stay_seated", "4(f)")
    driver.send("leave_seat", "floorperson", seat=1)
    assert refusal(driver, "go_to_war", "dealer", seat=1) == ("nobody_there", "6(c)")
    driver.send("surrender", "dealer", seat=1)
    finish(driver)
    assert nets(driver)[1] == -500


@cites("casino-war", "1(a)", "4(a)", "4(b)", "4(d)")
def test_wagers_that_are_not_allowed_are_refused_at_the_table():
    driver = Driver("casino-war", source=SeededSource(1))
    driver.seat_player(1, "ann")
    driver.ready()
    place = ("place_wager", "player")
    assert refusal(driver, *place, seat=1, wager="ante", amount="10.50")[0] == "not_payable"
    assert refusal(driver, *place, seat=1, wager="raise", amount="10.00")[0] != ""
    assert refusal(driver, *place, seat=1, wager="tie", amount="5.00")[1] == "4(c)"
    assert refusal(driver, "sit_down", "player", seat=8, who="bob", player="bob") == (
        "no_such_seat", "1(a)",
    )  # fmt: skip


def with_real_cards(players):
    """A table with a shoe that nobody knows, bets closed."""
    driver = Driver("casino-war", source=SeededSource(1))
    for seat in range(1, players + 1):
        driver.seat_player(seat, f"player {seat}")
    driver.send("receive_decks", "dealer", preshuffled=True)
    driver.send("cut", "dealer", depth=20)
    for seat in range(1, players + 1):
        driver.wager(seat, {"ante": "10.00"})
    driver.send("no_more_bets", "dealer")
    return driver


def key_in(driver, cards):
    for card in cards.split():
        driver.send("deal", "dealer", cards=(card,))


@cites("casino-war", "2(d)", "6(d)")
def test_real_cards_are_keyed_in():
    """The shoe is unknown: a card that everybody sees is named, a burned one is not."""
    driver = with_real_cards(1)
    assert refusal(driver, "deal", "dealer")[0] == "cards_not_known"
    key_in(driver, "8c 8d")
    driver.send("go_to_war", "player", seat=1)
    assert refusal(driver, "deal", "dealer")[0] == "cards_not_known"
    assert refusal(driver, "deal", "dealer", cards=("Jk",))[0] == "card_not_in_deck"
    key_in(driver, "2h 2s")
    finish(driver)
    assert nets(driver) == {1: 1000}


@cites("casino-war", "8(a)")
def test_a_wrong_number_of_cards_voids_the_round():
    driver = dealt("8c 2d 8h 2c 3c 4c Kd 5h")
    driver.send("go_to_war", "player", seat=1)
    wrong = ("wrong_number_of_cards", "dealer")
    # 6(d): a seat at war and the dealer have two cards, the others one
    assert refusal(driver, *wrong, seat=1, count=2)[0] == "not_wrong"
    assert refusal(driver, *wrong, seat=0, count=2)[0] == "not_wrong"
    assert refusal(driver, *wrong, seat=2, count=1)[0] == "not_wrong"
    events = driver.send(*wrong, seat=1, count=3)
    assert [event.clause for event in events if isinstance(event, e.RoundVoided)] == ["8(a)"]
    check_all(driver)
    assert nets(driver) == {1: 0, 2: 0}


@cites("casino-war", "8(b)")
@pytest.mark.parametrize(
    ("place", "was", "card", "void"),
    [
        ("seat.1", "8c", "9c", True),
        ("seat.2", "2d", "8s", True),
        ("dealer", "8h", "9h", True),
        ("seat.2", "2d", "Kd", False),
    ],
)
@pytest.mark.parametrize("when", ["deciding", "war", "settling"])
def test_a_corrected_card_voids_the_round_where_it_changes_who_ties(place, was, card, void, when):
    driver = with_real_cards(2)
    key_in(driver, "8c 2d 8h")
    if when != "deciding":
        driver.send("go_to_war", "player", seat=1)
    if when == "settling":
        key_in(driver, "9d 5h")
        driver.house()
    events = driver.send(
        "correct_card", "floorperson", place=place, was=was, card=card, number=1, reason="misread"
    )
    voids = [event.clause for event in events if isinstance(event, e.RoundVoided)]
    assert voids == (["8(b)"] if void else [])
    check_all(driver)
    if void:
        assert set(nets(driver).values()) == {0}
        return
    if when == "deciding":
        driver.send("surrender", "player", seat=1)
    elif when == "war":
        key_in(driver, "9d 5h")
    finish(driver)
    assert nets(driver)[2] == 1000


def test_its_commands_are_read_and_told_like_any_other():
    driver = dealt("8c 2d 8h")
    command = read_command(
        json.dumps({"command": "go_to_war", "role": "player", "at": "2026-01-01", "seat": 1})
    )
    assert type(command).__name__ == "GoToWar"
    placed, decided, *_ = driver.send("go_to_war", "player", seat=1)
    assert describe(placed) == "seat 1: $10 on raise"
    assert describe(decided) == "seat 1: war"
