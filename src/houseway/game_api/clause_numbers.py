"""Translate clause numbers for an edition that renumbers them.

The code of a game cites clauses as the first edition numbers them, and reads the chapter's data in
the same numbers. What it returns or refuses has the numbers of the edition that is played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, TypeVar

import msgspec

from houseway.errors import Refused
from houseway.game_api.round import Line, Round
from houseway.law import Chapter

T = TypeVar("T")


def renumbering(function: Callable[[Round], T]) -> Callable[[Round], T]:
    """Mark a function of a game's rules whose lines and refusals carry numbers of clauses."""

    @wraps(function)
    def call(round: Round) -> T:
        law = round.rules.chapter
        if not law.numbering:
            return function(round)
        try:
            found: T = _printed(
                law, function(msgspec.structs.replace(round, rules=round.rules.as_cited))
            )
        except Refused as refusal:
            raise printed_refusal(law, refusal) from None
        return found

    return call


def printed_refusal(law: Chapter, refusal: Refused) -> Refused:
    """A refusal with the number that the edition prints."""
    if refusal.clause is not None:
        refusal.clause = law.printed(refusal.clause)
    return refusal


def _printed(law: Chapter, found: Any) -> Any:
    """What a game's rules return, with the numbers that the edition prints."""
    if isinstance(found, Line):
        return msgspec.structs.replace(found, clause=law.printed(found.clause))
    if isinstance(found, msgspec.Struct):
        names = found.__struct_fields__
        return type(found)(**{name: _printed(law, getattr(found, name)) for name in names})
    if isinstance(found, tuple) and hasattr(found, "_fields"):
        return type(found)(*(_printed(law, one) for one in found))
    if isinstance(found, tuple | list):
        return type(found)(_printed(law, one) for one in found)
    if isinstance(found, dict):
        return {name: _printed(law, one) for name, one in found.items()}
    return _each(law, found) if isinstance(found, Iterator) else found


def _each(law: Chapter, found: Iterator[Any]) -> Iterator[Any]:
    try:
        for one in found:
            yield _printed(law, one)
    except Refused as refusal:
        raise printed_refusal(law, refusal) from None
