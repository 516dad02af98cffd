"""Who is offered the cut and the recut, and what is done with the cards of an idle table."""

from __future__ import annotations

import pytest
from tables import bets, check_all, opened, refused, stands

from houseway.cards import SeededSource
from houseway.law import DOWN_UNDER, MD, PRIME, SAIGON, cites
from houseway.table import NextStep, legal, next_steps
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
