"""A cache of compiled kernels that cannot be used is not an error."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import numpy as np
from houseway.simulate.kernels.random_streams import start, words
found = np.zeros(3, np.uint64)
words(start("x", 0), found)
print(found.tolist())
"""


def ran(program=PROGRAM, *arguments, **environment):
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.slow
def test_a_cache_that_cannot_be_written_costs_only_time(tmp_path):
    plain = ran(NUMBA_CACHE_DIR=str(tmp_path / "kept"))
    assert list((tmp_path / "kept").rglob("*.nbi"))
    assert ran(NUMBA_CACHE_DIR=str(tmp_path / "kept")) == plain
    nowhere = tmp_path / "a file"
    nowhere.write_text("not a folder")
    assert ran(NUMBA_CACHE_DIR=str(nowhere / "below")) == plain


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
def test_a_damaged_cache_is_compiled_anew(tmp_path, suffix):
    plain = ran(NUMBA_CACHE_DIR=str(tmp_path))
    for file in tmp_path.rglob(f"*.{suffix}"):
        file.write_bytes(b"rubbish")
    assert ran(NUMBA_CACHE_DIR=str(tmp_path)) == plain


WITHOUT = """
from numba.core.cpu import CPUTargetOptions
del next(one for one in CPUTargetOptions.__mro__ if "_nrt" in vars(one))._nrt
"""


@pytest.mark.slow
def test_a_numba_without_an_option_of_its_own_compiles_the_same(tmp_path):
    """Given an option that it does not know, Numba refuses to compile."""
    plain = ran(NUMBA_CACHE_DIR=str(tmp_path / "with"))
    assert ran(WITHOUT + PROGRAM, NUMBA_CACHE_DIR=str(tmp_path / "without")) == plain


MISSES = """
import sys
from houseway.simulate.kernels import compiled
if sys.argv[1:]:
    compiled.sources = lambda: sys.argv[1]
import numpy as np
from houseway.simulate.kernels.random_streams import start, words
words(start("x", 0), np.zeros(3, np.uint64))
print(sum(words.stats.cache_misses.values()))
"""


@pytest.mark.slow
def test_machine_code_of_other_sources_is_compiled_anew(tmp_path):
    """A kernel has parts in several files; a change of any of them is a change of the kernel."""
    kept = {"NUMBA_CACHE_DIR": str(tmp_path)}
    assert [ran(MISSES, *given, **kept) for given in ((), (), ("another",))] == [
        "1\n",
        "0\n",
        "1\n",
    ]


def test_the_code_of_every_family_that_is_simulated_counts(tmp_path, monkeypatch):
    """Also of one that is installed beside the package: all of its code, and only code."""
    from houseway.simulate.kernels import compiled

    family = tmp_path / "a_family"
    (family / "deep").mkdir(parents=True)
    for place in ("__init__.py", "simulation.py", "deep/kernel.py", "notes.txt"):
        (family / place).write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    built_in = compiled.families()

    def stamp(families):
        monkeypatch.setattr(compiled, "families", lambda: families)
        compiled.sources.cache_clear()
        return compiled.sources()

    try:
        alone = stamp(built_in)
        families = {**built_in, "another": {"simulation": "a_family.simulation:GAME"}}
        before = stamp(families)
        (family / "notes.txt").write_text("nothing to compile")
        assert stamp(families) == before
        (family / "deep" / "kernel.py").write_text("BATCH = 64")
        assert stamp(families) != before
        assert stamp(built_in) == alone
        fewer = {name: parts for name, parts in built_in.items() if name != "saigon"}
        assert stamp(fewer) != alone
    finally:
        compiled.sources.cache_clear()
