"""Where the parts of an edition are read from: its TOML files, or the record of a table.

The parts are `chapter`, `clauses`, `paytables`, `options`, `errata`, `procedure` and `switches`;
only the last may be missing.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from importlib.resources.abc import Traversable
from typing import Any, Protocol

from houseway.errors import Refused
from houseway.law.editions.amending import amended
from houseway.law.editions.numbering import Numbering, with_numbers
from houseway.untrusted import LONGEST, parse_toml

#: the parts of an edition, and the name under which a part's file lists its entries
PARTS = {
    "chapter": "", "clauses": "clause", "paytables": "paytable", "options": "option",
    "errata": "erratum", "procedure": "step", "switches": "switch",
}  # fmt: skip


class Source(Protocol):
    """Gives the parts of an edition as plain data."""

    def read(self, part: str) -> Any:
        """The table of `chapter`, or the list of entries of another part."""
        ...

    def place(self, part: str) -> str:
        """Where the part is found, for a message."""
        ...


class EditionFiles:
    """The TOML files of an edition, and of the edition that it amends, if it amends one.

    The data has the numbers of clauses that the code cites; `Numbering` has the edition's own.
    """

    def __init__(
        self, chapter: Traversable, edition: str, amended_by: tuple[str, ...] = ()
    ) -> None:
        self._chapter = chapter
        self.edition = edition
        self._amended_by = amended_by

    def place(self, part: str) -> str:
        return str(self._chapter.joinpath(self.edition, f"{part}.toml"))

    def read(self, part: str) -> Any:
        stated, base = self._own(part), self.base
        if stated is None:
            if base is not None:
                return base.read(part)
            if part == "switches":
                return []
            raise Refused("not_a_chapter", f"{self.place(part)} is missing")
        if self._numbering:
            stated = with_numbers(part, stated, self._numbering.cited)
        if base is not None:
            try:
                stated = amended(part, base.read(part), stated)
            except ValueError as error:
                raise Refused("not_a_chapter", f"{self.place(part)}: {error}") from None
        if part == "chapter":
            return {name: value for name, value in stated.items() if name != "amends"}
        return stated

    @cached_property
    def base(self) -> EditionFiles | None:
        """The edition that this one amends."""
        name = self._about.get("amends")
        if name is None:
            return None
        way = (*self._amended_by, self.edition)
        beside = {one.name: one for one in self._chapter.iterdir()}.get(str(name))
        if name in way or beside is None or not beside.joinpath("chapter.toml").is_file():
            why = "which amends it in turn" if name in way else "which is not there"
            raise Refused("not_a_chapter", f"{self.place('chapter')}: it amends {name!r}, {why}")
        return EditionFiles(self._chapter, str(name), way)

    @property
    def changes(self) -> int:
        """How many times the text was amended since it was last stated whole."""
        return 0 if self.base is None else self.base.changes + 1

    @cached_property
    def _about(self) -> dict[str, Any]:
        found: dict[str, Any] = self._own("chapter") or {}
        return found

    @cached_property
    def _numbering(self) -> Numbering:
        return Numbering(self.renumbered, self.edition)

    @property
    def renumbered(self) -> dict[str, str]:
        """The edition's own numbers with those that the code cites; an amendment keeps them."""
        stated = self._about.get("renumbered")
        if stated is None:
            return self.base.renumbered if self.base is not None else {}
        found: dict[str, str] = stated
        return found

    def _own(self, part: str) -> Any:
        """What the file of a part states; none where there is no such file."""
        file = self._chapter.joinpath(self.edition, f"{part}.toml")
        try:
            if not file.is_file():
                if os.path.lexists(str(file)):
                    raise ValueError("not a file")
                return None
            with file.open("rb") as opened:
                data = opened.read(LONGEST + 1)
            found = parse_toml(data.decode(), "not_a_chapter")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise Refused("not_a_chapter", f"{self.place(part)}: {reason}") from None
        except Refused as refusal:
            raise Refused(refusal.code, f"{self.place(part)}: {refusal.message}") from None
        entries = PARTS[part]
        if not entries:
            return found
        if found.keys() - {entries}:
            other = min(found.keys() - {entries})
            raise Refused(
                "not_a_chapter", f"{self.place(part)}: it lists [[{entries}]], not {other}"
            )
        return found.get(entries, [])


class RecordedEdition:
    """An edition as the record of a table holds it."""

    def __init__(self, parts: Mapping[str, Any]) -> None:
        self.parts = parts

    def place(self, part: str) -> str:
        return f"the recorded edition, {part}"

    def read(self, part: str) -> Any:
        return self.parts.get(part, [])
