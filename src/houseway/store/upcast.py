"""Keep old events readable: explicit steps from each schema of a kind to the next.

The record keeps what was written. A reader that knows the newer shape of an event asks for it
here; a step is added when a shape changes, and none is ever taken away.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from houseway.errors import Refused
from houseway.store.event import Event

#: from the body at one schema to the kind and body at the next
Step: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]


class Schemas:
    """What a reader knows: the steps for each kind, and new names of kinds that were renamed."""

    def __init__(self) -> None:
        self._steps: dict[tuple[str, int], Step] = {}
        self._names: dict[tuple[str, int], str] = {}
        self._latest: dict[str, int] = {}

    def step(self, kind: str, schema: int, *, renamed: str | None = None) -> Callable[[Step], Step]:
        """The decorated function turns `kind` at `schema` into schema + 1."""

        def register(function: Step) -> Step:
            if (kind, schema) in self._steps:
                raise ValueError(f"there are two steps from {kind} {schema}")
            self._steps[kind, schema] = function
            self._latest.clear()
            if renamed is not None:
                self._names[kind, schema] = renamed
            return function

        return register

    def latest(self, kind: str) -> int:
        """The schema that new events of a kind are written with."""
        found = self._latest.get(kind)
        if found is None:
            reaching = (schema for name, schema in self._steps if self._reaches(name, kind))
            found = self._latest[kind] = 1 + max(reaching, default=0)
        return found

    def _reaches(self, name: str, kind: str) -> bool:
        return name == kind or kind in {new for (old, _), new in self._names.items() if old == name}

    def read(self, event: Event) -> tuple[str, dict[str, Any]]:
        """The kind and body of an event in their present shape."""
        kind, schema, body = event.kind, event.schema, event.data
        while (kind, schema) in self._steps:
            body = self._steps[kind, schema](body)
            kind = self._names.get((kind, schema), kind)
            schema += 1
        if schema > self.latest(kind):
            raise Refused(
                "schema_too_new",
                f"{event.stream} {event.version}: {kind} was written with schema {schema},"
                f" and this Houseway reads up to {self.latest(kind)}",
            )
        return kind, body
