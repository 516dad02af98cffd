"""`houseway audit` as a shell sees it."""

from __future__ import annotations

import subprocess
from typing import Any

import commands


def run(*arguments: object, command: str = "audit") -> subprocess.CompletedProcess[str]:
    return commands.run(command, *arguments)


def answer(*arguments: object, status: int = 0) -> Any:
    return commands.answer("audit", *arguments, status=status)
