"""The one way Houseway says no.

A refusal is a value with a code for programs, a clause for the examiner and a sentence for the
person at the table. It is raised as an exception inside the pure core and turned into JSON, a line
on standard error or a note on the felt at the edge. Nothing is half done when one is raised.
"""

from __future__ import annotations


class Refused(Exception):
    """Something the rules, or plain sense, do not allow."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        clause: str | None = None,
        seat: int | None = None,
        field: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.clause = clause
        self.seat = seat
        self.field = field

    def at(self, *, seat: int | None = None, field: str | None = None) -> Refused:
        """The same refusal with its place filled in where it was not known yet."""
        if self.seat is None:
            self.seat = seat
        if self.field is None:
            self.field = field
        return self

    def as_dict(self) -> dict[str, str | int]:
        """Only what is known, in a fixed order."""
        parts = {
            "code": self.code,
            "message": self.message,
            "clause": self.clause,
            "seat": self.seat,
            "field": self.field,
        }
        return {key: value for key, value in parts.items() if value is not None}

    def __str__(self) -> str:
        place = [f"seat {self.seat}"] if self.seat is not None else []
        if self.field is not None:
            place.append(self.field)
        head = f"{', '.join(place)}: " if place else ""
        tail = f" [{self.clause}]" if self.clause else ""
        return f"{head}{self.message}{tail}"
