"""Secrecy: two rounds that differ only in cards a role has not seen are the same to that role.

A round is played, and played again by the same commands from a deck in which the cards that a role
has not seen up to some moment are exchanged for one another. Up to that moment everything this role
is given must be the same, byte for byte: its view, what it may do and is to do next, the public
words of every event, how many events there were, the amounts that are due, and advice.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import pytest
from hidden_cards import exchanged, seen_by
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from stories import GAMES
from tables import bets, deal_all, opened, shoe

from houseway.cards import cards
from houseway.errors import Refused
from houseway.games.down_under.maths import advise as blackjack
from houseway.games.saigon.hands import values
from houseway.law import chapter as chapter_of
from houseway.present import Viewer, visible_cards
from houseway.present.teaching import advise
from houseway.table import Command, Event, Table, next_steps, rules_of, run
from houseway.table import commands as c
from houseway.table.event_text import describe, in_public
from houseway.table.views import floor_view, seat_view, surveillance_view

#: the house's people see what lies face up and no more; a player his own hand too
WHO = ("house", 1, 2, 3)


class Moment(NamedTuple):
    """What a command left behind."""

    table: Table
    events: tuple[Event, ...]


def played(name: str, seed: int) -> tuple[Table, list[Command]]:
    """The table before its shuffle, and the commands of a round from there."""
    chapter, rules, wagers = GAMES[name]
    rng = random.Random(seed)
    driver = opened(chapter, rules, seed=seed, players=3)
    first = next(at for at, one in enumerate(driver.commands) if isinstance(one, c.Shuffle))
    for seat in (1, 2, 3):
        driver.wager(seat, wagers, hand=seat if rules.get("electronic") else 0)

    def choose(table: Table, seat: int, steps: Any) -> tuple[str, dict[str, Any]]:
        names = [step.command for step in steps if step.seat == seat]
        chosen = names[rng.randrange(len(names))]
        if chosen == "set_hands":
            best = values(chapter_of(chapter)).best(cards(table.piles[f"seat.{seat}"]))
            return chosen, {
                "three": tuple(map(str, best.three)), "two": tuple(map(str, best.two)),
            }  # fmt: skip
        return chosen, {"amount": "5.00"} if chosen in ("insure", "double") else {}

    driver.finish(choose)
    table = Table()
    for command in driver.commands[:first]:
        _, table = run(table, replace(command, version=None))
    return table, [replace(one, version=None) for one in driver.commands[first:]]


def again(table: Table, commands: list[Command]) -> Iterator[Moment]:
    for command in commands:
        events, table = run(table, command)
        yield Moment(table, events)


def told(now: Moment, who: str | int) -> list[bytes]:
    """Everything that a role is given at a moment."""
    table = now.table
    if who == "house":
        views: list[Any] = [
            # the floor's view has the dealer's in it, and that what all see and the wager due
            floor_view(table), surveillance_view(table),
        ]  # fmt: skip
    else:
        views = [seat_view(table, int(who)), advice(table, int(who))]
    return [msgspec.json.encode(view) for view in (said(now), *views)]


def said(now: Moment) -> list[tuple[int, str, str]]:
    """What everybody hears of a command, and how many events it made."""
    return [(event.version, event.clause, describe(in_public(event))) for event in now.events]


def advice(table: Table, seat: int) -> list[tuple[str, str]]:
    """What the seat is advised where it decides; Down Under's is what the mathematics is asked."""
    if table.phase != "deciding" or "light" in table.trouble:
        return []
    if not any(step.seat == seat and step.role == "player" for step in next_steps(table)):
        return []
    try:
        _, worth = advise(table, seat)
    except Refused as refusal:
        return [(refusal.code, "")]
    return [(name, str(value)) for name, value in worth]


class Asked(NamedTuple):
    values: dict[str, str]


@pytest.fixture(autouse=True)
def _no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver's answer hangs on what it is asked alone: that is compared."""

    def asked(*what: object, **more: object) -> Asked:
        return Asked({"asked": repr((what, sorted(more.items(), key=str)))})

    monkeypatch.setattr(blackjack, "advise", asked)


def other_rounds(
    table: Table, commands: list[Command], seen: frozenset[str], rng: random.Random, count: int
) -> Iterator[list[Moment]]:
    """The round as it would have gone with other cards where nothing was seen."""
    first = commands[0]
    assert isinstance(first, c.Shuffle)
    hidden = sorted(set(first.order) - seen)
    for _ in range(count):
        changed = exchanged(commands, hidden, rules_of(table), rng)
        if changed[0] == first:
            continue
        try:
            yield list(again(table, changed))
        except Refused as refusal:
            # a hand that nobody would have been allowed to set so
            assert refusal.field in ("three", "two"), refusal


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_nobody_is_told_what_he_has_not_seen(name: str, seed: int) -> None:
    """Every role, every chapter and way of dealing, every moment up to the last."""
    rng = random.Random(seed)
    table, commands = played(name, seed)
    moments = list(again(table, commands))
    exchanges = 0
    for who in WHO:
        given_out = [told(now, who) for now in moments]
        seen: set[str] = set()
        sights = []
        for now in moments:
            seen |= seen_by(now.table, who)
            sights.append(frozenset(seen))
        # the last moment before something more is seen stands for those before it
        last = [at for at in range(len(moments) - 1) if sights[at] != sights[at + 1]]
        for at in rng.sample(last, min(2 if who == "house" else 1, len(last))):
            for others in other_rounds(table, commands[: at + 1], sights[at], rng, 1):
                exchanges += 1
                for number, now in enumerate(others):
                    assert told(now, who) == given_out[number], (who, number, commands[number])
        # with the dealer's cards shown and the hands still down the wagers are figured already
        if who == "house":
            turned = (at for at in last if isinstance(commands[at + 1], c.TurnHand))
            for at in [*turned][:1]:
                for others in other_rounds(table, commands[: at + 1], sights[at], rng, 25):
                    assert [said(now) for now in others] == [said(now) for now in moments[: at + 1]]
                    assert told(others[-1], who) == given_out[at]
    assert exchanges


@pytest.mark.parametrize("name", GAMES)
def test_the_felt_shows_the_cards_that_the_view_names(name: str) -> None:
    """What is drawn for a role at each moment is what the JSON of that role says."""
    table, commands = played(name, 5)
    for now in again(table, commands):
        for who in WHO:
            if who == "house":
                viewer, view = Viewer(), floor_view(now.table).dealer.public
            else:
                viewer, view = Viewer("seat", int(who)), seat_view(now.table, int(who)).public
            named = {"dealer": view.dealer, "hole": view.hole, "community": view.community}
            for box in view.boxes:
                named |= {
                    f"seat.{box.seat}": box.cards, f"seat.{box.seat}.2": box.second_hand,
                    f"three.{box.seat}": box.three, f"two.{box.seat}": box.two,
                    f"fourth.{box.seat}": box.fourth,
                }  # fmt: skip
            told = {
                pile: tuple("??" if card is None else str(card) for card in held)
                for pile, held in visible_cards(now.table, viewer).items()
            }
            assert told == {pile: held for pile, held in named.items() if held}


def test_advice_on_a_split_is_for_the_hand_that_acts() -> None:
    driver = shoe("8c 5d 8d 9s Th 9h")
    bets(driver, 1)
    deal_all(driver)
    driver.until("deciding")
    driver.send("split", "player", seat=1)
    for held in ("('8c', 'Th')", "('8d', '9h')"):
        driver.send("deal", "dealer")
        assert advice(driver.table, 1)[0][1].startswith(f"(({held}")
        driver.send("stand", "player", seat=1)
