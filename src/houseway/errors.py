"""The one way Houseway says no.

A refusal is a value with a code for programs, a clause for the examiner and a sentence for the
person at the table. It is raised as an exception inside the pure core and turned into JSON, a line
on standard error or a note on the felt at the edge. Nothing is half done when one is raised.

Where several things are wrong at once, the first refusal is raised and carries the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class Refused(Exception):
    """Something the rules, or plain sense, do not allow."""

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
        #: the whole sentence: what is wrong and, where it is known, what would be right
        self.message = message
        self.fault = fault
        self.remedy = remedy
        self.clause = clause
        self.seat = seat
        self.field = field
        #: what else is wrong
        self.more: tuple[Refused, ...] = ()

    @property
    def problems(self) -> tuple[Refused, ...]:
        """Everything that is wrong, this first."""
        return (self, *self.more)

    def at(self, *, seat: int | None = None, field: str | None = None) -> Refused:
        """The same refusal with its place filled in where it was not known yet."""
        if self.seat is None:
            self.seat = seat
        if self.field is None:
            self.field = field
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
        place = [f"seat {self.seat}"] if self.seat is not None else []
        if self.field is not None:
            place.append(self.field)
        head = f"{', '.join(place)}: " if place else ""
        tail = f" [{self.clause}]" if self.clause else ""
        return "; also ".join((f"{head}{self.message}{tail}", *map(str, self.more)))


def refuse_any(problems: Sequence[Refused]) -> None:
    """Raise the first of these problems, carrying the others; return where there are none."""
    if problems:
        first, *more = problems
        first.more = tuple(more)
        raise first
