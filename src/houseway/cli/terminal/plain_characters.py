"""Output on a terminal or pipe whose encoding lacks the characters that tables and felts use."""

from __future__ import annotations

import codecs
import sys
from io import TextIOWrapper

#: characters that look alike; all others become a question mark
_ALIKE = str.maketrans(
    {
        **dict.fromkeys("─━═—–−‐", "-"), **dict.fromkeys("│┃║", "|"),
        **dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼╔╗╚╝", "+"), **dict.fromkeys("“”", '"'),
        **dict.fromkeys("‘’", "'"), "♠": "s", "♥": "h", "♦": "d", "♣": "c", "…": "...", "§": "sec. ",
        "·": "*", "•": "*", "×": "x", "±": "+/-", "½": "1/2", "≥": ">=", "≤": "<=", "→": "->",
        "✓": "v", "✗": "x", "▒": "#", "░": "#", "█": "#",
    }
)  # fmt: skip


def write_plain_characters() -> None:
    """Replace what standard output and standard error cannot encode by what looks alike."""
    codecs.register_error("houseway.alike", _alike)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="houseway.alike")


def _alike(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    found = error.object[error.start : error.end].translate(_ALIKE)
    return found.encode("ascii", "replace").decode(), error.end
