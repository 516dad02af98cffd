"""A cache of compiled kernels that cannot be used is not an error."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import numpy as np
from houseway.simulate.streams import start, words
found = np.zeros(3, np.uint64)
words(start("x", 0), found)
print(found.tolist())
"""


def ran(**environment):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout


def test_a_cache_that_cannot_be_written_costs_only_time(tmp_path):
    plain = ran(NUMBA_CACHE_DIR=str(tmp_path / "kept"))
    assert list((tmp_path / "kept").rglob("*.nbi"))
    assert ran(NUMBA_CACHE_DIR=str(tmp_path / "kept")) == plain
    nowhere = tmp_path / "a file"
    nowhere.write_text("not a folder")
    assert ran(NUMBA_CACHE_DIR=str(nowhere / "below")) == plain


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
def test_a_damaged_cache_is_compiled_anew(tmp_path, suffix):
    plain = ran(NUMBA_CACHE_DIR=str(tmp_path))
    for file in tmp_path.rglob(f"*.{suffix}"):
        file.write_bytes(b"rubbish")
    assert ran(NUMBA_CACHE_DIR=str(tmp_path)) == plain
