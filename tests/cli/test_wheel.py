"""The package as somebody else installs it: a wheel with its data, away from the source."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory) -> Path:
    """An environment with the wheel and what it requires, and none of its extras."""
    folder = tmp_path_factory.mktemp("wheel")
    venv.create(folder / "elsewhere", with_pip=False)
    python = folder / "elsewhere" / "bin" / "python"
    subprocess.run(
        [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", "--python", python,
         "install", "--no-compile", "-c", ROOT / "constraints.txt", ROOT],
        check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    return python


def call(python: Path, folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    home = {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
    return subprocess.run(
        [python, "-P", "-m", "houseway", *arguments], cwd=folder, capture_output=True, text=True,
        check=False, timeout=60, stdin=subprocess.DEVNULL, env={"PATH": os.environ["PATH"], **home},
    )  # fmt: skip


@pytest.mark.slow
def test_a_wheel_works_when_installed_somewhere_else(elsewhere, tmp_path) -> None:
    example = ROOT / "examples" / "md-three-card-poker.json"
    done = call(elsewhere, tmp_path, "settle", example, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert '"12.B(1)(a)"' in done.stdout
    where = subprocess.run(
        [elsewhere, "-P", "-c", "import houseway; print(houseway.__file__)"],
        cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert str(elsewhere.parents[1]) in where.stdout


@pytest.mark.slow
def test_without_extras_a_command_works_or_names_the_extra_it_needs(elsewhere, tmp_path) -> None:
    """One sentence and status 2; no traceback."""
    new = call(elsewhere, tmp_path, "new", "md-three-card-poker")
    named = new.stdout.replace('facility = ""', 'facility = "Chesapeake"')
    (tmp_path / "new.toml").write_text(named)
    assert call(elsewhere, tmp_path, "submissions", "draft", "new.toml", "--by", "ada").stderr == ""
    works = (
        "chapters", "clauses", "errata", "schema", "schema floor", "options md-three-card-poker",
        "check new.toml", "draw md-three-card-poker --out felt.svg", "people list",
        "submissions list", "audit verify", "audit rounds", "audit export --out out",
        "progressive list", "play md-three-card-poker", "audit backup kept.db",
        "audit restore kept.db --database restored.db",
    )  # fmt: skip
    lacks = {
        "par md-three-card-poker": "maths", "par pa-down-under-blackjack": "maths",
        "reconcile": "maths", "strategy pa-saigon-5-card": "maths", "rng-test": "maths",
        "strategy pa-down-under-blackjack": "maths", "diff new.toml new.toml": "maths",
        "simulate md-three-card-poker": "maths", "draw md-three-card-poker --out f.pdf": "documents",
        "packet new.toml --out packet": "documents", "serve --no-open": "web",
        "packet new.toml --out packet --only layout": "documents",
        "audit verify --database postgresql://localhost/none": "record",
        "audit export --format parquet --out parquet": "record", "audit anchor --new-key --key key --out anchor": "record",
    }  # fmt: skip
    for command in works:
        done = call(elsewhere, tmp_path, *command.split())
        assert (command, done.returncode, done.stderr) == (command, 0, "")
    for command, extra in lacks.items():
        done = call(elsewhere, tmp_path, *command.split())
        (line,) = done.stderr.splitlines()
        assert (command, done.returncode) == (command, 2)
        assert line.endswith(f"is not installed: install houseway[{extra}]"), (command, line)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("call", "extra"),
    [
        ("houseway.par('pa-saigon-5-card')", "maths"),
        ("houseway.strategy('pa-three-card-prime')", "maths"),
        ("houseway.simulate('pa-saigon-5-card', rounds=1)", "maths"),
        ("houseway.chapter('md-three-card-poker').to_arrow()", "record"),
        ("import_module('houseway.environments')", "environments"),
    ],
)
def test_in_python_too_the_extra_is_named(elsewhere, tmp_path, call, extra) -> None:
    done = subprocess.run(
        [elsewhere, "-P", "-c", f"import houseway; from importlib import import_module; {call}"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60,
        env={"PATH": os.environ["PATH"], "XDG_CACHE_HOME": str(tmp_path)},
    )  # fmt: skip
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ModuleNotFoundError: this needs ")
    assert last.endswith(f"is not installed: install houseway[{extra}]")


@pytest.mark.slow
def test_without_extras_values_show_themselves(elsewhere, tmp_path) -> None:
    """What needs no library shows itself in a notebook without any."""
    source = (
        "import houseway as h\n"
        "law = h.chapter('md-three-card-poker'); rules = h.choose(law)\n"
        "seats = {1: {'wagers': {'ante': '10.00'}, 'cards': 'As Ks Qs', 'decision': 'play'}}\n"
        "dealt = h.deal(rules, dealer='Qh 7d 2c', seats=seats)\n"
        "pages = law, rules.table('pair_plus'), h.settle(dealt)\n"
        "assert all('<table>' in one._repr_html_() for one in pages)\n"
        "assert all('<svg' in one._repr_svg_() for one in (rules, dealt))\n"
    )
    done = subprocess.run(
        [elsewhere, "-P", "-c", source], cwd=tmp_path, capture_output=True, text=True,
        check=False, timeout=60, env={"PATH": os.environ["PATH"], "XDG_CACHE_HOME": str(tmp_path)},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
