"""The battery accuses the guilty and leaves the others in peace; its statistics are what they claim."""

from __future__ import annotations

from math import comb, erfc, exp, sqrt
from random import Random

import numpy as np
import pytest

from houseway.errors import Refused
from houseway.simulate.rng_tests import battery
from houseway.simulate.rng_tests.sources import FAULTY, subject
from houseway.simulate.rng_tests.statistics import (
    chi_square,
    gamma_above,
    holm,
    kolmogorov_smirnov,
    poisson,
)
from houseway.simulate.rng_tests.verdict import LEAST_SHUFFLES, LEAST_WORDS, try_source

SMALL = {"shuffles": LEAST_SHUFFLES, "words": LEAST_WORDS, "draws": 100_000}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["seeded", "simulation"])
def test_a_fair_source_passes(name):
    """Seeds are fixed: a fair source fails one trial in a hundred, but always the same ones."""
    trial = try_source(subject(name, "fair"), **SMALL)
    assert trial.passed
    assert {one.finding.of for one in trial.judged} == {"shuffles", "deals", "raw", "draws"}


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTY)
def test_a_faulty_source_is_caught(name):
    trial = try_source(subject(name, "faulty"), **SMALL)
    assert not trial.passed
    caught = {
        (one.finding.of, one.finding.test)
        for one in trial.judged
        if one.rejected or one.parts_rejected
    }
    where = {
        "swap-with-any": ("shuffles", "position frequency"),
        "modulo": ("draws", "below 53"),
        "short-period": ("raw", "overlapping tuples"),
    }
    assert where[name] in caught


def test_too_small_a_sample_is_refused():
    with pytest.raises(Refused):
        try_source(subject("simulation", "1"), shuffles=100)
    with pytest.raises(Refused):
        subject("nobody", "1")


@pytest.mark.slow
@pytest.mark.parametrize(
    "test", [*battery.SHUFFLES, *battery.RAW], ids=lambda t: f"{t.of} {t.name}"
)
def test_p_values_of_a_fair_source_are_spread_evenly(test):
    """Forty samples from another generator altogether: Kolmogorov and Smirnov find nothing odd."""
    source = np.random.default_rng(5)
    found = []
    for _ in range(40):
        if test.of in ("shuffles", "deals"):
            decks = np.tile(np.arange(52, dtype=np.uint8), (4000, 1))
            found.append(test.measure(source.permuted(decks, axis=1)))
        else:
            words = source.integers(0, 1 << 64, 1 << 16, dtype=np.uint64)
            found.append(test.measure(words))
    assert kolmogorov_smirnov(found) > 0.0005


@pytest.mark.parametrize("value", [0.1, 1.0, 5.0, 40.0])
def test_chi_square_where_it_has_a_formula(value):
    # with two counts free it is exponential; with one it is a squared normal value
    assert gamma_above(1, value / 2) == pytest.approx(exp(-value / 2), rel=1e-12)
    assert gamma_above(0.5, value / 2) == pytest.approx(erfc(sqrt(value / 2)), rel=1e-10)
    # with 2k free it is a sum of Poisson terms
    terms = sum((value / 2) ** j / np.prod(range(1, j + 1)) for j in range(10))
    assert gamma_above(10, value / 2) == pytest.approx(exp(-value / 2) * terms, rel=1e-10)


def test_even_counts_are_no_surprise_and_uneven_ones_are():
    assert chi_square(np.full(10, 100), 100.0) == 1.0
    assert chi_square(np.array([500, 0]), 250.0) < 1e-50


def test_kolmogorov_smirnov_of_one_value():
    # for one value the largest gap is max(u, 1 - u), so its tail is 2 (1 - d)
    for u in (0.6, 0.75, 0.99):
        assert kolmogorov_smirnov([u]) == pytest.approx(2 * (1 - u), abs=1e-12)


def test_kolmogorov_smirnov_is_uniform_for_uniform_values():
    random = Random(3)
    found = [kolmogorov_smirnov([random.random() for _ in range(20)]) for _ in range(400)]
    assert abs(np.mean(found) - 0.5) < 4 * sqrt(1 / 12 / 400)
    assert abs(np.mean(np.array(found) < 0.05) - 0.05) < 4 * sqrt(0.05 * 0.95 / 400)


def test_poisson_is_its_sum():
    for count in (0, 3, 9):
        terms = [exp(-4.0) * 4.0**k / np.prod(range(1, k + 1)) for k in range(count + 1)]
        assert poisson(count, 4.0) == pytest.approx(sum(terms) - terms[-1] / 2, rel=1e-9)


def test_holm_steps_down():
    assert holm([0.001, 0.5, 0.004], 0.01) == [True, False, True]
    # 0.004 alone would do against 0.01 / 2, but the first already fails against 0.01 / 3
    assert holm([0.004, 0.5, 0.6], 0.01) == [False, False, False]


def test_coupon_chances_are_those_of_the_classical_formula():
    kinds = 5
    chances = battery._coupon_chances(kinds)

    def all_by(length: int) -> float:
        return sum(
            (-1) ** j * comb(kinds, j) * ((kinds - j) / kinds) ** length for j in range(kinds)
        )

    for length in range(kinds, kinds + 20):
        exact = all_by(length) - all_by(length - 1)
        assert chances[length - kinds] == pytest.approx(exact, abs=1e-12)
    assert sum(chances) == pytest.approx(1)
