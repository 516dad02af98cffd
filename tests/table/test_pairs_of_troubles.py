"""One trouble does not hide another: what could be reported before the first can be after it.

The first is put right, its devices repaired and its cards shuffled. Where the round then stands in the
phase in which it stood, every report is taken that was taken before.
"""

from __future__ import annotations

from typing import Any

import pytest
from random_play import driver_at
from trouble_cells import kinds, show

from houseway.games.down_under.table.state import own
from houseway.law import CHAPTERS
from houseway.table import Table
from houseway.table import events as e
from houseway.table.trouble_table import attempt, moments, reports

#: what ends a hand or the round, or takes somebody from the table: less can be reported afterwards
ENDS = (e.RoundVoided, e.HandOut, e.PlayerLeft, e.DeckRemoved)
#: what can be found, or done, once in a round, at a box or at all
ONCE = ("wrong_light", "strike_progressive_wager", "no_card_dealt")


def put_right(table: Table, phase: str) -> Table:
    """The devices work again, cards are shuffled and cut, and every hand goes on."""
    driver = driver_at(table)
    while driver.table.phase != phase or _stopped(driver.table):
        stopped = _stopped(driver.table)
        if stopped:
            driver.send("repair_device", "floorperson", device=stopped[0])
        elif driver.table.phase == "trouble":
            driver.send("hand_goes_on", "dealer", seat=own(driver.table).light_seats[0])
        elif driver.table.hands and driver.table.phase in ("shuffling", "cutting"):
            driver.house()
        else:
            break
    return driver.table


def _stopped(table: Table) -> list[str]:
    return [one.id for one in table.devices.values() if one.condition in ("broken", "jammed")]


def hidden_by_another(id: str, rules: dict[str, Any], tables: int) -> list[str]:
    found = []
    for (phase, _), here in moments(id, rules).items():
        for table in here[:tables]:
            tried = {report: attempt(table, report) for report in reports(table)}
            taken = {report: one for report, one in tried.items() if one.after is not None}
            for first, outcome in taken.items():
                if any(isinstance(event, ENDS) for event in outcome.events):
                    continue
                after = put_right(outcome.after, phase)  # type: ignore[arg-type]
                for second in taken if after.phase == phase else ():
                    if second == first and first.command in ONCE:
                        continue
                    again = attempt(after, second, after.at)
                    if again.after is None:
                        found.append(
                            f"{second.said()} in {phase} after {first.said()}: {again.says}"
                        )
    return list(dict.fromkeys(found))


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
def test_one_trouble_does_not_hide_another(id: str) -> None:
    assert not hidden_by_another(id, kinds(id)[-1], 1)


@pytest.mark.full
@pytest.mark.parametrize(
    ("id", "rules"),
    [pytest.param(id, rules, id=show(id, rules)) for id in CHAPTERS for rules in kinds(id)],
)
def test_no_trouble_hides_another_with_any_equipment(id: str, rules: dict[str, Any]) -> None:
    assert not hidden_by_another(id, rules, 6)
