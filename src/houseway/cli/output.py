"""What commands share: JSON on standard output, and a console for people."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from rich.console import Console

#: shared by every command with tables: the next colours are the felt's
GOLD, RED, QUIET = "#b8963e", "#b3202a", "dim"


def print_json(value: Any) -> None:
    """One object on standard output, and nothing else there."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=1).decode() + "\n")


def console() -> Console:
    """Rich's console, wide enough for a table when the output is a file."""
    from rich.console import Console

    found = Console(highlight=False)
    return found if found.is_terminal else Console(highlight=False, width=110)


def read_input(path: str | None) -> Any:
    """An open binary file, or standard input for none and for `-`."""
    if path is None or path == "-":
        return sys.stdin.buffer
    try:
        return Path(path).open("rb")
    except OSError as error:
        from houseway.refusal import Refused

        raise Refused("no_such_file", f"{path}: {error.strerror}") from None


def write_text(path: str, text: str) -> None:
    """A file that was asked for, or a refusal that says why not."""
    try:
        Path(path).write_text(text, "utf-8")
    except OSError as error:
        from houseway.refusal import Refused

        raise Refused("cannot_write", f"{path}: {error.strerror}") from None
