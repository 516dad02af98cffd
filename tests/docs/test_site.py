"""The documentation as static pages: whole, offline, every link leads somewhere, and it can be searched."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, expect

import houseway

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


class _Links(HTMLParser):
    """Every address that a page leads to or loads, and every place in it that has a name."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.names: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        for name in ("id", "name"):
            self.names.add(given.get(name) or "")
        link = given.get("href") or given.get("src")
        if link:
            (self.links if tag == "a" else self.loaded).append(link)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [ROOT / "script" / "site", folder], capture_output=True, text=True, check=False, timeout=600
    )
    # strict: a broken link, a missing page or an unknown anchor is an error
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    return folder


def pages(site: Path) -> Iterator[tuple[Path, str, _Links]]:
    for path in sorted(site.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        yield path, text, _Links(text)


def test_every_page_of_the_documentation_is_there_and_can_be_reached(site: Path) -> None:
    start = _Links((site / "index.html").read_text(encoding="utf-8")).links
    docs = ROOT / "docs"
    for page in docs.rglob("*.md"):
        assert page.relative_to(docs).with_suffix(".html").as_posix() in start, page.name


def test_every_link_and_anchor_leads_somewhere_and_nothing_comes_from_elsewhere(site: Path) -> None:
    names = {path: found.names for path, _, found in pages(site)}
    for path, _, found in pages(site):
        for link in found.loaded:
            parts = urlsplit(link)
            assert (parts.scheme, parts.netloc) == ("", ""), (path, link)
        for link in (*found.links, *found.loaded):
            parts = urlsplit(link)
            if parts.scheme or link == "/":
                continue  # an address in a sentence; the casino, where one serves the pages
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert target.is_file(), (path, link)
            if parts.fragment and target.suffix == ".html":
                assert unquote(parts.fragment) in names[target], (path, link)


def test_the_pages_keep_to_the_policy_of_the_web_casino(site: Path) -> None:
    for path, text, _ in pages(site):
        assert not re.search(r"<style|<script>|<[^>]+ (?:style|on[a-z]+)=", text), path


def test_no_list_or_table_is_left_as_text(site: Path) -> None:
    for path, text, _ in pages(site):
        for paragraph in re.findall(r"<p>(.*?)</p>", text, re.DOTALL):
            assert not re.search(r"^(?:[-*|] |\d+\. )", paragraph, re.MULTILINE), (path, paragraph)


def test_the_reference_has_every_name_of_the_package_with_its_docstring(site: Path) -> None:
    text = (site / "api.html").read_text(encoding="utf-8")
    for name in houseway.__all__:
        if callable(getattr(houseway, name)):
            assert re.search(rf'doc-heading">\s*houseway\.{name}\s', text), name
    commands = _Links((site / "commands.html").read_text(encoding="utf-8")).names
    assert {"settle", "serve", "audit-check", "audit-verify"} <= commands


def test_a_search_finds_a_page_without_a_server(site: Path, browser: Browser) -> None:
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((site / "index.html").as_uri())
    page.keyboard.press("/")
    page.keyboard.type("tamper-evident")
    found = page.locator("#found a")
    expect(found.first).to_contain_text("The record", timeout=60_000)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("The record", timeout=60_000)
    page.locator(".find input").fill("xyzzy record")
    expect(page.locator("#found")).to_contain_text("No page has all of these words")
    assert asked
    assert [address for address in asked if not address.startswith("file:")] == []
    page.close()
