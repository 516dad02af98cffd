"""What was found so far, kept beside the environment so that a run goes on where it stopped.

A line of the file is one finding: of a test, the time it takes and the lines that it reaches; of a
mutant and a clause, the test that noticed. Each holds for the sources that it names by their hashes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from houseway.law.proof import METHOD
from proving.plan import Key, Plan, Test


class Notes:
    """The findings by what they are of."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._found: dict[str, Any] = {}
        if path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                try:
                    key, value = json.loads(line)
                except ValueError:  # the run was stopped while it wrote
                    continue
                self._found[key] = value

    def get(self, *parts: object) -> Any:
        return self._found.get(_key(parts))

    def keep(self, value: Any, *parts: object) -> None:
        key = _key(parts)
        self._found[key] = value
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([key, value]) + "\n")

    def forget(self) -> None:
        self._found.clear()
        self.path.unlink(missing_ok=True)


def _key(parts: Iterable[object]) -> str:
    return " ".join(map(str, (METHOD, *parts)))


def functions_seal(plan: Plan) -> str:
    """All functions that cite something: what a test reaches is told for these."""
    text = "\n".join(sorted(f"{one.place} {one.hash}" for one in plan.cited.values()))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def test_key(test: Test) -> tuple[object, ...]:
    return "test", test.place, test.hash[:16]


def mutant_key(id: str, source: str, key: Key, tests: str) -> tuple[object, ...]:
    """Of a mutant and a clause that did not notice it: the changed source, and all its tests."""
    return "mutant", id, source, *key, tests


def caught_key(id: str, source: str, key: Key) -> tuple[object, ...]:
    """Of a mutant and a clause: the test that noticed, which holds whatever other tests there are."""
    return "caught", id, source, *key
