"""The press sets a sheet in the house style, the same bytes for the same data."""

import io

import pypdf
import pytest

from houseway.documents import typeset

SHEET = """
#import "house.typ": *
#let data = json(bytes(sys.inputs.data))
#show: house.with(title: data.title, reference: "sha-1234")
= Payouts
#ledger(head: ("Hand", "Pays"), rows: data.rows)
#drawing(data.svg, alt: "a mark")
#pagebreak()
#note[The end] #clause("12.B(1)")
"""
DATA = {
    "title": "A sheet",
    "rows": [["Straight flush", "40 to 1"], ["Pair", "1 to 1"]],
    "svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h7v7z"/></svg>',
}


@pytest.fixture
def sheet(tmp_path, monkeypatch):
    """A room of its own, with the real house style and a sheet made for the test."""
    from importlib.resources import files

    source = files("houseway.documents").joinpath("house.typ").read_text()
    (tmp_path / "house.typ").write_text(source)
    (tmp_path / "sheet.typ").write_text(SHEET)
    monkeypatch.setattr("houseway.documents.typesetting.files", lambda _: tmp_path)
    return "sheet"


def test_a_sheet_holds_its_data_and_runs_its_head(sheet):
    pages = pypdf.PdfReader(io.BytesIO(typeset(sheet, DATA))).pages
    first, second = (page.extract_text() for page in pages)
    for word in ("A sheet", "Straight flush", "40 to 1", "sha-1234", "1 of 2"):
        assert word in first
    for word in ("sha-1234", "12.B(1)", "2 of 2"):
        assert word in second


def test_the_same_data_gives_the_same_bytes(sheet):
    assert typeset(sheet, DATA) == typeset(sheet, DATA)


def test_only_fonts_that_come_with_typst(sheet):
    fonts = set()
    for page in pypdf.PdfReader(io.BytesIO(typeset(sheet, DATA))).pages:
        for font in page["/Resources"]["/Font"].values():
            fonts.add(font.get_object()["/BaseFont"].split("+")[-1])
    assert fonts
    assert all(name.startswith(("LibertinusSerif", "DejaVuSansMono")) for name in fonts)
