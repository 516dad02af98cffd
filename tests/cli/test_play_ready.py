"""Advice at the terminal is ready before it is asked for."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time

import pytest


@pytest.mark.slow
def test_what_advice_needs_is_compiled_while_the_player_bets(tmp_path):
    """At a terminal nothing was asked yet, and the kernels of the solver come into their folder."""
    here, there = pty.openpty()
    kept = {"NUMBA_CACHE_DIR": str(tmp_path), "HOUSEWAY_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "houseway", "play", "pa-down-under-blackjack"]
    with subprocess.Popen(
        command, stdin=there, stdout=subprocess.DEVNULL, env={**os.environ, **kept}
    ) as playing:
        try:
            until = time.monotonic() + 120
            while not any(tmp_path.rglob("kernels.reach*.nbc")):
                assert time.monotonic() < until
                time.sleep(0.1)
        finally:
            playing.kill()
            os.close(here)
            os.close(there)
