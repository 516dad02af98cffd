"""What each role is shown; that it is shown nothing hidden is proved in `test_secrecy`."""

from __future__ import annotations

from tables import opened

from houseway.law import MA, cites
from houseway.table.views import (
    HIDDEN,
    floor_view,
    public_view,
    seat_view,
)


def test_a_player_sees_his_own_hand_and_nobody_elses():
    driver = opened("md-three-card-poker", players=2)
    driver.wager(1, {"ante": "5.00"})
    driver.wager(2, {"ante": "5.00"})
    driver.until("deciding")
    view = seat_view(driver.table, 1)
    assert view.public.boxes[0].cards == driver.table.piles["seat.1"]
    assert view.public.boxes[1].cards == (HIDDEN,) * 3
    assert view.public.dealer == (HIDDEN,) * 3
    assert set(view.legal) >= {"play", "fold"}
    assert "play" not in seat_view(driver.table, 2).legal


@cites(MA, "12(e)")
def test_the_shuffler_shows_what_cover_all_pays():
    driver = opened("ma-three-card-poker", {"cover_all": True, "shuffler": "plain"}, players=3)
    for seat in (1, 2, 3):
        driver.wager(seat, {"ante": "5.00", "cover_all": "5.00"})
    assert public_view(driver.table).cover_all == {}
    driver.until("deciding")
    shown = public_view(driver.table).cover_all
    # three players: the third column of the matrix from the right
    assert shown["straight"] == "2 to 1"
    assert shown["three_of_a_kind"] == "25 to 1"


def test_the_floor_is_warned_before_a_deck_is_due():
    driver = opened("md-three-card-poker", players=1, start="2026-01-01T12:00:00")
    assert floor_view(driver.table, "2026-01-01T19:00:00").change == {}
    assert list(floor_view(driver.table, "2026-01-01T19:45:00").change) == ["1"]
