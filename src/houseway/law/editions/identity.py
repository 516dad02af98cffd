"""What identifies an edition: what it decides, without its words.

A field that decides nothing is marked where it is declared: `Words` for text that people read, or
`Annotated[..., NOT_DECISIVE]` for anything else, as the code that plays a game. Every other field
is part of the identity, unless it has its default value. So a new field with a default changes no
identity, and neither does any marked field.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, TypeAlias, TypeVar, get_type_hints

import msgspec

#: marks a field that decides nothing
NOT_DECISIVE = "not decisive"
#: text for people: names, explanations, notes
Words: TypeAlias = Annotated[str, NOT_DECISIVE]


class FieldInfo(msgspec.Struct, frozen=True):
    """A field of a struct: its default, and whether it takes part in deciding anything."""

    name: str
    default: Any
    decisive: bool


@cache
def fields_of(kind: type[msgspec.Struct]) -> tuple[FieldInfo, ...]:
    """The fields of a struct with their defaults and marks."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(
        FieldInfo(
            field.name,
            field.default_factory()
            if field.default_factory is not msgspec.NODEFAULT
            else field.default,
            NOT_DECISIVE not in getattr(hints[field.name], "__metadata__", ()),
        )
        for field in msgspec.structs.fields(kind)
    )


def stated(value: Any, *, decisive: bool = False) -> Any:
    """Data as plain JSON data without defaults; with `decisive`, only what decides something."""
    if isinstance(value, msgspec.Struct):
        return {
            field.name: stated(found, decisive=decisive)
            for field in fields_of(type(value))
            if (found := getattr(value, field.name)) != field.default
            and (field.decisive or not decisive)
        }
    if isinstance(value, Mapping):
        return {str(name): stated(found, decisive=decisive) for name, found in value.items()}
    if isinstance(value, list | tuple):
        return [stated(found, decisive=decisive) for found in value]
    return value


def identity(parts: Mapping[str, Any]) -> str:
    """SHA-256 over what the parts of an edition decide; the order of names does not count."""
    plain = {name: stated(part, decisive=True) for name, part in parts.items()}
    text = b"houseway edition 1\n" + msgspec.json.encode(plain, order="sorted")
    return hashlib.sha256(text).hexdigest()


S = TypeVar("S", bound=msgspec.Struct)


def completed(value: S, other: S) -> S:
    """A struct with what decides nothing, where it is not stated, taken from another of its kind.

    Structs in lists are matched by their ids.
    """
    changes = {}
    for field in fields_of(type(value)):
        mine, theirs = getattr(value, field.name), getattr(other, field.name)
        if not field.decisive:
            if mine == field.default:
                changes[field.name] = theirs
        elif isinstance(mine, tuple) and mine and hasattr(mine[0], "id"):
            by_id = {one.id: one for one in theirs}
            changes[field.name] = tuple(
                completed(one, by_id[one.id]) if one.id in by_id else one for one in mine
            )
    return msgspec.structs.replace(value, **changes)
