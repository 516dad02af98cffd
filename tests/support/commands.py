"""The command line as a shell sees it, in this process."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest

from houseway.cli import main


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """A command with what it printed and its exit status."""
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as ended,
    ):
        main([str(one) for one in arguments])
    return subprocess.CompletedProcess(arguments, ended.value.code, out.getvalue(), err.getvalue())


def answer(*arguments: object, status: int = 0) -> Any:
    """What a command answers with `--json`."""
    done = run(*arguments, "--json")
    assert (done.returncode, done.stderr) == (status, ""), (arguments, done.stdout, done.stderr)
    return json.loads(done.stdout)


def run_apart(
    *arguments: str, stdin: str = "", environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "houseway", *arguments],
        input=stdin, capture_output=True, text=True, check=False, timeout=60,
        env={**os.environ, **(environment or {})},
    )  # fmt: skip
