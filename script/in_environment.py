"""Imported first by scripts that need the project's environment: it is made if need be, and entered."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHON = ROOT / ".venv" / "bin" / "python"

if find_spec("houseway") is None:
    if not (ROOT / ".venv" / "ready-test").exists():
        install = ["sh", str(ROOT / "script" / "install"), "ready-test", "all,test"]
        if subprocess.run(install, check=False).returncode:  # noqa: S603 - our own script
            sys.exit(2)
    os.execv(PYTHON, [str(PYTHON), *sys.argv])  # noqa: S606 - our own Python
