"""A progressive meter by itself."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from houseway.law import MA, MD, MeterTerms, cites
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
    meter = Meter(Fraction(100_000), 100_000).grown(100, MeterTerms(Fraction(1, 7)))
    assert meter.holds == 100_000 + Fraction(100, 7)
    assert meter.shows == 100_014
    paid, after = meter.paid(Fraction(1))
    assert paid == 100_014
    assert after.holds == 100_000 + Fraction(2, 7)


@given(amounts, amounts, st.integers(1, 10**6), shares, shares)
def test_a_void_round_takes_its_share_out_again(
    holds: Fraction, hidden: Fraction, stake: int, rate: Fraction, reserve: Fraction
) -> None:
    meter = Meter(holds, 100_000, hidden)
    terms = MeterTerms(rate, reserve=reserve)
    assert meter.grown(stake, terms).grown(-stake, terms) == meter


@cites(MA, "13(d)(c)")
@given(amounts, amounts, shares, st.integers(1, 9))
def test_winners_who_share_get_the_same_and_what_does_not_divide_stays(
    holds: Fraction, hidden: Fraction, share: Fraction, winners: int
) -> None:
    each, after = Meter(holds, 100_000, hidden).paid(share, winners)
    assert each * winners <= int(holds) * share < (each + 1) * winners
    begun = 100_000 + hidden if share == 1 else 0
    assert after.holds == holds - each * winners + begun
    assert after.reserve == (0 if share == 1 else hidden)
