"""Amounts and odds."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.errors import Refused
from houseway.money import cents, dollars, odds, spoken


@given(st.integers(0, 10**14 - 1))
def test_an_amount_survives_being_written(amount: int) -> None:
    assert cents(dollars(amount)) == amount


def test_amounts_read_and_shown() -> None:
    assert cents("12.50") == 1250
    assert cents("7") == 700
    assert dollars(-5) == "-0.05"
    assert dollars(0) == "0.00"
    assert spoken(123_456_700) == "$1,234,567"
    assert spoken(50) == "$0.50"


@pytest.mark.parametrize(
    "text", ["", "1.5", "1.234", "-1.00", "+1.00", "1,000.00", "$5", "1e3", " 1.00", "1.00 ", "１.00", 1.5, 5, None]
)  # fmt: skip
def test_what_is_not_an_amount_is_refused(text: object) -> None:
    with pytest.raises(Refused) as refused:
        cents(text)  # type: ignore[arg-type]
    assert refused.value.code == "not_an_amount"


def test_to_is_beside_the_stake_and_for_includes_it() -> None:
    assert odds("35 to 1").beside(500) == 17_500
    assert odds("3 to 2").beside(1000) == 1500
    assert odds("1 to 2").beside(1000) == 500
    assert odds("500 for 1").beside(100) == 49_900
    assert odds("$100000").beside(100) == odds("$100000").beside(2500) == 10_000_000
    assert odds("1,000 to 1") == odds("1000 to 1")


def test_a_share_names_its_meter() -> None:
    whole, tenth = odds("100% of major"), odds("10% of meter")
    assert (whole.kind, whole.value, whole.meter) == ("meter", 1, "major")
    assert (tenth.kind, tenth.value, tenth.meter) == ("meter", Fraction(1, 10), "meter")


def test_what_cannot_be_paid_to_the_cent_is_said() -> None:
    with pytest.raises(Refused) as refused:
        odds("3 to 2").beside(25)
    assert refused.value.code == "not_payable"


@pytest.mark.parametrize(
    "text", ["", "35", "35:1", "5 to 0", "0 for 1", "2 for 3", "0% of meter", "101% of meter", "-5 to 1", "1.5 to 1", "$", "$1.2"]
)  # fmt: skip
def test_what_is_not_a_payout_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        odds(text)
    assert refused.value.code == "not_odds"


@given(st.integers(1, 10_000), st.integers(1, 50), st.integers(1, 50))
def test_odds_are_exact(stake: int, top: int, bottom: int) -> None:
    assert odds(f"{top} to {bottom}").exactly(stake) == Fraction(stake * top, bottom)


@pytest.mark.parametrize("given", [["1.00"], {"min": "1.00"}, 1.5, None])
def test_what_is_no_text_is_refused_like_any_other(given: object) -> None:
    with pytest.raises(Refused, match="not an amount"):
        cents(given)  # type: ignore[arg-type]
    with pytest.raises(Refused, match="not a payout"):
        odds(given)  # type: ignore[arg-type]


def test_odds_longer_than_any_table_are_refused() -> None:
    with pytest.raises(Refused, match="not a payout"):
        odds("9" * 5000 + " to 1")
