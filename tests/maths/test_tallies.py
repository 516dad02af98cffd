"""The cached tallies: keyed by all the code that makes them, and never wrong."""

import ast
import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

import houseway
from houseway.games.saigon.maths import tallies as saigon_tallies
from houseway.games.three_card.maths.counting import tallies
from houseway.law import MA, MD, PRIME, SAIGON, chapter
from houseway.maths.counting.cache import key
from houseway.maths.counting.tallies import Tallies
from houseway.maths.game import MATHS
from houseway.maths.par import par
from outside import copied

PACKAGE = Path(houseway.__file__).parent


def imported(path):
    """The files of the package that a file imports at its top."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("houseway"):
            base = PACKAGE.joinpath(*node.module.split(".")[1:])
            if base.is_dir():
                found |= {
                    base / f"{alias.name}.py"
                    for alias in node.names
                    if (base / f"{alias.name}.py").exists()
                }
            else:
                found.add(base.with_suffix(".py"))
    return found


@pytest.mark.parametrize("listed", [tallies.KERNELS, saigon_tallies.KERNELS])
def test_the_key_covers_all_the_code_that_counts(listed):
    """A kernel uses kernels, cards and the three-card ranking, and nothing else of the package."""
    kernels = {PACKAGE.joinpath(*name.split(".")[1:]).with_suffix(".py") for name in listed}
    outside = {PACKAGE / "errors.py"}  # counts nothing
    for kernel in kernels:
        assert kernel.exists()
        used = {path for path in imported(kernel) if path.exists()}
        assert used <= kernels | outside, kernel.name


def test_every_key_names_modules_that_are_there():
    """A module that moves must move in the keys too, or nothing of the game can be counted."""
    kept = {}
    for path in sorted(PACKAGE.glob("games/*/maths/**/*.py")):
        if "Tallies(" not in path.read_text(encoding="utf-8"):
            continue
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        module = import_module(".".join(("houseway", *parts)))
        kept |= {(module.__name__, n): v for n, v in vars(module).items() if isinstance(v, Tallies)}
    assert len({id(one) for one in kept.values()}) >= 5
    for one in kept.values():
        assert len(key(one.sources)) == 64


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """A cache of one's own, and nothing remembered from before."""
    monkeypatch.setenv("HOUSEWAY_CACHE", str(tmp_path))
    remembered = [value for value in vars(tallies).values() if hasattr(value, "cache_clear")]
    for one in remembered:
        one.cache_clear()
    yield tmp_path
    for one in remembered:
        one.cache_clear()


def test_a_damaged_tally_never_gives_a_wrong_figure(fresh, caplog):
    first = tallies.duel(tallies.QUEEN_HIGH)
    (file,) = fresh.glob("three_card-duel-*.json")
    body = file.read_bytes()
    file.write_bytes(body.replace(b"18", b"81", 3))
    tallies.duel.cache_clear()
    assert tallies.duel(tallies.QUEEN_HIGH) == first
    assert "counted again" in caplog.text
    assert file.read_bytes() == body


WARM = """
import sys
import msgspec
from houseway.maths.par import par
out = par("md-three-card-poker").out()
sys.stdout.buffer.write(msgspec.json.encode(["numpy" in sys.modules, out]))
"""


@pytest.mark.slow
def test_warm_figures_need_no_numpy_and_are_the_same(tmp_path):
    """With the tallies kept, a PAR sheet is made without NumPy: that is why it is quick."""
    env = {**os.environ, "HOUSEWAY_CACHE": str(tmp_path)}
    runs = [
        json.loads(
            subprocess.run(
                [sys.executable, "-c", WARM], capture_output=True, check=True, env=env
            ).stdout
        )
        for _ in range(2)
    ]
    (counted, cold), (counted_again, warm) = runs
    assert counted
    assert not counted_again
    assert warm == cold == json.loads(msgspec.json.encode(par(MD).out()))


def test_what_is_missing_is_known(fresh):
    def missing():
        return [name for name, _ in MATHS.of(chapter(MA)).missing(chapter(MA))]

    assert "cover_all" in missing()
    tallies.cover_all()
    assert "cover_all" not in missing()
    for _, count in MATHS.of(chapter(MA)).missing(chapter(MA)):
        count()
    assert missing() == []


@pytest.mark.slow
@pytest.mark.parametrize("id", [MD, PRIME, SAIGON])
def test_a_copied_chapter_is_not_counted_again(id, tmp_path, monkeypatch):
    """Tallies go by what is counted: a copy under another id finds all of them."""
    monkeypatch.setenv("HOUSEWAY_CACHE", str(tmp_path / "cache"))
    copied(id, tmp_path / "chapters", "xx-copy")
    shown = []
    for name in (id, "xx-copy"):
        done = subprocess.run(
            [sys.executable, "-m", "houseway", "par", name, "--json"],
            capture_output=True, check=True,
            env={**os.environ, "HOUSEWAY_CHAPTERS": str(tmp_path / "chapters")},
        )  # fmt: skip
        sheet = json.loads(done.stdout)
        assert sheet.pop("chapter") == name
        shown.append((sheet, sorted(path.name for path in (tmp_path / "cache").iterdir())))
    assert shown[0] == shown[1]
