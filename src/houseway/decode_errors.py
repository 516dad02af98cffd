"""JSON of the wrong shape, put in a sentence with its place.

`msgspec` names a path and two types; a person wants to know which seat, which field, and what
belongs there. The text is read once more for that, on the way to a refusal only. `untrusted` reads
the text itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

import msgspec

from houseway.errors import Refused

_KINDS = {
    "array": "a list", "object": "an object", "str": "text in quotes", "int": "a whole number",
    "float": "a number with a fraction", "bool": "true or false", "null": "nothing",
}  # fmt: skip
_MISSING = re.compile(r"Object missing required field `(\w+)`")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`")
_KIND = re.compile(r"Expected `(.+?)`(?:, got `(.+)`)?")
_VALUE = re.compile(r"Invalid (?:enum )?value '?(.*?)'?$")
_STEP = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")


def decode_error(
    error: Exception, code: str, what: str, given: Any = None, names: Iterable[str] = ()
) -> Refused:
    """The refusal of something that is not `what`: a round, a command.

    `given` is the text, or the data that was read from it; `names` are the known names, for a hint
    in place of an unknown one.
    """
    text, _, path = str(error).partition(" - at `")
    text = text.removesuffix(" - at")
    data = _data(given)
    place = _Place(data, path.rstrip("`"), wants=text)
    whole = place.whole(what)
    if found := _MISSING.match(text):
        name = found[1]
        return place.refused(code, f"{whole} lacks the field `{name}`", name)
    if found := _UNKNOWN.match(text):
        near = get_close_matches(found[1], [one for one in names if one != found[1]], 1)
        hint = f"; did you mean `{near[0]}`?" if near else ""
        return place.refused(code, f"{whole} has no field `{found[1]}`{hint}", found[1])
    if found := _KIND.match(text):
        wanted = " or ".join(_KINDS.get(kind, kind) for kind in found[1].split(" | "))
        got = f", not {_KINDS.get(found[2], found[2])}" if found[2] else ""
        name = f"`{place.field}`" if place.field else f"a {what}"
        return place.refused(code, f"{name} must be {wanted}{got}")
    if found := _VALUE.match(text):
        near = get_close_matches(found[1], [*names], 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        kind = place.field.rpartition(".")[2] or "value"
        return place.refused(code, f"there is no {kind} {found[1]!r}{hint}")
    return place.refused(code, text)


def _data(given: Any) -> Any:
    if not isinstance(given, bytes | bytearray | str):
        return given
    try:
        return msgspec.json.decode(given)
    except (ValueError, RecursionError):
        return None


class _Place:
    """Where the data is wrong: the field, and the seat if the field belongs to one."""

    def __init__(self, data: Any, path: str, wants: str) -> None:
        self.data = data
        self.seat: int | None = None
        names: list[str] = []
        here = data
        for name, index in _STEP.findall(path):
            if name:
                names.append(name)
                here = here.get(name) if isinstance(here, Mapping) else None
            elif index == "...":
                key, here = _culprit(here, wants)
                names += [key] if key else []
            else:
                here = here[int(index)] if isinstance(here, list) else None
                seat = here.get("seat") if isinstance(here, Mapping) else None
                if names == ["seats"] and type(seat) is int:
                    self.seat = seat
                    names = []
                else:
                    names.append(str(int(index) + 1))
        self.field = ".".join(names)

    def whole(self, what: str) -> str:
        """What the field belongs to."""
        where = [f"seat {self.seat}"] if self.seat is not None else []
        where += [f"`{self.field}`"] if self.field else []
        if where:
            return ", ".join(where)
        told = self.data if isinstance(self.data, Mapping) else {}
        if isinstance(told.get("command"), str):
            return f"the {what} {told['command']}"
        of = f" of {told['chapter']}" if isinstance(told.get("chapter"), str) else ""
        return f"this {what}{of}"

    def refused(self, code: str, sentence: str, name: str = "") -> Refused:
        field = ".".join(part for part in (self.field, name) if part)
        return Refused(code, sentence, seat=self.seat, field=field or None)


def _culprit(here: Any, wants: str) -> tuple[str, Any]:
    """The entry of an object whose type is wrong."""
    kinds = {"str": str, "int": int, "object": Mapping, "array": list}
    found = _KIND.match(wants)
    wanted = tuple(kinds[kind] for kind in found[1].split(" | ") if kind in kinds) if found else ()
    if isinstance(here, Mapping):
        for key, value in here.items():
            if wanted and not isinstance(value, wanted):
                return str(key), value
    return "", None
