"""`houseway strategy` for Down Under Blackjack: terminal, SVG, document and data."""

import json
from fractions import Fraction
from io import BytesIO
from xml.etree import ElementTree as ET

import msgspec
import pytest
from pypdf import PdfReader

from houseway.cli import main
from houseway.law import DOWN_UNDER, cites
from houseway.maths.answers import RemovalOut


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    return left.value.code, *capsys.readouterr()


def test_the_charts_in_the_terminal(capsys):
    status, out, _ = run(capsys, "strategy", DOWN_UNDER)
    assert status == 0
    for title in ("Small (2 to 5)", "Medium (6 to 9)", "Large (10 to ace)"):
        assert title in out
    assert "6 decks" in out
    assert "better played otherwise" in out


def test_the_charts_as_data(capsys):
    status, out, _ = run(capsys, "strategy", DOWN_UNDER, "--json")
    found = json.loads(out)
    assert (status, found["wager"]) == (0, "bet")
    charts = found["strategy"]["data"]["charts"]
    assert list(charts) == ["small", "medium", "large", "in_view"]
    assert set(charts["in_view"]["hard"]["16"]) == {"TT", "AA"}
    assert all(float(one["gain"]) > 0 for one in found["strategy"]["data"]["departures"])
    others = {
        one["strategy"]: float(one["cost_percent"]) for one in found["strategy"]["alternatives"]
    }
    assert set(others) == {
        "chart", "without_the_light", "ordinary_blackjack", "up_card_alone", "mimic_the_dealer",
        "never_bust",
    }  # fmt: skip
    assert all(cost > 0 for cost in others.values())
    # who sees less does no better, and no play by the up card alone beats the best of them
    assert others["without_the_light"] <= others["up_card_alone"]
    assert others["up_card_alone"] <= min(
        others[id] for id in ("ordinary_blackjack", "mimic_the_dealer", "never_bust")
    )


def test_the_charts_as_drawing_and_document(capsys, tmp_path):
    svg, pdf = tmp_path / "charts.svg", tmp_path / "charts.pdf"
    status, out, _ = run(
        capsys, "strategy", DOWN_UNDER, "--out", str(svg), "--pdf", str(pdf)
    )  # fmt: skip
    assert (status, out.split()[0::3]) == (0, [f"{svg}:", f"{pdf}:"])
    assert ET.fromstring(svg.read_text()).tag.endswith("svg")
    pages = PdfReader(BytesIO(pdf.read_bytes())).pages
    text = pages[0].extract_text()
    assert "Down Under Blackjack, 6 decks" in text
    assert "Edge at best play" in text


def test_a_file_that_cannot_be_written_is_said(capsys, tmp_path):
    status, _, error = run(capsys, "strategy", DOWN_UNDER, "--out", str(tmp_path / "no" / "f.svg"))
    assert status == 2
    assert error.count("\n") == 1


def test_only_these_charts_are_a_document(capsys, tmp_path):
    status, _, error = run(
        capsys, "strategy", "md-three-card-poker", "--pdf", str(tmp_path / "f.pdf")
    )
    assert status == 2
    assert "--out" in error
    assert not (tmp_path / "f.pdf").exists()


@pytest.mark.slow
@cites(DOWN_UNDER, "685a.8(b)")
def test_what_single_cards_are_worth(capsys):
    """Of 309 cards unseen under an ace, 96 are tens, less those in the player's own hand."""
    status, out, _ = run(capsys, "strategy", DOWN_UNDER, "--removal", "--json")
    assert status == 0
    found = json.loads(out)
    assert msgspec.to_builtins(msgspec.convert(found, RemovalOut)) == found
    for one in found["insurance"]:
        ten = Fraction(96 - one["cards"].count("T"), 309)
        assert Fraction(one["value"]) == 2 * ten - (1 - ten)
    waiting = Fraction(309 - 95, 309) * Fraction(3, 2)
    assert Fraction(found["even_money"]["waiting"]) == waiting
    assert found["even_money"]["now"] == "1"
    changes = {one["card"]: Fraction(one["bet"]) for one in found["removed"]}
    assert set(changes) == set("A23456789T")
    assert changes["A"] < 0 < changes["5"]
    status, _, error = run(capsys, "strategy", "pa-saigon-5-card", "--removal")
    assert status == 2
    assert "not dealt from a shoe" in error
