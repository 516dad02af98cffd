"""Clause numbers of editions that number clauses differently from the code's citations.

`[renumbered]` in `chapter.toml` maps an edition's own numbers to those that the code cites. It names
sections or clauses; what is below one moves along: with `"12.E" = "12.D"` the clause 12.E(1) of the
edition is the one cited as 12.D(1). A number that the edition gives to something new, while the code
cites another clause by it, is cited with its edition: `12.D@2.0`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from houseway.errors import Refused


def is_below(clause: str, section: str) -> bool:
    """Whether a clause is a section or part of it: 12.D(1) is below 12.D and 12, not below 1."""
    if not clause.startswith(section):
        return False
    return clause == section or clause[len(section)] in "(.# "


def _moved(clause: str, to: Mapping[str, str]) -> str | None:
    """The number of a clause after its section moved; None if its section does not move."""
    sections = [section for section in to if is_below(clause, section)]
    if not sections:
        return None
    section = max(sections, key=len)
    return to[section] + clause[len(section) :]


class Numbering:
    """An edition's own numbers beside those that the code cites."""

    def __init__(self, renumbered: Mapping[str, str], edition: str) -> None:
        self._cited = dict(renumbered)
        self._printed = {cited: own for own, cited in renumbered.items()}
        self._mark = f"@{edition}"
        if len(self._printed) != len(self._cited):
            twice = [*renumbered.values()]
            which = next(cited for cited in twice if twice.count(cited) > 1)
            raise Refused("not_a_chapter", f"renumbered gives {which} two numbers")

    def __bool__(self) -> bool:
        return bool(self._cited)

    def cited(self, own: str) -> str:
        """The number by which the code cites a clause of the edition."""
        found = _moved(own, self._cited)
        if found is not None:
            return found
        return own + self._mark if _moved(own, self._printed) is not None else own

    def printed(self, cited: str) -> str:
        """The number that the edition prints for a clause that the code cites."""
        if cited.endswith(self._mark):
            return cited.removesuffix(self._mark)
        found = _moved(cited, self._printed)
        return cited if found is None else found


def with_numbers(part: str, data: Any, number: Callable[[str], str]) -> Any:
    """The data of a part of an edition, every number of a clause replaced."""
    if part == "clauses":
        return [{**_with(clause, number), "id": number(clause["id"])} for clause in data]
    return _with(data, number)


def _with(data: Any, number: Callable[[str], str]) -> Any:
    if isinstance(data, dict):
        return {name: _field(name, value, number) for name, value in data.items()}
    return [_with(one, number) for one in data] if isinstance(data, list) else data


def _field(name: str, value: Any, number: Callable[[str], str]) -> Any:
    if isinstance(value, str) and value and (name == "clause" or name.endswith("_clause")):
        return number(value)
    if name == "clauses" and isinstance(value, list):
        return [number(one) if isinstance(one, str) else one for one in value]
    return _with(value, number)
