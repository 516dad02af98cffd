"""The Python API with arguments of any type: an answer, or a refusal in one sentence."""

from __future__ import annotations

import inspect
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import houseway
from houseway.cli import main
from houseway.errors import Refused

ROOT = Path(__file__).parents[2]
RULES = houseway.choose("md-three-card-poker")
SEAT = {"wagers": {"ante": "10.00"}, "cards": "As Ks Qs", "decision": "play"}
#: a call of each function that is accepted
CALLS: dict[str, dict[str, Any]] = {
    "card": {"text": "As"},
    "cards": {"text": "As Ks"},
    "cents": {"text": "10.00"},
    "chapter": {"id": "md-three-card-poker"},
    "choose": {"law": "md-three-card-poker"},
    "deal": {"rules": RULES, "dealer": "Qh 7d 2c", "seats": {3: SEAT}},
    "dollars": {"amount": 1000},
    "odds": {"text": "3 to 1"},
    "par": {"law": "pa-three-card-prime"},
    "read_round": {"text": (ROOT / "examples/md-three-card-poker.json").read_text("utf-8")},
    "read_rules": {"path": ROOT / "examples/rules/does-not-exist.toml"},
    "settle": {"round": (ROOT / "examples/md-three-card-poker.json").read_text("utf-8")},
    "simulate": {"rules": RULES, "rounds": 2},
    "strategy": {"rules": "md-three-card-poker"},
}
ODD = (
    None, True, 0, 1, -1, 1.5, float("nan"), Decimal(10), Fraction(10), "", "x", "10", "\ud800",
    b"x", [], ["x"], [1], [None], ["As"], ("As", "Ks"), {}, {"x": 1}, {"x": None}, {1: 1},
    {"ante": "5"}, {"ante": 5.0}, {3: None}, {3: SEAT}, {3: {**SEAT, "cards": 1}},
    {3: {**SEAT, "cards": None}}, {3: {**SEAT, "wagers": []}}, {"3": SEAT}, object(),
    RULES, RULES.chapter, Path("x"), bytearray(b"{}"), memoryview(b"{}"),
)  # fmt: skip


def test_every_function_is_called() -> None:
    functions = {
        name for name in houseway.__all__
        if callable(getattr(houseway, name)) and not inspect.isclass(getattr(houseway, name))
    }  # fmt: skip
    assert functions == set(CALLS)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(CALLS))
def test_odd_arguments_are_answered_or_refused_in_a_sentence(name: str) -> None:
    function, good = getattr(houseway, name), CALLS[name]
    for parameter in inspect.signature(function).parameters:
        for value in ODD:
            try:
                function(**{**good, parameter: value})
            except Refused as refused:
                said = str(refused)
                assert said, (parameter, value)
                assert "\n" not in said, said
                assert len(said) <= 600, said


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: houseway.par("md-three-card-poker", stakes=["10"]),
            "stakes: expected Iterable[int], not ['10']",
        ),
        (
            lambda: houseway.simulate("md-three-card-poker", rounds="x"),  # type: ignore[operator]
            "rounds: expected int, not 'x'",
        ),
        (
            lambda: houseway.deal(RULES, dealer=1, seats={}),  # type: ignore[arg-type]
            "dealer: expected str | Iterable[str | Card], not 1",
        ),
        (
            lambda: houseway.deal(RULES, dealer="", seats={3: None}),  # type: ignore[dict-item]
            "seats: expected Mapping[int, Mapping[str, Any]], not {3: None}",
        ),
        (
            lambda: houseway.settle(None),  # type: ignore[arg-type]
            "round: expected Round | Mapping[str, Any] | bytes | str, not None",
        ),
        (
            lambda: houseway.read_round(None),  # type: ignore[arg-type]
            "text: expected bytes | str | Mapping[str, Any], not None",
        ),
        (
            lambda: houseway.settle("round.json"),
            "'round.json' is the name of a file, not a round; give its text, or what json.load returns",
        ),
    ],
)
def test_a_wrong_type_is_named_with_the_right_one(call: Any, said: str) -> None:
    with pytest.raises(Refused) as refused:
        call()
    assert str(refused.value) == said


def test_a_fault_of_the_program_is_not_blamed_on_the_caller() -> None:
    from houseway.arguments import checked

    @checked
    def faulty(count: int) -> int:
        return count // 0

    with pytest.raises(ZeroDivisionError):
        faulty(1)
    with pytest.raises(TypeError, match="missing"):
        faulty()  # type: ignore[call-arg]


def test_an_argument_on_the_command_line_that_is_no_text(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As Python gives the byte 0xff; a file may have such a name."""
    with pytest.raises(SystemExit) as ended:
        main(["simulate", "md", "--rounds", "10", "--seed", "\udcff"])
    assert ended.value.code == 2
    assert capsys.readouterr().err == "houseway: the argument '\\udcff' is not UTF-8 text\n"
