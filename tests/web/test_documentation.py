"""The documentation in the web casino, and the help of every page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from houseway.web.pages import documentation
from houseway.web.pages.help_pages import HELP_PAGES

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def site(tmp_path, monkeypatch) -> Path:
    folder = tmp_path / "site"
    monkeypatch.setattr(documentation, "SITE", folder)
    return folder


def test_without_pages_it_says_how_to_build_them(visitor, site):
    answer = visitor.get("/docs/record.html")
    assert answer.status_code == 200
    assert "script/site" in answer.text


def test_built_pages_are_served_and_nothing_beside_them(visitor, site, tmp_path):
    (site / "api").mkdir(parents=True)
    (site / "index.html").write_text("<h1>Start</h1>")
    (site / "api" / "law.html").write_text("<h1>Law</h1>")
    (tmp_path / "secret.txt").write_text("the key to the safe")
    assert visitor.get("/docs/").text == "<h1>Start</h1>"
    assert visitor.get("/docs").text == "<h1>Start</h1>"
    assert visitor.get("/docs/api/law.html").text == "<h1>Law</h1>"
    for path in ("nothing.html", "../secret.txt", "%2e%2e/secret.txt", "..%2fsecret.txt"):
        answer = visitor.get(f"/docs/{path}")
        assert answer.status_code == 404, path
        assert "the key to the safe" not in answer.text
    assert visitor.post("/docs/").status_code in (403, 405)


def test_every_page_links_to_the_help_for_it(visitor):
    for path, page in (
        ("/", ""), ("/mathematics", "reference/mathematics.html"), ("/submissions", "reference/submission.html"),
        ("/progressives", "reference/progressives.html"), ("/sign-in", ""), ("/no-such-page", ""),
        ("/tables/maryland", "for-players.html"),
    ):  # fmt: skip
        text = visitor.get(path).text
        assert re.search(r'href="(/docs/[^"]*)" class="help"', text)[1] == f"/docs/{page}", path


@pytest.mark.parametrize(
    ("role", "page"), [("dealer", "for-dealers"), ("compliance", "for-compliance"), ("player", "for-players")]
)  # fmt: skip
def test_help_at_the_tables_is_for_the_role(visitor, role, page):
    visitor.enter(role)
    assert f'href="/docs/{page}.html" class="help"' in visitor.get("/").text


def test_the_pages_that_help_are_in_the_documentation():
    assert {name for name in HELP_PAGES if not (DOCS / f"{name}.md").is_file()} == set()
