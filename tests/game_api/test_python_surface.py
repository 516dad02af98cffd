"""`import houseway`: every form in which a person would write a round, and what is wrong with one."""

from __future__ import annotations

import json
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest

import houseway

EXAMPLE = Path(__file__).parents[2] / "examples" / "md-three-card-poker.json"
SEAT = {"wagers": {"ante": "10.00"}, "decision": "play"}


def test_a_round_is_settled_as_text_as_bytes_and_as_json_loads_it() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    settled = houseway.settle(json.loads(text))
    assert settled == houseway.settle(text) == houseway.settle(text.encode())
    assert settled == houseway.settle(houseway.read_round(text))


@pytest.mark.parametrize("form", [str, str.split, houseway.cards, lambda text: iter(text.split())])
def test_cards_are_given_in_any_form(form) -> None:
    rules = houseway.choose("md-three-card-poker")
    plain = houseway.deal(rules, dealer="Qh 7d 2c", seats={3: SEAT | {"cards": "As Ks Qs"}})
    other = houseway.deal(
        rules, dealer=form("Qh 7d 2c"), seats={3: SEAT | {"cards": form("As Ks Qs")}}
    )
    assert houseway.settle(plain) == houseway.settle(other)


def test_json_takes_cards_in_the_forms_that_deal_takes() -> None:
    listed = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    written = {
        **listed,
        "dealer": " ".join(listed["dealer"]),
        "community": " ".join(listed["community"]),
        "seats": [{**seat, "cards": " ".join(seat["cards"])} for seat in listed["seats"]],
    }
    assert houseway.settle(written) == houseway.settle(listed)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"chapter": "md-three-card-poker"}, "dealer"),
        ({"chapter": "md-three-card-poker", "dealer": ["Qh"], "seats": [{"seat": object()}]}, "JSON"),
        ({}, "chapter"),
        ("{", "JSON"),
    ],
)  # fmt: skip
def test_what_is_not_a_round_is_refused(wrong, says) -> None:
    with pytest.raises(houseway.Refused, match=says):
        houseway.settle(wrong)


def test_a_seat_that_is_not_there_is_named_with_those_that_are() -> None:
    settled = houseway.settle(EXAMPLE.read_text(encoding="utf-8"))
    with pytest.raises(houseway.Refused, match="no seat 2 in this round; it has 1, 3, 6"):
        settled.seat(2)


def test_mathematics_strategy_and_simulation_are_at_the_top() -> None:
    sheet = houseway.par("md-three-card-poker")
    assert str(sheet.find("pair_plus", "A").house_edge) == "253/5525"  # 12.D(1)
    with pytest.raises(houseway.Refused, match="no pair_plus Z; it has ante_play A"):
        sheet.find("pair_plus", "Z")
    assert houseway.strategy("md-three-card-poker").wager == "ante_play"
    run = houseway.simulate("md-three-card-poker", rounds=10_000, wagers={"ante": "10.00"}, seed=7)
    assert (run["rounds"], run["seed"]) == (10_000, "7")
    assert houseway.simulate("md-three-card-poker", 1_000)["rounds"] == 1_000
    # the packages that can be called keep their modules
    assert import_module("houseway.simulate.plan") is houseway.simulate.plan
    assert import_module("houseway.cards") is houseway.cards
    assert [str(card) for card in houseway.cards("As Kd")] == ["As", "Kd"]


def test_the_version_is_that_of_the_package() -> None:
    assert houseway.__version__ == version("houseway")
    assert set(houseway.__all__) <= set(dir(houseway))
