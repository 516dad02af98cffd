"""Every chapter, every irregularity and device event, every phase, every way of dealing.

Each cell ends in what its clause orders or is refused because it cannot happen then.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from trouble_cells import DATA, LINE, entries, judge, kinds, send, show

from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, SAIGON, chapter, cites
from houseway.table.trouble_table import every_wager, moments

#: how many kinds of equipment of each chapter a short run tries
SHORT = 3


def sample(id: str) -> list[dict[str, Any]]:
    """Equipment as different as possible: from the first, the middle and the end of the list."""
    found = kinds(id)
    return [found[len(found) * number // SHORT] for number in range(SHORT)]


def wrong_cells(id: str, rules: dict[str, Any], *, to_the_end: bool) -> list[str]:
    found = []
    for (phase, when), tables in moments(id, rules).items():
        for entry, table in itertools.product(entries(id, rules), tables):
            wrong = judge(entry, id, rules, table, when, to_the_end=to_the_end)
            if wrong:
                found.append(f"{entry['id']} ({entry['clause']}) in {phase}, {when}: {wrong}")
    return list(dict.fromkeys(found))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("id", "rules"),
    [pytest.param(id, rules, id=show(id, rules)) for id in CHAPTERS for rules in sample(id)],
)
def test_every_cell_ends_as_its_clause_orders(id: str, rules: dict[str, Any]) -> None:
    wrong = wrong_cells(id, rules, to_the_end=False)
    assert not wrong, "\n".join(wrong)


@pytest.mark.full
@pytest.mark.parametrize(
    ("id", "rules"),
    [pytest.param(id, rules, id=show(id, rules)) for id in CHAPTERS for rules in kinds(id)],
)
def test_every_cell_of_every_equipment(id: str, rules: dict[str, Any]) -> None:
    wrong = wrong_cells(id, rules, to_the_end=True)
    assert not wrong, "\n".join(wrong)


#: other ways to play than those of the equipment
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    (MD, {"electronic": True, "shuffler": "plain"}),
    (MA, {"settlement": "by_player", "shuffler": "plain"}),
    (MD, {"electronic": True, "dealing": "automated_shoe"}),
    (MD, {"electronic": True, "dealing": "hand", "shuffler": "counting", "decks_in_play": 2}),
    (MD, {"version": "both_compulsory"}),
    (
        MA,
        {
            "settlement": "by_player", "dealing": "automated_shoe", "dealer_stack": "left_in_shoe",
            "shuffler": "counting", "decks_in_play": 2, "folded_hands_win_progressive": True,
        },
    ),
    (MA, {"version": "both_compulsory", "ante_bonus": "A", "several_meter_hits": "shared"}),
]  # fmt: skip


@cites(MD, "11.F", "11.F(2)", "13.D")
@cites(MA, "10(c)(2)", "14(c)")
@pytest.mark.parametrize(
    ("id", "rules"),
    [
        pytest.param(*one, marks=pytest.mark.slow if number < 2 else pytest.mark.full)
        for number, one in enumerate(VARIANTS)
    ],
)
def test_every_cell_of_other_ways_to_play(id: str, rules: dict[str, Any]) -> None:
    wrong = wrong_cells(id, every_wager(chapter(id), rules), to_the_end=False)
    assert not wrong, "\n".join(wrong)


@cites(MD, "13.F")
@cites(MA, "14(e)")
@cites(PRIME, "679a.13(e)")
@cites(SAIGON, "680a.13(d)")
@cites(DOWN_UNDER, "685a.12(j)")
@pytest.mark.parametrize("id", CHAPTERS)
def test_the_deck_inside_a_jammed_shuffler_is_shuffled_again(id: str) -> None:
    """At an idle table no deck is in play; the one that lies spread was not in the device."""
    rules = {"shuffler": "plain", "decks_in_play": 2}
    found = moments(id, every_wager(chapter(id), rules))
    table = next(one for one in found["idle", "early"] if "shuffler" in one.piles)
    after = send(table, "device_jams", "dealer", device="shuffler")[1]
    assert {id: deck.stage for id, deck in table.decks.items()} == {"1": "spread", "2": "shuffled"}
    assert {id: deck.stage for id, deck in after.decks.items()} == {"1": "spread", "2": "stacked"}


@pytest.mark.parametrize("id", CHAPTERS)
def test_the_expectation_is_well_formed(id: str) -> None:
    law = chapter(id)
    for entry in DATA[id]:
        for clause in (entry["clause"], *entry.get("clauses", {}).values()):
            assert clause in law.clauses, f"{entry['id']}: no clause {clause}"
        for phase in (entry["first"], entry["last"], *entry.get("open", ())):
            assert phase in LINE[id], f"{entry['id']}: no phase {phase}"
        for outcome in ("early", "late", "meter", "outside"):
            assert entry.get(outcome, "void") in DATA["outcomes"]
        if id not in (MD, MA):
            assert "meter" not in entry
