"""The hold over many rounds: exact intervals beside sums that are convolved one round at a time."""

from fractions import Fraction
from math import sqrt

import pytest
import second_hold

from houseway.law import MD
from houseway.maths import confidence
from houseway.maths.confidence import intervals
from houseway.maths.figures import Spread
from houseway.maths.par import par
from houseway.maths.volatility import volatility


def convolved(spread, rounds):
    """The sum of a number of rounds, one at a time, in whole numbers of deals."""
    sums = {Fraction(0): 1}
    for _ in range(rounds):
        after = {}
        for so_far, ways in sums.items():
            for net, more in spread.ways.items():
                after[so_far + net] = after.get(so_far + net, 0) + ways * more
        sums = after
    total = spread.total**rounds
    return {net: Fraction(ways, total) for net, ways in sorted(sums.items()) if ways}


def quantile(chances, share):
    below = Fraction(0)
    for net, chance in chances.items():
        below += chance
        if below >= share:
            return net
    raise AssertionError


#: even and uneven lattices, and a rare award that must be counted by itself
SPREADS = {
    "pair plus": par(MD).find("pair_plus", "A").spread,
    "ante and play": par(MD).find("ante_play", "A").spread,
    "halves": Spread({Fraction(-1): 5, Fraction(1, 2): 3, Fraction(3, 2): 2}, 10),
    "a rare award": Spread(
        {Fraction(-1): 999_000, Fraction(2): 990, Fraction(123_456_789, 7): 10}, 1_000_000
    ),
}


@pytest.fixture
def no_cache(monkeypatch):
    monkeypatch.setenv("HOUSEWAY_CACHE", "off")


@pytest.mark.usefixtures("no_cache")
@pytest.mark.parametrize("name", SPREADS)
def test_intervals_are_those_of_the_convolved_sum(name):
    spread, rounds = SPREADS[name], 40
    exact = convolved(spread, rounds)
    found = intervals(spread, (rounds,))
    assert [one.confidence for one in found] == ["90%", "95%", "99%"]
    for one, level in zip(
        found, (Fraction(90, 100), Fraction(95, 100), Fraction(99, 100)), strict=True
    ):
        low, high = (quantile(exact, share) for share in ((1 - level) / 2, (1 + level) / 2))
        assert float(one.hold_low_percent) == pytest.approx(float(-high / rounds * 100), abs=6e-5)
        assert float(one.hold_high_percent) == pytest.approx(float(-low / rounds * 100), abs=6e-5)
        inside = sum(chance for net, chance in exact.items() if low <= net <= high)
        assert abs(float(one.covers) - float(inside)) <= 1e-9
        assert float(one.covers) >= float(level) - 1e-9
        ahead = sum(chance for net, chance in exact.items() if net > 0)
        assert abs(float(one.house_behind) - float(ahead)) <= 1e-9


@pytest.mark.usefixtures("no_cache")
def test_over_many_rounds_the_normal_curve_takes_over():
    spread = SPREADS["pair plus"]
    for one in intervals(spread, (1_000_000,)):
        half = float(one.hold_high_percent) - float(one.normal_high_percent)
        assert abs(half) < 0.005
    (first, *_) = intervals(spread, (1_000,))
    assert float(first.hold_high_percent) < float(first.normal_high_percent) - 0.5


@pytest.mark.usefixtures("no_cache")
def test_a_million_dollar_award_is_counted_by_itself():
    spread = par(MD).find("six_card_bonus", "A", stake="1.00").spread
    _, one, _ = intervals(spread, (10_000,))
    # less than one run in forty has any six-card royal: the middle of 95 in 100 knows none of it
    assert -10 < float(one.hold_low_percent) < float(one.hold_high_percent) < 40
    assert float(one.normal_low_percent) < -400
    assert abs(float(one.covers) - 0.95) < 0.001


#: lattices on which frequencies far from zero matter, and awards of which many or few come
ODD = {
    "an award off the lattice": {Fraction(-1): 599_990, Fraction(1): 400_000, Fraction(1, 2): 10},
    "cents": {Fraction(-1): 59_999, Fraction(1): 40_000, Fraction(12_345, 100): 1},
    "two far awards": {
        Fraction(-1): 5_999_000, Fraction(1): 4_000_000, Fraction(40_000): 990, Fraction(10**6): 10
    },
    "hardly ever lost": {Fraction(-100): 1, Fraction(1): 99},
}  # fmt: skip


@pytest.mark.usefixtures("no_cache")
@pytest.mark.parametrize("name", ODD)
def test_intervals_are_those_of_distributions_convolved(name):
    spread = Spread(ODD[name], sum(ODD[name].values()))
    hold = intervals(spread, (1, 3, 2_500, 70_000))
    assert len(hold) == 12
    assert second_hold.agrees(dict(spread.distribution), hold)


@pytest.mark.usefixtures("no_cache")
def test_bounds_are_right_to_the_last_digit():
    """Each sum is a whole number of halves, so that a bound is exactly what it says."""
    spread = SPREADS["halves"]
    for one in intervals(spread, (3, 16, 1_000)):
        for bound in (one.hold_low_percent, one.hold_high_percent):
            sums = Fraction(bound) * one.rounds / 100 * 2
            nearest = Fraction(round(sums), 2) / one.rounds * 100
            assert abs(nearest - Fraction(bound)) <= Fraction(1, 20_000)


@pytest.mark.usefixtures("no_cache")
def test_a_hundred_million_rounds():
    one = intervals(SPREADS["ante and play"], (100_000_000,))[1]
    assert float(one.hold_low_percent) == pytest.approx(float(one.normal_low_percent), abs=2e-4)
    assert abs(float(one.covers) - 0.95) < 1e-4


def test_intervals_are_kept_and_read_back(tmp_path, monkeypatch):
    monkeypatch.setenv("HOUSEWAY_CACHE", str(tmp_path))
    made = intervals(SPREADS["halves"], (50,))
    assert len(list(tmp_path.iterdir())) == 1
    monkeypatch.setattr(confidence, "_made", None)
    assert intervals(SPREADS["halves"], (50,)) == made


def test_a_wager_that_cannot_vary_has_no_interval():
    never = Spread({Fraction(0): 7}, 7)
    assert intervals(never) == []
    assert volatility(never, (), 7).skewness == "0.0000"


@pytest.mark.parametrize("name", SPREADS)
def test_moments_added_up_plainly(name):
    spread = SPREADS[name]
    values = [(float(net), ways / spread.total) for net, ways in spread.ways.items()]
    mean = sum(net * p for net, p in values)
    second, third, fourth = (
        sum((net - mean) ** power * p for net, p in values) for power in (2, 3, 4)
    )
    out = volatility(spread, (), spread.total)
    assert float(out.skewness) == pytest.approx(third / second**1.5, rel=1e-3, abs=1e-4)
    assert float(out.excess_kurtosis) == pytest.approx(fourth / second**2 - 3, rel=1e-3, abs=1e-3)
    assert float(out.index["90%"]) == pytest.approx(1.644854 * sqrt(second), rel=1e-4)
    assert Fraction(out.maximum_payout) == max(spread.ways)
