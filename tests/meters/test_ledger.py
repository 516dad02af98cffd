"""A meter that many tables feed, as pure arithmetic."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.meters import Ledger, Meter, Terms, check_split
from houseway.refusal import Refused

RATES = st.fractions(0, 1, max_denominator=999)
STAKES = st.lists(st.integers(1, 50_000), max_size=30)


@given(RATES, STAKES, st.integers(100_000, 10**9))
def test_the_sum_of_the_wagers_is_the_meter_that_grew_wager_by_wager(rate, stakes, seed) -> None:
    meter = Meter(Fraction(seed), 100_000)
    for stake in stakes:
        meter = meter.grown(stake, rate)
    terms = Terms(rate, seed, 100_000)
    assert Ledger(seed).meter(terms, sum(stakes)) == meter


@given(RATES, RATES, STAKES, STAKES, st.integers(1, 100))
def test_a_whole_win_pays_what_was_shown_and_releases_the_reserve(
    rate, reserve, before, after, hundredths
) -> None:
    """A plain twin: every cent and fraction is moved by hand."""
    terms = Terms(rate, 250_000, 100_000, reserve)
    shown, hidden = Fraction(terms.seed), Fraction(0)
    ledger = Ledger(terms.seed)
    for stake in before:
        shown, hidden = shown + stake * rate, hidden + stake * reserve
    share = Fraction(hundredths, 100)
    amount, _ = ledger.meter(terms, sum(before)).paid(share)
    assert amount == int(int(shown) * share)
    whole = share == 1
    released = ledger.reserve(terms, sum(before))
    assert released == hidden
    ledger = ledger.hit(terms, amount, whole=whole, released=released)
    shown -= amount
    if whole:
        shown, hidden = shown + terms.reset + hidden, Fraction(0)
    for stake in after:
        shown, hidden = shown + stake * rate, hidden + stake * reserve
    wagered = sum(before) + sum(after)
    assert ledger.holds(terms, wagered) == shown
    assert ledger.reserve(terms, wagered) == hidden
    assert ledger.meter(terms, wagered).shows == int(shown)


@given(st.fractions(-500, 500, max_denominator=99), RATES, RATES)
def test_what_leaves_one_meter_is_what_another_gets(amount, held, hidden) -> None:
    terms = Terms(Fraction(1, 7), 100_000, 100_000, Fraction(1, 50))
    one, other = Ledger(100_000).adjust(amount), Ledger(200_000)
    together = one.holds(terms, 700) + other.holds(terms, 50)
    reserves = one.reserve(terms, 700) + other.reserve(terms, 50)
    one, other = one.move(-held, -hidden), other.move(held, hidden)
    assert one.holds(terms, 700) + other.holds(terms, 50) == together
    assert one.reserve(terms, 700) + other.reserve(terms, 50) == reserves


def test_tiers_and_reserves_take_the_whole_rate_and_no_more() -> None:
    third = Fraction(20, 300)
    tiers = {name: Terms(third - Fraction(1, 100), 1, 1, Fraction(1, 100)) for name in "abc"}
    check_split(Fraction(20, 100), tiers)
    for rate in (Fraction(20, 100) + Fraction(1, 10**12), Fraction(0)):
        with pytest.raises(Refused) as refused:
            check_split(rate, tiers)
        assert refused.value.code == "rates_do_not_add_up"
    with pytest.raises(Refused, match="more than the wager"):
        check_split(Fraction(3, 2), {"a": Terms(Fraction(3, 2), 1, 1)})
    with pytest.raises(Refused, match="not below nothing"):
        check_split(Fraction(0), {"a": Terms(Fraction(1), 1, 1, Fraction(-1))})
