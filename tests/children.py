"""Programs of the tests in processes of their own, which nothing outlives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def child(program: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A Python program that is spoken with line by line; it and all it started are killed at the end."""
    process = subprocess.Popen(
        [sys.executable, program, *arguments],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        yield process
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(20)
        process.stdin.close()
        process.stdout.close()
