"""A submission passes exactly when a table opened with its rules deals and settles.

What only a submission knows of (approvals, inscriptions, who and when) is in order in all of these;
the options, limits and payout limits are drawn at random, whether they go together or not.
"""

from __future__ import annotations

from typing import Any

import pytest
from drafts import FULL, furnished
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from houseway.cards import SeededSource
from houseway.errors import Refused
from houseway.law import CHAPTERS, PRIME, SAIGON, Rules, chapter
from houseway.money import dollars
from houseway.submission.checks.run_checks import check
from houseway.table import rules_of
from houseway.table.driver import Driver

#: kept in order here: a table deals without the device that shows Cover All
_TAKES = {"cover_all": {"shuffler": "plain"}}


@st.composite
def submissions(draw: st.DrawFn, id: str) -> dict[str, Any]:
    """Options with and without what they need, and limits wide and narrow."""
    law = chapter(id)
    rules: dict[str, Any] = {}
    for option in law.options.values():
        if option.choices and option.accepts != "awards" and draw(st.integers(0, 2)) == 0:
            choice = draw(st.sampled_from(option.choices))
            rules[option.id] = choice.value
            # more often than not a choice comes with what it needs
            if choice.needs and draw(st.integers(0, 3)):
                rules |= {other: allowed[0] for other, allowed in choice.needs.items()}
    if rules.get("cover_all"):
        rules |= _TAKES["cover_all"]
    low = draw(st.sampled_from(["1.00", "5.00", "5.25", "25.00"]))
    high = draw(st.sampled_from(["5.30", "100.00", "500.00"]))
    if id in (PRIME, SAIGON) and draw(st.booleans()):
        rules["payout_limit"] = draw(st.sampled_from(["49999.99", "50000.00", "130000.00"]))
    standard = [w.id for w in law.wagers.values() if w.kind in ("standard", "side")]
    limits = {wager: {"min": low, "max": high} for wager in standard}
    return furnished(id, rules, limits=limits)


def smallest(rules: Rules, wager: str) -> int:
    """The least amount that these rules allow on a wager, in chips that can be paid."""
    if rules.chapter.wagers[wager].kind == "progressive":
        return 100
    step, limit = rules.step(wager), rules.limits.get(wager)
    least = limit.min if limit and limit.min else step
    return -(-least // step) * step


def plainly(_table: Any, _seat: int, steps: Any) -> tuple[str, dict[str, Any]]:
    """What needs nothing said: to stand and decline at blackjack, else the first step."""
    names = [step.command for step in steps]
    quiet = [name for name in names if name == "stand" or name.startswith("decline")]
    return (quiet or names)[0], {}


def play(id: str, tables: dict[str, Any], rounds: int, seed: int) -> None:
    """Open a table with the submission's rules and play; whatever is refused comes out."""
    driver = Driver(
        id,
        tables["rules"],
        source=SeededSource(seed),
        limits=tables["limits"],
        meters=tables.get("meters", {}),
        paytables=tables.get("paytables", {}),
    )
    rules = rules_of(driver.table)
    offered = [
        w.id for w in rules.chapter.wagers.values() if w.kind != "follows" and rules.offers(w.id)
    ]
    amounts = {wager: smallest(rules, wager) for wager in offered}
    if "pair_plus" in amounts:  # no version minds two wagers of one size
        amounts["ante"] = amounts["pair_plus"] = max(amounts["ante"], amounts["pair_plus"])
    if rules.options.get("electronic"):
        amounts = {wager: amounts[wager] for wager in ("ante", "pair_plus")}
    driver.seat_player(1, "ann")
    driver.seat_player(2, "ben")
    for _ in range(rounds):
        driver.ready()
        for seat in (1, 2):
            hand = 1 if rules.options.get("electronic") else 0
            driver.wager(seat, {w: dollars(amount) for w, amount in amounts.items()}, hand)
        driver.finish(plainly)


def agree(id: str, tables: dict[str, Any], rounds: int, seed: int) -> bool:
    checked = check(tables)
    try:
        play(id, tables, rounds, seed)
    except Refused as refusal:
        assert not checked.passes, (str(refusal), tables["rules"], tables["limits"])
        return False
    assert checked.passes, (checked.errors, tables["rules"])
    return True


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_check_passes_exactly_when_a_table_deals(data: st.DataObject, seed: int, id: str) -> None:
    agree(id, data.draw(submissions(id)), rounds=4, seed=seed)


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_check_passes_exactly_when_fifty_rounds_are_dealt(
    data: st.DataObject, seed: int, id: str
) -> None:
    agree(id, data.draw(submissions(id)), rounds=50, seed=seed)


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
@pytest.mark.parametrize("everything", [False, True])
def test_fifty_rounds_without_a_refusal(id: str, everything: bool) -> None:
    assert agree(id, furnished(id, FULL[id] if everything else {}), rounds=50, seed=685)
