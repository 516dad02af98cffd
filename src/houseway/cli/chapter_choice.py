"""The chapter that a command is about: by id, alias or unique beginning, or asked for."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from houseway.law.library import find_chapter

if TYPE_CHECKING:
    from cyclopts import Token


def read_chapter(_type: Any, tokens: Sequence[Token]) -> str:
    (token,) = tokens
    # a floor file stands in the place of a chapter
    return token.value if token.value.endswith(".toml") else find_chapter(token.value)


_TYPED = Parameter(
    name="CHAPTER",
    converter=read_chapter,
    help="The chapter: its id, an alias such as md, or the beginning of either.",
)
#: a chapter as people type it; the command gets its id
ChapterId = Annotated[str, _TYPED]
OptionalChapter = Annotated[str | None, _TYPED]

#: -o beside --out
OUT = Parameter(name=("--out", "-o"))


def missing_chapter(given: list[str]) -> str | None:
    """The chapter of a call that names none: of its rules file, or asked for at a terminal."""
    for number, word in enumerate(given):
        name, equals, path = word.partition("=")
        if name == "--rules":
            if not equals:
                path = given[number + 1] if number + 1 < len(given) else ""
            return _of_rules(path) if path else None
    if sys.stdin.isatty() and sys.stdout.isatty():
        return _asked()
    return None


def _of_rules(path: str) -> str:
    from houseway.law import read_rules

    return read_rules(path, hypothetical=True).chapter.id


def _asked() -> str | None:
    from houseway.cli.terminal.output import GOLD, console
    from houseway.errors import Refused
    from houseway.law import chapter, chapters

    out, ids = console(), chapters()
    for number, id in enumerate(ids, 1):
        about = chapter(id).about
        out.print(f"{number:3}  [{GOLD}]{id}[/]  {about.game}, {about.jurisdiction}")
    while True:
        out.print("Which chapter? Type a number or a name (Enter to cancel): ", end="")
        answer = sys.stdin.readline().strip()
        if not answer:
            return None
        if answer.isdecimal() and 1 <= int(answer) <= len(ids):
            return ids[int(answer) - 1]
        try:
            return find_chapter(answer)
        except Refused as refusal:
            out.print(str(refusal), markup=False)
