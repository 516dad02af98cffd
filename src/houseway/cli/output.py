"""What commands share: JSON on standard output, and a console for people."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
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


def plain(text: str) -> str:
    """What people wrote, with nothing in it that Rich would take for markup."""
    from rich.markup import escape

    return escape(text)


def print_table(
    columns: Iterable[str], rows: Iterable[Sequence[str]], *, title: str | None = None
) -> None:
    """A table for people; a column whose name begins with `>` is of numbers.

    The cells are markup.
    """
    from rich import box
    from rich.table import Table

    table = Table(
        box=box.SIMPLE_HEAD,
        title=title,
        title_style="bold",
        title_justify="left",
        padding=(0, 1, 0, 0),
    )
    for name in columns:
        number = name.startswith(">")
        table.add_column(
            name.removeprefix(">"), justify="right" if number else "left", no_wrap=number
        )
    for row in rows:
        table.add_row(*row)
    console().print(table)


def read_input(path: str | None) -> Any:
    """An open binary file, or standard input for none and for `-`."""
    if path is None or path == "-":
        return sys.stdin.buffer
    try:
        return Path(path).open("rb")
    except OSError as error:
        from houseway.errors import Refused

        raise Refused("no_such_file", f"{path}: {error.strerror}") from None


def write_text(path: str, text: str) -> None:
    """A file that was asked for, or a refusal that says why not."""
    try:
        Path(path).write_text(text, "utf-8")
    except OSError as error:
        from houseway.errors import Refused

        raise Refused("cannot_write", f"{path}: {error.strerror}") from None
