"""A device jams at every single step of two rounds: what it held decides, not the step.

Where the cards of a jam are is read off the table's piles: in an automated shoe until the stub and
the dealer's stack have left it, in a shuffler while a deck waits in it or has just come out of it.
"""

from __future__ import annotations

from typing import Any

import pytest
from random_play import driver_at, finish
from tables import check_cards, in_tray, on_layout, opened, refused, stands

from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, cites
from houseway.table import COMMANDS, Table, run
from houseway.table import events as e

#: what lies on the layout from the first moment on
WAGERS = {DOWN_UNDER: {"bet": "10.00"}}


def moments(id: str, rules: dict[str, Any]) -> list[Table]:
    """The table before every command of two rounds."""
    driver = opened(id, rules)
    found = []
    while driver.table.round < 2 or driver.table.hands:
        if driver.table.phase == "betting" and not driver.table.boxes[0].wagers:
            found.append(driver.table)
            for seat in (1, 2):
                driver.wager(seat, WAGERS.get(id, {"ante": "10.00"}))
        found.append(driver.table)
        asked = [step for step in driver.steps() if step.role == "player" and step.kind == "next"]
        if driver.table.hands and asked:
            name, fields = stands(driver.table, asked[0].seat, asked)
            driver.send(name, "player", seat=asked[0].seat, **fields)
        else:
            driver.house()
    return found


def expected(table: Table, device: str) -> str:
    """What the clause orders, by what the device holds."""
    shuffled = table.in_play in table.decks and table.decks[table.in_play].stage == "shuffled"
    cards_out = shuffled and "shoe" in table.piles
    if device == "automated_shoe":
        holds = "dealer_stack" in table.piles or "shoe" in table.piles
        if table.hands:
            return "void" if holds else "nothing"
        return "reshuffle" if cards_out else "nothing"
    if device == "continuous_shuffler":
        over = table.phase in ("settling", "clearing")
        return "reshuffle" if cards_out and not over else "nothing"
    if "shuffler" in table.piles:
        return "waiting deck"
    # of one deck: it has left the device for good when the bets are closed
    return "reshuffle" if cards_out and not table.hands and len(table.decks) == 1 else "nothing"


def what_happened(events: tuple[e.Event, ...]) -> str:
    if any(isinstance(event, e.RoundVoided) for event in events):
        return "void"
    if any(isinstance(event, e.ReshuffleOrdered) for event in events):
        return "reshuffle"
    waiting = any(isinstance(event, e.DeckPrepared) for event in events)
    return "waiting deck" if waiting else "nothing"


@cites(MD, "13.F", "13.G")
@cites(MA, "14(e)", "14(f)")
@cites(PRIME, "679a.13(e)", "679a.13(f)")
@cites(SAIGON, "680a.13(d)", "680a.13(e)")
@cites(DOWN_UNDER, "685a.12(j)")
@pytest.mark.parametrize(
    ("id", "rules", "device"),
    [
        (MD, {"dealing": "automated_shoe"}, "automated_shoe"),
        (MD, {"shuffler": "plain"}, "shuffler"),
        (
            MA,
            {
                "dealing": "automated_shoe", "dealer_stack": "left_in_shoe", "shuffler": "plain",
                "decks_in_play": 2,
            },
            "automated_shoe",
        ),
        (MA, {"shuffler": "counting", "decks_in_play": 2}, "shuffler"),
        (PRIME, {"dealing": "hand", "shuffler": "reshuffling"}, "shuffler"),
        (PRIME, {"dealing": "automated_shoe", "shuffler": "plain"}, "automated_shoe"),
        (SAIGON, {"dealing": "automated_shoe", "shuffler": "plain"}, "shuffler"),
        (SAIGON, {"dealing": "automated_shoe"}, "automated_shoe"),
        (DOWN_UNDER, {"shuffler": "plain"}, "shuffler"),
        (DOWN_UNDER, {"dealing": "continuous_shuffler"}, "continuous_shuffler"),
    ],
)  # fmt: skip
def test_a_jam_ends_alike_one_step_earlier_and_later(
    id: str, rules: dict[str, Any], device: str
) -> None:
    seen = set()
    for number, table in enumerate(moments(id, rules)):
        for name in ("device_jams", "device_breaks"):
            command = COMMANDS[name](role="device", at=table.at, device=device)  # type: ignore[call-arg]
            events, after = run(table, command)
            wanted = expected(table, device)
            assert what_happened(events) == wanted, (name, table.phase)
            seen.add(wanted)
            check_cards(after)
            back = in_tray(table) + on_layout(table) - in_tray(after) - on_layout(after)
            at_stake = sum(sum(box.wagers.values()) for box in table.boxes)
            assert back == (at_stake if wanted == "void" else 0)
            if wanted not in ("void", "nothing"):
                # bets stay as they are, open or closed
                assert [box.layout for box in after.boxes] == [box.layout for box in table.boxes]
            if number % 4 == 0 and name == "device_jams":
                driver = driver_at(after)
                if after.hands:
                    finish(driver)
                driver.until("betting")
                # a deck that waits may be shuffled while players wager
                driver.house(tuple(step for step in driver.steps() if step.command == "shuffle"))
                assert driver.table.devices[device].condition == "working"
    assert seen != {"nothing"}


@cites(MD, "13.G")
@cites(MA, "14(f)")
@cites(PRIME, "679a.13(f)")
@cites(SAIGON, "680a.13(e)")
@pytest.mark.parametrize("id", [MD, MA, PRIME, SAIGON])
def test_nothing_jams_at_a_table_without_a_device(id: str) -> None:
    """The clause is about the shoe that deals by itself; hands and a manual shoe have no part in it."""
    refusal = refused(opened(id), "device_jams", "dealer", device="automated_shoe")
    assert (refusal.code, refusal.clause) == ("not_in_this_chapter", None)
