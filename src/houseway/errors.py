"""`Refused`: how Houseway refuses anything.

A refusal is a value with a code for programs, a clause for the examiner and a sentence for the
person at the table. It is raised as an exception inside the pure core and turned into JSON, a line
on standard error or a note on the felt at the edge. Nothing is half done when one is raised.

Where several things are wrong at once, the first refusal is raised and carries the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any
from unicodedata import category

if TYPE_CHECKING:
    from pathlib import Path

#: limits for messages, fields and problems, since echoed input may be endless
_LONGEST, _FIELD, _MOST = 600, 120, 100


def printable(text: str, longest: int = _LONGEST) -> str:
    """Text that may come from outside, fit for a terminal, a log and a page.

    Control characters are escaped, so that nothing moves the cursor, colors the screen or turns
    the direction of writing; of a long text the middle is left out.
    """
    if len(text) > longest:
        half = (longest - 3) // 2
        text = f"{text[:half]}...{text[-half:]}"
    if text.isprintable():
        return text
    return "".join(
        one if one.isprintable() or category(one) == "Zs" else _escaped(one) for one in text
    )


def _escaped(one: str) -> str:
    return one.encode("unicode_escape").decode()


def choose_from(word: str, known: Iterable[str]) -> str:
    """The remedy for an unknown word: the nearest known one, if any, and all of them."""
    names = list(known)
    near = get_close_matches(word, names, n=1, cutoff=0.5)
    return f"{f'did you mean {near[0]}? ' if near else ''}choose from {', '.join(names)}"


def file_problem(path: str | Path, error: OSError) -> str:
    """Why a file or folder cannot be used: "there is no file a.json"."""
    from pathlib import Path  # not needed at every start

    path = Path(path)
    if isinstance(error, FileNotFoundError):
        return (
            f"there is no file {path}"
            if path.parent.is_dir()
            else f"there is no folder {path.parent}"
        )
    if isinstance(error, IsADirectoryError):
        return f"{path} is a folder, not a file"
    if isinstance(error, NotADirectoryError | FileExistsError):
        file = next((one for one in (path, *path.parents) if one.is_file()), path)
        return f"{file} is a file, not a folder"
    return f"{path}: {error.strerror}"


class Refused(Exception):
    """Something that the rules or common sense do not allow."""

    def __init__(
        self,
        code: str,
        fault: str,
        *,
        remedy: str = "",
        clause: str | None = None,
        seat: int | None = None,
        field: str | None = None,
    ) -> None:
        message = f"{fault}; {remedy}" if remedy else fault
        super().__init__(message)
        self.code = code
        # made printable when it is read: most refusals only answer whether something is open
        self._message, self._fault, self._remedy = message, fault, remedy
        self.clause = clause
        self.seat = seat
        self.field = None if field is None else printable(field, _FIELD)
        #: the file that it was read from; not among what programs see
        self.file: str | None = None
        #: what else is wrong
        self.more: tuple[Refused, ...] = ()

    @property
    def message(self) -> str:
        """The whole sentence: what is wrong and, where it is known, what would be right."""
        return printable(self._message)

    @message.setter
    def message(self, text: str) -> None:
        self._message = text

    @property
    def fault(self) -> str:
        """What is wrong."""
        return printable(self._fault)

    @property
    def remedy(self) -> str:
        """What would be right, where it is known."""
        return printable(self._remedy)

    @property
    def problems(self) -> tuple[Refused, ...]:
        """Everything that is wrong, this first."""
        return (self, *self.more)

    def at(
        self, *, seat: int | None = None, field: str | None = None, file: str | None = None
    ) -> Refused:
        """The same refusal with its place filled in where it was not known yet."""
        self.file = self.file or file
        if self.seat is None:
            self.seat = seat
        if self.field is None:
            self.field = None if field is None else printable(field, _FIELD)
        return self

    def as_dict(self) -> dict[str, Any]:
        """Only what is known, in a fixed order; `problems` where there is more than one."""
        parts: dict[str, Any] = {
            "code": self.code,
            "message": self.message,
            "clause": self.clause,
            "seat": self.seat,
            "field": self.field,
        }
        known = {key: value for key, value in parts.items() if value is not None}
        if self.more:
            return {**known, "problems": [known, *(one.as_dict() for one in self.more)]}
        return known

    def __str__(self) -> str:
        place = [printable(self.file, _FIELD)] if self.file else []
        if self.seat is not None:
            place.append(f"seat {self.seat}")
        if self.field is not None:
            place.append(self.field)
        head = f"{', '.join(place)}: " if place else ""
        tail = f" [{self.clause}]" if self.clause else ""
        return "; also ".join((f"{head}{self.message}{tail}", *map(str, self.more)))


def refuse_any(problems: Sequence[Refused]) -> None:
    """Raise the first of these problems, carrying the others; return where there are none."""
    if problems:
        first, *more = problems
        first.more = tuple(more[: _MOST - 1])
        raise first
