"""The documentation tells the truth: its examples run, its output is what the program prints."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

import houseway
from houseway.law import parse_rules

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples_run(page: Path) -> None:
    found = doctest.testfile(str(page), module_relative=False)
    assert found.failed == 0


def test_the_package_example_runs() -> None:
    assert doctest.testmod(houseway).failed == 0


def test_shown_output_is_what_the_commands_print() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "script" / "docs", "--check"],
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


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
    blocks = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "guide.md").read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        assert parse_rules(block).chapter.id == "md-three-card-poker"
