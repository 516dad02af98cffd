"""What happens in whole rounds of every game: each moment with the clauses by which it is done.

A moment is a step that somebody is told to take, or an event. The clauses are those that the table
itself names; `moments.toml` has those that the texts give.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any

from tables import EVERY_GAME, stands

from houseway.cards import SeededSource
from houseway.law import MA, MD, PRIME, SAIGON
from houseway.table import Event, Table, next_steps
from houseway.table.driver import Driver

Game = tuple[str, dict[str, Any], dict[str, str]]

#: beside `EVERY_GAME`: the other ways of dealing, and the electronic version
MORE: list[Game] = [
    (
        MD,
        {"dealing": "hand", "shuffler": "plain", "progressive": "A", "five_card_progressive": "A"},
        {"ante": "10.00", "progressive": "1.00", "five_card_progressive": "1.00"},
    ),
    (MD, {"electronic": True}, {"ante": "10.00", "pair_plus": "5.00"}),
    (MA, {"dealing": "hand", "shuffler": "plain", "decks_in_play": 2}, {"ante": "10.00"}),
    (
        PRIME,
        {"dealing": "hand", "shuffler": "plain", "pair_bonus": "A"},
        {"ante": "10.00", "pair_bonus": "5.00"},
    ),
    (
        PRIME,
        {"dealing": "automated_shoe", "shuffler": "plain", "pair_bonus": "A"},
        {"ante": "10.00", "pair_bonus": "5.00"},
    ),
    (
        SAIGON,
        {"dealing": "automated_shoe", "shuffler": "plain", "bonus": "A"},
        {"ante": "10.00", "bonus": "5.00"},
    ),
]
#: what of an event tells one moment from another
FIELDS = ("source", "to", "place", "wager", "result", "decision", "why")


def games(chapter: str) -> list[Game]:
    return [game for game in EVERY_GAME + MORE if game[0] == chapter]


def _of_steps(table: Table) -> Iterator[tuple[str, str]]:
    for step in next_steps(table, irregularities=True):
        due = table.due[0] if step.command == "settle_next" and table.due else None
        told = f" {due.wager} {due.result}" if due else ""
        yield f"{step.role} {step.command}{told}", step.clause
        for also in step.also:
            yield f"beside {step.command}", also.clause


def _of_event(event: Event) -> tuple[str, str]:
    fields = [getattr(event, name, "") for name in FIELDS]
    told = [name.partition(".")[0] for name in fields if isinstance(name, str) and name]
    return " ".join([type(event).__name__, *told]), event.clause


def _folds_and_hits(table: Table, seat: int, steps: Any) -> tuple[str, dict[str, Any]]:
    """The second player gives up what can be given up, or takes another card."""
    names = [step.command for step in steps if step.seat == seat]
    if seat == 2:
        for name in ("fold", "hit"):
            if name in names:
                return name, {}
    return stands(table, seat, steps)


@cache
def moments(chapter: str, number: int) -> dict[str, set[str]]:
    """Two rounds with each of some orders of the cards: every moment with its clauses."""
    _, rules, wagers = games(chapter)[number]
    found: dict[str, set[str]] = defaultdict(set)
    for seed in range(3):
        driver = Driver(chapter, rules, source=SeededSource(seed))
        for seat in (1, 2, 3):
            driver.seat_player(seat, f"player {seat}")
        send = driver.send

        def noted(*arguments: Any, send: Any = send, driver: Any = driver, **fields: Any) -> Any:
            for moment, clause in _of_steps(driver.table):
                found[moment].add(clause)
            events = send(*arguments, **fields)
            for moment, clause in map(_of_event, events):
                found[moment].add(clause)
            return events

        driver.send = noted  # type: ignore[method-assign]
        for again in (False, True):
            driver.until("betting")
            for seat in (1, 2, 3):
                driver.wager(seat, wagers, hand=seat if rules.get("electronic") else 0)
            driver.finish(_folds_and_hits if again else stands)
    return dict(found)
