"""The seven first tasks, each with commands that the README or its page names."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from commands import answer, run, run_apart

ROOT = Path(__file__).parents[2]
PAGES = {
    "play": "for-players", "analyze": "for-mathematicians", "file": "for-compliance",
    "train": "for-dealers", "investigate": "for-investigators", "integrate": "for-integrators",
    "invent": "for-inventors",
}  # fmt: skip


def named(task: str, *commands: str) -> None:
    """Each command is on the page of its task or in the README."""
    texts = (ROOT / "README.md", ROOT / "docs" / f"{PAGES[task]}.md")
    text = " ".join(path.read_text(encoding="utf-8") for path in texts)
    for command in commands:
        assert command in text, command


def test_play() -> None:
    named("play", "houseway play md", "ante 10 pair plus 5", "advice")
    done = run_apart("play", "md", "--seed", "3", stdin="ante 10 pair plus 5\nplay\nquit\n")
    assert "this round" in done.stdout


def test_analyze() -> None:
    named("analyze", "houseway par prime", "houseway reconcile")
    assert "Ante" in run("par", "prime").stdout
    assert "published" in run("reconcile", "saigon").stdout


def test_file(tmp_path: Path) -> None:
    named(
        "file", "houseway new prime -o prime.toml", "houseway check prime.toml", "houseway options"
    )
    file = tmp_path / "prime.toml"
    assert run("new", "prime", "-o", file).returncode == 0
    assert run("check", file).returncode == 0
    assert run("options", "prime").returncode == 0


def test_train() -> None:
    named("train", "houseway serve", "Take the table over", "Something went wrong")


def test_investigate(tmp_path: Path) -> None:
    named(
        "investigate", "houseway demo", "audit rounds", "audit replay yesterday.1.1", "audit verify"
    )
    record = tmp_path / "houseway-demo.db"
    assert run("demo", "--database", record, "--rounds", "3").returncode == 0
    for command in (("rounds", "--limit", "5"), ("replay", "yesterday.1.1"), ("irregularities",)):
        assert run("audit", *command, "--database", record).returncode == 0
    assert "chain intact" in run("audit", "verify", "--database", record).stdout


def test_integrate() -> None:
    named("integrate", "houseway settle examples/md-three-card-poker.json", "houseway schema round")
    assert answer("settle", ROOT / "examples" / "md-three-card-poker.json")["seats"]
    assert json.loads(run("schema", "round").stdout)["title"]


def test_invent() -> None:
    named("invent", "houseway clauses saigon", "houseway par --rules FILE", "--chapters ~/games")
    assert "680a.12(c)" in run("clauses", "saigon").stdout


@pytest.mark.full
def test_from_a_real_clone(tmp_path: Path) -> None:
    clone = tmp_path / "houseway"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True, timeout=120)
    link = tmp_path / "hw"
    link.symlink_to(clone / "script" / "houseway")
    done = subprocess.run([link, "-V"], capture_output=True, text=True, check=True, timeout=1200)
    assert done.stdout.startswith("houseway ")
    assert done.stderr.count("\n") <= 1
    for command in ("par prime", "settle examples/md-three-card-poker.json", "clauses saigon"):
        assert f"houseway {command}" in (clone / "README.md").read_text(encoding="utf-8")
        shown = subprocess.run(
            [link, *command.split()], cwd=clone, capture_output=True, text=True, check=True,
            timeout=120,
        )  # fmt: skip
        assert (shown.stdout.count("\n") > 5, shown.stderr) == (True, "")
    shutil.rmtree(clone)


@pytest.mark.full
def test_a_clone_without_extras_adds_them_when_they_are_named(tmp_path: Path) -> None:
    clone = tmp_path / "houseway"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True, timeout=120)

    def houseway(extras: str, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [clone / "script" / "houseway", *words], cwd=clone, capture_output=True, text=True,
            check=False, timeout=600, env={**os.environ, "HOUSEWAY_EXTRAS": extras},
        )  # fmt: skip

    first = houseway("", "par", "prime")
    assert (first.returncode, "with no extras" in first.stderr) == (0, True)
    without = houseway("", "par", "prime", "--xlsx", "prime.xlsx")
    assert without.returncode == 2
    assert "HOUSEWAY_EXTRAS=workbooks script/houseway" in without.stderr
    assert houseway("workbooks", "par", "prime", "--xlsx", "prime.xlsx").returncode == 0
    assert houseway("workbooks", "-V").stderr == ""
    shutil.rmtree(clone)
