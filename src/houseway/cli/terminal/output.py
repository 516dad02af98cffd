"""What commands share: JSON on standard output, and a console and tables for people."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from houseway.money import Cents

#: the colors of every command; the first two are the felt's
GOLD, RED, QUIET = "#b8963e", "#b3202a", "dim"

#: the width of output that goes neither to a terminal nor to a reader that sets COLUMNS
DEFAULT_WIDTH = 110


def print_json(value: Any) -> None:
    """Print one object on standard output, and nothing else there."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=1).decode() + "\n"
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # as JSON is, whatever the terminal has
    sys.stdout.write(text)


def console() -> Console:
    """Rich's console, as wide as COLUMNS or the terminal says."""
    from rich.console import Console

    class Piped(Console):
        def on_broken_pipe(self) -> None:
            """Let `main` end the program: a reader that left, as `head` does, is no error."""
            raise BrokenPipeError

    return Piped(highlight=False, width=_width())


def _width() -> int:
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns):
        return int(columns)
    for stream in (1, 2, 0):  # piped into a pager, standard error is still the terminal
        try:
            return os.get_terminal_size(stream).columns or DEFAULT_WIDTH
        except OSError:
            continue
    return DEFAULT_WIDTH


def read_amount(text: str, option: str) -> Cents:
    """The amount that was given for an option; a refusal names the option."""
    from houseway.errors import Refused
    from houseway.money import cents

    try:
        return cents(text)
    except Refused as refusal:
        raise refusal.at(field=option) from None


def plain(text: str) -> str:
    """Text that people wrote, with nothing in it that Rich or a terminal would take for markup."""
    from rich.markup import escape

    from houseway.errors import printable

    return escape("\n".join(printable(line, 10_000) for line in text.split("\n")))


def amount(text: str, *, sign: bool = False) -> str:
    """Return dollars and cents as people write them, $1,234.50; with `sign` also +$5.00."""
    if not text:
        return ""
    digits = text.removeprefix("-")
    whole, _, cents = digits.partition(".")
    before = "-" if text.startswith("-") else "+" if sign else ""
    return f"{before}${int(whole):,}.{cents or '00'}"


def print_table(
    columns: Iterable[str], rows: Iterable[Sequence[str] | None], *, title: str | None = None
) -> None:
    """Print a table that fits the console and never cuts an id, a clause or a number.

    A column whose name begins with `>` is aligned right, one with `~` holds prose, which may be
    broken between words. Cells are markup; a row `None` is a blank line; a column without any
    content is left out. Where the console is too narrow, the gaps shrink, then headings are broken
    between words, then prose goes below its row, then names are broken between words, and at last
    each row becomes a list of names and values.
    """
    from houseway.cli.terminal.table_layout import table_lines

    out = console()
    kept = list(rows)
    if title:
        out.print(f"[bold]{title}[/]\n")
    for line in table_lines(list(columns), kept, out):
        print_line(out, line)
    out.print()


def print_line(out: Console, line: Text | str) -> None:
    """Print one line as it is, never broken or cut."""
    out.print(line, soft_wrap=True)


def print_beside(out: Console, label: str, text: str) -> None:
    """Print text beside a label, its lines under each other; words are never broken."""
    from rich.text import Text

    from houseway.cli.terminal.table_layout import wrapped

    before = Text.from_markup(label)
    for line in wrapped([Text.from_markup(text)], out.width - before.cell_len, out):
        print_line(out, before + line)
        before = Text(" " * before.cell_len)


def read_input(path: str | None) -> Any:
    """Return an open binary file; standard input for none and for `-`."""
    if path is None or path == "-":
        if sys.stdin.isatty():
            print("Reading from the terminal; end with Ctrl-D.", file=sys.stderr)
        return sys.stdin.buffer
    try:
        return Path(path).open("rb")
    except OSError as error:
        from houseway.errors import Refused, file_problem

        raise Refused("no_such_file", file_problem(path, error)) from None


def write_bytes(path: str | Path, data: bytes, *, quiet: bool = False) -> None:
    """Write a file that was asked for and say so, unless `quiet`; or refuse and say why."""
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        from houseway.errors import Refused, file_problem

        raise Refused("cannot_write", file_problem(path, error)) from None
    if not quiet:
        console().print(f"{plain(str(path))}: {len(data):,} bytes", soft_wrap=True)


def write_text(path: str | Path, text: str, *, quiet: bool = False) -> None:
    """Write a file as `write_bytes` does."""
    write_bytes(path, text.encode(), quiet=quiet)
