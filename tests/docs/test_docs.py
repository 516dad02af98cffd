"""The documentation tells the truth: its examples run, its output is what the program prints."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import houseway
from houseway.law import parse_rules

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_python_examples_run(page: Path) -> None:
    found = doctest.testfile(str(page), module_relative=False)
    assert found.failed == 0


def test_the_package_example_runs() -> None:
    assert doctest.testmod(houseway).failed == 0


@pytest.mark.slow
def test_shown_output_is_what_the_commands_print() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "script" / "docs", "--check"],
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and MkDocs make them."""
    text = re.sub(
        r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


@pytest.mark.parametrize(
    "page", [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"], ids=name
)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", text):
        file = page.parent / target if target else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), f"{target}#{anchor}"


def test_every_screenshot_is_on_a_page() -> None:
    texts = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    unused = [
        path.name
        for path in (ROOT / "docs" / "screenshots").iterdir()
        if f"screenshots/{path.name})" not in texts
    ]
    assert unused == []


def test_every_page_is_in_the_index() -> None:
    index = ROOT / "docs" / "index.md"
    text = index.read_text(encoding="utf-8")
    linked = {index, *(index.parent / target for target in re.findall(r"\]\(([^)#:]+)\)", text))}
    assert set(PAGES[1:]) <= linked


def test_code_in_the_page_on_adding_a_game_is_that_of_the_example() -> None:
    page = (ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```(?:python|toml)\n(.*?)```", page, re.DOTALL)
    assert blocks
    example = ROOT / "examples" / "casino-war"
    files = [path for kind in ("py", "toml") for path in example.rglob(f"*.{kind}")]
    texts = [path.read_text(encoding="utf-8") for path in files]
    for block in blocks:
        assert any(block in text for text in texts), block


def test_rules_in_the_guide_are_rules() -> None:
    blocks = re.findall(
        r"```toml\n(.*?)```", (ROOT / "docs" / "reference" / "rounds.md").read_text(), re.DOTALL
    )
    assert blocks
    for block in blocks:
        assert parse_rules(block).chapter.id == "md-three-card-poker"


def test_the_changelog_has_the_version_and_what_1_0_0_requires() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "version"
    ]
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert headings[:2] == ["Required for 1.0.0", "Unreleased"]
    released = [tuple(map(int, heading.split(",")[0].split("."))) for heading in headings[2:]]
    assert released == sorted(released, reverse=True)
    assert ".".join(map(str, released[0])) == version
    assert f"Version {version}." in (ROOT / "README.md").read_text(encoding="utf-8")
    before, _, after = text.partition("## 0.")
    assert len(re.findall(r"^- .*$", before, re.MULTILINE)) < 45, (
        "cut a version, or drop entries of older ones that a merge brought back"
    )
    entries = re.findall(r"^- .*$", after, re.MULTILINE)
    assert max(map(len, entries)) <= 320
