"""`script/houseway`: found from wherever and by whatever name it is called."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "script" / "houseway"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone that is set up, with a program that prints its arguments."""
    for folder in ("clone/script", "clone/.venv/bin", "links/deeper"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(SCRIPT, tmp_path / "clone/script/houseway")
    (tmp_path / "clone/pyproject.toml").touch()
    (tmp_path / "clone/.venv/ready").write_text("all\n")
    program = tmp_path / "clone/.venv/bin/houseway"
    program.write_text('#!/bin/sh\necho "$@"\n')
    program.chmod(0o755)
    (tmp_path / "links/absolute").symlink_to(tmp_path / "clone/script/houseway")
    (tmp_path / "links/relative").symlink_to("../clone/script/houseway")
    (tmp_path / "links/deeper/twice").symlink_to("../relative")
    return tmp_path


@pytest.mark.parametrize(
    ("folder", "command"),
    [
        (".", ["clone/script/houseway"]),
        ("clone", ["script/houseway"]),
        ("clone/script", ["sh", "houseway"]),
        ("links", ["./absolute"]),
        ("links", ["./relative"]),
        ("links", ["sh", "relative"]),
        (".", ["links/deeper/twice"]),
        ("links/deeper", ["sh", "twice"]),
    ],
)
def test_the_script_finds_its_clone(clone: Path, folder: str, command: list[str]) -> None:
    done = subprocess.run(
        [*command, "settle", "a round.json"],
        cwd=clone / folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "settle a round.json\n", "")
