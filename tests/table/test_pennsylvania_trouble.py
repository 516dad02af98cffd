"""Pennsylvania's tables in trouble: hands that were left, and the clause of each moment."""

from __future__ import annotations

from typing import Any

import pytest
from random_play import finish
from tables import bets, check_all, deal_all, nets, opened, refused, shoe

from houseway.cards import SeededSource
from houseway.law import DOWN_UNDER, PRIME, SAIGON, cites
from houseway.table import events as e
from houseway.table import legal, next_steps
from houseway.table.driver import Driver

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
