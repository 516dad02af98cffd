"""How code and tests say which clauses they meet.

`@cites(MD, "11.C(1)", "11.C(2)")` changes nothing about a function; `houseway clauses` finds it in
the source and joins it with the chapter's own list.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., object] | type)


def cites(_chapter: str, *_clauses: str) -> Callable[[F], F]:
    """Mark a function, class or test as meeting these clauses of a chapter."""

    def mark(thing: F) -> F:
        return thing

    return mark
