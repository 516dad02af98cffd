"""Exact cents as dollars."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.money import exactly


@given(st.integers(-(10**14), 10**14), st.integers(0, 9))
def test_every_decimal_is_written(number: int, places: int) -> None:
    amount = Fraction(number, 10**places)
    shown = exactly(amount)
    assert Fraction(shown) * 100 == amount
    assert len(shown.partition(".")[2]) >= 2
    # none that is not needed
    assert len(shown.partition(".")[2]) == 2 or not shown.endswith("0")


@pytest.mark.parametrize(
    ("amount", "shown"),
    [
        (Fraction(100, 3), "0.33 and 1/3 of a cent"),
        (Fraction(-100, 3), "-0.33 and 1/3 of a cent"),
        (Fraction(0), "0.00"),
        (Fraction(-1, 2), "-0.005"),
        (Fraction(123_456), "1234.56"),
    ],
)
def test_a_fraction_that_has_no_end_is_said_in_words(amount: Fraction, shown: str) -> None:
    assert exactly(amount) == shown
