"""The figures that a laboratory asks of a PAR sheet stand on every form of it, and are the same."""

from __future__ import annotations

import html
import io
import json
import re
import time
from fractions import Fraction

import openpyxl
import pytest
from pypdf import PdfReader

from houseway.cli import main
from houseway.documents.par_sheet import par_sheet
from houseway.documents.workbooks.par import par_workbook
from houseway.law import MD, cites
from houseway.maths.par import par
from houseway.maths.sheet import OutcomeOut
from houseway.maths.sheet_text import outcome_rows

ID = "ma-three-card-poker"


def plain(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture(scope="module")
def sheet():
    return par(ID)


def pdf_text(sheet):
    pages = PdfReader(io.BytesIO(par_sheet(sheet))).pages
    return plain(" ".join(page.extract_text() for page in pages))


def workbook_text(sheet):
    book = openpyxl.load_workbook(io.BytesIO(par_workbook(sheet)))
    return plain(
        " ".join(
            str(cell.value)
            for page in book
            for row in page.iter_rows()
            for cell in row
            if cell.value
        )
    )


@pytest.fixture(scope="module")
def pdf(sheet):
    return pdf_text(sheet)


@pytest.fixture(scope="module")
def workbook(sheet):
    return workbook_text(sheet)


@pytest.fixture
def page(visitor):
    """The page once it has been counted: until then it says so, with 202."""
    for _ in range(240):
        answer = visitor.get(f"/mathematics/{ID}")
        if answer.status_code != 202:
            break
        time.sleep(0.5)
    return plain(html.unescape(re.sub(r"<[^>]*>", " ", answer.text)))


@pytest.fixture
def terminal(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    found = ""
    for wager in ("ante", "progressive"):
        with pytest.raises(SystemExit):
            main(["par", ID, "--wager", wager])
        found += capsys.readouterr().out
    assert max(map(len, found.splitlines())) <= 80
    return plain(found)


@pytest.mark.slow
@cites(MD, "11.C(2)")
def test_stakes_of_ones_own_are_on_every_form(capsys):
    """A fold forfeits the five-card wager: Q-6-3 is played where it is a tenth of the ante."""
    stakes = {"ante": 1000, "five_card_progressive": 100}
    sheet = par(MD, at_stakes=stakes).only("five_card_progressive")
    with pytest.raises(SystemExit):
        main(["par", MD, "--stakes", "ante=10,five_card_progressive=1"])
    for text in (plain(capsys.readouterr().out), pdf_text(sheet), workbook_text(sheet)):
        assert "Jointly: Play Q-6-3" in text
        assert "A fold forfeits Five-Card Progressive [11.C(2)]" in text


@pytest.mark.slow
def test_what_a_laboratory_asks_is_on_every_form(sheet, terminal, pdf, page, workbook):
    out = sheet.out(confidence=True)
    ante = out.wagers[0]
    spread = ante.volatility
    assert json.loads(json.dumps(spread.index))
    asked = [
        "Volatility index", *spread.index.values(), spread.skewness, spread.excess_kurtosis,
        "Maximum payout", "Average bet multiplier", spread.average_bet_multiplier, "Top award",
        "cycle", "against", "Hold against edge", "play every hand",
        f"{float(ante.strategy.alternatives[0].cost_percent):.4f}",
    ]  # fmt: skip
    for form in (terminal, pdf, page):
        for one in asked:
            assert one in form, one
        for rounds in (1_000, 10_000, 100_000, 1_000_000):
            assert f"{rounds:,}" in form
    assert "Distribution of net results: Ante and Play, paytable standard." in page
    assert "Std. dev." in page
    assert "A-K-Q of spades" in workbook
    for one in ("Skewness", spread.skewness, "Maximum payout", "Top award", "Hold against edge"):
        assert one in workbook, one


@pytest.mark.slow
def test_what_pays_more_than_it_takes_says_so(terminal, pdf, page):
    """12(i): progressive table 3 returns more than a unit before its meter is counted."""
    for form in (terminal, pdf, page):
        assert "pays more than it takes at any amount" in form
        assert "$0.00" not in form


@pytest.mark.slow
def test_small_chances_are_told_as_one_in_so_many(sheet, terminal, pdf, page):
    """A mini royal of spades is one hand of 22,100."""
    for form in (terminal, pdf, page):
        assert "1 in 22,100" in form
    chances = [row[3] for entry in sheet.out().wagers for row in outcome_rows(entry)]
    assert not [one for one in chances if one.startswith("0.00")]


def test_returns_add_up_to_the_return_to_player(sheet):
    for entry in sheet.out().wagers:
        total = sum(Fraction(row.back) for row in entry.outcomes)
        assert total == Fraction(entry.return_to_player)
        assert outcome_rows(entry)[-1][0] == "Return to player"


def test_a_small_return_is_not_nothing(sheet):
    entry = sheet.out().wagers[0]
    tiny = OutcomeOut("win", "1 to 1", "1/10000000", "1", back="1/10000000")
    row = outcome_rows(type(entry)("w", "A", outcomes=[tiny], deals="1", return_to_player="1"))[0]
    assert row[3:] == ("1 in 10,000,000", "0.00001%")
