"""A meter that many tables feed, as pure arithmetic."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from houseway.law import MeterTerms
from houseway.meters import Ledger, Meter

RATES = st.fractions(0, 1, max_denominator=999)
STAKES = st.lists(st.integers(1, 50_000), max_size=30)


@given(RATES, RATES, STAKES, st.integers(100_000, 10**9))
def test_the_sum_of_the_wagers_is_the_meter_that_grew_wager_by_wager(
    rate, hidden, stakes, seed
) -> None:
    terms = MeterTerms(rate, seed, 100_000, hidden)
    meter = Meter(Fraction(seed), 100_000)
    for stake in stakes:
        meter = meter.grown(stake, terms)
    assert Ledger(seed).meter(terms, sum(stakes)) == meter


@given(RATES, RATES, STAKES, STAKES, st.integers(1, 100))
def test_a_whole_win_pays_what_was_shown_and_releases_the_reserve(
    rate, reserve, before, after, hundredths
) -> None:
    """A plain twin: every cent and fraction is moved by hand."""
    terms = MeterTerms(rate, 250_000, 100_000, reserve)
    shown, hidden = Fraction(terms.seed), Fraction(0)
    ledger = Ledger(terms.seed)
    for stake in before:
        shown, hidden = shown + stake * rate, hidden + stake * reserve
    share = Fraction(hundredths, 100)
    amount, meter = ledger.meter(terms, sum(before)).paid(share)
    assert amount == int(int(shown) * share)
    whole = share == 1
    released = ledger.reserve(terms, sum(before))
    assert released == hidden
    ledger = ledger.hit(terms, amount, whole=whole, released=released)
    shown -= amount
    if whole:
        shown, hidden = shown + terms.reset + hidden, Fraction(0)
    assert (meter.holds, meter.reserve) == (shown, hidden)
    for stake in after:
        shown, hidden = shown + stake * rate, hidden + stake * reserve
    wagered = sum(before) + sum(after)
    assert ledger.holds(terms, wagered) == shown
    assert ledger.reserve(terms, wagered) == hidden
    assert ledger.meter(terms, wagered).shows == int(shown)


@given(st.fractions(-500, 500, max_denominator=99), RATES, RATES)
def test_what_leaves_one_meter_is_what_another_gets(amount, held, hidden) -> None:
    terms = MeterTerms(Fraction(1, 7), 100_000, 100_000, Fraction(1, 50))
    one, other = Ledger(100_000).adjust(amount), Ledger(200_000)
    together = one.holds(terms, 700) + other.holds(terms, 50)
    reserves = one.reserve(terms, 700) + other.reserve(terms, 50)
    one, other = one.move(-held, -hidden), other.move(held, hidden)
    assert one.holds(terms, 700) + other.holds(terms, 50) == together
    assert one.reserve(terms, 700) + other.reserve(terms, 50) == reserves
