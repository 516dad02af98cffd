"""The deal of every chapter by every method, card by card, and what a person is told beside it."""

from __future__ import annotations

import pytest
from tables import EVERY_GAME, check_all, keyed, opened

from houseway.cards import SeededSource
from houseway.law import CHAPTERS, MA, MD, PRIME, SAIGON, chapter, cites
from houseway.table import events as e
from houseway.table import next_steps
from houseway.table.driver import Driver

#: how a section of the dealing begins, by chapter and method
SECTIONS = {
    MD: {"manual_shoe": "8.", "hand": "9.", "automated_shoe": "10."},
    MA: {"manual_shoe": "7(", "hand": "8(", "automated_shoe": "9("},
    PRIME: {"manual_shoe": "679a.8(", "hand": "679a.9(", "automated_shoe": "679a.10("},
    SAIGON: {"manual_shoe": "680a.8(", "hand": "680a.9(", "automated_shoe": "680a.10("},
}
CASES = [(chapter, method) for chapter, methods in SECTIONS.items() for method in methods]


@pytest.mark.parametrize(("chapter", "method"), CASES)
@cites(MD, "8.E", "8.E(1)", "8.E(2)", "8.E(3)", "9.C", "9.C(2)", "9.C(3)", "9.C(4)", "9.C(5)")
@cites(MD, "10.B", "10.B(1)", "10.B(2)", "10.B(3)", "10.B(5)", "10.B(6)")
@cites(MA, "7(c)", "7(d)", "8(c)", "8(d)", "9(c)", "9(c)(1)", "9(d)")
@cites(PRIME, "679a.8(c)", "679a.8(d)", "679a.9(b)", "679a.9(c)", "679a.10(b)", "679a.10(c)")
@cites(SAIGON, "680a.8(c)", "680a.8(d)", "680a.9(b)", "680a.9(c)", "680a.10(b)", "680a.10(c)")
def test_cards_go_clockwise_to_wagers_and_last_to_the_dealer(chapter, method):
    """All face down, under the section of this method; then the stub to the rack, unseen."""
    rules = {"dealing": method}
    if method != "manual_shoe":
        rules["shuffler"] = "plain"
    beside = []
    if chapter == MD:
        rules["five_card_progressive"] = "A"
        beside = ["community", "community"]
    if chapter == PRIME:
        rules["pair_bonus"] = "A"
        beside = ["fourth.3", "fourth.4"]
    driver = opened(chapter, rules, players=5)
    # boxes 1 and 5 are taken but wager nothing: they get no cards
    for seat in (2, 3, 4):
        driver.wager(seat, {"ante": "10.00"})
    for seat in (3, 4):
        if chapter == MD:
            driver.wager(seat, {"five_card_progressive": "1.00"})
        if chapter == PRIME:
            driver.wager(seat, {"pair_bonus": "5.00"})
    driver.until("dealing")
    before = len(driver.record)
    driver.until("deciding")
    events = driver.record[before:]
    dealt = [event for event in events if isinstance(event, e.CardsDealt)]
    size = 5 if chapter == SAIGON else 3
    around = ["seat.2", "seat.3", "seat.4", "dealer"]
    if method == "automated_shoe":
        expected = [(place, size) for place in around] + [(place, 1) for place in beside]
    else:
        expected = [(place, 1) for place in around * size + beside]
    assert [(event.to, len(event.cards)) for event in dealt] == expected
    assert not any(event.face_up for event in dealt)
    stub = [event for event in events if isinstance(event, e.CardsMoved)]
    cards = (53 if chapter == SAIGON else 52) - 4 * size - len(beside)
    assert [(event.source, event.to, event.count) for event in stub] == [("shoe", "discard", cards)]
    section = SECTIONS[chapter][method]
    assert all(event.clause.startswith(section) for event in (*dealt, *stub))
    assert "discard" not in driver.table.shown
    check_all(driver)


#: games that, beside `EVERY_GAME`, bring every prompt to somebody
MORE = [
    (MD, {"dealing": "hand", "shuffler": "plain", "progressive": "A"},
     {"ante": "10.00", "progressive": "1.00"}),
    (MA, {}, {"ante": "10.00"}),
    (MA, {"dealing": "hand", "shuffler": "plain", "decks_in_play": 2}, {"ante": "10.00"}),
    (PRIME, {"dealing": "hand", "shuffler": "plain"}, {"ante": "10.00"}),
    (PRIME, {"dealing": "automated_shoe", "shuffler": "plain"}, {"ante": "10.00"}),
    (SAIGON, {"dealing": "automated_shoe", "shuffler": "plain"}, {"ante": "10.00"}),
]  # fmt: skip


def note(driver, said):
    """The current instructions to everybody, by clause, beside what the record says."""
    for step in next_steps(driver.table, irregularities=True):
        assert step.says
        said.update((step.clause, *(also.clause for also in step.also)))


def played(chapter_id, rules, wagers, said):
    """Six rounds, and then the shuffler breaks, if there is one."""
    driver = Driver(chapter_id, rules, source=SeededSource(3))
    for seat in (1, 2, 3):
        driver.seat_player(seat, f"player {seat}")
    send = driver.send

    def noted(*arguments, **fields):
        note(driver, said)
        events = send(*arguments, **fields)
        said.update(event.clause for event in events)
        return events

    driver.send = noted
    for _ in range(6):
        driver.until("betting")
        for seat in (1, 2, 3):
            driver.wager(seat, wagers)
        driver.finish(quietly)
    if "shuffler" in driver.table.devices:
        driver.send("device_breaks", "dealer", device="shuffler")
        note(driver, said)


def quietly(_table, _seat, steps):
    names = [step.command for step in steps]
    return next(
        name for name in ("play", "set_hands", "stand", "decline_insurance") if name in names
    ), {}


def won_progressive(said):
    """A straight flush at a Massachusetts table: the dealer's keypad and the supervisor's turn."""
    driver = keyed(MA, {"progressive": "1"})
    driver.wager(1, {"ante": "10.00", "progressive": "1.00"})
    driver.until("deciding")
    driver.send("play", "player", seat=1)
    driver.send("reveal_dealer", "dealer", cards=("2c", "3d", "9h"))
    driver.send("turn_hand", "dealer", seat=1, cards=("4s", "5s", "6s"))
    while "validate_progressive" not in [step.command for step in next_steps(driver.table)]:
        driver.send("settle_next", "dealer")
    note(driver, said)


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
def test_every_prompted_clause_is_said_to_somebody_when_its_time_comes(id):
    """Only a person can meet these: so each is told, in words, at a step of a real game."""
    said = set()
    for chapter_id, rules, wagers in (*EVERY_GAME, *MORE):
        if chapter_id == id:
            played(chapter_id, rules, wagers, said)
    if id == MA:
        won_progressive(said)
    prompted = {clause.id for clause in chapter(id).clauses.values() if clause.met == "prompted"}
    assert prompted
    assert prompted - said == set()
