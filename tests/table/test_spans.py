"""Irregularities are open from the moment to the moment that their clauses name, in every game."""

from __future__ import annotations

import pytest
from casino_war_support import installed
from tables import GAMES, bets, deal_all, opened, shoe

from houseway.errors import Refused
from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, SAIGON, chapter, cites
from houseway.table import TABLE, TableGame, legal
from houseway.table.actions import actions_of
from houseway.table.driver import Driver
from houseway.table.spans import MOMENTS, Span, phases_of, place


def check_spans(game: TableGame) -> None:
    """Every span of a game covers one unbroken stretch of its line; every moment lies on it."""
    for moment in MOMENTS:
        assert phases_of(game, Span(moment, moment))
    spans = [found for found in actions_of(game).values() if found.span]
    assert spans
    for found in spans:
        at = sorted(game.round_line.index(phase) for phase in found.phases)
        assert at == list(range(at[0], at[-1] + 1)), found.name


@pytest.mark.parametrize("id", CHAPTERS)
def test_every_span_lies_on_the_line_of_its_game(id: str) -> None:
    check_spans(TABLE.of(chapter(id)))


def test_an_outside_family_places_the_moments_on_its_own_line(tmp_path) -> None:
    with installed(tmp_path):
        game = TABLE.of(chapter("casino-war"))
        check_spans(game)
        assert phases_of(game, Span("first_card", "last_card")) == {"dealing", "deciding"}


def test_a_moment_that_is_not_on_the_line_is_an_error_of_the_family() -> None:
    class Short(TableGame):
        round_line = ("dealing", "settling", "clearing")

    with pytest.raises(TypeError, match="no moment 'shoe_in_use'"):
        phases_of(Short(), Span("first_card", "shoe_in_use"))
    with pytest.raises(TypeError, match="ends before it begins"):
        phases_of(TableGame(), Span("end", "first_card"))


@cites(MD, "13.D")
@cites(MA, "14(c)")
@cites(PRIME, "679a.13(c)")
@cites(SAIGON, "680a.13(c)")
@pytest.mark.parametrize(("id", "rules", "wagers"), GAMES)
def test_a_misdeal_can_be_reported_from_the_first_card_until_the_table_is_cleared(
    id: str, rules: dict, wagers: dict
) -> None:
    driver = opened(id, rules, players=2)
    for seat in (1, 2):
        driver.wager(seat, wagers)
    driver.until("dealing")
    driver.send("deal", "dealer")
    seen = set()
    while driver.table.hands:
        assert "wrong_number_of_cards" in legal(driver.table, "dealer"), driver.table.phase
        seen.add(driver.table.phase)
        if not driver.house():
            step = legal(driver.table, "player", _asked(driver))
            name = next(name for name in ("play", "set_hands") if name in step)
            driver.send(name, "player", seat=_asked(driver))
    assert {"dealing", "stub", "deciding", "revealing", "settling", "clearing"} <= seen
    assert "wrong_number_of_cards" not in legal(driver.table, "dealer")


def _asked(driver: Driver) -> int:
    table = driver.table
    return next(
        seat for seat in table.hands
        if {"play", "set_hands"} & set(legal(table, "player", seat))
    )  # fmt: skip


@cites(DOWN_UNDER, "685a.12(a)", "685a.12(e)", "685a.12(h)")
def test_an_interruption_within_another_goes_back_to_where_the_round_stood() -> None:
    """A wrong light is being put right when the shoe runs out."""
    driver = shoe("Tc 7d 9d 5s", players=1)
    bets(driver, 1)
    deal_all(driver)
    driver.until("deciding")
    while "shoe" in driver.table.piles:
        driver.send("card_found_face_up", "dealer")
    driver.send("wrong_light", "dealer", cause="light")
    game = TABLE.of(chapter(DOWN_UNDER))
    assert (driver.table.phase, place(game, driver.table)) == ("trouble", "deciding")
    driver.send("shoe_runs_out", "system", order=driver.table.piles["discard"])
    assert (driver.table.phase, place(game, driver.table)) == ("cutting", "deciding")
    assert "card_found_face_up" in legal(driver.table, "dealer")
    while driver.table.phase == "cutting":
        if "decline_cut" in legal(driver.table, "dealer", 1):
            driver.send("decline_cut", "dealer", seat=1)
        driver.send("cut", "dealer", depth=20)
    assert driver.table.phase == "trouble"
    driver.send("hand_goes_on", "dealer", seat=1)
    assert driver.table.phase == "deciding"
    driver.send("stand", "player", seat=1)
    driver.until("betting")


@cites(MD, "7.C(2)")
@cites(PRIME, "679a.7(b)")
@cites(SAIGON, "680a.7(b)")
@pytest.mark.parametrize("id", [MD, PRIME, SAIGON])
@pytest.mark.parametrize("phase", ["dealing", "stub", "deciding", "revealing", "settling"])
def test_a_wager_left_behind_is_lost_whenever_its_player_walks_away(id: str, phase: str) -> None:
    driver = opened(id, players=2)
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00"})
    driver.send("no_more_bets", "dealer")
    driver.send("deal", "dealer")
    while driver.table.phase != phase:
        if not driver.house():
            step = legal(driver.table, "player", _asked(driver))
            name = next(name for name in ("play", "set_hands") if name in step)
            driver.send(name, "player", seat=_asked(driver))
    driver.send("leave_seat", "floorperson", seat=1)
    driver.send("declare_abandoned", "floorperson", seat=1)
    assert set(driver.table.boxes[0].ended.values()) == {"lose"}
    while driver.table.hands:
        if not driver.house():
            step = legal(driver.table, "player", _asked(driver))
            name = next(name for name in ("play", "set_hands") if name in step)
            driver.send(name, "player", seat=_asked(driver))
    assert driver.table.round == 1


@cites(MD, "13.E")
def test_a_dealers_card_is_not_exposed_before_there_is_one() -> None:
    driver = opened(MD, players=1)
    driver.wager(1, {"ante": "10.00"})
    driver.send("no_more_bets", "dealer")
    driver.send("deal", "dealer")
    with pytest.raises(Refused, match="no hidden card"):
        driver.send("dealer_card_exposed", "dealer")
