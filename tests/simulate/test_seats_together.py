"""The spread of a full table, played: what `maths.two_seats` says of it holds, and is not far off."""

from __future__ import annotations

import pytest

from houseway.law import MD, PRIME, SAIGON, choose
from houseway.maths.game import MATHS
from houseway.maths.par import Asked, entries_of
from houseway.simulate.plan import plan_of
from houseway.simulate.results.tally import covariance
from houseway.simulate.runner import Threads, run

ROUNDS, STAKE = 60_000, 1000


@pytest.mark.parametrize(
    ("chapter", "wager"), [(MD, "ante_play"), (PRIME, "ante_play"), (SAIGON, "ante")]
)
def test_a_full_table_strays_as_far_as_the_bound_allows_and_hardly_less(chapter, wager) -> None:
    rules = choose(chapter)
    seats = 6
    plan = plan_of(rules, players=seats, wagers={"ante": STAKE}, covariance=True)
    tally = run(plan, ROUNDS, workers=Threads(1))
    places = range(seats)
    played = sum(covariance(tally, one, other) for one in places for other in places) / STAKE**2
    (entry,) = entries_of(Asked(rules.chapter, rules), wager)
    alone = seats * entry.spread.variance
    whole = alone + seats * (seats - 1) * MATHS.of(rules.chapter).seat_covariance(rules, entry)
    # the variance of this many rounds is off by a percent or two; seats by themselves are far off
    assert alone * 3 / 2 < played < whole * 103 / 100
    assert whole < played * 110 / 100
