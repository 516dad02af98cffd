"""Who does what, when, and why: times, reasons, two people, no order where none is prescribed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tables import opened, refused

from houseway.errors import Refused
from houseway.law import MA, MD, PRIME, SAIGON, chapter, choose, cites
from houseway.table import COMMANDS, legal
from houseway.table import events as e
from houseway.table.driver import Driver


@cites(MD, "3.C(1)")
@pytest.mark.parametrize("zone", ["", "Z"])
def test_a_command_stamped_earlier_than_the_last_event_is_refused(zone: str) -> None:
    driver = Driver(
        MD, {"dealing": "hand", "shuffler": "plain"}, start=f"2026-01-01T12:00:00{zone}"
    )
    driver.clock -= timedelta(seconds=1)
    driver.send("receive_decks", "dealer", deck="1")  # at the same second: nothing is earlier
    driver.clock -= timedelta(seconds=2)
    error = refused(driver, "inspect_cards", "dealer", deck="1")
    assert (error.code, error.field) == ("clock_runs_back", "at")
    # no deadline is escaped by a clock that is set back
    driver.clock += timedelta(hours=5)
    driver.send("inspect_cards", "dealer", deck="1")
    driver.clock -= timedelta(hours=4)
    assert refused(driver, "verify_inspection", "floorperson", deck="1").code == "clock_runs_back"


@cites(MD, "4.A")
@cites(MA, "4(b)")
@cites(PRIME, "679a.4(a)")
@cites(SAIGON, "680a.4(a)")
@pytest.mark.parametrize(
    ("id", "clause"), [(MD, "4.A"), (MA, "4(b)"), (PRIME, "679a.4(a)"), (SAIGON, "680a.4(a)")]
)
def test_nobody_verifies_his_own_inspection(id: str, clause: str) -> None:
    driver = Driver(id)
    driver.send("receive_decks", "dealer", deck="1")
    driver.send("inspect_cards", "dealer", who="maria", deck="1")
    error = refused(driver, "verify_inspection", "floorperson", who="maria", deck="1")
    assert (error.code, error.clause) == ("same_person", clause)
    driver.send("verify_inspection", "floorperson", who="frank", deck="1")


@cites(MD, "5.G", "5.A(3)")
@pytest.mark.parametrize("reason", ["", "   ", "\u200b"])
@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("order_recut", {}), ("order_reshuffle", {}),
        ("correct_payment", {"seat": 1, "amount": "5.00"}),
    ],
)  # fmt: skip
def test_a_reason_that_is_asked_for_is_given(name: str, fields: dict, reason: str) -> None:
    error = refused(opened(MD), name, "floorperson", reason=reason, **fields)
    assert (error.code, error.field) == ("no_reason", "reason")


def test_every_command_with_a_reason_has_it_checked() -> None:
    asked = {name for name, kind in COMMANDS.items() if "reason" in kind.__struct_fields__}
    assert {"order_recut", "order_reshuffle", "strike_progressive_wager", "correct_card"} <= asked


@cites(SAIGON, "680a.11(b)")
def test_saigon_players_set_their_hands_in_any_order() -> None:
    driver = opened(SAIGON, players=3)
    for seat in (1, 2, 3):
        driver.wager(seat, {"ante": "10.00"})
    driver.until("deciding")
    for seat in (1, 2, 3):
        assert "set_hands" in legal(driver.table, "player", seat)
    for seat in (2, 3, 1):
        driver.send("set_hands", "player", seat=seat)
        if driver.table.phase == "deciding":
            assert refused(driver, "set_hands", "player", seat=seat).code == "not_your_turn"
    assert driver.table.phase == "revealing"


@cites(MD, "11.B")
@cites(PRIME, "679a.11(b)")
@cites(MA, "10(b)")
@pytest.mark.parametrize("id", [MD, MA, PRIME])
def test_where_an_order_is_prescribed_it_is_kept(id: str) -> None:
    driver = opened(id, players=2)
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00"})
    driver.until("deciding")
    assert refused(driver, "play", "player", seat=2).code == "not_your_turn"


# wrong numbers of cards


def dealt(id: str, rules: dict, wagers: dict) -> Driver:
    driver = opened(id, rules, players=2)
    for seat in (1, 2):
        driver.wager(seat, wagers)
    driver.until("deciding")
    return driver


@cites(PRIME, "679a.13(c)", "679a.8(c)")
def test_a_missing_fourth_card_is_a_misdeal() -> None:
    driver = dealt(PRIME, {"pair_bonus": "A"}, {"ante": "10.00", "pair_bonus": "5.00"})
    wrong = {"seat": 1, "count": 4}
    assert refused(driver, "wrong_number_of_cards", "dealer", **wrong).code == "not_wrong"
    driver.send("wrong_number_of_cards", "dealer", seat=1, count=3)
    assert not driver.table.hands


@cites(MD, "13.D", "11.F(2)")
@pytest.mark.parametrize("fields", [{"seat": 1}, {"seat": 0, "place": "community"}])
def test_a_wrong_number_of_community_cards_is_a_misdeal(fields: dict) -> None:
    driver = opened(MD, {"electronic": True}, players=1)
    driver.wager(1, {"ante@1": "10.00"})
    driver.until("deciding")
    error = refused(driver, "wrong_number_of_cards", "dealer", count=9, **fields)
    assert error.code == "not_wrong"
    driver.send("wrong_number_of_cards", "dealer", count=8, **fields)
    assert not driver.table.hands


@cites(MD, "13.D", "8.E(2)")
def test_a_third_community_card_is_a_misdeal() -> None:
    rules = {"five_card_progressive": "A"}
    driver = dealt(MD, rules, {"ante": "10.00", "five_card_progressive": "1.00"})
    place = {"seat": 0, "place": "community"}
    error = refused(driver, "wrong_number_of_cards", "dealer", count=2, **place)
    assert error.code == "not_wrong"
    events = driver.send("wrong_number_of_cards", "dealer", count=3, **place)
    (void,) = (event for event in events if isinstance(event, e.RoundVoided))
    assert void.why == "the community cards were 3"
    assert not driver.table.hands
    with pytest.raises(Refused, match="cards of no seat lie in: no place in this round"):
        dealt(MD, {}, {"ante": "10.00"}).send(
            "wrong_number_of_cards", "dealer", seat=0, count=3, place="seat.1"
        )


@cites(MD, "13.D", "8.E(2)")
@cites(MA, "14(c)")
@cites(PRIME, "679a.13(c)")
@pytest.mark.parametrize(
    ("id", "rules"), [(MD, {}), (MD, {"five_card_progressive": "A"}), (MA, {}), (PRIME, {})]
)
def test_community_cards_are_not_miscounted_where_none_are_dealt(id: str, rules: dict) -> None:
    driver = dealt(id, rules, {"ante": "10.00"})
    wrong = {"seat": 0, "place": "community", "count": 2}
    error = refused(driver, "wrong_number_of_cards", "dealer", **wrong)
    assert (error.code, error.field) == ("no_such_place", "place")


# the terms of meters


@cites(MD, "12.E(3)", "12.E(3)(a)", "12.E(3)(b)")
@pytest.mark.parametrize(
    ("rules", "terms", "clause"),
    [
        ({"progressive": "A"}, {}, "12.E(3)(b)"),
        ({"progressive": "A"}, {"progressive": {"rate": "13.9%"}}, "12.E(3)(a)"),
        ({"progressive": "B"}, {"progressive": {"rate": "19%"}}, "12.E(3)(a)"),
        ({"progressive": "A"}, {"progressive": {"rate": "14%", "seed": "999.99"}}, "12.E(3)(b)"),
        (
            {"progressive": "A"},
            {"progressive": {"rate": "14%", "seed": "2000.00", "reset": "500.00"}},
            "12.E(3)(b)",
        ),
        (
            {"five_card_progressive": "A"},
            {"five_card_progressive": {"rate": "5%", "reset": "10.00"}},
            "12.E(3)(b)",
        ),
    ],
)
def test_a_table_with_unlawful_meters_is_not_opened(rules: dict, terms: dict, clause: str) -> None:
    with pytest.raises(Refused) as caught:
        Driver(MD, rules, meters=terms)
    assert caught.value.clause == clause
    assert str(caught.value.field).startswith("meters.")


@cites(MD, "12.E(3)")
@cites(MA, "13(d)(a)")
def test_lawful_meters_open_a_table_and_par_and_settle_need_none() -> None:
    Driver(MD, {"progressive": "B"}, meters={"progressive": {"rate": "20%"}})
    Driver(MD, {"progressive": "A"}, meters={"progressive": {"rate": "14%", "seed": "1000.00"}})
    # Massachusetts sets no least terms, and wants them from the submission all the same
    Driver(MA, {"progressive": "1"}, meters={"progressive": {"rate": "1%", "reset": "5.00"}})
    with pytest.raises(Refused, match="not given") as caught:
        Driver(MA, {"progressive": "1"}, meters={})
    assert caught.value.clause is None
    assert choose(chapter(MD), {"progressive": "A"}).meter("progressive").reset == 100_000
