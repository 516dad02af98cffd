"""Whatever happens at a table, its page can be drawn for everybody who looks at it."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from table_moments import moments

from houseway.cards import SeededSource
from houseway.floor import clock
from houseway.floor.casino import Casino
from houseway.floor.people.directory import Person
from houseway.law import DOWN_UNDER, MA, MD, SAIGON, cites
from houseway.store import open_log
from houseway.table import next_steps, read_command, run
from houseway.table.driver import Driver
from houseway.web.table.dealer_forms import menu, steps
from houseway.web.table.page import TableScreen

sys.path += [str(Path(__file__).parent.parent / room) for room in ("table", "floor")]
from playing import decide
from stories import STORIES
from tables import shoe

PARTS = ("dealer", "floorperson", "surveillance", "public")


@pytest.fixture
def casino() -> Iterator[Casino]:
    found = Casino(open_log(":memory:"))
    yield found
    found.close()


def drawn(casino: Casino, part: str, who: str = "somebody") -> dict[str, str]:
    return TableScreen(casino, "1", Person(who, who, ()), part, "green").parts()


@pytest.mark.slow
@pytest.mark.parametrize("name", STORIES)
def test_every_moment_of_a_story_is_drawn_for_everybody(casino, name, monkeypatch):
    for turn, live in enumerate(moments(casino, STORIES[name]().record)):
        monkeypatch.setattr(clock, "now", lambda at=live.said[0].at: at)
        players = [box.player for box in live.state.boxes if box.player]
        looking = [(part, "somebody") for part in PARTS] + [("player", who) for who in players]
        # everybody in turn: all of them every time would take minutes
        part, who = looking[turn % len(looking)]
        parts = drawn(casino, part, who)
        assert parts["panel"]
        assert all(markup.startswith("<") for markup in parts.values())
        # what the house is to do next, somebody's page leads to
        awaited = [step for step in next_steps(live.state, at=clock.now()) if step.kind == "next"]
        if any(step.role != "player" for step in awaited):
            assert any(steps(live, part)[0] for part in ("dealer", "floorperson"))


@cites(SAIGON, "680a.6(a)", "680a.6(a)(4)", "680a.6(b)")
def test_a_hand_with_the_joker_is_named_by_the_games_own_count(casino, monkeypatch):
    """Three cards with the joker are no three-card poker hand: they qualify or they do not."""
    driver = Driver(SAIGON, source=SeededSource(1))
    driver.seat_player(1, "ann")
    shown: list[tuple[tuple[str, ...], str]] = []
    for _ in range(60):
        driver.ready()
        driver.wager(1, {"ante": "10.00"})
        driver.finish(decide)
    for live in moments(casino, driver.record):
        monkeypatch.setattr(clock, "now", lambda at=live.said[0].at: at)
        for pile in ("three.1", "two.1"):
            cards = live.state.piles.get(pile, ())
            if "Jk" in cards and shown[-1:] != [(cards, pile)]:
                panel = drawn(casino, "player", "ann")["beside"]
                mine = re.findall(r'<p class="names">(.*?)</p>', panel)
                assert mine[pile == "two.1"] == named(cards)
                shown.append((cards, pile))
    assert {pile for _, pile in shown} == {"three.1", "two.1"}


@cites(DOWN_UNDER, '685a.1 "Blackjack"')
def test_an_ace_and_a_ten_after_a_split_are_a_count_and_no_blackjack(casino, monkeypatch):
    driver = shoe("As 5c Ad 6d Kh 9c")
    driver.wager(1, {"bet": "10.00"})
    driver.until("deciding")
    driver.send("split", "player", seat=1)
    driver.house()
    for live in moments(casino, driver.record):
        monkeypatch.setattr(clock, "now", lambda at=live.said[0].at: at)
    assert live.state.piles["seat.1"] == ("As", "Kh")
    panel = drawn(casino, "player", "player 1")["beside"]
    assert re.findall(r'<p class="names">(.*?)</p>', panel)[0] == "21"


WORTH = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10} | {str(n): n for n in range(2, 10)}


def named(cards: Sequence[str]) -> str:
    """What a hand with the joker comes to, the joker being a 3, a 6 or a 9."""
    rest = sum(WORTH[card[0]] for card in cards if card != "Jk")
    sums = [rest + joker for joker in (3, 6, 9)]
    if len(cards) == 3:
        return "Qualifies" if {10, 20, 30} & {*sums} else "No qualifier"
    return f"Count {max(total - 10 if total > 10 else total for total in sums)}"


@cites(MD, "5.D(1)", "5.D(2)")
@pytest.mark.parametrize("shuffler", ["counting", "plain"])
def test_the_dealer_is_asked_what_the_device_counted_where_one_counts(
    casino, shuffler, monkeypatch
):
    driver = Driver(MD, {"shuffler": shuffler}, source=SeededSource(1))
    driver.seat_player(1, "ann")
    driver.until("shuffling")
    *_, live = moments(casino, driver.record)
    monkeypatch.setattr(clock, "now", lambda: live.said[0].at)
    step = drawn(casino, "dealer", "dealer")["panel"]
    assert 'name="real"' in step
    assert ('name="count"' in step) == (shuffler == "counting")


def sent(form: dict[str, Any], role: str) -> list[dict[str, Any]]:
    """What a form sends as it stands: its own fields, and each option of those that it asks for."""
    found: list[dict[str, Any]] = [{**json.loads(form["command"]), "role": role}]
    for field in form["fields"]:
        name, value = field["name"], field["value"]
        if field["options"]:
            kind = int if field["kind"] == "number" else str
            found = [one | {name: kind(way)} for one in found for way in field["options"]]
        elif value != "" or field["required"]:
            found = [one | {name: "a reason" if value == "" else value} for one in found]
    return found


@cites(MD, "13.H")
@cites(MA, "14(g)")
@cites(DOWN_UNDER, "685a.12(i)", "685a.12(k)")
@pytest.mark.parametrize(
    ("chapter", "rules", "devices"),
    [
        (MD, {"dealing": "automated_shoe", "shuffler": "plain", "progressive": "A"}, ("progressive", "automated_shoe", "shuffler")),
        (MA, {"dealing": "automated_shoe", "shuffler": "plain", "decks_in_play": 2}, ("shuffler", "automated_shoe")),
        (DOWN_UNDER, {"shuffler": "plain", "decks_in_play": 2}, ("reader", "shuffler")),
        (DOWN_UNDER, {"dealing": "continuous_shuffler"}, ("reader", "continuous_shuffler")),
    ],
)  # fmt: skip
@pytest.mark.parametrize("report", ["device_breaks", "device_jams"])
def test_the_forms_about_devices_send_what_the_table_takes(
    casino, monkeypatch, chapter, rules, devices, report
):
    driver = Driver(chapter, rules, source=SeededSource(1))
    driver.seat_player(1, "ann")
    driver.ready()
    driver.send("device_breaks", "dealer", device=devices[0])
    driver.send(report, "dealer", device=devices[-1])
    for live in moments(casino, driver.record):
        monkeypatch.setattr(clock, "now", lambda at=live.said[0].at: at)
    about = 0
    for role in ("dealer", "floorperson"):
        main, others = steps(live, role)
        for form in [*([main] if main else []), *others, *menu(live, role)]:
            if any(field["name"] == "device" for field in form["fields"]):
                for fields in sent(form, role):
                    about += 1
                    run(live.state, read_command(json.dumps({**fields, "at": clock.now()})))
    assert about > 2
