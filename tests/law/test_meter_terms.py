"""Rates, reserves, seeds and resets in a rules file."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.errors import Refused
from houseway.law import MD, MeterTerms, choose, cites, parse_rules
from houseway.law.meter_terms import percent, read_rate

TIERS = ("mega", "major", "minor")
NAME = "five_card_progressive"


def written(millionths: int) -> str:
    """A rate as a person writes it, from millionths of a percent."""
    return f"{millionths // 10**6}.{millionths % 10**6:06d}%"


def tiered(parts: list[tuple[int, int]], whole: str | None):
    meters = {
        f"{NAME}.{tier}": {"rate": written(rate), "reserve": written(reserve)}
        for tier, (rate, reserve) in zip(TIERS, parts, strict=True)
    }
    if whole is not None:
        meters[NAME] = {"whole": whole}
    return choose(MD, {NAME: "C"}, meters=meters)


@cites(MD, "12.E(3)", "12.G(3)")
@given(st.lists(st.integers(0, 10**8), min_size=6, max_size=6).map(sorted))
def test_tiers_and_reserves_come_to_the_whole_rate_exactly(cuts) -> None:
    six = [after - before for before, after in pairwise([0, *cuts])]
    parts = list(zip(six[::2], six[1::2], strict=True))
    rules = tiered(parts, written(cuts[-1]))
    assert sum((rules.meter(name).takes for name in rules.meter_names), Fraction(0)) == Fraction(
        cuts[-1], 10**8
    )
    # what is written out is read back the same
    again = choose(MD, {NAME: "C"}, meters=rules.as_file()["meters"])
    assert (again.meters, again.whole_rates) == (rules.meters, rules.whole_rates)
    assert again.hash == rules.hash
    for other in (cuts[-1] + 1, cuts[-1] - 1):
        if 0 <= other <= 10**8:
            with pytest.raises(Refused) as refused:
                tiered(parts, written(other))
            assert (refused.value.code, refused.value.field) == (
                "rates_do_not_add_up", f"meters.{NAME}",
            )  # fmt: skip


@given(st.integers(0, 10**11))
def test_a_rate_is_written_as_it_is_read(millionths_of_thousandths) -> None:
    rate = Fraction(millionths_of_thousandths, 10**11)
    assert read_rate(percent(rate)) == rate


@pytest.mark.parametrize(
    ("meters", "code"),
    [
        ({NAME: {"rate": "5%"}}, "not_a_meter"),
        ({f"{NAME}.mega": {"whole": "5%"}}, "not_a_meter"),
        ({f"{NAME}.mega": {"hidden": "5%"}}, "not_a_meter"),
        ({f"{NAME}.mega": "5%"}, "not_a_meter"),
        ({f"{NAME}.mega": {"reserve": "-1%"}}, "not_a_rate"),
        ({f"{NAME}.mega": {"reserve": "1"}}, "not_a_rate"),
        ({f"{NAME}.mega": {"reserve": 1}}, "not_a_rate"),
        ({f"{NAME}.mega": {"rate": "60%", "reserve": "41%"}}, "not_a_rate"),
        ({f"{NAME}.nano": {"reserve": "1%"}}, "no_such_meter"),
        ({"ante": {"whole": "1%"}}, "no_such_meter"),
        ({NAME: {"whole": "101%"}}, "not_a_rate"),
    ],
)
def test_what_is_no_term_of_a_meter_is_refused_with_its_place(meters, code) -> None:
    with pytest.raises(Refused) as refused:
        choose(MD, {NAME: "C"}, meters=meters)
    assert refused.value.code == code
    assert str(refused.value.field).startswith("meters.")


def test_one_meter_has_its_whole_rate_beside_its_reserve() -> None:
    terms = {"rate": "14%", "reserve": "1%", "whole": "15%"}
    rules = choose(MD, {"progressive": "A"}, meters={"progressive": terms})
    assert rules.meter("progressive") == MeterTerms(Fraction(14, 100), reserve=Fraction(1, 100))
    with pytest.raises(Refused, match="take 15%"):
        choose(MD, {"progressive": "A"}, meters={"progressive": {**terms, "whole": "14%"}})


MAJOR = {"rate": "10%", "seed": "5000.00", "reset": "2000.00"}
MINOR = {"rate": "3.5%", "seed": "1000.00", "reset": "1000.00"}
QUOTED = {
    "progressive": {"whole": "13.5%"},
    "progressive.major": MAJOR,
    "progressive.minor": MINOR,
}


@cites(MD, "12.E(3)")
@pytest.mark.parametrize(
    "meters",
    [
        {"progressive": {"whole": "13.5%", "major": MAJOR, "minor": MINOR}},
        {"progressive": {"whole": "13.5%", "major": MAJOR}, "progressive.minor": MINOR},
        {
            "progressive": {"whole": "13.5%", "major": {"rate": "10%"}, "minor": MINOR},
            "progressive.major": {"seed": "5000.00", "reset": "2000.00"},
        },
    ],
)
def test_a_tier_stands_inside_its_wager_or_under_its_full_name(meters) -> None:
    rules, other = (choose(MD, {"progressive": "C"}, meters=given) for given in (QUOTED, meters))
    assert (other.meters, other.whole_rates) == (rules.meters, rules.whole_rates)
    assert other.hash == rules.hash
    among = choose(MD, {"progressive": "C", "meters": meters})
    assert among.hash == rules.hash
    file = json.dumps({"chapter": MD, "rules": {"progressive": "C"}, "meters": meters})
    assert parse_rules(file, "x.json").hash == rules.hash


def test_a_term_that_is_written_both_ways_is_refused() -> None:
    meters = {"progressive": {"major": MAJOR}, "progressive.major": {"rate": "11%"}}
    with pytest.raises(Refused) as refused:
        choose(MD, {"progressive": "C"}, meters=meters)
    assert (refused.value.code, refused.value.field) == ("given_twice", "meters.progressive.major")
