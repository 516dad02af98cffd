"""Where the parts of an edition are read from: its TOML files, or the record of a table.

The parts are `chapter`, `clauses`, `paytables`, `options`, `errata`, `procedure` and `switches`;
only the last may be missing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from typing import Any, Protocol

from houseway.errors import Refused

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
        """Where the part stands, for a message."""
        ...


class EditionFiles:
    """The TOML files of an edition, each read when it is first asked for."""

    def __init__(self, folder: Traversable) -> None:
        self._folder = folder

    def place(self, part: str) -> str:
        return str(self._folder.joinpath(f"{part}.toml"))

    def read(self, part: str) -> Any:
        try:
            text = self._folder.joinpath(f"{part}.toml").read_text(encoding="utf-8")
            found = tomllib.loads(text)
        except FileNotFoundError:
            if part == "switches":
                return []
            raise Refused("not_a_chapter", f"{self.place(part)} is missing") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise Refused("not_a_chapter", f"{self.place(part)}: {reason}") from None
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
