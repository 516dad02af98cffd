"""Find the line of a field in a submission."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

_KEY = re.compile(r"""\s*("(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)\s*(\.)?""")
_MARK = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|\n')

#: fields by their full name, each with its first and last line
Lines = dict[str, tuple[int, int]]


def lines_of(text: str, name: str) -> Lines:
    """The lines of every field of a document that can be parsed."""
    text = text.removeprefix("\ufeff")
    return dict(_json(text) if name.endswith(".json") else _toml(text.split("\n")))


#: the options that bring a device to the table
_BRINGS = {"dealing_shoe": "dealing", "automated_shoe": "dealing", "continuous_shuffler": "dealing"}


def line_of(lines: Lines, field: str) -> int | None:
    """The line of a field, or of the nearest part that it belongs to.

    A part that is not in the file yet is looked for where it is asked for: a meter at its wager, a
    device at the option that brings it.
    """
    if not lines:
        return None
    whole = field
    while field:
        if field in lines:
            return lines[field][0]
        field = field.rpartition(".")[0]
    return next((lines[one][0] for one in _asked_by(lines, whole) if one in lines), 1)


def _asked_by(lines: Lines, field: str) -> Iterator[str]:
    part, _, rest = field.partition(".")
    if not rest:
        return  # a part of its own, which stands at the beginning of the file
    first = rest.partition(".")[0]
    yield f"rules.{_BRINGS.get(first, first)}"
    yield from (one for one in lines if one.startswith("rules.") and first.startswith(one[6:]))
    yield "table.equipment" if part == "devices" else "rules"


def _toml(lines: list[str]) -> Iterator[tuple[str, tuple[int, int]]]:
    part: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at].strip()
        first = at + 1
        at += 1
        if line.startswith("["):
            part = _keys(line.lstrip("["))
            yield ".".join(part), (first, first)
        elif line and not line.startswith("#"):
            keys = _keys(line)
            value = lines[first - 1].partition("=")[2]
            # a list, a table or a text may go on over several lines
            while (found := _value(value)) is None and at < len(lines):
                value += "\n" + lines[at]
                at += 1
            yield from ((".".join((*part, *keys[:n])), (first, at)) for n in range(1, len(keys)))
            name = ".".join((*part, *keys))
            yield name, (first, at)
            yield from ((f"{name}.{key}", (first, at)) for key in _inner(found))


def _keys(line: str) -> list[str]:
    found: list[str] = []
    place = 0
    while match := _KEY.match(line, place):
        found.append(match[1].strip("\"'"))
        place = match.end()
        if not match[2]:
            break
    return found


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"x = {text}")["x"]
    except tomllib.TOMLDecodeError:
        return None


def _inner(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield str(key)
            yield from (f"{key}.{one}" for one in _inner(inner))


def _json(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    line, last = 1, ""
    path: list[str] = []
    for mark in _MARK.findall(text):
        if mark == "\n":
            line += 1
        elif mark.startswith('"'):
            last = mark[1:-1]
        elif mark == ":":
            yield ".".join([*filter(None, path), last]), (line, line)
        elif mark in "{[":
            path.append(last)
            last = ""
        elif mark in "}]" and path:
            path.pop()
            last = ""
        elif mark == ",":
            last = ""
