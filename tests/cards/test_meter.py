"""A progressive meter by itself."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from houseway.law import MD, cites
from houseway.meters import Meter

amounts = st.fractions(min_value=0, max_value=10**9)
shares = st.integers(1, 100).map(lambda percent: Fraction(percent, 100))


@cites(MD, "12.E(4)")
@given(amounts, st.integers(0, 10**8), shares)
def test_nothing_is_lost_when_a_meter_pays(holds: Fraction, reset: int, share: Fraction) -> None:
    paid, after = Meter(holds, reset).paid(share)
    assert paid <= share * holds < paid + share + 1
    assert after.holds == holds - paid + (reset if share == 1 else 0)


def test_a_meter_shows_whole_cents_and_keeps_the_rest() -> None:
    meter = Meter(Fraction(100_000), 100_000).grown(100, Fraction(1, 7))
    assert meter.holds == 100_000 + Fraction(100, 7)
    assert meter.shows == 100_014
    paid, after = meter.paid(Fraction(1))
    assert paid == 100_014
    assert after.holds == 100_000 + Fraction(2, 7)


@given(amounts, st.integers(1, 10**6), shares)
def test_a_void_round_takes_its_share_out_again(
    holds: Fraction, stake: int, rate: Fraction
) -> None:
    meter = Meter(holds, 100_000)
    assert meter.grown(stake, rate).shrunk(stake, rate) == meter
