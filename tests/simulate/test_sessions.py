"""Sessions and days, each followed a second time by hand."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from houseway.errors import Refused
from houseway.law import DOWN_UNDER, MD, choose
from houseway.simulate.kernels.random_streams import start
from houseway.simulate.plan import plan_of
from houseway.simulate.prepared import playing
from houseway.simulate.results.tally import Tally
from houseway.simulate.runner import Threads
from houseway.simulate.scenarios.floor_day import Group, band, band_error, play_days
from houseway.simulate.scenarios.sessions import (
    STAKE_PLANS,
    follow,
    play_sessions,
    session_block,
)


def plain_session(nets: list[int], bankroll: int, need: int, stake_plan: str) -> list[int]:
    """Net, deepest fall, rounds played, ruined: one session at a time, in plain steps."""

    def proportional(money: int) -> int:
        return max(1, money // (100 * need))

    money, peak, fall, played = bankroll, bankroll, 0, 0
    times = proportional(bankroll) if stake_plan == "proportional" else 1
    for net in nets:
        if money < need:
            break
        money += net * times
        played += 1
        peak = max(peak, money)
        fall = max(fall, peak - money)
        if stake_plan == "proportional":
            times = proportional(money)
        elif net and stake_plan in ("martingale", "paroli"):
            goes_on = net < 0 if stake_plan == "martingale" else net > 0
            most = 256 if stake_plan == "martingale" else 8
            times = min(times * 2, most) if goes_on and times < most else 1
        times = max(1, min(times, money // need))
    return [money - bankroll, fall, played, int(money < need)]


@pytest.mark.parametrize("stake_plan", STAKE_PLANS)
@pytest.mark.parametrize(("chunk", "bankroll"), [(1, 50), (7, 4000), (100, 50), (1000, 9000)])
def test_sessions_are_followed_round_by_round(stake_plan, chunk, bankroll):
    random = Random(stake_plan)
    rounds, sessions, need = 50, 20, 10
    nets = [random.choice([-20, -10, -10, 0, 10, 10, 15]) for _ in range(rounds * sessions)]
    expected = [
        plain_session(nets[n * rounds : (n + 1) * rounds], bankroll, need, stake_plan)
        for n in range(sessions)
    ]
    results = np.zeros((sessions, 4), np.int64)
    times = max(1, bankroll // (100 * need)) if stake_plan == "proportional" else 1
    now = np.array([0, 0, 0, 0, 0, 0, 0, times])
    code = STAKE_PLANS.index(stake_plan)
    most = {"martingale": 256, "paroli": 8}.get(stake_plan, 1)
    for begin in range(0, len(nets), chunk):
        part = np.array(nets[begin : begin + chunk])
        follow(part, rounds, bankroll, need, code, most, now, results)
    assert results.tolist() == expected
    assert any(row[3] for row in expected) == (bankroll == 50) or stake_plan == "martingale"


@pytest.mark.parametrize(
    ("stake_plan", "net", "most"), [("paroli", 10, 8), ("martingale", -10, 256)]
)
@pytest.mark.parametrize("bankroll", [*range(10, 200, 7), 100_000])
def test_no_stake_plan_wagers_more_than_it_says(stake_plan, net, most, bankroll):
    """However small the bankroll is with which doubling begins."""
    results, before = np.zeros((1, 4), np.int64), 0
    for rounds in range(1, 40):
        now = np.array([0, 0, 0, 0, 0, 0, 0, 1])
        code = STAKE_PLANS.index(stake_plan)
        follow(np.full(rounds, net), rounds, bankroll, 10, code, most, now, results)
        assert abs(results[0, 0] - before) <= most * abs(net)
        before = results[0, 0]


@pytest.mark.slow
def test_sessions_play_the_rounds_of_the_game():
    plan = plan_of(choose(MD), players=2)
    found = session_block(plan.encode(), 0, 5, 30, 60_000, 0)
    game = playing(plan.encode(), round_by_round=True)
    nets = np.zeros((150, 2), np.int64)
    game.new_table().rounds(150, start("1 sessions", 0), game.empty(), nets)
    mine = nets[:, 0].tolist()
    expected = [
        plain_session(mine[30 * n : 30 * n + 30], 60_000, game.family.needed(game), "flat")
        for n in range(5)
    ]
    assert found.tolist() == expected


def test_sessions_do_not_depend_on_cores():
    plan = plan_of(choose(DOWN_UNDER))
    one, two = (
        play_sessions(plan, sessions=1500, rounds=20, bankroll=20_000, workers=Threads(cores))
        for cores in (1, 2)
    )
    assert (one.rows == two.rows).all()
    assert len(one.rows) == 1500
    share, low, high = one.ahead
    assert low <= share <= high
    assert share == float((one.rows[:, 0] > 0).mean())
    assert one.quantiles(0, (0.0, 0.5))[0] == one.rows[:, 0].min()


@pytest.mark.parametrize(
    ("options", "given", "field"),
    [
        ({}, {"bankroll": 100}, "bankroll"),
        ({}, {"stake_plan": "labouchere"}, "stake_plan"),
        ({"progressive": "A"}, {"stake_plan": "martingale"}, "stake_plan"),
        ({"six_card_bonus": "A"}, {"stake_plan": "paroli"}, "stake_plan"),
        ({}, {"sessions": 0}, "sessions"),
    ],
)
def test_a_session_that_cannot_be_played_is_refused(options, given, field):
    plan = plan_of(choose(MD, options))
    asked = {"sessions": 10, "rounds": 10, "bankroll": 100_000} | given
    with pytest.raises(Refused) as refusal:
        play_sessions(plan, **asked)
    assert refusal.value.field == field


def test_a_day_is_what_the_house_keeps_and_the_meters_pay():
    """Ante, play and bonuses are the house's; what a meter pays is not (`Settlement.house`)."""
    rules = choose(MD, {"progressive": "C"})
    plan = plan_of(rules, players=7, wagers={"ante": 1000, "progressive": 100})
    found = play_days(Group("", plan, 2, 300), 4, Threads(2))
    assert found.wins.shape == (4, 2)
    game = playing(plan.encode(), round_by_round=True)
    stream = start("1 days", 0)
    expected, wagered = [], 0
    for _ in range(8):
        counts, nets = game.empty(), np.zeros((300, 7), np.int64)
        game.new_table().rounds(300, stream, counts, nets)
        paid = sum(
            plan.meters[rules.meter_names[meter]]
            for _, meter, share, _ in counts.events[1 : 1 + counts.events[0, 0]].tolist()
        )
        expected.append(int(paid - nets.sum()))
        wagered += 300 * 7 * 1100  # and a play wager for every hand that was played
        played = counts.codes[:, 0].reshape(7, 8, 6)[:, :, 2:].sum()
        wagered += int(played) * 1000
    assert found.wins.ravel().tolist() == expected
    assert found.wagered == wagered
    low, high = band(found.wins.sum(axis=1))
    assert low == found.wins.sum(axis=1).min()
    assert high == found.wins.sum(axis=1).max()
    assert Tally.none(game).rounds == 0


def test_the_ends_of_a_band_lie_where_the_binomial_says():
    """Of 10,000 days, 50 on average lie below the 0.5% quantile: fewer than 33 with a chance of at
    most 0.5%, and 70 or more as seldom. So it lies between the 33rd day and the 70th.
    """
    wins = np.arange(10_000)[::-1].copy()
    (low_from, low_to), (high_from, high_to) = band_error(wins)
    assert (low_from, low_to) == (32, 69)
    assert (high_from, high_to) == (9_930, 9_967)
    assert band(wins) == (50, 9_950)


def test_too_few_days_say_nothing_about_the_worst():
    """The worst of 20 days is below the 0.5% quantile with a chance of 1 - 0.995**20, 9.5%."""
    (low_from, low_to), (high_from, high_to) = band_error(np.arange(20))
    assert (low_from, high_to) == (None, None)
    # two days of 20 lie below the quantile with a chance of 0.45%, so it is below the second day
    assert (low_to, high_from) == (1, 18)
